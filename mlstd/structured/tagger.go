package structured

import (
	"slices"
	"strings"

	"github.com/gokernel/gokernel/mlstd/model"
)

// SequencePerceptron tags the words of sentences. A linear function scores the whole sequence of
// tags; its weights are learned from mistakes.
//
// A sentence x with tags y has the score
//
//	s(x, y) = Σᵢ Σ_f w[f, yᵢ] + Σᵢ t[yᵢ₋₁, yᵢ] + a[y₁]
//
// where f runs over the active features of the word i. For each sentence:
//
//  1. Find the best sequence ŷ = argmax s(x, y) by Viterbi ([BestSequence]).
//  2. If ŷ ≠ y, add 1 to a weight for each use by y, and subtract 1 for each use by ŷ: w += Φ(x, y)
//     − Φ(x, ŷ).
//
// The final weights are averages over all steps; they generalize better than the last weights. If a
// weight vector separates the correct sequences from all other sequences with margin γ, there are
// at most R²/γ² mistakes, as for the perceptron.
//
// Cost: O(n·(k² + k·m)) per sentence of n words, with k tags and m features per word.
//
// References: [Collins2002].
// Course: CORE-03.
type SequencePerceptron struct {
	model.Control

	// Epochs is the maximum number of passes; 0 means 10. Fit stops earlier after a pass without
	// mistakes.
	Epochs int
	// Last makes Fit keep the last weights instead of the averages.
	Last bool
	// NoTransitions leaves out t and a: each word is then tagged independently.
	NoTransitions bool
	// Features returns the active features of the word at position i; nil means
	// [WordFeatures].
	Features func(words []string, i int) []string `json:"-"`
	// Seed is the random seed for the order of the sentences; each pass draws a new order.
	Seed uint64

	// Tags are the tags, in alphabetical order.
	Tags []string
	// Weights has the weight of each feature for each tag.
	Coef map[string][]float64
	// Transitions[a][b] is the weight of tag b after tag a; Start[b] is the weight of tag b at the
	// beginning.
	Transitions [][]float64
	Start       []float64
	// Mistakes is the number of wrongly tagged sentences in each pass.
	Mistakes []int
	// Converged reports whether the last pass made no mistake.
	Converged bool
}

// WordFeatures returns the word, its last three letters, whether it begins with a
// capital letter, and the words before and after.
//
// Course: CORE-03.
func WordFeatures(words []string, i int) []string {
	lower := strings.ToLower(words[i])
	features := []string{"word:" + lower}
	if r := []rune(lower); len(r) > 3 {
		features = append(features, "suffix:"+string(r[len(r)-3:]))
	}
	if i > 0 {
		features = append(features, "before:"+strings.ToLower(words[i-1]))
		if lower != words[i] {
			features = append(features, "capital")
		}
	} else {
		features = append(features, "first")
	}
	if i+1 < len(words) {
		features = append(features, "after:"+strings.ToLower(words[i+1]))
	} else {
		features = append(features, "last")
	}
	return features
}

// weights holds the current weights and, for their average, the sum over the changes of the change
// times its step.
type weights struct {
	now, sum map[string][]float64
}

func (w *weights) change(feature string, tag, tags int, by, step float64) {
	if w.now[feature] == nil {
		w.now[feature] = make([]float64, tags)
		w.sum[feature] = make([]float64, tags)
	}
	w.now[feature][tag] += by
	w.sum[feature][tag] += by * step
}

// Transitions and starts are stored among the weights under these names, which no feature of a word
// can have.
const (
	startKey      = "\x00start"
	transitionKey = "\x00after "
)

// Fit learns from sentences, which are slices of words, and from the tags of the words.
func (m *SequencePerceptron) Fit(sentences, tags [][]string) error {
	m.Tags, m.Coef, m.Transitions, m.Start, m.Mistakes, m.Converged = nil, nil, nil, nil, nil, false
	const op = "SequencePerceptron.Fit"
	names, err := m.check(op, sentences, tags)
	if err != nil {
		return err
	}
	features := make([][][]string, len(sentences))
	labels := make([][]int, len(sentences))
	for s, words := range sentences {
		for i := range words {
			features[s] = append(features[s], m.features(words, i))
			k, _ := slices.BinarySearch(names, tags[s][i])
			labels[s] = append(labels[s], k)
		}
	}
	epochs, err := model.Iterations(op, "Epochs", m.Epochs, 10)
	if err != nil {
		return err
	}
	run := m.Begin("SequencePerceptron", epochs)
	defer run.End()
	rng := model.Rand(m.Seed, 0)
	w := &weights{map[string][]float64{}, map[string][]float64{}}
	step := 0.0
	var mistakes []int
	for epoch := 1; epoch <= epochs; epoch++ {
		wrong := 0
		for _, s := range rng.Perm(len(sentences)) {
			guess := m.decode(features[s], w.now, len(names))
			if !slices.Equal(guess, labels[s]) {
				wrong++
				m.update(w, features[s], labels[s], 1, step, len(names))
				m.update(w, features[s], guess, -1, step, len(names))
			}
			step++
		}
		mistakes = append(mistakes, wrong)
		if err := run.Step(epoch, float64(wrong)); err != nil {
			return err
		}
		if wrong == 0 {
			m.Converged = true
			break
		}
	}
	m.Mistakes = mistakes
	m.finish(w, names, step)
	return nil
}

func (m *SequencePerceptron) check(op string, sentences, tags [][]string) ([]string, error) {
	if len(sentences) == 0 {
		return nil, model.Errorf(op, "sentences must not be empty")
	}
	if len(sentences) != len(tags) {
		return nil, model.Errorf(op, "sentences and tags must have the same length, got %d and %d", len(sentences), len(tags))
	}
	var names []string
	for s := range sentences {
		if len(sentences[s]) != len(tags[s]) {
			return nil, model.Errorf(op, "sentence %d must have a tag for each word, got %d words and %d tags", s, len(sentences[s]), len(tags[s]))
		}
		names = append(names, tags[s]...)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if len(names) == 0 {
		return nil, model.Errorf(op, "at least one sentence must have words")
	}
	return names, nil
}

func (m *SequencePerceptron) features(words []string, i int) []string {
	if m.Features != nil {
		return m.Features(words, i)
	}
	return WordFeatures(words, i)
}

// decode returns the best sequence under the weights.
func (m *SequencePerceptron) decode(features [][]string, w map[string][]float64, tags int) []int {
	local := make([][]float64, len(features))
	for i, active := range features {
		local[i] = make([]float64, tags)
		for _, f := range active {
			for b, v := range w[f] {
				local[i][b] += v
			}
		}
	}
	next, start := make([][]float64, tags), w[startKey]
	for a := range next {
		if next[a] = w[transitionKey+string(rune(a))]; next[a] == nil {
			next[a] = make([]float64, tags)
		}
	}
	labels, _ := BestSequence(local, next, start)
	return labels
}

// update adds by times the features that the labels use.
func (m *SequencePerceptron) update(w *weights, features [][]string, labels []int, by, step float64, tags int) {
	for i, active := range features {
		for _, f := range active {
			w.change(f, labels[i], tags, by, step)
		}
		switch {
		case m.NoTransitions:
		case i == 0:
			w.change(startKey, labels[0], tags, by, step)
		default:
			w.change(transitionKey+string(rune(labels[i-1])), labels[i], tags, by, step)
		}
	}
}

// finish averages: a weight that was changed by d at step s of n counted for
// n − s of the n steps.
func (m *SequencePerceptron) finish(w *weights, names []string, steps float64) {
	m.Tags = names
	m.Coef = map[string][]float64{}
	k := len(names)
	m.Start = make([]float64, k)
	m.Transitions = make([][]float64, k)
	for a := range m.Transitions {
		m.Transitions[a] = make([]float64, k)
	}
	for f, now := range w.now {
		v := slices.Clone(now)
		if !m.Last {
			for b := range v {
				v[b] -= w.sum[f][b] / steps
			}
		}
		switch {
		case f == startKey:
			m.Start = v
		case strings.HasPrefix(f, transitionKey):
			m.Transitions[int([]rune(f[len(transitionKey):])[0])] = v
		default:
			m.Coef[f] = v
		}
	}
}

// Predict returns the tags of the words of a sentence.
func (m *SequencePerceptron) Predict(words []string) []string {
	labels, _ := m.best("SequencePerceptron.Predict", words)
	tags := make([]string, len(labels))
	for i, k := range labels {
		tags[i] = m.Tags[k]
	}
	return tags
}

// BestScore returns the score of the sequence that Predict returns.
func (m *SequencePerceptron) BestScore(words []string) float64 {
	_, score := m.best("SequencePerceptron.BestScore", words)
	return score
}

func (m *SequencePerceptron) best(op string, words []string) ([]int, float64) {
	if m.Tags == nil {
		panic(model.NotFitted(op))
	}
	local := make([][]float64, len(words))
	for i := range words {
		local[i] = make([]float64, len(m.Tags))
		for _, f := range m.features(words, i) {
			for b, v := range m.Coef[f] {
				local[i][b] += v
			}
		}
	}
	return BestSequence(local, m.Transitions, m.Start)
}
