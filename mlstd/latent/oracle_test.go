package latent_test

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/latent"
	"github.com/gokernel/gokernel/mlstd/model"
)

type discreteOracle struct {
	X, Start, Theta, Q [][]float64
	Alpha, Likelihood  float64
	Iterations         int
	Weights            []float64
}

type chainOracle struct {
	Data                          string
	Symbols                       [][]int
	Start, LogProb                []float64
	Trans, Emit, Posterior, Means [][]float64
	Viterbi                       []struct {
		LogProb float64
		Path    []int
	}
	Learned []struct {
		Iterations  int
		Start       []float64
		Trans, Emit [][]float64
		LogProb     float64
	}
	Rows                             [][][]float64
	Covariances                      [][][]float64
	GaussianScore, GaussianPathScore float64
	GaussianPath                     []int
	Gaussian                         []struct {
		Iterations   int
		Start        []float64
		Trans, Means [][]float64
		Covariances  [][][]float64
		LogProb      float64
	}
	Mixture struct {
		Weights, Posterior [][]float64
		Means              [][][]float64
		Covariances        [][][][]float64
		LogProb, PathScore float64
		Path               []int
	}
}

// oracle holds the results that testdata/oracles/latent.py computed with scikit-learn and hmmlearn.
type oracle struct {
	Sets []struct {
		Data         string
		X, Means     [][]float64
		Weights      []float64
		Forms        []formOracle
		Bits, Counts discreteOracle
	}
	Chains []chainOracle
}

type formOracle struct {
	Form  string
	Start any
	Runs  []struct {
		Iterations      int
		Weights         []float64
		Means, Proba    [][]float64
		Covariances     any
		Score, BIC, AIC float64
		Labels          []int
		Density         []float64
	}
}

func readOracle(t *testing.T) *oracle {
	t.Helper()
	var o oracle
	mltest.ReadOracle(t, "latent", &o)
	if len(o.Sets) != 5 || len(o.Chains) != 5 {
		t.Fatalf("%d data sets and %d chains", len(o.Sets), len(o.Chains))
	}
	return &o
}

func dense(rows [][]float64) *mat.Dense {
	d := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, r := range rows {
		d.SetRow(i, r)
	}
	return d
}

// flat returns the numbers of nested lists in their order.
func flat(v any) []float64 {
	if f, ok := v.(float64); ok {
		return []float64{f}
	}
	var out []float64
	for _, u := range v.([]any) {
		out = append(out, flat(u)...)
	}
	return out
}

func flatRows(rows [][]float64) []float64 { return slices.Concat(rows...) }

func data(ms ...*mat.Dense) []float64 {
	var out []float64
	for _, m := range ms {
		out = append(out, mat.DenseCopyOf(m).RawMatrix().Data...)
	}
	return out
}

func TestGaussianMixtureOracle(t *testing.T) {
	forms := []latent.CovarianceForm{latent.FullCovariance, latent.TiedCovariance, latent.DiagonalCovariance, latent.SphericalCovariance}
	for _, s := range readOracle(t).Sets {
		x := dense(s.X)
		_, d := x.Dims()
		for i, f := range s.Forms {
			start, sizes := flat(f.Start), [][2]int{{d, d}, {d, d}, {3, d}, {3, 1}}[i]
			var covs []*mat.Dense
			for len(start) > 0 {
				size := sizes[0] * sizes[1]
				covs = append(covs, mat.NewDense(sizes[0], sizes[1], start[:size:size]))
				start = start[size:]
			}
			for _, r := range f.Runs {
				m := &latent.GaussianMixture{Form: forms[i], InitMeans: dense(s.Means), InitWeights: s.Weights, InitCovariances: covs,
					MaxIter: r.Iterations, Tol: model.Zero}
				if err := m.Fit(x); err != nil {
					t.Fatal(s.Data, f.Form, err)
				}
				what := s.Data + " " + f.Form
				mltest.NearAll(t, what+" weights", m.Weights, r.Weights, 1e-8)
				mltest.NearAll(t, what+" means", data(m.Means), flatRows(r.Means), 1e-8)
				mltest.NearAll(t, what+" covariances", data(m.Covariances...), flat(r.Covariances), 1e-8)
				mltest.NearAll(t, what+" responsibilities", data(m.PredictProba(x.Slice(0, 6, 0, d))), flatRows(r.Proba), 1e-8)
				mltest.Near(t, what+" score", m.Score(x), r.Score, 1e-8)
				mltest.Near(t, what+" BIC", m.BIC(x), r.BIC, 1e-8)
				mltest.Near(t, what+" AIC", m.AIC(x), r.AIC, 1e-8)
				var wide mat.Dense
				wide.Scale(1.5, x.Slice(0, 6, 0, d))
				mltest.NearAll(t, what+" densities", m.LogDensity(&wide), r.Density, 1e-8)
				if !slices.Equal(m.Predict(x), r.Labels) {
					t.Errorf("%s: other labels", what)
				}
			}
		}
	}
}

func TestDiscreteMixturesOracle(t *testing.T) {
	for _, s := range readOracle(t).Sets {
		b := &latent.BernoulliMixture{InitTheta: dense(s.Bits.Start), Alpha: s.Bits.Alpha, MaxIter: s.Bits.Iterations, Tol: model.Zero}
		x := dense(s.Bits.X)
		if err := b.Fit(x); err != nil {
			t.Fatal(err)
		}
		n, _ := x.Dims()
		mltest.NearAll(t, s.Data+" weights", b.Weights, s.Bits.Weights, 1e-10)
		mltest.NearAll(t, s.Data+" theta", data(b.Theta), flatRows(s.Bits.Theta), 1e-10)
		mltest.NearAll(t, s.Data+" responsibilities", data(b.PredictProba(x)), flatRows(s.Bits.Q), 1e-10)
		mltest.Near(t, s.Data+" likelihood", b.Score(x)*float64(n), s.Bits.Likelihood, 1e-10)
		m := &latent.MultinomialMixture{InitTheta: dense(s.Counts.Start), Alpha: s.Counts.Alpha, MaxIter: s.Counts.Iterations, Tol: model.Zero}
		x = dense(s.Counts.X)
		if err := m.Fit(x); err != nil {
			t.Fatal(err)
		}
		mltest.NearAll(t, s.Data+" weights of counts", m.Weights, s.Counts.Weights, 1e-10)
		mltest.NearAll(t, s.Data+" theta of counts", data(m.Theta), flatRows(s.Counts.Theta), 1e-10)
		mltest.NearAll(t, s.Data+" responsibilities of counts", data(m.PredictProba(x)), flatRows(s.Counts.Q), 1e-10)
		mltest.Near(t, s.Data+" likelihood of counts", m.Score(x)*float64(n), s.Counts.Likelihood, 1e-10)
	}
}

func TestHMMOracle(t *testing.T) {
	for _, c := range readOracle(t).Chains {
		h := &latent.HMM{Start: c.Start, Trans: c.Trans, Emit: c.Emit}
		at := 0
		for i, seq := range c.Symbols {
			mltest.Near(t, c.Data+" log probability", h.LogProb(seq), c.LogProb[i], 1e-10)
			p := h.Posterior(seq)
			mltest.NearAll(t, c.Data+" posterior", data(p.Smoothed), flatRows(c.Posterior[at:at+len(seq)]), 1e-9)
			at += len(seq)
			path, lp := h.Path(seq)
			mltest.Near(t, c.Data+" path", lp, c.Viterbi[i].LogProb, 1e-10)
			if !slices.Equal(path, c.Viterbi[i].Path) {
				t.Errorf("%s: got path %v, want %v", c.Data, path, c.Viterbi[i].Path)
			}
		}
		for _, l := range c.Learned {
			m := &latent.HMM{Start: c.Start, Trans: c.Trans, Emit: c.Emit, MaxIter: l.Iterations, Tol: model.Zero}
			if err := m.Learn(c.Symbols); err != nil {
				t.Fatal(err)
			}
			mltest.NearAll(t, c.Data+" learned start", m.Start, l.Start, 1e-8)
			mltest.NearAll(t, c.Data+" learned transitions", flatRows(m.Trans), flatRows(l.Trans), 1e-8)
			mltest.NearAll(t, c.Data+" learned emissions", flatRows(m.Emit), flatRows(l.Emit), 1e-8)
			mltest.Near(t, c.Data+" learned likelihood", m.LogLikelihood, l.LogProb, 1e-8)
		}
	}
}

func TestGaussianHMMOracle(t *testing.T) {
	for _, c := range readOracle(t).Chains {
		var emit, mixed []latent.Normals
		for i, mean := range c.Means {
			emit = append(emit, latent.Normals{Means: dense([][]float64{mean}), Covariances: []*mat.Dense{dense(c.Covariances[i])}})
			m := latent.Normals{Weights: c.Mixture.Weights[i], Means: dense(c.Mixture.Means[i])}
			for _, cov := range c.Mixture.Covariances[i] {
				m.Covariances = append(m.Covariances, dense(cov))
			}
			mixed = append(mixed, m)
		}
		var xs []mat.Matrix
		for _, r := range c.Rows {
			xs = append(xs, dense(r))
		}
		check := func(h *latent.GaussianHMM, score, pathScore float64, want []int) {
			t.Helper()
			sum := 0.0
			for _, x := range xs {
				sum += h.LogProb(x)
			}
			mltest.Near(t, c.Data+" log density", sum, score, 1e-9)
			path, lp := h.Path(xs[0])
			mltest.Near(t, c.Data+" path", lp, pathScore, 1e-9)
			if !slices.Equal(path, want) {
				t.Errorf("%s: another path", c.Data)
			}
		}
		check(&latent.GaussianHMM{Start: c.Start, Trans: c.Trans, Emit: emit}, c.GaussianScore, c.GaussianPathScore, c.GaussianPath)
		h := &latent.GaussianHMM{Start: c.Start, Trans: c.Trans, Emit: mixed}
		check(h, c.Mixture.LogProb, c.Mixture.PathScore, c.Mixture.Path)
		at := 0
		for _, x := range xs {
			n, _ := x.Dims()
			mltest.NearAll(t, c.Data+" posterior of mixtures", data(h.Posterior(x).Smoothed), flatRows(c.Mixture.Posterior[at:at+n]), 1e-8)
			at += n
		}
		for _, l := range c.Gaussian {
			m := &latent.GaussianHMM{Start: c.Start, Trans: c.Trans, Emit: emit, MaxIter: l.Iterations, Tol: model.Zero, Ridge: model.Zero}
			if err := m.Learn(xs...); err != nil {
				t.Fatal(err)
			}
			mltest.NearAll(t, c.Data+" learned start", m.Start, l.Start, 1e-8)
			mltest.NearAll(t, c.Data+" learned transitions", flatRows(m.Trans), flatRows(l.Trans), 1e-8)
			for i, e := range m.Emit {
				mltest.NearAll(t, c.Data+" learned mean", data(e.Means), l.Means[i], 1e-8)
				mltest.NearAll(t, c.Data+" learned covariance", data(e.Covariances...), flatRows(l.Covariances[i]), 1e-8)
			}
			mltest.Near(t, c.Data+" learned likelihood", m.LogLikelihood, l.LogProb, 1e-8)
		}
	}
}
