package theory

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// FilterBoost turns a weak learner into a strong learner, as in the first proof that this is
// possible. The result is the majority of three hypotheses. Each hypothesis is learned from its own
// filtered examples.
//
//	h₁ from examples as they come
//	h₂ from examples of which h₁ gets half right, half wrong
//	h₃ from examples on which h₁ and h₂ differ
//
// If each hypothesis has an error of at most ε on its own distribution, the error of the majority
// is at most 3ε² − 2ε³. With a larger Depth, the three hypotheses are majorities themselves. In
// practice, use AdaBoost, which needs neither new examples nor ε.
//
// The cost is 3^Depth fits of the weak learner, plus the drawing of all examples, including the
// rejected examples. The search for examples that h₁ misclassifies ends after Patience rejected
// draws, because h₁ by itself is then good enough.
//
// References: [Schapire1990]. Course: COLT-13.
type FilterBoost struct {
	New      func() model.Classifier // makes the weak learner; it must be set
	Size     int                     // examples for each fit; 0 means 200
	Depth    int                     // 0 means 1: three hypotheses
	Patience int                     // maximum rejected draws per example; 0 means 10000
	Seed     uint64
	model.Control

	Drawn int // set by Learn: examples that were drawn
	Fits  int // set by Learn: hypotheses that were learned
	root  *majority
}

// majority is a single hypothesis, or the majority of three.
type majority struct {
	leaf  model.Classifier
	three []*majority
}

func (m *majority) predict(x []float64) int {
	if m.leaf != nil {
		return m.leaf.Predict(mat.NewDense(1, len(x), x))[0]
	}
	a, b := m.three[0].predict(x), m.three[1].predict(x)
	if a == b {
		return a
	}
	return m.three[2].predict(x)
}

// source draws examples.
type source func() (x []float64, y int, ok bool)

// Learn learns from the examples that draw returns. Each call of draw must return the next example,
// which belongs to one of two classes.
func (f *FilterBoost) Learn(draw func(rng *rand.Rand) (x []float64, y int)) error {
	const op = "FilterBoost.Learn"
	f.root, f.Drawn, f.Fits = nil, 0, 0
	if f.New == nil || draw == nil {
		return model.Errorf(op, "New and draw must not be nil").WithHint("set New to a function that returns a weak learner, such as a DecisionStump")
	}
	size, err := model.Iterations(op, "Size", f.Size, 200)
	if err != nil {
		return err
	}
	depth, err := model.Iterations(op, "Depth", f.Depth, 1)
	if err != nil {
		return err
	}
	patience, err := model.Iterations(op, "Patience", f.Patience, 10000)
	if err != nil {
		return err
	}
	rng := model.Rand(f.Seed, 0)
	run := f.Begin("FilterBoost", 0)
	defer run.End()
	r := &filtering{f: f, size: size, patience: patience, rng: rng, run: run}
	drawn := 0
	root, err := r.learn(depth, func() ([]float64, int, bool) {
		drawn++
		x, y := draw(rng)
		return x, y, true
	})
	if err != nil {
		f.Fits = 0
		return err
	}
	f.root, f.Drawn = root, drawn
	return nil
}

// filtering is one run of FilterBoost.
type filtering struct {
	f              *FilterBoost
	size, patience int
	rng            *rand.Rand
	run            *model.Run
}

// learn makes a hypothesis for the examples of a source; depth 0 is the weak learner.
func (r *filtering) learn(depth int, from source) (*majority, error) {
	if depth == 0 {
		return r.weak(from)
	}
	first, err := r.learn(depth-1, from)
	if err != nil {
		return nil, err
	}
	second, err := r.learn(depth-1, r.halfWrong(first, from))
	if err != nil || second == nil {
		return first, err
	}
	third, err := r.learn(depth-1, r.filter(from, func(x []float64, _ int) bool { return first.predict(x) != second.predict(x) }))
	if err != nil || third == nil {
		return first, err
	}
	return &majority{three: []*majority{first, second, third}}, nil
}

// weak fits a weak learner; it returns nil if the source is exhausted.
func (r *filtering) weak(from source) (*majority, error) {
	var rows []float64
	var y []int
	for range r.size {
		x, label, ok := from()
		if !ok {
			return nil, nil
		}
		rows, y = append(rows, x...), append(y, label)
	}
	m := r.f.New()
	if err := m.Fit(mat.NewDense(r.size, len(rows)/r.size, rows), y); err != nil {
		return nil, err
	}
	r.f.Fits++
	return &majority{leaf: m}, r.run.Step(r.f.Fits, 0)
}

// halfWrong tosses a coin for each example, which is then one that the hypothesis classifies
// correctly, or one that it misclassifies.
func (r *filtering) halfWrong(h *majority, from source) source {
	right := r.filter(from, func(x []float64, y int) bool { return h.predict(x) == y })
	wrong := r.filter(from, func(x []float64, y int) bool { return h.predict(x) != y })
	return func() ([]float64, int, bool) {
		if r.rng.IntN(2) == 0 {
			return right()
		}
		return wrong()
	}
}

// filter returns only examples that keep accepts, and stops after too many rejections.
func (r *filtering) filter(from source, keep func(x []float64, y int) bool) source {
	return func() ([]float64, int, bool) {
		for range r.patience {
			x, y, ok := from()
			if !ok {
				return nil, 0, false
			}
			if keep(x, y) {
				return x, y, true
			}
		}
		return nil, 0, false
	}
}

// Predict returns the class of each row.
func (f *FilterBoost) Predict(x mat.Matrix) []int {
	if f.root == nil {
		panic(model.Errorf("FilterBoost.Predict", "the learner has not learned yet").WithHint("call Learn first"))
	}
	d := model.Dense(x)
	n, _ := d.Dims()
	out := make([]int, n)
	for i := range out {
		out[i] = f.root.predict(d.RawRowView(i))
	}
	return out
}
