package manifold

import (
	"math"
	"math/bits"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/internal/radix"
)

const (
	dims      = 3
	cellBits  = 16 // halvings of the box along each side
	cellSides = 1 << cellBits
)

// point has up to three coordinates; those that are not used are 0.
type point [dims]float64

// cellTree divides a box around points recursively into eight parts, and stores the number of
// points in each cell and their mean.
//
// The points are sorted along a space-filling curve, so the points of a cell are adjacent, and the
// cells are in depth-first order. Cells with only one nonempty part are left out.
type cellTree struct {
	cells  []cell
	theta2 float64
	curve  []float64 // the position of each point on the curve
	codes  []uint64  // those, in order
	sorter *radix.Sorter
	order  []int32
	z      []float64
}

// cell is a box with points.
type cell struct {
	middle point
	count  float64
	// far is the squared distance beyond which the cell counts as one point.
	far float64
	// next is the cell after this one and all in it.
	next int32
}

func newCellTree(n int, theta float64) *cellTree {
	return &cellTree{
		cells: make([]cell, 0, 2*n), theta2: theta * theta,
		curve: make([]float64, n), codes: make([]uint64, n), sorter: radix.NewSorter(n), z: make([]float64, n),
	}
}

// repel writes Σⱼ (1 + ‖yᵢ − yⱼ‖²)⁻²(yᵢ − yⱼ) to out and returns Σᵢⱼ (1 + ‖yᵢ − yⱼ‖²)⁻¹.
func (t *cellTree) repel(y, out []point) float64 {
	t.build(y)
	const grain = 128
	par.Range(len(y), grain, func(lo, hi int) {
		for s := lo; s < hi; s++ {
			i := t.order[s]
			out[i], t.z[s] = t.push(y[i])
		}
	})
	sum := 0.0
	for _, v := range t.z {
		sum += v - 1 // without the point itself
	}
	return max(sum, math.SmallestNonzeroFloat64)
}

// push is the sum of repel for one point, itself included.
func (t *cellTree) push(a point) (sum point, z float64) {
	cells := t.cells
	for at := 0; at < len(cells); {
		c := &cells[at]
		x, y, w := a[0]-c.middle[0], a[1]-c.middle[1], a[2]-c.middle[2]
		r := x*x + y*y + w*w
		if r < c.far {
			at++
			continue
		}
		at = int(c.next)
		q := 1 / (1 + r)
		f := c.count * q
		z += f
		f *= q
		sum[0] += f * x
		sum[1] += f * y
		sum[2] += f * w
	}
	return sum, z
}

// build makes the tree of the points.
func (t *cellTree) build(y []point) {
	low, high := y[0], y[0]
	for i := range y {
		for j, v := range y[i] {
			low[j], high[j] = min(low[j], v), max(high[j], v)
		}
	}
	side := 0.0
	for j := range dims {
		side = max(side, high[j]-low[j])
	}
	scale := 0.0
	if side > 0 {
		scale = cellSides / side
	}
	for i := range y {
		code := uint64(0)
		for j, v := range y[i] {
			code |= apart(min(cellSides-1, uint64((v-low[j])*scale))) << j
		}
		t.curve[i] = float64(code) // 48 bits, exact
	}
	t.order = t.sorter.Order(t.curve)
	for s, i := range t.order {
		t.codes[s] = uint64(t.curve[i])
	}
	t.cells = t.cells[:0]
	t.grow(y, 0, len(y), side)
}

// grow appends the cell of the points lo to hi of the curve, and its subcells.
func (t *cellTree) grow(y []point, lo, hi int, side float64) int {
	at := len(t.cells)
	t.cells = append(t.cells, cell{count: float64(hi - lo)})
	different := t.codes[lo] ^ t.codes[hi-1]
	var middle point
	far := 0.0
	if different == 0 { // one point, or some in one place
		for _, i := range t.order[lo:hi] {
			for j, v := range y[i] {
				middle[j] += v
			}
		}
	} else {
		level := (bits.Len64(different) - 1) / dims
		size := side * float64(uint64(2)<<level) / cellSides
		far = size * size / t.theta2
		for from := lo; from < hi; {
			to, part := from+1, t.codes[from]>>(dims*level)
			for to < hi && t.codes[to]>>(dims*level) == part {
				to++
			}
			child := &t.cells[t.grow(y, from, to, side)]
			for j, v := range child.middle {
				middle[j] += child.count * v
			}
			from = to
		}
	}
	c := &t.cells[at]
	for j, v := range middle {
		c.middle[j] = v / c.count
	}
	c.far, c.next = far, int32(len(t.cells))
	return at
}

// apart moves the 16 bits of v three places apart.
func apart(v uint64) uint64 {
	v = (v | v<<16) & 0x0000ff0000ff
	v = (v | v<<8) & 0x00f00f00f00f
	v = (v | v<<4) & 0x0c30c30c30c3
	v = (v | v<<2) & 0x249249249249
	return v
}
