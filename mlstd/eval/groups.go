package eval

import (
	"cmp"
	"math"
	"slices"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/model"
)

// GroupKFold cuts the examples into K slices so that all examples of a group (a patient, a
// document) are in one slice: no group is in both a training part and its test part. The largest
// groups are assigned first, each to the slice with the fewest examples. Among groups of equal
// size, the group with the largest identifier comes first. If there are as many folds as groups,
// each group is left out once.
//
// Course: EVAL-15, EVAL-20.
type GroupKFold struct {
	Groups []int // the group of each example
	K      int   // 0 means 5
}

// Split returns the K folds.
func (g GroupKFold) Split(n int, _ []int) ([]Fold, error) {
	const op = "GroupKFold.Split"
	groups, index, parts, err := checkGroups(op, g.Groups, orDefault(g.K, 5), n)
	if err != nil {
		return nil, err
	}
	size := make([]int, len(groups))
	for _, k := range index {
		size[k]++
	}
	order := identity(len(groups))
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(size[b], size[a]), cmp.Compare(b, a)) })
	of, load := make([]int, len(groups)), make([]int, parts)
	for _, k := range order {
		f := slices.Index(load, slices.Min(load))
		of[k] = f
		load[f] += size[k]
	}
	return gather(slotsOf(index, of), parts), nil
}

// slotsOf returns the fold of each example from the fold of its group.
func slotsOf(index, of []int) []int {
	out := make([]int, len(index))
	for i, k := range index {
		out[i] = of[k]
	}
	return out
}

func checkGroups(op string, of []int, k, n int) (groups, index []int, parts int, err error) {
	if len(of) != n {
		return nil, nil, 0, model.Errorf(op, "Groups must have %d entries (the number of examples), got %d", n, len(of))
	}
	if err := checkFolds(op, k, n); err != nil {
		return nil, nil, 0, err
	}
	groups, index = model.Classes(of)
	if k > len(groups) {
		return nil, nil, 0, model.Errorf(op, "K must be at most %d (the number of groups), got %d", len(groups), k)
	}
	return groups, index, k, nil
}

// StratifiedGroupKFold cuts the examples like [GroupKFold], and keeps the class proportions of each
// slice as near to the proportions of all examples as the groups allow. Groups whose class counts
// vary most are assigned first. Each group is assigned to the slice that minimizes the variation of
// the class fractions over the slices.
//
// Course: EVAL-19.
type StratifiedGroupKFold struct {
	Groups  []int // the group of each example
	K       int   // 0 means 5
	Shuffle bool  // groups that tie are in random order
	Seed    uint64
}

// Split returns the K folds.
func (g StratifiedGroupKFold) Split(n int, y []int) ([]Fold, error) {
	const op = "StratifiedGroupKFold.Split"
	groups, index, parts, err := checkGroups(op, g.Groups, orDefault(g.K, 5), n)
	if err != nil {
		return nil, err
	}
	if len(y) != n {
		return nil, model.Errorf(op, "y must have %d entries (the number of examples), got %d", n, len(y))
	}
	classes, class := model.Classes(y)
	total, counts := make([]float64, len(classes)), make([][]float64, len(groups))
	for k := range counts {
		counts[k] = make([]float64, len(classes))
	}
	for i, c := range class {
		total[c]++
		counts[index[i]][c]++
	}
	for c, t := range total {
		if int(t) < parts {
			return nil, model.Errorf(op, "each class must have at least %[3]d examples (the number of folds), got %[2]d of class %[1]d", classes[c], int(t), parts).
				WithHint("set a smaller K, or use GroupKFold")
		}
	}
	order := identity(len(groups))
	if g.Shuffle {
		model.Rand(g.Seed, 0).Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(deviation(counts[b]), deviation(counts[a])) })
	held, of := make([][]float64, parts), make([]int, len(groups))
	for f := range held {
		held[f] = make([]float64, len(classes))
	}
	for _, k := range order {
		f := bestFold(held, counts[k], total)
		of[k] = f
		for c, v := range counts[k] {
			held[f][c] += v
		}
	}
	return gather(slotsOf(index, of), parts), nil
}

// bestFold returns the fold for a group: with the group in it, the class fractions vary least over
// the folds. Ties go to the fold with the fewest examples.
func bestFold(held [][]float64, group, total []float64) int {
	best, least, fewest := 0, math.Inf(1), math.Inf(1)
	shares := make([]float64, len(held))
	for f := range held {
		value := 0.0
		for c := range total {
			for h := range held {
				shares[h] = held[h][c]
				if h == f {
					shares[h] += group[c]
				}
				shares[h] /= total[c]
			}
			value += deviation(shares) / float64(len(total))
		}
		size := 0.0
		for _, v := range held[f] {
			size += v
		}
		near := math.Abs(value-least) <= 1e-8+1e-5*math.Abs(least)
		if value < least && !(value > least*(1-1e-12)) || near && size < fewest { // not by rounding
			best, least, fewest = f, value, size
		}
	}
	return best
}

// deviation is the standard deviation, n in the denominator.
func deviation(v []float64) float64 {
	mean, sum := 0.0, 0.0
	for _, x := range v {
		mean += x / float64(len(v))
	}
	for _, x := range v {
		sum += (x - mean) * (x - mean)
	}
	return math.Sqrt(sum / float64(len(v)))
}

// TimeSeriesSplit splits examples that are sorted by time: each test part comes right after its
// training part, which begins at the first example. A model is never tested on examples that are
// earlier than its training examples.
//
//	fold k: train [0, n − (K−k)·Test − Gap), test the Test examples after the gap
//
// Course: EVAL-15, EVAL-20.
type TimeSeriesSplit struct {
	K        int // number of test parts; 0 means 5
	Test     int // examples of a test part; 0 means n/(K+1)
	Gap      int // examples that are left out between training and test
	MaxTrain int // maximum size of a training part, which keeps the last examples; 0 means no limit
}

// Split returns the K folds.
func (s TimeSeriesSplit) Split(n int, _ []int) ([]Fold, error) {
	const op = "TimeSeriesSplit.Split"
	parts := orDefault(s.K, 5)
	if err := limits.Check(op,
		limits.NotNegative("K", parts),
		limits.NotNegative("Test", s.Test),
		limits.NotNegative("Gap", s.Gap),
		limits.NotNegative("MaxTrain", s.MaxTrain)); err != nil {
		return nil, err
	}
	test := s.Test
	if test == 0 {
		test = n / (parts + 1)
	}
	if test < 1 || n-parts*test-s.Gap < 1 {
		return nil, model.Errorf(op, "the test parts must leave examples to train on, but %d parts of %d examples with a gap of %d use all %d examples", parts, test, s.Gap, n).WithHint("set fewer or smaller test parts")
	}
	var folds []Fold
	for start := n - parts*test; start < n; start += test {
		end, first := start-s.Gap, 0
		if s.MaxTrain > 0 {
			first = max(0, end-s.MaxTrain)
		}
		var f Fold
		for i := first; i < end; i++ {
			f.Train = append(f.Train, i)
		}
		for i := start; i < start+test; i++ {
			f.Test = append(f.Test, i)
		}
		folds = append(folds, f)
	}
	return folds, nil
}
