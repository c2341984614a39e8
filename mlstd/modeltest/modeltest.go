// Package modeltest checks that an estimator satisfies the contract of package model. One call in
// the estimator's test runs every applicable check.
//
// If an estimator by its nature cannot satisfy a part of the contract, its test must list the name
// of the check in Skip, with the reason.
package modeltest

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Options adapt the checks to an estimator. The zero value runs all checks on three Gaussian clouds
// (for regression: one cloud) in four dimensions.
type Options struct {
	// Skip names the checks that do not apply, each with the reason.
	Skip map[string]string
	// Binary is set for a classifier that supports exactly two classes.
	Binary bool
	// X, with Y or Target, replaces the examples of the checks. X must have at least two columns
	// and ten rows.
	X      *mat.Dense
	Y      []int
	Target []float64
	// MinScore is the training score (accuracy or R²) that the estimator must reach; 0 means 0.9.
	MinScore float64
	// Tolerance is the maximum difference between two real-valued results that count as equal
	// although their sums may be computed in another order; 0 means 1e-9.
	Tolerance float64
}

// check is one clause of the contract; run returns an error that explains how it was violated.
type check struct {
	name string
	run  func() error
}

// runChecks runs every check that is not skipped as a subtest with the check's name.
func runChecks(t *testing.T, checks []check, skip map[string]string) {
	t.Helper()
	names := make(map[string]bool)
	for _, c := range checks {
		names[c.name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(skip)) {
		if !names[name] {
			t.Errorf("Skip names %q, which is not a check", name)
		}
		if skip[name] == "" {
			t.Errorf("Skip has no reason for %q", name)
		}
	}
	for _, c := range checks {
		if _, ok := skip[c.name]; ok {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			if err := guarded(c.run); err != nil {
				t.Error(err)
			}
		})
	}
}

// guarded converts a panic of f to an error.
func guarded(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return f()
}

// mustPanic requires that f panics with a *model.Error.
func mustPanic(what string, f func()) (err error) {
	defer func() {
		r := recover()
		if e, ok := r.(error); ok {
			var m *model.Error
			if errors.As(e, &m) {
				err = nil
				return
			}
		}
		err = fmt.Errorf("%s: got panic %v, want a panic with *model.Error", what, r)
	}()
	f()
	return nil
}

// mustRefuse requires that f returns a *model.Error.
func mustRefuse(what string, f func() error) error {
	err := guarded(f)
	var m *model.Error
	if !errors.As(err, &m) {
		return fmt.Errorf("%s: got %v, want a *model.Error", what, err)
	}
	if m.Op == "" || m.What == "" {
		return fmt.Errorf("%s: the error %+v does not say where or what", what, m)
	}
	return nil
}

// refusedOr runs f and accepts success or a *model.Error. Any other error or panic is returned.
func refusedOr(f func() error) error {
	err := guarded(f)
	var m *model.Error
	if errors.As(err, &m) {
		return nil
	}
	return err
}

// counts are the names of parameters that count something: iterations, members, neighbors, levels.
// 0 means the default, and a negative number is an error.
var counts = []string{"Components", "Degree", "Epochs", "K", "MaxDepth", "MaxIter", "MaxLeaves", "Rounds", "Size", "Trees"}

// negativeCounts requires that fit returns an error for an estimator with a negative count.
func negativeCounts(fresh func() any, fit func(est any) error) error {
	for _, name := range counts {
		est := fresh()
		v := reflect.ValueOf(est)
		if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
			return nil
		}
		f := v.Elem().FieldByName(name)
		if !f.IsValid() || f.Kind() != reflect.Int || !f.CanSet() {
			continue
		}
		f.SetInt(-1)
		if err := mustRefuse(name+" of -1", func() error { return fit(est) }); err != nil {
			return err
		}
	}
	return nil
}

// clouds draws k Gaussian clouds of n rows each, with standard deviation 1. The mean of cloud c is
// 6 in column c and 0 elsewhere.
func clouds(k, n, cols int) (*mat.Dense, []int) {
	rng := model.Rand(42, 0)
	x := mat.NewDense(k*n, cols, nil)
	y := make([]int, k*n)
	for i := range k * n {
		y[i] = i % k
		for j := range cols {
			v := rng.NormFloat64()
			if j == y[i] {
				v += 6
			}
			x.Set(i, j, v)
		}
	}
	return x, y
}

// line draws rows whose target is a linear function of the columns with small noise.
func line(n, cols int) (*mat.Dense, []float64) {
	rng := model.Rand(43, 0)
	x := mat.NewDense(n, cols, nil)
	y := make([]float64, n)
	for i := range n {
		for j := range cols {
			v := rng.NormFloat64()
			x.Set(i, j, v)
			y[i] += float64(j+1) * v
		}
		y[i] += 3 + 0.1*rng.NormFloat64()
	}
	return x, y
}

func withValue(x *mat.Dense, v float64) *mat.Dense {
	c := mat.DenseCopyOf(x)
	r, k := c.Dims()
	c.Set(r/2, k-1, v)
	return c
}

func withConstant(x *mat.Dense) *mat.Dense {
	c := mat.DenseCopyOf(x)
	r, k := c.Dims()
	for i := range r {
		c.Set(i, k-1, 2)
	}
	return c
}

func dropColumn(x *mat.Dense) *mat.Dense {
	r, k := x.Dims()
	return mat.DenseCopyOf(x.Slice(0, r, 0, k-1))
}

func permutation(n int) []int { return model.Rand(44, 0).Perm(n) }

// forms returns x as matrices of other types with the same values.
func forms(x *mat.Dense) map[string]mat.Matrix {
	r, k := x.Dims()
	wide := mat.NewDense(r+1, k+2, nil)
	view := wide.Slice(0, r, 1, k+1).(*mat.Dense)
	view.Copy(x)
	cols := make([]model.Column, k)
	for j := range cols {
		cols[j].Name = fmt.Sprint("column ", j)
	}
	return map[string]mat.Matrix{
		"a view of a wider matrix":  view,
		"a transposed matrix":       mat.DenseCopyOf(x.T()).T(),
		"a Table":                   &model.Table{Dense: x, Columns: cols},
		"a Table of a wider matrix": &model.Table{Dense: view, Columns: cols},
	}
}

// withNames returns x as a table whose last column contains three names in turn.
func withNames(x *mat.Dense) *model.Table {
	d := mat.DenseCopyOf(x)
	r, k := d.Dims()
	columns := model.Numbered("column", k)
	columns[k-1] = model.Column{Name: "city", Kind: model.Nominal, Levels: []string{"Bonn", "Jena", "Ulm"}}
	for i := range r {
		d.Set(i, k-1, float64(i%3))
	}
	return &model.Table{Dense: d, Columns: columns}
}

// mustNameEncoder requires that fit returns an error for a table with a column of names, city, and
// that the error says how to encode it.
func mustNameEncoder(fit func() error) error {
	if err := mustRefuse("a nominal column", fit); err != nil {
		return err
	}
	err := fit()
	for _, word := range []string{"city", "ml.OneHotEncoder", "ml.Columns"} {
		if !strings.Contains(err.Error(), word) {
			return fmt.Errorf("the refusal of a nominal column does not mention %s: %w", word, err)
		}
	}
	return nil
}

// control returns the embedded model.Control of an estimator, or nil.
func control(est any) *model.Control {
	v := reflect.ValueOf(est)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		return nil
	}
	f := v.Elem().FieldByName("Control")
	if !f.IsValid() || f.Type() != reflect.TypeFor[model.Control]() {
		return nil
	}
	return f.Addr().Interface().(*model.Control)
}

// near returns an error if two matrices differ by more than tol; NaN equals NaN.
func near(a, b *mat.Dense, tol float64) error {
	if a == nil || b == nil {
		if a != b {
			return errors.New("one result is missing")
		}
		return nil
	}
	ar, ac := a.Dims()
	br, bc := b.Dims()
	if ar != br || ac != bc {
		return fmt.Errorf("the results are %dx%d and %dx%d", ar, ac, br, bc)
	}
	for i := range ar {
		for j := range ac {
			if err := nearValue(a.At(i, j), b.At(i, j), tol); err != nil {
				return fmt.Errorf("row %d, column %d: %w", i, j, err)
			}
		}
	}
	return nil
}

func nearSlice(a, b []float64, tol float64) error {
	if len(a) != len(b) {
		return fmt.Errorf("there are %d and %d results", len(a), len(b))
	}
	for i := range a {
		if err := nearValue(a[i], b[i], tol); err != nil {
			return fmt.Errorf("row %d: %w", i, err)
		}
	}
	return nil
}

func nearValue(a, b, tol float64) error {
	if a == b || (math.IsNaN(a) && math.IsNaN(b)) || math.Abs(a-b) <= tol*math.Max(1, math.Abs(a)) {
		return nil
	}
	return fmt.Errorf("%v and %v differ", a, b)
}

func sameInts(a, b []int) error {
	if len(a) != len(b) {
		return fmt.Errorf("there are %d and %d results", len(a), len(b))
	}
	for i := range a {
		if a[i] != b[i] {
			return fmt.Errorf("row %d: %d and %d differ", i, a[i], b[i])
		}
	}
	return nil
}

func finite(d *mat.Dense) error {
	r, c := d.Dims()
	for i := range r {
		for j := range c {
			if v := d.At(i, j); math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("row %d, column %d of the result is %v", i, j, v)
			}
		}
	}
	return nil
}

// atProcs runs f with the given GOMAXPROCS.
func atProcs(n int, f func() error) error {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(n))
	return f()
}

// atOnce runs f in four goroutines and returns the first error.
func atOnce(f func() error) error {
	var wg sync.WaitGroup
	errs := make([]error, 4)
	for i := range errs {
		wg.Go(func() { errs[i] = guarded(f) })
	}
	wg.Wait()
	return errors.Join(errs...)
}
