package interp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/kernel/evaluator"
)

// idioms is what testdata/oracles/idioms.py writes: the data and, for each statement of
// docs/reference/pandas-idioms.md, the columns that pandas computed.
type idioms struct {
	Data   map[string]string `json:"data"`
	Idioms []struct {
		Idiom   string  `json:"idiom"`
		Here    string  `json:"here"`
		Columns [][]any `json:"columns"`
	} `json:"idioms"`
}

// toJSON is a function of cells that writes a frame or a column as JSON lines, with names by
// position.
const toJSON = `func toJSON(path string, v any) error {
	f, ok := v.(*ml.Frame)
	if !ok {
		f = &ml.Frame{}
		f.Set("value", v)
	}
	for i, name := range f.Names() {
		f = f.Rename(name, fmt.Sprint("column ", i))
	}
	return ml.Write(path, f)
}`

// TestPandasIdioms runs the statements of docs/reference/pandas-idioms.md as cells and compares
// their values with those of pandas.
func TestPandasIdioms(t *testing.T) {
	b, err := os.ReadFile("../testdata/oracles/idioms.json")
	if err != nil {
		t.Fatal(err)
	}
	var oracle idioms
	if err := json.Unmarshal(b, &oracle); err != nil {
		t.Fatal(err)
	}
	if len(oracle.Idioms) != 40 || len(oracle.Data) != 3 {
		t.Fatalf("%d statements, %d frames", len(oracle.Idioms), len(oracle.Data))
	}
	page, err := os.ReadFile("../docs/reference/pandas-idioms.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	s := engineCases[0].open(t)
	number := 0
	cell := func(code string) {
		t.Helper()
		number++
		out := &recorder{}
		res, err := s.Eval(context.Background(), evaluator.Cell{Code: code, Number: number}, out)
		if err != nil {
			t.Fatalf("%s\n%s", code, all(out, res, err))
		}
	}
	cell(toJSON)
	for k, idiom := range oracle.Idioms {
		if !strings.Contains(string(page), idiom.Here+"` |\n") && !strings.Contains(string(page), idiom.Here+"`` |\n") {
			t.Errorf("the page has no statement %s", idiom.Here)
		}
		for name, text := range oracle.Data {
			cell(fmt.Sprintf("%s := ml.ReadText(%q)", name, text))
		}
		path := filepath.Join(dir, fmt.Sprint(k, ".jsonl"))
		if strings.Contains(idiom.Here, "] = ") || strings.Contains(idiom.Here, ".Set(") {
			cell(idiom.Here)
			cell(fmt.Sprintf("toJSON(%q, trips)", path))
		} else {
			cell(fmt.Sprintf("toJSON(%q, %s)", path, idiom.Here))
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		compareColumns(t, idiom.Here, text, idiom.Columns)
	}
}

// compareColumns compares JSON lines with columns of pandas.
func compareColumns(t *testing.T, what string, lines []byte, want [][]any) {
	t.Helper()
	rows := strings.Split(strings.TrimSuffix(string(lines), "\n"), "\n")
	if len(rows) != len(want[0]) {
		t.Errorf("%s: %d rows, want %d", what, len(rows), len(want[0]))
		return
	}
	for i, line := range rows {
		var row map[string]any
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		if len(row) != len(want) {
			t.Errorf("%s: %d columns, want %d", what, len(row), len(want))
			return
		}
		for j := range want {
			got, value := row[fmt.Sprint("column ", j)], want[j][i]
			x, number := got.(float64)
			y, too := value.(float64)
			if got != value && !(number && too && math.Abs(x-y) <= 1e-9*max(1, math.Abs(y))) && !sameMoment(got, value) {
				t.Errorf("%s: row %d, column %d: %v, want %v", what, i, j, got, value)
				return
			}
		}
	}
}

// sameMoment reports whether both are texts of the same time.
func sameMoment(a, b any) bool {
	x, errX := time.Parse(time.RFC3339Nano, fmt.Sprint(a))
	y, errY := time.Parse(time.RFC3339Nano, fmt.Sprint(b))
	return errX == nil && errY == nil && x.Equal(y)
}
