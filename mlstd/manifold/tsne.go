package manifold

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/decomp"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

const (
	exploration = 250 // steps with exaggerated attraction
	earlyPull   = 0.5 // momentum of those
	latePull    = 0.8 // momentum of the others
)

// TSNE is t-distributed stochastic neighbor embedding, which maps rows to points such that near
// rows stay near. It uses the Barnes–Hut approximation.
//
//		p(j|i) ∝ exp(−βᵢ‖xᵢ − xⱼ‖²),  pᵢⱼ = (p(j|i) + p(i|j))/2n
//		qᵢⱼ = (1 + ‖yᵢ − yⱼ‖²)⁻¹/Z,  min over y of KL(P‖Q) = Σ pᵢⱼ log(pᵢⱼ/qᵢⱼ)
//
//	 1. βᵢ ← such that the entropy of p(·|i) is log Perplexity, over the
//	    3·Perplexity + 1 nearest rows; all others have p = 0.
//	 2. y ← the first principal components, scaled down to 1e-4.
//	 3. Steps down the gradient 4·Σⱼ (pᵢⱼ − qᵢⱼ)(1 + ‖yᵢ − yⱼ‖²)⁻¹(yᵢ − yⱼ) with momentum
//	    and a gain for each coordinate; in the first 250 of them P is multiplied by
//	    Exaggeration, which lets clusters form. The part of Q is summed over a tree, in
//	    which a cell of size s at distance r counts as one point when s < Angle·r.
//
// The embedding shows only which rows are near each other. Distances between clusters, their sizes
// and densities mean little, and noise can look like clusters: try more than one Perplexity. It
// cannot transform new rows.
//
// Cost: O(n·log n) per step, plus the search for neighbors.
//
// References: [MaatenHinton2008], [Maaten2014], [Belkina2019].
// Course: DEC-01.
type TSNE struct {
	model.Control

	// Components is the number of dimensions, 1 to 3; 0 means 2.
	Components int
	// Perplexity is the effective number of neighbors of a row; 0 means 30, or (n − 1)/3 if this is
	// less.
	Perplexity float64
	// Exaggeration multiplies P in the first 250 steps; 0 means 12.
	Exaggeration float64
	// Rate is the step size; 0 means n/(4·Exaggeration), and at least 50.
	Rate float64
	// MaxIter is the number of steps; 0 means 1000.
	MaxIter int
	// Tol is the length of the gradient below which fitting stops; 0 means 1e-7.
	Tol float64
	// Angle determines how coarsely distant cells are approximated, from model.Zero (exact) to 1; 0
	// means 0.5.
	Angle float64
	// RandomStart starts from small random points, drawn with Seed.
	RandomStart bool
	// InitEmbedding, if set, holds the initial points, one per row.
	InitEmbedding *mat.Dense
	// Seed is the seed of the random start.
	Seed uint64

	Embedding *mat.Dense  // set by Fit: one point per row
	KL        float64     // set by Fit: KL(P‖Q) at the end, with the sum over the tree
	Trace     model.Trace // set by Fit; Step is the length of the gradient
}

var _ model.Embedder = (*TSNE)(nil)

// FitTransform fits the model and returns the points as columns tsne1, tsne2 ...
func (m *TSNE) FitTransform(x mat.Matrix) (*model.Table, error) {
	if err := m.Fit(x); err != nil {
		return nil, err
	}
	return embedded(x, m.Embedding, "tsne"), nil
}

// Fit computes a point for each row of x.
func (m *TSNE) Fit(x mat.Matrix) error {
	const op = "TSNE.Fit"
	m.Embedding, m.KL, m.Trace = nil, 0, model.Trace{}
	d, err := checkRows(op, x)
	if err != nil {
		return err
	}
	n, _ := d.Dims()
	k, perplexity, err := m.check(op, n)
	if err != nil {
		return err
	}
	most, err := model.Iterations(op, "MaxIter", m.MaxIter, 1000)
	if err != nil {
		return err
	}
	y, err := m.start(op, d, k)
	if err != nil {
		return err
	}
	run := m.Begin("TSNE", most)
	defer run.End()
	p, err := jointAffinities(d, perplexity)
	if err != nil {
		return err
	}
	layout := newLayout(y, p, k, model.Or(m.Angle, 0.5))
	if err := m.descend(op, run, layout, most); err != nil {
		m.Trace = model.Trace{}
		return err
	}
	m.KL = layout.divergence()
	m.Embedding = mat.NewDense(n, k, nil)
	for i, v := range layout.y {
		copy(m.Embedding.RawRowView(i), v[:k])
	}
	return nil
}

// check returns the dimensions and the perplexity for n rows.
func (m *TSNE) check(op string, n int) (k int, perplexity float64, err error) {
	if k = m.Components; k == 0 {
		k = 2
	}
	if k < 1 || k > dims {
		return 0, 0, model.Errorf(op, "Components must be between 1 and %d, got %d", dims, m.Components)
	}
	if perplexity = m.Perplexity; perplexity == 0 {
		perplexity = max(1, min(30, float64(n-1)/3))
	}
	if !(perplexity >= 1) || perplexity >= float64(n) {
		return 0, 0, model.Errorf(op, "Perplexity must be at least 1 and below %d (the number of rows), got %v", n, m.Perplexity)
	}
	for _, p := range []struct {
		name   string
		v, low float64
	}{{"Exaggeration", m.Exaggeration, 1}, {"Rate", m.Rate, 0}, {"Tol", m.Tol, 0}} {
		if p.v != 0 && !(p.v >= p.low) || math.IsInf(p.v, 1) {
			return 0, 0, model.Errorf(op, "%s must be at least %v, got %v", p.name, p.low, p.v)
		}
	}
	if theta := model.Or(m.Angle, 0.5); !(theta >= 0 && theta <= 1) {
		return 0, 0, model.Errorf(op, "Angle must be between 0 and 1, got %v", m.Angle)
	}
	return k, perplexity, nil
}

// start returns the first points.
func (m *TSNE) start(op string, d *mat.Dense, k int) ([]point, error) {
	n, cols := d.Dims()
	y := make([]point, n)
	if m.InitEmbedding != nil {
		if r, c := m.InitEmbedding.Dims(); r != n || c != k {
			return nil, model.Errorf(op, "InitEmbedding must be %dx%d, got %dx%d", n, k, r, c)
		}
		for i := range y {
			for j := range k {
				v := m.InitEmbedding.At(i, j)
				if math.IsNaN(v) || math.IsInf(v, 0) {
					return nil, model.Errorf(op, "row %d of InitEmbedding must be finite, got %v", i, v)
				}
				y[i][j] = v
			}
		}
		return y, nil
	}
	const small = 1e-4
	rng := model.Rand(m.Seed, 0)
	for i := range y {
		for j := range k {
			y[i][j] = small * rng.NormFloat64()
		}
	}
	if m.RandomStart {
		return y, nil
	}
	axes := min(k, n, cols)
	pca := decomp.PCA{Components: axes, Seed: m.Seed}
	if err := pca.Fit(d); err != nil {
		return nil, err
	}
	if pca.Variance[0] == 0 {
		return y, nil // all rows are the same
	}
	z := pca.Transform(d)
	scale := small / math.Sqrt(pca.Variance[0]*float64(n-1)/float64(n))
	for i := range y {
		for j := range axes {
			y[i][j] = scale * z.At(i, j)
		}
	}
	return y, nil
}

// descend moves the points.
func (m *TSNE) descend(op string, run *model.Run, l *layout, most int) error {
	exaggeration := model.Or(m.Exaggeration, 12)
	rate := m.Rate
	if rate == 0 {
		rate = max(50, float64(len(l.y))/exaggeration/4)
	}
	tol := model.Or(m.Tol, 1e-7)
	for iter := range most {
		pull, factor := latePull, 1.0
		if iter < exploration {
			pull, factor = earlyPull, exaggeration
		}
		if iter == exploration {
			l.rest()
		}
		size := l.gradient(factor)
		if math.IsNaN(size) || math.IsInf(size, 1) {
			return model.Errorf(op, "the descent diverged").WithHint("set a smaller Rate")
		}
		l.move(rate, pull)
		m.Trace.Step = append(m.Trace.Step, size)
		if err := run.Step(iter+1, math.NaN()); err != nil {
			return err
		}
		if iter >= exploration && size <= tol {
			m.Trace.Converged = true
			break
		}
	}
	return nil
}

// layout holds the points of t-SNE and the forces on them.
type layout struct {
	y           []point
	p           affinities
	tree        *cellTree
	grad        []point
	moved, gain []point
	z           float64 // the sum of all (1 + ‖yᵢ − yⱼ‖²)⁻¹, i ≠ j
	k           int
}

func newLayout(y []point, p affinities, k int, theta float64) *layout {
	n := len(y)
	l := &layout{y: y, p: p, tree: newCellTree(n, theta), grad: make([]point, n), moved: make([]point, n), gain: make([]point, n), k: k}
	l.rest()
	return l
}

// rest resets the momentum and the gains.
func (l *layout) rest() {
	clear(l.moved)
	for i := range l.gain {
		l.gain[i] = point{1, 1, 1}
	}
}

// gradient computes the gradient with P times factor, and returns its length.
func (l *layout) gradient(factor float64) float64 {
	l.z = l.tree.repel(l.y, l.grad)
	const grain = 256
	par.Range(len(l.y), grain, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			pull, push := l.pull(i), l.grad[i]
			for j := range l.k {
				l.grad[i][j] = 4 * (factor*pull[j] - push[j]/l.z)
			}
		}
	})
	sum := 0.0
	for i := range l.grad {
		for _, v := range l.grad[i] {
			sum += v * v
		}
	}
	return math.Sqrt(sum)
}

// pull returns Σⱼ pᵢⱼ(1 + ‖yᵢ − yⱼ‖²)⁻¹(yᵢ − yⱼ).
func (l *layout) pull(i int) (sum point) {
	a := l.y[i]
	from, to := l.p.start[i], l.p.start[i+1]
	weights := l.p.weights[from:to]
	for e, j := range l.p.to[from:to] {
		b := &l.y[j]
		x, y, z := a[0]-b[0], a[1]-b[1], a[2]-b[2]
		w := weights[e] / (1 + x*x + y*y + z*z)
		sum[0] += w * x
		sum[1] += w * y
		sum[2] += w * z
	}
	return sum
}

// move takes a step. A gain grows while its coordinate keeps its direction.
func (l *layout) move(rate, pull float64) {
	for i := range l.y {
		for j := range l.k {
			g, v := l.grad[i][j], l.moved[i][j]
			if g*v < 0 {
				l.gain[i][j] += 0.2
			} else {
				l.gain[i][j] = max(0.01, 0.8*l.gain[i][j])
			}
			l.moved[i][j] = pull*v - rate*l.gain[i][j]*g
			l.y[i][j] += l.moved[i][j]
		}
	}
}

// divergence is KL(P‖Q).
func (l *layout) divergence() float64 {
	l.gradient(1)
	parts := make([]float64, len(l.y))
	par.Range(len(l.y), 256, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			a := l.y[i]
			for e := l.p.start[i]; e < l.p.start[i+1]; e++ {
				b, p := &l.y[l.p.to[e]], l.p.weights[e]
				if p > 0 {
					x, y, z := a[0]-b[0], a[1]-b[1], a[2]-b[2]
					parts[i] += p * math.Log(p*l.z*(1+x*x+y*y+z*z))
				}
			}
		}
	})
	return floats.Sum(parts)
}
