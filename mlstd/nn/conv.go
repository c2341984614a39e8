package nn

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// window describes how a patch moves over a picture with high lines of wide pixels, where each
// pixel has deep channels.
type window struct {
	high, wide, deep int
	kh, kw, stride   int
	pad              int
	outHigh, outWide int
}

func newWindow(op string, in []int, kh, kw, stride, pad int) (window, error) {
	w := window{high: 1, kh: kh, kw: kw, stride: orInt(stride, 1), pad: pad, deep: 1}
	switch len(in) {
	case 2:
		w.wide, w.deep = in[0], in[1]
	case 3:
		w.high, w.wide, w.deep = in[0], in[1], in[2]
	default:
		return w, model.Errorf(op, "rows must have the shape []int{steps, channels} or []int{height, width, channels}, got %v", in).WithHint("use a shape such as []int{64, 1} or []int{8, 8, 1}")
	}
	if kh < 1 || kw < 1 || w.stride < 1 || pad < 0 {
		return w, model.Errorf(op, "the window and the stride must be positive, and the padding not negative, got %dx%d, %d and %d", kh, kw, w.stride, pad)
	}
	padHigh := pad
	if w.high == 1 && kh == 1 {
		padHigh = 0
	}
	w.outHigh, w.outWide = (w.high+2*padHigh-kh)/w.stride+1, (w.wide+2*pad-kw)/w.stride+1
	if w.high+2*padHigh < kh || w.wide+2*pad < kw {
		return w, model.Errorf(op, "the window must fit into %[3]dx%[4]d, got %[1]dx%[2]d", kh, kw, w.high, w.wide).WithHint("use a smaller window, or padding")
	}
	return w, nil
}

// places returns the number of patches of a picture.
func (w *window) places() int { return w.outHigh * w.outWide }

// patch returns the number of values in a patch.
func (w *window) patch() int { return w.kh * w.kw * w.deep }

// line locates line r of patch place in the picture: from is where the line begins in the picture,
// and lo to hi are the pixels of the line that are inside.
func (w *window) line(place, r int) (from, lo, hi int) {
	padHigh := w.pad
	if w.high == 1 && w.kh == 1 {
		padHigh = 0
	}
	y := place/w.outWide*w.stride - padHigh + r
	x := place%w.outWide*w.stride - w.pad
	if y < 0 || y >= w.high {
		return 0, 0, 0
	}
	return (y*w.wide + x) * w.deep, max(0, -x), min(w.kw, w.wide-x)
}

// unfold writes the patches of a picture into rows; pixels outside the picture are 0.
func (w *window) unfold(rows, picture []float64) {
	size, width := w.patch(), w.kw*w.deep
	for place := range w.places() {
		for r := range w.kh {
			to := rows[place*size+r*width : place*size+(r+1)*width]
			from, lo, hi := w.line(place, r)
			if lo > 0 || hi < w.kw {
				clear(to)
			}
			if lo < hi {
				copy(to[lo*w.deep:hi*w.deep], picture[from+lo*w.deep:from+hi*w.deep])
			}
		}
	}
}

// fold is the adjoint of unfold: it adds the values of the patches to the picture.
func (w *window) fold(picture, rows []float64) {
	size, width := w.patch(), w.kw*w.deep
	for place := range w.places() {
		for r := range w.kh {
			add := rows[place*size+r*width : place*size+(r+1)*width]
			from, lo, hi := w.line(place, r)
			for i := lo * w.deep; i < hi*w.deep; i++ {
				picture[from+i] += add[i]
			}
		}
	}
}

// convolution is the common part of Conv1D and Conv2D.
type convolution struct {
	window
	filters   int
	f         Activation
	coef      *mat.Dense
	intercept []float64
	params    []*Param

	n                    int
	patches, z, a, g, dx mat.Dense
	dpatches             mat.Dense
	product              product
}

func (c *convolution) build(w window, filters int, f Activation, init WeightInit, coef *mat.Dense, intercept []float64, rng *rand.Rand) error {
	if filters < 1 {
		return model.Errorf("Conv", "Filters must be at least 1, got %d", filters)
	}
	if err := f.or(LinearUnits).err("Conv"); err != nil {
		return err
	}
	if err := init.err("Conv"); err != nil {
		return err
	}
	if coef == nil {
		coef = init.draw(w.patch(), filters, w.patch(), w.kh*w.kw*filters, rng)
		intercept = make([]float64, filters)
	}
	if r, k := coef.Dims(); r != w.patch() || k != filters || len(intercept) != filters {
		return model.Errorf("Conv", "Coef must be %dx%d (numbers of a patch, filters), got %dx%d", w.patch(), filters, r, k)
	}
	c.window, c.filters, c.f, c.coef, c.intercept = w, filters, f.or(LinearUnits), coef, intercept
	c.params = []*Param{newParam("Coef", coef.RawMatrix().Data, true), newParam("Intercept", intercept, false)}
	return nil
}

func (c *convolution) forward(x *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	c.n = n
	rows, size := n*c.places(), c.patch()
	p := sized(&c.patches, rows, size).RawMatrix().Data
	for i := range n {
		c.unfold(p[i*c.places()*size:(i+1)*c.places()*size], x.RawRowView(i))
	}
	z := sized(&c.z, n, c.places()*c.filters).RawMatrix().Data
	addRows(z, c.intercept)
	c.product.add(z, p, c.coef.RawMatrix().Data, rows, size, c.filters)
	if c.f == LinearUnits {
		return &c.z
	}
	c.f.apply(sized(&c.a, n, c.places()*c.filters).RawMatrix().Data, z, c.filters)
	return &c.a
}

func (c *convolution) backward(dy *mat.Dense, input bool) *mat.Dense {
	rows, size := c.n*c.places(), c.patch()
	dz := dy.RawMatrix().Data
	if c.f != LinearUnits {
		dz = sized(&c.g, c.n, c.places()*c.filters).RawMatrix().Data
		c.f.applyBack(dz, c.z.RawMatrix().Data, c.a.RawMatrix().Data, dy.RawMatrix().Data, c.filters)
	}
	c.product.addLeft(c.params[0].Grad, c.patches.RawMatrix().Data, dz, size, rows, c.filters)
	sumRows(c.params[1].Grad, dz)
	if !input {
		return nil
	}
	dp := sized(&c.dpatches, rows, size).RawMatrix().Data
	c.product.addTransposed(dp, dz, c.coef.RawMatrix().Data, rows, c.filters, size)
	sized(&c.dx, c.n, c.high*c.wide*c.deep)
	for i := range c.n {
		c.fold(c.dx.RawRowView(i), dp[i*c.places()*size:(i+1)*c.places()*size])
	}
	return &c.dx
}

// Conv2D is a layer of filters that slide over a picture: each filter computes a number for each
// position from the patch at this position, with the same weights everywhere.
//
//	a[i,j,f] = g(Σ_{r,s,c} x[i·t+r, j·t+s, c]·w[r,s,c,f] + b_f),   t the stride
//
// The patches are laid out as rows of one matrix, so that the layer is one matrix
// product.
//
// Cost: places·patch·filters per row.
//
// References: [LeCun1998]. Course: NET-29.
type Conv2D struct {
	Filters int
	// Size is the side of the patch, in positions; 0 means 3. A larger patch covers
	// larger patterns and has more weights.
	Size int
	// Stride is the number of positions from one patch to the next; 0 means 1. A larger
	// stride makes the output smaller.
	Stride     int
	Pad        int // lines and columns of zeros around the picture
	Activation Activation
	Init       WeightInit

	Coef      *mat.Dense // set by Build: one row per number of the patch, one column per filter
	Intercept []float64  // set by Build

	conv convolution
}

// Build initializes the filters at random.
func (l *Conv2D) Build(in []int, rng *rand.Rand) ([]int, error) {
	side := orInt(l.Size, 3)
	if len(in) != 3 {
		return nil, model.Errorf("Conv2D", "rows must have the shape []int{height, width, channels}, such as []int{8, 8, 1}, got %v", in)
	}
	w, err := newWindow("Conv2D", in, side, side, l.Stride, l.Pad)
	if err != nil {
		return nil, err
	}
	if err := l.conv.build(w, l.Filters, l.Activation, l.Init, l.Coef, l.Intercept, rng); err != nil {
		return nil, err
	}
	l.Coef, l.Intercept = l.conv.coef, l.conv.intercept
	return []int{w.outHigh, w.outWide, l.Filters}, nil
}

// Params returns Coef and Intercept.
func (l *Conv2D) Params() []*Param { return l.conv.params }

func (l *Conv2D) products() *product { return &l.conv.product }

// Forward applies the filters.
func (l *Conv2D) Forward(x *mat.Dense, _ bool) *mat.Dense { return l.conv.forward(x) }

// Backward accumulates the gradients of the filters.
func (l *Conv2D) Backward(dy *mat.Dense, input bool) *mat.Dense { return l.conv.backward(dy, input) }

// Picture returns channel c of filter f as a matrix with Size rows.
func (l *Conv2D) Picture(f, c int) *mat.Dense {
	w := &l.conv.window
	if l.Coef == nil || f < 0 || f >= l.Filters || c < 0 || c >= w.deep {
		panic(model.Errorf("Conv2D.Picture", "the filter must be below %d and the channel below %d, got %d and %d", l.Filters, w.deep, f, c))
	}
	m := mat.NewDense(w.kh, w.kw, nil)
	for i := range w.kh {
		for j := range w.kw {
			m.Set(i, j, l.Coef.At((i*w.kw+j)*w.deep+c, f))
		}
	}
	return m
}

// Conv1D is a layer of filters that slide over a sequence.
//
//	a[i,f] = g(Σ_{r,c} x[i·t+r, c]·w[r,c,f] + b_f),   t the stride
//
// As usual in neural networks, the filter is not flipped: strictly, this is a cross-correlation.
//
// References: [LeCun1998]. Course: NET-29.
type Conv1D struct {
	Filters int
	// Size is the side of the patch, in positions; 0 means 3. A larger patch covers
	// larger patterns and has more weights.
	Size int
	// Stride is the number of positions from one patch to the next; 0 means 1. A larger
	// stride makes the output smaller.
	Stride     int
	Pad        int // steps of zeros at both ends
	Activation Activation
	Init       WeightInit

	Coef      *mat.Dense // set by Build: one row per number of the patch, one column per filter
	Intercept []float64  // set by Build

	conv convolution
}

// Build initializes the filters at random.
func (l *Conv1D) Build(in []int, rng *rand.Rand) ([]int, error) {
	if len(in) != 2 {
		return nil, model.Errorf("Conv1D", "rows must have the shape []int{steps, channels}, such as []int{64, 1}, got %v", in)
	}
	w, err := newWindow("Conv1D", in, 1, orInt(l.Size, 3), l.Stride, l.Pad)
	if err != nil {
		return nil, err
	}
	if err := l.conv.build(w, l.Filters, l.Activation, l.Init, l.Coef, l.Intercept, rng); err != nil {
		return nil, err
	}
	l.Coef, l.Intercept = l.conv.coef, l.conv.intercept
	return []int{w.outWide, l.Filters}, nil
}

// Params returns Coef and Intercept.
func (l *Conv1D) Params() []*Param { return l.conv.params }

func (l *Conv1D) products() *product { return &l.conv.product }

// Forward applies the filters.
func (l *Conv1D) Forward(x *mat.Dense, _ bool) *mat.Dense { return l.conv.forward(x) }

// Backward accumulates the gradients of the filters.
func (l *Conv1D) Backward(dy *mat.Dense, input bool) *mat.Dense { return l.conv.backward(dy, input) }
