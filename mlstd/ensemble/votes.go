package ensemble

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/internal/tails"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// MajorityVoteError is the error of the majority of n independent voters who each err with
// probability p; a coin toss decides a tie.
//
//	Σ_{k>n/2} C(n,k)·p^k·(1−p)^{n−k}
//
// A majority of 21 voters with error 0.3 has error 0.026. This requires independent errors below ½:
// above ½ the majority is worse than one voter.
//
// References: [Dietterich2000]. Course: ENS-01.
func MajorityVoteError(n int, p float64) float64 {
	if n < 1 || !(p >= 0 && p <= 1) {
		panic(model.Errorf("MajorityVoteError", "n must be at least 1 and p between 0 and 1, got %d and %v", n, p))
	}
	half := float64(n / 2)
	s := tails.BinomialAbove(half, float64(n), p)
	if n%2 == 0 {
		s += tails.Binomial(half, float64(n), p) / 2
	}
	return s
}

// CorrelatedVoteError simulates the majority of n voters whose errors have the correlation rho:
// with probability rho all voters share one draw, and otherwise each voter has its own. With rho =
// 1, the vote is no better than a single voter.
//
// Course: ENS-01.
func CorrelatedVoteError(n int, p, rho float64, repeats int, seed uint64) float64 {
	if n < 1 || repeats < 1 || !(p >= 0 && p <= 1) || !(rho >= 0 && rho <= 1) {
		panic(model.Errorf("CorrelatedVoteError", "n must be at least 1, and p and rho between 0 and 1, got %d, %v and %v", n, p, rho))
	}
	rng := model.Rand(seed, 0)
	wrong := 0.0
	for range repeats {
		if rng.Float64() < rho {
			if rng.Float64() < p {
				wrong++
			}
			continue
		}
		errs := 0
		for range n {
			if rng.Float64() < p {
				errs++
			}
		}
		switch {
		case 2*errs > n:
			wrong++
		case 2*errs == n:
			wrong += 0.5
		}
	}
	return wrong / float64(repeats)
}

// MemberDiversity holds the mean correlation of the errors over all pairs of members, and the mean
// fraction of examples on which the two members of a pair differ.
type MemberDiversity struct {
	ErrorCorrelation, Disagreement float64
	MemberError, VoteError         float64 // mean error of one member; error of the vote
}

// Diversity measures how different the members of an ensemble are on x, y: an ensemble gains from
// members that are accurate and err on different examples.
//
// Course: ENS-02, ENS-04.
func Diversity(members []model.Classifier, x mat.Matrix, y []int) MemberDiversity {
	if len(members) < 2 {
		panic(model.Errorf("Diversity", "there must be at least 2 members, got %d", len(members)))
	}
	n := len(y)
	pred := make([][]int, len(members))
	wrong := make([][]float64, len(members))
	var d MemberDiversity
	votes := make([]map[int]int, n)
	for m, f := range members {
		pred[m], wrong[m] = f.Predict(x), make([]float64, n)
		for i, c := range pred[m] {
			if c != y[i] {
				wrong[m][i] = 1
			}
			if votes[i] == nil {
				votes[i] = map[int]int{}
			}
			votes[i][c]++
		}
		d.MemberError += mean(wrong[m]) / float64(len(members))
	}
	classes, _ := model.Classes(slices.Concat(append(pred, y)...)) // y may lack a predicted class
	for i := range n {
		best := classes[0]
		for _, c := range classes {
			if votes[i][c] > votes[i][best] {
				best = c
			}
		}
		if best != y[i] {
			d.VoteError += 1 / float64(n)
		}
	}
	pairs := 0.0
	for a := range members {
		for b := range a {
			pairs++
			for i := range n {
				if pred[a][i] != pred[b][i] {
					d.Disagreement += 1 / float64(n)
				}
			}
			d.ErrorCorrelation += correlation(wrong[a], wrong[b])
		}
	}
	d.Disagreement /= pairs
	d.ErrorCorrelation /= pairs
	return d
}

// correlation is 0 when either is constant.
func correlation(a, b []float64) float64 {
	ma, mb := mean(a), mean(b)
	var ab, aa, bb float64
	for i := range a {
		ab += (a[i] - ma) * (b[i] - mb)
		aa += (a[i] - ma) * (a[i] - ma)
		bb += (b[i] - mb) * (b[i] - mb)
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return ab / math.Sqrt(aa*bb)
}

// Diversifier describes one way to make members differ, and holds members made in this way.
type Diversifier struct {
	Way     string
	Members []model.Classifier
}

// WaysToDiversify fits members to x, y in each of the usual ways to make members differ. The
// members are trees with different settings, samples, example weights or features, or they are
// fitted by different algorithms. The default algorithms are a tree, a stump, boosted stumps,
// boosted trees and a forest.
//
// Course: ENS-04.
func WaysToDiversify(x mat.Matrix, y []int, members int, seed uint64, algorithms ...func() model.Classifier) ([]Diversifier, error) {
	d, err := model.Takes{Nominal: true}.CheckXY("WaysToDiversify", x, y)
	if err != nil {
		return nil, err
	}
	n, p := d.Dims()
	_, index := model.Classes(y)
	ways := []Diversifier{{Way: "settings"}, {Way: "samples"}, {Way: "weights"}, {Way: "features"}, {Way: "algorithms"}}
	for m := range members {
		depth := &tree.DecisionTree{MaxDepth: 2 + m%6, MinLeaf: float64(1 + m)}
		sample := &tree.DecisionTree{}
		weighted := &tree.DecisionTree{}
		features := &columnTree{}
		rows := sampleWithTwo(newDrawer(n, nil), index, seed, uint64(m))
		rng := model.Rand(seed, uint64(m)+1<<32)
		w := make([]float64, n)
		for i := range w {
			w[i] = rng.ExpFloat64()
		}
		features.columns = rng.Perm(p)[:max(1, p/2)]
		for k, err := range []error{
			depth.Fit(x, y), sample.Fit(pick.Like(x, d, rows), pick.Of(y, rows)), weighted.FitWeighted(x, y, w), features.Fit(x, y),
		} {
			if err != nil {
				return nil, err
			}
			ways[k].Members = append(ways[k].Members, []model.Classifier{depth, sample, weighted, features}[k])
		}
	}
	if len(algorithms) == 0 {
		algorithms = usualAlgorithms(seed)
	}
	for _, fresh := range algorithms {
		m := fresh()
		if err := m.Fit(d, y); err != nil {
			return nil, err
		}
		ways[4].Members = append(ways[4].Members, m)
	}
	return ways, nil
}

// usualAlgorithms returns makers of models of different kinds.
func usualAlgorithms(seed uint64) []func() model.Classifier {
	return []func() model.Classifier{
		func() model.Classifier { return &tree.DecisionTree{} },
		func() model.Classifier { return &tree.DecisionStump{} },
		func() model.Classifier { return &AdaBoostM1{Rounds: 50} },
		func() model.Classifier { return &GradientBoosting{Rounds: 50} },
		func() model.Classifier { return &RandomForest{Trees: 30, Seed: seed} },
	}
}

// columnTree is a tree on some of the columns.
type columnTree struct {
	columns []int
	tree    tree.DecisionTree
}

func (c *columnTree) part(x mat.Matrix) mat.Matrix { return pick.Columns(x, c.columns) }

func (c *columnTree) Fit(x mat.Matrix, y []int) error { return c.tree.Fit(c.part(x), y) }

func (c *columnTree) Predict(x mat.Matrix) []int { return c.tree.Predict(c.part(x)) }

// WhyEnsembles holds test errors that demonstrate Dietterich's three reasons for ensembles: for
// each reason, the error of a single model and the error of a vote of many.
type WhyEnsembles struct {
	StatisticalSingle, StatisticalVote           float64 // little data: many hypotheses fit, averaging hedges
	ComputationalSingle, ComputationalVote       float64 // search ends in local optima: votes over starts
	RepresentationalSingle, RepresentationalVote float64 // the class lacks the truth: votes leave the class
}

// ThreeReasons measures the reasons for ensembles on the diagonal x₁ > x₂ of the unit square. The
// statistical reason is shown with deep trees on 40 examples, single and bagged. The computational
// reason is shown with one tree and with many trees, whose greedy search sees a random half of the
// features at each split. The representational reason is shown with one stump and 200 boosted
// stumps: no axis-parallel split is diagonal, but a sum of such splits follows the diagonal.
//
// References: [Dietterich2000]. Course: ENS-03.
func ThreeReasons(seed uint64) (*WhyEnsembles, error) {
	diagonal := func(n int, noise float64, s uint64) (*mat.Dense, []int) {
		rng := model.Rand(s, 0)
		x, y := mat.NewDense(n, 2, nil), make([]int, n)
		for i := range n {
			a, b := rng.Float64(), rng.Float64()
			x.SetRow(i, []float64{a, b})
			if (a > b) != (rng.Float64() < noise) {
				y[i] = 1
			}
		}
		return x, y
	}
	tx, ty := diagonal(5000, 0, seed+1)
	errorOf := func(m model.Classifier, x mat.Matrix, y []int) (float64, error) {
		if err := m.Fit(x, y); err != nil {
			return 0, err
		}
		wrong := 0.0
		for i, c := range m.Predict(tx) {
			if c != ty[i] {
				wrong++
			}
		}
		return wrong / float64(len(ty)), nil
	}
	w := &WhyEnsembles{}
	small, smallY := diagonal(40, 0.1, seed+2)
	large, largeY := diagonal(400, 0.1, seed+3)
	for _, c := range []struct {
		m    model.Classifier
		x    *mat.Dense
		y    []int
		into *float64
	}{
		{&tree.DecisionTree{}, small, smallY, &w.StatisticalSingle},
		{&Bagging{New: func() model.Classifier { return &tree.DecisionTree{} }, Seed: seed}, small, smallY, &w.StatisticalVote},
		{&tree.DecisionTree{FeaturesPerSplit: 1, Seed: seed}, large, largeY, &w.ComputationalSingle},
		{&RandomForest{FeaturesPerSplit: 1, Seed: seed}, large, largeY, &w.ComputationalVote},
		{&tree.DecisionStump{}, large, largeY, &w.RepresentationalSingle},
		{&AdaBoost{Rounds: 200}, large, largeY, &w.RepresentationalVote},
	} {
		e, err := errorOf(c.m, c.x, c.y)
		if err != nil {
			return nil, err
		}
		*c.into = e
	}
	return w, nil
}

// BoostingBound returns the upper bound on AdaBoost's training error for members with the given
// weighted errors, in its exact and its exponential form.
//
//	Π 2√(ε(1−ε)) ≤ exp(−2 Σ γ²),  γ = ½ − ε
//
// It implies the boosting theorem. A weak learner has an error of at most ½ − γ with probability 1
// − δ, for EVERY distribution of the examples. Boosting turns it into a strong learner, which
// reaches any error ε > 0. Schapire proved the theorem in 1990; AdaBoost (1995) was the first
// practical algorithm.
//
// References: [Schapire1990], [FreundSchapire1997]. Course: ENS-13.
func BoostingBound(errors []float64) (product, exponential float64) {
	product = 1
	sum := 0.0
	for _, e := range errors {
		product *= 2 * math.Sqrt(e*(1-e))
		sum += (0.5 - e) * (0.5 - e)
	}
	return product, math.Exp(-2 * sum)
}

// RoundsToStrong returns ⌈ln n / 2γ²⌉. After this number of rounds, AdaBoost has training error 0
// on n examples if every weak learner has an error of at most ½ − gamma.
//
// Course: ENS-13.
func RoundsToStrong(n int, gamma float64) int {
	if err := limits.Check("RoundsToStrong", limits.Positive("n", n), limits.Must("gamma", gamma, gamma > 0 && gamma <= 0.5, "be above 0 and at most 1/2")); err != nil {
		panic(err)
	}
	return int(math.Floor(math.Log(float64(n))/(2*gamma*gamma))) + 1
}
