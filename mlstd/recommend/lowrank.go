package recommend

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/decomp"
	"github.com/gokernel/gokernel/mlstd/model"
)

// LowRankRecommender approximates the matrix of ratings by a matrix of low rank.
//
//	A ≈ U·diag(S)·Vᵀ of rank Components,  r̂ᵤᵢ = mean of item i + (U·S·Vᵀ)ᵤᵢ
//
// The algorithm first fills in the missing ratings. Each step truncates the singular value
// decomposition to the rank and fills in the missing ratings from the result; the algorithm stops
// when nothing changes. See [decomp.SoftImpute]. A row of U represents the preferences of a user,
// and a row of V the properties of an item. The similarity of two users is the cosine of their
// rows.
//
// Cost: O(users·items·min(users, items)) per step. The matrix must fit in memory.
//
// References: [MazumderHastieTibshirani2010].
// Course: DEC-07.
type LowRankRecommender struct {
	// Components is the maximum rank of the matrix of ratings; 0 means 2. A larger rank
	// fits the known ratings more closely.
	Components int
	// Lambda is subtracted from each singular value; the default is 0. A larger Lambda makes the
	// ratings smoother.
	Lambda float64
	// MaxIter is the maximum number of steps; 0 means 500.
	MaxIter int

	Filled      *mat.Dense // set by Learn: the predictions of all ratings, including given ones
	UserFactors *mat.Dense // set by Learn: U·√S, one user a row
	ItemFactors *mat.Dense // set by Learn: V·√S, one item a row
	ItemMeans   []float64  // set by Learn
	Mean        float64    // set by Learn
	Singular    []float64  // set by Learn
}

// Learn fits the low-rank matrix.
func (l *LowRankRecommender) Learn(r *Ratings) error {
	const op = "LowRankRecommender.Learn"
	l.Filled, l.UserFactors, l.ItemFactors, l.ItemMeans, l.Singular, l.Mean = nil, nil, nil, nil, nil, 0
	if err := r.check(op); err != nil {
		return err
	}
	k, err := model.Iterations(op, "Components", l.Components, 2)
	if err != nil {
		return err
	}
	n, items := r.Users(), r.Items()
	if k > min(n, items) {
		return model.Errorf(op, "Components must be between 1 and %d (%d users, %d items), got %d", min(n, items), n, items, k)
	}
	if _, err := model.Iterations(op, "MaxIter", l.MaxIter, 500); err != nil {
		return err
	}
	fill := decomp.SoftImpute{Lambda: l.Lambda, MaxRank: k, Center: true, MaxIter: l.MaxIter, Tol: 1e-7}
	if l.Lambda == 0 {
		fill.Lambda = model.Zero
	}
	m := r.Matrix()
	if err := fill.Fit(m); err != nil {
		return err
	}
	filled := fill.Transform(m)
	rest := mat.NewDense(n, items, nil)
	for u := range n {
		floats.SubTo(rest.RawRowView(u), filled.RawRowView(u), fill.Mean)
	}
	f, err := decomp.SVD(rest)
	if err != nil {
		return err
	}
	f = f.Keep(k)
	whole := f.Matrix()
	for u := range n {
		floats.Add(whole.RawRowView(u), fill.Mean)
	}
	p, q := f.U, f.V
	for j, s := range f.S {
		for _, side := range []*mat.Dense{p, q} {
			rows, _ := side.Dims()
			for i := range rows {
				side.Set(i, j, side.At(i, j)*math.Sqrt(s))
			}
		}
	}
	l.Filled, l.UserFactors, l.ItemFactors, l.ItemMeans, l.Singular = whole, p, q, fill.Mean, f.S
	l.Mean = floats.Sum(r.Value) / float64(len(r.Value))
	return nil
}

// Predict returns the rating that user is expected to give item. For a new user, it returns the
// mean rating of the item; for a new item, it returns the mean of all ratings.
func (l *LowRankRecommender) Predict(user, item int) float64 {
	if l.Filled == nil {
		panic(model.NotFitted("LowRankRecommender.Predict"))
	}
	n, items := l.Filled.Dims()
	switch {
	case item < 0 || item >= items:
		return l.Mean
	case user < 0 || user >= n:
		return l.ItemMeans[item]
	}
	return l.Filled.At(user, item)
}

// SimilarUsers returns the k users that are most similar to user.
func (l *LowRankRecommender) SimilarUsers(user, k int) []ItemScore {
	return l.similar("LowRankRecommender.SimilarUsers", l.UserFactors, user, k)
}

// SimilarItems returns the k items that are most similar to item.
func (l *LowRankRecommender) SimilarItems(item, k int) []ItemScore {
	return l.similar("LowRankRecommender.SimilarItems", l.ItemFactors, item, k)
}

func (l *LowRankRecommender) similar(op string, m *mat.Dense, at, k int) []ItemScore {
	if m == nil {
		panic(model.NotFitted(op))
	}
	n, _ := m.Dims()
	if at < 0 || at >= n {
		panic(model.Errorf(op, "the index must be between 0 and %d, got %d", n-1, at))
	}
	var all []ItemScore
	own := m.RawRowView(at)
	for i := range n {
		row := m.RawRowView(i)
		if lengths := floats.Norm(own, 2) * floats.Norm(row, 2); i != at && lengths > 0 {
			all = append(all, ItemScore{i, floats.Dot(own, row) / lengths})
		}
	}
	slices.SortStableFunc(all, func(a, b ItemScore) int { return cmp.Compare(b.Value, a.Value) })
	return all[:max(0, min(k, len(all)))]
}
