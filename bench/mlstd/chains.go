package main

import (
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/bayesnet"
	"github.com/gokernel/gokernel/mlstd/latent"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/semi"
)

// chainCases are cases of models with hidden variables, of networks and of label spreading. The
// other sides are hmmlearn, pgmpy and scikit-learn.
var chainCases = []bench{
	{family: "latent", name: "GaussianHMM", kind: cloudKind, sizes: meanSizes, quality: objective, run: chain},
	{family: "bayesnet", name: "Variable elimination", kind: networkKind, sizes: [2]size{{n: 5}, {n: 30}}, quality: "sum of probabilities", memory: true, run: eliminated},
	{family: "semi", name: "LabelSpreading", kind: cloudKind, sizes: [2]size{{n: 1000, cols: 3}, {n: 100000, cols: 3}}, quality: accuracy, memory: true,
		run: labels(func() labeler { return &semi.LabelSpreading{Tol: 1e-4} }, func(m labeler) []int { return m.(*semi.LabelSpreading).Labels })},
	{family: "semi", name: "LabelPropagation", kind: cloudKind, sizes: [2]size{{n: 1000, cols: 3}, {n: 100000, cols: 3}}, quality: accuracy, memory: true,
		run: labels(func() labeler { return &semi.LabelPropagation{Tol: 1e-4} }, func(m labeler) []int { return m.(*semi.LabelPropagation).Labels })},
}

func init() { cases = append(cases, chainCases...) }

// chain makes ten Baum-Welch steps on one sequence, from the first five rows.
func chain(d *dataset) (r measured, err error) {
	const states = 5
	h := &latent.GaussianHMM{K: states, DiagonalOnly: true, MaxIter: 10, Tol: model.Zero, Ridge: model.Zero}
	for i := range states {
		spread := mat.NewDense(d.cols, d.cols, nil)
		for j := range d.cols {
			spread.Set(j, j, 20)
		}
		h.Emit = append(h.Emit, latent.Normals{Means: mat.DenseCopyOf(d.train.Slice(i, i+1, 0, d.cols)), Covariances: []*mat.Dense{spread}})
		h.Trans = append(h.Trans, []float64{0.2, 0.2, 0.2, 0.2, 0.2})
	}
	watch := stopwatch()
	if err := h.Learn(d.train); err != nil {
		return r, err
	}
	r.Fit, r.FitCPU = watch()
	r.Quality = -h.LogProb(d.train) / float64(d.n)
	return r, nil
}

// eliminated queries n variables of the ALARM network, given two others.
func eliminated(d *dataset) (measured, error) {
	net := bayesnet.AlarmMonitoring()
	return once(func(*dataset) (float64, error) {
		sum := 0.0
		for i := range d.n {
			sum += net.Query(d.texts[i%len(d.texts)]).Given("HRBP", "HIGH", "CVP", "LOW").P[0]
		}
		return sum, nil
	})(d)
}

// labeler learns from rows with and without classes.
type labeler interface {
	FitUnlabeled(x mat.Matrix, y []int, unlabeled mat.Matrix) error
}

// labels passes a model the classes of a tenth of the rows; the quality is its accuracy on the
// other rows.
func labels(fresh func() labeler, found func(m labeler) []int) runner {
	return func(d *dataset) (r measured, err error) {
		known := d.n / 10
		m := fresh()
		watch := stopwatch()
		err = m.FitUnlabeled(d.train.Slice(0, known, 0, d.cols), d.class[:known], d.train.Slice(known, d.n, 0, d.cols))
		if err != nil {
			return r, err
		}
		r.Fit, r.FitCPU = watch()
		for i, k := range found(m) {
			if k == d.class[known+i] {
				r.Quality += 1 / float64(d.n-known)
			}
		}
		return r, nil
	}
}
