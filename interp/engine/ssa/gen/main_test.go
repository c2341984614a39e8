package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestGeneratedFilesAreFresh(t *testing.T) {
	for name, body := range files {
		want, err := source(body)
		if err != nil {
			t.Fatal(name, ": ", err)
		}
		got, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Error(err)
		} else if !bytes.Equal(got, want) {
			t.Errorf("%s is stale; run \"go generate ./interp/engine/ssa\"", name)
		}
	}
}
