package structured_test

import (
	"math"
	"testing"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/structured"
)

// sequenceWeights are weights as testdata/oracles/structured.py writes them: for
// each tag those of a word, of the tag after another one, of the first tag.
type sequenceWeights struct {
	Words map[string][]float64
	After [][]float64
	Start []float64
}

func TestOracleSequencePerceptron(t *testing.T) {
	var oracle []struct {
		Name            string
		Sentences, Tags [][]string
		Mistakes        int
		Last, Mean      sequenceWeights
	}
	mltest.ReadOracle(t, "structured", &oracle)
	if len(oracle) < 5 {
		t.Fatalf("the oracle has %d data sets", len(oracle))
	}
	for _, o := range oracle {
		for _, last := range []bool{true, false} {
			// The fit draws the order of the sentences: they are laid out so that one pass
			// takes them in the order of the oracle.
			n := len(o.Sentences)
			sentences, tags := make([][]string, n), make([][]string, n)
			for k, at := range model.Rand(7, 0).Perm(n) {
				sentences[at], tags[at] = o.Sentences[k], o.Tags[k]
			}
			m := &structured.SequencePerceptron{Features: wordOnly, Epochs: 1, Seed: 7, Last: last}
			if err := m.Fit(sentences, tags); err != nil {
				t.Fatal(err)
			}
			if m.Mistakes[0] != o.Mistakes {
				t.Errorf("%s: %d mistakes, want %d", o.Name, m.Mistakes[0], o.Mistakes)
			}
			want := o.Mean
			if last {
				want = o.Last
			}
			near := func(what string, got, want []float64) {
				for b, v := range want {
					// A feature that was never changed has no weights at all.
					g := 0.0
					if got != nil {
						g = got[b]
					}
					if math.Abs(g-v) > 1e-12 {
						t.Errorf("%s, last %v: %s has weight %v for tag %d, want %v", o.Name, last, what, g, b, v)
					}
				}
			}
			for word, w := range want.Words {
				near(word, m.Coef[word], w)
			}
			for a, w := range want.After {
				near("after "+m.Tags[a], m.Transitions[a], w)
			}
			near("start", m.Start, want.Start)
		}
	}
}
