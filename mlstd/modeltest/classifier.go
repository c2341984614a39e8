package modeltest

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

func classifierChecks(make func() model.Classifier, opts Options) []check {
	opts = withDefaults(opts)
	s := &supervised{x: opts.X, opts: opts}
	if s.x == nil {
		k := 3
		if opts.Binary {
			k = 2
		}
		var y []int
		s.x, y = clouds(k, 24, 4)
		s.y = toFloats(y)
	} else {
		s.y = toFloats(opts.Y)
	}
	s.x2 = dropColumn(s.x)
	s.y2 = slices.Clone(s.y)
	slices.Reverse(s.y2)
	s.make = func() any { return make() }
	s.fit = func(est any, x mat.Matrix, y []float64) error { return est.(model.Classifier).Fit(x, toInts(y)) }
	s.predict = func(est any, x mat.Matrix) results {
		r := results{classes: est.(model.Classifier).Predict(x)}
		if p, ok := est.(model.ProbClassifier); ok {
			r.proba = p.PredictProba(x)
		}
		if d, ok := est.(model.Scorer); ok {
			r.scores = d.Decision(x)
		}
		return r
	}
	if model.TakesWeights(make()) {
		s.weighted = func(est any, x mat.Matrix, y, w []float64) error {
			return est.(model.WeightedClassifier).FitWeighted(x, toInts(y), w)
		}
	}
	return append(s.checks(), classChecks(s)...)
}

// classChecks returns the checks that apply only to classifiers.
func classChecks(s *supervised) []check {
	return []check{
		{"one class", func() error {
			return refusedOr(func() error {
				y := slices.Clone(s.y)
				for i := range y {
					y[i] = 7
				}
				est, err := s.fitted(s.x, y)
				if err != nil {
					return err
				}
				for i, c := range s.predict(est, s.x).classes {
					if c != 7 {
						return fmt.Errorf("row %d: predicts %d though every example is of class 7", i, c)
					}
				}
				return nil
			})
		}},
		{"class labels", func() error {
			// Classes keep their order, so only the names may change.
			rename := func(c float64) float64 { return 10*c - 7 }
			y := slices.Clone(s.y)
			for i := range y {
				y[i] = rename(y[i])
			}
			a, err := s.fitted(s.x, s.y)
			if err != nil {
				return err
			}
			b, err := s.fitted(s.x, y)
			if err != nil {
				return err
			}
			want := s.predict(a, s.x)
			for i, c := range want.classes {
				want.classes[i] = int(rename(float64(c)))
			}
			return want.same(s.predict(b, s.x), 0)
		}},
		{"probabilities", func() error {
			est, err := s.fitted(s.x, s.y)
			if err != nil {
				return err
			}
			p, ok := est.(model.ProbClassifier)
			if !ok {
				return nil
			}
			return probabilities(p, s.x, toInts(s.y))
		}},
		{"learns", func() error {
			est, err := s.fitted(s.x, s.y)
			if err != nil {
				return err
			}
			right := 0
			for i, c := range s.predict(est, s.x).classes {
				if float64(c) == s.y[i] {
					right++
				}
			}
			if acc := float64(right) / float64(len(s.y)); acc < s.opts.MinScore {
				return fmt.Errorf("accuracy on the training examples: got %.3f, want at least %.3f", acc, s.opts.MinScore)
			}
			return nil
		}},
	}
}

// probabilities checks Classes and PredictProba of a fitted classifier.
func probabilities(p model.ProbClassifier, x *mat.Dense, y []int) error {
	want, _ := model.Classes(y)
	if got := p.Classes(); !slices.Equal(got, want) {
		return fmt.Errorf("got Classes %v, want %v", got, want)
	}
	proba := p.PredictProba(x)
	clear(p.Classes())
	if got := p.Classes(); !slices.Equal(got, want) {
		return fmt.Errorf("writing to the result of Classes changes the model: %v", got)
	}
	n, _ := x.Dims()
	r, k := proba.Dims()
	if r != n || k != len(want) {
		return fmt.Errorf("the result of PredictProba is %dx%d, want %dx%d", r, k, n, len(want))
	}
	for i, c := range p.Predict(x) {
		sum, best := 0.0, 0
		for j := range k {
			v := proba.At(i, j)
			if !(v >= 0 && v <= 1+1e-12) {
				return fmt.Errorf("row %d: the probability of class %d is %v", i, want[j], v)
			}
			sum += v
			if v > proba.At(i, best) {
				best = j
			}
		}
		if math.Abs(sum-1) > 1e-9 {
			return fmt.Errorf("row %d: the probabilities sum to %v", i, sum)
		}
		if at := slices.Index(want, c); proba.At(i, at) < proba.At(i, best)-1e-9 {
			return fmt.Errorf("row %d: predicts class %d with probability %v though class %d has %v",
				i, c, proba.At(i, at), want[best], proba.At(i, best))
		}
	}
	return nil
}
