package manifold

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// mostRows is the maximum number of rows if all pairs are stored: 1.8 GB per matrix.
const mostRows = 15000

func tooMany(op string, n int) error {
	return model.Errorf(op, "x must have at most %d rows, got %d", mostRows, n).WithHint("pass a sample of the rows, or use TSNE")
}

// checkNeighborhood returns the number of neighbors and of dimensions for n rows.
func checkNeighborhood(op string, neighbors, components, n int) (near, k int, err error) {
	if n > mostRows {
		return 0, 0, tooMany(op, n)
	}
	if near = neighbors; near == 0 {
		near = min(5, n-1)
	}
	if near < 1 || near >= n {
		return 0, 0, model.Errorf(op, "Neighbors must be between 1 and %d, got %d", n-1, neighbors)
	}
	if k = components; k == 0 {
		k = min(2, n-1)
	}
	if k < 1 || k > n {
		return 0, 0, model.Errorf(op, "Components must be between 1 and %d, got %d", n, components)
	}
	return near, k, nil
}

// graph joins rows that are neighbors, in both directions.
type graph struct {
	n    int
	near []int32 // the neighbors found, the same number for each row
	arcs [][]arc
}

type arc struct {
	to     int32
	length float64
}

// newGraph joins each row to its k nearest.
func newGraph(d *mat.Dense, k int) (*graph, error) {
	n, _ := d.Dims()
	near, away, err := nearest(d, k)
	if err != nil {
		return nil, err
	}
	g := &graph{n: n, near: near, arcs: make([][]arc, n)}
	for e, j := range near {
		g.join2(e/k, int(j), away[e])
	}
	return g, nil
}

func (g *graph) join2(i, j int, length float64) {
	g.arcs[i] = append(g.arcs[i], arc{int32(j), length})
	g.arcs[j] = append(g.arcs[j], arc{int32(i), length})
}

// parts returns the rows of each connected component of the graph.
func (g *graph) parts() [][]int32 {
	var parts [][]int32
	seen := make([]bool, g.n)
	for i := range g.n {
		if seen[i] {
			continue
		}
		seen[i] = true
		part := []int32{int32(i)}
		for at := 0; at < len(part); at++ {
			for _, a := range g.arcs[part[at]] {
				if !seen[a.to] {
					seen[a.to] = true
					part = append(part, a.to)
				}
			}
		}
		parts = append(parts, part)
	}
	return parts
}

// join adds the shortest edge between each pair of components, and returns the number of
// components.
func (g *graph) join(d *mat.Dense) int {
	parts := g.parts()
	for p := range parts {
		for _, other := range parts[:p] {
			best, from, to := math.Inf(1), int32(0), int32(0)
			for _, i := range parts[p] {
				for _, j := range other {
					if s := squared(d.RawRowView(int(i)), d.RawRowView(int(j))); s < best {
						best, from, to = s, i, j
					}
				}
			}
			g.join2(int(from), int(to), math.Sqrt(best))
		}
	}
	return len(parts)
}

// shortestPaths returns the lengths from each row to each, by Dijkstra's algorithm.
func (g *graph) shortestPaths() []float64 {
	out := make([]float64, g.n*g.n)
	par.Range(g.n, 8, func(lo, hi int) {
		q := queue{place: make([]int32, g.n)}
		for i := lo; i < hi; i++ {
			g.pathsFrom(i, out[i*g.n:(i+1)*g.n], &q)
		}
	})
	return out
}

func (g *graph) pathsFrom(i int, length []float64, q *queue) {
	for j := range length {
		length[j] = math.Inf(1)
	}
	length[i] = 0
	q.length = length
	q.rise(int32(i))
	for len(q.rows) > 0 {
		r := q.take()
		for _, a := range g.arcs[r] {
			if l := length[r] + a.length; l < length[a.to] {
				length[a.to] = l
				q.rise(a.to)
			}
		}
	}
}

// queue is a binary heap that returns rows in ascending order of length.
type queue struct {
	rows   []int32
	place  []int32 // of each row in rows, plus one; 0 for those not in it
	length []float64
}

// rise inserts a row, or moves it up after its length has decreased.
func (q *queue) rise(r int32) {
	at := int(q.place[r]) - 1
	if at < 0 {
		at = len(q.rows)
		q.rows = append(q.rows, r)
	}
	for at > 0 {
		up := (at - 1) / 2
		if !(q.length[r] < q.length[q.rows[up]]) {
			break
		}
		q.put(at, q.rows[up])
		at = up
	}
	q.put(at, r)
}

func (q *queue) put(at int, r int32) { q.rows[at], q.place[r] = r, int32(at+1) }

// take removes the row with the smallest length.
func (q *queue) take() int32 {
	first, last := q.rows[0], q.rows[len(q.rows)-1]
	q.rows = q.rows[:len(q.rows)-1]
	q.place[first] = 0
	if len(q.rows) == 0 {
		return first
	}
	at := 0
	for {
		down := 2*at + 1
		if down >= len(q.rows) {
			break
		}
		if down+1 < len(q.rows) && q.length[q.rows[down+1]] < q.length[q.rows[down]] {
			down++
		}
		if !(q.length[q.rows[down]] < q.length[last]) {
			break
		}
		q.put(at, q.rows[down])
		at = down
	}
	q.put(at, last)
	return first
}
