package course

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/display/chart"
	"github.com/gokernel/gokernel/mlstd/latent"
	"github.com/gokernel/gokernel/mlstd/model"
)

// MixtureSteps draws how a Gaussian mixture was fitted to two columns, with one panel each for
// the start, the first iterations and the end. A panel shows the rows in the color of their most
// probable component, and the curves at one and two standard deviations of each component. The
// last panel shows the log likelihood after each iteration.
func MixtureSteps(x mat.Matrix, m *latent.GaussianMixture) *chart.Panels {
	if m == nil || len(m.Steps) == 0 {
		return chart.Grid(failed("MixtureSteps", "the model is not fitted, or has too many components for its steps to be kept"))
	}
	if x == nil {
		return chart.Grid(failed("MixtureSteps", "there are no rows"))
	}
	if _, cols := x.Dims(); cols != 2 {
		return chart.Grid(failed("MixtureSteps", "x must have two columns for a drawing of the steps, got %d", cols))
	}
	if _, cols := m.Means.Dims(); cols != 2 {
		return chart.Grid(failed("MixtureSteps", "the mixture has %d columns and x has 2", cols))
	}
	x, err := model.Read("MixtureSteps", &m.Fitted, x)
	if err != nil {
		return chart.Grid(failed("MixtureSteps", "%w", err))
	}
	var shown []int
	for s := range min(len(m.Steps), mostSteps-2) {
		shown = append(shown, s)
	}
	if last := len(m.Steps) - 1; !slices.Contains(shown, last) {
		shown = append(shown, last)
	}
	var panels []*chart.Chart
	for _, s := range shown {
		c, err := mixtureStep(x, m.Steps[s])
		if err != nil {
			return chart.Grid(failed("MixtureSteps", "%w", err))
		}
		panels = append(panels, c.NoLegend().Title(fmt.Sprintf("iteration %d: log L = %.1f", s, m.Steps[s].LogLikelihood)))
	}
	var at, curve []float64
	for s, step := range m.Steps {
		at, curve = append(at, float64(s)), append(curve, step.LogLikelihood)
	}
	panels = append(panels, chart.New().Line(at, curve).Title("log likelihood").X("iteration").Y("log L"))
	return chart.Grid(panels...)
}

// mixtureStep draws the rows and the components of one step.
func mixtureStep(x mat.Matrix, s latent.MixtureStep) (*chart.Chart, error) {
	k, _ := s.Means.Dims()
	means := make([][]float64, k)
	for i := range means {
		means[i] = slices.Clone(s.Means.RawRowView(i))
	}
	gs, err := gaussians(means, s.Covariances)
	if err != nil {
		return nil, err
	}
	now := latent.GaussianMixture{Weights: s.Weights, Means: s.Means, Covariances: s.Covariances}
	c := chart.New()
	addClusters(c, x, now.Predict(model.Dense(x)))
	for i, g := range gs {
		for d := 2; d >= 1; d-- {
			px, py := g.ellipse(float64(d))
			c.Polygon(px, py).ClassColor(i).Opacity(0.12 * float64(3-d))
		}
	}
	addCenters(c, s.Means)
	return c, nil
}
