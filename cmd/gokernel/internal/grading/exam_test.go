package grading

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

// bankOf returns a bank with two questions on each of n lectures, of 1 to 5 points.
func bankOf(n int) *notebook.Notebook {
	role := func(id string, flags ...string) map[string]any {
		m := map[string]any{"grade_id": id, "locked": false, "solution": false, "grade": false, "points": 0.0}
		for _, f := range flags {
			m[f] = true
		}
		return m
	}
	nb := &notebook.Notebook{Metadata: map[string]any{}}
	add := func(id, kind, source string, m map[string]any) *notebook.Cell {
		c := &notebook.Cell{ID: id, Type: kind, Source: source, Metadata: map[string]any{}}
		if m != nil {
			c.Metadata["nbgrader"] = m
		}
		nb.Cells = append(nb.Cells, c)
		return c
	}
	add("title", notebook.Markdown, "# Bank", nil)
	add("claims", notebook.Code, "// BEGIN HIDDEN TESTS\nx := 1\n// END HIDDEN TESTS", role("claims", "grade", "locked"))
	for l := range n {
		lecture := fmt.Sprintf("N%02d", l+1)
		add(lecture, notebook.Markdown, "# Lecture "+lecture, nil)
		for q := range 2 {
			id, points := fmt.Sprintf("%s-%d", lecture, q+1), float64((l+q)%5+1)
			c := add(id, notebook.Markdown, "## "+id+". Title of "+id+"\n\n*points*\n\nText\n\nin two paragraphs", role(id, "locked"))
			c.Metadata["exam"] = map[string]any{"id": id, "lecture": lecture, "kind": "compute", "points": points, "minutes": points, "difficulty": 1.0}
			m := role(id+"-answer", "grade", "solution")
			m["points"] = points
			add(id+"-answer", notebook.Markdown, "<!-- BEGIN SOLUTION -->\nsecret\n<!-- END SOLUTION -->", m)
			add(id+"-check", notebook.Code, "// BEGIN HIDDEN TESTS\nsecret(x)\n// END HIDDEN TESTS", role(id+"-check", "grade", "locked"))
		}
	}
	return nb
}

func TestQuestions(t *testing.T) {
	bank := bankOf(3)
	common, list, err := Questions(bank)
	if err != nil || len(common) != 1 || len(list) != 6 {
		t.Fatal(len(common), len(list), err)
	}
	if q := list[3]; q.ID != "N02-2" || q.Lecture != "N02" || q.Title != "Title of N02-2" || q.Points != 3 || q.Minutes != 3 || len(q.Cells) != 3 {
		t.Errorf("%+v", q)
	}
	for name, change := range map[string]func(c *notebook.Cell, m map[string]any){
		"must have lecture":    func(_ *notebook.Cell, m map[string]any) { delete(m, "lecture") },
		"must have kind":       func(_ *notebook.Cell, m map[string]any) { delete(m, "kind") },
		"must have points":     func(_ *notebook.Cell, m map[string]any) { m["points"] = 0.0 },
		"must have minutes":    func(_ *notebook.Cell, m map[string]any) { m["minutes"] = -1.0 },
		"must have difficulty": func(_ *notebook.Cell, m map[string]any) { m["difficulty"] = 4.0 },
		"must have id":         func(_ *notebook.Cell, m map[string]any) { delete(m, "id") },
		"must be the sum":      func(_ *notebook.Cell, m map[string]any) { m["points"] = 7.0 },
		"got N01-2 twice": func(c *notebook.Cell, m map[string]any) {
			m["id"], c.Source = "N01-2", "## N01-2. Again\n\n*p*\n\nText"
		},
		"begin with the heading \"": func(c *notebook.Cell, _ map[string]any) { c.Source = "Text" },
	} {
		bank := bankOf(1)
		c := bank.Cells[3]
		change(c, c.Metadata["exam"].(map[string]any))
		if _, _, err := Questions(bank); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, _, err := Questions(&notebook.Notebook{}); err == nil {
		t.Error("a notebook without questions is a bank")
	}
}

// TestChoose draws exams with many seeds. Each has the points and at most the minutes, and takes a
// second question of a lecture only if no other lecture has a question that fits.
func TestChoose(t *testing.T) {
	_, list, err := Questions(bankOf(12))
	if err != nil {
		t.Fatal(err)
	}
	different := map[string]bool{}
	for seed := range uint64(50) {
		by := Choice{Points: 20, Minutes: 20, Seed: seed, Skip: []string{"N03-1"}}
		chosen, err := Choose(list, by)
		if err != nil {
			t.Fatal(seed, err)
		}
		again, _ := Choose(list, by)
		points, minutes, text := 0.0, 0.0, ""
		for i, q := range chosen {
			points, minutes, text = points+q.Points, minutes+q.Minutes, text+q.ID
			if q.ID == "N03-1" || again[i].ID != q.ID || i > 0 && q.ID <= chosen[i-1].ID {
				t.Errorf("seed %d: %s", seed, q.ID)
			}
		}
		if points != 20 || minutes > 20 || len(Lectures(chosen)) < 5 {
			t.Errorf("seed %d: %v points, %v minutes, lectures %v", seed, points, minutes, Lectures(chosen))
		}
		different[text] = true
	}
	if len(different) < 25 {
		t.Errorf("50 seeds give %d different exams", len(different))
	}
	some, err := Choose(list, Choice{Minutes: 8, Lectures: []string{"N02", "N05"}})
	if err != nil || !slices.Equal(Lectures(some), []string{"N02", "N05"}) {
		t.Errorf("%v %v", some, err)
	}
	all, err := Choose(list, Choice{Minutes: 1000})
	if err != nil || len(all) != len(list) {
		t.Errorf("%d of %d questions, %v", len(all), len(list), err)
	}
	for _, by := range []Choice{{}, {Points: 1000}, {Points: 20, Minutes: 3}, {Points: 0.5}} {
		if chosen, err := Choose(list, by); err == nil {
			t.Errorf("%+v: %d questions", by, len(chosen))
		}
	}
}

// TestExam releases an exam of two questions: students get the texts with numbers, no checks.
func TestExam(t *testing.T) {
	bank := bankOf(3)
	common, list, err := Questions(bank)
	if err != nil {
		t.Fatal(err)
	}
	chosen, err := Named(list, []string{"N03-1", "N01-2"})
	if err != nil {
		t.Fatal(err)
	}
	exam, err := Exam(bank, "Midterm", common, chosen)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(bank.Cells[3].Source, "## N01-1. ") {
		t.Error("Exam changed the bank")
	}
	student, err := Release(exam)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, c := range student.Cells {
		texts = append(texts, c.Source)
	}
	want := []string{
		"# Midterm\n\n*2 questions · 5 points · 5 minutes*\n\nAnswer in the cell below each question. Show your steps: they earn points too.",
		"## 1. Title of N03-1\n\n*3 points · 3 minutes*\n\nText\n\nin two paragraphs", "YOUR ANSWER HERE",
		"## 2. Title of N01-2\n\n*2 points · 2 minutes*\n\nText\n\nin two paragraphs", "YOUR ANSWER HERE",
	}
	if !slices.Equal(texts, want) {
		t.Errorf("%q", texts)
	}
	// Grading puts the checks back.
	whole, err := Assemble(exam, student)
	if err != nil || len(whole.Cells) != len(exam.Cells) {
		t.Errorf("%d of %d cells, %v", len(whole.Cells), len(exam.Cells), err)
	}
	for _, ids := range [][]string{{"N09-1"}, {"N01-1", "N01-1"}} {
		if _, err := Named(list, ids); err == nil {
			t.Errorf("%v: no error", ids)
		}
	}
}
