package rl

import (
	"math"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Features turns an observation into sparse binary features. Active appends the indices of the
// features with value 1 to the slice into, and Len returns the number of features.
type Features interface {
	Len() int
	Active(x []float64, into []int) []int
}

// OneHot has a binary feature for each value of a state that is a single integer from 0 to N−1. A
// linear function of these features is equivalent to a table. [Indexed] makes an environment with
// such states.
//
// Course: RL-13.
type OneHot struct{ N int }

// Len returns N.
func (o OneHot) Len() int { return o.N }

// Active appends x[0], which is the index of the active feature.
func (o OneHot) Active(x []float64, into []int) []int { return append(into, int(x[0])) }

// Tiles lays several grids over the space; the grids are shifted relative to each other. One tile
// of each grid is active, so near points share most of their features.
//
// References: [Sutton2018], 9.5.4.
type Tiles struct {
	Low, High []float64 // of each coordinate; points outside belong to the tiles at the edge
	Grids     int       // 0 means 8
	Bins      int       // tiles along each coordinate of a grid; 0 means 8
}

func (t *Tiles) sizes() (grids, bins int) {
	grids, bins = t.Grids, t.Bins
	if grids == 0 {
		grids = 8
	}
	if bins == 0 {
		bins = 8
	}
	return grids, bins
}

// Len returns Grids·(Bins+1)^d.
func (t *Tiles) Len() int {
	grids, bins := t.sizes()
	n := grids
	for range t.Low {
		n *= bins + 1
	}
	return n
}

// Active appends the index of the active tile of each grid. Along coordinate j, grid g is shifted
// by g·(2j+1)/Grids of a tile, modulo one tile.
func (t *Tiles) Active(x []float64, into []int) []int {
	grids, bins := t.sizes()
	for g := range grids {
		at := g
		for j, lo := range t.Low {
			shift := float64(g*(2*j+1)%grids) / float64(grids)
			u := (x[j]-lo)/(t.High[j]-lo)*float64(bins) + shift
			at = at*(bins+1) + min(max(int(math.Floor(u)), 0), bins)
		}
		into = append(into, at)
	}
	return into
}

// check reports tiles that cannot be.
func (t *Tiles) check(op string) error {
	if len(t.Low) == 0 || len(t.Low) != len(t.High) || t.Grids < 0 || t.Bins < 0 {
		return model.Errorf(op, "Low and High must have the same length, and Grids and Bins be at least 1, got %d, %d, %d and %d", len(t.Low), len(t.High), t.Grids, t.Bins)
	}
	for j, lo := range t.Low {
		if !(t.High[j] > lo) || math.IsInf(t.High[j]-lo, 1) {
			return model.Errorf(op, "the bounds of coordinate %d must be finite, Low below High, got %v and %v", j, lo, t.High[j])
		}
	}
	if n := t.Len(); n <= 0 || n > 1<<26 {
		return model.Errorf(op, "Tiles has too many features: %d", n).WithHint("set fewer Bins")
	}
	return nil
}

// featuresOf returns the usual features for nil, and checks.
func featuresOf(op string, f Features, env Continuous) (Features, error) {
	if f == nil {
		low, high := env.Bounds()
		f = &Tiles{Low: low, High: high}
	}
	if t, ok := f.(*Tiles); ok {
		if err := t.check(op); err != nil {
			return nil, err
		}
	}
	if f.Len() <= 0 {
		return nil, model.Errorf(op, "Features must not be nil")
	}
	return f, nil
}

// indexed shows the number of a state as a point of one coordinate.
type indexed struct{ Discrete }

// Indexed converts the states of a discrete environment to points on a line, for learners that use
// features. With [OneHot] features, these learners learn the entries of a table.
func Indexed(env Discrete) Continuous { return indexed{env} }

func (i indexed) Bounds() (low, high []float64) {
	return []float64{0}, []float64{float64(i.NumStates() - 1)}
}

func (i indexed) Observe(x []float64) { x[0] = float64(i.State()) }

// Allowed asks the environment.
func (i indexed) Allowed(action int) bool {
	m, ok := i.Discrete.(Masked)
	return !ok || m.Allowed(action)
}

// Gamma returns the discount factor of the environment.
func (i indexed) Gamma() float64 {
	if d, ok := i.Discrete.(Discounted); ok {
		return d.Gamma()
	}
	return 0.99
}

// Discretized cuts the space of an environment into boxes, which become the states.
//
// A process that is Markov in the space is not Markov in the boxes: the position within a box
// matters, but the agent does not observe it.
//
// Course: RL-14.
type Discretized struct {
	Continuous
	Bins      []int     // for each coordinate
	Low, High []float64 // nil means the bounds of the environment, which must be finite then
	x         []float64
}

// Discretize cuts coordinate i of the environment into bins[i] parts. If bins has only one element,
// Discretize cuts every coordinate into bins[0] parts. The bounds must be finite; if they are not,
// use a [Discretized] with Low and High.
func Discretize(env Continuous, bins ...int) (*Discretized, error) {
	low, high := env.Bounds()
	d := &Discretized{Continuous: env, Bins: bins, Low: low, High: high}
	if len(bins) == 1 && len(low) > 1 {
		d.Bins = make([]int, len(low))
		for i := range d.Bins {
			d.Bins[i] = bins[0]
		}
	}
	return d, d.Check()
}

// Check returns an error if the bins or the bounds are invalid.
func (d *Discretized) Check() error {
	return checkBins("Discretized", d.Bins, d.Low, d.High)
}

func checkBins(op string, bins []int, low, high []float64) error {
	if len(bins) != len(low) || len(low) != len(high) {
		return model.Errorf(op, "bins, low and high must have the same length, got %d, %d and %d", len(bins), len(low), len(high))
	}
	n := 1
	for i, b := range bins {
		if b < 1 || !(high[i] > low[i]) || math.IsInf(high[i]-low[i], 1) {
			return model.Errorf(op, "coordinate %d must have at least 1 bin and finite bounds, got %d from %v to %v", i, b, low[i], high[i])
		}
		if n *= b; n > 1<<26 {
			return model.Errorf(op, "there must be at most %d boxes", 1<<26)
		}
	}
	return nil
}

// NumStates returns the number of boxes.
func (d *Discretized) NumStates() int {
	n := 1
	for _, b := range d.Bins {
		n *= b
	}
	return n
}

// State returns the number of the box in which the environment's state lies.
func (d *Discretized) State() int {
	if d.x == nil {
		d.x = make([]float64, len(d.Bins))
	}
	d.Observe(d.x)
	return d.Box(d.x)
}

// Box returns the number of the box that contains a point; a point outside the bounds belongs to a
// box at the edge.
func (d *Discretized) Box(x []float64) int {
	s := 0
	for i, b := range d.Bins {
		j := int((x[i] - d.Low[i]) / (d.High[i] - d.Low[i]) * float64(b))
		s = s*b + min(max(j, 0), b-1)
	}
	return s
}

// Gamma returns the discount factor of the environment.
func (d *Discretized) Gamma() float64 {
	if g, ok := d.Continuous.(Discounted); ok {
		return g.Gamma()
	}
	return 0.99
}
