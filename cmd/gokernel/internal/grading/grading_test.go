package grading

import (
	"strings"
	"testing"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

func cell(id, src string, flags ...string) *notebook.Cell {
	m := map[string]any{"grade_id": id, "points": 2.0}
	for _, f := range flags {
		m[f] = true
	}
	c := &notebook.Cell{ID: id, Type: notebook.Code, Source: src, Metadata: map[string]any{}}
	if len(flags) > 0 {
		c.Metadata["nbgrader"] = m
	}
	return c
}

func book(cells ...*notebook.Cell) *notebook.Notebook {
	return &notebook.Notebook{Cells: cells, Metadata: map[string]any{}}
}

func sources(nb *notebook.Notebook) string {
	var all []string
	for _, c := range nb.Cells {
		all = append(all, c.Source)
	}
	return strings.Join(all, "\n--\n")
}

func TestRelease(t *testing.T) {
	nb := book(
		cell("a", "func f() int {\n\t// BEGIN SOLUTION\n\treturn 1\n\t// END SOLUTION\n}", "solution"),
		cell("b", "x := 1", "solution"),
		cell("c", "Check(f).Is(1)\n// ### BEGIN HIDDEN TESTS\nCheck(f).Is(1).Hidden()\n// ### END HIDDEN TESTS", "grade", "locked"),
		cell("d", "// BEGIN HIDDEN TESTS\nCheck(f)\n// END HIDDEN TESTS", "grade", "locked"),
	)
	nb.Cells[1].Outputs = []*notebook.Output{{Type: notebook.Stream, Name: "stdout", Text: "the answer"}}
	out, err := Release(nb)
	if err != nil {
		t.Fatal(err)
	}
	want := "func f() int {\n\t// YOUR CODE HERE\n\tpanic(\"not done yet\")\n}\n--\n// YOUR CODE HERE\n--\nCheck(f).Is(1)\n--\n// Hidden checks."
	if got := sources(out); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if len(out.Cells[1].Outputs) > 0 || out.Cells[2].Metadata["editable"] != false {
		t.Error("outputs stay, or checks can be changed")
	}
	if !strings.Contains(nb.Cells[0].Source, "return 1") {
		t.Error("the source itself has changed")
	}
}

func TestCheck(t *testing.T) {
	for _, tt := range []struct {
		want  string
		cells []*notebook.Cell
	}{
		{"no cell is graded", []*notebook.Cell{cell("a", "x")}},
		{"has no grade_id", []*notebook.Cell{cell("", "x", "grade")}},
		{"is that of an earlier cell", []*notebook.Cell{cell("a", "x", "grade"), cell("a", "x", "grade")}},
		{"BEGIN SOLUTION stands without END SOLUTION", []*notebook.Cell{cell("a", "// BEGIN SOLUTION", "solution"), cell("b", "x", "grade")}},
		{"END HIDDEN TESTS stands without", []*notebook.Cell{cell("b", "// END HIDDEN TESTS", "grade")}},
		{"students would see it", []*notebook.Cell{cell("a", "// BEGIN SOLUTION\n// END SOLUTION"), cell("b", "x", "grade")}},
		{"not marked as tests", []*notebook.Cell{cell("a", "// BEGIN HIDDEN TESTS\n// END HIDDEN TESTS", "solution"), cell("b", "x", "grade")}},
	} {
		problems := Check(book(tt.cells...))
		if len(problems) != 1 || !strings.Contains(problems[0].String(), tt.want) {
			t.Errorf("%v, want one with %q", problems, tt.want)
		}
	}
}

// TestAssemble: cells of the lecturer come from the source, also where a submission has
// changed, moved, doubled or deleted them.
func TestAssemble(t *testing.T) {
	source := book(cell("a", "answer a", "solution"), cell("ta", "tests a", "grade"), cell("b", "answer b", "solution"), cell("tb", "tests b", "grade"), cell("data", "data", "locked"))
	submission := book(
		cell("own", "mine"), cell("data", "other data", "locked"), cell("a", "my a", "solution"),
		cell("ta", "12", "grade"), cell("ta", "12", "grade"), cell("b", "my b", "solution"), cell("x", "more"),
	)
	nb, err := Assemble(source, submission)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := sources(nb), "mine\n--\ndata\n--\nmy a\n--\ntests a\n--\nmy b\n--\ntests b\n--\nmore"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestLikeness(t *testing.T) {
	const (
		loop = "func sum(xs []float64) float64 {\n\ts := 0.0\n\tfor i := 0; i < len(xs); i++ {\n\t\ts += xs[i]\n\t}\n\treturn s\n}"
		same = "func total(values []float64) float64 { t := 0.0; for k := 0; k < len(values); k++ { t += values[k] }; return t } // mine"
		rec  = "func sum(xs []float64) float64 {\n\tif len(xs) == 0 {\n\t\treturn 0\n\t}\n\treturn xs[0] + sum(xs[1:])\n}"
	)
	books := []*notebook.Notebook{book(cell("a", loop, "solution")), book(cell("a", same, "solution")), book(cell("a", rec, "solution"))}
	pairs := Likeness([]string{"ada", "bob", "cy"}, books, book())
	if len(pairs) == 0 || pairs[0].A != "ada" || pairs[0].B != "bob" || pairs[0].Alike < 0.9 {
		t.Errorf("renamed code is not found: %v", pairs)
	}
	for _, p := range pairs[1:] {
		if p.Alike > 0.5 {
			t.Errorf("other code is called alike: %v", p)
		}
	}
	if pairs := Likeness([]string{"ada", "bob", "cy"}, books, book(cell("a", loop, "solution"))); len(pairs) > 0 && pairs[0].Alike > 0.5 {
		t.Errorf("what everybody was given counts: %v", pairs)
	}
}
