package nn

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// pooling is the common part of MaxPool and MeanPool.
type pooling struct {
	window
	n     int
	a, dx mat.Dense
	from  []int // for each output of MaxPool, its position in the row
}

func (p *pooling) build(op string, in []int, side, stride int) ([]int, error) {
	side = orInt(side, 2)
	high := side
	if len(in) == 2 {
		high = 1
	}
	w, err := newWindow(op, in, high, side, orInt(stride, side), 0)
	if err != nil {
		return nil, err
	}
	p.window = w
	if len(in) == 2 {
		return []int{w.outWide, w.deep}, nil
	}
	return []int{w.outHigh, w.outWide, w.deep}, nil
}

// each calls f with every output of a row and every position in the row that belongs to it.
func (p *pooling) each(f func(out, in int)) {
	for place := range p.places() {
		for r := range p.kh {
			from, lo, hi := p.line(place, r)
			for i := lo; i < hi; i++ {
				for c := range p.deep {
					f(place*p.deep+c, from+i*p.deep+c)
				}
			}
		}
	}
}

// MaxPool returns the maximum of each patch of a picture or sequence, channel by channel.
//
//	a[i,j,c] = max_{r,s} x[i·t+r, j·t+s, c]
//
// The gradient is passed to the largest value of the patch; if several values are largest, it is
// passed to the first of them.
//
// Course: NET-29.
type MaxPool struct {
	// Size is the side of the patch, in positions; 0 means 2. A larger patch keeps less
	// detail.
	Size int
	// Stride is the number of positions from one patch to the next; 0 means Size.
	Stride int

	pool pooling
}

// Build computes the shape.
func (l *MaxPool) Build(in []int, _ *rand.Rand) ([]int, error) {
	return l.pool.build("MaxPool", in, l.Size, l.Stride)
}

// Params returns nil, because the layer has no weights.
func (l *MaxPool) Params() []*Param { return nil }

// Forward returns the maximum of each patch.
func (l *MaxPool) Forward(x *mat.Dense, _ bool) *mat.Dense {
	p := &l.pool
	p.n, _ = x.Dims()
	cols := p.places() * p.deep
	sized(&p.a, p.n, cols)
	if cap(p.from) < p.n*cols {
		p.from = make([]int, p.n*cols)
	}
	p.from = p.from[:p.n*cols]
	for i := range p.n {
		p.largest(p.a.RawRowView(i), p.from[i*cols:(i+1)*cols], x.RawRowView(i))
	}
	return &p.a
}

// largest stores the maximum of each patch of the row in out, and its position in at.
func (p *pooling) largest(out []float64, at []int, row []float64) {
	d := p.deep
	for place := range p.places() {
		to, where := out[place*d:(place+1)*d], at[place*d:(place+1)*d]
		first := true
		for r := range p.kh {
			from, lo, hi := p.line(place, r)
			for i := lo; i < hi; i++ {
				in := from + i*d
				seen := row[in : in+d]
				if first {
					first = false
					copy(to, seen)
					for c := range where {
						where[c] = in + c
					}
					continue
				}
				for c, v := range seen {
					if v > to[c] {
						to[c], where[c] = v, in+c
					}
				}
			}
		}
	}
}

// Backward passes the gradient to the maximum of each patch.
func (l *MaxPool) Backward(dy *mat.Dense, _ bool) *mat.Dense {
	p := &l.pool
	sized(&p.dx, p.n, p.high*p.wide*p.deep)
	cols := p.places() * p.deep
	for i := range p.n {
		to := p.dx.RawRowView(i)
		for o, g := range dy.RawRowView(i) {
			to[p.from[i*cols+o]] += g
		}
	}
	return &p.dx
}

// MeanPool returns the mean of each patch of a picture or sequence, channel by channel.
//
//	a[i,j,c] = mean_{r,s} x[i·t+r, j·t+s, c]
//
// Course: NET-29.
type MeanPool struct {
	// Size is the side of the patch, in positions; 0 means 2. A larger patch keeps less
	// detail.
	Size int
	// Stride is the number of positions from one patch to the next; 0 means Size.
	Stride int

	pool pooling
}

// Build computes the shape.
func (l *MeanPool) Build(in []int, _ *rand.Rand) ([]int, error) {
	return l.pool.build("MeanPool", in, l.Size, l.Stride)
}

// Params returns nil, because the layer has no weights.
func (l *MeanPool) Params() []*Param { return nil }

// Forward returns the mean of each patch.
func (l *MeanPool) Forward(x *mat.Dense, _ bool) *mat.Dense {
	p := &l.pool
	p.n, _ = x.Dims()
	sized(&p.a, p.n, p.places()*p.deep)
	share := 1 / float64(p.kh*p.kw)
	for i := range p.n {
		row, out := x.RawRowView(i), p.a.RawRowView(i)
		p.each(func(o, in int) { out[o] += share * row[in] })
	}
	return &p.a
}

// Backward distributes the gradient equally over each patch.
func (l *MeanPool) Backward(dy *mat.Dense, _ bool) *mat.Dense {
	p := &l.pool
	sized(&p.dx, p.n, p.high*p.wide*p.deep)
	share := 1 / float64(p.kh*p.kw)
	for i := range p.n {
		to, g := p.dx.RawRowView(i), dy.RawRowView(i)
		p.each(func(o, in int) { to[in] += share * g[o] })
	}
	return &p.dx
}
