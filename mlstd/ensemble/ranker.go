package ensemble

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// GradientBoostingRanker learns to rank the documents of a query by gradient boosting on pairs
// (LambdaMART).
//
//	λ_uv = −σ(−(s_u − s_v))·|ΔNDCG_uv|  for u more relevant than v
//	rᵤ = Σ_v −λ_uv + Σ_v λ_vu,  s ← s + ν·tree(r)
//
// The pairwise logistic loss log(1 + e^{−(s_u − s_v)}) is weighted by how much swapping the two
// documents would change the NDCG, so that the top of the list counts most. Leaves take one Newton
// step. Pairwise (unweighted) is RankNet.
//
// Cost: O(Rounds·(p + n·d·depth)) for p pairs of documents of the same query.
//
// References: [Burges2010]. Course: ENS-19.
type GradientBoostingRanker struct {
	// Rounds is the number of trees; 0 means 100. More trees fit the training data more
	// closely.
	Rounds int
	// Rate is the learning rate ν; 0 means 0.1. A smaller rate needs more Rounds and
	// often generalizes better.
	Rate float64
	// MaxDepth is the maximum depth of a tree; 0 means 3. Deeper trees can model interactions of
	// more columns.
	MaxDepth int
	// MinLeaf is the minimum number of documents in a leaf; 0 means 1. A larger value makes the
	// trees smaller.
	MinLeaf  float64
	Pairwise bool // leave out |ΔNDCG|
	At       int  // NDCG of the first At ranks; 0 means all
	Seed     uint64
	model.Control

	Members     []*tree.RegressionTree // set by FitQueries
	Importances []float64              // set by FitQueries
	Trace       model.Trace            // Loss: 1 − mean NDCG after each tree

	rate  float64
	width int

	model.Fitted // set by Fit: the columns that it was given
}

// Takes reports that the model takes nominal columns and missing values: see [tree.BetterSide].
func (g *GradientBoostingRanker) Takes() model.Takes {
	return model.Takes{Missing: true, Nominal: true}
}

// FitQueries learns from documents x with relevance y (0, 1, 2 …). query[i] identifies the query of
// document i.
func (g *GradientBoostingRanker) FitQueries(x mat.Matrix, y []float64, query []int) error {
	const op = "GradientBoostingRanker.FitQueries"
	model.NoteXYReal(&g.Fitted, x, y)
	g.Members, g.Importances, g.Trace, g.width = nil, nil, model.Trace{}, 0
	d, err := g.Takes().CheckXYReal(op, x, y)
	if err != nil {
		return err
	}
	if len(query) != len(y) {
		return model.Errorf(op, "query must have %d entries (the number of documents), got %d", len(y), len(query))
	}
	for i, v := range y {
		if v < 0 || v > 50 {
			return model.Errorf(op, "y[%d] must be between 0 and 50 (a grade of relevance), got %v", i, v)
		}
	}
	b, err := newBooster(op, x, d, g.Rounds, g.Rate, g.MaxDepth, g.MinLeaf, 0, g.Seed)
	if err != nil {
		return err
	}
	groups := map[int][]int{}
	for i, q := range query {
		groups[q] = append(groups[q], i)
	}
	var queries [][]int
	informative := false
	ids, _ := model.Classes(query)
	for _, q := range ids {
		rows := groups[q]
		queries = append(queries, rows)
		for _, i := range rows {
			informative = informative || y[i] != y[rows[0]]
		}
	}
	if !informative {
		return model.Errorf(op, "at least one query must have documents of different relevance, got none")
	}
	n, p := d.Dims()
	run := g.Begin("GradientBoostingRanker", b.rounds)
	defer run.End()
	s, r, h := make([]float64, n), make([]float64, n), make([]float64, n)
	var members []*tree.RegressionTree
	var trace model.Trace
	for m := range b.rounds {
		clear(r)
		clear(h)
		for _, rows := range queries {
			g.lambdas(rows, y, s, r, h)
		}
		t, err := b.add(s, r, m, func(rows []int) float64 {
			var num, den float64
			for _, i := range rows {
				num += r[i]
				den += h[i]
			}
			if den < 1e-12 {
				return 0
			}
			return num / den
		})
		if err != nil {
			return err
		}
		members = append(members, t)
		loss := 1 - meanNDCG(queries, y, s, g.At)
		trace.Loss = append(trace.Loss, loss)
		if err := run.Step(m+1, loss); err != nil {
			return err
		}
	}
	g.Members, g.Trace, g.rate, g.width = members, trace, b.rate, p
	g.Importances = meanImportances(len(members), p, func(m int) []float64 { return members[m].Decreases() })
	return nil
}

// lambdas adds the gradients r and curvatures h of one query's pairs.
func (g *GradientBoostingRanker) lambdas(rows []int, y, s, r, h []float64) {
	place := places(rows, s)
	ideal := dcg(sortedBy(rows, y), y, g.At)
	for _, u := range rows {
		for _, v := range rows {
			if y[u] <= y[v] {
				continue
			}
			w := 1.0
			if !g.Pairwise {
				if ideal == 0 {
					continue
				}
				w = math.Abs((math.Exp2(y[u])-math.Exp2(y[v]))*(discount(place[u], g.At)-discount(place[v], g.At))) / ideal
			}
			rho := 1 / (1 + math.Exp(s[u]-s[v]))
			r[u] += w * rho
			r[v] -= w * rho
			h[u] += w * rho * (1 - rho)
			h[v] += w * rho * (1 - rho)
		}
	}
}

func sortedBy(rows []int, score []float64) []int {
	out := slices.Clone(rows)
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(score[b], score[a]) })
	return out
}

func places(rows []int, score []float64) map[int]int {
	p := make(map[int]int, len(rows))
	for k, i := range sortedBy(rows, score) {
		p[i] = k
	}
	return p
}

func discount(place, at int) float64 {
	if at > 0 && place >= at {
		return 0
	}
	return 1 / math.Log2(float64(place)+2)
}

func dcg(order []int, y []float64, at int) float64 {
	s := 0.0
	for k, i := range order {
		s += (math.Exp2(y[i]) - 1) * discount(k, at)
	}
	return s
}

// tiedDCG is dcg in which documents with equal scores share their ranks.
func tiedDCG(order []int, y, score []float64, at int) float64 {
	total := 0.0
	for lo := 0; lo < len(order); {
		hi, gain, places := lo, 0.0, 0.0
		for ; hi < len(order) && score[order[hi]] == score[order[lo]]; hi++ {
			gain += math.Exp2(y[order[hi]]) - 1
			places += discount(hi, at)
		}
		total += gain / float64(hi-lo) * places
		lo = hi
	}
	return total
}

func meanNDCG(queries [][]int, y, s []float64, at int) float64 {
	sum, n := 0.0, 0
	for _, rows := range queries {
		if ideal := dcg(sortedBy(rows, y), y, at); ideal > 0 {
			sum += tiedDCG(sortedBy(rows, s), y, s, at) / ideal
			n++
		}
	}
	return sum / float64(n)
}

// NDCG is the normalized discounted cumulative gain of one query's documents, sorted by score. It
// counts only the first at ranks; if at is 0, it counts all ranks.
//
//	DCG = Σ_k (2^{y_(k)} − 1) / log₂(k + 1),  NDCG = DCG / DCG of the ideal order
//
// It is 1 for the ideal order, and also 1 if no document is relevant. Documents with equal scores
// share their ranks: each gets the mean gain of the group. The result is the mean over all orders
// within the groups.
//
// References: [JarvelinKekalainen2002], [McSherryNajork2008]. Course: ENS-19.
func NDCG(y, score []float64, at int) float64 {
	if len(y) != len(score) || len(y) == 0 || at < 0 {
		panic(model.Errorf("NDCG", "y and score must have the same length, and the parameter at must be at least 1, got %d, %d and %d", len(y), len(score), at))
	}
	rows := make([]int, len(y))
	for i := range rows {
		rows[i] = i
	}
	if dcg(sortedBy(rows, y), y, at) == 0 {
		return 1
	}
	return meanNDCG([][]int{rows}, y, score, at)
}

// Predict returns a score for each document, larger for documents that rank higher.
func (g *GradientBoostingRanker) Predict(x mat.Matrix) []float64 {
	x = model.MustRead("GradientBoostingRanker.Predict", &g.Fitted, x)
	if g.Members == nil {
		panic(model.NotFitted("GradientBoostingRanker.Predict"))
	}
	d := g.Takes().MustRows("GradientBoostingRanker.Predict", x, g.width)
	n, _ := d.Dims()
	out := make([]float64, n)
	addTrees(out, g.Members, d, g.rate)
	return out
}
