package anomaly

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// GaussianDetector scores rows by how unlikely they are under a Gaussian density; the
// least likely rows are anomalies.
//
//	p(x) = Πⱼ N(xⱼ; μⱼ, σⱼ²),  or N(x; μ, Σ) with Full,  score = −log p(x)
//
// A row is an anomaly when p(x) < ε. [GaussianDetector.Tune] chooses ε by the F1 score on labeled
// examples. Until then, ε is set so that the fraction Contamination of the training rows counts as
// anomalies. Without Full, a row with usual values in an unusual combination is not detected.
//
// Cost: O(n·d), with Full O(n·d² + d³).
//
// References: [Ng2011b], [ChandolaBanerjeeKumar2009].
// Course: DEC-12.
type GaussianDetector struct {
	// Full estimates all covariances instead of only the variances.
	Full bool
	// Contamination is the fraction of anomalies among the training rows; 0 means 0.1.
	// A larger value lowers the threshold, so that more rows are anomalies.
	Contamination float64

	Mean       []float64     // set by Fit
	Covariance *mat.SymDense // set by Fit: divided by n, diagonal without Full
	Threshold  float64       // set by Fit and Tune: −log ε

	chol []float64 // Cholesky's factor of the covariance
	logZ float64   // −log of the density at the mean

	model.Fitted // set by Fit: the columns that it was given
}

var _ model.Detector = (*GaussianDetector)(nil)

// Fit estimates the density of the rows of x.
func (g *GaussianDetector) Fit(x mat.Matrix) error {
	const op = "GaussianDetector.Fit"
	model.NoteX(&g.Fitted, x)
	g.Mean, g.Covariance, g.Threshold, g.chol, g.logZ = nil, nil, 0, nil, 0
	d, err := model.CheckX(op, x)
	if err != nil {
		return err
	}
	_, cols := d.Dims()
	mean, cov := moments(d, nil)
	if !g.Full {
		for i := range cols {
			for j := range i {
				cov[i*cols+j], cov[j*cols+i] = 0, 0
			}
		}
	}
	chol, logDet, err := factor(op, cov, cols)
	if err != nil {
		return err
	}
	fresh := *g
	fresh.Mean, fresh.Covariance, fresh.chol = mean, mat.NewSymDense(cols, cov), chol
	fresh.logZ = (logDet + float64(cols)*math.Log(2*math.Pi)) / 2
	if fresh.Threshold, err = thresholdOf(op, g.Contamination, fresh.Score(d)); err != nil {
		return err
	}
	*g = fresh
	return nil
}

// Score returns −log p of each row.
func (g *GaussianDetector) Score(x mat.Matrix) []float64 {
	const op = "GaussianDetector.Score"
	x = model.MustRead(op, &g.Fitted, x)
	if g.Mean == nil {
		panic(model.NotFitted(op))
	}
	out := distances(model.MustRows(op, x, len(g.Mean)), g.Mean, g.chol)
	for i, v := range out {
		out[i] = v/2 + g.logZ
	}
	return out
}

// Predict reports whether the density at each row is below ε.
func (g *GaussianDetector) Predict(x mat.Matrix) []bool {
	x = model.MustRead("GaussianDetector.Predict", &g.Fitted, x)
	return above(g.Score(x), g.Threshold)
}

// Tune sets the threshold that has the best F1 score on x, where anomaly[i] reports whether row i
// is an anomaly.
func (g *GaussianDetector) Tune(x mat.Matrix, anomaly []bool) (*F1Choice, error) {
	x, err := model.Read("GaussianDetector.Tune", &g.Fitted, x)
	if err != nil {
		return nil, err
	}
	return tuned(g, "GaussianDetector.Tune", x, anomaly, &g.Threshold)
}

// Epsilon returns the density below which a row is an anomaly.
func (g *GaussianDetector) Epsilon() float64 { return math.Exp(-g.Threshold) }

// moments returns the mean and the covariance, with divisor n, of some rows of d; nil rows mean
// all. The covariance is a matrix in row-major order.
func moments(d *mat.Dense, rows []int) (mean, cov []float64) {
	n, cols := d.Dims()
	if rows != nil {
		n = len(rows)
	}
	row := func(i int) []float64 {
		if rows != nil {
			i = rows[i]
		}
		return d.RawRowView(i)
	}
	mean = make([]float64, cols)
	for range 2 { // the second pass removes the rounding error of the first
		rest := make([]float64, cols)
		for i := range n {
			for j, v := range row(i) {
				rest[j] += v - mean[j]
			}
		}
		floats.AddScaled(mean, 1/float64(n), rest)
	}
	c := make([]float64, n*cols)
	for i := range n {
		floats.SubTo(c[i*cols:(i+1)*cols], row(i), mean)
	}
	cov = make([]float64, cols*cols)
	linalg.AddGram(cov, cols, c, n, cols, cols)
	floats.Scale(1/float64(n), cov)
	for i := range cols {
		for j := range i {
			cov[i*cols+j] = cov[j*cols+i]
		}
	}
	return mean, cov
}

// factor returns Cholesky's factor of a covariance and the logarithm of its determinant. A constant
// column gets the smallest variance that can be distinguished from 0, so that rows with another
// value in it are very strange.
func factor(op string, cov []float64, cols int) (chol []float64, logDet float64, err error) {
	chol = append([]float64(nil), cov...)
	largest := 0.0
	for j := range cols {
		largest = max(largest, cov[j*cols+j])
	}
	if largest == 0 {
		largest = 1
	}
	for j := range cols {
		if chol[j*cols+j] <= 1e-14*largest {
			chol[j*cols+j] = 1e-14 * largest
		}
	}
	if !linalg.Cholesky(chol, cols) {
		return nil, 0, model.Errorf(op, "the covariance of the %d columns is singular", cols).
			WithHint("drop columns that depend on others, or give more rows")
	}
	for j := range cols {
		logDet += 2 * math.Log(chol[j*cols+j])
	}
	return chol, logDet, nil
}

// distances returns the squared Mahalanobis distance of each row.
func distances(d *mat.Dense, mean, chol []float64) []float64 {
	n, cols := d.Dims()
	out := make([]float64, n)
	par.Range(n, 256, func(lo, hi int) {
		c := make([]float64, cols)
		for i := lo; i < hi; i++ {
			floats.SubTo(c, d.RawRowView(i), mean)
			for j := range c {
				c[j] = (c[j] - floats.Dot(chol[j*cols:j*cols+j], c[:j])) / chol[j*cols+j]
				out[i] += c[j] * c[j]
			}
		}
	})
	return out
}
