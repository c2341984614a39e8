package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

// courseEntry is a lecture in notebooks/course.json.
type courseEntry struct {
	ID    string
	Needs []string
	Class int
	Goals []string
}

// readCourse returns the lectures of the course with their notebooks, in order.
func readCourse(t *testing.T) (list []courseEntry, notebooks map[string]*notebook.Notebook) {
	t.Helper()
	b, err := os.ReadFile("../../notebooks/course.json")
	if err != nil {
		t.Fatal(err)
	}
	var c struct {
		Parts []struct{ Lectures []courseEntry }
	}
	if err := json.Unmarshal(b, &c); err != nil {
		t.Fatal(err)
	}
	notebooks = map[string]*notebook.Notebook{}
	for _, p := range c.Parts {
		for _, e := range p.Lectures {
			files, err := notebook.Glob("../../notebooks/" + e.ID + "-*.ipynb")
			if err != nil || len(files) != 1 {
				t.Fatalf("%s has %d notebooks: %v", e.ID, len(files), err)
			}
			if notebooks[e.ID], err = notebook.Read(files[0]); err != nil {
				t.Fatal(err)
			}
			list = append(list, e)
		}
	}
	return list, notebooks
}

func coursePage(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("../../docs/course", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

var (
	endOfLecture = regexp.MustCompile(`(?m)^## (?:Ten quick|Exercises|References)`)
	slipOfText   = regexp.MustCompile(`(?ms)^> \*\*Slip.*?(?:\n\n|\z)`)
	foldedText   = regexp.MustCompile(`(?s)<details>.*?</details>`)
)

// classMinutes computes the time of a lecture in class, as docs/course/syllabus.md describes it.
func classMinutes(nb *notebook.Notebook) int {
	words, cells := 0, 0
	for _, c := range nb.Cells {
		if c.Type == notebook.Code && !c.Tagged("check") {
			cells++
		}
		if c.Type != notebook.Markdown {
			continue
		}
		text, end := c.Source, endOfLecture.FindStringIndex(c.Source)
		if end != nil {
			text = text[:end[0]]
		}
		words += len(strings.Fields(foldedText.ReplaceAllString(slipOfText.ReplaceAllString(text, ""), "")))
		if end != nil {
			break
		}
	}
	return 5 * int(math.Floor((float64(words)/130+0.75*float64(cells)+10)/5+0.5))
}

// TestCourseTimes compares the time in class of each lecture with its notebook. It may differ by
// five minutes, so that a corrected sentence needs no change. Each lecture has goals.
func TestCourseTimes(t *testing.T) {
	list, notebooks := readCourse(t)
	for _, e := range list {
		if want := classMinutes(notebooks[e.ID]); max(e.Class, want)-min(e.Class, want) > 5 {
			t.Errorf(`notebooks/course.json: "class" of %s is %d, and by its words and cells %d`, e.ID, e.Class, want)
		}
		if len(e.Goals) < 2 {
			t.Errorf(`notebooks/course.json: "goals" of %s has %d goals, want at least 2`, e.ID, len(e.Goals))
		}
	}
}

var lectureOfPlan = regexp.MustCompile(`\| (N\d\d) `)

// TestSyllabus checks both plans: no lecture occurs twice, each comes after the lectures that it
// needs, and the missing ones are named. The homework in the plans exists.
func TestSyllabus(t *testing.T) {
	list, _ := readCourse(t)
	text := coursePage(t, "syllabus.md")
	for _, plan := range []string{"## Fourteen weeks", "## Twelve weeks"} {
		_, part, ok := strings.Cut(text, plan)
		if !ok {
			t.Fatalf("there is no heading %q", plan)
		}
		part, _, _ = strings.Cut(part, "\n## ")
		before, _, _ := strings.Cut(part, "| week |")
		var held []string
		for line := range strings.Lines(part) {
			if !strings.HasPrefix(line, "| ") {
				continue
			}
			// Adjacent cells share a bar, so double the bars.
			for _, m := range lectureOfPlan.FindAllStringSubmatch(strings.ReplaceAll(line, "|", "||"), -1) {
				if slices.Contains(held, m[1]) {
					t.Errorf("%s: %s occurs twice", plan, m[1])
				}
				held = append(held, m[1])
				for _, e := range list {
					for _, need := range e.Needs {
						if e.ID == m[1] && !slices.Contains(held, need) {
							t.Errorf("%s: %s comes before %s, which it needs", plan, e.ID, need)
						}
					}
				}
			}
			cells := strings.Split(line, "|")
			for _, m := range regexp.MustCompile("`([a-z-]+)`").FindAllStringSubmatch(cells[len(cells)-2], -1) {
				if _, err := os.Stat("../../notebooks/homework/" + m[1] + ".ipynb"); err != nil {
					t.Errorf("%s: there is no homework %s", plan, m[1])
				}
			}
		}
		for _, e := range list {
			if strings.HasPrefix(e.ID, "N") && e.ID != "N00" && !slices.Contains(held, e.ID) && !strings.Contains(before, e.ID) {
				t.Errorf("%s leaves out %s and doesn't name it", plan, e.ID)
			}
		}
	}
}

// TestInstructorsNotes checks that each lecture has notes, and that the cells named in them exist.
func TestInstructorsNotes(t *testing.T) {
	list, notebooks := readCourse(t)
	sections := strings.Split(coursePage(t, "instructors-notes.md"), "\n## ")
	for _, e := range list {
		if !strings.HasPrefix(e.ID, "N") || e.ID == "N00" {
			continue
		}
		at := slices.IndexFunc(sections, func(s string) bool { return strings.HasPrefix(s, e.ID+" ") })
		if at < 0 {
			t.Errorf("%s has no notes", e.ID)
			continue
		}
		for _, part := range []string{"**Students get wrong.**", "**Show live.**", "**Ask.**"} {
			if !strings.Contains(sections[at], part) {
				t.Errorf("the notes of %s lack %s", e.ID, part)
			}
		}
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(sections[at], -1) {
			if !slices.ContainsFunc(notebooks[e.ID].Cells, func(c *notebook.Cell) bool { return c.ID == m[1] }) {
				t.Errorf("the notes of %s name a cell %s, which the notebook doesn't have", e.ID, m[1])
			}
		}
	}
}
