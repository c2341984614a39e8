package semi

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/internal/magnitude"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/neighbors"
)

// SimilarityGraph is an undirected weighted graph: the more similar two nodes are, the larger is
// the weight of their edge. Nodes count from 0. It needs 24 bytes per edge: two entries of 12
// bytes.
//
// Course: LAT-13, LAT-14.
type SimilarityGraph struct {
	start   []int // the edges of node i are at start[i]:start[i+1]
	to      []int32
	weights []float64
}

// GraphEdge joins two nodes.
type GraphEdge struct {
	From, To int
	Weight   float64
}

// LaplacianKind selects a graph Laplacian.
type LaplacianKind int

const (
	// CombinatorialLaplacian is L = D − W.
	CombinatorialLaplacian LaplacianKind = iota
	// NormalizedLaplacian is D^(−½)·L·D^(−½), symmetric, with eigenvalues from 0 to 2.
	NormalizedLaplacian
	// RandomWalkLaplacian is D⁻¹·L = I − P for the random walk P; it has the same eigenvalues as
	// the normalized Laplacian.
	RandomWalkLaplacian
)

// String returns the name of the Laplacian.
func (k LaplacianKind) String() string {
	switch k {
	case CombinatorialLaplacian:
		return "combinatorial"
	case NormalizedLaplacian:
		return "normalized"
	case RandomWalkLaplacian:
		return "random walk"
	}
	return "unknown"
}

// NewSimilarityGraph makes a graph of n nodes. If several edges join the same two nodes, in either
// direction, their weights are summed. An edge from a node to itself is an error, because it does
// not change the Laplacian.
func NewSimilarityGraph(n int, edges ...GraphEdge) *SimilarityGraph {
	const op = "NewSimilarityGraph"
	if n < 1 || n > math.MaxInt32 {
		panic(model.Errorf(op, "n must be at least 1, got %d", n))
	}
	count := make([]int, n+1)
	for _, e := range edges {
		if e.From < 0 || e.To < 0 || e.From >= n || e.To >= n || e.From == e.To {
			panic(model.Errorf(op, "an edge must join two different nodes between 0 and %d, got %d and %d", n-1, e.From, e.To))
		}
		if !(e.Weight >= 0) || math.IsInf(e.Weight, 1) {
			panic(model.Errorf(op, "the weight of edge %d, %d must be finite and not negative, got %v", e.From, e.To, e.Weight))
		}
		count[e.From+1]++
		count[e.To+1]++
	}
	for i := range n {
		count[i+1] += count[i]
	}
	g := &SimilarityGraph{start: slices.Clone(count), to: make([]int32, count[n]), weights: make([]float64, count[n])}
	at := count[:n]
	put := func(i, j int, w float64) {
		g.to[at[i]], g.weights[at[i]] = int32(j), w
		at[i]++
	}
	for _, e := range edges {
		put(e.From, e.To, e.Weight)
		put(e.To, e.From, e.Weight)
	}
	g.tidy()
	return g
}

// tidy sorts the edges of each node and merges duplicate edges by adding their weights.
func (g *SimilarityGraph) tidy() {
	type half struct {
		to int32
		w  float64
	}
	var row []half
	at, lo := 0, 0
	for i := range g.Len() {
		row = row[:0]
		for e := lo; e < g.start[i+1]; e++ {
			row = append(row, half{g.to[e], g.weights[e]})
		}
		lo = g.start[i+1]
		slices.SortStableFunc(row, func(a, b half) int { return int(a.to) - int(b.to) })
		g.start[i] = at
		for _, h := range row {
			if at > g.start[i] && g.to[at-1] == h.to {
				g.weights[at-1] += h.w
				continue
			}
			g.to[at], g.weights[at] = h.to, h.w
			at++
		}
	}
	g.start[g.Len()] = at
	g.to, g.weights = slices.Clip(g.to[:at]), slices.Clip(g.weights[:at])
}

// NeighborGraph returns the graph that joins two rows if one row is among the k nearest neighbors
// of the other. Every edge has weight 1, and a row is not its own neighbor.
//
// Cost: one search for neighbors, which takes O(n·k·log n) time for up to 8 columns.
//
// Course: LAT-13.
func NeighborGraph(x mat.Matrix, k int) *SimilarityGraph {
	const op = "NeighborGraph"
	d, err := model.CheckX(op, x)
	if err != nil {
		panic(err)
	}
	g, err := neighborGraph(op, d, k)
	if err != nil {
		panic(err)
	}
	return g
}

func neighborGraph(op string, d *mat.Dense, k int) (*SimilarityGraph, error) {
	n, _ := d.Dims()
	if k < 1 || k >= n {
		return nil, model.Errorf(op, "k must be between 1 and %d (the number of other rows), got %d", n-1, k)
	}
	index := neighbors.NeighborIndex{}
	if err := index.Learn(d); err != nil {
		return nil, err
	}
	edges := make([]GraphEdge, 0, n*k)
	const block = 8192 // rows at a time, so that memory stays small
	for lo := 0; lo < n; lo += block {
		hi := min(lo+block, n)
		_, cols := d.Dims()
		rows, _ := index.Nearest(d.Slice(lo, hi, 0, cols), k+1)
		for r, near := range rows {
			i, taken := lo+r, 0
			for _, j := range near {
				if j != i && taken < k {
					edges = append(edges, GraphEdge{i, j, 1})
					taken++
				}
			}
		}
	}
	g := NewSimilarityGraph(n, edges...)
	for e := range g.weights {
		g.weights[e] = 1 // found from both sides
	}
	return g, nil
}

// RBFGraph returns the graph that joins all rows with weights exp(−γ·‖xᵢ − xⱼ‖²). It allows at most
// 5000 rows.
//
// Cost: O(n²·d) time, and 12·n² bytes.
func RBFGraph(x mat.Matrix, gamma float64) *SimilarityGraph {
	const op = "RBFGraph"
	d, err := model.CheckX(op, x)
	if err != nil {
		panic(err)
	}
	g, err := rbfGraph(op, d, gamma)
	if err != nil {
		panic(err)
	}
	return g
}

func rbfGraph(op string, d *mat.Dense, gamma float64) (*SimilarityGraph, error) {
	if err := magnitude.Check(op, d); err != nil {
		return nil, err
	}
	n, _ := d.Dims()
	if !(gamma > 0) || math.IsInf(gamma, 1) {
		return nil, model.Errorf(op, "gamma must be positive, got %v", gamma)
	}
	if n > 5000 {
		return nil, model.Errorf(op, "a graph of all pairs must have at most 5000 rows, got %d", n).WithHint("use a graph of nearest neighbors")
	}
	g := &SimilarityGraph{start: make([]int, n+1), to: make([]int32, n*(n-1)), weights: make([]float64, n*(n-1))}
	for i := range n {
		g.start[i+1] = (i + 1) * (n - 1)
	}
	par.Range(n, 32, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			at := g.start[i]
			for j := range n {
				if j != i {
					g.to[at], g.weights[at] = int32(j), math.Exp(-gamma*squaredDistance(d.RawRowView(i), d.RawRowView(j)))
					at++
				}
			}
		}
	})
	return g, nil
}

func squaredDistance(a, b []float64) float64 {
	sum := 0.0
	for j, v := range a {
		v -= b[j]
		sum += v * v
	}
	return sum
}

// Len returns the number of nodes.
func (g *SimilarityGraph) Len() int { return len(g.start) - 1 }

// NumEdges returns the number of edges.
func (g *SimilarityGraph) NumEdges() int { return len(g.to) / 2 }

// Edges returns the edges, each once, from the lower to the higher node.
func (g *SimilarityGraph) Edges() []GraphEdge {
	out := make([]GraphEdge, 0, g.NumEdges())
	for i := range g.Len() {
		to, w := g.row(i)
		for e, j := range to {
			if int(j) > i {
				out = append(out, GraphEdge{i, int(j), w[e]})
			}
		}
	}
	return out
}

func (g *SimilarityGraph) row(i int) ([]int32, []float64) {
	return g.to[g.start[i]:g.start[i+1]], g.weights[g.start[i]:g.start[i+1]]
}

// Degrees returns the degree of each node, which is the sum of the weights of its edges.
func (g *SimilarityGraph) Degrees() []float64 {
	out := make([]float64, g.Len())
	for i := range out {
		_, w := g.row(i)
		for _, v := range w {
			out[i] += v
		}
	}
	return out
}

// Components returns the index of each node's connected component, and the number of components.
// Components are numbered from 0 in the order of their first nodes. Edges of weight 0 do not join
// nodes.
func (g *SimilarityGraph) Components() (component []int, count int) {
	component = slices.Repeat([]int{-1}, g.Len())
	var stack []int
	for s := range component {
		if component[s] >= 0 {
			continue
		}
		component[s] = count
		for stack = append(stack[:0], s); len(stack) > 0; {
			i := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			to, w := g.row(i)
			for e, j := range to {
				if w[e] > 0 && component[j] < 0 {
					component[j] = count
					stack = append(stack, int(j))
				}
			}
		}
		count++
	}
	return component, count
}

// CutWeight returns the total weight of the edges between nodes of different classes.
func (g *SimilarityGraph) CutWeight(classes []int) float64 {
	if len(classes) != g.Len() {
		panic(model.Errorf("SimilarityGraph.CutWeight", "classes must have %d entries (the number of nodes), got %d", g.Len(), len(classes)))
	}
	sum := 0.0
	for _, e := range g.Edges() {
		if classes[e.From] != classes[e.To] {
			sum += e.Weight
		}
	}
	return sum
}

// Laplacian returns a Laplacian of the graph as a matrix. A node without edges has a row
// of zeros.
//
// Cost: n² numbers.
//
// References: [Luxburg2007]. Course: LAT-14.
func (g *SimilarityGraph) Laplacian(kind LaplacianKind) *mat.Dense {
	const op = "SimilarityGraph.Laplacian"
	n := g.Len()
	if n > 10000 {
		panic(model.Errorf(op, "the matrix would be too large: %d nodes make %d numbers", n, n*n))
	}
	if kind < CombinatorialLaplacian || kind > RandomWalkLaplacian {
		panic(model.Errorf(op, "kind must be one of the constants of ml.LaplacianKind, got %d", kind))
	}
	degrees := g.Degrees()
	out := mat.NewDense(n, n, nil)
	for i, d := range degrees {
		if d == 0 {
			continue
		}
		to, w := g.row(i)
		row := out.RawRowView(i)
		for e, j := range to {
			row[j] = -w[e]
		}
		row[i] = d
		for j := range row {
			switch {
			case row[j] == 0 || kind == CombinatorialLaplacian:
			case kind == RandomWalkLaplacian:
				row[j] /= d
			default:
				row[j] /= math.Sqrt(d * degrees[j])
			}
		}
	}
	return out
}

// Quadratic returns fᵀ·L·f, where L is the combinatorial Laplacian. The value measures how much f
// differs along the edges:
//
//	fᵀ·L·f = ½·Σᵢⱼ wᵢⱼ·(fᵢ − fⱼ)²
//
// Cost: O(edges).
//
// Course: LAT-14.
func (g *SimilarityGraph) Quadratic(f []float64) float64 {
	if len(f) != g.Len() {
		panic(model.Errorf("SimilarityGraph.Quadratic", "f must have %d values (the number of nodes), got %d", g.Len(), len(f)))
	}
	sum := 0.0
	for i := range f {
		to, w := g.row(i)
		for e, j := range to {
			sum += 0.5 * w[e] * (f[i] - f[j]) * (f[i] - f[j])
		}
	}
	return sum
}

// Spectrum returns the k smallest eigenvalues of a Laplacian in ascending order, and their
// eigenvectors as columns. The number of zero eigenvalues is the number of connected components.
// The next eigenvalue measures how hard the graph is to cut, and its eigenvector shows where to cut
// it. For the random walk Laplacian, the eigenvectors have weighted length 1, Σᵢ dᵢ·vᵢ² = 1.
//
// Cost: O(n³) time, or less for a few well-separated eigenvalues, and O(n²) memory.
//
// References: [Luxburg2007]. Course: LAT-14.
func (g *SimilarityGraph) Spectrum(kind LaplacianKind, k int) (values []float64, vectors *mat.Dense) {
	const op = "SimilarityGraph.Spectrum"
	n := g.Len()
	if k < 1 || k > n {
		panic(model.Errorf(op, "k must be between 1 and %d (the number of nodes), got %d", n, k))
	}
	symmetric := kind
	if kind == RandomWalkLaplacian {
		symmetric = NormalizedLaplacian
	}
	a := g.Laplacian(symmetric).RawMatrix().Data
	degrees, top := g.Degrees(), 2.0
	if kind == CombinatorialLaplacian {
		top = 2 * slices.Max(degrees) // no eigenvalue is larger
	}
	for i := range a {
		a[i] = -a[i]
	}
	for i := range n {
		a[i*n+i] += top
	}
	values, columns, ok := linalg.Eigen(a, n, k)
	if !ok {
		panic(model.Errorf(op, "the eigenvalues could not be computed"))
	}
	vectors = mat.NewDense(n, k, nil)
	for c, v := range columns {
		values[c] = max(top-values[c], 0)
		for i, u := range v {
			if kind == RandomWalkLaplacian && degrees[i] > 0 {
				u /= math.Sqrt(degrees[i])
			}
			vectors.Set(i, c, u)
		}
	}
	return values, vectors
}
