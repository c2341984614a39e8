package cluster

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/model"
)

// ChooseK runs [KMeans] for a range of K and measures each result, since nobody knows
// the right K.
//
// With J the objective of k-means on N rows of D columns, and σ² the variance of a column in a
// cluster, so that J/σ² is −2 ln L of spherical Gaussians up to a constant,
//
//	AIC = J/σ² + 2·K·D
//	BIC = J/σ² + K·D·ln N
//	Gap = mean over uniform data of ln J − ln J
//
// BIC penalizes a cluster more than AIC does if N is 8 or more. Both choose K too large when
// clusters overlap, since the labels are chosen to lower J: the likelihood of a mixture, which has
// no fixed labels, is a better criterion. KCurve.BICNotes has the lecture notes' J + K·ln D, which
// penalizes less. K = 1 and K = n carry no information: J is the total sum of squares for K = 1 and
// 0 for K = n.
//
// Cost: one run of KMeans for each K, and one run for each K and each reference data set of the
// gap; O(n²·d) for silhouettes.
//
// References: [Akaike1974], [Schwarz1978], [Rousseeuw1987], [TibshiraniEtAl2001].
// Course: CLU-08.
type ChooseK struct {
	model.Control

	// Min and Max are the smallest and the largest K that are tried. A Min of 0 means 1; a Max of 0
	// means 10, or the number of rows if that is less.
	Min, Max int
	// Variance is σ²; 0 means 1, which suits columns whose variance within a cluster is about 1.
	Variance float64
	// References is the number of uniform data sets of the gap statistic; 0 means 10. With more
	// data sets, the gap is more precise, but takes longer to compute.
	References int
	// Starts is the number of starts of KMeans for each K; 0 means 10. More starts take longer and
	// end less often in a poor local minimum.
	Starts int
	// Seed is the seed of the starts and the reference data.
	Seed uint64
}

// KCurve holds the measures of [ChooseK] for each K.
type KCurve struct {
	K          []int
	Inertia    []float64 // J of k-means
	AIC, BIC   []float64
	BICNotes   []float64 // J/σ² + K·ln D
	Silhouette []float64 // the mean; NaN for K = 1 and K = n, where it is not defined
	Gap, GapSE []float64 // the gap statistic and its standard error
	Iterations []int     // steps of the best start
}

// Curve measures the clusterings of the rows of x.
func (c ChooseK) Curve(x mat.Matrix) (*KCurve, error) {
	const op = "ChooseK.Curve"
	d, err := checkRows(op, x)
	if err != nil {
		return nil, err
	}
	n, cols := d.Dims()
	low, high := max(c.Min, 1), c.Max
	if high == 0 {
		high = min(10, n)
	}
	if c.Min < 0 || low > high || high > n {
		return nil, model.Errorf(op, "Min and Max must be ordered and between 1 and %d (the number of rows), got %d and %d", n, low, high)
	}
	refs, err := model.Iterations(op, "References", c.References, 10)
	if err != nil {
		return nil, err
	}
	starts, err := model.Iterations(op, "Starts", c.Starts, 10)
	if err != nil {
		return nil, err
	}
	variance := c.Variance
	if variance == 0 {
		variance = 1
	}
	if !(variance > 0) {
		return nil, model.Errorf(op, "Variance must be positive, got %v", c.Variance)
	}
	run := c.Begin("ChooseK", high-low+1)
	defer run.End()
	out := &KCurve{}
	box := newBox(d)
	for k := low; k <= high; k++ {
		m := KMeans{K: k, Starts: starts, Seed: c.Seed, Tol: model.Zero}
		if err := quietly(&m, d, run); err != nil {
			return nil, err
		}
		gap, se, err := box.gap(k, refs, m.Inertia, c.Seed, run)
		if err != nil {
			return nil, err
		}
		fit, params := m.Inertia/variance, float64(k*cols)
		out.K = append(out.K, k)
		out.Inertia = append(out.Inertia, m.Inertia)
		out.AIC = append(out.AIC, fit+2*params)
		out.BIC = append(out.BIC, fit+params*math.Log(float64(n)))
		out.BICNotes = append(out.BICNotes, fit+float64(k)*math.Log(float64(cols)))
		out.Gap, out.GapSE = append(out.Gap, gap), append(out.GapSE, se)
		out.Iterations = append(out.Iterations, len(m.Trace.Loss))
		s := math.NaN()
		if found, _ := m.Centers.Dims(); found > 1 && found < n {
			s = eval.Silhouette(d, m.Labels)
		}
		out.Silhouette = append(out.Silhouette, s)
		if err := run.Step(k-low+1, m.Inertia); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// quietly fits m as a part of a larger computation, which reports its own steps.
func quietly(m *KMeans, x mat.Matrix, run *model.Run) error {
	m.Context, m.OnStep = run.Context(), func(model.Step) {}
	err := m.Fit(x)
	m.Control = model.Control{}
	return err
}

// box is the range of each column.
type box struct {
	n        int
	low, ext []float64
}

func newBox(d *mat.Dense) *box {
	n, cols := d.Dims()
	b := &box{n: n}
	for j := range cols {
		col := mat.Col(nil, j, d)
		low := floats.Min(col)
		b.low, b.ext = append(b.low, low), append(b.ext, floats.Max(col)-low)
	}
	return b
}

// gap returns the gap statistic of an objective and its standard error.
func (b *box) gap(k, refs int, inertia float64, seed uint64, run *model.Run) (gap, se float64, err error) {
	logs := make([]float64, refs)
	for r := range logs {
		rng := model.Rand(seed, 1<<32+uint64(r))
		x := mat.NewDense(b.n, len(b.low), nil)
		for i := range b.n {
			row := x.RawRowView(i)
			for j := range row {
				row[j] = b.low[j] + b.ext[j]*rng.Float64()
			}
		}
		m := KMeans{K: k, Seed: seed}
		if err := quietly(&m, x, run); err != nil {
			return 0, 0, err
		}
		logs[r] = math.Log(m.Inertia)
	}
	mean := floats.Sum(logs) / float64(refs)
	for _, v := range logs {
		se += (v - mean) * (v - mean)
	}
	se = math.Sqrt(se/float64(refs)) * math.Sqrt(1+1/float64(refs))
	if math.IsInf(mean, -1) { // K = n: both objectives are 0
		return 0, 0, nil
	}
	return mean - math.Log(inertia), se, nil
}

// Elbow returns the K at which the curve of J bends most. That is the point furthest below the line
// from the first to the last point, with both axes scaled to 0 to 1.
func (c *KCurve) Elbow() int {
	last := len(c.K) - 1
	best, most := 0, 0.0
	for i, v := range c.Inertia {
		span := c.Inertia[0] - c.Inertia[last]
		if span <= 0 {
			break
		}
		below := 1 - float64(i)/float64(last) - (v-c.Inertia[last])/span
		if below > most {
			best, most = i, below
		}
	}
	return c.K[best]
}

// BestSilhouette returns the K with the largest silhouette, or the smallest K if no K has a
// silhouette.
func (c *KCurve) BestSilhouette() int {
	best := 0
	for i, v := range c.Silhouette {
		if v > c.Silhouette[best] || math.IsNaN(c.Silhouette[best]) && !math.IsNaN(v) {
			best = i
		}
	}
	return c.K[best]
}

// BestAIC returns the K with the smallest AIC.
func (c *KCurve) BestAIC() int { return c.K[floats.MinIdx(c.AIC)] }

// BestBIC returns the K with the smallest BIC.
func (c *KCurve) BestBIC() int { return c.K[floats.MinIdx(c.BIC)] }

// BestGap returns the smallest K whose gap is at least the gap of the next K minus the standard
// error of that gap.
func (c *KCurve) BestGap() int {
	for i := range len(c.K) - 1 {
		if c.Gap[i] >= c.Gap[i+1]-c.GapSE[i+1] {
			return c.K[i]
		}
	}
	return c.K[len(c.K)-1]
}

// Assignments returns kⁿ, the number of ways to assign one of k labels to each of n rows. The
// number is finite, and k-means never returns to an earlier assignment because J falls, so k-means
// must end.
//
// Course: CLU-02.
func Assignments(n, k int) float64 {
	if n < 0 || k < 1 {
		panic(model.Errorf("Assignments", "x and labels must have the same length, got %d rows and %d labels", n, k))
	}
	return math.Pow(float64(k), float64(n))
}

// IterationCounts returns, for each of several random starts, the number of steps that k-means
// takes until no label changes. The number is usually small, though the worst case is exponential
// in the number of rows, even in the plane. (A small random shift of the rows makes the expectation
// polynomial: see optim.SmoothedLloyd.)
//
// References: [Vattani2011], [ArthurMantheyRoglin2011]. Course: CLU-10.
func IterationCounts(x mat.Matrix, k, starts int, seed uint64) []int {
	m := KMeans{K: k, Init: InitRandom, Starts: starts, Tol: model.Zero, MaxIter: math.MaxInt32, Seed: seed}
	if err := m.Fit(x); err != nil {
		panic(err)
	}
	return m.Steps
}
