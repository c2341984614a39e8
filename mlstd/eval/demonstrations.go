package eval

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Leakage holds two estimates of a classifier's error. The data are pure noise, so the true error
// is 0.5.
type Leakage struct {
	Leaky  float64 // features chosen on all data, then cross-validated
	Honest float64 // features chosen inside each fold
}

// SelectionLeakage generates n examples with balanced random labels and with columns of pure noise;
// features is the number of columns. It keeps the columns that correlate best with the label, and
// cross-validates a nearest-neighbor classifier. If the columns are chosen before the split, the
// test parts influence the model, and the estimated error is near zero. If they are chosen inside
// each fold, the estimate is honest.
//
// References: [HastieTibshiraniFriedman2009] §7.10.2. Course: EVAL-20.
func SelectionLeakage(n, features, best, k int, seed uint64) (Leakage, error) {
	if n < 2*k || best < 1 || best > features {
		return Leakage{}, model.Errorf("SelectionLeakage", "the arguments must satisfy n ≥ 2k and 1 ≤ best ≤ features, got n = %d, features = %d, best = %d and k = %d", n, features, best, k)
	}
	rng := model.Rand(seed, 0)
	x, y := mat.NewDense(n, features, nil), make([]int, n)
	for i := range n {
		y[i] = i % 2
		row := x.RawRowView(i)
		for j := range row {
			row[j] = rng.NormFloat64()
		}
	}
	rng.Shuffle(n, func(i, j int) { y[i], y[j] = y[j], y[i] })
	split := StratifiedKFold{K: k, Shuffle: true, Seed: seed}
	all := &correlated{best: best}
	all.fit(x, y)
	leaky, err := CrossValidateWith(func() model.Classifier { return &correlated{best: best, chosen: all.chosen} }, x, y, split, "accuracy", Accuracy)
	if err != nil {
		return Leakage{}, err
	}
	honest, err := CrossValidateWith(func() model.Classifier { return &correlated{best: best} }, x, y, split, "accuracy", Accuracy)
	if err != nil {
		return Leakage{}, err
	}
	return Leakage{Leaky: 1 - leaky.Mean(), Honest: 1 - honest.Mean()}, nil
}

// correlated is a nearest-neighbor classifier on the columns that correlate best with a two-class
// label. If its columns are set beforehand, Fit does not choose them again.
type correlated struct {
	best   int
	chosen []int
	x      *mat.Dense
	y      []int
}

func (c *correlated) fit(x *mat.Dense, y []int) {
	_, d := x.Dims()
	label := make([]float64, len(y))
	for i, v := range y {
		label[i] = float64(v)
	}
	score, col := make([]float64, d), make([]float64, len(y))
	for j := range d {
		mat.Col(col, j, x)
		score[j] = math.Abs(stat.Correlation(col, label, nil))
	}
	order := identity(d)
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case score[a] > score[b]:
			return -1
		case score[a] < score[b]:
			return 1
		}
		return 0
	})
	c.chosen = order[:c.best]
}

func (c *correlated) Fit(x mat.Matrix, y []int) error {
	d, err := model.CheckXY("SelectionLeakage", x, y)
	if err != nil {
		return err
	}
	if c.chosen == nil {
		c.fit(d, y)
	}
	c.x, c.y = d, y
	return nil
}

func (c *correlated) Predict(x mat.Matrix) []int {
	d := model.Dense(x)
	n, _ := d.Dims()
	out := make([]int, n)
	for i := range out {
		best := math.Inf(1)
		for t := range c.y {
			dist := 0.0
			for _, j := range c.chosen {
				v := d.At(i, j) - c.x.At(t, j)
				dist += v * v
			}
			if dist < best {
				best, out[i] = dist, c.y[t]
			}
		}
	}
	return out
}

// SampleMeans draws repeats samples of n values each and returns their means. By the law of large
// numbers the means approach the expectation as n grows; by the central limit theorem the
// distribution of √n·(mean − μ)/σ approaches the normal distribution. Intervals and t-tests are
// based on this.
//
// Course: EVAL-29.
func SampleMeans(draw func(rng *rand.Rand) float64, n, repeats int, seed uint64) []float64 {
	if n < 1 || repeats < 1 {
		panic(model.Errorf("SampleMeans", "n and repeats must be positive, got %d and %d", n, repeats))
	}
	out := make([]float64, repeats)
	for r := range out {
		rng := model.Rand(seed, uint64(r))
		for range n {
			out[r] += draw(rng)
		}
		out[r] /= float64(n)
	}
	return out
}

// Coverage simulates how often an interval contains p. The function interval computes the interval
// from the number of mistakes among n examples, each of which is a mistake with probability p.
//
// Course: EVAL-21.
func Coverage(p float64, n, repeats int, interval func(wrong, n int) Estimate, seed uint64) float64 {
	rng := model.Rand(seed, 0)
	hit := 0
	for range repeats {
		wrong := 0
		for range n {
			if rng.Float64() < p {
				wrong++
			}
		}
		if e := interval(wrong, n); e.Low <= p && p <= e.High {
			hit++
		}
	}
	return ratio(hit, repeats)
}

// DomainShift holds the accuracies of a classifier on the source domain, on the target domain, and
// on the target domain after reweighting the source examples.
type DomainShift struct {
	Source, Target, Weighted float64 // accuracies
	Weights                  []float64
}

// ImportanceWeights estimates p_target(x)/p_source(x) for each row of source, so
// that a weighted fit on the source minimizes the loss on the target. Both
// densities are Gaussians with diagonal covariance; the weights have mean 1.
//
// References: [Shimodaira2000]. Course: EVAL-37.
func ImportanceWeights(source, target mat.Matrix) ([]float64, error) {
	const op = "ImportanceWeights"
	s, err := model.CheckX(op, source)
	if err != nil {
		return nil, err
	}
	t, err := model.CheckX(op, target)
	if err != nil {
		return nil, err
	}
	n, d := s.Dims()
	m, e := t.Dims()
	if d != e {
		return nil, model.Errorf(op, "source and target must have the same number of columns, got %d and %d", d, e)
	}
	if n < 2 || m < 2 {
		return nil, model.Errorf(op, "source and target must have at least 2 rows each, got %d and %d", n, m)
	}
	logw := make([]float64, n)
	cs, ct := make([]float64, n), make([]float64, m)
	for j := range d {
		mat.Col(cs, j, s)
		mat.Col(ct, j, t)
		ms, ss := stat.MeanStdDev(cs, nil)
		mt, st := stat.MeanStdDev(ct, nil)
		if ss == 0 || st == 0 {
			continue // a constant column tells the domains apart only where it differs
		}
		for i, v := range cs {
			a, b := (v-ms)/ss, (v-mt)/st
			logw[i] += (a*a-b*b)/2 + math.Log(ss/st)
		}
	}
	top, sum := slices.Max(logw), 0.0
	for i, l := range logw {
		logw[i] = math.Exp(l - top)
		sum += logw[i]
	}
	for i := range logw {
		logw[i] *= float64(n) / sum
	}
	return logw, nil
}

// MeasureShift fits one classifier to the source with importance weights and another without
// weights, and measures the accuracy of both on the target.
//
// Course: EVAL-37.
func MeasureShift(fresh func() model.WeightedClassifier, sx mat.Matrix, sy []int, tx mat.Matrix, ty []int) (*DomainShift, error) {
	w, err := ImportanceWeights(sx, tx)
	if err != nil {
		return nil, err
	}
	plain, weighted := fresh(), fresh()
	if err := plain.Fit(sx, sy); err != nil {
		return nil, err
	}
	if err := weighted.FitWeighted(sx, sy, w); err != nil {
		return nil, err
	}
	return &DomainShift{
		Source: Accuracy(sy, plain.Predict(sx)), Target: Accuracy(ty, plain.Predict(tx)),
		Weighted: Accuracy(ty, weighted.Predict(tx)), Weights: w,
	}, nil
}
