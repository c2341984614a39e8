package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/gokernel/gokernel/interp/engine"
)

// notebooksKind is the kind of the notebooks below a directory.
const notebooksKind = "notebooks"

// compareNotebooks runs each notebook twice with the JIT off, once with it on and once forced.
// Outputs that differ between the first two runs, such as times, are not compared.
func compareNotebooks(o options) (t tally, err error) {
	files, err := filepath.Glob(filepath.Join(o.notebooks, "*.ipynb"))
	if err != nil {
		return t, err
	}
	more, err := filepath.Glob(filepath.Join(o.notebooks, "homework", "*.ipynb"))
	if err != nil {
		return t, err
	}
	if files = append(files, more...); len(files) == 0 {
		return t, fmt.Errorf("there are no notebooks in %s", o.notebooks)
	}
	for _, file := range files {
		want, err := shownBy(o.program, file, engine.JITOff)
		if err != nil {
			return t, err
		}
		again, err := shownBy(o.program, file, engine.JITOff)
		if err != nil {
			return t, err
		}
		t.programs++
		for _, mode := range []engine.JITMode{engine.JITOn, engine.JITForce} {
			got, err := shownBy(o.program, file, mode)
			t.runs++
			if err != nil {
				t.differences = append(t.differences, fmt.Sprintf("%s, %v: %v", file, mode, err))
				continue
			}
			for i := range min(len(want), len(got), len(again)) {
				if want[i] == again[i] && got[i] != want[i] {
					t.differences = append(t.differences, fmt.Sprintf("%s, %v, cell %d: %s", file, mode, i+1, difference(got[i], want[i], nil)))
				}
			}
			if len(got) != len(want) {
				t.differences = append(t.differences, fmt.Sprintf("%s, %v: %d cells, want %d", file, mode, len(got), len(want)))
			}
		}
	}
	return t, nil
}

// shownBy runs a notebook and returns the outputs of each cell.
func shownBy(program, file string, mode engine.JITMode) ([]string, error) {
	dir, err := os.MkdirTemp("", "evidence")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "out.ipynb")
	cmd := exec.Command(program, "run", file, "-o", out, "--allow-errors")
	cmd.Env = append(os.Environ(), engine.JITVariable+"="+mode.String())
	if b, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w: %s", file, err, b)
	}
	b, err := os.ReadFile(out)
	if err != nil {
		return nil, err
	}
	var nb struct {
		Cells []struct {
			Outputs []map[string]any `json:"outputs"`
		} `json:"cells"`
	}
	if err := json.Unmarshal(b, &nb); err != nil {
		return nil, err
	}
	var cells []string
	for _, c := range nb.Cells {
		var parts []string
		for _, o := range c.Outputs {
			b, err := json.MarshalIndent(o, "", " ") // with sorted keys
			if err != nil {
				return nil, err
			}
			parts = append(parts, ids.ReplaceAllString(string(b), "id"))
		}
		cells = append(cells, strings.Join(parts, "\n"))
	}
	return cells, nil
}

// ids matches identifiers that differ in each run.
var ids = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32}`)
