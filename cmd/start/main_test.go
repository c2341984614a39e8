package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestModuleRoot(t *testing.T) {
	dir, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "cmd", "start", "main.go")); err != nil {
		t.Error(err)
	}
	t.Chdir(t.TempDir())
	if _, err := moduleRoot(); err == nil || !strings.Contains(err.Error(), "change to the clone") {
		t.Errorf("elsewhere: %v", err)
	}
}
