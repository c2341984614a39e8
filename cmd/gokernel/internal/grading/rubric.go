package grading

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/internal/pattern"
)

// Criterion is a line of a rubric: points for something that an answer has, or negative points for
// a mistake.
type Criterion struct {
	Points float64 `json:"points"`
	Text   string  `json:"text"`
}

// ByHand is a cell that a person grades.
type ByHand struct {
	ID     string      `json:"id"`
	Of     float64     `json:"of"`
	Rubric []Criterion `json:"rubric"`
	// Text is the task, and Solution the answer of the source, both in Markdown or Go.
	Text, Solution []*notebook.Cell `json:"-"`
}

var (
	rubricHead = pattern.New(`^\W*Rubric:?\W*$`)
	rubricLine = pattern.New(`^(?://\s*)?[-*] ([+-]?[\d.]+):\s+(.+)$`)
)

// rubric reads the rubric in the text of a cell: after a line "Rubric:", lines such as
// "- 0.5: names the margin". It ends at the first other line that is not empty.
func rubric(src string) (list []Criterion) {
	inside := false
	for line := range strings.Lines(src) {
		line = strings.TrimSpace(line)
		switch {
		case !inside:
			inside = rubricHead().MatchString(line)
		case line == "" || line == "//":
		default:
			m := rubricLine().FindStringSubmatch(line)
			if m == nil {
				return list
			}
			points, err := strconv.ParseFloat(m[1], 64)
			if err != nil {
				return list
			}
			list = append(list, Criterion{points, m[2]})
		}
	}
	return list
}

// checkRubric returns a problem of the rubric of a cell, or "".
func checkRubric(c *notebook.Cell, m mark) string {
	list := rubric(c.Source)
	if len(list) == 0 {
		return ""
	}
	sum, seen := 0.0, map[string]bool{}
	for _, r := range list {
		if seen[r.Text] {
			return fmt.Sprintf("the criteria of the rubric must differ, got %q twice", r.Text)
		}
		seen[r.Text] = true
		sum += max(0, r.Points)
	}
	if sum = round(sum); sum != m.points {
		return fmt.Sprintf("the positive points of the rubric must add up to the points of the cell, %s, got %s", Number(m.points), Number(sum))
	}
	return ""
}

// HandGraded returns the cells of a source that people grade.
func HandGraded(source *notebook.Notebook) (list []ByHand) {
	for i, c := range source.Cells {
		m := markOf(c)
		if m.role != manual && m.role != task || m.points <= 0 {
			continue
		}
		h := ByHand{ID: m.id, Of: m.points, Rubric: rubric(c.Source)}
		if m.role == task {
			h.Text = []*notebook.Cell{c}
		} else {
			h.Solution = []*notebook.Cell{withoutMarks(c)}
			for k := i - 1; k >= 0 && source.Cells[k].Type == notebook.Markdown && markOf(source.Cells[k]).role != manual; k-- {
				h.Text = append(h.Text, source.Cells[k])
				if strings.HasPrefix(source.Cells[k].Source, "#") {
					break
				}
			}
			slices.Reverse(h.Text)
		}
		list = append(list, h)
	}
	return list
}

// withoutMarks returns a cell without the comment lines around a solution.
func withoutMarks(c *notebook.Cell) *notebook.Cell {
	out := *c
	out.Source = ""
	for line := range strings.Lines(c.Source) {
		if !HasMarks(line) {
			out.Source += line
		}
	}
	return &out
}

// AnswerTo returns the cells of a submission that answer a task: the cell with the given ID or, if
// that cell is only the text of a task, the student's cells after it.
func AnswerTo(id string, source, submission *notebook.Notebook) (cells []*notebook.Cell) {
	var isTask bool
	known := map[string]bool{}
	for _, c := range source.Cells {
		m := markOf(c)
		known[m.id] = m.id != ""
		isTask = isTask || m.id == id && m.role == task
	}
	after := false
	for _, c := range submission.Cells {
		m := markOf(c)
		switch {
		case m.id == id && isTask:
			after = true
			continue
		case m.id == id:
			return []*notebook.Cell{c}
		case known[m.id]:
			after = false
		}
		if after {
			cells = append(cells, c)
		}
	}
	return cells
}

// HandedIn returns a submission for people who grade it. It is like [Assemble], but keeps the
// outputs of the student's file. Nothing has checked these outputs.
func HandedIn(source, submission *notebook.Notebook) (*notebook.Notebook, error) {
	out, err := Assemble(source, submission)
	if err != nil {
		return nil, err
	}
	outputs := map[string][]*notebook.Output{}
	for _, c := range submission.Cells {
		outputs[c.ID] = c.Outputs
	}
	for _, c := range out.Cells {
		switch markOf(c).role {
		case tests, locked, task: // cells of the source
		default:
			c.Outputs = outputs[c.ID]
		}
	}
	return out, nil
}

// HashOf returns a hash of the text of an answer.
func HashOf(cells []*notebook.Cell) string {
	h := sha256.New()
	for _, c := range cells {
		fmt.Fprintf(h, "%s\n%s\n", c.Type, c.Source)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// Remark is what a grader has noted about an answer.
type Remark struct {
	Points  float64  `json:"points"` // the mark at the time of the remark; the table of grades has the current one
	Items   []string `json:"items,omitempty"`
	Comment string   `json:"comment,omitempty"`
	Answer  string   `json:"answer"` // see [HashOf]
}

// Remarks contains remarks by student and cell.
type Remarks map[string]map[string]Remark

// ReadRemarks reads what [Remarks.Encode] wrote.
func ReadRemarks(b []byte) (Remarks, error) {
	r := Remarks{}
	if err := json.Unmarshal(b, &r); err != nil {
		return nil, fmt.Errorf("it must be a file of remarks: %w", err)
	}
	return r, nil
}

// Encode returns the remarks in JSON.
func (r Remarks) Encode() ([]byte, error) {
	b, err := json.MarshalIndent(r, "", "  ")
	return append(b, '\n'), err
}

// Set stores a remark.
func (r Remarks) Set(student, id string, remark Remark) {
	if r[student] == nil {
		r[student] = map[string]Remark{}
	}
	r[student][id] = remark
}

// Give adds the remarks to the scores of a student, for the feedback page.
func (r Remarks) Give(g *Graded) {
	if g.Result == nil {
		return
	}
	for i := range g.Scores {
		s := &g.Scores[i]
		remark, ok := r[g.Student][s.ID]
		if !ok || !s.Manual {
			continue
		}
		s.Note = strings.Join(append(slices.Clone(remark.Items), nonEmpty(remark.Comment)...), "; ")
	}
}

func nonEmpty(s string) []string {
	if s = strings.TrimSpace(s); s == "" {
		return nil
	}
	return []string{s}
}
