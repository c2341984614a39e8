// Package grading creates homework from notebooks and grades submissions. It removes the solutions
// and hidden checks from a source notebook. To grade a submission, it adds the checks of the
// source, runs the cells and counts the points. It also compares submissions with each other.
//
// The role of a cell is in its metadata in the format of nbgrader, so that gokernel and nbgrader
// work on the same notebooks.
package grading

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

// role is the role of a cell in an assignment.
type role string

const (
	plain  role = ""
	answer role = "answer" // the student's, checked by tests
	manual role = "manual" // the student's, graded by hand
	tests  role = "tests"
	locked role = "locked" // the lecturer's, must not be changed
	task   role = "task"   // a description of an answer that is graded by hand
)

// mark is the metadata of a cell.
type mark struct {
	role   role
	id     string
	points float64
}

// markOf reads the metadata of a cell.
func markOf(c *notebook.Cell) mark {
	m, ok := c.Metadata["nbgrader"].(map[string]any)
	if !ok {
		return mark{}
	}
	is := func(key string) bool { b, _ := m[key].(bool); return b }
	k := mark{points: numberOf(m["points"])}
	k.id, _ = m["grade_id"].(string)
	switch {
	case is("task"):
		k.role = task
	case is("grade") && is("solution"):
		k.role = manual
	case is("grade"):
		k.role = tests
	case is("solution"):
		k.role = answer
	case is("locked"):
		k.role = locked
	}
	return k
}

func numberOf(v any) float64 {
	switch v := v.(type) {
	case float64:
		return v
	case int:
		return float64(v)
	case json.Number:
		f, _ := v.Float64()
		return f
	}
	return 0
}

// These are the comment lines around a solution or hidden checks.
const (
	beginSolution = "BEGIN SOLUTION"
	endSolution   = "END SOLUTION"
	beginHidden   = "BEGIN HIDDEN TESTS"
	endHidden     = "END HIDDEN TESTS"
)

// Problem is a problem of a source notebook.
type Problem struct {
	Cell string
	Text string
}

func (p Problem) String() string { return fmt.Sprintf("cell %s: %s", p.Cell, p.Text) }

// Check finds problems of a source notebook without running it.
func Check(nb *notebook.Notebook) (problems []Problem) {
	seen, varied := map[string]bool{}, map[string]bool{}
	graded := 0
	for _, c := range nb.Cells {
		m := markOf(c)
		bad := func(format string, args ...any) {
			problems = append(problems, Problem{c.ID, fmt.Sprintf(format, args...)})
		}
		if m.role != plain {
			switch {
			case m.id == "":
				bad("grade_id must be set: set it in the Create Assignment panel, or in the metadata")
			case seen[m.id]:
				bad("grade_id must be unique, got %q twice", m.id)
			}
			seen[m.id] = true
		}
		if m.role == tests || m.role == manual || m.role == task {
			graded++
			if m.points < 0 {
				bad("points must be a number that is not negative, got %v", m.points)
			}
			if problem := checkRubric(c, m); problem != "" && m.role != tests {
				bad("%s", problem)
			}
		}
		for _, pair := range [][2]string{{beginSolution, endSolution}, {beginHidden, endHidden}} {
			if _, _, err := cut(c.Source, pair[0], pair[1], nil); err != nil {
				bad("%v", err)
			}
		}
		for _, problem := range checkVariants(c, m, varied) {
			bad("%s", problem)
		}
		if strings.Contains(c.Source, beginSolution) && m.role != answer && m.role != manual {
			bad("a solution must be in a cell that is marked as an answer, otherwise students would see it")
		}
		if strings.Contains(c.Source, beginHidden) && m.role != tests {
			bad("hidden checks must be in a cell that is marked as tests")
		}
	}
	problems = append(problems, newPlan(nb).problems...)
	if graded == 0 {
		problems = append(problems, Problem{"-", "no cell is graded: mark autograder cells as tests and give them points"})
	}
	return problems
}

// cut replaces the lines from a line that contains begin to a line that contains end by the result
// of with, whose argument is the indentation of the first line. If with is nil, the lines are
// removed.
func cut(src, begin, end string, with func(indent string) string) (out string, found bool, err error) {
	var b strings.Builder
	inside := false
	for line := range strings.Lines(src) {
		switch {
		case strings.Contains(line, begin):
			if inside {
				return "", false, fmt.Errorf("%s appears twice without %s", begin, end)
			}
			inside, found = true, true
			if with != nil {
				b.WriteString(with(line[:len(line)-len(strings.TrimLeft(line, " \t"))]))
			}
		case strings.Contains(line, end):
			if !inside {
				return "", false, fmt.Errorf("%s appears without %s", end, begin)
			}
			inside = false
		case !inside:
			b.WriteString(line)
		}
	}
	if inside {
		return "", false, fmt.Errorf("%s appears without %s", begin, end)
	}
	return b.String(), found, nil
}

// The replacements of solutions.
const (
	codeStub = "// YOUR CODE HERE\n"
	textStub = "YOUR ANSWER HERE"
)

// Release returns the notebook for students: without solutions, hidden checks and outputs.
func Release(nb *notebook.Notebook) (*notebook.Notebook, error) {
	if problems := Check(nb); len(problems) > 0 {
		return nil, fmt.Errorf("the notebook has a problem: %v", problems[0])
	}
	return Student(nb)
}

// stub returns the replacement of a solution. Within a function, it also ends the function, so that
// the cell compiles.
func stub(indent string) string {
	if indent == "" {
		return codeStub
	}
	return indent + codeStub + indent + "panic(\"not done yet\")\n"
}

func lock(c *notebook.Cell) {
	c.Metadata["editable"], c.Metadata["deletable"] = false, false
}

func clone(nb *notebook.Notebook) (*notebook.Notebook, error) {
	b, err := nb.Encode()
	if err != nil {
		return nil, err
	}
	return notebook.Decode(b)
}

// Assemble returns the notebook to run for a submission. It has the submission's cells, but the
// lecturer's cells are those of the source, even if the submission has changed or removed them.
func Assemble(source, submission *notebook.Notebook) (*notebook.Notebook, error) {
	out, _, err := assemble(source, submission)
	return out, err
}

// assemble is like Assemble, and also returns src, a copy of the source. The lecturer's cells in
// out are those of src.
func assemble(source, submission *notebook.Notebook) (out, src *notebook.Notebook, err error) {
	if out, err = clone(submission); err != nil {
		return nil, nil, err
	}
	if src, err = clone(source); err != nil {
		return nil, nil, err
	}
	own := map[string]*notebook.Cell{}
	known := map[string]bool{}
	for _, c := range src.Cells {
		m := markOf(c)
		known[m.id] = m.id != ""
		if m.role == tests || m.role == locked || m.role == task {
			own[m.id] = c
		}
	}
	placed, adopted := map[string]bool{}, map[string]bool{}
	var cells []*notebook.Cell
	for _, c := range out.Cells {
		c.Outputs, c.Count = nil, 0
		id := markOf(c).id
		switch o := own[id]; {
		case o == nil:
			if len(known) > 0 {
				adopt(c, src, known[id] && !adopted[id])
				adopted[id] = true
			}
			cells = append(cells, c)
		case !placed[id]:
			placed[id] = true
			cells = append(cells, o)
		}
	}
	out.Cells = cells
	for i, c := range src.Cells {
		c.Outputs, c.Count = nil, 0
		if id := markOf(c).id; own[id] != nil && !placed[id] {
			placed[id] = true
			out.Cells = insert(out.Cells, c, src.Cells[:i])
		}
	}
	return out, src, nil
}

// adopt sets the role and the points of a submission's cell to those of the source's cell. It
// clears them if the source has no such cell or an earlier cell has adopted it. The submission's
// own roles and points don't count.
func adopt(c *notebook.Cell, src *notebook.Notebook, known bool) {
	id := markOf(c).id
	delete(c.Metadata, "nbgrader")
	if !known {
		return
	}
	for _, o := range src.Cells {
		if markOf(o).id == id {
			c.Metadata["nbgrader"] = o.Metadata["nbgrader"]
			return
		}
	}
}

// insert inserts a cell after the last of the cells that precede it in the source.
func insert(cells []*notebook.Cell, c *notebook.Cell, before []*notebook.Cell) []*notebook.Cell {
	ids := map[string]bool{}
	for _, b := range before {
		if id := markOf(b).id; id != "" {
			ids[id] = true
		}
	}
	at := 0
	for i, have := range cells {
		if ids[markOf(have).id] {
			at = i + 1
		}
	}
	cells = append(cells, nil)
	copy(cells[at+1:], cells[at:])
	cells[at] = c
	return cells
}
