package recommend

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Ratings are triples: user User[i] gave item Item[i] the value Value[i]. The indices of users and
// items start at 0.
type Ratings struct {
	User, Item []int
	Value      []float64
	// UserNames and ItemNames are optional names of users and items.
	UserNames, ItemNames []string
}

// RatingsOf converts a matrix with users in rows and items in columns to ratings; it omits NaN
// entries.
func RatingsOf(m mat.Matrix) *Ratings {
	r := &Ratings{}
	n, cols := m.Dims()
	for u := range n {
		for i := range cols {
			if v := m.At(u, i); !math.IsNaN(v) {
				r.Add(u, i, v)
			}
		}
	}
	if t, ok := m.(*model.Table); ok {
		r.ItemNames = t.ColumnNames()
	}
	return r
}

// Add adds a rating.
func (r *Ratings) Add(user, item int, value float64) {
	r.User, r.Item, r.Value = append(r.User, user), append(r.Item, item), append(r.Value, value)
}

// Users returns the number of users, which is one more than the largest user index.
func (r *Ratings) Users() int { return most(r.User) }

// Items returns the number of items, which is one more than the largest item index.
func (r *Ratings) Items() int { return most(r.Item) }

func most(v []int) int {
	if len(v) == 0 {
		return 0
	}
	return slices.Max(v) + 1
}

// Matrix returns the ratings as a matrix with users in rows, and NaN for missing ratings.
func (r *Ratings) Matrix() *mat.Dense {
	out := mat.NewDense(r.Users(), r.Items(), nil)
	out.Apply(func(_, _ int, _ float64) float64 { return math.NaN() }, out)
	for i, v := range r.Value {
		out.Set(r.User[i], r.Item[i], v)
	}
	return out
}

// Split splits the ratings at random into a training set and a test set. The test set gets the
// given fraction of the ratings.
func (r *Ratings) Split(share float64, seed uint64) (train, test *Ratings) {
	train, test = &Ratings{UserNames: r.UserNames, ItemNames: r.ItemNames}, &Ratings{UserNames: r.UserNames, ItemNames: r.ItemNames}
	held := int(math.Round(share * float64(len(r.Value))))
	for p, i := range model.Rand(seed, 0).Perm(len(r.Value)) {
		to := train
		if p < held {
			to = test
		}
		to.Add(r.User[i], r.Item[i], r.Value[i])
	}
	return train, test
}

// check returns an error if nothing can be learned from the ratings.
func (r *Ratings) check(op string) error {
	if r == nil || len(r.Value) == 0 {
		return model.Errorf(op, "the ratings must not be empty")
	}
	if len(r.User) != len(r.Value) || len(r.Item) != len(r.Value) {
		return model.Errorf(op, "User, Item and Value must have the same length, got %d, %d and %d", len(r.User), len(r.Item), len(r.Value))
	}
	for i, v := range r.Value {
		if r.User[i] < 0 || r.Item[i] < 0 || math.IsNaN(v) || math.IsInf(v, 0) {
			return model.Errorf(op, "the user and item of a rating must not be negative, and its value be finite, got (%[2]d, %[3]d, %[4]v) for rating %[1]d", i, r.User[i], r.Item[i], v)
		}
	}
	return nil
}

// entry is a rating seen from its user or its item.
type entry struct {
	at    int
	value float64
}

// lists returns the ratings of each user by ascending item, or of each item by ascending user.
func (r *Ratings) lists(byItem bool) [][]entry {
	from, to, n := r.User, r.Item, r.Users()
	if byItem {
		from, to, n = r.Item, r.User, r.Items()
	}
	out := make([][]entry, n)
	for i, v := range r.Value {
		out[from[i]] = append(out[from[i]], entry{to[i], v})
	}
	for _, l := range out {
		slices.SortStableFunc(l, func(a, b entry) int { return cmp.Compare(a.at, b.at) })
	}
	return out
}

// Recommender predicts ratings or preferences of users for items.
type Recommender interface {
	Learn(r *Ratings) error
	// Predict returns the predicted value of an item for a user. For a user without ratings,
	// Predict returns a default such as a mean.
	Predict(user, item int) float64
}

// ItemScore is an item with its predicted value.
type ItemScore struct {
	Item  int
	Value float64
}

// Recommend returns the k items with the largest predictions for a user. It leaves out the items
// that the user has rated in known. Call the recommender's Learn first.
//
// Course: DEC-07.
func Recommend(m Recommender, known *Ratings, user, k int) []ItemScore {
	seen := make(map[int]bool)
	for i, u := range known.User {
		if u == user {
			seen[known.Item[i]] = true
		}
	}
	var all []ItemScore
	for i := range known.Items() {
		if !seen[i] {
			all = append(all, ItemScore{i, m.Predict(user, i)})
		}
	}
	slices.SortStableFunc(all, func(a, b ItemScore) int { return cmp.Compare(b.Value, a.Value) })
	return all[:max(0, min(k, len(all)))]
}

// RatingRMSE returns the root mean squared error of the predictions on test.
//
// Course: DEC-08.
func RatingRMSE(m Recommender, test *Ratings) float64 {
	if err := test.check("RatingRMSE"); err != nil {
		panic(err)
	}
	sum := 0.0
	for i, v := range test.Value {
		e := m.Predict(test.User[i], test.Item[i]) - v
		sum += e * e
	}
	return math.Sqrt(sum / float64(len(test.Value)))
}

// PrecisionAtK returns the precision and the recall of k recommended items, as means over users.
// The precision is the fraction of the recommended items that the user likes, and the recall is the
// fraction of the liked items that are recommended. A user likes the items whose rating in test is
// at least liked. Items rated in train are not recommended; users who like no item in test are left
// out.
//
// Course: DEC-08.
func PrecisionAtK(m Recommender, train, test *Ratings, k int, liked float64) (precision, recall float64) {
	const op = "PrecisionAtK"
	if k < 1 {
		panic(model.Errorf(op, "k must be at least 1, got %d", k))
	}
	if err := test.check(op); err != nil {
		panic(err)
	}
	likes := make(map[int]map[int]bool)
	for i, v := range test.Value {
		if v >= liked {
			if likes[test.User[i]] == nil {
				likes[test.User[i]] = make(map[int]bool)
			}
			likes[test.User[i]][test.Item[i]] = true
		}
	}
	users := 0
	for u := range test.Users() {
		if len(likes[u]) == 0 {
			continue
		}
		hits := 0
		for _, s := range Recommend(m, train, u, k) {
			if likes[u][s.Item] {
				hits++
			}
		}
		users++
		precision += float64(hits) / float64(k)
		recall += float64(hits) / float64(len(likes[u]))
	}
	if users == 0 {
		panic(model.Errorf(op, "at least one rating must be %v or more (liked), got none", liked))
	}
	return precision / float64(users), recall / float64(users)
}
