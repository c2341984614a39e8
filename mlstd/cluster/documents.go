package cluster

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/prep"
)

// Documents groups texts by topic and names each group by its most important words.
//
// It is k-means on rows of [prep.TFIDF] weights, each of length 1,
//
//	J = Σᵢ ‖xᵢ − μ_cᵢ‖²
//
// and the words with the largest weights in a group's mean are its name:
//
//  1. Collect the words of the texts, without stop words, and weight them.
//  2. Find the clusters by [KMeans].
//  3. Name cluster k by the Terms largest values of μ_k.
//
// For rows of length 1, the squared distance is 2 minus twice the cosine, so the length of a text
// makes no difference.
//
// Cost: O(n·K·v) per step, for v words.
//
// References: [SaltonBuckley1988].
// Course: CLU-11.
type Documents struct {
	model.Control

	// K is the number of groups; 0 means 8, or the number of texts if that is less. A
	// larger K makes smaller, more specific groups.
	K int
	// Terms is the number of words in the name of a group; 0 means 5.
	Terms int
	// Vocabulary determines which words are used. The default leaves [prep.StopWords]
	// out.
	Vocabulary *prep.Vocabulary
	// Starts is the number of starts of KMeans; 0 means 10. More starts take longer and end less
	// often in a poor local minimum.
	Starts int
	// Seed is the seed of the starts.
	Seed uint64

	// Labels are the groups of the texts; set by Learn.
	Labels []int
	// Names are the words of each group in order of decreasing weight; set by Learn.
	Names [][]string
	// Weights are the weights of the words in Names; set by Learn.
	Weights [][]float64
	// Words are the words of the columns of Model.Centers; set by Learn.
	Words []string
	// Model is the fitted model; set by Learn.
	Model *KMeans
}

// Learn finds groups among the texts.
func (m *Documents) Learn(texts []string) error {
	m.Labels, m.Names, m.Weights, m.Words, m.Model = nil, nil, nil, nil, nil
	const op = "Documents.Learn"
	terms, err := model.Iterations(op, "Terms", m.Terms, 5)
	if err != nil {
		return err
	}
	starts, err := model.Iterations(op, "Starts", m.Starts, 10)
	if err != nil {
		return err
	}
	v := m.Vocabulary
	if v == nil {
		v = &prep.Vocabulary{StopWords: prep.StopWords()}
	}
	if err := v.Learn(texts); err != nil {
		return err
	}
	x := mat.DenseCopyOf(prep.TFIDF(v.Count(texts)))
	means := &KMeans{Control: m.Control, K: m.K, Starts: starts, Seed: m.Seed}
	if err := means.Fit(x); err != nil {
		return err
	}
	means.Control = model.Control{}
	k, _ := means.Centers.Dims()
	for c := range k {
		names, weights := topTerms(v.Words, means.Centers.RawRowView(c), terms)
		m.Names, m.Weights = append(m.Names, names), append(m.Weights, weights)
	}
	m.Labels, m.Words, m.Model = means.Labels, v.Words, means
	return nil
}

// topTerms returns the words with the largest positive weights; ties are in alphabetical order.
func topTerms(words []string, center []float64, most int) (names []string, weights []float64) {
	order := make([]int, len(words))
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case center[a] > center[b]:
			return -1
		case center[a] < center[b]:
			return 1
		}
		return 0
	})
	for _, j := range order[:min(most, len(order))] {
		if center[j] <= 0 {
			break
		}
		names, weights = append(names, words[j]), append(weights, center[j])
	}
	return names, weights
}
