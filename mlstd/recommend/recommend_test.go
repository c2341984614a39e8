package recommend_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/recommend"
)

// planted returns the ratings of a matrix of rank 2 with offsets, in part.
func planted(users, items int, share float64) (known, hidden *recommend.Ratings) {
	rng := model.Rand(4, 0)
	numbers := func(n, d int) [][]float64 {
		out := make([][]float64, n)
		for i := range out {
			for range d {
				out[i] = append(out[i], rng.NormFloat64())
			}
		}
		return out
	}
	p, q := numbers(users, 2), numbers(items, 2)
	known, hidden = &recommend.Ratings{}, &recommend.Ratings{}
	for u := range users {
		for i := range items {
			to := known
			if rng.Float64() > share {
				to = hidden
			}
			to.Add(u, i, 3+p[u][0]*q[i][0]+p[u][1]*q[i][1])
		}
	}
	return known, hidden
}

func learn(t *testing.T, m recommend.Recommender, r *recommend.Ratings) {
	t.Helper()
	if err := m.Learn(r); err != nil {
		t.Fatal(err)
	}
}

func TestDEC07_LowRankRecommender(t *testing.T) {
	known, hidden := planted(60, 40, 0.6)
	m := &recommend.LowRankRecommender{Components: 3, MaxIter: 3000}
	learn(t, m, known)
	if e := recommend.RatingRMSE(m, hidden); e > 0.01 {
		t.Errorf("entries that were held out are missed by %v", e)
	}
	// The items recommended to a user are those that the user values most.
	for u := range 60 {
		best, value := -1, math.Inf(-1)
		for i, v := range hidden.Value {
			if hidden.User[i] == u && v > value {
				best, value = hidden.Item[i], v
			}
		}
		if got := recommend.Recommend(m, known, u, 1); best >= 0 && got[0].Item != best {
			t.Errorf("user %d is told of %v, not of %d", u, got, best)
		}
	}
	// Users of one taste are alike: they are copies here but for a factor.
	films := recommend.RatingsOf(mat.NewDense(4, 4, []float64{5, 4, 1, 1, 4, 5, 1, 2, 1, 1, 5, 4, 2, 1, 4, 5}))
	learn(t, m, films)
	if err := (&recommend.LowRankRecommender{Components: 9}).Learn(films); err == nil {
		t.Error("a rank of 9 of 4 users was accepted")
	}
	two := &recommend.LowRankRecommender{}
	learn(t, two, films)
	for a, b := range []int{1, 0, 3, 2} {
		if got := two.SimilarUsers(a, 1)[0].Item; got != b {
			t.Errorf("the user most like %d is %d, want %d", a, got, b)
		}
		if got := two.SimilarItems(a, 1)[0].Item; got != b {
			t.Errorf("the film most like %d is %d, want %d", a, got, b)
		}
	}
}

func TestDEC08_Factors(t *testing.T) {
	known, hidden := planted(80, 50, 0.6)
	als := &recommend.FactorRecommender{Components: 2, Lambda: 0.01, Epochs: 60}
	learn(t, als, known)
	for i, loss := range als.Trace.Loss[1:] {
		if loss > als.Trace.Loss[i]*(1+1e-10) {
			t.Errorf("the loss of pass %d rises from %v to %v", i+2, als.Trace.Loss[i], loss)
		}
	}
	if e := recommend.RatingRMSE(als, hidden); e > 0.05 {
		t.Errorf("least squares miss the entries held out by %v", e)
	}
	sgd := &recommend.FactorRecommender{Components: 3, Solver: recommend.StochasticFactors, Lambda: 0.001, Rate: 0.03, Epochs: 150}
	learn(t, sgd, known)
	if e := recommend.RatingRMSE(sgd, hidden); e > 0.15 {
		t.Errorf("the stochastic way misses the entries held out by %v", e)
	}
	// At the end of a pass no coordinate of an item can be moved to a better place.
	base := als.Trace.Loss[len(als.Trace.Loss)-1]
	loss := func() float64 {
		sum := 0.0
		for i, v := range known.Value {
			e := v - als.Predict(known.User[i], known.Item[i])
			sum += e * e
		}
		for _, m := range []*mat.Dense{als.UserFactors, als.ItemFactors} {
			for _, v := range m.RawMatrix().Data {
				sum += 0.01 * v * v
			}
		}
		for _, list := range [][]float64{als.UserOffsets, als.ItemOffsets} {
			for _, v := range list {
				sum += 0.01 * v * v
			}
		}
		return sum
	}
	mltest.Near(t, "J", loss(), base, 1e-9)
	for i := range 5 {
		for _, step := range []float64{-1e-4, 1e-4} {
			v := als.ItemFactors.At(i, 1)
			als.ItemFactors.Set(i, 1, v+step)
			if l := loss(); l < base {
				t.Errorf("moved by %v the factor of item %d has the loss %v, below %v", step, i, l, base)
			}
			als.ItemFactors.Set(i, 1, v)
		}
	}
	if got := als.Predict(-1, 999); got != als.Mean {
		t.Errorf("for strangers: %v, want the mean %v", got, als.Mean)
	}
}

func TestDEC08_Neighbors(t *testing.T) {
	nan := math.NaN()
	r := recommend.RatingsOf(mat.NewDense(3, 4, []float64{
		5, 3, 4, nan,
		3, 1, 2, 3,
		1, 4, 2, 5,
	}))
	m := &recommend.NeighborRecommender{}
	learn(t, m, r)
	// Users 0 and 1 agree but for their level, with the correlation 1; users 0 and 2
	// disagree: (1, −1, 0)·(−4/3, 5/3, −1/3) / √(2·42/9) = −3/√(84/9).
	mltest.Near(t, "similarity", m.Similarities[0][1], 1, 1e-12)
	mltest.Near(t, "dislike", m.Similarities[0][2], -3/math.Sqrt(84.0/9), 1e-12)
	// 4 + (3 − 9/4).
	mltest.Near(t, "prediction", m.Predict(0, 3), 4.75, 1e-12)
	cos := &recommend.NeighborRecommender{Similarity: recommend.SimilarityCosine, ByItem: true}
	learn(t, cos, r)
	mltest.Near(t, "cosine", cos.Similarities[0][1], (15+3+4)/math.Sqrt(35*26), 1e-12)
	known, hidden := planted(150, 60, 0.7)
	mean := &recommend.FactorRecommender{Components: 1, Lambda: 1e9, Epochs: 1}
	learn(t, mean, known)
	for _, byItem := range []bool{false, true} {
		m := &recommend.NeighborRecommender{ByItem: byItem, K: 15}
		learn(t, m, known)
		if e, worst := recommend.RatingRMSE(m, hidden), recommend.RatingRMSE(mean, hidden); e > 0.6*worst {
			t.Errorf("by item %v: the error is %v, that of the mean %v", byItem, e, worst)
		}
	}
}

func TestDEC08_Implicit(t *testing.T) {
	// Two kinds of users, each with its kind of items.
	rng := model.Rand(2, 0)
	known, hidden := &recommend.Ratings{}, &recommend.Ratings{}
	for u := range 60 {
		for i := range 40 {
			if u%2 != i%2 || rng.Float64() > 0.6 {
				continue
			}
			to := known
			if rng.Float64() < 0.2 {
				to = hidden
			}
			to.Add(u, i, float64(1+rng.IntN(4)))
		}
	}
	m := &recommend.ImplicitRecommender{Components: 4}
	learn(t, m, known)
	for i, loss := range m.Trace.Loss[1:] {
		if loss > m.Trace.Loss[i]*(1+1e-10) {
			t.Errorf("the loss rises from %v to %v", m.Trace.Loss[i], loss)
		}
	}
	// J over all users and items, as it is written.
	counts := mat.NewDense(60, 40, nil)
	for i, v := range known.Value {
		counts.Set(known.User[i], known.Item[i], v)
	}
	sum := 0.0
	for u := range 60 {
		for i := range 40 {
			want := 0.0
			if counts.At(u, i) > 0 {
				want = 1
			}
			sum += (1 + 40*counts.At(u, i)) * math.Pow(want-m.Predict(u, i), 2)
		}
	}
	for _, f := range []*mat.Dense{m.UserFactors, m.ItemFactors} {
		for _, v := range f.RawMatrix().Data {
			sum += v * v
		}
	}
	mltest.Near(t, "J", m.Trace.Loss[len(m.Trace.Loss)-1], sum, 1e-9)
	for u := range 60 {
		for _, s := range recommend.Recommend(m, known, u, 3) {
			if s.Item%2 != u%2 {
				t.Errorf("user %d is told of %v, of the other kind", u, s)
			}
		}
	}
	precision, recall := recommend.PrecisionAtK(m, known, hidden, 3, 1)
	if precision < 0.2 || recall < 0.2 {
		t.Errorf("precision %v, recall %v", precision, recall)
	}
}

// fixed is a recommender that predicts fixed values.
type fixed [][]float64

func (f fixed) Learn(*recommend.Ratings) error { return nil }
func (f fixed) Predict(user, item int) float64 { return f[user][item] }

func TestDEC08_PrecisionAtK(t *testing.T) {
	m := fixed{{4, 3, 2, 1}, {1, 2, 3, 4}}
	train := &recommend.Ratings{}
	train.Add(0, 0, 5)
	train.Add(1, 3, 1)
	test := &recommend.Ratings{}
	test.Add(0, 1, 5)
	test.Add(0, 3, 4)
	test.Add(1, 2, 2) // not liked
	test.Add(1, 0, 5)
	// User 0 gets 1 and 2 recommended, and likes 1 and 3; user 1 gets 2 and 1, and
	// likes 0.
	precision, recall := recommend.PrecisionAtK(m, train, test, 2, 4)
	mltest.Near(t, "precision", precision, 0.25, 1e-15)
	mltest.Near(t, "recall", recall, 0.25, 1e-15)
	mltest.Near(t, "RMSE", recommend.RatingRMSE(m, test), math.Sqrt((4.0+9+1+16)/4), 1e-15)
}

func TestBadRatings(t *testing.T) {
	for _, m := range []recommend.Recommender{&recommend.NeighborRecommender{}, &recommend.FactorRecommender{}, &recommend.ImplicitRecommender{}, &recommend.LowRankRecommender{}} {
		for _, r := range []*recommend.Ratings{nil, {}, {User: []int{1}, Item: []int{0, 1}, Value: []float64{1}},
			{User: []int{-1}, Item: []int{0}, Value: []float64{1}}, {User: []int{1}, Item: []int{0}, Value: []float64{math.NaN()}}} {
			var e *model.Error
			if err := m.Learn(r); !errors.As(err, &e) {
				t.Errorf("%T of %v: %v", m, r, err)
			}
		}
		func() {
			defer func() {
				if _, ok := recover().(*model.Error); !ok {
					t.Errorf("%T predicts before it has learned", m)
				}
			}()
			m.Predict(0, 0)
		}()
	}
}

func ExampleFactorRecommender() {
	r := &recommend.Ratings{}
	for u, row := range [][]float64{{5, 4, 1}, {4, 5, 1}, {1, 1, 5}} {
		for i, v := range row {
			if u != 1 || i != 2 {
				r.Add(u, i, v)
			}
		}
	}
	m := recommend.FactorRecommender{Components: 2, Lambda: 0.1, NoIntercept: true}
	if err := m.Learn(r); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Predict(1, 2) < 3)
	// Output: true
}

func BenchmarkFactorRecommender(b *testing.B) {
	known, _ := planted(300, 200, 0.3)
	for b.Loop() {
		m := recommend.FactorRecommender{Epochs: 3}
		if err := m.Learn(known); err != nil {
			b.Fatal(err)
		}
	}
}
