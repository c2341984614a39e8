package semi

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/internal/magnitude"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/neighbors"
)

// LabelPropagation classifies rows with a similarity graph, over which the given labels spread to
// the other rows. Labeled rows keep their labels.
//
//	Fᵢ = Σⱼ wᵢⱼ·Fⱼ / Σⱼ wᵢⱼ  for the rows without a label
//
// See [HarmonicLabels]. The graph joins each row to its Neighbors nearest rows. If Gamma is not 0,
// the graph joins all rows instead, with weights exp(−Gamma·‖xᵢ − xⱼ‖²). The prediction for a new
// row is the weighted mean of F at its neighbors. For rows that no label reaches, all classes are
// equally probable; Unreached counts such rows.
//
// LabelPropagation finds classes of any shape, such as two half moons with one label each, provided
// that the graph does not connect the classes. A single wrong edge can be enough for one class to
// take over another.
//
// Cost: the search for neighbors, and O(n·Neighbors) per step. For 100,000 rows in the plane with
// two labels, a fit takes about a hundred steps and 110 MB.
//
// References: [ZhuGhahramaniLafferty2003]. Course: LAT-13.
type LabelPropagation struct {
	model.Control

	// Neighbors is the number of neighbors of each row in the graph; 0 means 7. With more
	// neighbors, labels spread farther.
	Neighbors int
	Gamma     float64 // if not 0, the graph of all rows with these weights
	// Tol is the largest residual at which the solver stops; 0 means 1e-8. With a larger value, the
	// solver stops earlier.
	Tol float64
	// MaxIter is the maximum number of steps of the solver; 0 means 10·n + 100.
	MaxIter int

	F         *mat.Dense       // set by Fit: of the rows, the labeled ones first
	Labels    []int            // set by Fit: of the unlabeled rows
	Unreached int              // set by Fit: rows without a way to a label
	Graph     *SimilarityGraph // set by Fit
	Trace     model.Trace      // set by Fit: Loss is the largest residual before each step

	fitted graphClassifier

	model.Fitted // set by Fit: the columns that it was given
}

// LabelSpreading classifies rows with a similarity graph, over which labels spread to all rows,
// including the labeled rows.
//
//	F = (1 − α)·(I − α·S)⁻¹·Y,  S = D^(−½)·W·D^(−½)
//
// See [SpreadLabels]. The graph, new rows, and rows that no label reaches are handled as in
// [LabelPropagation]. If labels are noisy, prefer LabelSpreading. The influence of a label
// decreases at least by the factor α per edge. With few labels in a long graph, choose α near 1 and
// a small Tol. Otherwise the influence of the labels on most rows is below Tol, and all classes of
// these rows are equally probable.
//
// Cost: the search for neighbors, and O(n·Neighbors·k) per step, for a few dozen steps. For 100,000
// rows in the plane, a fit takes about 130 MB.
//
// References: [ZhouEtAl2004]. Course: LAT-13.
type LabelSpreading struct {
	model.Control

	// Alpha is the fraction of its label that a row takes from its neighbors, between 0
	// and 1; 0 means 0.2. A larger Alpha lets given labels change more.
	Alpha float64
	// Neighbors is the number of neighbors of each row in the graph; 0 means 7. With more
	// neighbors, labels spread farther.
	Neighbors int
	Gamma     float64 // if not 0, the graph of all rows with these weights
	// Tol is the largest residual at which the solver stops; 0 means 1e-8. With a larger value, the
	// solver stops earlier.
	Tol float64
	// MaxIter is the maximum number of steps of the solver; 0 means 10·n + 100.
	MaxIter int

	F         *mat.Dense       // set by Fit: of the rows, the labeled ones first
	Labels    []int            // set by Fit: of the unlabeled rows
	Unreached int              // set by Fit: rows without a way to a label
	Graph     *SimilarityGraph // set by Fit
	Trace     model.Trace      // set by Fit: Loss is the largest residual before each step

	fitted graphClassifier

	model.Fitted // set by Fit: the columns that it was given
}

var (
	_ model.ProbClassifier = (*LabelPropagation)(nil)
	_ model.ProbClassifier = (*LabelSpreading)(nil)
)

// graphClassifier is the data that predictions of new rows need.
type graphClassifier struct {
	classes   []int
	x         *mat.Dense
	index     *neighbors.NeighborIndex
	neighbors int
	gamma     float64
}

// graphFit is the fitted state shared by LabelPropagation and LabelSpreading.
type graphFit struct {
	graphClassifier
	graph     *SimilarityGraph
	f         *mat.Dense
	labels    []int
	unreached int
	trace     model.Trace
}

// graphParams has the parameters of LabelPropagation or LabelSpreading, and the function that
// spreads the labels.
type graphParams struct {
	op         string
	neighbors  int
	gamma, tol float64
	maxIter    int
	spread     func(g *SimilarityGraph, labels []int, k int, tol float64, step func(int, float64) error) (*mat.Dense, int, error)
}

func fitGraph(run *model.Run, x mat.Matrix, y []int, unlabeled mat.Matrix, p graphParams) (*graphFit, error) {
	all, n, err := both(p.op, x, y, unlabeled)
	if err != nil {
		return nil, err
	}
	rows, _ := all.Dims()
	if p.neighbors, err = model.Iterations(p.op, "Neighbors", p.neighbors, min(7, max(rows-1, 1))); err != nil {
		return nil, err
	}
	if p.tol == 0 {
		p.tol = 1e-8
	}
	if err := limits.Check(p.op,
		limits.Positive("Tol", p.tol),
		limits.NotNegative("MaxIter", p.maxIter)); err != nil {
		return nil, err
	}
	fit := &graphFit{graphClassifier: graphClassifier{x: mat.DenseCopyOf(all), neighbors: p.neighbors, gamma: p.gamma}}
	if p.gamma != 0 {
		fit.graph, err = rbfGraph(p.op, fit.x, p.gamma)
	} else {
		if fit.graph, err = neighborGraph(p.op, fit.x, p.neighbors); err == nil {
			fit.index = &neighbors.NeighborIndex{}
			err = fit.index.Learn(fit.x)
		}
	}
	if err != nil {
		return nil, err
	}
	classes, index := model.Classes(y)
	labels := append(slices.Clone(index), slices.Repeat([]int{Unlabeled}, rows-n)...)
	fit.f, _, err = p.spread(fit.graph, labels, len(classes), p.tol, func(iter int, residual float64) error {
		fit.trace.Loss = append(fit.trace.Loss, residual)
		return run.Step(iter, residual)
	})
	if err != nil {
		return nil, err
	}
	fit.trace.Converged, fit.classes = true, classes
	fit.unreached = unreached(fit.graph, labels)
	if rows > n {
		fit.labels = mostProbable(mat.DenseCopyOf(fit.f.Slice(n, rows, 0, len(classes))), classes)
	}
	return fit, nil
}

func unreached(g *SimilarityGraph, labels []int) int {
	component, count := g.Components()
	reached := make([]bool, count)
	for i, l := range labels {
		if l != Unlabeled {
			reached[component[i]] = true
		}
	}
	sum := 0
	for _, c := range component {
		if !reached[c] {
			sum++
		}
	}
	return sum
}

// proba returns the weighted means of f at the neighbors of each row.
func (c *graphClassifier) proba(op string, x mat.Matrix, f *mat.Dense) *mat.Dense {
	if f == nil {
		panic(model.NotFitted(op))
	}
	_, cols := c.x.Dims()
	d := magnitude.Must(op, model.MustRows(op, x, cols))
	n, _ := d.Dims()
	m, k := f.Dims()
	out := mat.NewDense(n, k, nil)
	if c.gamma == 0 {
		near, _ := c.index.Nearest(d, min(c.neighbors, m))
		for i, rows := range near {
			for _, r := range rows {
				for l, v := range f.RawRowView(r) {
					out.Set(i, l, out.At(i, l)+v/float64(len(rows)))
				}
			}
		}
		return out
	}
	par.Range(n, 64, func(lo, hi int) {
		logs := make([]float64, m)
		for i := lo; i < hi; i++ {
			for r := range logs {
				logs[r] = -c.gamma * squaredDistance(d.RawRowView(i), c.x.RawRowView(r))
			}
			most, sum, row := slices.Max(logs), 0.0, out.RawRowView(i)
			for r, v := range logs { // the nearest row has weight 1, however far it is
				w := math.Exp(v - most)
				sum += w
				for l, u := range f.RawRowView(r) {
					row[l] += w * u
				}
			}
			for l := range row {
				row[l] /= sum
			}
		}
	})
	return out
}

// Fit learns only from labeled rows.
func (m *LabelPropagation) Fit(x mat.Matrix, y []int) error {
	model.NoteXY(&m.Fitted, x, y)
	return m.fit("LabelPropagation.Fit", x, y, nil)
}

// FitUnlabeled learns from labeled and unlabeled rows.
func (m *LabelPropagation) FitUnlabeled(x mat.Matrix, y []int, unlabeled mat.Matrix) error {
	model.NoteXY(&m.Fitted, x, y)
	unlabeled, err := model.Read("LabelPropagation.FitUnlabeled", &m.Fitted, unlabeled)
	if err != nil {
		return err
	}
	return m.fit("LabelPropagation.FitUnlabeled", x, y, unlabeled)
}

func (m *LabelPropagation) fit(op string, x mat.Matrix, y []int, unlabeled mat.Matrix) error {
	m.F, m.Labels, m.Unreached, m.Graph, m.Trace, m.fitted = nil, nil, 0, nil, model.Trace{}, graphClassifier{}
	run := m.Begin("LabelPropagation", m.MaxIter)
	defer run.End()
	f, err := fitGraph(run, x, y, unlabeled, graphParams{op, m.Neighbors, m.Gamma, m.Tol, m.MaxIter,
		func(g *SimilarityGraph, labels []int, k int, tol float64, step func(int, float64) error) (*mat.Dense, int, error) {
			return harmonic(op, g, labels, k, tol, m.MaxIter, step)
		}})
	if err != nil {
		return err
	}
	m.F, m.Labels, m.Unreached, m.Graph, m.Trace, m.fitted = f.f, f.labels, f.unreached, f.graph, f.trace, f.graphClassifier
	return nil
}

// Classes lists the classes in ascending order.
func (m *LabelPropagation) Classes() []int { return slices.Clone(m.fitted.classes) }

// PredictProba returns the weighted mean of F at the neighbors of each row.
func (m *LabelPropagation) PredictProba(x mat.Matrix) *mat.Dense {
	x = model.MustRead("LabelPropagation.PredictProba", &m.Fitted, x)
	return m.fitted.proba("LabelPropagation.PredictProba", x, m.F)
}

// Predict returns the most probable class of each row.
func (m *LabelPropagation) Predict(x mat.Matrix) []int {
	x = model.MustRead("LabelPropagation.Predict", &m.Fitted, x)
	return mostProbable(m.fitted.proba("LabelPropagation.Predict", x, m.F), m.fitted.classes)
}

// Fit learns only from labeled rows.
func (m *LabelSpreading) Fit(x mat.Matrix, y []int) error {
	model.NoteXY(&m.Fitted, x, y)
	return m.fit("LabelSpreading.Fit", x, y, nil)
}

// FitUnlabeled learns from labeled and unlabeled rows.
func (m *LabelSpreading) FitUnlabeled(x mat.Matrix, y []int, unlabeled mat.Matrix) error {
	model.NoteXY(&m.Fitted, x, y)
	unlabeled, err := model.Read("LabelSpreading.FitUnlabeled", &m.Fitted, unlabeled)
	if err != nil {
		return err
	}
	return m.fit("LabelSpreading.FitUnlabeled", x, y, unlabeled)
}

func (m *LabelSpreading) fit(op string, x mat.Matrix, y []int, unlabeled mat.Matrix) error {
	m.F, m.Labels, m.Unreached, m.Graph, m.Trace, m.fitted = nil, nil, 0, nil, model.Trace{}, graphClassifier{}
	alpha := model.Or(m.Alpha, 0.2)
	if !(alpha > 0 && alpha < 1) {
		return model.Errorf(op, "Alpha must be between 0 and 1 (0 means 0.2), got %v", alpha)
	}
	run := m.Begin("LabelSpreading", m.MaxIter)
	defer run.End()
	f, err := fitGraph(run, x, y, unlabeled, graphParams{op, m.Neighbors, m.Gamma, m.Tol, m.MaxIter,
		func(g *SimilarityGraph, labels []int, k int, tol float64, step func(int, float64) error) (*mat.Dense, int, error) {
			return spread(op, g, labels, k, alpha, tol, m.MaxIter, step)
		}})
	if err != nil {
		return err
	}
	m.F, m.Labels, m.Unreached, m.Graph, m.Trace, m.fitted = f.f, f.labels, f.unreached, f.graph, f.trace, f.graphClassifier
	return nil
}

// Classes lists the classes in ascending order.
func (m *LabelSpreading) Classes() []int { return slices.Clone(m.fitted.classes) }

// PredictProba returns the weighted mean of F at the neighbors of each row.
func (m *LabelSpreading) PredictProba(x mat.Matrix) *mat.Dense {
	x = model.MustRead("LabelSpreading.PredictProba", &m.Fitted, x)
	return m.fitted.proba("LabelSpreading.PredictProba", x, m.F)
}

// Predict returns the most probable class of each row.
func (m *LabelSpreading) Predict(x mat.Matrix) []int {
	x = model.MustRead("LabelSpreading.Predict", &m.Fitted, x)
	return mostProbable(m.fitted.proba("LabelSpreading.Predict", x, m.F), m.fitted.classes)
}
