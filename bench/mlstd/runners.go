package main

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/model"
)

// runner does the work of a case once.
type runner func(d *dataset) (measured, error)

// parts returns the rows to learn from and the rows to predict, dense or sparse.
func (d *dataset) parts() (train, test mat.Matrix) {
	if d.csr != nil {
		return d.csr, d.csrTest
	}
	return d.train, d.test
}

// classifier measures fitting the first rows and predicting the others; the quality is the
// accuracy on the latter.
func classifier[M model.Classifier](fresh func() M) runner { return classifierBy(fresh, nil) }

// classifierBy is like classifier with a different quality.
func classifierBy[M model.Classifier](fresh func() M, quality func(m M, d *dataset) float64) runner {
	return func(d *dataset) (r measured, err error) {
		m := fresh()
		train, test := d.parts()
		watch := stopwatch()
		if err := m.Fit(train, d.class[:d.n]); err != nil {
			return r, err
		}
		r.Fit, r.FitCPU = watch()
		watch = stopwatch()
		p := m.Predict(test)
		r.Predict, r.PredictCPU = watch()
		if quality != nil {
			r.Quality = quality(m, d)
		} else {
			r.Quality = eval.Accuracy(d.class[d.n:], p)
		}
		return r, nil
	}
}

// regressor is like classifier with R² as quality.
func regressor[M model.Regressor](fresh func() M) runner { return regressorBy(fresh, nil) }

func regressorBy[M model.Regressor](fresh func() M, quality func(m M, d *dataset) float64) runner {
	return func(d *dataset) (r measured, err error) {
		m := fresh()
		train, test := d.parts()
		watch := stopwatch()
		if err := m.Fit(train, d.target[:d.n]); err != nil {
			return r, err
		}
		r.Fit, r.FitCPU = watch()
		watch = stopwatch()
		p := m.Predict(test)
		r.Predict, r.PredictCPU = watch()
		if quality != nil {
			r.Quality = quality(m, d)
		} else {
			r.Quality = eval.R2(d.target[d.n:], p)
		}
		return r, nil
	}
}

// transformer measures fitting and transforming the same rows; the quality is the mean absolute
// value of the entries, which shows that both sides compute the same.
func transformer[M model.Transformer](fresh func() M) runner {
	return func(d *dataset) (r measured, err error) {
		m := fresh()
		watch := stopwatch()
		if err := m.Fit(d.train); err != nil {
			return r, err
		}
		r.Fit, r.FitCPU = watch()
		watch = stopwatch()
		z := m.Transform(d.train)
		r.Predict, r.PredictCPU = watch()
		for _, v := range z.RawMatrix().Data {
			r.Quality += math.Abs(v)
		}
		r.Quality /= float64(len(z.RawMatrix().Data))
		return r, nil
	}
}

// once measures work that is not split into fitting and predicting.
func once(work func(d *dataset) (quality float64, err error)) runner {
	return func(d *dataset) (r measured, err error) {
		watch := stopwatch()
		r.Quality, err = work(d)
		r.Fit, r.FitCPU = watch()
		return r, err
	}
}
