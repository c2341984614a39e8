package polar

import (
	"errors"
	"fmt"
	"math"

	"github.com/gokernel/gokernel/display/internal/guide"
	"github.com/gokernel/gokernel/display/internal/variable"
)

// winds are the sectors of directions, clockwise from north.
var winds = []string{"N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW"}

// Rose draws amounts as sectors around a circle, clockwise from the top:
//
//	Rose(names, amounts)   a sector for each name, such as months
//	Rose(names)            how often each name occurs
//	Rose(degrees)          how often a direction lies in each of 16 sectors around N, NNE ...
//
// It also accepts columns of a frame. The amounts of rows with the same name are added up. By
// splits each sector by class.
func Rose(data ...any) *Chart {
	c := New()
	r, args := variable.Begin("polar.Rose", data)
	c.reader = r
	if len(args) != 1 && len(args) != 2 {
		return c.fail(fmt.Errorf("polar.Rose: pass names and amounts, or directions in degrees, got %d arguments", len(args)))
	}
	at, err := r.Column("the names", args[0])
	if err != nil {
		return c.fail(err)
	}
	m := mark{kind: rose, theta: make([]float64, len(at.V)), r: make([]float64, len(at.V))}
	for i := range m.r {
		m.r[i] = 1
	}
	c.radial = "count"
	if len(args) == 2 {
		amounts, err := r.Numbers("the amounts", args[1])
		if err == nil {
			err = r.SameLength([]string{"names", "amounts"}, at, amounts)
		}
		if err != nil {
			return c.fail(err)
		}
		for i, v := range amounts.V {
			if v < 0 || math.IsInf(v, 0) {
				return c.fail(fmt.Errorf("polar.Rose: amount %d is %s; areas are finite and not negative", i, guide.Short(v)))
			}
		}
		m.r, c.radial = amounts.V, amounts.Name
	}
	switch {
	case at.Levels != nil:
		m.theta, c.sectors = at.V, at.Levels
	case at.Times:
		return c.fail(errors.New("polar.Rose: the names must not be times: pass names or directions in degrees"))
	case len(args) == 1:
		c.compass, c.sectors = true, winds
		for i, v := range at.V {
			m.theta[i] = sector(v, len(winds))
		}
	default:
		named, ok := at.Named()
		if !ok {
			return c.fail(errors.New("polar.Rose: the names must be strings or whole numbers, got other numbers; pass only directions to count them"))
		}
		m.theta, c.sectors = named.V, named.Levels
	}
	if len(c.sectors) > 72 {
		return c.fail(fmt.Errorf("polar.Rose: a rose must have at most 72 sectors, got %d", len(c.sectors)))
	}
	c.marks = append(c.marks, m)
	return c
}

// sector returns the sector of n that contains a direction in degrees, or -1 for NaN.
func sector(degrees float64, n int) float64 {
	if math.IsNaN(degrees) || math.IsInf(degrees, 0) {
		return -1
	}
	turn := math.Mod(degrees/360, 1)
	if turn < 0 {
		turn++
	}
	return math.Mod(math.Floor(turn*float64(n)+0.5), float64(n))
}

// petals sums the amounts of a rose: petals[class][sector].
func (m *mark) petals(sectors int) (petals [][]float64, left int) {
	petals = make([][]float64, max(1, len(m.names)))
	for k := range petals {
		petals[k] = make([]float64, sectors)
	}
	for i, v := range m.r {
		k := 0
		if m.class != nil {
			k = m.class[i]
		}
		if k < 0 || m.theta[i] < 0 || math.IsNaN(v) {
			left++
			continue
		}
		petals[k][int(m.theta[i])] += v
	}
	return petals, left
}
