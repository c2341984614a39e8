package prob

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// DiscriminantProjection is the projection of [LDA] as a transformer: it maps rows to
// the few directions that separate the classes best.
//
//	max_a aᵀBa / aᵀΣa
//
// B is the covariance of the class means, and Σ the covariance within the classes. Each further
// direction maximizes the same ratio among the directions that are uncorrelated with the earlier
// ones. The Fit method of a transformer gets no classes, so set the field Y to the classes, one for
// each row of x.
//
// Cost: as for [LDA].
//
// References: [Fisher1936], [Rao1948]. Course: PROB-24.
type DiscriminantProjection struct {
	Y          []int   // the class of each row
	Components int     // columns of the result; 0 means the maximum, at most K − 1
	Shrinkage  float64 // as in LDA
	LedoitWolf bool    // as in LDA

	Axes      *mat.Dense // set by Fit: one direction per column
	Center    []float64  // set by Fit: the point that becomes the origin
	Explained []float64  // set by Fit: fraction of the between-class variance along each

	model.Fitted // set by Fit: the columns that it was given
}

// Fit finds the directions.
func (p *DiscriminantProjection) Fit(x mat.Matrix) error {
	model.NoteX(&p.Fitted, x)
	p.Axes, p.Center, p.Explained = nil, nil, nil
	l := &LDA{Shrinkage: p.Shrinkage, LedoitWolf: p.LedoitWolf, Components: p.Components}
	if err := l.fit("DiscriminantProjection.Fit", x, p.Y, nil, false); err != nil {
		return err
	}
	m := len(l.Explained)
	if p.Components > 0 {
		m = p.Components
	}
	d, _ := l.Axes.Dims()
	p.Axes, p.Center, p.Explained = mat.DenseCopyOf(l.Axes.Slice(0, d, 0, m)), l.center, slices.Clone(l.Explained[:m])
	return nil
}

// Transform projects rows onto the directions.
func (p *DiscriminantProjection) Transform(x mat.Matrix) *model.Table {
	const op = "DiscriminantProjection.Transform"
	x = model.MustRead(op, &p.Fitted, x)
	if p.Axes == nil {
		panic(model.NotFitted(op))
	}
	return projected(op, x, p.Center, p.Axes, 0)
}
