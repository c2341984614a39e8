package notebook

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWritesWhatJupyterWrites reads testdata/written.ipynb, which nbformat.write of nbformat 5.11
// wrote, and writes the same bytes.
func TestWritesWhatJupyterWrites(t *testing.T) {
	want, err := os.ReadFile("testdata/written.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	nb, err := Decode(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := nb.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestDecode(t *testing.T) {
	nb, err := Read("testdata/written.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	if got := nb.Language(); got != "go" {
		t.Errorf("language: got %q, want go", got)
	}
	c := nb.Cells[1]
	if c.Source != "x := 1\nx" || c.Count != 2 || !c.Tagged("keep", "raises-exception") || c.Tagged("keep") {
		t.Errorf("cell: got %+v", c)
	}
	if got := c.Outputs[1].Data["text/html"]; got != "<b>1</b>\n<i>2</i>" {
		t.Errorf("html: got %q", got)
	}
}

func TestOldMinorFormatsGetIdentities(t *testing.T) {
	const old = `{"nbformat":4,"nbformat_minor":2,"metadata":{},"cells":[
		{"cell_type":"code","source":"a","metadata":{},"execution_count":null,"outputs":[]},
		{"cell_type":"code","source":"a","metadata":{},"execution_count":null,"outputs":[]},
		{"cell_type":"raw","id":"not valid!","source":["b\n","c"],"metadata":{}}]}`
	var first []byte
	for range 2 {
		nb, err := Decode([]byte(old))
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, c := range nb.Cells {
			if !validID().MatchString(c.ID) || seen[c.ID] {
				t.Errorf("identity %q is not valid or not unique", c.ID)
			}
			seen[c.ID] = true
		}
		b, err := nb.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if first != nil && !bytes.Equal(first, b) {
			t.Error("two readings give different notebooks")
		}
		first = b
	}
	if !bytes.Contains(first, []byte(`"nbformat_minor": 5`)) {
		t.Error("not written as 4.5")
	}
}

func TestDecodeErrors(t *testing.T) {
	tests := []struct{ in, want string }{
		{``, "the file is empty"},
		{" \n", "the file is empty"},
		{`{"nbformat": 4, `, "the file is truncated"},
		{"{\n \"nbformat\": 4,\n oops}", "not JSON: line 3: invalid character 'o'"},
		{"{\n<<<<<<< HEAD\n \"nbformat\": 4\n=======\n}", "line 2 is a merge conflict marker"},
		{"{\"nbformat\":4,\n\"cells\":[]}\n}", "trailing data after the notebook, which ends on line 2"},
		{`[]`, "not a notebook's JSON"},
		{"package main", "not JSON: line 1: invalid character 'p'"},
		{`{"nbformat":3}`, "nbconvert"},
		{`{"nbformat":5}`, "nbformat must be 4, got 5"},
		{`{}`, "must have nbformat"},
		{`{"nbformat":4}`, "cells"},
		{`{"nbformat":4,"cells":[3]}`, "cell 1"},
		{`{"nbformat":4,"cells":[{"cell_type":"code","source":3}]}`, "source"},
		{`{"nbformat":4,"cells":[{"cell_type":"heading"}]}`, "heading"},
		{`{"nbformat":4,"cells":[{"cell_type":"code","source":"","outputs":[{"output_type":"x"}]}]}`, "output 1"},
	}
	for _, test := range tests {
		if _, err := Decode([]byte(test.in)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want an error with %q", test.in, err, test.want)
		}
	}
}

func TestWriteReplacesWholly(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.ipynb")
	if err := os.WriteFile(name, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link.ipynb")
	if err := os.Symlink(name, link); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(name); err != nil || string(b) != "new" {
		t.Errorf("got %q, %v", b, err)
	}
	info, err := os.Lstat(link)
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link was replaced: %v, %v", info, err)
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("permissions: got %v, %v, want those of the old file", info, err)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 2 {
		t.Errorf("files: got %v, %v, want no temporary ones", files, err)
	}
	missing := filepath.Join(dir, "missing", "a.ipynb")
	if err := WriteFile(missing, nil); err == nil || !strings.Contains(err.Error(), "can't write "+missing) {
		t.Errorf("a missing directory: got %v, want an error that names the file", err)
	}
}

func FuzzDecode(f *testing.F) {
	b, err := os.ReadFile("testdata/written.ipynb")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Fuzz(func(t *testing.T, in []byte) {
		nb, err := Decode(in)
		if err != nil {
			return
		}
		once, err := nb.Encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := Decode(once)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
		twice, err := again.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(once, twice) {
			t.Errorf("written differently the second time:\n%s\n%s", once, twice)
		}
	})
}
