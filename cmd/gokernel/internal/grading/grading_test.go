package grading

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

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
		{"grade_id must be set", []*notebook.Cell{cell("", "x", "grade")}},
		{"grade_id must be unique", []*notebook.Cell{cell("a", "x", "grade"), cell("a", "x", "grade")}},
		{"BEGIN SOLUTION appears without END SOLUTION", []*notebook.Cell{cell("a", "// BEGIN SOLUTION", "solution"), cell("b", "x", "grade")}},
		{"END HIDDEN TESTS appears without", []*notebook.Cell{cell("b", "// END HIDDEN TESTS", "grade")}},
		{"otherwise students would see it", []*notebook.Cell{cell("a", "// BEGIN SOLUTION\n// END SOLUTION"), cell("b", "x", "grade")}},
		{"must be in a cell that is marked as tests", []*notebook.Cell{cell("a", "// BEGIN HIDDEN TESTS\n// END HIDDEN TESTS", "solution"), cell("b", "x", "grade")}},
	} {
		problems := Check(book(tt.cells...))
		if len(problems) != 1 || !strings.Contains(problems[0].String(), tt.want) {
			t.Errorf("%v, want one with %q", problems, tt.want)
		}
	}
}

// TestAssemble checks that cells of the lecturer come from the source, even if a submission has
// changed, moved, duplicated or deleted them.
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

func TestSimilarity(t *testing.T) {
	const (
		loop = "func sum(xs []float64) float64 {\n\ts := 0.0\n\tfor i := 0; i < len(xs); i++ {\n\t\ts += xs[i]\n\t}\n\treturn s\n}"
		same = "func total(values []float64) float64 { t := 0.0; for k := 0; k < len(values); k++ { t += values[k] }; return t } // mine"
		rec  = "func sum(xs []float64) float64 {\n\tif len(xs) == 0 {\n\t\treturn 0\n\t}\n\treturn xs[0] + sum(xs[1:])\n}"
	)
	books := []*notebook.Notebook{book(cell("a", loop, "solution")), book(cell("a", same, "solution")), book(cell("a", rec, "solution"))}
	pairs := Similarity([]string{"ada", "bob", "cy"}, books, book())
	if len(pairs) == 0 || pairs[0].A != "ada" || pairs[0].B != "bob" || pairs[0].Similarity < 0.9 {
		t.Errorf("renamed code is not found: %v", pairs)
	}
	for _, p := range pairs[1:] {
		if p.Similarity > 0.5 {
			t.Errorf("other code is called alike: %v", p)
		}
	}
	if pairs := Similarity([]string{"ada", "bob", "cy"}, books, book(cell("a", loop, "solution"))); len(pairs) > 0 && pairs[0].Similarity > 0.5 {
		t.Errorf("what everybody was given counts: %v", pairs)
	}
}

// TestStudent checks that a source loses what students must not see, and a released notebook loses
// nothing more.
func TestStudent(t *testing.T) {
	picture := cell("p", "<!-- BEGIN SOLUTION -->\n![](attachment:a.png)\n<!-- END SOLUTION -->\n![](attachment:b.png)", "grade", "solution")
	picture.Type = notebook.Markdown
	picture.Attachments = map[string]map[string]any{"a.png": {"image/png": "QQ=="}, "b.png": {"image/png": "QQ=="}}
	prose := cell("t", "Between `// BEGIN SOLUTION` and END SOLUTION stands the solution.")
	prose.Type = notebook.Markdown
	nb := book(
		cell("a", "func f() int {\n\t// BEGIN SOLUTION\n\treturn 1\n\t// END SOLUTION\n}", "solution"), cell("b", "x := 1", "solution"),
		cell("c", "Check(f).Is(1)\n// BEGIN HIDDEN TESTS\nCheck(f).Is(1).Hidden()\n// END HIDDEN TESTS", "grade", "locked"), picture, prose,
	)
	nb.Metadata["widgets"] = map[string]any{"state": "of the solution"}
	nb.Cells[0].Outputs = []*notebook.Output{{Type: notebook.Stream, Name: "stdout", Text: "1"}}
	if got := strings.Join(Secrets(nb), " "); got != "a b c p" {
		t.Errorf("secrets are in %s", got)
	}
	out, err := Student(nb)
	if err != nil {
		t.Fatal(err)
	}
	if s := Secrets(out); s != nil {
		t.Errorf("secrets are left in %v", s)
	}
	want := "func f() int {\n\t// YOUR CODE HERE\n\tpanic(\"not done yet\")\n}\n--\n// YOUR CODE HERE\n--\nCheck(f).Is(1)\n--\nYOUR ANSWER HERE\n![](attachment:b.png)\n--\n" + prose.Source
	if got := sources(out); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if out.Metadata["widgets"] != nil || len(out.Cells[0].Outputs) > 0 || out.Cells[3].Attachments["a.png"] != nil || out.Cells[3].Attachments["b.png"] == nil {
		t.Error("widgets, outputs or pictures of the solution are left, or a picture of the task is gone")
	}
	again, err := Student(out)
	if err != nil || sources(again) != want {
		t.Errorf("a released notebook becomes\n%s\n%v", sources(again), err)
	}
	for src, flag := range map[string]string{
		"// BEGIN SOLUTION\n1\n// END SOLUTION": "", "// BEGIN HIDDEN TESTS\n1\n// END HIDDEN TESTS": "locked", "// BEGIN SOLUTION\n1": "solution", "### BEGIN HIDDEN TESTS\n1": "grade",
	} {
		c := cell("x", src)
		if flag != "" {
			c = cell("x", src, flag)
		}
		if out, err := Student(book(c)); err == nil {
			t.Errorf("%q is published as %q", src, sources(out))
		}
	}
}

func TestMarks(t *testing.T) {
	source := book(cell("f", "x", "grade"), cell("why", "x", "grade", "solution"))
	graded := func(points float64) []Graded {
		return []Graded{{Student: "ada", Result: &Result{Took: time.Second, Scores: []Score{{ID: "f", Points: points, Of: 2}, {ID: "why", Of: 2, Manual: true}}}}, {Student: "bob", Err: errors.New("broken")}}
	}
	var b strings.Builder
	if err := WriteCSV(&b, graded(1), nil); err != nil {
		t.Fatal(err)
	}
	if want := "student,points,of,by hand,seconds,notes,f,why\nada,1,4,2,1.0,,1,\nbob,0,,,,broken,,\n"; b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
	// A grader has filled it in with a spreadsheet that writes semicolons and decimal commas; a
	// student has withdrawn.
	filled := "\ufeffstudent;points;of;by hand;seconds;notes;f;why;comment\nada;1;4;2;1.0;;1;1,5;late\nbob;0;;;;broken;;2;by mail\ncy;2;4;;1.0;;1;1;\n"
	kept, err := ReadMarks(strings.NewReader(filled))
	if err != nil {
		t.Fatal(err)
	}
	if err := kept.Check(source); err != nil {
		t.Error(err)
	}
	all, n := graded(2), 0
	for i := range all {
		n += kept.Give(&all[i])
	}
	b.Reset()
	if err := WriteCSV(&b, all, kept); err != nil {
		t.Fatal(err)
	}
	want := "student,points,of,by hand,seconds,notes,f,why,comment\nada,3.5,4,0,1.0,,2,1.5,late\nbob,0,,,,broken,,2,by mail\ncy,2,4,,1.0,,1,1,\n"
	if b.String() != want || n != 1 {
		t.Errorf("%d marks\n%s\nwant\n%s", n, b.String(), want)
	}
	if page, err := Feedback(Graded{Student: "ada", Result: all[0].Result, Visible: &Result{Notebook: book()}}, WithHints); err != nil || !strings.Contains(string(page), "3.5 of 4 points") || strings.Contains(string(page), "by hand.") {
		t.Errorf("the page does not count the mark: %v", err)
	}
	for wrong, want := range map[string]string{
		"3": "a mark must be a number between 0 and 2, got \"3\"", "good": "got \"good\"", "-1": "got \"-1\"", "NaN": "got \"NaN\"",
	} {
		kept, err := ReadMarks(strings.NewReader(fmt.Sprintf("student,points,of,by hand,seconds,notes,why\nada,1,4,2,1.0,,%s\n", wrong)))
		if err != nil {
			t.Fatal(err)
		}
		if err := kept.Check(source); err == nil || !strings.Contains(err.Error(), "ada, why: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", wrong, err)
		}
	}
	for _, text := range []string{"a,b\n1,2\n", "", "student,points,of,by hand,seconds,notes\nada,1,1,,1,\nada,1,1,,1,\n"} {
		if _, err := ReadMarks(strings.NewReader(text)); err == nil {
			t.Errorf("%q is taken for a table of grades", text)
		}
	}
}

// TestLevels checks what students learn about hidden checks that fail. Messages of visible checks
// are the same at all levels.
func TestLevels(t *testing.T) {
	visible := line{text: "f(1) is 2, expected 3"}
	s := Score{lines: []line{
		visible,
		{text: "1 hidden check failed (ties): a wrong result", hint: "the first wins", hidden: true, kind: "ties", how: "a wrong result"},
		{text: "f(secret) panics: 7", how: "a panic", kind: "no rows"},
	}}
	seen := Score{lines: []line{visible}}
	for level, want := range map[Level]string{
		OnlyPoints: "f(1) is 2, expected 3; hidden checks failed",
		WithKinds:  "f(1) is 2, expected 3; 1 hidden check failed (ties): a wrong result; a hidden check failed (no rows): a panic",
		WithHints:  "f(1) is 2, expected 3; 1 hidden check failed (ties): a wrong result (the first wins); a hidden check failed (no rows): a panic",
	} {
		if got := told(s, seen, level); got != want {
			t.Errorf("%s: %q, want %q", level, got, want)
		}
	}
	crash := Score{Note: "panic: the secret"}
	if got := told(crash, seen, OnlyPoints); got != hiddenFailed {
		t.Errorf("a cell that fails shows %q", got)
	}
	if got := told(crash, seen, WithKinds); got != "panic in the hidden checks of this cell" {
		t.Errorf("a cell that fails shows %q", got)
	}
	if l, err := LevelOf(""); l != WithHints || err != nil {
		t.Errorf("the default is %q (%v)", l, err)
	}
	if _, err := LevelOf("all"); err == nil || !strings.Contains(err.Error(), `points, kind or hint, got "all"`) {
		t.Errorf("got %v", err)
	}
}
