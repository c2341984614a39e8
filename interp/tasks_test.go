package interp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/interp"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// longest is the maximum number of lines of a task per line of its twin.
const longest = 1.3

// TestTasks runs the notebooks of everyday tasks in testdata/tasks. It compares what their cells
// show with the results of their twins in pandas, which expected.json contains. The end-to-end
// tests compare expected.json with the twins. A cell shows its last line. TestTasks also counts the
// lines of both sides.
func TestTasks(t *testing.T) {
	folders, err := filepath.Glob("../testdata/tasks/*/task.ipynb")
	if err != nil || len(folders) == 0 {
		t.Fatalf("no tasks: %v", err)
	}
	var counts strings.Builder
	for _, file := range folders {
		folder, err := filepath.Abs(filepath.Dir(file))
		if err != nil {
			t.Fatal(err)
		}
		cells, twin := codeOf(t, filepath.Join(folder, "task.ipynb"), "gokernel"), codeOf(t, filepath.Join(folder, "twin.ipynb"), "python3")
		ours, theirs := lines(cells), lines(twin)
		fmt.Fprintf(&counts, "| %s | %d | %d | %.2f |\n", filepath.Base(folder), ours, theirs, float64(ours)/float64(theirs))
		t.Run(filepath.Base(folder), func(t *testing.T) {
			if float64(ours) > longest*float64(theirs) {
				t.Errorf("%d lines where pandas has %d", ours, theirs)
			}
			var want [][]any
			if err := json.Unmarshal([]byte(read(t, filepath.Join(folder, "expected.json"))), &want); err != nil {
				t.Fatal(err)
			}
			t.Chdir(folder)
			runTask(t, engineCases[0].open(t), cells, want)
		})
	}
	t.Logf("lines of the cells and of their twins:\n%s", counts.String())
	if table := read(t, "../testdata/tasks/README.md"); !strings.Contains(table, counts.String()) {
		t.Errorf("the table in testdata/tasks/README.md is not this one:\n%s", counts.String())
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// codeOf returns the code cells of a notebook that has no outputs, for a kernel.
func codeOf(t *testing.T, path, kernel string) []string {
	t.Helper()
	var notebook struct {
		Metadata struct {
			Kernelspec struct{ Name string }
		}
		Cells []struct {
			Type    string `json:"cell_type"`
			Source  []string
			Outputs []any
		}
	}
	if err := json.Unmarshal([]byte(read(t, path)), &notebook); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if name := notebook.Metadata.Kernelspec.Name; name != kernel {
		t.Errorf("%s is for the kernel %q", path, name)
	}
	var cells []string
	for _, c := range notebook.Cells {
		if len(c.Outputs) > 0 {
			t.Errorf("%s has outputs", path)
		}
		if c.Type == "code" {
			cells = append(cells, strings.Join(c.Source, ""))
		}
	}
	return cells
}

// lines counts the lines of the cells, without comments and imports.
func lines(cells []string) int {
	n := 0
	for line := range strings.Lines(strings.Join(cells, "\n")) {
		line = strings.TrimSpace(line)
		skip := line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "//") ||
			strings.HasPrefix(line, "import ") || strings.HasPrefix(line, "from ")
		if !skip {
			n++
		}
	}
	return n
}

// recording is a cell that declares record. The function record prints values in full: for a frame
// or a column, the names and values, as run.py beside the twins writes them.
const recording = `
func record(values ...any) {
	var out []any
	for _, v := range values {
		switch v := v.(type) {
		case *ml.Frame:
			out = append(out, columns(v.Columns()...))
		case *ml.FrameColumn:
			out = append(out, columns(v))
		default:
			out = append(out, v)
		}
	}
	text, err := json.Marshal(out)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(text))
}

func columns(cols ...*ml.FrameColumn) (out []any) {
	for _, c := range cols {
		values := make([]any, c.Len())
		for i := range values {
			if c.IsMissing(i) {
				continue
			}
			values[i] = c.At(i)
			if at, ok := values[i].(time.Time); ok {
				values[i] = at.UTC().Format("2006-01-02T15:04:05Z")
			}
		}
		out = append(out, []any{c.Name(), values})
	}
	return out
}`

func runTask(t *testing.T, s *interp.Session, cells []string, want [][]any) {
	number := 0
	eval := func(code string) (text string, shows bool) {
		number++
		out := &recorder{}
		res, err := s.Eval(context.Background(), evaluator.Cell{Code: code, Number: number}, out)
		if failed := (*evaluator.Error)(nil); errors.As(err, &failed) {
			t.Fatalf("%s\n%s", code, plain(strings.Join(failed.Traceback, "\n")))
		}
		out.mu.Lock()
		defer out.mu.Unlock()
		return out.stdout.String(), res.Value != nil
	}
	eval(recording)
	for _, cell := range cells {
		cell = strings.TrimSpace(cell)
		if _, shows := eval(cell); !shows {
			continue
		}
		last := cell[strings.LastIndexByte(cell, '\n')+1:]
		if strings.HasPrefix(cell, "%%sql") {
			head, _, _ := strings.Cut(cell, "\n")
			last = strings.Fields(head)[1]
		}
		text, _ := eval("record(" + last + ")")
		var got []any
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatalf("%s: %v in %q", last, err, text)
		}
		if len(want) == 0 {
			t.Fatalf("%s: the twin shows nothing more", last)
		}
		if err := same(got, want[0]); err != nil {
			t.Errorf("%s\nis not what pandas has: %v", cell, err)
		}
		want = want[1:]
	}
	if len(want) > 0 {
		t.Errorf("the twin shows %d values more", len(want))
	}
}

// same compares what two cells show, with numbers to nine digits.
func same(got, want any) error {
	if a, ok := want.([]any); ok {
		b, ok := got.([]any)
		if !ok || len(a) != len(b) {
			return fmt.Errorf("got %v, want %v", got, want)
		}
		for i := range a {
			if err := same(b[i], a[i]); err != nil {
				if name, ok := a[0].(string); ok && i > 0 {
					return fmt.Errorf("column %s: %w", name, err)
				}
				return fmt.Errorf("%s: %w", strconv.Itoa(i), err)
			}
		}
		return nil
	}
	if w, ok := want.(float64); ok {
		if g, ok := got.(float64); ok && math.Abs(g-w) <= 1e-9*max(1, math.Abs(w)) {
			return nil
		}
	} else if got == want {
		return nil
	}
	return fmt.Errorf("got %v, want %v", got, want)
}
