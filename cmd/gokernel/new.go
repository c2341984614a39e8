package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/spf13/cobra"
)

func newNew() *cobra.Command {
	var title string
	cmd := &cobra.Command{
		Use:   "new lecture|homework NOTEBOOK",
		Short: "Create a lecture or a homework from a template",
		Long: `Create a notebook as a starting point. A lecture has the same sections as the lectures of
the course. A homework has a task with its solution, visible and hidden checks, a cell that
replaces the answer with a reference solution for later tasks, and a question that is graded
by hand. Both kinds of notebook run without changes.`,
		Example: `  gokernel new homework source/homework1.ipynb --title "Trees by hand"
  gokernel new lecture notebooks/N25-transformers.ipynb`,
		Args: cobra.ExactArgs(2),
		ValidArgsFunction: func(cmd *cobra.Command, args []string, toComplete string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return notebooks(cmd, args, toComplete)
			}
			return slices.Sorted(maps.Keys(templates)), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			cells, ok := templates[args[0]]
			if !ok {
				return fmt.Errorf("new: the kind must be lecture or homework, got %q", args[0])
			}
			name := args[1]
			if filepath.Ext(name) != ".ipynb" {
				name += ".ipynb"
			}
			if _, err := os.Lstat(name); err == nil {
				return fmt.Errorf("new: %s exists already", name)
			}
			if title == "" {
				title = strings.TrimSuffix(filepath.Base(name), ".ipynb")
			}
			nb := &notebook.Notebook{Metadata: map[string]any{}}
			for _, c := range cells {
				nb.Cells = append(nb.Cells, c.cell(title))
			}
			describe(nb)
			return write(cmd.ErrOrStderr(), name, nb.Encode)
		},
	}
	cmd.Flags().StringVar(&title, "title", "", "the `title` of the notebook (default: its name)")
	return cmd
}

// templateCell is a cell of a new notebook.
type templateCell struct {
	id, source string
	code       bool
	// These fields are the role of the cell in a homework.
	grade, solution, locked bool
	points                  float64
}

func (t templateCell) cell(title string) *notebook.Cell {
	c := &notebook.Cell{ID: t.id, Type: notebook.Markdown, Source: strings.ReplaceAll(t.source, "TITLE", title), Metadata: map[string]any{}}
	if t.code {
		c.Type = notebook.Code
	}
	if t.grade || t.solution || t.locked {
		m := map[string]any{"schema_version": 3, "grade_id": t.id, "grade": t.grade, "solution": t.solution, "locked": t.locked, "task": false}
		if t.grade {
			m["points"] = t.points
		}
		c.Metadata["nbgrader"] = m
	}
	return c
}

var templates = map[string][]templateCell{
	"homework": {
		{id: "title", source: "# TITLE\n\nThis homework is about ... (two sentences). Three points, one of them for words."},
		{id: "task1-text", source: "## 1. The mean (2 points)\n\nWrite `mean`, the sum of the values divided by their number. The mean of no values is NaN."},
		{id: "task1", code: true, solution: true, source: `// mean returns the mean of xs, and NaN if xs is empty.
func mean(xs []float64) float64 {
	// BEGIN SOLUTION
	s := 0.0
	for _, x := range xs {
		s += x
	}
	return s / float64(len(xs))
	// END SOLUTION
}`},
		{id: "task1-check", code: true, grade: true, locked: true, points: 2, source: `Checks(
	// Visible checks earn few points, so that an answer that fits only their numbers earns few.
	Check(mean, []float64{1, 2, 6}).Is(3).ByHand("stat").Points(0.4).Hint("the sum is 9, and there are three values"),
	// BEGIN HIDDEN TESTS
	Check(mean, []float64{}).Is(math.NaN()).Call([]float64{-1, 2}).Is(0.5).Points(1.6).Hidden().Hint("what is the mean of no values?"),
	// END HIDDEN TESTS
)`},
		{id: "task1-given", code: true, grade: true, locked: true, source: `// Grading replaces mean by a reference here, so that a mistake above costs nothing below.
// BEGIN HIDDEN TESTS
Given(mean, func(xs []float64) float64 { return stat.Mean(xs, nil) })
// END HIDDEN TESTS`},
		{id: "task2-text", source: "## 2. Why? (1 point, graded by hand)\n\nWhen is the median a better summary than the mean? Two sentences."},
		{id: "task2", grade: true, solution: true, points: 1, source: "<!-- BEGIN SOLUTION -->\nWhen a few values are far from all others: they move the mean as far as one likes, and the median hardly.\n\nRubric:\n\n- 0.5: says that a few values are far from the others\n- 0.5: says what they do to the mean\n<!-- END SOLUTION -->"},
	},
	"lecture": {
		{id: "title", source: "# TITLE\n\nBegin with a question that somebody has had, and with data."},
		{id: "data", code: true, source: "iris := ml.Iris()\nScatter(iris.Features(\"petal length\", \"petal width\"))"},
		{id: "data-text", source: "**Figure 1.** What is drawn, and what to notice.\n\n## 1. The idea\n\nSay it in words, then as a formula: $\\hat y=\\operatorname{argmin}_c\\sum_i\\ell(y_i,c)$."},
		{id: "byhand", code: true, source: "// Once by hand, in as few lines as it takes.\nnearest := func(x []float64) int {\n\td := Map(Range(0, 149), func(i int) float64 { return floats.Distance(x, iris.X.RawRowView(i), 2) })\n\treturn iris.Y[floats.MinIdx(d)]\n}\nnearest([]float64{5, 3.4, 1.5, 0.2})"},
		{id: "library", code: true, source: "ml.Fit(&ml.KNN{K: 1}, iris).Predict(ml.Rows([][]float64{{5, 3.4, 1.5, 0.2}}))"},
		{id: "library-text", source: "## 2. Is it any good?"},
		{id: "score", code: true, source: "ml.CrossValidate(&ml.KNN{K: 5}, iris, 10)"},
		{id: "short", source: "## In short\n\n- What to remember.\n\n## Ten quick questions\n\n1. A question?\n   <details><summary>Answer</summary>The answer.</details>\n\n## Exercises\n\n1. **By hand.** A task.\n\n   <details><summary>Solution</summary>The solution.</details>\n\n## References\n\n- Author. Title. *Journal*, year."},
	},
}
