package linear

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/internal/rows"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/optim"
)

// columns holds a least-squares problem by columns, for coordinate descent: the columns cⱼ = √v∘(xⱼ
// − meanⱼ) and the target √v∘(y − mean) for weights v whose mean is
// 1. The columns of a sparse x hold only √v∘xⱼ; products center them.
type columns struct {
	n, p   int
	root   []float64 // √v
	mean   []float64
	my     float64
	norm   []float64 // ‖cⱼ‖²
	target []float64
	size   float64 // ‖target‖²

	dense  []float64 // one column after the other; nil for a sparse x
	start  []int     // column j of a sparse x is at start[j]:start[j+1]
	index  []int32
	values []float64
}

// newColumns requires examples of positive weight; nil weights are all 1.
func newColumns(op string, x rows.Matrix, y, weights []float64, intercept bool) (*columns, error) {
	c := &columns{n: x.N, p: x.Width, mean: make([]float64, x.Width), norm: make([]float64, x.Width)}
	c.root = slices.Repeat([]float64{1}, c.n)
	if weights != nil {
		unit := float64(c.n) / floats.Sum(weights)
		for i, w := range weights {
			c.root[i] = math.Sqrt(w * unit)
		}
	}
	if intercept {
		c.mean, c.my = weightedMeans(&x, weights), meanOf(y, weights)
	}
	c.target = make([]float64, c.n)
	for i, v := range y {
		c.target[i] = c.root[i] * (v - c.my)
		c.size += c.target[i] * c.target[i]
	}
	if math.IsInf(c.size, 1) || math.IsNaN(c.size) {
		return nil, model.Errorf(op, "the sum of squares of y must be finite").WithHint("scale the targets first")
	}
	if x.Sparse == nil {
		c.fillDense(x)
	} else {
		c.fillSparse(x)
	}
	for j, v := range c.norm {
		if math.IsInf(v, 1) || (v == 0 && c.varies(j)) {
			return nil, model.Errorf(op, "the sum of squares of column %d must be finite", j).WithHint("scale the columns first")
		}
	}
	return c, nil
}

func (c *columns) fillDense(x rows.Matrix) {
	c.dense = make([]float64, c.n*c.p)
	const some = 64 // rows, which stay in the cache while their columns are written
	par.Range(c.n, some, func(lo, hi int) {
		rows := x.Dense.RawMatrix().Data[lo*c.p : hi*c.p]
		for j, mean := range c.mean {
			col := c.dense[j*c.n+lo : j*c.n+hi]
			for i, root := range c.root[lo:hi] {
				col[i] = root * (rows[i*c.p+j] - mean)
			}
		}
	})
	par.Range(c.p, 1, func(lo, hi int) {
		for j := lo; j < hi; j++ {
			col := c.dense[j*c.n : (j+1)*c.n]
			c.norm[j] = floats.Dot(col, col)
		}
	})
}

func (c *columns) fillSparse(x rows.Matrix) {
	c.start = make([]int, c.p+1)
	for i := range c.n {
		x.Each(i, func(j int, _ float64) { c.start[j+1]++ })
	}
	for j := range c.p {
		c.start[j+1] += c.start[j]
	}
	c.index, c.values = make([]int32, c.start[c.p]), make([]float64, c.start[c.p])
	at, left := slices.Clone(c.start), slices.Repeat([]float64{float64(c.n)}, c.p)
	for i := range c.n {
		r := c.root[i]
		x.Each(i, func(j int, v float64) {
			c.index[at[j]], c.values[at[j]] = int32(i), r*v
			at[j]++
			c.norm[j] += r * r * (v - c.mean[j]) * (v - c.mean[j])
			left[j] -= r * r
		})
	}
	for j, m := range c.mean {
		c.norm[j] += max(left[j], 0) * m * m
	}
}

// varies reports whether column j has a nonzero value.
func (c *columns) varies(j int) bool {
	if c.dense != nil {
		return floats.Norm(c.dense[j*c.n:(j+1)*c.n], math.Inf(1)) > 0
	}
	return c.start[j] < c.start[j+1]
}

// fitState is the state of a descent: the coefficients and the residual, which is res + shift·root.
// The shift is 0 for a dense x.
type fitState struct {
	w, res []float64
	shift  float64
	whole  []float64 // room for res + shift·root
}

func (c *columns) newState() *fitState {
	s := &fitState{w: make([]float64, c.p), res: slices.Clone(c.target)}
	if c.dense == nil {
		s.whole = make([]float64, c.n)
	}
	return s
}

// dot is the product of column j with the residual. The residual is orthogonal to the root of the
// weights, so the mean of a sparse column enters only through the shift.
func (c *columns) dot(s *fitState, j int) float64 {
	if c.dense != nil {
		return floats.Dot(c.dense[j*c.n:(j+1)*c.n], s.res)
	}
	lo, hi, sum := c.start[j], c.start[j+1], 0.0
	for k, i := range c.index[lo:hi] {
		sum += c.values[lo+k] * s.res[i]
	}
	return sum + s.shift*c.mean[j]*float64(c.n)
}

// move adds step to coefficient j.
func (c *columns) move(s *fitState, j int, step float64) {
	s.w[j] += step
	if c.dense != nil {
		floats.AddScaled(s.res, -step, c.dense[j*c.n:(j+1)*c.n])
		return
	}
	lo, hi := c.start[j], c.start[j+1]
	for k, i := range c.index[lo:hi] {
		s.res[i] -= step * c.values[lo+k]
	}
	s.shift += step * c.mean[j]
}

// residual returns the target minus the fitted values.
func (c *columns) residual(s *fitState) []float64 {
	if c.dense != nil {
		return s.res
	}
	floats.AddScaledTo(s.whole, s.res, s.shift, c.root)
	return s.whole
}

// strongest returns the largest |cⱼ·target|. With a larger l₁ penalty all coefficients are zero.
func (c *columns) strongest() float64 {
	s, most := c.newState(), 0.0
	for j := range c.p {
		most = max(most, math.Abs(c.dot(s, j)))
	}
	return most
}

// elastic is the penalty l₁·‖w‖₁ + ½l₂·‖w‖², added to half the sum of squares.
type elastic struct{ l1, l2 float64 }

// descend moves s to the minimum by coordinate descent until the duality gap is at most
// tol·½‖target‖². After every sweep it calls step with the objective and the largest move.
// Coefficients that the gap proves to be zero at the minimum are left out of further sweeps.
func (c *columns) descend(s *fitState, e elastic, tol float64, maxIter int, step func(k int, primal, moved float64) error) (converged bool, err error) {
	var alive []int
	for j, v := range c.norm {
		if v > 0 {
			alive = append(alive, j)
		}
	}
	correlation := make([]float64, c.p)
	for k := 1; k <= maxIter; k++ {
		moved := 0.0
		for _, j := range alive {
			old := s.w[j]
			now := optim.SoftThreshold(c.dot(s, j)+c.norm[j]*old, e.l1) / (c.norm[j] + e.l2)
			if now != old {
				c.move(s, j, now-old)
				s.w[j] = now
				moved = max(moved, math.Abs(now-old))
			}
		}
		gap, primal, scale := c.gap(s, e, alive, correlation)
		if err := step(k, primal, moved); err != nil {
			return false, err
		}
		if gap <= tol*c.size/2 {
			return true, nil
		}
		radius := math.Sqrt(2*max(gap, 0)) / e.l1
		alive = slices.DeleteFunc(alive, func(j int) bool {
			out := math.Abs(correlation[j])*scale/e.l1+radius*math.Sqrt(c.norm[j]+e.l2) < 1
			if out && s.w[j] != 0 {
				c.move(s, j, -s.w[j])
				s.w[j] = 0
			}
			return out
		})
	}
	return false, nil
}

// gap returns an upper bound on the distance of the objective (times n) from its minimum. The bound
// comes from the dual point that is the residual multiplied by scale.
func (c *columns) gap(s *fitState, e elastic, alive []int, correlation []float64) (gap, primal, scale float64) {
	worst := 0.0
	for _, j := range alive {
		correlation[j] = c.dot(s, j) - e.l2*s.w[j]
		worst = max(worst, math.Abs(correlation[j]))
	}
	res := c.residual(s)
	r2, wn := floats.Dot(res, res), floats.Dot(s.w, s.w)
	primal = r2/2 + e.l1*floats.Norm(s.w, 1) + e.l2/2*wn
	scale = 1.0
	if worst > e.l1 {
		scale = e.l1 / worst
	}
	dual := scale*floats.Dot(res, c.target) - scale*scale*r2/2 - e.l2/2*scale*scale*wn
	return primal - dual, primal, scale
}

// intercept returns the intercept for the coefficients.
func (c *columns) intercept(w []float64) float64 { return c.my - floats.Dot(c.mean, w) }
