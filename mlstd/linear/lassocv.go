package linear

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/internal/rows"
	"github.com/gokernel/gokernel/mlstd/model"
)

// LassoCV is [Lasso] with the λ that has the smallest error in cross-validation.
//
//	λ = argmin_λ (1/K) Σ_k MSE_k(λ),  λ ∈ λ_max·{1, …, 1/1000},  λ_max = maxⱼ |xⱼ·y|/n
//
// with centered xⱼ and y: at λ_max all coefficients are 0. In each fold, λ decreases from fit to
// fit along a path. Each fit starts from the coefficients of the previous fit, so the whole path
// takes little longer than its last fit would take by itself.
//
// Cost: K + 1 paths of [Lasso]. Scale the columns first.
//
// References: [FriedmanHastieTibshirani2010]. Course: LIN-06, EVAL-17.
type LassoCV struct {
	// Lambdas is the list of penalties λ to choose from; nil means 100 from λ_max
	// down to λ_max/1000.
	Lambdas []float64
	// Folds is the number of cross-validation folds; 0 means 5. Without Shuffle, the folds are
	// blocks of consecutive examples.
	Folds       int
	Shuffle     bool   // draw the folds instead
	Seed        uint64 // of Shuffle
	NoIntercept bool
	// MaxIter is the maximum number of sweeps of a fit; 0 means 1000.
	MaxIter int
	// Tol stops the fit when the duality gap is at most Tol; 0 means 1e-8. A larger
	// value stops earlier.
	Tol float64
	model.Control

	Lambda    float64   // set by Fit: the chosen one
	Path      []float64 // set by Fit: the values of λ tried, largest first
	Errors    []float64 // set by Fit: the cross-validated mean squared error for each λ
	Coef      []float64 // set by Fit
	Intercept float64   // set by Fit
	Columns   []string  // set by Fit: the names of the columns, if x has names
	Trace     model.Trace

	model.Fitted // set by Fit: the columns that it was given
}

// Fit chooses Lambda and finds Coef and Intercept.
func (l *LassoCV) Fit(x mat.Matrix, y []float64) error {
	model.NoteXYReal(&l.Fitted, x, y)
	l.Lambda, l.Path, l.Errors, l.Coef, l.Intercept, l.Columns, l.Trace = 0, nil, nil, nil, 0, nil, model.Trace{}
	e := ElasticNetCV{Lambdas: l.Lambdas, L1Ratios: []float64{1}, Folds: l.Folds, Shuffle: l.Shuffle, Seed: l.Seed,
		NoIntercept: l.NoIntercept, MaxIter: l.MaxIter, Tol: l.Tol, Control: l.Control}
	if err := e.fit("LassoCV", x, y); err != nil {
		return err
	}
	l.Lambda, l.Path, l.Errors = e.Lambda, e.Paths[0], e.Errors[0]
	l.Coef, l.Intercept, l.Columns, l.Trace = e.Coef, e.Intercept, e.Columns, e.Trace
	return nil
}

// Predict returns θ·x + b for each row.
func (l *LassoCV) Predict(x mat.Matrix) []float64 {
	x = model.MustRead("LassoCV.Predict", &l.Fitted, x)
	return predict("LassoCV.Predict", x, l.Coef, l.Intercept)
}

// ElasticNetCV is [ElasticNet] with the λ and ρ that have the smallest error in
// cross-validation.
//
//	(λ, ρ) = argmin (1/K) Σ_k MSE_k(λ, ρ),  λ_max(ρ) = maxⱼ |xⱼ·y|/(n·ρ)
//
// Each ρ has its own path of λ, as in [LassoCV].
//
// Cost: K paths for each ρ, and one fit. Scale the columns first.
//
// References: [FriedmanHastieTibshirani2010], [ZouHastie2005]. Course: LIN-06, EVAL-17.
type ElasticNetCV struct {
	// Lambdas is the list of penalties λ to choose from; nil means 100 from λ_max
	// down to λ_max/1000.
	Lambdas []float64
	// L1Ratios is the list of l₁ fractions ρ to choose from; nil means 0.5.
	L1Ratios []float64
	// Folds is the number of cross-validation folds; 0 means 5. Without Shuffle, the folds are
	// blocks of consecutive examples.
	Folds       int
	Shuffle     bool   // draw the folds instead
	Seed        uint64 // of Shuffle
	NoIntercept bool
	// MaxIter is the maximum number of sweeps of a fit; 0 means 1000.
	MaxIter int
	// Tol stops the fit when the duality gap is at most Tol; 0 means 1e-8. A larger
	// value stops earlier.
	Tol float64
	model.Control

	Lambda    float64     // set by Fit: the chosen one
	L1Ratio   float64     // set by Fit: the chosen one
	Paths     [][]float64 // set by Fit: the values of λ tried for each ρ, largest first
	Errors    [][]float64 // set by Fit: the cross-validated mean squared error for each ρ and λ
	Coef      []float64   // set by Fit
	Intercept float64     // set by Fit
	Columns   []string    // set by Fit: the names of the columns, if x has names
	Trace     model.Trace

	model.Fitted // set by Fit: the columns that it was given
}

// Fit chooses Lambda and L1Ratio, and finds Coef and Intercept.
func (e *ElasticNetCV) Fit(x mat.Matrix, y []float64) error {
	model.NoteXYReal(&e.Fitted, x, y)
	return e.fit("ElasticNetCV", x, y)
}

func (e *ElasticNetCV) fit(name string, x mat.Matrix, y []float64) error {
	e.Lambda, e.L1Ratio, e.Paths, e.Errors = 0, 0, nil, nil
	e.Coef, e.Intercept, e.Columns, e.Trace = nil, 0, nil, model.Trace{}
	op := name + ".Fit"
	d, err := rows.CheckReal(op, x, y)
	if err != nil {
		return err
	}
	ratios, err := e.ratios(op)
	if err != nil {
		return err
	}
	set, err := (&ElasticNet{MaxIter: e.MaxIter, Tol: e.Tol}).settings(op)
	if err != nil {
		return err
	}
	k, err := model.Iterations(op, "Folds", e.Folds, 5)
	if err != nil {
		return err
	}
	if k < 2 || k > d.N {
		return model.Errorf(op, "Folds must be between 2 and %d (the number of examples), got %d", d.N, k)
	}
	all, err := newColumns(op, d, y, nil, !e.NoIntercept)
	if err != nil {
		return err
	}
	run := e.Begin(name, len(ratios)*k)
	defer run.End()
	paths, errors := make([][]float64, len(ratios)), make([][]float64, len(ratios))
	best, least := netSettings{}, math.Inf(1)
	for r, ratio := range ratios {
		set.ratio = ratio
		if paths[r], err = e.path(op, all, ratio); err != nil {
			return err
		}
		if errors[r], err = e.validate(op, run, r*k, foldsOf(d.N, k, e.Shuffle, e.Seed), d, y, set, paths[r]); err != nil {
			return err
		}
		for i, v := range errors[r] {
			if v < least {
				least, best = v, set
				best.lambda = paths[r][i]
			}
		}
	}
	last := ElasticNet{Lambda: best.lambda, L1Ratio: best.ratio, NoIntercept: e.NoIntercept, MaxIter: e.MaxIter, Tol: e.Tol, Control: e.Control}
	if last.Lambda == 0 {
		last.Lambda = model.Zero
	}
	if err := last.fit(op, name, x, y, nil); err != nil {
		return err
	}
	e.Lambda, e.L1Ratio, e.Paths, e.Errors = best.lambda, best.ratio, paths, errors
	e.Coef, e.Intercept, e.Columns, e.Trace = last.Coef, last.Intercept, last.Columns, last.Trace
	return nil
}

func (e *ElasticNetCV) ratios(op string) ([]float64, error) {
	if e.L1Ratios == nil {
		return []float64{0.5}, nil
	}
	for _, r := range e.L1Ratios {
		if !(r > 0 && r <= 1) || r == model.Zero {
			return nil, model.Errorf(op, "L1Ratios must be above 0 and at most 1, got %v", model.Or(r, 0)).WithHint("use RidgeCV for a pure l₂ penalty")
		}
	}
	if len(e.L1Ratios) == 0 {
		return nil, model.Errorf(op, "L1Ratios must be nil or not empty").WithHint("leave it nil for 0.5")
	}
	return e.L1Ratios, nil
}

// path returns the λ to try, largest first.
func (e *ElasticNetCV) path(op string, all *columns, ratio float64) ([]float64, error) {
	if e.Lambdas != nil {
		path := slices.Clone(e.Lambdas)
		for i, l := range path {
			if path[i] = model.Or(l, 0); !(l >= 0) || math.IsInf(l, 1) {
				return nil, model.Errorf(op, "Lambdas must be finite and not negative, got %v", l)
			}
		}
		if len(path) == 0 {
			return nil, model.Errorf(op, "Lambdas must be nil or not empty").WithHint("leave it nil for a path of 100 values")
		}
		slices.SortFunc(path, func(a, b float64) int {
			switch {
			case a > b:
				return -1
			case a < b:
				return 1
			}
			return 0
		})
		return path, nil
	}
	const points, decades = 100, 3
	top := all.strongest() / float64(all.n) / ratio
	if top == 0 { // the target or all columns are constant: all coefficients are 0 for every λ
		top = 1
	}
	path := make([]float64, points)
	for i := range path {
		path[i] = top * math.Pow(10, -decades*float64(i)/(points-1))
	}
	return path, nil
}

// foldsOf returns the fold of each example: blocks of neighbors, the first ones larger.
func foldsOf(n, k int, shuffle bool, seed uint64) []int {
	fold := make([]int, n)
	at := 0
	for f := range k {
		size := n / k
		if f < n%k {
			size++
		}
		for range size {
			fold[at] = f
			at++
		}
	}
	if shuffle {
		model.Rand(seed, 0).Shuffle(n, func(i, j int) { fold[i], fold[j] = fold[j], fold[i] })
	}
	return fold
}

// validate returns the cross-validated mean squared error for each λ.
func (e *ElasticNetCV) validate(op string, run *model.Run, done int, fold []int, d rows.Matrix, y []float64, set netSettings, path []float64) ([]float64, error) {
	k := slices.Max(fold) + 1
	errors, faults := make([][]float64, k), make([]error, k)
	par.Range(k, 1, func(lo, hi int) {
		for f := lo; f < hi; f++ {
			errors[f], faults[f] = e.foldErrors(op, run, f, fold, d, y, set, path)
		}
	})
	mean := make([]float64, len(path))
	for f := range k {
		if faults[f] != nil {
			return nil, faults[f]
		}
		for i, v := range errors[f] {
			mean[i] += v / float64(k)
		}
		if err := run.Step(done+f+1, slices.Min(errors[f])); err != nil {
			return nil, err
		}
	}
	return mean, nil
}

// foldErrors fits the path without fold f and measures its errors on fold f.
func (e *ElasticNetCV) foldErrors(op string, run *model.Run, f int, fold []int, d rows.Matrix, y []float64, set netSettings, path []float64) ([]float64, error) {
	var in, out []int
	for i, v := range fold {
		if v == f {
			out = append(out, i)
		} else {
			in = append(in, i)
		}
	}
	train, test := d.Take(in), d.Take(out)
	target := pick.Of(y, in)
	cols, err := newColumns(op, train, target, nil, !e.NoIntercept)
	if err != nil {
		return nil, err
	}
	errors, s := make([]float64, len(path)), cols.newState()
	for i, l := range path {
		set.lambda = l
		w, b := s.w, 0.0
		if l == 0 {
			if w, b, err = solve(op, run, train, target, nil, 0, !e.NoIntercept); err != nil {
				return nil, err
			}
		} else {
			_, err := cols.descend(s, set.penalty(float64(train.N)), set.tol, set.maxIter, func(int, float64, float64) error { return run.Err() })
			if err != nil {
				return nil, err
			}
			if !e.NoIntercept {
				b = cols.intercept(w)
			}
		}
		for t, row := range out {
			r := y[row] - test.Dot(t, w) - b
			errors[i] += r * r / float64(len(out))
		}
	}
	return errors, nil
}

// Predict returns θ·x + b for each row.
func (e *ElasticNetCV) Predict(x mat.Matrix) []float64 {
	x = model.MustRead("ElasticNetCV.Predict", &e.Fitted, x)
	return predict("ElasticNetCV.Predict", x, e.Coef, e.Intercept)
}
