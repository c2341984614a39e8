package grading

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

func TestRubric(t *testing.T) {
	why := cell("why", "<!-- BEGIN SOLUTION -->\nA margin.\n\nRubric:\n\n- 1.5: names the *margin*\n- +0.5: says that XOR has none\n- -1: confuses it with the radius\n\nMore text.\n- 9: not a criterion\n<!-- END SOLUTION -->", "grade", "solution")
	why.Type = notebook.Markdown
	text := cell("text", "## 6. Why?\n\nTwo sentences.")
	text.Type = notebook.Markdown
	source := book(cell("f", "x", "grade"), text, why, cell("open", "Draw what you like.", "task"), cell("last", "x", "grade"))
	list := HandGraded(source)
	if len(list) != 2 || list[0].ID != "why" || list[1].ID != "open" {
		t.Fatalf("%+v", list)
	}
	if got := fmt.Sprint(list[0].Rubric); got != "[{1.5 names the *margin*} {0.5 says that XOR has none} {-1 confuses it with the radius}]" {
		t.Errorf("got %s", got)
	}
	if len(list[0].Text) != 1 || list[0].Text[0].ID != "text" || HasMarks(list[0].Solution[0].Source) || !strings.Contains(list[0].Solution[0].Source, "A margin.") {
		t.Errorf("%+v", list[0])
	}
	// Students don't get the rubric.
	student, err := Student(source)
	if err != nil || strings.Contains(sources(student), "Rubric") {
		t.Errorf("%v\n%s", err, sources(student))
	}
	bad := book(cell("why", "Rubric:\n- 1: half", "grade", "solution"))
	if p := Check(bad); len(p) != 1 || !strings.Contains(p[0].Text, "must add up to the points of the cell, 2, got 1") {
		t.Errorf("%v", p)
	}
	twice := book(cell("why", "Rubric:\n- 1: half\n- 1: half", "grade", "solution"))
	if p := Check(twice); len(p) != 1 || !strings.Contains(p[0].Text, `must differ, got "half" twice`) {
		t.Errorf("%v", p)
	}
	own := cell("own", "my picture")
	submission := book(cell("why", "my answer", "grade", "solution"), cell("open", "", "task"), own, cell("last", "x", "grade"), cell("later", "x"))
	if got := AnswerTo("why", source, submission); len(got) != 1 || got[0].Source != "my answer" {
		t.Errorf("%v", got)
	}
	if got := AnswerTo("open", source, submission); len(got) != 1 || got[0] != own {
		t.Errorf("%v", got)
	}
	if HashOf([]*notebook.Cell{own}) == HashOf(nil) {
		t.Error("different answers have one hash")
	}
}

// TestHandedIn checks that answers keep the outputs in the student's file, and that cells of the
// source don't get any.
func TestHandedIn(t *testing.T) {
	source := book(cell("why", "", "grade", "solution"), cell("f-check", "Check(f)", "grade", "locked"))
	submission := book(cell("why", "draw()", "grade", "solution"), cell("f-check", "Check(f)", "grade", "locked"), cell("own", "1 + 1"))
	for i, c := range submission.Cells {
		c.Outputs = []*notebook.Output{{Type: notebook.Stream, Name: "stdout", Text: fmt.Sprint("output ", i)}}
	}
	nb, err := HandedIn(source, submission)
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, c := range nb.Cells {
		for _, o := range c.Outputs {
			got += c.ID + ": " + o.Text + "; "
		}
	}
	if got != "why: output 0; own: output 2; " {
		t.Errorf("got %q", got)
	}
}

// TestRemarks checks that marks and remarks are kept with the table, and are on the student's page.
func TestRemarks(t *testing.T) {
	r := Remarks{}
	r.Set("ada", "why", Remark{Points: 1, Items: []string{"names the margin"}, Comment: "Which <b>line</b>?", Answer: "00"})
	b, err := r.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if r, err = ReadRemarks(b); err != nil {
		t.Fatal(err)
	}
	kept, err := ReadMarks(strings.NewReader("student,points,of,by hand,seconds,notes,f,why\nada,2,4,2,1.0,,2\n"))
	if err != nil {
		t.Fatal(err)
	}
	if err := kept.Set("ada", "why", "1"); err != nil {
		t.Fatal(err)
	}
	if err := kept.Set("bob", "why", "1"); err == nil {
		t.Error("a student without a line gets a mark")
	}
	if err := kept.Set("ada", "other", "1"); err == nil {
		t.Error("a column that does not exist gets a mark")
	}
	g := kept.Restore("ada", book(cell("f", "x", "grade"), cell("why", "x", "grade", "solution")))
	kept.Give(&g)
	r.Give(&g)
	if earned, of, open := g.Points(); earned != 3 || of != 4 || open != 0 {
		t.Errorf("%v of %v, %v open", earned, of, open)
	}
	g.Visible = &Result{Notebook: book()}
	page, err := Feedback(g, WithHints)
	if err != nil || !strings.Contains(string(page), "graded by hand: names the margin; Which &lt;b&gt;line&lt;/b&gt;?") {
		t.Errorf("the page lacks the remark: %v", err)
	}
	if _, err := ReadRemarks([]byte("[]")); err == nil {
		t.Error("a list is taken for remarks")
	}
}
