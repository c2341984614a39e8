package manifold

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/neighbors"
)

// Isomap unrolls a curved surface on which the rows lie. It applies classical scaling to the
// distances along the surface, estimated by the shortest paths in the graph of neighbors.
//
//	gᵢⱼ = the shortest path in the graph of neighbors,  B = −½·J·G²·J,  y = (√λ₁·u₁, …)
//
// The point of a new row is ⟨b, u⟩/√λ, where b holds −½ times the squared lengths of the shortest
// paths from the row, centered. These paths lead through the row's neighbors.
//
// The result depends on Neighbors. With too many neighbors, edges jump from one fold of the surface
// to the next. With too few, the graph is not connected: its components are then joined by the
// shortest edge between each pair of components, and Parts is the number of components.
//
// Cost: O(n²·log n) for the paths, and several Lanczos steps; O(n²) memory. For more than 15,000
// rows, Fit returns an error.
//
// References: [Tenenbaum2000], [BengioEtAl2004].
// Course: DEC-01.
type Isomap struct {
	model.Control

	// Components is the number of dimensions; 0 means 2.
	Components int
	// Neighbors is the number of neighbors of a row; 0 means 5.
	Neighbors int

	Embedding   *mat.Dense // set by Fit: the points of the training rows
	Eigenvalues []float64  // set by Fit: the k largest of B
	Parts       int        // set by Fit: of the graph of neighbors

	index *neighbors.NeighborIndex
	near  int
	paths []float64 // the shortest, n x n
	means []float64 // of −½·G², by row
	mean  float64   // of those

	model.Fitted // set by Fit: the columns that it was given
}

var _ model.Transformer = (*Isomap)(nil)

func (m *Isomap) reset() {
	m.Embedding, m.Eigenvalues, m.Parts = nil, nil, 0
	m.index, m.near, m.paths, m.means, m.mean = nil, 0, nil, nil, 0
}

// Fit computes a point for each row of x.
func (m *Isomap) Fit(x mat.Matrix) error {
	const op = "Isomap.Fit"
	model.NoteX(&m.Fitted, x)
	m.reset()
	d, err := checkRows(op, x)
	if err != nil {
		return err
	}
	n, _ := d.Dims()
	near, k, err := checkNeighborhood(op, m.Neighbors, m.Components, n)
	if err != nil {
		return err
	}
	run := m.Begin("Isomap", 0)
	defer run.End()
	g, err := newGraph(d, near)
	if err != nil {
		return err
	}
	parts := g.join(d)
	paths := g.shortestPaths()
	if err := run.Step(1, math.NaN()); err != nil {
		return err
	}
	b := append([]float64(nil), paths...)
	means, mean := doubleCenter(b, n)
	values, vectors, ok := linalg.Eigen(b, n, k)
	if !ok {
		return model.Errorf(op, "the eigenvalues of the distances could not be computed").WithHint("scale the columns first")
	}
	index := new(neighbors.NeighborIndex)
	if err := index.Learn(d); err != nil {
		return err
	}
	m.Embedding, m.Eigenvalues, m.Parts = scaledVectors(values, vectors, n), values, parts
	m.index, m.near, m.paths, m.means, m.mean = index, near, paths, means, mean
	return nil
}

// Transform returns a point for each row, as columns isomap1, isomap2 ...
func (m *Isomap) Transform(x mat.Matrix) *model.Table {
	const op = "Isomap.Transform"
	x = model.MustRead(op, &m.Fitted, x)
	if m.index == nil {
		panic(model.NotFitted(op))
	}
	rows, away := m.index.Nearest(x, m.near)
	n, k := m.Embedding.Dims()
	out := mat.NewDense(len(rows), k, nil)
	par.Range(len(rows), 16, func(lo, hi int) {
		b := make([]float64, n)
		for i := lo; i < hi; i++ {
			mean := 0.0
			for j := range b {
				path := math.Inf(1)
				for e, r := range rows[i] {
					path = min(path, away[i][e]+m.paths[r*n+j])
				}
				b[j] = -path * path / 2
				mean += b[j] / float64(n)
			}
			for j := range b {
				b[j] += m.mean - mean - m.means[j]
			}
			for c, v := range m.Eigenvalues {
				s := 0.0
				for j, w := range b {
					s += w * m.Embedding.At(j, c)
				}
				if v > 1e-14*m.Eigenvalues[0] {
					out.Set(i, c, s/v)
				}
			}
		}
	})
	return embedded(x, out, "isomap")
}
