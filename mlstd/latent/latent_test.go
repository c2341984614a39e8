package latent_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/cluster"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/latent"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/modeltest"
)

func TestConformance(t *testing.T) {
	drawn := map[string]string{"row permutation": "the start draws rows by their position"}
	for _, form := range []latent.CovarianceForm{latent.FullCovariance, latent.TiedCovariance, latent.DiagonalCovariance, latent.SphericalCovariance} {
		t.Run("GaussianMixture "+form.String(), func(t *testing.T) {
			modeltest.Clusterer(t, func() model.Clusterer { return &latent.GaussianMixture{K: 3, Form: form, Starts: 3} }, modeltest.Options{Skip: drawn})
		})
	}
	bits, class := sources(300)
	t.Run("BernoulliMixture", func(t *testing.T) {
		modeltest.Clusterer(t, func() model.Clusterer { return &latent.BernoulliMixture{K: 3, Alpha: 1, Starts: 5} },
			modeltest.Options{X: bits, Y: class, Skip: drawn})
	})
	t.Run("MultinomialMixture", func(t *testing.T) {
		modeltest.Clusterer(t, func() model.Clusterer { return &latent.MultinomialMixture{K: 3, Alpha: 1, Starts: 5} },
			modeltest.Options{X: bits, Y: class, Skip: drawn, MinScore: 0.85})
	})
}

// sources are rows of 12 bits of three kinds.
func sources(n int) (*mat.Dense, []int) {
	rng := model.Rand(7, 0)
	x, y := mat.NewDense(n, 12, nil), make([]int, n)
	for i := range y {
		y[i] = i % 3
		for j := range 12 {
			p := 0.1
			if j/4 == y[i] {
				p = 0.9
			}
			if rng.Float64() < p {
				x.Set(i, j, 1)
			}
		}
	}
	return x, y
}

// clouds are n rows around each of (0, 0) and (far, 0), the second ones wider.
func clouds(n int, far float64, seed uint64) (*mat.Dense, []int) {
	rng := model.Rand(seed, 0)
	x, y := mat.NewDense(2*n, 2, nil), make([]int, 2*n)
	for i := range y {
		y[i] = i % 2
		s := 1 + 0.5*float64(y[i])
		x.SetRow(i, []float64{far*float64(y[i]) + s*rng.NormFloat64(), s * rng.NormFloat64()})
	}
	return x, y
}

// falls returns the largest fall between neighbors.
func falls(v []float64) float64 {
	most := 0.0
	for i := 1; i < len(v); i++ {
		most = max(most, v[i-1]-v[i])
	}
	return most
}

func rises(v []float64) float64 {
	u := slices.Clone(v)
	for i := range u {
		u[i] = -u[i]
	}
	return falls(u)
}

func coins() *latent.CoinMixture {
	return &latent.CoinMixture{Heads: []int{5, 9, 8, 4, 7}, Tails: []int{5, 1, 2, 6, 3}, P: []float64{0.6, 0.5}}
}

// The experiment of Do and Batzoglou, figure 1: .71 and .58 after one iteration, .80 and
// .52 after ten.
func TestLAT01_TwoCoins(t *testing.T) {
	c, em := coins(), latent.EM{MaxIter: 10, Tol: model.Zero}
	if err := em.Run(c); err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "after one iteration", em.Trace.Weights[0], []float64{0.713, 0.581}, 5e-4)
	mltest.NearAll(t, "after ten", c.P, []float64{0.797, 0.520}, 5e-4)
	if falls(em.LogLikelihood) > 1e-12 || len(em.LogLikelihood) != 11 {
		t.Errorf("the likelihood falls: %v", em.LogLikelihood)
	}
	same := &latent.CoinMixture{Heads: c.Heads, Tails: c.Tails, P: []float64{0.5, 0.5}}
	if err := (&latent.EM{}).Run(same); err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "coins that start alike stay alike", same.P, []float64{0.66, 0.66}, 1e-12)
	free := coins()
	free.FreeShares = true
	if err := (&latent.EM{MaxIter: 1000, Tol: 1e-12}).Run(free); err != nil {
		t.Fatal(err)
	}
	if len(free.Shares) != 2 || math.Abs(free.Shares[0]+free.Shares[1]-1) > 1e-12 || free.Shares[0] == 0.5 {
		t.Errorf("the shares are %v", free.Shares)
	}
}

// The bound is tight at the posterior and below elsewhere; the entropy of q belongs to
// it (the notes leave it out, E0-67).
func TestLAT02_Bound(t *testing.T) {
	c := coins()
	joint := c.LogJoint()
	n, _ := joint.Dims()
	want := 0.0
	q := mat.NewDense(n, 2, nil)
	for i := range n {
		a, b := math.Exp(joint.At(i, 0)), math.Exp(joint.At(i, 1))
		want += math.Log(a + b)
		q.SetRow(i, []float64{a / (a + b), b / (a + b)})
	}
	bound, gap := latent.LowerBound(joint, q)
	mltest.Near(t, "the bound at the posterior", bound, want, 1e-12)
	mltest.Near(t, "its gap", gap, 0, 1e-12)
	without := 0.0
	for i := range n {
		for k := range 2 {
			without += q.At(i, k) * joint.At(i, k)
		}
	}
	if without > want-1 {
		t.Errorf("without the entropy the bound is %v, likelihood %v", without, want)
	}
	for i := range n {
		q.SetRow(i, []float64{0.5, 0.5})
	}
	bound, gap = latent.LowerBound(joint, q)
	kl := 0.0
	for i := range n {
		a, b := joint.At(i, 0), joint.At(i, 1)
		norm := math.Log(math.Exp(a) + math.Exp(b))
		kl += 0.5*(math.Log(0.5)-a+norm) + 0.5*(math.Log(0.5)-b+norm)
	}
	mltest.Near(t, "the gap is the divergence", gap, kl, 1e-12)
	mltest.Near(t, "bound and gap", bound+gap, want, 1e-12)

	em := latent.EM{MaxIter: 10, Tol: model.Zero, Bounds: true}
	if err := em.Run(c); err != nil {
		t.Fatal(err)
	}
	for i, s := range em.Steps {
		if s.Bound < s.Before-1e-12 || s.After < s.Bound-1e-12 || s.Gap < -1e-12 {
			t.Errorf("iteration %d: %+v", i+1, s)
		}
	}
	if len(em.Steps) != 10 || em.Steps[0].Gap < 1e-3 {
		t.Errorf("steps %+v", em.Steps)
	}
	for _, bad := range []*mat.Dense{mat.NewDense(n, 1, nil), mat.NewDense(n, 2, nil)} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("a q that is no distribution was taken")
				}
			}()
			latent.LowerBound(joint, bad)
		}()
	}
}

// With hard assignments and spheres of one vanishing size EM is k-means.
func TestLAT03_KMeans(t *testing.T) {
	x, _ := clouds(60, 3, 3)
	start := mat.NewDense(2, 2, []float64{-1, 1, 1, 0})
	means := &cluster.KMeans{InitCenters: start, Tol: model.Zero}
	if err := means.Fit(x); err != nil {
		t.Fatal(err)
	}
	small := mat.NewDense(2, 1, []float64{1e-4, 1e-4})
	soft := &spheres{x: x, means: mat.DenseCopyOf(start), variance: 1e-4}
	if err := (&latent.EM{MaxIter: 200, Tol: 1e-9}).Run(soft); err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "soft EM with a vanishing variance", data(soft.means), data(means.Centers), 1e-6)
	hard := &spheres{x: x, means: mat.DenseCopyOf(start), variance: 1}
	em := latent.EM{MaxIter: 200, Tol: 1e-12, Hard: true}
	if err := em.Run(hard); err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "hard EM", data(hard.means), data(means.Centers), 1e-12)
	if falls(em.LogLikelihood) > 1e-9 {
		t.Errorf("the objective of hard EM falls: %v", em.LogLikelihood)
	}
	// A mixture with well-separated components has the labels of k-means.
	far, class := clouds(60, 30, 3)
	m := &latent.GaussianMixture{InitMeans: mat.NewDense(2, 2, []float64{0, 0, 30, 0}), InitCovariances: []*mat.Dense{small},
		Form: latent.SphericalCovariance, Hard: true}
	labels, err := m.FitPredict(far)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(labels, class) {
		t.Error("hard EM does not find the clouds")
	}
}

// spheres is a user-defined model for EM: the means of spheres of one fixed size.
type spheres struct {
	x, means *mat.Dense
	variance float64
}

func (s *spheres) LogJoint() *mat.Dense {
	n, d := s.x.Dims()
	k, _ := s.means.Dims()
	out := mat.NewDense(n, k, nil)
	for i := range n {
		for c := range k {
			for j := range d {
				v := s.x.At(i, j) - s.means.At(c, j)
				out.Set(i, c, out.At(i, c)-v*v/2/s.variance)
			}
		}
	}
	return out
}

func (s *spheres) Maximize(q *mat.Dense) error {
	s.means.Mul(q.T(), s.x)
	k, _ := s.means.Dims()
	for c := range k {
		sum := mat.Sum(q.ColView(c))
		for j, v := range s.means.RawRowView(c) {
			s.means.Set(c, j, v/sum)
		}
	}
	return nil
}

func TestLAT04_GaussianMixture(t *testing.T) {
	x, class := clouds(300, 6, 1)
	for _, form := range []latent.CovarianceForm{latent.FullCovariance, latent.TiedCovariance, latent.DiagonalCovariance, latent.SphericalCovariance} {
		m := &latent.GaussianMixture{K: 2, Form: form, Seed: 4, Tol: 1e-9, MaxIter: 200}
		if err := m.Fit(x); err != nil {
			t.Fatal(err)
		}
		if rises(m.Trace.Loss) > 1e-6 {
			t.Errorf("%v: the likelihood falls by %v", form, rises(m.Trace.Loss))
		}
		right := 0
		for i, l := range m.Labels {
			if l == class[i] {
				right++
			}
		}
		if right = max(right, 600-right); right < 580 {
			t.Errorf("%v: %d of 600 rows in their cloud", form, right)
		}
		mltest.Near(t, "log likelihood", m.LogLikelihood, m.Score(x)*600, 1e-9)
		if len(m.Steps) != len(m.Trace.Loss)+1 {
			t.Errorf("%d steps for %d iterations", len(m.Steps), len(m.Trace.Loss))
		}
		y, from := m.Sample(20000, 5)
		mean := [2]float64{}
		count := 0
		for i, c := range from {
			if c == 0 {
				mean[0] += y.At(i, 0)
				mean[1] += y.At(i, 1)
				count++
			}
		}
		if math.Abs(float64(count)/20000-m.Weights[0]) > 0.02 {
			t.Errorf("%v: %d of 20000 draws from component 0, weight %v", form, count, m.Weights[0])
		}
		for j := range 2 {
			if got := mean[j] / float64(count); math.Abs(got-m.Means.At(0, j)) > 0.06 {
				t.Errorf("%v: mean of the draws %v, want %v", form, got, m.Means.At(0, j))
			}
		}
	}
	best, at := math.Inf(1), 0
	for k := 1; k <= 5; k++ {
		m := &latent.GaussianMixture{K: k, Starts: 3, Tol: 1e-6}
		if err := m.Fit(x); err != nil {
			t.Fatal(err)
		}
		if v := m.BIC(x); v < best {
			best, at = v, k
		}
	}
	if at != 2 {
		t.Errorf("BIC takes %d components", at)
	}
}

// The numbering of components means nothing: another order of the start gives another
// order of the same result.
func TestMixturePermutation(t *testing.T) {
	x, _ := clouds(100, 4, 2)
	fit := func(means ...float64) *latent.GaussianMixture {
		m := &latent.GaussianMixture{InitMeans: mat.NewDense(2, 2, means), Tol: 1e-10, MaxIter: 300}
		if err := m.Fit(x); err != nil {
			t.Fatal(err)
		}
		return m
	}
	a, b := fit(0, 0, 4, 0), fit(4, 0, 0, 0)
	mltest.Near(t, "likelihood", a.LogLikelihood, b.LogLikelihood, 1e-10)
	mltest.NearAll(t, "weights", a.Weights, []float64{b.Weights[1], b.Weights[0]}, 1e-10)
	mltest.NearAll(t, "means", data(a.Means), append(slices.Clone(b.Means.RawRowView(1)), b.Means.RawRowView(0)...), 1e-10)
}

// A row far from all others is a cluster of its own, on which a component collapses
// without a ridge; a start from random rows finds a wide component instead.
func TestStartsDiffer(t *testing.T) {
	rng := model.Rand(5, 0)
	x := mat.NewDense(120, 2, nil)
	for i := range 119 {
		x.SetRow(i, []float64{rng.NormFloat64(), rng.NormFloat64()})
	}
	x.SetRow(119, []float64{10, 10})
	one := &latent.GaussianMixture{K: 3, Ridge: model.Zero}
	if err := one.Fit(x); err == nil || !strings.Contains(err.Error(), "collapsed") {
		t.Errorf("one start, from clusters: %v, weights %v", err, one.Weights)
	}
	m := &latent.GaussianMixture{K: 3, Ridge: model.Zero, Starts: 3}
	if err := m.Fit(x); err != nil {
		t.Fatal(err)
	}
	if len(m.Scores) != 3 || !math.IsInf(m.Scores[0], -1) || math.IsInf(m.Scores[2], 0) || m.LogLikelihood != slices.Max(m.Scores) {
		t.Errorf("the starts reached %v, the mixture has %v", m.Scores, m.LogLikelihood)
	}
}

// Components that have no rows keep weight 0; components that collapse are refused
// without a ridge.
func TestDegenerateMixtures(t *testing.T) {
	x := mat.NewDense(8, 1, []float64{0, 0.1, 0.2, 0.3, 5, 5.1, 5.2, 5.3})
	m := &latent.GaussianMixture{InitMeans: mat.NewDense(3, 1, []float64{0, 5, 1e6}), InitCovariances: []*mat.Dense{
		mat.NewDense(1, 1, []float64{1}), mat.NewDense(1, 1, []float64{1}), mat.NewDense(1, 1, []float64{1})}}
	if err := m.Fit(x); err != nil {
		t.Fatal(err)
	}
	if m.Empty != 1 || m.Weights[2] != 0 || m.Means.At(2, 0) != 1e6 {
		t.Errorf("empty %d, weights %v, means %v", m.Empty, m.Weights, data(m.Means))
	}
	p := m.PredictProba(x)
	if mat.Max(p) > 1 || math.IsNaN(mat.Sum(p)) || p.At(0, 2) != 0 {
		t.Errorf("responsibilities %v", data(p))
	}
	same := mat.NewDense(8, 1, []float64{0, 0, 0, 0, 5, 5, 5, 5})
	bad := &latent.GaussianMixture{K: 2, Ridge: model.Zero}
	if err := bad.Fit(same); err == nil || !strings.Contains(err.Error(), "collapsed") {
		t.Errorf("two points with multiplicity: got %v", err)
	}
	if err := (&latent.GaussianMixture{K: 2}).Fit(same); err != nil {
		t.Errorf("with the usual ridge: %v", err)
	}
	for name, m := range map[string]*latent.GaussianMixture{
		"K":          {K: 9},
		"form":       {Form: 9},
		"ridge":      {Ridge: -1},
		"tol":        {Tol: -1},
		"weights":    {InitMeans: mat.NewDense(2, 1, []float64{0, 5}), InitWeights: []float64{0.5, 0.6}},
		"no means":   {InitWeights: []float64{1}},
		"covariance": {InitMeans: mat.NewDense(2, 1, []float64{0, 5}), InitCovariances: []*mat.Dense{mat.NewDense(1, 1, []float64{1})}},
	} {
		if m.Fit(x) == nil {
			t.Errorf("%s was taken", name)
		}
	}
}

func TestDiscreteMixtures(t *testing.T) {
	x, class := sources(600)
	b := &latent.BernoulliMixture{K: 3, Alpha: 1, Starts: 4}
	m := &latent.MultinomialMixture{K: 3, Alpha: 1, Starts: 4}
	for _, f := range []model.Clusterer{b, m} {
		labels, err := f.FitPredict(x)
		if err != nil {
			t.Fatal(err)
		}
		agree := 0
		for i := range labels {
			for j := range i {
				if (labels[i] == labels[j]) == (class[i] == class[j]) {
					agree++
				}
			}
		}
		if share := float64(agree) / (600 * 599 / 2); share < 0.9 {
			t.Errorf("%T: %.3f of the pairs as they were made", f, share)
		}
	}
	for _, loss := range [][]float64{b.Trace.Loss, m.Trace.Loss} {
		if rises(loss) > 1e-8 {
			t.Errorf("the likelihood falls by %v", rises(loss))
		}
	}
	if err := m.Fit(mat.NewDense(2, 1, []float64{1, -1})); err == nil {
		t.Error("negative counts were taken")
	}
}

func rain() *latent.HMM {
	return &latent.HMM{
		States: []string{"rain", "sun"}, Symbols: []string{"umbrella", "none"},
		Trans: [][]float64{{0.7, 0.3}, {0.3, 0.7}}, Emit: [][]float64{{0.9, 0.1}, {0.2, 0.8}},
	}
}

// Russell and Norvig, Artificial Intelligence, section 15.2: rain is .818 and .883 after
// one and two umbrellas; smoothed .883 on the first day.
func TestLAT05_Umbrella(t *testing.T) {
	d := rain().Filter("umbrella", "umbrella")
	mltest.Near(t, "after one umbrella", d.Proba[0][0], 0.8182, 5e-5)
	mltest.Near(t, "after two", d.Proba[1][0], 0.8834, 5e-5)
	d = rain().Smooth("umbrella", "umbrella")
	mltest.Near(t, "day 1, smoothed", d.Proba[0][0], 0.8834, 5e-5)
	mltest.Near(t, "log probability", d.LogProb, math.Log(0.5*0.9*(0.7*0.9+0.3*0.2)+0.5*0.2*(0.3*0.9+0.7*0.2)), 1e-12)
	if !strings.Contains(d.String(), "umbrella  rain 0.883  sun 0.117") {
		t.Errorf("got %s", d)
	}
	// The scaled and the logarithmic algorithm agree, also on sequences that underflow without
	// scaling.
	h := &latent.HMM{Start: []float64{0.5, 0.3, 0.2}, Trans: [][]float64{{0.8, 0.2, 0}, {0.1, 0.8, 0.1}, {0, 0.3, 0.7}},
		Emit: [][]float64{{0.9, 0.1, 0, 0}, {0.1, 0.3, 0.3, 0.3}, {0, 0, 0.5, 0.5}}}
	seq, _ := h.Sample(5000, 3)
	b := mat.NewDense(len(seq), 3, nil)
	for i, x := range seq {
		for k := range 3 {
			b.Set(i, k, math.Log(h.Emit[k][x]))
		}
	}
	scaled, logs := latent.ForwardBackward(h.Start, h.Trans, b), latent.ForwardBackwardLogs(h.Start, h.Trans, b)
	mltest.Near(t, "likelihood", scaled.LogLikelihood, logs.LogLikelihood, 1e-10)
	mltest.NearAll(t, "smoothed", data(scaled.Smoothed), data(logs.Smoothed), 1e-8)
	mltest.NearAll(t, "filtered", data(scaled.Filtered), data(logs.Filtered), 1e-8)
	mltest.NearAll(t, "transitions", data(scaled.Transitions), data(logs.Transitions), 1e-6)
	if scaled.LogLikelihood > -1000 {
		t.Errorf("the sequence is too likely to tell: %v", scaled.LogLikelihood)
	}
}

// All 2^T and 3^T paths by brute force.
func TestLAT06_Viterbi(t *testing.T) {
	d := rain().Viterbi("umbrella", "umbrella", "none", "umbrella", "umbrella")
	if got := strings.Join(d.PathNames(), " "); got != "rain rain sun rain rain" {
		t.Errorf("got %s", got)
	}
	rng := model.Rand(5, 0)
	for range 40 {
		k, n, symbols := 2+rng.IntN(2), 1+rng.IntN(7), 3
		h := &latent.HMM{Start: make([]float64, k)}
		row := func(m int) []float64 {
			r, sum := make([]float64, m), 0.0
			for i := range r {
				r[i] = rng.Float64()
				sum += r[i]
			}
			for i := range r {
				r[i] /= sum
			}
			return r
		}
		h.Start = row(k)
		for range k {
			h.Trans, h.Emit = append(h.Trans, row(k)), append(h.Emit, row(symbols))
		}
		seq := make([]int, n)
		for i := range seq {
			seq[i] = rng.IntN(symbols)
		}
		best, sum := 0.0, 0.0
		var at []int
		path := make([]int, n)
		var visit func(t int, p float64)
		visit = func(t int, p float64) {
			if t == n {
				sum += p
				if p > best {
					best, at = p, slices.Clone(path)
				}
				return
			}
			for s := range k {
				q := h.Start[s]
				if t > 0 {
					q = h.Trans[path[t-1]][s]
				}
				path[t] = s
				visit(t+1, p*q*h.Emit[s][seq[t]])
			}
		}
		visit(0, 1)
		got, lp := h.Path(seq)
		if !slices.Equal(got, at) {
			t.Errorf("got %v, want %v", got, at)
		}
		mltest.Near(t, "the probability of the path", lp, math.Log(best), 1e-10)
		mltest.Near(t, "that of the sequence", h.LogProb(seq), math.Log(sum), 1e-10)
	}
	// The most probable path need not go through the most probable states: from a state
	// of .4 to one of four, from the other of .6 to all of them alike.
	h := &latent.HMM{Start: []float64{0.4, 0.6, 0, 0, 0}, Emit: slices.Repeat([][]float64{{1}}, 5),
		Trans: [][]float64{{0, 0, 1, 0, 0}, {0, 0, 0.2, 0.4, 0.4}, {0, 0, 1, 0, 0}, {0, 0, 0, 1, 0}, {0, 0, 0, 0, 1}}}
	path, _ := h.Path([]int{0, 0})
	first := h.Posterior([]int{0, 0}).Smoothed.RawRowView(0)
	if path[0] != 0 || first[1] < 0.59 {
		t.Errorf("path %v, first state %v", path, first)
	}
}

// A loaded die is recovered from its throws; the likelihood never falls.
func TestLAT07_BaumWelch(t *testing.T) {
	casino := &latent.HMM{Start: []float64{1, 0}, Trans: [][]float64{{0.95, 0.05}, {0.1, 0.9}},
		Emit: [][]float64{{1. / 6, 1. / 6, 1. / 6, 1. / 6, 1. / 6, 1. / 6}, {0.1, 0.1, 0.1, 0.1, 0.1, 0.5}}}
	var seqs [][]int
	for s := range 30 {
		seq, _ := casino.Sample(300, uint64(s))
		seqs = append(seqs, seq)
	}
	h := &latent.HMM{K: 2, Seed: 1, MaxIter: 300, Tol: 1e-2}
	if err := h.Learn(seqs); err != nil {
		t.Fatal(err)
	}
	if rises(h.Trace.Loss) > 1e-7 {
		t.Errorf("the likelihood falls by %v", rises(h.Trace.Loss))
	}
	truth := 0.0
	for _, seq := range seqs {
		truth += casino.LogProb(seq)
	}
	if h.LogLikelihood < truth-5 {
		t.Errorf("log likelihood %v, that of the truth %v", h.LogLikelihood, truth)
	}
	if six := max(h.Emit[0][5], h.Emit[1][5]); math.Abs(six-0.5) > 0.05 {
		t.Errorf("the loaded die shows six with %v", six)
	}
	fixed := &latent.HMM{Trans: casino.Trans, Emit: casino.Emit, Fixed: []string{"emit"}, MaxIter: 3}
	if err := fixed.Learn(seqs); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(fixed.Emit[1], casino.Emit[1]) || slices.Equal(fixed.Trans[0], casino.Trans[0]) {
		t.Error("Fixed is not kept")
	}
	// States far apart are recovered from rows, and so are mixtures of two components.
	g := &latent.GaussianHMM{Trans: [][]float64{{0.9, 0.1}, {0.2, 0.8}}, Emit: []latent.Normals{
		{Means: mat.NewDense(1, 2, []float64{0, 0}), Covariances: []*mat.Dense{mat.NewDense(2, 2, []float64{1, 0, 0, 1})}},
		{Means: mat.NewDense(2, 2, []float64{5, 5, 9, 9}), Covariances: []*mat.Dense{mat.NewDense(2, 2, []float64{1, 0.5, 0.5, 1}), mat.NewDense(2, 2, []float64{1, 0, 0, 1})}}}}
	x, states := g.Sample(1500, 2)
	m := &latent.GaussianHMM{K: 2, Mixture: 2, Tol: 1e-3, MaxIter: 60}
	if err := m.Learn(x.Slice(0, 700, 0, 2), x.Slice(700, 1500, 0, 2)); err != nil {
		t.Fatal(err)
	}
	if rises(m.Trace.Loss) > 1e-3 {
		t.Errorf("the likelihood of rows falls by %v", rises(m.Trace.Loss))
	}
	path, _ := m.Path(x)
	same := 0
	for i, s := range path {
		if s == states[i] {
			same++
		}
	}
	if same = max(same, 1500-same); same < 1480 {
		t.Errorf("%d of 1500 states found", same)
	}
}

func TestHMMRefuses(t *testing.T) {
	for name, f := range map[string]func() error{
		"no sequences": func() error { return (&latent.HMM{K: 2}).Learn(nil) },
		"empty":        func() error { return (&latent.HMM{K: 2}).Learn([][]int{{}}) },
		"no states":    func() error { return (&latent.HMM{}).Learn([][]int{{0}}) },
		"symbol":       func() error { return rain().Learn([][]int{{2}}) },
		"fixed":        func() error { return (&latent.HMM{K: 2, Fixed: []string{"x"}}).Learn([][]int{{0, 1}}) },
		"no rows":      func() error { return (&latent.GaussianHMM{}).Learn() },
		"few rows":     func() error { return (&latent.GaussianHMM{K: 3}).Learn(mat.NewDense(2, 1, nil)) },
		"impossible": func() error {
			return (&latent.HMM{Trans: [][]float64{{1}}, Emit: [][]float64{{1, 0}}}).Learn([][]int{{1}})
		},
		"negative iter": func() error { return (&latent.HMM{K: 2, MaxIter: -1}).Learn([][]int{{0}}) },
	} {
		if err := f(); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
	for name, f := range map[string]func(){
		"unknown symbol": func() { rain().Smooth("snow") },
		"no symbols":     func() { rain().Smooth() },
		"unset":          func() { (&latent.HMM{}).Posterior([]int{0}) },
		"sum":            func() { (&latent.HMM{Trans: [][]float64{{0.9}}, Emit: [][]float64{{1}}}).Posterior([]int{0}) },
		"impossible":     func() { (&latent.HMM{Trans: [][]float64{{1}}, Emit: [][]float64{{1, 0}}}).Posterior([]int{0, 1}) },
		"gaussian":       func() { (&latent.GaussianHMM{}).Posterior(mat.NewDense(1, 1, nil)) },
		"sample":         func() { rain().Sample(0, 1) },
	} {
		func() {
			defer func() {
				if _, ok := recover().(*model.Error); !ok {
					t.Errorf("%s: no *model.Error", name)
				}
			}()
			f()
		}()
	}
}

func ExampleHMM_Viterbi() {
	rain := &latent.HMM{
		States: []string{"rain", "sun"}, Symbols: []string{"umbrella", "none"},
		Trans: [][]float64{{0.7, 0.3}, {0.3, 0.7}},
		Emit:  [][]float64{{0.9, 0.1}, {0.2, 0.8}},
	}
	fmt.Print(rain.Viterbi("umbrella", "umbrella", "none"))
	// Output:
	// umbrella  rain 0.862  sun 0.138  → rain
	// umbrella  rain 0.799  sun 0.201  → rain
	// none  rain 0.191  sun 0.809  → sun
}

func ExampleEM() {
	coins := &latent.CoinMixture{Heads: []int{5, 9, 8, 4, 7}, Tails: []int{5, 1, 2, 6, 3}, P: []float64{0.6, 0.5}}
	em := latent.EM{MaxIter: 10, Tol: model.Zero}
	if err := em.Run(coins); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%.2f %.2f\n", em.Trace.Weights[0], coins.P)
	// Output: [0.71 0.58] [0.80 0.52]
}

func BenchmarkGaussianMixture(b *testing.B) {
	x, _ := clouds(20000, 4, 1)
	for b.Loop() {
		m := &latent.GaussianMixture{InitMeans: mat.NewDense(2, 2, []float64{0, 0, 4, 0}), MaxIter: 5, Tol: model.Zero}
		if err := m.Fit(x); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBaumWelch(b *testing.B) {
	h0 := rain()
	seq, _ := h0.Sample(20000, 1)
	for b.Loop() {
		h := rain()
		h.MaxIter, h.Tol = 5, model.Zero
		if err := h.Learn([][]int{seq}); err != nil {
			b.Fatal(err)
		}
	}
}
