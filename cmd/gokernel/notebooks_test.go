package main

import (
	"bytes"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

// TestCourseNotebooks runs every notebook of the course: no cell may fail. In the repository they
// have no outputs.
func TestCourseNotebooks(t *testing.T) {
	files, err := notebook.Glob("../../notebooks/*.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("there are no notebooks in ../../notebooks")
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".ipynb"), func(t *testing.T) {
			stored, err := notebook.Read(file)
			if err != nil {
				t.Fatal(err)
			}
			for i, c := range stored.Cells {
				if len(c.Outputs) > 0 || c.Count != 0 {
					t.Errorf("cell %d is stored with its outputs or its number; clear them before the commit", i)
				}
			}
			done := filepath.Join(t.TempDir(), "done.ipynb")
			var progress bytes.Buffer
			cmd := newRoot()
			cmd.SetArgs([]string{"run", file, "-o", done, "--timeout", "2m"})
			cmd.SetOut(&progress)
			cmd.SetErr(&progress)
			if err := cmd.Execute(); err != nil {
				t.Fatalf("%v\n%s", err, &progress)
			}
			ran, err := notebook.Read(done)
			if err != nil {
				t.Fatal(err)
			}
			shown := 0
			for i, c := range ran.Cells {
				if c.Type == notebook.Code && c.Count == 0 {
					t.Errorf("cell %d was not run", i)
				}
				for _, o := range c.Outputs {
					shown++
					if o.Type == notebook.Error {
						t.Errorf("cell %d shows an error", i)
					}
					text, _ := o.Data["text/plain"].(string)
					if odd := oddValue.FindString(o.Text + text); odd != "" {
						t.Errorf("cell %d shows %q, which says nothing to a reader: drop an error that is nil, and add 0 to -0", i, odd)
					}
				}
			}
			if shown == 0 {
				t.Error("no cell shows anything")
			}
		})
	}
}

// oddValue matches a value that a lecture shows by mistake.
var oddValue = regexp.MustCompile(`(?m)(?:^|[ ,\[(])(?:<nil>|nil|[-−]0(?:\.0+)?)(?:[ ,\])]|$)`)

// TestCellsAreShort checks that no code cell of a lecture has more than 20 lines, and half of all
// have six or fewer. Cells with the tag check don't count.
func TestCellsAreShort(t *testing.T) {
	files, err := notebook.Glob("../../notebooks/N*.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	var lengths []int
	for _, file := range files {
		nb, err := notebook.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range nb.Cells {
			if c.Type != notebook.Code || c.Tagged("check") {
				continue
			}
			n := strings.Count(strings.TrimSpace(c.Source), "\n") + 1
			if n > 20 {
				t.Errorf("%s: the cell %s has %d lines", filepath.Base(file), c.ID, n)
			}
			lengths = append(lengths, n)
		}
	}
	slices.Sort(lengths)
	if len(lengths) == 0 || lengths[len(lengths)/2] > 6 {
		t.Errorf("of %d cells, half have more than 6 lines", len(lengths))
	}
}
