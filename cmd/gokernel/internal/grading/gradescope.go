package grading

import (
	"encoding/json"
	"fmt"
	"strings"
)

// GradescopeTimes are the times at which Gradescope shows a test to students.
// See https://gradescope-autograders.readthedocs.io/en/latest/specs/.
var GradescopeTimes = []string{"visible", "after_due_date", "after_published", "hidden"}

// gradescopeResults is the file results.json of an autograder of Gradescope, without leaderboard.
// See https://gradescope-autograders.readthedocs.io/en/latest/specs/.
type gradescopeResults struct {
	Score            *float64         `json:"score,omitempty"` // nil for the sum of the tests
	ExecutionTime    float64          `json:"execution_time"`
	Output           string           `json:"output"`
	OutputFormat     string           `json:"output_format"`
	StdoutVisibility string           `json:"stdout_visibility"`
	Tests            []gradescopeTest `json:"tests"`
}

type gradescopeTest struct {
	Name         string  `json:"name"`
	Score        float64 `json:"score"`
	MaxScore     float64 `json:"max_score"`
	Status       string  `json:"status"`
	Output       string  `json:"output"`
	OutputFormat string  `json:"output_format"`
	Visibility   string  `json:"visibility"`
}

// Gradescope returns the content of results.json for a graded submission. Students see the points
// of visible checks at once. They see the points of hidden checks at the given time, one of
// [GradescopeTimes], with what the level allows.
func Gradescope(g Graded, level Level, when string) ([]byte, error) {
	visible := map[string]Score{}
	for _, s := range g.Visible.Scores {
		visible[s.ID] = s
	}
	r := gradescopeResults{ExecutionTime: round(g.Took.Seconds()), OutputFormat: "text", StdoutVisibility: "hidden", Tests: []gradescopeTest{}}
	byHand := 0.0
	for _, s := range g.Scores {
		switch {
		case s.Of == 0:
			continue
		case s.Manual:
			byHand += s.Of
			continue
		}
		v := visible[s.ID]
		note := told(s, v, level)
		if when == "visible" || v.Seen >= s.Of {
			r.Tests = append(r.Tests, newGradescopeTest(s.ID, s.Points, s.Of, note, "visible"))
			continue
		}
		// A rule such as Without may cost the points of visible checks, too.
		shown := min(v.Points, s.Points)
		if v.Seen > 0 {
			r.Tests = append(r.Tests, newGradescopeTest(s.ID+": the checks in the notebook", shown, v.Seen, v.Note, "visible"))
		}
		r.Tests = append(r.Tests, newGradescopeTest(s.ID+": hidden checks", round(s.Points-shown), round(s.Of-v.Seen), note, when))
	}
	var b strings.Builder
	if byHand > 0 {
		fmt.Fprintf(&b, "Up to %s more can be given by hand.\n", plural(byHand, "point"))
	}
	for _, n := range g.Visible.Notes {
		fmt.Fprintln(&b, n)
	}
	r.Output = b.String()
	return encodeGradescope(r)
}

// NotGradescope returns the content of results.json for a submission that earns nothing because it
// can't be graded.
func NotGradescope(reason string) ([]byte, error) {
	none := 0.0
	return encodeGradescope(gradescopeResults{Score: &none, Output: reason, OutputFormat: "text", StdoutVisibility: "hidden", Tests: []gradescopeTest{}})
}

func newGradescopeTest(name string, score, most float64, output, visibility string) gradescopeTest {
	status := "passed"
	if score < most {
		status = "failed"
	}
	return gradescopeTest{Name: name, Score: score, MaxScore: most, Status: status, Output: output, OutputFormat: "text", Visibility: visibility}
}

func encodeGradescope(r gradescopeResults) ([]byte, error) {
	b, err := json.MarshalIndent(r, "", "  ")
	return append(b, '\n'), err
}
