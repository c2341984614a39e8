package inference

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat"

	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/finite"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Samples returns one sample for each value of the column group: the values of the column y in the
// rows with this value of group. The samples are in the order of the levels of group or, if group
// contains neither categories nor strings, in the order of its values. Rows with a missing value in
// either column are left out.
func Samples(f *frame.Frame, y, group string) [][]float64 {
	_, samples := grouped("Samples", f, y, group)
	return samples
}

// grouped returns the groups and their numbers.
func grouped(op string, f *frame.Frame, y, group string) (names []string, samples [][]float64) {
	v, g := f.Col(y).Floats(), f.Col(group)
	at := map[string]int{}
	switch g.Kind() {
	case frame.CategoryKind, frame.StringKind:
		names = g.Levels()
	default:
		values := g.Values()
		for i := range values.Len() {
			if !values.IsMissing(i) {
				names = append(names, values.Text(i))
			}
		}
	}
	for k, n := range names {
		at[n] = k
	}
	samples = make([][]float64, len(names))
	for i, a := range v {
		if math.IsNaN(a) || g.IsMissing(i) {
			continue
		}
		k := at[g.Text(i)]
		samples[k] = append(samples[k], a)
	}
	for k := len(names) - 1; k >= 0; k-- {
		if samples[k] == nil {
			names, samples = slices.Delete(names, k, k+1), slices.Delete(samples, k, k+1)
		}
	}
	if len(names) < 2 {
		panic(model.Errorf(op, "column %q must have at least 2 groups with values of %q, got %d", group, y, len(names)))
	}
	return names, samples
}

// mustSamples panics unless all values are finite and each sample has at least the given number of
// values.
func mustSamples(op string, least int, samples ...[]float64) {
	for k, s := range samples {
		if len(s) < least {
			panic(model.Errorf(op, "sample %d must have at least %d values, got %d", k+1, least, len(s)))
		}
		if i := finite.First(s); i >= 0 {
			panic(model.Errorf(op, "value %d of sample %d must be finite, got %v", i, k+1, s[i]).WithHint("leave out missing values"))
		}
	}
}

func mustGroups(op string, least int, groups [][]float64) {
	if len(groups) < 2 {
		panic(model.Errorf(op, "there must be at least 2 groups, got %d", len(groups)).WithHint("pass ml.Samples(f, \"y\", \"group\")..."))
	}
	mustSamples(op, least, groups...)
}

func mustPairs(op string, least int, a, b []float64) {
	if len(a) != len(b) {
		panic(model.Errorf(op, "the samples must have equal lengths, got %d and %d", len(a), len(b)))
	}
	mustSamples(op, least, a, b)
}

// sided returns the P of a test from the probabilities of the two tails, and the name of the test
// with the side.
func sided(op string, alternative []string, lower, upper float64) (p float64, side string) {
	if len(alternative) == 0 {
		return min(1, 2*min(lower, upper)), ""
	}
	switch alternative[0] {
	case "two-sided":
		return min(1, 2*min(lower, upper)), ""
	case "less":
		return lower, ", less"
	case "greater":
		return upper, ", greater"
	}
	panic(model.Errorf(op, "the alternative must be \"two-sided\", \"less\" or \"greater\", got %q", alternative[0]))
}

// z975 is the 97.5 % quantile of the standard normal distribution.
var z975 = -mathext.NormalQuantile(0.025)

// ranks returns the ranks of the values, where ties share their mean rank, and Σ(t³ − t) over the
// ties.
func ranks(v []float64) (r []float64, ties float64) {
	order := make([]int, len(v))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case v[a] < v[b]:
			return -1
		case v[a] > v[b]:
			return 1
		}
		return a - b
	})
	r = make([]float64, len(v))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && v[order[j]] == v[order[i]] {
			j++
		}
		for _, k := range order[i:j] {
			r[k] = float64(i+j+1) / 2
		}
		t := float64(j - i)
		ties += t*t*t - t
		i = j
	}
	return r, ties
}

func variance(v []float64) float64 { return stat.Variance(v, nil) }

func estimate(value, se, q float64) eval.Estimate {
	return eval.Estimate{Value: value, Low: value - q*se, High: value + q*se, StdErr: se}
}
