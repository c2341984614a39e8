package difference

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

func cell(id, source string) *notebook.Cell {
	return &notebook.Cell{ID: id, Type: notebook.Code, Source: source, Metadata: map[string]any{}}
}

func told(a, b []*notebook.Cell, opt Options) string {
	var s strings.Builder
	for _, c := range Notebooks(&notebook.Notebook{Cells: a}, &notebook.Notebook{Cells: b}, opt) {
		s.WriteString(c.About + "\n" + strings.Join(append(c.Lines, ""), "\n"))
	}
	return s.String()
}

func TestNotebooks(t *testing.T) {
	shows := func(c *notebook.Cell, data map[string]any) *notebook.Cell {
		c.Count, c.Outputs = 1, []*notebook.Output{{Type: notebook.ExecuteResult, Data: data}}
		return c
	}
	meta := cell("a", "1")
	meta.Metadata["tags"] = []any{"check"}
	for name, test := range map[string]struct {
		a, b []*notebook.Cell
		opt  Options
		want string
	}{
		"same":    {[]*notebook.Cell{cell("a", "1")}, []*notebook.Cell{cell("a", "1")}, Options{}, ""},
		"source":  {[]*notebook.Cell{cell("a", "x\ny\nz\n")}, []*notebook.Cell{cell("a", "x\nY\nz\n")}, Options{}, "cell a (code): source\n x\n-y\n+Y\n z\n"},
		"added":   {[]*notebook.Cell{cell("a", "1")}, []*notebook.Cell{cell("b", "2\n3"), cell("a", "1")}, Options{}, "cell b (code): added\n+2\n+3\n"},
		"removed": {[]*notebook.Cell{cell("a", "1"), cell("b", "2"), cell("c", "3")}, []*notebook.Cell{cell("a", "1"), cell("c", "3")}, Options{}, "cell b (code): removed\n-2\n"},
		"moved":   {[]*notebook.Cell{cell("a", "1"), cell("b", "2"), cell("c", "3")}, []*notebook.Cell{cell("b", "2"), cell("c", "3"), cell("a", "1")}, Options{}, "cell a (code): moved behind c\n"},
		"to the beginning": {[]*notebook.Cell{cell("a", "1"), cell("b", "2"), cell("c", "3")}, []*notebook.Cell{cell("c", "3"), cell("a", "1"), cell("b", "2")}, Options{},
			"cell c (code): moved to the beginning\n"},
		"renamed":  {[]*notebook.Cell{cell("a", "one")}, []*notebook.Cell{cell("b", "one")}, Options{}, "cell b (code): was named a\n"},
		"alike":    {[]*notebook.Cell{cell("a", "1\n2\n3")}, []*notebook.Cell{cell("b", "1\n2\n4")}, Options{}, "cell b (code): was named a\ncell b (code): source\n 1\n 2\n-3\n+4\n"},
		"other":    {[]*notebook.Cell{cell("a", "1\n2")}, []*notebook.Cell{cell("b", "3\n4")}, Options{}, "cell b (code): added\n+3\n+4\ncell a (code): removed\n-1\n-2\n"},
		"metadata": {[]*notebook.Cell{cell("a", "1")}, []*notebook.Cell{meta}, Options{}, "cell a (code): metadata\n+{\n+ \"tags\": [\n+  \"check\"\n+ ]\n+}\n"},
		"outputs": {[]*notebook.Cell{shows(cell("a", "1"), map[string]any{"text/plain": "3", "image/png": "AAAA"})}, []*notebook.Cell{shows(cell("a", "1"), map[string]any{"text/plain": "4", "image/png": "AAAB"})}, Options{},
			"cell a (code): outputs\n-[image/png] 4 bytes, sum 0ff323f9\n+[image/png] 4 bytes, sum 0cf31f40\n [text/plain]\n-3\n+4\n"},
		"sources": {[]*notebook.Cell{shows(cell("a", "1"), map[string]any{"text/plain": "3"})}, []*notebook.Cell{cell("a", "1")}, Options{Sources: true}, ""},
		"cleared": {[]*notebook.Cell{shows(cell("a", "1"), map[string]any{"text/plain": "3"})}, []*notebook.Cell{cell("a", "1")}, Options{}, "cell a (code): execution count none, was 1\ncell a (code): outputs\n-[text/plain]\n-3\n"},
	} {
		if got := told(test.a, test.b, test.opt); got != test.want {
			t.Errorf("%s:\n got %q\nwant %q", name, got, test.want)
		}
	}
}

// TestLines applies the signs from one text to the other, for random texts.
func TestLines(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		draw := func() []string {
			list := make([]string, rng.IntN(12))
			for i := range list {
				list[i] = string(rune('a' + rng.IntN(4)))
			}
			return list
		}
		a, b := draw(), draw()
		var x, y []string
		equal := 0
		for _, l := range middle(a, b) {
			if l[0] != '+' {
				x = append(x, l[1:])
			}
			if l[0] != '-' {
				y = append(y, l[1:])
			}
			if l[0] == ' ' {
				equal++
			}
		}
		if !slices.Equal(a, x) && len(a)+len(x) > 0 || !slices.Equal(b, y) && len(b)+len(y) > 0 {
			t.Fatalf("%q to %q: the signs lead from %q to %q", a, b, x, y)
		}
		if (Lines(a, b) == nil) != slices.Equal(a, b) {
			t.Fatalf("%q to %q: %q", a, b, Lines(a, b))
		}
		if slices.Equal(a, b) && equal != len(a) {
			t.Fatalf("%q: %d lines are equal", a, equal)
		}
	}
	long := strings.Split(strings.Repeat("x", 30), "")
	if got := Lines(long, append(slices.Clone(long), "y")); !slices.Equal(got, []string{" x", " x", "+y"}) {
		t.Errorf("got %q", got)
	}
}
