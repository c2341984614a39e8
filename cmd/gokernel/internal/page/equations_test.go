package page

import (
	"slices"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

func TestEquations(t *testing.T) {
	cell := func(id, source string) *notebook.Cell {
		return &notebook.Cell{ID: id, Type: notebook.Markdown, Source: source}
	}
	nb := &notebook.Notebook{Cells: []*notebook.Cell{
		cell("a", "By \\eqref{eq:later} and `\\label{code}`:\n\n$$a = b \\label{eq:first}$$\n\n```\n\\label{code}\n```"),
		cell("b", "\\begin{align}\nx &= 1 \\label{one} \\\\\ny &= 2 \\\\\nz &= 3 \\label{three}\n\\end{align}"),
		cell("c", "$$\nu \\tag{*}\\label{star}\n$$\n\n$$ v \\label{seven} \\tag{7} $$\n\n$$w\\label{eq:later}$$"),
		cell("d", "See \\ref{one}, $\\eqref{three}$, \\eqref{star}, $x \\overset{\\eqref{seven}}{=} y$ and \\eqref{eq:gone}."),
		cell("e", "$$x\\label{one}$$"),
	}}
	numbers, faults := Equations(nb)
	for label, want := range map[string]string{"eq:first": "1", "one": "2", "three": "3", "star": "*", "seven": "7", "eq:later": "8"} {
		if numbers[label] != want {
			t.Errorf("%s has the number %q, want %q", label, numbers[label], want)
		}
	}
	if len(numbers) != 6 {
		t.Errorf("numbers are %v", numbers)
	}
	want := []EquationFault{{"e", "two formulas have the label one"}, {"d", "no formula has the label eq:gone"}}
	if !slices.Equal(faults, want) {
		t.Errorf("faults are %q, want %q", faults, want)
	}
	var shown []string
	for _, c := range Convert(nb, "n.ipynb", Options{}).Cells {
		shown = append(shown, string(c.Source))
	}
	for i, wants := range [][]string{
		{`By <a href="#eq-later">(8)</a> and <code>\label{code}</code>`, `<span id="eq-first"></span><span class="math display">a = b \tag{1}</span>`},
		{`<span id="eq-one"></span><span id="eq-three"></span>`, `\begin{align*}`, `x &amp;= 1 \tag{2} \\`, `y &amp;= 2 \\`, `z &amp;= 3 \tag{3}`, `\end{align*}`},
		{`u \tag{*}</span>`, `v \tag{7}</span>`, `w\tag{8}</span>`},
		{`See <a href="#eq-one">2</a>, <a href="#eq-three">(3)</a>, <a href="#eq-star">(*)</a>, `, `\overset{\text{(7)}}{=}`, `and (?).`},
	} {
		for _, want := range wants {
			if !strings.Contains(shown[i], want) {
				t.Errorf("cell %d lacks %s:\n%s", i, want, shown[i])
			}
		}
	}
}
