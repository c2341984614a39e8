package data

import (
	"math"
	"slices"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Shuffle returns the examples in a random order, which depends only on seed.
func (d *Dataset) Shuffle(seed uint64) *Dataset {
	return d.Subset(model.Rand(seed, 0).Perm(d.Len()))
}

// Split splits the examples at random into a training and a test set; the test set gets the
// fraction testFraction of the examples, rounded to the nearest whole number. Classes keep their
// proportions as nearly as whole examples allow (largest remainders first). Each part has at least
// one example. The order depends on the classes: the training set may begin with examples of one
// class, and the test set may end with them. For a learner that takes examples one by one, call
// [Dataset.Shuffle].
//
// It panics with a [*model.Error] when testFraction is not between 0 and 1, or
// leaves one part empty.
//
// Course: CORE-09, CORE-12.
func (d *Dataset) Split(testFraction float64, seed uint64) (train, test *Dataset) {
	n := d.Len()
	if !(testFraction > 0 && testFraction < 1) {
		panic(model.Errorf("Dataset.Split", "testFraction must be between 0 and 1, got %v", testFraction).WithHint("use a fraction such as 0.3"))
	}
	want := int(math.Round(testFraction * float64(n)))
	if want == 0 || want == n {
		panic(model.Errorf("Dataset.Split", "each part must have at least one example, but a test fraction of %v of %d examples leaves one part empty", testFraction, n))
	}
	perm := model.Rand(seed, 0).Perm(n)
	take := []int{want}
	class := func(int) int { return 0 }
	if d.Y != nil {
		classes, index := model.Classes(d.Y)
		counts := make([]int, len(classes))
		for _, c := range index {
			counts[c]++
		}
		take = apportion(counts, want)
		class = func(i int) int { return index[i] }
	}
	var trainRows, testRows []int
	for _, i := range perm {
		if c := class(i); take[c] > 0 {
			take[c]--
			testRows = append(testRows, i)
		} else {
			trainRows = append(trainRows, i)
		}
	}
	return d.Subset(trainRows), d.Subset(testRows)
}

// SplitThree splits the examples at random into a training, a tuning and a test set, stratified
// like [Dataset.Split]. Fit parameters on the training set, choose hyperparameters (the depth of a
// tree, K, a penalty) on the tuning set, and evaluate once on the test set, at the end.
//
// Course: CORE-11, CORE-12.
func (d *Dataset) SplitThree(tuneFraction, testFraction float64, seed uint64) (train, tune, test *Dataset) {
	if !(tuneFraction > 0) || !(tuneFraction+testFraction < 1) {
		panic(model.Errorf("Dataset.SplitThree", "tuneFraction and testFraction must be positive and sum to less than 1, got %v and %v", tuneFraction, testFraction))
	}
	rest, test := d.Split(testFraction, seed)
	train, tune = rest.Split(tuneFraction/(1-testFraction), seed+1)
	return train, tune, test
}

// apportion divides want among groups in proportion to their counts by largest
// remainders; ties go to the earlier group.
func apportion(counts []int, want int) []int {
	n := 0
	for _, c := range counts {
		n += c
	}
	take := make([]int, len(counts))
	order := make([]int, len(counts))
	left := want
	for c, k := range counts {
		take[c] = k * want / n
		left -= take[c]
		order[c] = c
	}
	slices.SortStableFunc(order, func(a, b int) int { return counts[b]*want%n - counts[a]*want%n })
	for _, c := range order[:left] {
		take[c]++
	}
	return take
}
