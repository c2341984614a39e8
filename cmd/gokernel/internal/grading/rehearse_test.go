package grading

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

// TestRehearse generates submissions and compares each answer with the source: it is the solution,
// the student version, or differs from the solution in one operator. Nothing secret remains.
func TestRehearse(t *testing.T) {
	source, err := notebook.Read("../../../../notebooks/homework/neural-networks.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	student, err := Release(source)
	if err != nil {
		t.Fatal(err)
	}
	var all Rehearsed
	for i := range 40 {
		name := fmt.Sprint("student ", i)
		nb, n, err := Rehearse(source, name, 1)
		if err != nil {
			t.Fatal(err)
		}
		again, _, _ := Rehearse(source, strings.ToUpper(name), 1)
		var counted Rehearsed
		for k, c := range nb.Cells {
			if c.Source != again.Cells[k].Source {
				t.Errorf("cell %s differs in the second run", c.ID)
			}
			if HasMarks(c.Source) || strings.Contains(c.Source, "Rubric:") {
				t.Errorf("cell %s has marks or a rubric:\n%s", c.ID, c.Source)
			}
			m := markOf(source.Cells[k])
			if m.role != answer && m.role != manual {
				if c.Source != student.Cells[k].Source {
					t.Errorf("cell %s is not an answer, but was changed", c.ID)
				}
				continue
			}
			solution := withoutRubric(withoutMarks(source.Cells[k]).Source)
			switch {
			case c.Source == solution:
				counted.Right++
			case c.Source == student.Cells[k].Source:
				counted.Missing++
			case differs(c.Source, solution) <= 2:
				counted.Changed++
			default:
				t.Errorf("cell %s is\n%s\nfrom the solution\n%s", c.ID, c.Source, solution)
			}
		}
		if counted != n {
			t.Errorf("%s: %+v is reported, and %+v is there", name, n, counted)
		}
		all.Add(n)
	}
	if all.Right == 0 || all.Changed == 0 || all.Missing == 0 {
		t.Errorf("a kind of answer is missing: %+v", all)
	}
	other, _, _ := Rehearse(source, "student 0", 2)
	first, _, _ := Rehearse(source, "student 0", 1)
	if fmt.Sprint(texts(other)) == fmt.Sprint(texts(first)) {
		t.Error("another seed results in the same submission")
	}
}

func texts(nb *notebook.Notebook) (list []string) {
	for _, c := range nb.Cells {
		list = append(list, c.Source)
	}
	return list
}

// differs returns the length of the text that two texts don't share at the beginning and the end.
func differs(a, b string) int {
	start := 0
	for start < min(len(a), len(b)) && a[start] == b[start] {
		start++
	}
	end := 0
	for end < min(len(a), len(b))-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	return max(len(a), len(b)) - start - end
}

func TestChangeOperator(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"func f(x int) int {\n\treturn 2 + x\n}", "func f(x int) int {\n\treturn 2 - x\n}"},
		{"y := x <= 3", "y := x < 3"},
		{`s := "a" + t`, ""},
		{"func f( {", ""},
		{"x := 1", ""},
	} {
		src := c.src
		changed := changeOperator(&src, rand.New(rand.NewPCG(1, 1)))
		if want := c.want != ""; changed != want || changed && src != c.want {
			t.Errorf("%q becomes %q, %v", c.src, src, changed)
		}
	}
}
