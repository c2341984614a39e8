package ensemble

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/tree"
)

// BoostTrace records the rounds of boosting: each slice has one entry per round.
type BoostTrace struct {
	Error    []float64   // weighted error ε of the round's member
	Alpha    []float64   // its weight α in the vote
	Loss     []float64   // mean exponential loss after the round (AdaBoost)
	Training []float64   // training error of the combination so far
	Bound    []float64   // Π 2√(ε(1−ε)), above the training error (AdaBoost)
	Weights  [][]float64 // of the examples before the round, if there are at most 64
}

// boosting is the loop shared by all forms of AdaBoost: it fits members to weighted examples, and
// shrinks the weights of the examples that a member gets right.
type boosting struct {
	op             string
	x              mat.Matrix // d, with the columns that its table describes
	d              *mat.Dense
	y              []int
	classes, index []int
	weights        []float64 // of the examples; they sum to 1
	rounds         int

	fresh    func() model.Classifier
	resample bool
	size     int // of samples
	seed     uint64
	sorted   *tree.SortedColumns // for stumps and trees that take weights
}

// newBoosting leaves examples of weight 0 out.
func newBoosting(op string, x mat.Matrix, y []int, weights []float64, rounds int, fresh func() model.Classifier, resample bool, oversize int, seed uint64) (*boosting, error) {
	if fresh == nil {
		fresh = func() model.Classifier { return &tree.DecisionStump{} }
	}
	d, err := model.CheckXYFor(op, x, y, func() any { return fresh() })
	if err != nil {
		return nil, err
	}
	d, y, weights = withoutZero(d, y, weights)
	b := &boosting{op: op, x: pick.As(x, d), d: d, y: y, weights: normalized(weights), fresh: fresh, resample: resample, seed: seed}
	b.classes, b.index = model.Classes(y)
	if err := model.CheckTwoOrMore(op, b.classes); err != nil {
		return nil, err
	}
	if b.rounds, err = countOr(op, "Rounds", rounds, 50); err != nil {
		return nil, err
	}
	if oversize == 0 {
		oversize = 10
	}
	if oversize < 1 {
		return nil, model.Errorf(op, "Oversize must be at least the number of examples, got %d", oversize)
	}
	b.size = oversize * len(y)
	if _, ok := b.fresh().(sortedFitter); ok && !resample {
		if b.sorted, err = tree.SortColumns(b.x); err != nil {
			return nil, err
		}
	}
	return b, nil
}

func withoutZero(d *mat.Dense, y []int, w []float64) (*mat.Dense, []int, []float64) {
	if !slices.Contains(w, 0) {
		return d, y, w
	}
	var used []int
	for i, v := range w {
		if v > 0 {
			used = append(used, i)
		}
	}
	return pick.Rows(d, used), pick.Of(y, used), pick.Of(w, used)
}

func normalized(w []float64) []float64 {
	sum := 0.0
	for _, v := range w {
		sum += v
	}
	out := make([]float64, len(w))
	for i, v := range w {
		out[i] = v / sum
	}
	return out
}

// run adds members until there are enough, one makes no mistake, or one is too weak. say returns
// the vote of a member with the given error and whether the member is accepted. The weight of an
// example that it gets right is multiplied by e^(−say), and then all weights are normalized. after
// adds the member to the combination and returns the loss to report and the training error.
func (b *boosting) run(run *model.Run, say func(round int, eps float64) (float64, bool), after func(eps, say float64, pred []int) (loss, wrong float64)) ([]model.Classifier, []float64, *BoostTrace, error) {
	var models []model.Classifier
	var says []float64
	trace := &BoostTrace{}
	for m := range b.rounds {
		f, pred, err := b.fit(uint64(m))
		if err != nil {
			return nil, nil, nil, err
		}
		eps := 0.0
		for i, c := range pred {
			if c != b.y[i] {
				eps += b.weights[i]
			}
		}
		s, taken := say(m, eps)
		if !taken {
			break
		}
		if len(b.y) <= 64 {
			trace.Weights = append(trace.Weights, slices.Clone(b.weights))
		}
		factor, z := math.Exp(-s), 0.0
		for i, c := range pred {
			if c == b.y[i] {
				b.weights[i] *= factor
			}
			z += b.weights[i]
		}
		for i := range b.weights {
			b.weights[i] /= z
		}
		loss, wrong := after(eps, s, pred)
		models, says = append(models, f), append(says, s)
		trace.Error, trace.Training = append(trace.Error, eps), append(trace.Training, wrong)
		if err := run.Step(m+1, loss); err != nil {
			return nil, nil, nil, err
		}
		if eps < 1e-10 {
			break
		}
	}
	return models, says, trace, nil
}

// sortedFitter is a tree that can reuse sorted columns.
type sortedFitter interface {
	FitSorted(s *tree.SortedColumns, y []int, weights []float64) error
}

// fit fits a base classifier to the weighted examples: by weights if the classifier takes weights,
// by a sample otherwise.
func (b *boosting) fit(round uint64) (model.Classifier, []int, error) {
	m := b.fresh()
	var err error
	weighted, ok := m.(model.WeightedClassifier)
	ok = ok && model.TakesWeights(m)
	switch {
	case b.sorted != nil:
		err = m.(sortedFitter).FitSorted(b.sorted, b.y, b.weights)
	case ok && !b.resample:
		err = weighted.FitWeighted(b.x, b.y, b.weights)
	default:
		err = b.fitSample(m, round)
	}
	if err != nil {
		return nil, nil, err
	}
	return m, m.Predict(b.x), nil
}

// fitSample fits to a sample much larger than the data, drawn by the weights, so that it represents
// the distribution. An example of each class is always in it.
func (b *boosting) fitSample(m model.Classifier, round uint64) error {
	cumulative, sum := make([]float64, len(b.y)), 0.0
	for i, v := range b.weights {
		sum += v
		cumulative[i] = sum
	}
	rng := model.Rand(b.seed, round)
	rows := make([]int, b.size)
	for k := range rows {
		at, _ := slices.BinarySearch(cumulative, rng.Float64()*sum)
		rows[k] = min(at, len(b.y)-1)
	}
	have := map[int]bool{}
	for _, r := range rows {
		have[b.y[r]] = true
	}
	for i, c := range b.y {
		if !have[c] {
			have[c] = true
			rows = append(rows, i)
		}
	}
	return m.Fit(pick.Like(b.x, b.d, rows), pick.Of(b.y, rows))
}
