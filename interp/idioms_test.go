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

// digest declares a function of cells that returns the numbers of its arguments as JSON. Of more
// than 20 numbers, it returns the count, the mean, the mean square and twenty numbers. The script
// testdata/oracles/scikit_idioms.py does the same.
const digest = `func digest(values ...any) string {
	var all []float64
	for _, v := range values {
		switch v := v.(type) {
		case mat.Matrix:
			n, _ := v.Dims()
			for i := range n {
				all = append(all, mat.Row(nil, i, v)...)
			}
		case [][]int:
			for _, row := range v {
				all = append(all, Floats(row)...)
			}
		case []int:
			all = append(all, Floats(v)...)
		case []float64:
			all = append(all, v...)
		case int:
			all = append(all, float64(v))
		case float64:
			all = append(all, v)
		case nil: // no error
		default:
			panic(fmt.Sprintf("%T", v))
		}
	}
	if n := len(all); n > 20 {
		some := []float64{float64(n), stat.Mean(all, nil), floats.Dot(all, all) / float64(n)}
		for k := range 20 {
			some = append(some, all[k*(n/20)])
		}
		all = some
	}
	b, err := json.Marshal(all)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func Floats(v []int) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = float64(x)
	}
	return out
}

wine, sugar := ml.Wine(), ml.Diabetes()`

// TestScikitIdioms runs the expressions of docs/reference/scikit-learn-idioms.md as cells and
// compares their numbers with the numbers of scikit-learn.
func TestScikitIdioms(t *testing.T) {
	b, err := os.ReadFile("../testdata/oracles/scikit_idioms.json")
	if err != nil {
		t.Fatal(err)
	}
	var oracle []struct {
		Idiom, Here string
		Numbers     []float64
	}
	if err := json.Unmarshal(b, &oracle); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../docs/reference/scikit-learn-idioms.md")
	if err != nil {
		t.Fatal(err)
	}
	if rows := strings.Count(string(page), "\n| ") - strings.Count(string(page), "\n| Idiom "); rows != 30 || len(oracle) != rows {
		t.Fatalf("%d rows in the page, %d in the file", rows, len(oracle))
	}
	s := engineCases[0].open(t)
	number := 0
	cell := func(code string) string {
		t.Helper()
		number++
		out := &recorder{}
		res, err := s.Eval(context.Background(), evaluator.Cell{Code: code, Number: number}, out)
		if err != nil {
			t.Fatalf("%s\n%s", code, all(out, res, err))
		}
		out.mu.Lock()
		defer out.mu.Unlock()
		return out.stdout.String()
	}
	cell(digest)
	for _, idiom := range oracle {
		if !strings.Contains(string(page), " `"+idiom.Here+"` |\n") {
			t.Errorf("the page has no expression %s", idiom.Here)
		}
		var got []float64
		if err := json.Unmarshal([]byte(cell("fmt.Print(digest("+idiom.Here+"))")), &got); err != nil {
			t.Fatal(idiom.Here, err)
		}
		if len(got) != len(idiom.Numbers) {
			t.Errorf("%s: %d numbers, want %d", idiom.Here, len(got), len(idiom.Numbers))
			continue
		}
		for i, want := range idiom.Numbers {
			if !(math.Abs(got[i]-want) <= 1e-6*max(1, math.Abs(want))) {
				t.Errorf("%s: number %d is %v, want %v", idiom.Here, i, got[i], want)
			}
		}
	}
}
