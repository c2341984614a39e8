package eval

import (
	"math"
	"slices"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Fold is one split of the examples 0 … n−1; both lists are in ascending order.
type Fold struct {
	Train, Test []int
}

// Splitter divides n examples with the classes y (nil for regression) into
// training and test parts, once or several times.
type Splitter interface {
	Split(n int, y []int) ([]Fold, error)
}

// KFold cuts the examples into K slices of nearly equal size; each slice is the test part once. Ten
// slices are usual, and five if time is short. With two slices, the training parts are disjoint.
//
// Without Shuffle, the slices are consecutive, and the first n mod K slices have one more example.
//
// Course: EVAL-15.
type KFold struct {
	K       int // 0 means 5
	Shuffle bool
	Seed    uint64
}

// Split returns the K folds.
func (k KFold) Split(n int, _ []int) ([]Fold, error) {
	parts := orDefault(k.K, 5)
	if err := checkFolds("KFold.Split", parts, n); err != nil {
		return nil, err
	}
	order := identity(n)
	if k.Shuffle {
		model.Rand(k.Seed, 0).Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
	}
	of := make([]int, n)
	at := 0
	for f := range parts {
		size := n / parts
		if f < n%parts {
			size++
		}
		for range size {
			of[order[at]] = f
			at++
		}
	}
	return gather(of, parts), nil
}

func checkFolds(op string, k, n int) error {
	if k < 2 {
		return model.Errorf(op, "K must be at least 2, got %d", k)
	}
	if k > n {
		return model.Errorf(op, "K must be between 2 and %d (the number of examples), got %d", n, k)
	}
	return nil
}

func orDefault(v, d int) int {
	if v == 0 {
		return d
	}
	return v
}

func identity(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}

// gather returns the folds, given for each example the number of the fold that tests it.
func gather(of []int, parts int) []Fold {
	folds := make([]Fold, parts)
	for i, f := range of {
		for g := range folds {
			if g == f {
				folds[g].Test = append(folds[g].Test, i)
			} else {
				folds[g].Train = append(folds[g].Train, i)
			}
		}
	}
	return folds
}

// StratifiedKFold cuts the examples so that the class proportions of each slice are nearly the
// class proportions of all examples. For example, if two classes have 40 and 60 examples, each of
// ten slices has 4 examples of the first class and 6 of the second.
//
// Course: EVAL-19.
type StratifiedKFold struct {
	K       int // 0 means 5
	Shuffle bool
	Seed    uint64
}

// Split returns the K folds. It returns an error if a class has fewer than K examples.
func (k StratifiedKFold) Split(n int, y []int) ([]Fold, error) {
	const op = "StratifiedKFold.Split"
	parts := orDefault(k.K, 5)
	if err := checkFolds(op, parts, n); err != nil {
		return nil, err
	}
	if len(y) != n {
		return nil, model.Errorf(op, "y must have %d entries (the number of examples), got %d", n, len(y))
	}
	classes, index := byAppearance(y)
	size := make([]int, len(classes))
	for _, c := range index {
		size[c]++
	}
	for c, s := range size {
		if s < parts {
			return nil, model.Errorf(op, "each class must have at least %[3]d examples (the number of folds), got %[2]d of class %[1]d", classes[c], s, parts).
				WithHint("set a smaller K, or use KFold")
		}
	}
	// Deal the sorted classes out like cards: fold f gets the entries f, f+K, ...
	sorted := slices.Clone(index)
	slices.Sort(sorted)
	share := make([][]int, parts)
	for f := range share {
		share[f] = make([]int, len(classes))
		for i := f; i < n; i += parts {
			share[f][sorted[i]]++
		}
	}
	of := make([]int, n)
	rng := model.Rand(k.Seed, 0)
	for c := range classes {
		var deal []int
		for f := range share {
			for range share[f][c] {
				deal = append(deal, f)
			}
		}
		if k.Shuffle {
			rng.Shuffle(len(deal), func(i, j int) { deal[i], deal[j] = deal[j], deal[i] })
		}
		for i, at := 0, 0; i < n; i++ {
			if index[i] == c {
				of[i] = deal[at]
				at++
			}
		}
	}
	return gather(of, parts), nil
}

// byAppearance numbers the classes in the order in which they first appear.
func byAppearance(y []int) (classes, index []int) {
	at := map[int]int{}
	index = make([]int, len(y))
	for i, c := range y {
		k, ok := at[c]
		if !ok {
			k = len(classes)
			at[c] = k
			classes = append(classes, c)
		}
		index[i] = k
	}
	return classes, index
}

// LeaveOneOut tests each example on a model fitted to all other examples: K-fold cross-validation
// with K = n. It suits k nearest neighbors, which need no refitting.
//
// Course: EVAL-16.
type LeaveOneOut struct{}

// Split returns the n folds.
func (LeaveOneOut) Split(n int, _ []int) ([]Fold, error) {
	if n < 2 {
		return nil, model.Errorf("LeaveOneOut.Split", "there must be at least 2 examples, got %d", n)
	}
	return gather(identity(n), n), nil
}

// ShuffleSplit draws Repeats random test parts independently of each other: repeated hold-out, or
// random resampling. Test parts can overlap, unlike the test parts of K-fold cross-validation.
//
// Course: EVAL-18.
type ShuffleSplit struct {
	Repeats  int     // 0 means 10
	Test     float64 // fraction of examples in the test part; 0 means 0.25
	Stratify bool    // keep the class proportions in both parts
	Seed     uint64
}

// Split returns Repeats random splits.
func (s ShuffleSplit) Split(n int, y []int) ([]Fold, error) {
	const op = "ShuffleSplit.Split"
	share := s.Test
	if share == 0 {
		share = 0.25
	}
	if s.Repeats < 0 {
		return nil, model.Errorf(op, "Repeats must not be negative, got %d", s.Repeats)
	}
	test := int(math.Ceil(share * float64(n)))
	if !(share > 0 && share < 1) || test < 1 || test >= n {
		return nil, model.Errorf(op, "each part must have at least one example, but a test fraction of %v leaves %d of %d examples for training", share, n-test, n)
	}
	group := make([]int, n)
	if s.Stratify {
		if len(y) != n {
			return nil, model.Errorf(op, "y must have %d entries (the number of examples), got %d", n, len(y))
		}
		_, group = model.Classes(y)
	}
	members := make([][]int, slices.Max(group)+1)
	for i, g := range group {
		members[g] = append(members[g], i)
	}
	var folds []Fold
	for r := range orDefault(s.Repeats, 10) {
		rng := model.Rand(s.Seed, uint64(r))
		inTest := make([]bool, n)
		for g, take := range apportion(members, test, n) {
			m := slices.Clone(members[g])
			rng.Shuffle(len(m), func(i, j int) { m[i], m[j] = m[j], m[i] })
			for _, i := range m[:take] {
				inTest[i] = true
			}
		}
		var f Fold
		for i, t := range inTest {
			if t {
				f.Test = append(f.Test, i)
			} else {
				f.Train = append(f.Train, i)
			}
		}
		folds = append(folds, f)
	}
	return folds, nil
}

// apportion divides test places among the groups by their sizes, the largest
// remainders getting the places that rounding down leaves.
func apportion(members [][]int, test, n int) []int {
	take := make([]int, len(members))
	rest := make([]float64, len(members))
	left := test
	for g, m := range members {
		exact := float64(test) * float64(len(m)) / float64(n)
		take[g] = int(exact)
		rest[g] = exact - float64(take[g])
		left -= take[g]
	}
	for ; left > 0; left-- {
		g := 0
		for h := range rest {
			if rest[h] > rest[g] {
				g = h
			}
		}
		take[g]++
		rest[g] = -1
	}
	return take
}
