package anomaly

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/gokernel/gokernel/mlstd/model"
)

// RobustCovariance scores rows by their Mahalanobis distance from a robust center, with a
// covariance that anomalies do not distort. Rows far away are anomalies. The estimator is the
// minimum covariance determinant (MCD).
//
//		d²(x) = (x − μ)ᵀ Σ⁻¹ (x − μ),  (μ, Σ) of the h rows whose covariance has the least determinant
//
//	 1. From each random start, compute μ and Σ of a few rows. Then make two C-steps: recompute μ
//	    and Σ from the h rows with the smallest d², which never increases the determinant. The
//	    best ten starts continue until the determinant no longer falls. With more than 600 rows,
//	    the starts are made in up to five parts of at least 300 random rows, and the best continue
//	    on all parts together.
//	 2. Σ is scaled so that the median of d² equals the median of χ² with d degrees of freedom.
//	 3. μ and Σ are recomputed from the rows with d² below the 97.5% quantile of χ², and Σ is
//	    scaled in the same way.
//
// With Classic, all rows have equal weight; enough anomalies then make the covariance so large that
// none of them is found.
//
// Cost: O(Starts·min(n, 600)·d² + n·d²) per C-step.
//
// References: [RousseeuwVanDriessen1999], [CrouxHaesbroeck1999].
// Course: DEC-12.
type RobustCovariance struct {
	// Classic uses the mean and covariance of all rows.
	Classic bool
	// Support is the fraction h/n of the rows from which the mean and the covariance are estimated;
	// 0 means the most robust choice, (n+d+1)/2 rows rounded up. A larger value is more accurate
	// with few anomalies, and fails when more than n − h rows are anomalies.
	Support float64
	// Starts is the number of random starts; 0 means 500. More starts find a smaller
	// determinant and take longer.
	Starts int
	// Contamination is the fraction of anomalies among the training rows; 0 means 0.1.
	// A larger value lowers the threshold, so that more rows are anomalies.
	Contamination float64
	// Seed is the seed of the starts.
	Seed uint64

	Mean       []float64     // set by Fit
	Covariance *mat.SymDense // set by Fit
	// RawMean and RawCovariance are the mean and the covariance of the h rows, without corrections;
	// set by Fit.
	RawMean       []float64
	RawCovariance *mat.SymDense
	Rows          []int   // set by Fit: the rows that Mean and Covariance are of, ascending
	Threshold     float64 // set by Fit and Tune

	chol []float64

	model.Fitted // set by Fit: the columns that it was given
}

var _ model.Detector = (*RobustCovariance)(nil)

// Fit estimates the mean and the covariance.
func (r *RobustCovariance) Fit(x mat.Matrix) error {
	const op = "RobustCovariance.Fit"
	model.NoteX(&r.Fitted, x)
	r.Mean, r.Covariance, r.RawMean, r.RawCovariance, r.Rows, r.Threshold, r.chol = nil, nil, nil, nil, nil, 0, nil
	d, err := model.CheckX(op, x)
	if err != nil {
		return err
	}
	n, cols := d.Dims()
	starts, err := model.Iterations(op, "Starts", r.Starts, 500)
	if err != nil {
		return err
	}
	if n <= cols {
		return model.Errorf(op, "x must have more rows than columns (for a covariance), got %d rows and %d columns", n, cols)
	}
	h := (n + cols + 2) / 2
	if r.Support != 0 {
		if !(r.Support > 0 && r.Support <= 1) || int(r.Support*float64(n)) <= cols {
			return model.Errorf(op, "Support must be at most 1 and large enough to select more rows than x has columns, got %v", model.Or(r.Support, 0))
		}
		h = int(r.Support * float64(n))
	}
	fresh := *r
	if r.Classic {
		mean, cov := moments(d, nil)
		fresh.RawMean, fresh.RawCovariance = mean, mat.NewSymDense(cols, cov)
		fresh.Mean, fresh.Covariance, fresh.Rows = mean, mat.NewSymDense(cols, cov), count(n)
	} else if err := fresh.robust(op, d, min(h, n), starts); err != nil {
		return err
	}
	if fresh.chol, _, err = factor(op, fresh.Covariance.RawSymmetric().Data, cols); err != nil {
		return err
	}
	if fresh.Threshold, err = thresholdOf(op, r.Contamination, fresh.Score(d)); err != nil {
		return err
	}
	*r = fresh
	return nil
}

func count(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// robust sets the estimates from the h rows with the smallest determinant.
func (r *RobustCovariance) robust(op string, d *mat.Dense, h, starts int) error {
	n, cols := d.Dims()
	raw := leastDeterminant(d, h, starts, r.Seed)
	if raw == nil {
		return model.Errorf(op, "the covariance of the %d columns is singular", cols).WithHint("drop columns that depend on others or do not vary")
	}
	chi := distuv.ChiSquared{K: float64(cols)}
	chol, _, err := factor(op, raw.cov, cols)
	if err != nil {
		return err
	}
	scale := consistent(cols, float64(h)/float64(n))
	var inside []int
	for i, v := range distances(d, raw.mean, chol) {
		if v/scale < chi.Quantile(0.975) {
			inside = append(inside, i)
		}
	}
	if len(inside) <= cols {
		return model.Errorf(op, "only %d rows are inliers, too few for a covariance", len(inside)).WithHint("set a larger Support")
	}
	mean, cov := moments(d, inside)
	floats.Scale(consistent(cols, 0.975), cov)
	r.RawMean, r.RawCovariance = raw.mean, mat.NewSymDense(cols, raw.cov)
	r.Mean, r.Covariance, r.Rows = mean, mat.NewSymDense(cols, cov), inside
	return nil
}

// consistent returns the consistency factor for Gaussian rows: the covariance of the fraction alpha
// of rows with the smallest distances, times the factor, estimates the covariance of all rows.
func consistent(cols int, alpha float64) float64 {
	if alpha >= 1 {
		return 1
	}
	q := distuv.ChiSquared{K: float64(cols)}.Quantile(alpha)
	return alpha / distuv.ChiSquared{K: float64(cols) + 2}.CDF(q)
}

// Score returns the squared Mahalanobis distance of each row.
func (r *RobustCovariance) Score(x mat.Matrix) []float64 {
	const op = "RobustCovariance.Score"
	x = model.MustRead(op, &r.Fitted, x)
	if r.Mean == nil {
		panic(model.NotFitted(op))
	}
	return distances(model.MustRows(op, x, len(r.Mean)), r.Mean, r.chol)
}

// Predict reports whether the squared distance of each row is above the threshold.
func (r *RobustCovariance) Predict(x mat.Matrix) []bool {
	x = model.MustRead("RobustCovariance.Predict", &r.Fitted, x)
	return above(r.Score(x), r.Threshold)
}

// Tune sets the threshold that has the best F1 score on x, where anomaly[i] reports whether row i
// is an anomaly.
func (r *RobustCovariance) Tune(x mat.Matrix, anomaly []bool) (*F1Choice, error) {
	x, err := model.Read("RobustCovariance.Tune", &r.Fitted, x)
	if err != nil {
		return nil, err
	}
	return tuned(r, "RobustCovariance.Tune", x, anomaly, &r.Threshold)
}
