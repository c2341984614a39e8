package prob

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Joint is the table of the joint distribution of discrete variables. It answers any question about
// the variables: sums of cells are marginal probabilities, and ratios of such sums are conditional
// probabilities. Its size is the product of the numbers of values of the variables, so the table is
// feasible only for few variables.
//
// Course: PROB-07.
type Joint struct {
	Names []string  // of the variables
	Sizes []int     // the number of values of each
	P     []float64 // the cells, the last variable counting fastest; sums to one
	Unit  Unit      // of entropies: Bits, unless set
}

// NewJoint makes a joint distribution from cells, which hold probabilities or counts. It divides
// the cells by their sum. The last variable changes fastest from cell to cell.
//
// Course: PROB-07.
func NewJoint(names []string, sizes []int, cells []float64) (*Joint, error) {
	const op = "NewJoint"
	n := 1
	for v, s := range sizes {
		if s < 1 {
			return nil, model.Errorf(op, "variable %d must have at least 1 value, got %d", v, s)
		}
		n *= s
	}
	if len(names) != len(sizes) || len(sizes) == 0 {
		return nil, model.Errorf(op, "names and sizes must have the same length, got %d and %d", len(names), len(sizes))
	}
	for v, name := range names {
		if slices.Contains(names[:v], name) {
			return nil, model.Errorf(op, "the names must be distinct, got %q twice", name)
		}
	}
	if len(cells) != n {
		return nil, model.Errorf(op, "cells must have %d entries (the product of the sizes %v), got %d", n, sizes, len(cells))
	}
	sum := 0.0
	for k, c := range cells {
		if !(c >= 0) || math.IsInf(c, 0) {
			return nil, model.Errorf(op, "cell %d must be finite and not negative, got %v", k, c)
		}
		sum += c
	}
	if sum == 0 {
		return nil, model.Errorf(op, "at least one cell must be positive, got only zeros")
	}
	j := &Joint{Names: slices.Clone(names), Sizes: slices.Clone(sizes), P: make([]float64, n)}
	for k, c := range cells {
		j.P[k] = c / sum
	}
	return j, nil
}

// CountJoint makes the joint distribution of the fractions in a sample. columns[v][i] is the value
// of variable v in example i: 0, 1, 2 and so on.
//
// Course: PROB-07.
func CountJoint(names []string, columns ...[]int) (*Joint, error) {
	const op = "CountJoint"
	if len(columns) == 0 || len(columns[0]) == 0 {
		return nil, model.Errorf(op, "columns must not be empty").WithHint("pass a column of values for each variable")
	}
	sizes := make([]int, len(columns))
	cells := 1.0
	for v, c := range columns {
		if len(c) != len(columns[0]) {
			return nil, model.Errorf(op, "all columns must have the same length, but column %d has %d values and column 0 has %d", v, len(c), len(columns[0]))
		}
		if slices.Min(c) < 0 {
			return nil, model.Errorf(op, "column %d must have values 0, 1, 2 ..., got a negative one", v)
		}
		sizes[v] = slices.Max(c) + 1
		cells *= float64(sizes[v])
	}
	if cells > 1<<26 {
		return nil, model.Errorf(op, "the table would be too large: %.3g cells", cells).WithHint("use fewer variables, or a model that factors")
	}
	counts := make([]float64, int(cells))
	for i := range columns[0] {
		at := 0
		for v, c := range columns {
			at = at*sizes[v] + c[i]
		}
		counts[at]++
	}
	return NewJoint(names, sizes, counts)
}

func (j *Joint) variable(op, name string) int {
	v := slices.Index(j.Names, name)
	if v < 0 {
		panic(model.Errorf(op, "there is no variable %q", name).WithHint("use one of %s", strings.Join(j.Names, ", ")))
	}
	return v
}

// At returns the probability of one combination of values, one for each variable.
func (j *Joint) At(values ...int) float64 {
	const op = "Joint.At"
	if len(values) != len(j.Sizes) {
		panic(model.Errorf(op, "values must have %d entries (the number of variables), got %d", len(j.Sizes), len(values)))
	}
	at := 0
	for v, k := range values {
		j.mustValue(op, v, k)
		at = at*j.Sizes[v] + k
	}
	return j.P[at]
}

func (j *Joint) mustValue(op string, v, k int) {
	if k < 0 || k >= j.Sizes[v] {
		panic(model.Errorf(op, "%s must be between 0 and %d, got %d", j.Names[v], j.Sizes[v]-1, k))
	}
}

// each calls f with the values of every cell and its probability. The slice is
// reused.
func (j *Joint) each(f func(values []int, p float64)) {
	values := make([]int, len(j.Sizes))
	for _, p := range j.P {
		f(values, p)
		for v := len(values) - 1; v >= 0; v-- {
			if values[v]++; values[v] < j.Sizes[v] {
				break
			}
			values[v] = 0
		}
	}
}

// Marginal returns the joint distribution of the named variables, in that order: it sums out all
// other variables.
//
//	p(a) = Σ_b p(a, b)
//
// Course: PROB-07.
func (j *Joint) Marginal(names ...string) *Joint {
	const op = "Joint.Marginal"
	if len(names) == 0 {
		panic(model.Errorf(op, "at least one variable must be named").WithHint("name the variables to keep"))
	}
	m := &Joint{Names: slices.Clone(names), Unit: j.Unit}
	var from []int
	n := 1
	for k, name := range names {
		if slices.Contains(names[:k], name) {
			panic(model.Errorf(op, "each variable must be named once, got %s twice", name))
		}
		v := j.variable(op, name)
		from = append(from, v)
		m.Sizes = append(m.Sizes, j.Sizes[v])
		n *= j.Sizes[v]
	}
	m.P = make([]float64, n)
	j.each(func(values []int, p float64) {
		at := 0
		for k, v := range from {
			at = at*m.Sizes[k] + values[v]
		}
		m.P[at] += p
	})
	return m
}

// Given returns the conditional distribution of the other variables, given the values in evidence.
//
//	p(a | b) = p(a, b) / p(b)
//
// It panics with a [*model.Error] if the evidence has probability zero or contains every variable.
//
// Course: PROB-07.
func (j *Joint) Given(evidence map[string]int) *Joint {
	const op = "Joint.Given"
	fixed := make([]int, len(j.Sizes))
	for v := range fixed {
		fixed[v] = -1
	}
	for name, k := range evidence {
		v := j.variable(op, name)
		j.mustValue(op, v, k)
		fixed[v] = k
	}
	g := &Joint{Unit: j.Unit}
	for v, k := range fixed {
		if k < 0 {
			g.Names, g.Sizes = append(g.Names, j.Names[v]), append(g.Sizes, j.Sizes[v])
		}
	}
	if len(g.Names) == 0 {
		panic(model.Errorf(op, "the evidence must leave at least one variable").WithHint("remove at least one of %s from the evidence", strings.Join(j.Names, ", ")))
	}
	sum := 0.0
	j.each(func(values []int, p float64) {
		for v, k := range fixed {
			if k >= 0 && values[v] != k {
				return
			}
		}
		g.P = append(g.P, p)
		sum += p
	})
	if sum == 0 {
		panic(model.Errorf(op, "the evidence must have a positive probability, got 0 for %v", evidence))
	}
	for k := range g.P {
		g.P[k] /= sum
	}
	return g
}

// Chain returns the factors of the chain rule for one value of each variable.
//
//	p(x₁, …, xₙ) = p(x₁)·p(x₂|x₁)·…·p(xₙ|x₁, …, xₙ₋₁)
//
// Their product is [Joint.At]. The factors after a zero factor are NaN.
//
// Course: PROB-07.
func (j *Joint) Chain(values ...int) []float64 {
	j.At(values...) // checks them
	factors := make([]float64, len(values))
	before := 1.0
	for v := range values {
		now := j.Marginal(j.Names[:v+1]...).At(values[:v+1]...)
		factors[v] = now / before
		before = now
	}
	return factors
}

// Entropy returns the joint entropy of the named variables, or of all variables if no variables are
// named.
//
// Course: PROB-01.
func (j *Joint) Entropy(names ...string) float64 {
	if len(names) == 0 {
		return Entropy(j.P, j.Unit)
	}
	return Entropy(j.Marginal(names...).P, j.Unit)
}

// ConditionalEntropy returns the remaining entropy of one variable if the given variables are
// known.
//
//	H(Y|X) = Σₓ p(x)·H(Y|X=x) = H(X,Y) − H(X),   H(Y|X=x) = −Σ p(y|x) log₂ p(y|x)
//
// Course: PROB-02.
func (j *Joint) ConditionalEntropy(of string, given ...string) float64 {
	if len(given) == 0 {
		return j.Entropy(of)
	}
	return max(0, j.Entropy(append([]string{of}, given...)...)-j.Entropy(given...))
}

// MutualInformation returns I(A;B) = H(A) − H(A|B).
//
// Course: PROB-03.
func (j *Joint) MutualInformation(a, b string) float64 {
	return max(0, j.Entropy(a)+j.Entropy(b)-j.Entropy(a, b))
}

// ConditionalMutualInformation returns the information that a and b have about each other when the
// given variables are known. It is 0 if a and b are independent given these variables. Naive Bayes
// assumes that all features are independent given the class.
//
//	I(A;B|C) = H(A|C) − H(A|B,C) = H(A,C) + H(B,C) − H(A,B,C) − H(C)
//
// Course: PROB-04.
func (j *Joint) ConditionalMutualInformation(a, b string, given ...string) float64 {
	if len(given) == 0 {
		return j.MutualInformation(a, b)
	}
	with := func(names ...string) float64 { return j.Entropy(append(names, given...)...) }
	return max(0, with(a)+with(b)-with(a, b)-j.Entropy(given...))
}

// String returns a list of the cells with their probabilities.
func (j *Joint) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  p\n", strings.Join(j.Names, "  "))
	j.each(func(values []int, p float64) {
		for v, k := range values {
			fmt.Fprintf(&b, "%*d  ", len(j.Names[v]), k)
		}
		fmt.Fprintf(&b, "%.4g\n", p)
	})
	return b.String()
}
