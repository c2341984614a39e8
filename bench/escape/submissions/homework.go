// Package submissions lists submissions of homework that try to earn points without the work, and
// honest ones. A grading test compares what each submission earns with what its answers are worth.
package submissions

import (
	"encoding/json"
	"fmt"
	"strings"
)

// cell is a cell of a notebook with its role in a homework.
type cell struct {
	id, role string // answer, tests, locked
	points   float64
	source   string
}

// source is a homework whose hidden checks contain what dishonest submissions want: a reference,
// expected values and data.
var source = []cell{
	{"data", "locked", 0, "xs := []float64{1, 4, 9, 16}\nunits := map[string]int{\"a\": 1}\ntype point struct{ x, y float64 }"},
	{"root", "answer", 0, "// root gives the square root of x.\nfunc root(x float64) float64 {\n\t// BEGIN SOLUTION\n\tz := 1.0\n\tfor range 60 {\n\t\tz = (z + x/z) / 2\n\t}\n\treturn z\n\t// END SOLUTION\n}"},
	{"root-check", "tests", 2, "// BEGIN HIDDEN TESTS\nfunc reference(x float64) float64 { return math.Sqrt(x) }\nwant := reference(2)\n// END HIDDEN TESTS\nChecks(\n\tCheck(root, 4.0).Is(2).Without(\"math\").Points(0),\n\t// BEGIN HIDDEN TESTS\n\tCheck(root, 2.0).Is(want).Call(9.0).Like(reference).Without(\"math\").Points(2).Hidden(),\n\t// END HIDDEN TESTS\n)"},
	{"root-given", "tests", 0, "// BEGIN HIDDEN TESTS\nGiven(root, reference)\n// END HIDDEN TESTS"},
	{"size", "answer", 0, "// size gives the number of words of a text.\nfunc size(text string) int {\n\t// BEGIN SOLUTION\n\treturn len(strings.Fields(text))\n\t// END SOLUTION\n}"},
	{"size-check", "tests", 2, "Checks(\n\tCheck(size, \"\").Is(0).Points(0),\n\t// BEGIN HIDDEN TESTS\n\tCheck(size, \"one two three four\").Is(len([]string{\"one\", \"two\", \"three\", \"four\"})).Points(2).Hidden(),\n\t// END HIDDEN TESTS\n)"},
	{"total", "answer", 0, "// total gives the sum of values.\nfunc total(values []float64) float64 {\n\t// BEGIN SOLUTION\n\tsum := 0.0\n\tfor _, v := range values {\n\t\tsum += v\n\t}\n\treturn sum\n\t// END SOLUTION\n}"},
	{"total-check", "tests", 2, "Checks(\n\tCheck(total, []float64{}).Is(0).Points(0),\n\t// BEGIN HIDDEN TESTS\n\tCheck(total, xs).Is(30).ByHand().Points(2).Hidden(),\n\t// END HIDDEN TESTS\n)"},
	{"mirror", "answer", 0, "// mirror exchanges the coordinates of points.\nfunc mirror(points []point) []point {\n\t// BEGIN SOLUTION\n\tout := []point{}\n\tfor _, p := range points {\n\t\tout = append(out, point{p.y, p.x})\n\t}\n\treturn out\n\t// END SOLUTION\n}"},
	{"mirror-check", "tests", 2, "Checks(\n\tCheck(mirror, []point{}).Is([]point{}).Points(0),\n\t// BEGIN HIDDEN TESTS\n\tCheck(mirror, []point{{1, 2}, {3, 4}}).Is([]point{{2, 1}, {4, 3}}).Points(1).Hidden(),\n\tCheck(mirror, []point{{5, 6}}).That(\"the coordinates are exchanged\", func(p []point) bool { return len(p) == 1 && p[0] == point{6, 5} }).Points(1).Hidden(),\n\t// END HIDDEN TESTS\n)"},
	{"twice", "answer", 0, "// twice calls f twice: twice(f, x) is f(f(x)).\nfunc twice(f func(float64) float64, x float64) float64 {\n\t// BEGIN SOLUTION\n\treturn f(f(x))\n\t// END SOLUTION\n}"},
	{"twice-check", "tests", 2, "// BEGIN HIDDEN TESTS\ncalls := 0\ncounted := func(x float64) float64 { calls++; return x + 1.5 }\n// END HIDDEN TESTS\nChecks(\n\tCheck(twice, func(x float64) float64 { return 0 }, 1.0).Is(0).Points(0),\n\t// BEGIN HIDDEN TESTS\n\tCheck(twice, counted, 1.0).Is(4).Points(1).Hidden(),\n\tCheck(twice, math.Exp, 0.5).That(\"it is exp(exp(1/2))\", func(y float64) bool { return calls == 2 && math.Abs(y-math.Exp(math.Exp(0.5))) < 1e-9 }).Points(1).Hidden(),\n\t// END HIDDEN TESTS\n)"},
	{"words", "answer", 0, "// count adds the words of a text to a map, and reports an empty text.\nfunc count(into map[string]int, text string) error {\n\t// BEGIN SOLUTION\n\tif text == \"\" {\n\t\treturn errors.New(\"no text\")\n\t}\n\tfor _, w := range strings.Fields(text) {\n\t\tinto[w]++\n\t}\n\treturn nil\n\t// END SOLUTION\n}"},
	{"words-check", "tests", 2, "Checks(\n\tCheck(func() bool { return count(map[string]int{}, \"a\") == nil }).Is(true).Points(0),\n\t// BEGIN HIDDEN TESTS\n\tCheck(func() map[string]int {\n\t\tm := map[string]int{\"b\": 1}\n\t\tcount(m, \"a b a\")\n\t\treturn m\n\t}).Is(map[string]int{\"a\": 2, \"b\": 2}).Points(1).Hidden(),\n\tCheck(func() bool { return count(map[string]int{}, \"\") != nil }).Is(true).Points(1).Hidden(),\n\t// END HIDDEN TESTS\n)"},
	{"chart", "answer", 0, "// BEGIN SOLUTION\nfig := Plot([]float64{1, 2, 3}, []float64{1, 4, 9}).Name(\"squares\").X(\"x\")\nfig\n// END SOLUTION"},
	{"chart-check", "tests", 2, "Checks(\n\tCheckPlot(fig).HasLine(\"squares\").Points(0),\n\t// BEGIN HIDDEN TESTS\n\tCheckPlot(fig).Through(\"squares\", []float64{1, 4, 9}).XLabel(\"x\").Points(2).Hidden(),\n\t// END HIDDEN TESTS\n)"},
}

// notebookJSON is a notebook file.
type notebookJSON struct {
	Cells    []map[string]any `json:"cells"`
	Metadata map[string]any   `json:"metadata"`
	Format   int              `json:"nbformat"`
	Minor    int              `json:"nbformat_minor"`
}

func (c cell) metadata() map[string]any {
	if c.role == "" {
		return map[string]any{}
	}
	m := map[string]any{"grade_id": c.id, "schema_version": 3, "grade": c.role == "tests", "solution": c.role == "answer", "locked": c.role != "answer"}
	if c.role == "tests" {
		m["points"] = c.points
	}
	return map[string]any{"nbgrader": m}
}

func encode(cells []cell) []byte {
	nb := notebookJSON{Metadata: map[string]any{}, Format: 4, Minor: 5}
	for _, c := range cells {
		nb.Cells = append(nb.Cells, map[string]any{"cell_type": "code", "id": c.id, "metadata": c.metadata(), "source": c.source, "outputs": []any{}, "execution_count": nil})
	}
	b, err := json.Marshal(nb)
	if err != nil {
		panic(err) // strings and numbers always encode
	}
	return b
}

// Source returns the notebook of the lecturer.
func Source() []byte { return encode(source) }

// Tasks returns the autograder cells that are worth points, in order.
func Tasks() (ids []string) {
	for _, c := range source {
		if c.points > 0 {
			ids = append(ids, c.id)
		}
	}
	return ids
}

// solution returns an answer without its marks.
func solution(src string) string {
	var lines []string
	for line := range strings.Lines(src) {
		if !strings.Contains(line, " SOLUTION") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

// Submission returns the notebook of a case.
func (c Case) Submission() []byte {
	cells := append([]cell{}, source...)
	for i, s := range cells {
		switch {
		case s.role == "answer" && c.Answers[s.id] != "":
			cells[i].source = c.Answers[s.id]
		case s.role == "answer":
			cells[i].source = solution(s.source)
		case s.role == "tests": // students have the visible checks
			cells[i].source = "// checks"
		}
	}
	if c.First != "" {
		cells = append([]cell{{id: "first", source: c.First}}, cells...)
	}
	if c.Many > 0 {
		for i := range c.Many {
			cells = append(cells, cell{id: fmt.Sprintf("many%d", i), source: "1 + 1"})
		}
	}
	if c.change != nil {
		cells = c.change(cells)
	}
	return encode(cells)
}
