package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

// TestHomework releases every homework, project and self-test. Its own solutions must earn all
// points that are not graded by hand, the untouched notebook must earn none, and outputs must not
// be stored.
func TestHomework(t *testing.T) {
	var files []string
	for _, dir := range []string{"homework", "projects", "self-test"} {
		found, err := notebook.Glob("../../notebooks/" + dir + "/*.ipynb")
		if err != nil || len(found) == 0 {
			t.Fatalf("there are no notebooks in ../../notebooks/%s: %v", dir, err)
		}
		files = append(files, found...)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".ipynb"), func(t *testing.T) {
			nb, err := notebook.Read(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range nb.Cells {
				if len(c.Outputs) > 0 {
					t.Errorf("cell %s is stored with its outputs; clear them before the commit", c.ID)
				}
			}
			var said bytes.Buffer
			cmd := newRoot()
			cmd.SetArgs([]string{"release", file, "-o", t.TempDir()})
			cmd.SetOut(&said)
			cmd.SetErr(&said)
			if err := cmd.Execute(); err != nil || strings.Contains(said.String(), "without answers it earns") {
				t.Errorf("%v\n%s", err, &said)
			}
		})
	}
}
