package grading

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// TestStatistics compares with numpy: np.mean, np.std(ddof=1), np.quantile, np.corrcoef.
func TestStatistics(t *testing.T) {
	var all []Graded
	for _, p := range [][3]float64{{0, 1, 2}, {2, 3, 2}, {1, 4, 2}, {2, 0, 2}, {2, 4, 2}} {
		all = append(all, Graded{Student: "x", Result: &Result{Scores: []Score{
			{ID: "f", Points: p[0], Of: 2}, {ID: "g|h", Points: p[1], Of: 4}, {ID: "same", Points: p[2], Of: 2},
			{ID: "why", Of: 3, Manual: true, Marked: p[0] == 2, Points: 1}, {ID: "given"},
		}}})
	}
	all = append(all, Graded{Student: "y", Err: errors.New("broken")})
	s := Summarize(all)
	if got := s.Line(); got != "5 submissions: mean 6.4, median 7.0 of 11 points" {
		t.Errorf("got %q", got)
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	// The totals are 3, 5, 7, 8, 9.
	near("deviation", deviation(s.Points), math.Sqrt(5.8))
	near("quartile", s.Quantile(0.25), 5)
	near("quantile", s.Quantile(0.9), 8.6)
	f := s.Tasks[0]
	near("mean of f", f.Mean, 1.4)
	near("discrimination of f", f.Discrimination, 0.4482107285003976) // with 3, 6, 6, 3, 7
	if f.Full != 3 || f.Zero != 1 || len(s.Tasks) != 4 || !math.IsNaN(s.Tasks[2].Discrimination) || s.Tasks[3].Marked != 3 || s.Failed != 1 {
		t.Errorf("%+v", s)
	}
	page, err := s.Page("trees")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"trees: statistics", "5 submissions graded, 1 could not be graded", "image/svg+xml", "g|h", "0.45"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if _, err := Summarize(nil).Page("nobody"); err != nil {
		t.Error(err)
	}
}

// TestRestore checks that lines of a table become graded submissions again, and that Keep changes
// only the points of other cells.
func TestRestore(t *testing.T) {
	source := book(cell("f", "x", "grade"), cell("g", "x", "grade"), cell("why", "x", "grade", "solution"))
	const table = "student,points,of,by hand,seconds,notes,handed in,days late,late days,penalty,f,g,why\n" +
		"ada,4,6,0,1.5,'=a; b,2026-11-20T23:59:00+01:00,2,0,0.5,2,1,1.5\nbob,0,,,,broken,,,,,,,\n"
	kept, err := ReadMarks(strings.NewReader(table))
	if err != nil {
		t.Fatal(err)
	}
	ada, bob := kept.Restore("ada", source), kept.Restore("bob", source)
	kept.Give(&ada)
	if earned, of, byHand := ada.Points(); earned != 4.5 || of != 6 || byHand != 0 || ada.Late.At.Hour() != 23 || strings.Join(ada.Notes, "|") != "=a|b" {
		t.Errorf("%v of %v, %v by hand, %+v", earned, of, byHand, *ada.Result)
	}
	if bob.Result != nil || bob.Err.Error() != "broken" || !kept.Late() {
		t.Errorf("%+v", bob)
	}
	ada.Late.Days, ada.Late.Share = 2, 1.0/9
	var b strings.Builder
	if err := WriteCSV(&b, []Graded{ada, bob}, kept); err != nil || b.String() != table {
		t.Errorf("%v\n%s\nwant\n%s", err, b.String(), table)
	}
	again := Graded{Student: "ada", Result: &Result{Scores: []Score{{ID: "f", Points: 0, Of: 2}, {ID: "g", Points: 2, Of: 2}, {ID: "why", Of: 2, Manual: true}}}}
	kept.Keep(&again, []string{"g"})
	if again.Scores[0].Points != 2 || again.Scores[1].Points != 2 {
		t.Errorf("%+v", again.Scores)
	}
	if ids := strings.Join(GradedCells(source), " "); ids != "f g why" {
		t.Errorf("got %s", ids)
	}
}
