package semi

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Unlabeled is the entry of a list of labels for a node without one, as a number of a
// class from 0 on.
const Unlabeled = -1

// HarmonicLabels lets labels spread over a graph as heat does from nodes that are kept
// hot and nodes that are kept cold: known ones keep theirs, every other node takes the
// mean of its neighbors.
//
//	Fᵢ = Σⱼ wᵢⱼ·Fⱼ / Σⱼ wᵢⱼ  for the nodes without a label
//
// This is the F of the least Σ w·‖Fᵢ − Fⱼ‖², L_UU·F_U = W_UL·Y_L, and Fᵢ(c) the
// probability that a random walk from i meets a label c first. labels has the class of
// each node, from 0 on, or Unlabeled. A component without any label has no answer: all
// classes are alike there. One wrong edge between two clusters can be enough to flood
// one of them.
//
// Cost: O(edges) a step of conjugate gradients; many steps where the labels are few and
// the graph is long. Memory: 12 bytes an entry of the graph and 6 numbers a node and class.
//
// References: [ZhuGhahramaniLafferty2003]. Course: LAT-13.
func HarmonicLabels(g *SimilarityGraph, labels []int) *mat.Dense {
	const op = "HarmonicLabels"
	k := mustLabels(op, g, labels)
	f, _, err := harmonic(op, g, labels, k, 1e-10, 0, nil)
	if err != nil {
		panic(err)
	}
	return f
}

// PropagationSteps gives the distributions of [HarmonicLabels] as they are after each of
// so many rounds, in which all nodes take the mean of their neighbors at once; the first
// is the start, where nodes without a label have all classes alike.
//
// Course: LAT-13.
func PropagationSteps(g *SimilarityGraph, labels []int, rounds int) []*mat.Dense {
	const op = "PropagationSteps"
	k := mustLabels(op, g, labels)
	if rounds < 0 {
		panic(model.Errorf(op, "rounds is %d", rounds))
	}
	f := mat.NewDense(g.Len(), k, nil)
	for i, l := range labels {
		for c := range k {
			f.Set(i, c, 1/float64(k))
			if l != Unlabeled {
				f.Set(i, c, bit(l == c))
			}
		}
	}
	steps := []*mat.Dense{f}
	degrees := g.Degrees()
	for range rounds {
		next := mat.DenseCopyOf(f)
		for i, l := range labels {
			if l != Unlabeled || degrees[i] == 0 {
				continue
			}
			row := next.RawRowView(i)
			clear(row)
			to, w := g.row(i)
			for e, j := range to {
				for c, v := range f.RawRowView(int(j)) {
					row[c] += w[e] * v / degrees[i]
				}
			}
		}
		f = next
		steps = append(steps, f)
	}
	return steps
}

func bit(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func mustLabels(op string, g *SimilarityGraph, labels []int) int {
	if len(labels) != g.Len() {
		panic(model.Errorf(op, "there are %d labels for %d nodes", len(labels), g.Len()))
	}
	most := slices.Max(labels)
	if most < 0 || slices.Min(labels) < Unlabeled {
		panic(model.Errorf(op, "the labels go from %d to %d", slices.Min(labels), most).WithHint("classes count from 0, nodes without one have Unlabeled, and at least one has one"))
	}
	return most + 1
}

// harmonic solves for the nodes without a label that a label reaches, class by class
// all at once, by conjugate gradients over the degrees. It gives the steps.
func harmonic(op string, g *SimilarityGraph, labels []int, k int, tol float64, maxIter int, step func(int, float64) error) (*mat.Dense, int, error) {
	n := g.Len()
	f := mat.NewDense(n, k, nil)
	component, count := g.Components()
	reached := make([]bool, count)
	for i, l := range labels {
		if l != Unlabeled {
			reached[component[i]] = true
		}
	}
	free := make([]bool, n)
	for i, l := range labels {
		row := f.RawRowView(i)
		switch {
		case l != Unlabeled:
			row[l] = 1
		default:
			for c := range row {
				row[c] = 1 / float64(k)
			}
			free[i] = reached[component[i]]
		}
	}
	degrees := g.Degrees()
	// The last class is what the others leave.
	s := &system{g: g, k: max(k-1, 1), free: free, diagonal: degrees, off: slices.Repeat([]float64{1}, n)}
	b, x := make([]float64, n*s.k), make([]float64, n*s.k)
	for i := range n {
		if !free[i] {
			continue
		}
		copy(x[i*s.k:(i+1)*s.k], f.RawRowView(i))
		to, w := g.row(i)
		for e, j := range to {
			if l := labels[j]; l != Unlabeled && l < s.k {
				b[i*s.k+l] += w[e]
			}
		}
	}
	steps, err := s.solve(op, x, b, tol, maxIter, step)
	if err != nil {
		return nil, 0, err
	}
	for i := range n {
		if !free[i] {
			continue
		}
		row, rest := f.RawRowView(i), 1.0
		for c := range k - 1 {
			row[c] = min(max(x[i*s.k+c], 0), 1)
			rest -= row[c]
		}
		row[k-1] = max(rest, 0)
	}
	return f, steps, nil
}

// system is (diag(diagonal) − off·W·off)·x = b on the free nodes, for k right sides.
type system struct {
	g             *SimilarityGraph
	k             int
	free          []bool
	diagonal, off []float64
}

// times writes the product with p to out and gives Σ p·out of each right side.
func (s *system) times(out, p []float64) []float64 {
	n, k := s.g.Len(), s.k
	const grain = 4096
	sums := make([]float64, (n+grain-1)/grain*k)
	par.Range(n, grain, func(lo, hi int) {
		sum := sums[lo/grain*k : (lo/grain+1)*k]
		for i := lo; i < hi; i++ {
			if !s.free[i] {
				continue
			}
			to, w := s.g.row(i)
			if k == 1 {
				v := 0.0
				for e, j := range to {
					v += w[e] * s.off[j] * p[j]
				}
				v = s.diagonal[i]*p[i] - s.off[i]*v
				out[i] = v
				sum[0] += v * p[i]
				continue
			}
			row := out[i*k : i*k+k]
			clear(row)
			for e, j := range to {
				u := w[e] * s.off[j] * s.off[i]
				for c, v := range p[int(j)*k : int(j)*k+k] {
					row[c] -= u * v
				}
			}
			for c, v := range p[i*k : i*k+k] {
				row[c] += s.diagonal[i] * v
				sum[c] += row[c] * v
			}
		}
	})
	return folded(sums, k)
}

// folded adds up the sums of the parts.
func folded(sums []float64, k int) []float64 {
	out := make([]float64, k)
	for i, v := range sums {
		out[i%k] += v
	}
	return out
}

// solve improves x by conjugate gradients until no residual is above tol times the
// diagonal. p stays zero on nodes that are not free, so that they do not count.
func (s *system) solve(op string, x, b []float64, tol float64, maxIter int, step func(int, float64) error) (int, error) {
	n, k := s.g.Len(), s.k
	if maxIter == 0 {
		maxIter = 10*n + 100
	}
	r, p, q := slices.Clone(b), make([]float64, n*k), make([]float64, n*k)
	s.times(q, x)
	rho, worst := make([]float64, k), 0.0
	for i := range n {
		if !s.free[i] {
			continue
		}
		for c := i * k; c < i*k+k; c++ {
			r[c] -= q[c]
			p[c] = r[c] / s.diagonal[i]
			rho[c%k] += r[c] * p[c]
			worst = max(worst, math.Abs(p[c]))
		}
	}
	const grain = 4096
	parts := (n + grain - 1) / grain
	sums, worsts := make([]float64, parts*k), make([]float64, parts)
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
			return iter, model.Errorf(op, "the residual is still %.2g after %d steps", worst, maxIter).
				WithHint("the weights differ too much; raise Tol, or take a graph with more even ones")
		}
		pq := s.times(q, p)
		alpha := make([]float64, k)
		for c := range alpha {
			if pq[c] > 0 {
				alpha[c] = rho[c] / pq[c]
			}
		}
		clear(sums)
		clear(worsts)
		par.Range(n, grain, func(lo, hi int) {
			part := lo / grain
			for i := lo; i < hi; i++ {
				if !s.free[i] {
					continue
				}
				for c := range k {
					at := i*k + c
					x[at] += alpha[c] * p[at]
					r[at] -= alpha[c] * q[at]
					z := r[at] / s.diagonal[i]
					sums[part*k+c] += r[at] * z
					worsts[part] = max(worsts[part], math.Abs(z))
				}
			}
		})
		next := folded(sums, k)
		worst = slices.Max(worsts)
		par.Range(n, grain, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				if !s.free[i] {
					continue
				}
				for c := range k {
					beta := 0.0
					if rho[c] > 0 {
						beta = next[c] / rho[c]
					}
					p[i*k+c] = r[i*k+c]/s.diagonal[i] + beta*p[i*k+c]
				}
			}
		})
		rho = next
	}
}

// SpreadLabels lets labels spread over a graph without holding them fast: each node
// takes a share alpha from its neighbors and keeps the rest of what it had.
//
//	F = (1 − α)·(I − α·S)⁻¹·Y,  S = D^(−½)·W·D^(−½)
//
// for Y of ones at the labels. The rows are divided by their sums; a component without
// any label has all classes alike. With α near 1 wrong labels are overruled.
//
// Cost: O(edges) a step of conjugate gradients, about √(1/(1 − α)) of them a digit.
//
// References: [ZhouEtAl2004]. Course: LAT-13.
func SpreadLabels(g *SimilarityGraph, labels []int, alpha float64) *mat.Dense {
	const op = "SpreadLabels"
	k := mustLabels(op, g, labels)
	if !(alpha > 0 && alpha < 1) {
		panic(model.Errorf(op, "alpha is %v", alpha).WithHint("it lies between 0 and 1"))
	}
	f, _, err := spread(op, g, labels, k, alpha, 1e-12, 0, nil)
	if err != nil {
		panic(err)
	}
	return f
}

func spread(op string, g *SimilarityGraph, labels []int, k int, alpha, tol float64, maxIter int, step func(int, float64) error) (*mat.Dense, int, error) {
	n := g.Len()
	s := &system{g: g, k: k, free: slices.Repeat([]bool{true}, n), diagonal: slices.Repeat([]float64{1}, n), off: g.Degrees()}
	for i, d := range s.off {
		if d > 0 {
			s.off[i] = math.Sqrt(alpha / d)
		}
	}
	b := make([]float64, n*k)
	for i, l := range labels {
		if l != Unlabeled {
			b[i*k+l] = 1 - alpha
		}
	}
	f := mat.NewDense(n, k, slices.Clone(b))
	steps, err := s.solve(op, f.RawMatrix().Data, b, tol*(1-alpha), maxIter, step)
	if err != nil {
		return nil, 0, err
	}
	component, count := g.Components()
	reached := make([]bool, count)
	for i, l := range labels {
		if l != Unlabeled {
			reached[component[i]] = true
		}
	}
	for i := range n {
		row, sum := f.RawRowView(i), 0.0
		for c, v := range row {
			row[c] = max(v, 0)
			sum += row[c]
		}
		for c := range row {
			if reached[component[i]] && sum > 0 {
				row[c] /= sum
			} else {
				row[c] = 1 / float64(k)
			}
		}
	}
	return f, steps, nil
}
