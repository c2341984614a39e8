package reduce

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Preference returns the cost of swapping the items whose true positions are i and j.
type Preference func(i, j int) float64

// CappedLinear returns the preference min{k, |i − j|}: the farther apart the true positions are,
// the more a swap costs, up to k.
//
// Course: RED-12.
func CappedLinear(k int) Preference {
	return func(i, j int) float64 {
		return float64(min(k, max(i-j, j-i)))
	}
}

// RankingLoss returns the mean cost per pair of items. The cost of a pair in the wrong order is
// omega of the true positions; the cost of any other pair is 0. The argument sigma holds the true
// position of each item, and predicted holds the predicted position.
//
//	Σ_{u,v} [σ_u < σ_v]·[σ̂_v < σ̂_u]·ω(σ_u, σ_v)
//
// (By mistake, one line of the lecture notes charges for pairs in the right order.)
//
// Course: RED-11, RED-12.
func RankingLoss(sigma, predicted []int, omega Preference) float64 {
	if len(sigma) != len(predicted) || len(sigma) < 2 {
		panic(model.Errorf("RankingLoss", "sigma and predicted must have the same length, at least 2, got %d and %d", len(sigma), len(predicted)))
	}
	loss, pairs := 0.0, 0
	for u := range sigma {
		for v := range sigma {
			if sigma[u] < sigma[v] {
				pairs++
				if predicted[v] < predicted[u] {
					loss += omega(sigma[u], sigma[v])
				}
			}
		}
	}
	if pairs == 0 {
		return 0
	}
	return loss / float64(pairs)
}

// PairwiseRanker learns to rank by learning to compare: from the difference x_u − x_v of two items,
// it learns which item comes first. It ranks new items by sorting with that comparison.
//
//	f(x_u − x_v) > 0  ⇔  u before v,  weight ω(σ_u, σ_v)
//
// The relevance y determines the true order: greater values come first. If y has only two values,
// this is bipartite ranking. Rejection sampling weights the pairs by Omega, so any base classifier
// works. With a linear classifier without intercept, f is antisymmetric. Predict ranks without
// sorting: it scores an item by the mean confidence that the item comes before a training item.
//
// Cost: one fit of the base classifier on up to MaxPairs pairs.
//
// References: [BalcanEtAl2008], [Daume2017] ch. 6. Course: RED-11, RED-12, RED-13.
type PairwiseRanker struct {
	New   func() model.Classifier
	Omega Preference // of positions in the true order; nil means 1 for every pair
	// MaxPairs is the maximum number of pairs to learn from, drawn at random; 0 means 20,000. With
	// more pairs, learning takes longer and the ranking is more accurate.
	MaxPairs int
	Seed     uint64
	model.Control

	Model model.Classifier // set by Fit: 1 means "the first of the pair comes first"

	items *mat.Dense

	model.Fitted // set by Fit: the columns that it was given
}

// Fit learns the comparison from the items in the rows of x and their relevance y.
func (r *PairwiseRanker) Fit(x mat.Matrix, y []float64) error {
	const op = "PairwiseRanker.Fit"
	model.NoteXYReal(&r.Fitted, x, y)
	r.Model, r.items = nil, nil
	if r.New == nil {
		return noBase(op)
	}
	d, err := model.CheckXYReal(op, x, y)
	if err != nil {
		return err
	}
	order := make([]int, len(y))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(y[b], y[a]) })
	position := make([]int, len(y))
	for p, i := range order {
		position[i] = p
		if p > 0 && y[order[p-1]] == y[i] {
			position[i] = position[order[p-1]]
		}
	}
	type pair struct{ u, v int }
	var pairs []pair
	var weights []float64
	for u := range y {
		for v := range u {
			if y[u] != y[v] {
				w := 1.0
				if r.Omega != nil {
					w = r.Omega(position[u], position[v])
				}
				pairs, weights = append(pairs, pair{u, v}), append(weights, w)
			}
		}
	}
	if len(pairs) == 0 {
		return model.Errorf(op, "the items must have different relevances, got equal ones")
	}
	run := r.Begin("PairwiseRanker", 1)
	defer run.End()
	limit := r.MaxPairs
	if limit == 0 {
		limit = 20000
	}
	rows := RejectionSample(weights, r.Seed)
	rng := model.Rand(r.Seed, 1)
	rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	rows = rows[:min(limit, len(rows))]
	_, p := d.Dims()
	// Use both orders of each pair, so that both labels occur equally often.
	diff, label := mat.NewDense(2*len(rows), p, nil), make([]int, 2*len(rows))
	for k, i := range rows {
		u, v := pairs[i].u, pairs[i].v
		if y[u] < y[v] {
			u, v = v, u
		}
		floats.SubTo(diff.RawRowView(2*k), d.RawRowView(u), d.RawRowView(v))
		floats.SubTo(diff.RawRowView(2*k+1), d.RawRowView(v), d.RawRowView(u))
		label[2*k] = 1
	}
	m := r.New()
	if err := m.Fit(diff, label); err != nil {
		return err
	}
	if err := run.Step(1, math.NaN()); err != nil {
		return err
	}
	r.Model, r.items = m, mat.DenseCopyOf(d)
	return nil
}

// Predict returns a score for each row, larger for rows that come earlier. The score is the mean
// confidence that the row comes before a training item, over at most 200 training items.
func (r *PairwiseRanker) Predict(x mat.Matrix) []float64 {
	x = model.MustRead("PairwiseRanker.Predict", &r.Fitted, x)
	if r.Model == nil {
		panic(model.NotFitted("PairwiseRanker.Predict"))
	}
	all, p := r.items.Dims()
	d := model.MustRows("PairwiseRanker.Predict", x, p)
	n, _ := d.Dims()
	stride := max(1, all/200)
	var against []int
	for i := 0; i < all; i += stride {
		against = append(against, i)
	}
	out := make([]float64, n)
	diff := mat.NewDense(len(against), p, nil)
	for i := range out {
		for k, j := range against {
			floats.SubTo(diff.RawRowView(k), d.RawRowView(i), r.items.RawRowView(j))
		}
		out[i] = floats.Sum(confidence(r.Model, diff, 1)) / float64(len(against))
	}
	return out
}

// Before reports whether the learned comparison puts row u of x before row v.
func (r *PairwiseRanker) Before(x mat.Matrix, u, v int) bool {
	x = model.MustRead("PairwiseRanker.Before", &r.Fitted, x)
	if r.Model == nil {
		panic(model.NotFitted("PairwiseRanker.Before"))
	}
	_, p := r.items.Dims()
	d := model.MustRows("PairwiseRanker.Before", x, p)
	diff := mat.NewDense(1, p, nil)
	floats.SubTo(diff.RawRowView(0), d.RawRowView(u), d.RawRowView(v))
	return confidence(r.Model, diff, 1)[0] > 0
}

// Rank sorts the rows of x by quicksort with the learned comparison. It returns the row indices in
// ranking order.
//
// Course: RED-13.
func (r *PairwiseRanker) Rank(x mat.Matrix) []int {
	x = model.MustRead("PairwiseRanker.Rank", &r.Fitted, x)
	n, _ := x.Dims()
	return QuicksortRank(n, func(u, v int) float64 {
		if r.Before(x, u, v) {
			return 1
		}
		return 0
	}, r.Seed)
}

// QuicksortRank sorts the items 0 … n−1 by a comparison that may be wrong or random. The function
// before must return the probability that item u precedes item v. Each pass compares every item of
// a range once with a random pivot, and puts the item on the side that the comparison determines.
//
// If the comparison makes no errors, the sort is exact. Otherwise the expected fraction of pairs in
// the wrong order is at most twice the comparison's error.
//
// Cost: O(n log n) comparisons on average.
//
// References: [AilonMohri2008]. Course: RED-13.
func QuicksortRank(n int, before func(u, v int) float64, seed uint64) []int {
	items := make([]int, n)
	for i := range items {
		items[i] = i
	}
	rng := model.Rand(seed, 0)
	quicksort(items, before, rng)
	return items
}

func quicksort(items []int, before func(u, v int) float64, rng *rand.Rand) {
	if len(items) < 2 {
		return
	}
	at := rng.IntN(len(items))
	pivot := items[at]
	var first, last []int
	for i, u := range items {
		if i == at {
			continue
		}
		if p := before(u, pivot); p >= 1 || p > 0 && rng.Float64() < p {
			first = append(first, u)
		} else {
			last = append(last, u)
		}
	}
	quicksort(first, before, rng)
	quicksort(last, before, rng)
	copy(items, first)
	items[len(first)] = pivot
	copy(items[len(first)+1:], last)
}

// Discordant returns the fraction of pairs that two rankings order differently: 0 for equal
// rankings, and 1 for reversed rankings. A ranking lists the items from first to last.
//
// Course: RED-13.
func Discordant(a, b []int) float64 {
	if len(a) != len(b) || len(a) < 2 {
		panic(model.Errorf("Discordant", "a and b must rank the same items, at least 2, got %d and %d", len(a), len(b)))
	}
	place := make(map[int]int, len(b))
	for p, item := range b {
		place[item] = p
	}
	wrong := 0
	for i := range a {
		for j := range i {
			if place[a[i]] < place[a[j]] {
				wrong++
			}
		}
	}
	return float64(wrong) / float64(len(a)*(len(a)-1)/2)
}
