package grading

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/page"
	"github.com/gokernel/gokernel/display/chart"
)

// Statistics describes the points of a class.
type Statistics struct {
	Graded, Failed int // submissions that could and could not be graded
	Of             float64
	Points         []float64 // totals, sorted
	Tasks          []TaskStatistics
}

// TaskStatistics describes the points of a graded cell.
type TaskStatistics struct {
	ID         string
	Of         float64
	Mean       float64
	Full, Zero int // numbers of students with all points and with none
	Marked     int // number of students whose points are known
	// Discrimination is the correlation of the points with the points of the other tasks. It is NaN
	// if all students have the same points.
	Discrimination float64
}

// Summarize computes the statistics of graded submissions.
func Summarize(all []Graded) Statistics {
	var s Statistics
	var ids []string
	scores := map[string][]Score{}
	rest := map[string][]float64{}
	for _, g := range all {
		if g.Result == nil {
			s.Failed++
			continue
		}
		s.Graded++
		earned, of, _ := g.Points()
		s.Of = max(s.Of, of)
		s.Points = append(s.Points, earned)
		raw := g.earned()
		for _, sc := range g.Scores {
			if sc.Of <= 0 {
				continue
			}
			if !slices.Contains(ids, sc.ID) {
				ids = append(ids, sc.ID)
			}
			if sc.Manual && !sc.Marked {
				continue
			}
			scores[sc.ID] = append(scores[sc.ID], sc)
			rest[sc.ID] = append(rest[sc.ID], raw-sc.Points)
		}
	}
	slices.Sort(s.Points)
	for _, id := range ids {
		t := TaskStatistics{ID: id, Marked: len(scores[id]), Discrimination: math.NaN()}
		var points []float64
		for _, sc := range scores[id] {
			t.Of = max(t.Of, sc.Of)
			points = append(points, sc.Points)
			switch {
			case sc.Points >= sc.Of:
				t.Full++
			case sc.Points == 0:
				t.Zero++
			}
		}
		if len(points) > 0 {
			t.Mean = mean(points)
			t.Discrimination = correlation(points, rest[id])
		}
		s.Tasks = append(s.Tasks, t)
	}
	return s
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// deviation returns the sample standard deviation, and 0 for fewer than two values.
func deviation(x []float64) float64 {
	if len(x) < 2 {
		return 0
	}
	m, sum := mean(x), 0.0
	for _, v := range x {
		sum += (v - m) * (v - m)
	}
	return math.Sqrt(sum / float64(len(x)-1))
}

func correlation(x, y []float64) float64 {
	mx, my := mean(x), mean(y)
	var xx, yy, xy float64
	for i := range x {
		xx += (x[i] - mx) * (x[i] - mx)
		yy += (y[i] - my) * (y[i] - my)
		xy += (x[i] - mx) * (y[i] - my)
	}
	if xx < 1e-12 || yy < 1e-12 {
		return math.NaN()
	}
	return xy / math.Sqrt(xx*yy)
}

// Quantile returns a quantile of the totals by linear interpolation.
func (s Statistics) Quantile(p float64) float64 {
	if len(s.Points) == 0 {
		return math.NaN()
	}
	at := p * float64(len(s.Points)-1)
	low := int(at)
	if low+1 >= len(s.Points) {
		return s.Points[len(s.Points)-1]
	}
	return s.Points[low] + (at-float64(low))*(s.Points[low+1]-s.Points[low])
}

// Line returns the statistics in one line.
func (s Statistics) Line() string {
	if s.Graded == 0 {
		return "no submission was graded"
	}
	return fmt.Sprintf("%s: mean %.1f, median %.1f of %s points", plural(float64(s.Graded), "submission"), mean(s.Points), s.Quantile(0.5), Number(s.Of))
}

// Page returns an HTML page for the teacher. It names no student.
func (s Statistics) Page(title string) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s: statistics\n\n", cellText(title))
	if s.Graded == 0 {
		b.WriteString("No submission was graded.\n")
		return page.Render(book1(b.String()), title, page.Options{})
	}
	fmt.Fprintf(&b, "%s graded", plural(float64(s.Graded), "submission"))
	if s.Failed > 0 {
		fmt.Fprintf(&b, ", %d could not be graded", s.Failed)
	}
	b.WriteString(".\n\n| | points |\n|---|---:|\n")
	for _, row := range []struct {
		name  string
		value float64
	}{
		{"maximum possible", s.Of}, {"mean", mean(s.Points)}, {"standard deviation", deviation(s.Points)}, {"best", s.Points[len(s.Points)-1]},
		{"upper quartile", s.Quantile(0.75)}, {"median", s.Quantile(0.5)}, {"lower quartile", s.Quantile(0.25)}, {"worst", s.Points[0]},
	} {
		fmt.Fprintf(&b, "| %s | %.2f |\n", row.name, row.value)
	}
	nb := book1(b.String())
	c := chart.Hist(s.Points).X("points").Y("students").Title("Totals")
	shown, err := c.Display()
	if err != nil {
		return nil, err
	}
	nb.Cells = append(nb.Cells, &notebook.Cell{ID: "totals", Type: notebook.Code, Metadata: map[string]any{"tags": []any{"remove-input"}}, Outputs: []*notebook.Output{{Type: notebook.DisplayData, Data: shown.Data, Metadata: shown.Metadata}}})
	var tasks strings.Builder
	tasks.WriteString("## Tasks\n\nA task with a low mean is hard. *Discrimination* is the correlation with the points of the other tasks: if it is near zero or negative, look at the task and its checks.\n\n")
	tasks.WriteString("| task | students | mean | of | all points | no points | discrimination |\n|---|---:|---:|---:|---:|---:|---:|\n")
	for _, t := range s.Tasks {
		d := fmt.Sprintf("%.2f", t.Discrimination)
		if math.IsNaN(t.Discrimination) {
			d = "–"
		}
		fmt.Fprintf(&tasks, "| %s | %d | %.2f | %s | %d | %d | %s |\n", cellText(t.ID), t.Marked, t.Mean, Number(t.Of), t.Full, t.Zero, d)
	}
	nb.Cells = append(nb.Cells, &notebook.Cell{ID: "tasks", Type: notebook.Markdown, Source: tasks.String()})
	return page.Render(nb, title, page.Options{})
}

func book1(text string) *notebook.Notebook {
	return &notebook.Notebook{Metadata: map[string]any{}, Cells: []*notebook.Cell{{ID: "statistics", Type: notebook.Markdown, Source: text}}}
}
