package neighbors

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/model"
)

// PrototypeClassifier replaces the rows of each class with a few prototypes, which K-means finds
// within the class. It predicts the class of the nearest prototype.
//
// For each class it minimizes
//
//	J = Σ over the rows i of the class min_k ‖xᵢ − μ_k‖²
//
// by Lloyd's algorithm from a k-means++ start. Compared with [KNN], prediction is faster and less
// sensitive to noise, but training takes longer. With K = n every row is a prototype, which is
// one-nearest-neighbor.
//
// Cost: O(n·K·d) per step, and O(c·K·d) per prediction for c classes.
//
// References: [Hastie2009].
// Course: NEAR-17.
type PrototypeClassifier struct {
	model.Control

	// K is the number of prototypes per class; 0 means 3. If a class has fewer distinct rows, each
	// distinct row becomes a prototype.
	K int
	// MaxIter is the maximum number of steps of K-means in a class; 0 means 100.
	MaxIter int
	// Seed is the seed of the k-means++ starts.
	Seed uint64

	// Prototypes has one row per prototype; Labels holds the classes of the prototypes.
	Prototypes *mat.Dense
	Labels     []int

	classes []int
	index   *index

	model.Fitted // set by Fit: the columns that it was given
}

var _ model.Classifier = (*PrototypeClassifier)(nil)

// Fit finds the prototypes of each class of y.
func (m *PrototypeClassifier) Fit(x mat.Matrix, y []int) error {
	model.NoteXY(&m.Fitted, x, y)
	m.Prototypes, m.Labels, m.classes, m.index = nil, nil, nil, nil
	const op = "PrototypeClassifier.Fit"
	d, err := model.CheckXY(op, x, y)
	if err != nil {
		return err
	}
	if err := limits.Check(op,
		limits.NotNegative("K", m.K),
		limits.NotNegative("MaxIter", m.MaxIter)); err != nil {
		return err
	}
	if err := measurable(op, d, Euclidean); err != nil {
		return err
	}
	k, steps := m.K, m.MaxIter
	if k == 0 {
		k = 3
	}
	if steps == 0 {
		steps = 100
	}
	classes, index := model.Classes(y)
	run := m.Begin("PrototypeClassifier", len(classes)*steps)
	defer run.End()
	var found [][]float64
	var labels []int
	done := 0
	for c := range classes {
		var rows [][]float64
		for i, k := range index {
			if k == c {
				rows = append(rows, d.RawRowView(i))
			}
		}
		centers, err := lloyd(rows, k, steps, model.Rand(m.Seed, uint64(c)).Float64, func(loss float64) error {
			done++
			return run.Step(done, loss)
		})
		if err != nil {
			return err
		}
		for _, p := range centers {
			found, labels = append(found, p), append(labels, classes[c])
		}
	}
	_, cols := d.Dims()
	prototypes := mat.NewDense(len(found), cols, nil)
	for r, p := range found {
		prototypes.SetRow(r, p)
	}
	ix, err := newIndex(op, prototypes, Euclidean, 2, nil, AutoSearch)
	if err != nil {
		return err
	}
	m.Prototypes, m.Labels, m.classes, m.index = prototypes, labels, classes, ix
	return nil
}

// lloyd returns at most k centers of the rows, started by k-means++: each next center is a row
// drawn with probability proportional to its squared distance to the nearest center so far.
func lloyd(rows [][]float64, k, steps int, random func() float64, step func(loss float64) error) ([][]float64, error) {
	far := make([]float64, len(rows))
	for i := range far {
		far[i] = 1
	}
	var centers [][]float64
	for len(centers) < k {
		total := 0.0
		for _, v := range far {
			total += v
		}
		if total == 0 {
			break // every row is a center already
		}
		u, at := random()*total, len(rows)-1
		for i, v := range far {
			if u -= v; u < 0 {
				at = i
				break
			}
		}
		for far[at] == 0 {
			at--
		}
		centers = append(centers, slices.Clone(rows[at]))
		for i, r := range rows {
			if dist := squared(r, rows[at]); len(centers) == 1 || dist < far[i] {
				far[i] = dist
			}
		}
	}
	last := math.Inf(1)
	for range steps {
		sums, counts := make([][]float64, len(centers)), make([]float64, len(centers))
		loss := 0.0
		for _, r := range rows {
			best, near := 0, math.Inf(1)
			for c, p := range centers {
				if dist := squared(r, p); dist < near {
					best, near = c, dist
				}
			}
			loss += near
			if sums[best] == nil {
				sums[best] = make([]float64, len(r))
			}
			counts[best]++
			for j, v := range r {
				sums[best][j] += v
			}
		}
		if err := step(loss); err != nil {
			return nil, err
		}
		if loss >= last {
			break
		}
		last = loss
		for c := range centers {
			if counts[c] > 0 {
				for j := range centers[c] {
					centers[c][j] = sums[c][j] / counts[c]
				}
			}
		}
	}
	return centers, nil
}

// Predict returns the class of the prototype nearest to each row.
func (m *PrototypeClassifier) Predict(x mat.Matrix) []int {
	const op = "PrototypeClassifier.Predict"
	x = model.MustRead(op, &m.Fitted, x)
	if m.index == nil {
		panic(model.NotFitted(op))
	}
	_, cols := m.Prototypes.Dims()
	d := model.MustRows(op, x, cols)
	n, _ := d.Dims()
	y := make([]int, n)
	m.index.each(d, 1, func(i int, found *nearest) { y[i] = m.Labels[found.rows[0]] })
	return y
}

// Trait is a strength or a limitation of instance-based learning.
type Trait struct {
	Strength bool
	Text     string
}

// InstanceBasedTraits lists advantages and disadvantages of storing the examples instead of fitting
// a model.
//
// Course: NEAR-22.
func InstanceBasedTraits() []Trait {
	return []Trait{
		{true, "training is nothing but keeping the examples (it is lazy)"},
		{true, "new examples are learned at once, one by one"},
		{true, "the boundary can have any shape"},
		{true, "with K > 1, or after editing, noise in the labels is outvoted; with K = 1 it is not"},
		{false, "a prediction costs a search through the examples"},
		{false, "the range of each feature counts: scale first"},
		{false, "irrelevant and correlated features count as much as useful ones"},
		{false, "in many dimensions all distances become alike"},
		{false, "there is no model of the domain to learn something from"},
	}
}
