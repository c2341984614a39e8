package prep

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// PowerTransformer maps each column by a power, so that it looks as normal as it can,
// and standardizes it.
//
//	ψ(x, λ) = ((x+1)^λ − 1)/λ  for x ≥ 0,   −((1−x)^(2−λ) − 1)/(2−λ)  for x < 0
//
// is the power of Yeo and Johnson (log(x+1) for λ = 0, −log(1−x) for λ = 2); that of Box
// and Cox, (x^λ − 1)/λ, is for positive values only. λ maximizes the likelihood that
// ψ(x, λ) is normal:
//
//	ℓ(λ) = −(n/2)·log Var ψ(x, λ) + (λ − 1)·Σᵢ sign(xᵢ)·log(|xᵢ| + 1)
//
// found by golden section. A constant column keeps the power 1.
//
// Cost: some 60 passes over each column.
//
// References: [BoxCox1964], [YeoJohnson2000].
// Course: CORE-15, CORE-19.
type PowerTransformer struct {
	BoxCox    bool // the power of Box and Cox, not that of Yeo and Johnson
	KeepScale bool // leave the powers as they are, without standardizing

	// Powers has λ of each column, Mean and SD those of its powers. Set by Fit.
	Powers, Mean, SD []float64
}

// power gives ψ(v, λ).
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

// likelihood is ℓ(λ) for the values of a column; slope is Σ sign(x)·log(|x| + 1).
func (p *PowerTransformer) likelihood(values, powers []float64, slope, lambda float64) float64 {
	for i, v := range values {
		powers[i] = p.power(v, lambda)
	}
	_, variance := stat.PopMeanVariance(powers, nil)
	if l := -float64(len(values))/2*math.Log(variance) + (lambda-1)*slope; !math.IsNaN(l) && !math.IsInf(variance, 0) {
		return l
	}
	return math.Inf(-1)
}

// best gives the λ of the largest likelihood.
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
	// The peak lies between low and high when the middle is above both.
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
	p.Powers, p.Mean, p.SD = nil, nil, nil
	d, err := model.CheckX(op, x)
	if err != nil {
		return err
	}
	n, cols := d.Dims()
	if p.BoxCox {
		for i := range n {
			for j, v := range d.RawRowView(i) {
				if v <= 0 {
					return model.Errorf(op, "x[%d][%d] is %v", i, j, v).WithHint("the power of Box and Cox needs positive values: leave BoxCox out")
				}
			}
		}
	}
	powers, mean, sd := make([]float64, cols), make([]float64, cols), make([]float64, cols)
	par.Range(cols, 1, func(lo, hi int) {
		for j := lo; j < hi; j++ {
			values := sortedColumn(d, j) // the sums do not depend on the order of the rows
			if powers[j] = 1; values[0] < values[n-1] {
				powers[j] = p.best(values)
			}
			for i, v := range values {
				values[i] = p.power(v, powers[j])
			}
			mean[j], sd[j] = stat.PopMeanStdDev(values, nil)
			if constant(mean[j], sd[j]) {
				sd[j] = 0
			}
		}
	})
	p.Powers, p.Mean, p.SD = powers, mean, sd
	return nil
}

// Transform gives the powers, standardized unless KeepScale is set. With BoxCox values
// that are not positive are an error.
func (p *PowerTransformer) Transform(x mat.Matrix) *model.Table {
	const op = "PowerTransformer.Transform"
	if p.Powers == nil {
		panic(model.NotFitted(op))
	}
	return model.LikeNumbers(x, eachRow(model.MustRows(op, x, len(p.Powers)), len(p.Powers), func(in, out []float64) {
		for j, v := range in {
			if p.BoxCox && v <= 0 {
				panic(model.Errorf(op, "column %d has %v", j, v).WithHint("the power of Box and Cox needs positive values"))
			}
			z := p.power(v, p.Powers[j])
			if !p.KeepScale {
				z -= p.Mean[j]
				if p.SD[j] > 0 {
					z /= p.SD[j]
				}
			}
			out[j] = z
		}
	}))
}
