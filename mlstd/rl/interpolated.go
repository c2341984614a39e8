package rl

import (
	"math"

	"github.com/gokernel/gokernel/mlstd/model"
)

// InterpolationGrid is a regular grid over a box. Functions are known at its corners and
// interpolated between them.
type InterpolationGrid struct {
	Low, High []float64
	Points    []int // along each coordinate, at least 2
}

// Len returns the number of corners.
func (g *InterpolationGrid) Len() int {
	n := 1
	for _, p := range g.Points {
		n *= p
	}
	return n
}

// Point writes the coordinates of corner i to x.
func (g *InterpolationGrid) Point(i int, x []float64) {
	for j := len(g.Points) - 1; j >= 0; j-- {
		p := g.Points[j]
		x[j] = g.Low[j] + (g.High[j]-g.Low[j])*float64(i%p)/float64(p-1)
		i /= p
	}
}

// Weights calls f with each corner around x and the corner's weight; the weights sum to 1. A point
// outside the box counts as the nearest point of the box.
func (g *InterpolationGrid) Weights(x []float64, f func(corner int, weight float64)) {
	d := len(g.Points)
	for mask := range 1 << d {
		at, weight := 0, 1.0
		for j, p := range g.Points {
			u := (x[j] - g.Low[j]) / (g.High[j] - g.Low[j]) * float64(p-1)
			u = min(max(u, 0), float64(p-1))
			k := min(int(u), p-2)
			if frac := u - float64(k); mask>>j&1 == 1 {
				k++
				weight *= frac
			} else {
				weight *= 1 - frac
			}
			at = at*p + k
		}
		if weight > 0 {
			f(at, weight)
		}
	}
}

// At returns the value at x that is interpolated from the values v at the corners.
func (g *InterpolationGrid) At(v, x []float64) float64 {
	sum := 0.0
	g.Weights(x, func(corner int, weight float64) { sum += weight * v[corner] })
	return sum
}

// InterpolatedMDP approximates a simulator with a finite process. Its states are the corners of a
// grid over the bounds. A step that ends between corners leads to each of these corners; the
// probability is the corner's interpolation weight. The values of the solved process define a
// function on the whole box. [InterpolationGrid.At] evaluates this function, and [GreedyAction]
// returns the best action according to it.
//
// The bounds of the simulator must be finite; if they are not, pass low and high.
//
// References: [Gordon1995].
//
// Course: RL-14.
func InterpolatedMDP(sim Simulator, discount float64, low, high []float64, points ...int) (*MDP, *InterpolationGrid, error) {
	const op = "InterpolatedMDP"
	if low == nil && high == nil {
		low, high = sim.Bounds()
	}
	if err := checkBins(op, points, low, high); err != nil {
		return nil, nil, err
	}
	for j, p := range points {
		if p < 2 {
			return nil, nil, model.Errorf(op, "coordinate %d must have at least 2 points, got %d", j, p)
		}
	}
	g := &InterpolationGrid{Low: low, High: high, Points: points}
	x, y := make([]float64, len(points)), make([]float64, len(points))
	m := NewMDP(g.Len(), sim.NumActions(), func(s, a int) []Outcome {
		g.Point(s, x)
		reward, ended := sim.Next(x, a, y)
		if ended {
			return []Outcome{{Prob: 1, Next: s, Reward: reward, Terminal: true}}
		}
		var out []Outcome
		g.Weights(y, func(corner int, weight float64) {
			out = append(out, Outcome{Prob: weight, Next: corner, Reward: reward})
		})
		return out
	})
	m.Discount = discount
	return m, g, m.Check()
}

// GreedyAction returns the best action of a simulator at x, looking one step ahead with
// the value function v.
func GreedyAction(sim Simulator, discount float64, x []float64, v func(x []float64) float64) int {
	y := make([]float64, len(x))
	best, most := 0, math.Inf(-1)
	for a := range sim.NumActions() {
		q, ended := sim.Next(x, a, y)
		if !ended {
			q += discount * v(y)
		}
		if q > most {
			best, most = a, q
		}
	}
	return best
}
