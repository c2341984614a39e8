package semi

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Unlabeled is the entry for a node without a label in a list of labels; classes are numbered from
// 0.
const Unlabeled = -1

// HarmonicLabels spreads labels over a graph as heat spreads from nodes held at fixed temperatures.
// Labeled nodes keep their labels, and every other node takes the mean of its neighbors.
//
//	Fᵢ = Σⱼ wᵢⱼ·Fⱼ / Σⱼ wᵢⱼ  for the nodes without a label
//
// This F minimizes Σ w·‖Fᵢ − Fⱼ‖² and solves L_UU·F_U = W_UL·Y_L. Fᵢ(c) is the probability that c
// is the first label that a random walk from i reaches. The list labels must have one entry per
// node: the class, numbered from 0, or Unlabeled. In a component without any label, all classes are
// equally probable. One wrong edge between two clusters can be enough for a label to take over both
// clusters.
//
// Cost: O(edges) per step of conjugate gradients. Each step also solves for a few
// hundred patches of the graph exactly, so that long graphs with few labels
// typically take at most a few hundred steps. Memory: 24 bytes per entry of the
// graph, 8 numbers per node and class, and up to 32 MB.
//
// References: [ZhuGhahramaniLafferty2003], [Nicolaides1987]. Course: LAT-13.
func HarmonicLabels(g *SimilarityGraph, labels []int) *mat.Dense {
	const op = "HarmonicLabels"
	k := mustLabels(op, g, labels)
	f, _, err := harmonic(op, g, labels, k, 1e-10, 0, nil)
	if err != nil {
		panic(err)
	}
	return f
}

// PropagationSteps returns the distributions of [HarmonicLabels] at the start and after each of the
// given number of rounds. At the start, all classes of nodes without a label are equally probable.
// In a round, every unlabeled node simultaneously takes the mean of its neighbors.
//
// Course: LAT-13.
func PropagationSteps(g *SimilarityGraph, labels []int, rounds int) []*mat.Dense {
	const op = "PropagationSteps"
	k := mustLabels(op, g, labels)
	if rounds < 0 {
		panic(model.Errorf(op, "rounds must not be negative, got %d", rounds))
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
		panic(model.Errorf(op, "labels must have %d entries (the number of nodes), got %d", g.Len(), len(labels)))
	}
	most := slices.Max(labels)
	if most < 0 || slices.Min(labels) < Unlabeled {
		panic(model.Errorf(op, "labels must be classes from 0 or Unlabeled, at least one of them a class, got %d to %d", slices.Min(labels), most))
	}
	return most + 1
}

// harmonic solves for the unlabeled nodes that a label reaches, for all classes at once, by
// conjugate gradients with the degrees as preconditioner. It returns the number of steps.
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
	// The probability of the last class is 1 minus the sum of the others.
	s := newSystem(g, max(k-1, 1), free, g.Degrees(), slices.Repeat([]float64{1}, n))
	s.coarsen()
	b, x := make([]float64, len(s.nodes)*s.k), make([]float64, len(s.nodes)*s.k)
	for u, i := range s.nodes {
		copy(x[u*s.k:(u+1)*s.k], f.RawRowView(int(i)))
		to, w := g.row(int(i))
		for e, j := range to {
			if l := labels[j]; l != Unlabeled && l < s.k {
				b[u*s.k+l] += w[e]
			}
		}
	}
	steps, err := s.solve(op, x, b, tol, maxIter, step)
	if err != nil {
		return nil, 0, err
	}
	for u, i := range s.nodes {
		row, rest := f.RawRowView(int(i)), 1.0
		for c := range k - 1 {
			row[c] = min(max(x[u*s.k+c], 0), 1)
			rest -= row[c]
		}
		row[k-1] = max(rest, 0)
	}
	return f, steps, nil
}

// SpreadLabels spreads labels over a graph without keeping the given labels fixed: each node takes
// a fraction alpha of its distribution from its neighbors and the rest from its initial label.
//
//	F = (1 − α)·(I − α·S)⁻¹·Y,  S = D^(−½)·W·D^(−½)
//
// where Y has a 1 for each label. Each row of F is then divided by its sum. In a component without
// any label, all classes are equally probable. With α near 1, the neighbors overrule wrong labels.
//
// Cost: O(edges) per step of conjugate gradients, and about √(1/(1 − α)) steps per decimal digit of
// accuracy.
//
// References: [ZhouEtAl2004]. Course: LAT-13.
func SpreadLabels(g *SimilarityGraph, labels []int, alpha float64) *mat.Dense {
	const op = "SpreadLabels"
	k := mustLabels(op, g, labels)
	if !(alpha > 0 && alpha < 1) {
		panic(model.Errorf(op, "alpha must be between 0 and 1, got %v", alpha))
	}
	f, _, err := spread(op, g, labels, k, alpha, 1e-12, 0, nil)
	if err != nil {
		panic(err)
	}
	return f
}

func spread(op string, g *SimilarityGraph, labels []int, k int, alpha, tol float64, maxIter int, step func(int, float64) error) (*mat.Dense, int, error) {
	n := g.Len()
	off := g.Degrees()
	for i, d := range off {
		if d > 0 {
			off[i] = math.Sqrt(alpha / d)
		}
	}
	s := newSystem(g, k, slices.Repeat([]bool{true}, n), slices.Repeat([]float64{1}, n), off)
	b := make([]float64, n*k)
	for u, i := range s.nodes {
		if l := labels[i]; l != Unlabeled {
			b[u*k+l] = 1 - alpha
		}
	}
	x := slices.Clone(b)
	steps, err := s.solve(op, x, b, tol*(1-alpha), maxIter, step)
	if err != nil {
		return nil, 0, err
	}
	f := mat.NewDense(n, k, nil)
	for u, i := range s.nodes {
		copy(f.RawRowView(int(i)), x[u*k:(u+1)*k])
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
