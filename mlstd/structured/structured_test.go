package structured_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/structured"
)

func scores(n, k int, seed uint64) [][]float64 {
	rng := model.Rand(seed, 0)
	s := make([][]float64, n)
	for i := range s {
		s[i] = make([]float64, k)
		for j := range s[i] {
			s[i][j] = rng.NormFloat64()
		}
	}
	return s
}

// The dynamic program finds the best of all kⁿ sequences.
func TestCORE03_BestSequence(t *testing.T) {
	for seed := range uint64(30) {
		n, k := 1+int(seed%5), 2+int(seed%3)
		local, next := scores(n, k, seed), scores(k, k, seed+100)
		start := scores(1, k, seed+200)[0]
		best := math.Inf(-1)
		var want []int
		y := make([]int, n)
		for {
			s := start[y[0]]
			for i := range y {
				s += local[i][y[i]]
				if i > 0 {
					s += next[y[i-1]][y[i]]
				}
			}
			if s > best {
				best, want = s, append([]int(nil), y...)
			}
			i := 0
			for i < n && y[i] == k-1 {
				y[i] = 0
				i++
			}
			if i == n {
				break
			}
			y[i]++
		}
		got, score := structured.BestSequence(local, next, start)
		if diff := cmp.Diff(want, got); diff != "" || math.Abs(score-best) > 1e-12 {
			t.Errorf("n=%d k=%d: score %v, want %v (-want +got):\n%s", n, k, score, best, diff)
		}
	}
	if got, score := structured.BestSequence(nil, nil, nil); len(got) != 0 || score != 0 {
		t.Errorf("no positions: got %v, %v", got, score)
	}
	inf := math.Inf(-1)
	got, _ := structured.BestSequence([][]float64{{1, 0}, {1, 0}}, [][]float64{{inf, 0}, {0, inf}}, nil)
	if diff := cmp.Diff([]int{1, 0}, got); diff != "" && got[0] == got[1] {
		t.Errorf("a forbidden transition was taken: %v", got)
	}
}

// corpus draws sentences of a little language in which the word "can" is a noun
// after a determiner and a verb after a pronoun, "fish" likewise.
func corpus(n int, seed uint64) (sentences, tags [][]string) {
	rng := model.Rand(seed, 0)
	nouns := []string{"can", "fish", "boat", "dog"}
	verbs := []string{"can", "fish", "see", "open"}
	pick := func(list []string) string { return list[rng.IntN(len(list))] }
	for range n {
		var words, t []string
		add := func(w, tag string) { words, t = append(words, w), append(t, tag) }
		if rng.IntN(2) == 0 {
			add(pick([]string{"they", "we"}), "PRON")
		} else {
			add("the", "DET")
			if rng.IntN(2) == 0 {
				add(pick([]string{"old", "big"}), "ADJ")
			}
			add(pick(nouns), "NOUN")
		}
		add(pick(verbs), "VERB")
		if rng.IntN(2) == 0 {
			add("the", "DET")
			add(pick(nouns), "NOUN")
		}
		sentences, tags = append(sentences, words), append(tags, t)
	}
	return sentences, tags
}

func wordOnly(words []string, i int) []string { return []string{words[i]} }

func accuracy(m *structured.SequencePerceptron, sentences, tags [][]string) float64 {
	right, all := 0.0, 0.0
	for s, words := range sentences {
		for i, tag := range m.Predict(words) {
			all++
			if tag == tags[s][i] {
				right++
			}
		}
	}
	return right / all
}

func TestCORE03_StructuredPerceptron(t *testing.T) {
	sentences, tags := corpus(60, 1)
	test, gold := corpus(200, 2)
	m := &structured.SequencePerceptron{Features: wordOnly, Epochs: 40}
	if err := m.Fit(sentences, tags); err != nil {
		t.Fatal(err)
	}
	if !m.Converged || m.Mistakes[len(m.Mistakes)-1] != 0 {
		t.Errorf("mistakes a pass: %v; the language is separable by words and transitions", m.Mistakes)
	}
	alone := &structured.SequencePerceptron{Features: wordOnly, Epochs: 40, NoTransitions: true}
	if err := alone.Fit(sentences, tags); err != nil {
		t.Fatal(err)
	}
	whole, each := accuracy(m, test, gold), accuracy(alone, test, gold)
	if whole < 0.99 || each > 0.95 {
		t.Errorf("accuracy on new sentences: %v as sequences, %v word by word", whole, each)
	}
	if diff := cmp.Diff(strings.Fields("DET NOUN VERB DET NOUN"), m.Predict(strings.Fields("the can can the fish"))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSequencePerceptronContract(t *testing.T) {
	sentences, tags := corpus(40, 3)
	a, b := &structured.SequencePerceptron{Seed: 5}, &structured.SequencePerceptron{Seed: 5}
	if err := a.Fit(sentences, tags); err != nil {
		t.Fatal(err)
	}
	other, otherTags := corpus(10, 4)
	if err := b.Fit(other, otherTags); err != nil {
		t.Fatal(err)
	}
	if err := b.Fit(sentences, tags); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(a.Coef, b.Coef); diff != "" {
		t.Errorf("a refit differs from a fresh fit:\n%s", diff)
	}
	want := a.Predict(sentences[0])
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if !cmp.Equal(want, a.Predict(sentences[0])) {
				t.Error("concurrent predictions differ")
			}
		})
	}
	wg.Wait()

	ctx, cancel := context.WithCancel(context.Background())
	stopped := &structured.SequencePerceptron{}
	stopped.Context, stopped.OnStep = ctx, func(model.Step) { cancel() }
	if err := stopped.Fit(sentences, tags); !errors.Is(err, context.Canceled) || stopped.Tags != nil {
		t.Errorf("stopped at the first step: got %v and tags %v", err, stopped.Tags)
	}
	for _, tt := range []struct {
		name string
		m    *structured.SequencePerceptron
		s, y [][]string
	}{
		{"none", &structured.SequencePerceptron{}, nil, nil},
		{"lengths", &structured.SequencePerceptron{}, sentences, tags[1:]},
		{"words", &structured.SequencePerceptron{}, [][]string{{"a", "b"}}, [][]string{{"X"}}},
		{"empty", &structured.SequencePerceptron{}, [][]string{{}}, [][]string{{}}},
		{"epochs", &structured.SequencePerceptron{Epochs: -1}, sentences, tags},
	} {
		var e *model.Error
		if err := tt.m.Fit(tt.s, tt.y); !errors.As(err, &e) {
			t.Errorf("%s: got %v, want a *model.Error", tt.name, err)
		}
	}
	func() {
		defer func() {
			err, _ := recover().(error)
			var e *model.Error
			if !errors.As(err, &e) {
				t.Errorf("Predict before Fit: got %v", err)
			}
		}()
		(&structured.SequencePerceptron{}).Predict([]string{"a"})
	}()
	if got := a.Predict(nil); len(got) != 0 {
		t.Errorf("no words: got %v", got)
	}
}

func ExampleSequencePerceptron() {
	m := &structured.SequencePerceptron{}
	err := m.Fit(
		[][]string{{"the", "dog", "barks"}, {"we", "can", "see"}, {"the", "can", "leaks"}},
		[][]string{{"DET", "NOUN", "VERB"}, {"PRON", "AUX", "VERB"}, {"DET", "NOUN", "VERB"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Predict([]string{"the", "dog", "leaks"}))
	// Output: [DET NOUN VERB]
}

func BenchmarkSequencePerceptron(b *testing.B) {
	sentences, tags := corpus(500, 1)
	for b.Loop() {
		if err := (&structured.SequencePerceptron{}).Fit(sentences, tags); err != nil {
			b.Fatal(err)
		}
	}
}
