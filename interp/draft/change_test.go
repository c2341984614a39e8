package draft_test

import (
	"strings"
	"testing"

	"github.com/gokernel/gokernel/interp/draft"
)

func cells(texts ...string) (list []draft.Cell) {
	for i, text := range texts {
		list = append(list, draft.Cell{ID: string(rune('1' + i)), Text: text})
	}
	return list
}

// errorsOf returns the messages about a cell.
func errorsOf(n *draft.Notebook, id string) string {
	var list []string
	for _, f := range n.Findings()[id] {
		list = append(list, f.Message)
	}
	return strings.Join(list, "; ")
}

func completes(n *draft.Notebook, id string, offset int, want string) bool {
	for _, m := range n.Complete(id, offset).Matches {
		if m.Text == want {
			return true
		}
	}
	return false
}

// TestChanges changes cells; each finding must be that of a notebook opened with the new text.
func TestChanges(t *testing.T) {
	n := open("x := 1", "m := ml.Fit(&ml.DecisionTree{}, ml.Iris())", "fmt.Println(m)\nx")
	check := func(what string, want ...string) {
		t.Helper()
		for i, w := range want {
			if got := errorsOf(n, string(rune('1'+i))); got != w && (w == "" || !strings.Contains(got, w)) {
				t.Errorf("%s: cell %d has the errors %q, want %q", what, i+1, got, w)
			}
		}
	}
	check("as opened", "", "", "")
	n.Set(cells("x := 1\nml.Dec", "m := ml.Fit(&ml.DecisionTree{}, ml.Iris())", "fmt.Println(m)\nx"))
	check("an error above", "undefined: ml.Dec", "", "")
	n.Set(cells("x := 1", "m := ml.Fit(&ml.DecisionTree{}, ml.Iris())", "fmt.Println(m)\nx\nm.Pre"))
	if !completes(n, "3", len("fmt.Println(m)\nx\nm.Pre"), "Predict") {
		t.Error("m.Pre does not complete to Predict")
	}
	n.Set(cells("x := `", "m := ml.Fit(&ml.DecisionTree{}, ml.Iris())", "fmt.Println(m)\nx"))
	check("text that can't be parsed keeps its names", "not terminated", "", "")
	n.Set(cells("y := 1", "m := ml.Fit(&ml.DecisionTree{}, ml.Iris())", "fmt.Println(m)\nx"))
	check("another name", "", "", "undefined: x")
	n.Set(cells("x := \"a\"", "m := x", "m + 1\nx"))
	check("another type", "", "", "mismatched types")
	n.Set(append(cells("x := 1.5", "m := x"), draft.Cell{ID: "9", Text: "m := 2"}, draft.Cell{ID: "3", Text: "m % 2"}))
	if got := errorsOf(n, "3"); got != "" {
		t.Errorf("after a cell was added: %q", got)
	}
	n.Set(cells("x := 1.5", "m := x", "m % 2"))
	check("a cell is gone", "", "", "operator %")
	n.Set([]draft.Cell{{ID: "2", Text: "m := x"}, {ID: "1", Text: "x := 1.5"}})
	if got := errorsOf(n, "2"); !strings.Contains(got, "undefined: x") {
		t.Errorf("after the cells changed places: %q", got)
	}
	// A method of a type of an earlier cell goes with its cell.
	n.Set(cells("type T struct{ A int }", "func (t T) Twice() int { return 2 * t.A }", "T{A: 1}.Twice()"))
	check("a method in another cell", "", "", "")
	n.Set(cells("type T struct{ A int }", "1", "T{A: 1}.Twice()"))
	check("without the method", "", "", "Twice")
}
