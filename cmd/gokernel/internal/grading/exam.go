package grading

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

// Question is a question of a bank: a notebook in which the first cell of each question has the
// metadata
//
//	"exam": {"id": "N02-1", "lecture": "N02", "kind": "compute",
//	         "points": 6, "minutes": 5, "difficulty": 1}
//
// and begins with the heading "## N02-1. Title" and a line in italics. The question ends before the
// next question or the next cell without a role.
type Question struct {
	ID, Lecture, Kind, Title string
	Points, Minutes          float64
	Difficulty               int
	Cells                    []*notebook.Cell
}

// Questions reads a bank. The cells in common are those with a role before the first question.
func Questions(bank *notebook.Notebook) (common []*notebook.Cell, list []Question, err error) {
	inside, seen := false, map[string]bool{}
	for _, c := range bank.Cells {
		m, ok := c.Metadata["exam"].(map[string]any)
		switch {
		case ok:
			q, err := newQuestion(c, m)
			if err != nil {
				return nil, nil, err
			}
			if seen[q.ID] {
				return nil, nil, fmt.Errorf("the IDs of questions must be unique, got %s twice", q.ID)
			}
			seen[q.ID], inside = true, true
			list = append(list, q)
		case markOf(c).role == plain:
			inside = false
		case inside:
			q := &list[len(list)-1]
			q.Cells = append(q.Cells, c)
		case len(list) == 0:
			common = append(common, c)
		}
	}
	if len(list) == 0 {
		return nil, nil, fmt.Errorf("no cell has the metadata of a question: \"exam\": {\"id\": ...}")
	}
	for _, q := range list {
		if worth := Worth(&notebook.Notebook{Cells: q.Cells}); worth != q.Points {
			return nil, nil, fmt.Errorf("the points of %s must be the sum of the points of its cells, %s, got %s", q.ID, Number(worth), Number(q.Points))
		}
	}
	return common, list, nil
}

func newQuestion(c *notebook.Cell, m map[string]any) (q Question, err error) {
	q = Question{Points: numberOf(m["points"]), Minutes: numberOf(m["minutes"]), Difficulty: int(numberOf(m["difficulty"])), Cells: []*notebook.Cell{c}}
	q.ID, _ = m["id"].(string)
	q.Lecture, _ = m["lecture"].(string)
	q.Kind, _ = m["kind"].(string)
	missing := func(field string) error {
		return fmt.Errorf("cell %s: the metadata \"exam\" must have %s", c.ID, field)
	}
	switch {
	case q.ID == "":
		return q, missing("id")
	case q.Lecture == "":
		return q, missing("lecture")
	case q.Kind == "":
		return q, missing("kind")
	case q.Points <= 0:
		return q, missing("points, a positive number")
	case q.Minutes <= 0:
		return q, missing("minutes, a positive number")
	case q.Difficulty < 1 || q.Difficulty > 3:
		return q, missing("difficulty, 1 to 3")
	}
	var ok bool
	head, _, _ := strings.Cut(c.Source, "\n")
	if q.Title, ok = strings.CutPrefix(head, "## "+q.ID+". "); !ok {
		return q, fmt.Errorf("cell %s: a question must begin with the heading \"## %s. \" and its title, got %q", c.ID, q.ID, head)
	}
	return q, nil
}

// Choice says which questions [Choose] may take. 0 points or 0 minutes mean no limit.
type Choice struct {
	Points, Minutes float64
	Lectures, Skip  []string // only these lectures, if any; not these questions
	Seed            uint64
}

// tries is how many exams Choose draws to find one with the exact points.
const tries = 100_000

// Choose draws questions for an exam, in the order of the bank. It takes turns among the lectures
// in random order. The exam has exactly the points of the choice, and at most the minutes.
func Choose(list []Question, by Choice) ([]Question, error) {
	if by.Points <= 0 && by.Minutes <= 0 {
		return nil, fmt.Errorf("points or minutes must be positive")
	}
	groups := map[string][]int{}
	var lectures []string
	available := 0.0
	for i, q := range list {
		if slices.Contains(by.Skip, q.ID) || len(by.Lectures) > 0 && !slices.Contains(by.Lectures, q.Lecture) {
			continue
		}
		if groups[q.Lecture] == nil {
			lectures = append(lectures, q.Lecture)
		}
		groups[q.Lecture] = append(groups[q.Lecture], i)
		available += q.Points
	}
	if available < by.Points {
		return nil, fmt.Errorf("the questions to choose from have only %s points", Number(round(available)))
	}
	random := rand.New(rand.NewPCG(by.Seed, 0))
	var best []int
	most := 0.0
	for range tries {
		chosen, points, minutes := draw(list, groups, lectures, by, random)
		if by.Points > 0 {
			if points == by.Points {
				best = chosen
				break
			}
		} else if minutes > most {
			best, most = chosen, minutes
		}
		if by.Points <= 0 && most == by.Minutes {
			break
		}
	}
	if best == nil {
		return nil, fmt.Errorf("no exam with these points and minutes was found in %d random exams: change the points, allow more minutes, or another seed", tries)
	}
	slices.Sort(best)
	out := make([]Question, len(best))
	for i, k := range best {
		out[i] = list[k]
	}
	return out, nil
}

// draw draws one exam. It fills the exam up, as long as a question fits.
func draw(list []Question, groups map[string][]int, lectures []string, by Choice, random *rand.Rand) (chosen []int, points, minutes float64) {
	rounds := 0
	order := make([][]int, len(lectures))
	for i, at := range random.Perm(len(lectures)) {
		group := groups[lectures[at]]
		for _, k := range random.Perm(len(group)) {
			order[i] = append(order[i], group[k])
		}
		rounds = max(rounds, len(group))
	}
	for r := range rounds {
		for _, group := range order {
			if r >= len(group) {
				continue
			}
			q := list[group[r]]
			if by.Points > 0 && points+q.Points > by.Points || by.Minutes > 0 && minutes+q.Minutes > by.Minutes {
				continue
			}
			chosen = append(chosen, group[r])
			points, minutes = round(points+q.Points), round(minutes+q.Minutes)
		}
	}
	return chosen, points, minutes
}

// Exam returns a source notebook with the questions, numbered in this order. [Release] makes the
// version for students from it.
func Exam(bank *notebook.Notebook, title string, common []*notebook.Cell, questions []Question) (*notebook.Notebook, error) {
	points, minutes := 0.0, 0.0
	for _, q := range questions {
		points, minutes = round(points+q.Points), round(minutes+q.Minutes)
	}
	head := fmt.Sprintf("# %s\n\n*%d questions · %s points · %s minutes*\n\n"+
		"Answer in the cell below each question. Show your steps: they earn points too.", title, len(questions), Number(points), Number(minutes))
	nb := &notebook.Notebook{Metadata: bank.Metadata}
	nb.Cells = append(nb.Cells, &notebook.Cell{ID: "title", Type: notebook.Markdown, Source: head, Metadata: map[string]any{}})
	nb.Cells = append(nb.Cells, common...)
	for _, q := range questions {
		nb.Cells = append(nb.Cells, q.Cells...)
	}
	nb, err := clone(nb)
	if err != nil {
		return nil, err
	}
	at := 1 + len(common)
	for i, q := range questions {
		c := nb.Cells[at]
		parts := strings.SplitN(c.Source, "\n\n", 3)
		if len(parts) < 3 {
			return nil, fmt.Errorf("cell %s: a question must have a heading, a line in italics, and a text", c.ID)
		}
		c.Source = fmt.Sprintf("## %d. %s\n\n*%s points · %s minutes*\n\n%s", i+1, q.Title, Number(q.Points), Number(q.Minutes), parts[2])
		at += len(q.Cells)
	}
	return nb, nil
}

// Named returns the questions with these IDs, in this order.
func Named(list []Question, ids []string) (out []Question, err error) {
	for i, id := range ids {
		k := slices.IndexFunc(list, func(q Question) bool { return q.ID == id })
		if k < 0 {
			return nil, fmt.Errorf("there is no question %q: gokernel exam BANK --list prints the IDs", id)
		}
		if slices.Contains(ids[:i], id) {
			return nil, fmt.Errorf("the question %s is named twice", id)
		}
		out = append(out, list[k])
	}
	return out, nil
}

// Lectures returns the lectures of the questions, sorted.
func Lectures(list []Question) (names []string) {
	for _, q := range list {
		names = append(names, q.Lecture)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
