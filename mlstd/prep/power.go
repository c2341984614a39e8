package prep

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// PowerTransformer applies a power transform to each column to make its distribution as close to
// normal as possible, and then standardizes it.
//
//	ψ(x, λ) = ((x+1)^λ − 1)/λ  for x ≥ 0,   −((1−x)^(2−λ) − 1)/(2−λ)  for x < 0
//
// is the Yeo-Johnson transform (log(x+1) for λ = 0, −log(1−x) for λ = 2); the Box-Cox transform,
// (x^λ − 1)/λ, requires positive values. λ maximizes the log-likelihood of x if ψ(x, λ) is normal:
//
//	ℓ(λ) = −(n/2)·log Var ψ(x, λ) + (λ − 1)·Σᵢ sign(xᵢ)·log(|xᵢ| + 1)
//
// A golden-section search finds the maximum. A constant column gets the power 1. For a negative λ,
// the powers of large values differ only in their last digits, so these powers are computed from
// logarithms.
//
// Cost: about 60 passes over each column.
//
// References: [BoxCox1964], [YeoJohnson2000].
// Course: CORE-15, CORE-19.
type PowerTransformer struct {
	BoxCox    bool // the power of Box and Cox, not that of Yeo and Johnson
	KeepScale bool // do not standardize the powers

	// Powers holds λ for each column. Mean and SD hold the mean and standard deviation of the
	// transformed values. Set by Fit.
	Powers, Mean, SD []float64

	spreads []powerSpread `snapshot:"added"` // of each column; nil in models of old files

	model.Fitted // set by Fit: the columns that it was given
}

// power returns ψ(v, λ).
func (p *PowerTransformer) power(v, lambda float64) float64 {
	sign := 1.0
	switch {
	case p.BoxCox:
		v-- // (v+1)^λ is the power of v
	case v < 0:
		sign, v, lambda = -1, -v, 2-lambda
	}
	l := math.Log1p(v)
	if p.BoxCox {
		l = math.Log(v + 1)
	}
	if lambda == 0 {
		return sign * l
	}
	return sign * math.Expm1(lambda*l) / lambda
}

// powerSpread describes the distribution of a column's powers: their mean, which is ψ(m, λ), and
// the logarithm of their standard deviation.
//
// The powers of large values with a negative λ all equal −1/λ except for a few digits, and in
// extreme cases in every digit. If all values have the same sign, it is therefore computed from
//
//	ψ(x, λ) − ψ(m, λ) = e^(λ·l(m))·(e^(λ·(l(x) − l(m))) − 1)/λ,   l(x) = log(|x| + 1)
//
// which avoids cancellation.
type powerSpread struct {
	same     bool    // all values have the same sign
	negative bool    // that sign
	middle   float64 // l(m)
	mean     float64 // of the powers
	log      float64 // of the standard deviation; −∞ for a constant, NaN where it cannot be represented
}

// logOf returns l(v) and the λ that belongs to the sign of v.
func (p *PowerTransformer) logOf(v, lambda float64) (l, power, sign float64) {
	switch {
	case p.BoxCox:
		return math.Log(v), lambda, 1
	case v < 0:
		return math.Log1p(-v), 2 - lambda, -1
	}
	return math.Log1p(v), lambda, 1
}

// spread computes the powers of a sorted column; buffer has its length.
func (p *PowerTransformer) spread(values, buffer []float64, lambda float64) powerSpread {
	s := powerSpread{same: p.BoxCox || values[0] >= 0 || values[len(values)-1] < 0, negative: values[len(values)-1] < 0}
	if !s.same {
		for i, v := range values {
			buffer[i] = p.power(v, lambda)
		}
		mean, sd := stat.PopMeanStdDev(buffer, nil)
		s.mean, s.log = mean, math.Log(sd)
		if constant(mean, sd) {
			s.log = math.Inf(-1)
		}
		if math.IsInf(sd, 0) {
			s.log = math.NaN()
		}
		return s
	}
	// The powers relative to the largest of the e^(λ·l), minus 1.
	first, power, sign := p.logOf(values[0], lambda)
	last, _, _ := p.logOf(values[len(values)-1], lambda)
	top := first
	if power*last > power*first {
		top = last
	}
	for i, v := range values {
		l, _, _ := p.logOf(v, lambda)
		if buffer[i] = math.Expm1(power * (l - top)); power == 0 {
			buffer[i] = l - top
		}
	}
	mean, sd := stat.PopMeanStdDev(buffer, nil)
	if power == 0 {
		s.middle, s.log = top+mean, math.Log(sd)
	} else {
		s.middle, s.log = top+math.Log1p(mean)/power, power*top+math.Log(sd/math.Abs(power))
	}
	s.mean = sign * expm1Over(power*s.middle, power, s.middle)
	return s
}

// expm1Over returns (eᵘ − 1)/λ for u = λ·l, which is l for λ = 0.
func expm1Over(u, lambda, l float64) float64 {
	if lambda == 0 {
		return l
	}
	return math.Expm1(u) / lambda
}

// standard returns (ψ(v, λ) − mean)/sd.
func (p *PowerTransformer) standard(v float64, j int) float64 {
	l, power, sign := p.logOf(v, p.Powers[j])
	if p.spreads != nil && p.spreads[j].same && p.spreads[j].negative == (v < 0) {
		s := p.spreads[j]
		size := power * s.middle
		if p.SD[j] > 0 {
			size -= s.log
		}
		return sign * math.Exp(size) * expm1Over(power*(l-s.middle), power, l-s.middle)
	}
	z := p.power(v, p.Powers[j]) - p.Mean[j]
	if p.SD[j] > 0 {
		z /= p.SD[j]
	}
	return z
}

// likelihood is ℓ(λ) for the values of a column; slope is Σ sign(x)·log(|x| + 1).
func (p *PowerTransformer) likelihood(values, buffer []float64, slope, lambda float64) float64 {
	s := p.spread(values, buffer, lambda)
	if l := (lambda-1)*slope - float64(len(values))*s.log; !math.IsNaN(l) && !math.IsInf(s.log, 0) {
		return l
	}
	return math.Inf(-1)
}

// best returns the λ that maximizes the likelihood.
func (p *PowerTransformer) best(values []float64) float64 {
	slope := 0.0
	for _, v := range values {
		switch {
		case p.BoxCox:
			slope += math.Log(v)
		case v >= 0:
			slope += math.Log1p(v)
		default:
			slope -= math.Log1p(-v)
		}
	}
	powers := make([]float64, len(values))
	f := func(lambda float64) float64 { return p.likelihood(values, powers, slope, lambda) }
	// The maximum lies between low and high if the middle is above both.
	low, middle, high := -2.0, 0.0, 2.0
	fl, fm, fh := f(low), f(middle), f(high)
	for step := 4.0; (fl > fm || fh > fm) && step < 1e3; step *= 2 {
		if fl > fm {
			middle, fm, high, fh = low, fl, middle, fm
			low -= step
			fl = f(low)
		} else {
			low, fl, middle, fm = middle, fm, high, fh
			high += step
			fh = f(high)
		}
	}
	golden := (math.Sqrt(5) - 1) / 2
	a, b := high-golden*(high-low), low+golden*(high-low)
	fa, fb := f(a), f(b)
	for high-low > 1e-9*max(1, math.Abs(low)) {
		if fa >= fb {
			high, b, fb = b, a, fa
			a = high - golden*(high-low)
			fa = f(a)
		} else {
			low, a, fa = a, b, fb
			b = low + golden*(high-low)
			fb = f(b)
		}
	}
	return low + (high-low)/2
}

// Fit finds the power of each column of x.
func (p *PowerTransformer) Fit(x mat.Matrix) error {
	const op = "PowerTransformer.Fit"
	model.NoteX(&p.Fitted, x)
	p.Powers, p.Mean, p.SD, p.spreads = nil, nil, nil, nil
	d, err := model.CheckX(op, x)
	if err != nil {
		return err
	}
	n, cols := d.Dims()
	if p.BoxCox {
		for i := range n {
			for j, v := range d.RawRowView(i) {
				if v <= 0 {
					return model.Errorf(op, "x[%d][%d] must be positive for BoxCox, got %v", i, j, v).WithHint("leave BoxCox out")
				}
			}
		}
	}
	powers, mean, sd, spreads := make([]float64, cols), make([]float64, cols), make([]float64, cols), make([]powerSpread, cols)
	par.Range(cols, 1, func(lo, hi int) {
		buffer := make([]float64, n)
		for j := lo; j < hi; j++ {
			values := sortedColumn(d, j) // the sums do not depend on the order of the rows
			varies := !constant(stat.PopMeanStdDev(values, nil))
			if powers[j] = 1; varies {
				powers[j] = p.best(values)
			}
			spreads[j] = p.spread(values, buffer, powers[j])
			if mean[j] = spreads[j].mean; varies {
				sd[j] = math.Exp(spreads[j].log)
			}
		}
	})
	for j := range cols {
		if math.IsNaN(mean[j]+sd[j]) || math.IsInf(mean[j]+sd[j], 0) {
			return model.Errorf(op, "the powers of column %d overflowed", j).WithHint("scale the column first")
		}
	}
	p.Powers, p.Mean, p.SD, p.spreads = powers, mean, sd, spreads
	return nil
}

// Transform returns the powers, standardized unless KeepScale is set. With BoxCox, it requires
// positive values.
func (p *PowerTransformer) Transform(x mat.Matrix) *model.Table {
	const op = "PowerTransformer.Transform"
	x = model.MustRead(op, &p.Fitted, x)
	if p.Powers == nil {
		panic(model.NotFitted(op))
	}
	return model.LikeNumbers(x, eachRow(model.MustRows(op, x, len(p.Powers)), len(p.Powers), func(in, out []float64) {
		for j, v := range in {
			if p.BoxCox && v <= 0 {
				panic(model.Errorf(op, "column %d must be positive for BoxCox, got %v", j, v))
			}
			if out[j] = p.power(v, p.Powers[j]); !p.KeepScale {
				out[j] = p.standard(v, j)
			}
		}
	}))
}
