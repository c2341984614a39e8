package ensemble

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
)

// histObjective is the objective that histogram boosting minimizes, over one sum of trees or
// several.
type histObjective interface {
	// start returns the constant that each sum begins with.
	start() []float64
	// derive fills in the derivatives at the sums f of the examples [lo, hi), and
	// returns the sum of their losses. h is nil when all second derivatives are 1.
	derive(f [][]float64, g, h [][]float32, lo, hi int) float64
	// curved reports whether the second derivatives are not all 1.
	curved() bool
	// leaf returns the optimal value of a leaf for its examples at the sum f; if ok is false, the
	// leaf takes a Newton step.
	leaf(f []float64, rows []int32) (value float64, ok bool)
	// weight is the sum of the weights of the examples.
	weight() float64
}

// histBooster is the part shared by the classifier and the regressor.
type histBooster struct {
	op     string
	rounds int
	bins   int
	seed   uint64
	params histParams

	patience int
	tol      float64
}

// histTrained is the result of boosting.
type histTrained struct {
	start   []float64
	members [][]*HistTree
	seen    []*levels
	trace   model.Trace
	held    []float64 // losses of the held-out part
	gains   []float64
}

// histSettings are the parameters of both estimators.
type histSettings struct {
	rounds, leaves, depth, minLeaf, bins, patience int
	rate, lambda, validation, tol                  float64
	monotone                                       []int
	seed                                           uint64
}

// newHistBooster checks the parameters for a table with cols columns.
func newHistBooster(op string, s histSettings, about []model.Column) (*histBooster, error) {
	b := &histBooster{op: op, seed: s.seed, tol: model.Or(s.tol, 1e-7)}
	for _, c := range []struct {
		to           *int
		name         string
		value, usual int
		least        int
	}{
		{&b.rounds, "Rounds", s.rounds, 100, 1}, {&b.params.leaves, "MaxLeaves", s.leaves, 31, 2}, {&b.params.depth, "MaxDepth", s.depth, 0, 0},
		{&b.params.minLeaf, "MinLeaf", s.minLeaf, 20, 1}, {&b.bins, "Bins", s.bins, maxBins, 2}, {&b.patience, "Patience", s.patience, 10, 1},
	} {
		if *c.to = c.value; c.value == 0 {
			*c.to = c.usual
		}
		if *c.to < c.least {
			return nil, model.Errorf(op, "%s must be at least %d (0 means the default), got %d", c.name, c.least, c.value)
		}
	}
	if b.bins > maxBins {
		return nil, model.Errorf(op, "Bins must be at most %d, got %d", maxBins, s.bins)
	}
	b.params.rate, b.params.lambda = model.Or(s.rate, 0.1), model.Or(s.lambda, 0)
	if err := limits.Check(op,
		limits.Rate("Rate", b.params.rate),
		limits.Penalty("Lambda", b.params.lambda),
		limits.NotNegative("Tol", b.tol)); err != nil {
		return nil, err
	}
	if !(s.validation >= 0 && s.validation < 1) {
		return nil, model.Errorf(op, "Validation must be at least 0 and below 1 (the fraction of examples held out), got %v", s.validation)
	}
	if s.monotone == nil {
		return b, nil
	}
	if len(s.monotone) != len(about) {
		return nil, model.Errorf(op, "Monotone must have %d entries (the number of columns), got %d", len(about), len(s.monotone))
	}
	for j, m := range s.monotone {
		if m < -1 || m > 1 || m != 0 && about[j].Kind == model.Nominal {
			return nil, model.Errorf(op, "Monotone[%d] must be -1, 0 or 1, and 0 for a nominal column, got %d for the %v column %q", j, m, about[j].Kind, about[j].Name)
		}
		b.params.monotone = append(b.params.monotone, int8(m))
	}
	return b, nil
}

// histGrain is the number of examples that one goroutine treats at a time.
const histGrain = 4096

// derive calls the objective to fill in the derivatives, and returns the mean loss.
func derive(o histObjective, f [][]float64, g, h [][]float32) float64 {
	n := len(f[0])
	parts := make([]float64, (n+histGrain-1)/histGrain)
	par.Range(n, histGrain, func(lo, hi int) { parts[lo/histGrain] = o.derive(f, g, h, lo, hi) })
	sum := 0.0
	for _, p := range parts {
		sum += p
	}
	return sum / o.weight()
}

// constants returns the initial sums of n examples.
func constants(start []float64, n int) [][]float64 {
	f := make([][]float64, len(start))
	for s, v := range start {
		f[s] = slices.Repeat([]float64{v}, n)
	}
	return f
}

func derivatives(sums, n int) [][]float32 {
	d := make([][]float32, sums)
	for s := range d {
		d[s] = make([]float32, n)
	}
	return d
}

// train adds trees for the objective o of the binned examples. With held-out examples, whose
// objective is ho, it stops when their loss no longer falls.
func (b *histBooster) train(run *model.Run, binned *binned, o histObjective, hd *mat.Dense, ho histObjective) (*histTrained, error) {
	n, cols := len(binned.columns[0]), len(binned.columns)
	t := &histTrained{start: o.start(), seen: binned.seen, gains: make([]float64, cols)}
	sums := len(t.start)
	t.members = make([][]*HistTree, sums)
	f, g, h := constants(t.start, n), derivatives(sums, n), make([][]float32, sums)
	if o.curved() {
		h = derivatives(sums, n)
	}
	var held [][]float64
	if ho != nil {
		rows, _ := hd.Dims()
		held = constants(t.start, rows)
		t.held = append(t.held, derive(ho, held, nil, nil))
	}
	w := newHistGrower(binned, b.params)
	t.trace.Loss = append(t.trace.Loss, derive(o, f, g, h))
	for m := range b.rounds {
		for s := range sums {
			member, leaves := w.grow(g[s], h[s])
			par.Range(len(leaves), 1, func(lo, hi int) { // which share no example
				for _, l := range leaves[lo:hi] {
					rows := w.rows[l.lo:l.hi]
					if v, ok := o.leaf(f[s], rows); ok {
						member.Nodes[l.at].Value = b.params.rate * v
					}
					v := member.Nodes[l.at].Value
					for _, i := range rows {
						f[s][i] += v
					}
				}
			})
			member.gains(t.gains)
			t.members[s] = append(t.members[s], member)
		}
		loss := derive(o, f, g, h)
		t.trace.Loss = append(t.trace.Loss, loss)
		if err := run.Step(m+1, loss); err != nil {
			return nil, err
		}
		if ho == nil {
			continue
		}
		for s := range sums {
			addHist(held[s], t.members[s][m:], hd, t.seen)
		}
		t.held = append(t.held, derive(ho, held, nil, nil))
		if b.stops(t.held) {
			t.trace.Converged = true
			break
		}
	}
	total := 0.0
	for _, v := range t.gains {
		total += v
	}
	if total > 0 {
		for j := range t.gains {
			t.gains[j] /= total
		}
	}
	return t, nil
}

// stops reports whether none of the last Patience losses is below the one before them
// by more than Tol.
func (b *histBooster) stops(losses []float64) bool {
	if len(losses) <= b.patience {
		return false
	}
	last := len(losses) - 1 - b.patience
	return slices.Min(losses[last+1:]) >= losses[last]-b.tol
}

// addHist adds the members' predictions for the rows of d to out.
func addHist(out []float64, members []*HistTree, d *mat.Dense, seen []*levels) {
	const together = 256
	par.Range(len(out), together, func(lo, hi int) {
		for _, t := range members {
			t.add(out, d, seen, lo, hi)
		}
	})
}

// holdOut splits the examples at random within each group. The fraction share of each group,
// rounded to the nearest number but never the whole group, is held out.
func holdOut(groups [][]int, share float64, seed uint64) (train, held []int) {
	rng := model.Rand(seed, 0)
	for _, group := range groups {
		order := slices.Clone(group)
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		k := min(int(math.Round(share*float64(len(order)))), len(order)-1)
		held, train = append(held, order[:k]...), append(train, order[k:]...)
	}
	slices.Sort(train)
	slices.Sort(held)
	return train, held
}

// everyRow lists the numbers from 0 to n-1.
func everyRow(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// weightsOf picks the weights of rows; nil stays nil.
func weightsOf(weights []float64, rows []int) []float64 {
	if weights == nil {
		return nil
	}
	return pick.Of(weights, rows)
}

func sumOfWeights(weights []float64, n int) float64 {
	sum := 0.0
	for i := range n {
		sum += weightAt(weights, i)
	}
	return sum
}
