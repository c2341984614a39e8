package semi

import (
	"math"
	"slices"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// grain is the number of nodes that one goroutine sums; the sums are added in order.
const grain = 4096

// system is (diag(diagonal) − W)·x = b on some nodes of a graph, for k right sides. Its unknowns
// are ordered by patch, so that neighbors are near in memory.
type system struct {
	k        int
	nodes    []int32 // of the graph, by unknown
	start    []int   // the entries of unknown i are at start[i]:start[i+1]
	to       []int32
	weights  []float64
	diagonal []float64
	ends     []int     // of the patches
	coarse   []float64 // the Cholesky factor of the sums of the matrix over patches, or nil
}

// newSystem makes the system for the free nodes, with off·w·off as entries of W.
func newSystem(g *SimilarityGraph, k int, free []bool, diagonal, off []float64) *system {
	s := &system{k: k}
	s.nodes, s.ends = g.patches(free)
	place := slices.Repeat([]int32{-1}, g.Len())
	count := 0
	for u, i := range s.nodes {
		place[i] = int32(u)
		count += g.start[i+1] - g.start[i]
	}
	s.start, s.diagonal = make([]int, 1, len(s.nodes)+1), make([]float64, len(s.nodes))
	s.to, s.weights = make([]int32, 0, count), make([]float64, 0, count)
	for u, i := range s.nodes {
		to, w := g.row(int(i))
		for e, j := range to {
			if place[j] >= 0 {
				s.to, s.weights = append(s.to, place[j]), append(s.weights, w[e]*off[i]*off[j])
			}
		}
		s.start, s.diagonal[u] = append(s.start, len(s.to)), diagonal[i]
	}
	return s
}

// patches divides the free nodes into a few hundred connected pieces of about the same size. It
// returns the nodes piece by piece and the end of each piece. Each piece grows from the boundary of
// the earlier ones.
func (g *SimilarityGraph) patches(free []bool) (nodes []int32, ends []int) {
	const pieces, smallest = 512, 32
	taken, count := make([]bool, g.Len()), 0
	for i, f := range free {
		if taken[i] = !f; f {
			count++
		}
	}
	size := max(smallest, (count+pieces-1)/pieces)
	nodes = make([]int32, 0, count)
	var rim []int32
	for next := 0; next < g.Len(); next++ {
		for rim = append(rim[:0], int32(next)); len(rim) > 0; rim = rim[1:] {
			if taken[rim[0]] {
				continue
			}
			from := len(nodes)
			taken[rim[0]] = true
			nodes = append(nodes, rim[0])
			for at := from; at < len(nodes); at++ {
				to, _ := g.row(int(nodes[at]))
				for _, j := range to {
					switch {
					case taken[j]:
					case len(nodes)-from < size:
						taken[j] = true
						nodes = append(nodes, j)
					default:
						rim = append(rim, j)
					}
				}
			}
			ends = append(ends, len(nodes))
		}
	}
	return nodes, ends
}

// coarsen makes the small system with one unknown per patch, which each step solves exactly.
// Without it, error components that are smooth over patches need many steps: in a long graph, as
// many as there are edges from end to end. It does nothing if there are few nodes or very many
// patches.
func (s *system) coarsen() {
	const few, most = 1000, 2000
	m := len(s.ends)
	if len(s.nodes) < few || m > most {
		return
	}
	patch := make([]int, len(s.nodes))
	for p, from := 0, 0; p < m; p++ {
		for ; from < s.ends[p]; from++ {
			patch[from] = p
		}
	}
	a := make([]float64, m*m)
	for i, p := range patch {
		a[p*m+p] += s.diagonal[i]
		for e := s.start[i]; e < s.start[i+1]; e++ {
			a[p*m+patch[s.to[e]]] -= s.weights[e]
		}
	}
	if linalg.Cholesky(a, m) {
		s.coarse = a
	}
}

// times writes the product of the matrix with p to out and returns Σ p·out for each right side.
func (s *system) times(out, p []float64) []float64 {
	n, k := len(s.nodes), s.k
	sums := make([]float64, (n+grain-1)/grain*k)
	par.Range(n, grain, func(lo, hi int) {
		sum := sums[lo/grain*k : (lo/grain+1)*k]
		for i := lo; i < hi; i++ {
			to := s.to[s.start[i]:s.start[i+1]]
			w := s.weights[s.start[i]:s.start[i+1]]
			if k == 1 {
				v := s.diagonal[i] * p[i]
				for e, j := range to {
					v -= w[e] * p[j]
				}
				out[i] = v
				sum[0] += v * p[i]
				continue
			}
			row := out[i*k : i*k+k]
			for c, v := range p[i*k : i*k+k] {
				row[c] = s.diagonal[i] * v
			}
			for e, j := range to {
				for c, v := range p[int(j)*k : int(j)*k+k] {
					row[c] -= w[e] * v
				}
			}
			for c, v := range p[i*k : i*k+k] {
				sum[c] += row[c] * v
			}
		}
	})
	return folded(sums, k)
}

// folded returns the total of the sums of the parts.
func folded(sums []float64, k int) []float64 {
	out := make([]float64, k)
	for i, v := range sums {
		out[i%k] += v
	}
	return out
}

// precondition writes r/diagonal to z, and adds to each patch the solution of the small system for
// the sums of r. It returns Σ r·z for each right side.
func (s *system) precondition(z, r []float64) []float64 {
	k, m := s.k, len(s.ends)
	even := make([]float64, k*m)
	if s.coarse != nil {
		from := 0
		for p, end := range s.ends {
			for i := from * k; i < end*k; i++ {
				even[i%k*m+p] += r[i]
			}
			from = end
		}
		for c := range k {
			linalg.SolveCholesky(s.coarse, even[c*m:(c+1)*m])
		}
	}
	sums := make([]float64, m*k)
	par.Range(m, 16, func(lo, hi int) {
		from := 0
		if lo > 0 {
			from = s.ends[lo-1]
		}
		for p := lo; p < hi; p++ {
			for ; from < s.ends[p]; from++ {
				for c := range k {
					at := from*k + c
					z[at] = r[at]/s.diagonal[from] + even[c*m+p]
					sums[p*k+c] += r[at] * z[at]
				}
			}
		}
	})
	return folded(sums, k)
}

// solve improves x by preconditioned conjugate gradients until no residual is above tol
// times the diagonal.
func (s *system) solve(op string, x, b []float64, tol float64, maxIter int, step func(int, float64) error) (int, error) {
	n, k := len(s.nodes), s.k
	if maxIter == 0 {
		maxIter = 10*n + 100
	}
	r, z, q := slices.Clone(b), make([]float64, n*k), make([]float64, n*k)
	s.times(q, x)
	worst := 0.0
	for i := range r {
		r[i] -= q[i]
		worst = max(worst, math.Abs(r[i])/s.diagonal[i/k])
	}
	rho := s.precondition(z, r)
	p := slices.Clone(z)
	worsts, alpha := make([]float64, (n+grain-1)/grain), make([]float64, k)
	for iter := 1; ; iter++ {
		if step != nil {
			if err := step(iter, worst); err != nil {
				return iter, err
			}
		}
		if worst <= tol {
			return iter - 1, nil
		}
		if iter > maxIter {
			return iter, model.Errorf(op, "the iteration did not converge: the residual is %.2g after %d steps", worst, maxIter).
				WithHint("set a larger Tol, or use a graph whose weights differ less")
		}
		for c, pq := range s.times(q, p) {
			if alpha[c] = 0; pq > 0 {
				alpha[c] = rho[c] / pq
			}
		}
		par.Range(n, grain, func(lo, hi int) {
			most := 0.0
			for i := lo; i < hi; i++ {
				for c := range k {
					at := i*k + c
					x[at] += alpha[c] * p[at]
					r[at] -= alpha[c] * q[at]
					most = max(most, math.Abs(r[at])/s.diagonal[i])
				}
			}
			worsts[lo/grain] = most
		})
		worst = slices.Max(worsts)
		next := s.precondition(z, r)
		par.Range(n, grain, func(lo, hi int) {
			for at := lo * k; at < hi*k; at++ {
				beta := 0.0
				if rho[at%k] > 0 {
					beta = next[at%k] / rho[at%k]
				}
				p[at] = z[at] + beta*p[at]
			}
		})
		rho = next
	}
}
