package recommend

import (
	"cmp"
	"math"
	"slices"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Similarity determines how [NeighborRecommender] measures the similarity of two users, or of two
// items, from their common ratings.
type Similarity int

const (
	SimilarityPearson Similarity = iota // the correlation of common ratings
	SimilarityCosine                    // the cosine of common ratings
)

// NeighborRecommender predicts a rating from the ratings of similar users, or of similar items.
//
//	r̂ᵤᵢ = r̄ᵤ + Σᵥ s(u,v)·(rᵥᵢ − r̄ᵥ) / Σᵥ |s(u,v)|
//
// where v runs over the K users with the largest s > 0 among the users who rated i. With ByItem, v
// runs over the K items that are most similar to i among the items that u rated. A similarity that
// is based on m common ratings is multiplied by m/(m + Shrink).
//
// Cost: O(users²·items) to learn, O(users) per prediction.
//
// References: [Resnick1994], [Sarwar2001].
// Course: DEC-08.
type NeighborRecommender struct {
	// ByItem uses similar items instead of similar users.
	ByItem bool
	// K is the number of neighbors; 0 means 40. A larger K predicts ratings closer to
	// the average.
	K int
	// Similarity is the measure of similarity; the default is SimilarityPearson.
	Similarity Similarity
	// Shrink is the number of common ratings at which a similarity has half its weight; 0 means
	// that every similarity has its full weight. A larger value gives less weight to users or items
	// with few common ratings.
	Shrink float64

	Mean         float64     // set by Learn: of all ratings
	Means        []float64   // set by Learn: of each user, or item
	Similarities [][]float64 // set by Learn: the similarity of each pair

	rated [][]float64 // of each user, or item: the ratings, NaN for none
}

// Learn computes the similarities between all users or, with ByItem, between all items.
func (n *NeighborRecommender) Learn(r *Ratings) error {
	const op = "NeighborRecommender.Learn"
	n.Mean, n.Means, n.Similarities, n.rated = 0, nil, nil, nil
	if err := r.check(op); err != nil {
		return err
	}
	if _, err := model.Iterations(op, "K", n.K, 40); err != nil {
		return err
	}
	if err := limits.Check(op,
		limits.Must("Similarity", int(n.Similarity), n.Similarity >= SimilarityPearson && n.Similarity <= SimilarityCosine, "be SimilarityPearson or SimilarityCosine"),
		limits.NotNegative("Shrink", n.Shrink)); err != nil {
		return err
	}
	lists := r.lists(n.ByItem)
	width := r.Items()
	if n.ByItem {
		width = r.Users()
	}
	sum := 0.0
	for _, v := range r.Value {
		sum += v
	}
	n.Mean = sum / float64(len(r.Value))
	n.Means, n.rated, n.Similarities = make([]float64, len(lists)), make([][]float64, len(lists)), make([][]float64, len(lists))
	for a, l := range lists {
		n.rated[a] = make([]float64, width)
		for j := range width {
			n.rated[a][j] = math.NaN()
		}
		total := 0.0
		for _, e := range l {
			n.rated[a][e.at] = e.value
			total += e.value
		}
		n.Means[a] = n.Mean
		if len(l) > 0 {
			n.Means[a] = total / float64(len(l))
		}
		n.Similarities[a] = make([]float64, len(lists))
	}
	for a := range lists {
		for b := range a {
			s := n.similarity(lists[a], n.rated[b])
			n.Similarities[a][b], n.Similarities[b][a] = s, s
		}
		n.Similarities[a][a] = 1
	}
	return nil
}

// similarity returns the similarity of two lists of ratings.
func (n *NeighborRecommender) similarity(a []entry, b []float64) float64 {
	m, ma, mb := 0.0, 0.0, 0.0
	for _, e := range a {
		if v := b[e.at]; !math.IsNaN(v) {
			m, ma, mb = m+1, ma+e.value, mb+v
		}
	}
	if m == 0 {
		return 0
	}
	ma, mb = ma/m, mb/m
	if n.Similarity == SimilarityCosine {
		ma, mb = 0, 0
	}
	ab, aa, bb := 0.0, 0.0, 0.0
	for _, e := range a {
		if v := b[e.at]; !math.IsNaN(v) {
			ab, aa, bb = ab+(e.value-ma)*(v-mb), aa+(e.value-ma)*(e.value-ma), bb+(v-mb)*(v-mb)
		}
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return ab / math.Sqrt(aa*bb) * m / (m + n.Shrink)
}

// Predict returns the rating that user is expected to give item.
func (n *NeighborRecommender) Predict(user, item int) float64 {
	if n.Means == nil {
		panic(model.NotFitted("NeighborRecommender.Predict"))
	}
	own, other := user, item
	if n.ByItem {
		own, other = item, user
	}
	if own < 0 || own >= len(n.Means) || other < 0 || other >= len(n.rated[0]) {
		if own >= 0 && own < len(n.Means) {
			return n.Means[own]
		}
		return n.Mean
	}
	type neighbor struct{ alike, off float64 }
	var near []neighbor
	for b, ratings := range n.rated {
		if v := ratings[other]; b != own && !math.IsNaN(v) && n.Similarities[own][b] > 0 {
			near = append(near, neighbor{n.Similarities[own][b], v - n.Means[b]})
		}
	}
	slices.SortStableFunc(near, func(a, b neighbor) int { return cmp.Compare(b.alike, a.alike) })
	k := n.K
	if k == 0 {
		k = 40
	}
	sum, weight := 0.0, 0.0
	for _, b := range near[:min(k, len(near))] {
		sum, weight = sum+b.alike*b.off, weight+b.alike
	}
	if weight == 0 {
		return n.Means[own]
	}
	return n.Means[own] + sum/weight
}
