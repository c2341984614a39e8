package eval

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Scores holds the scores that one run of a [Sweeping] measured, by name.
type Scores map[string]float64

// Sweeping holds the scores of an experiment at each value of one quantity, repeated with different
// random numbers.
type Sweeping struct {
	Axis   string
	X      []float64
	Series []string      // names of the scores, in ascending order unless Order changes it
	Runs   [][][]float64 // one per series, with one row per value and one column per repetition
}

// NewSweep runs the experiment repeats times at each value, with the seeds 1, 2 ... The seeds are
// the same at every value, so that differences come from the quantity and not from chance. All runs
// must measure the same scores.
//
// If a run panics, NewSweep stops and panics with the same value. It panics with a [*model.Error]
// if there is nothing to run.
func NewSweep(axis string, values []float64, repeats int, run func(value float64, seed uint64) Scores) *Sweeping {
	const op = "Sweep"
	if len(values) == 0 || repeats < 1 || run == nil {
		panic(model.Errorf(op, "there must be at least one value and one repeat, and the function must not be nil, got %d values and %d repeats", len(values), repeats))
	}
	s := &Sweeping{Axis: axis, X: slices.Clone(values)}
	for i, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			panic(model.Errorf(op, "value %d must be finite, got %v", i, v))
		}
		for k := range repeats {
			s.add(op, i, k, repeats, run(v, uint64(k+1)))
		}
	}
	return s
}

// add keeps the scores of repetition k at value i.
func (s *Sweeping) add(op string, i, k, repeats int, scores Scores) {
	names := make([]string, 0, len(scores))
	for name := range scores {
		names = append(names, name)
	}
	slices.Sort(names)
	if s.Runs == nil {
		s.Series = names
		for range names {
			rows := make([][]float64, len(s.X))
			for j := range rows {
				rows[j] = make([]float64, repeats)
			}
			s.Runs = append(s.Runs, rows)
		}
	}
	if !slices.Equal(names, s.Series) {
		panic(model.Errorf(op, "all runs must return scores with the same names, but the run with %s = %v and seed %d returned %s, and the first run returned %s", s.Axis, s.X[i], k+1, quoteAll(names), quoteAll(s.Series)).
			WithHint("return a map with the same keys from each run"))
	}
	for j, name := range names {
		s.Runs[j][i][k] = scores[name]
	}
}

// Order moves the named series to the front, in the given order. Curves and legends use this order.
// It returns the sweep itself, and panics with a [*model.Error] if a series does not exist or is
// named twice.
func (s *Sweeping) Order(series ...string) *Sweeping {
	names, runs := []string{}, [][][]float64{}
	take := func(name string) {
		names, runs = append(names, name), append(runs, s.runs(name))
	}
	for _, name := range series {
		if slices.Contains(names, name) {
			panic(model.Errorf("Sweep", "Order must name each series once, got %q twice", name))
		}
		take(name)
	}
	for _, name := range s.Series {
		if !slices.Contains(names, name) {
			take(name)
		}
	}
	s.Series, s.Runs = names, runs
	return s
}

func quoteAll(names []string) string {
	if len(names) == 0 {
		return "nothing"
	}
	return fmt.Sprintf("%q", names)
}

// Mean returns the mean of a series at each value.
func (s *Sweeping) Mean(series string) []float64 { return rowMeans(s.runs(series)) }

// StdErr returns the standard error of that mean: the standard deviation over the repetitions
// divided by the square root of the number of repetitions. It is 0 for a single repetition.
func (s *Sweeping) StdErr(series string) []float64 {
	rows := s.runs(series)
	out := make([]float64, len(rows))
	for i, r := range rows {
		if len(r) > 1 {
			out[i] = stat.StdDev(r, nil) / math.Sqrt(float64(len(r)))
		}
	}
	return out
}

func (s *Sweeping) runs(series string) [][]float64 {
	j := slices.Index(s.Series, series)
	if j < 0 {
		panic(model.Errorf("Sweep", "there is no series %q", series).WithHint("use one of %s", quoteAll(s.Series)))
	}
	return s.Runs[j]
}

// String returns the means as aligned text.
func (s *Sweeping) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%12s", s.Axis)
	for _, name := range s.Series {
		fmt.Fprintf(&b, "  %10s", name)
	}
	for i, x := range s.X {
		fmt.Fprintf(&b, "\n%12.6g", x)
		for j := range s.Series {
			fmt.Fprintf(&b, "  %10.4f", stat.Mean(s.Runs[j][i], nil))
		}
	}
	return b.String()
}
