package kernel

import (
	"fmt"
	"math"

	"github.com/gokernel/gokernel/mlstd/model"
)

// TunableKernel is a Kernel whose parameters [GaussianProcess] can fit. Sums, products
// and multiples of kernels are tunable in the parameters of their parts.
type TunableKernel interface {
	Kernel
	// Parameters returns the values of the parameters, all positive.
	Parameters() []float64
	// WithParameters returns the kernel with other values.
	WithParameters(p []float64) Kernel
	// EvalSlopes returns K(a, b), and writes its derivative with respect to the logarithm of each
	// parameter into slopes.
	EvalSlopes(a, b, slopes []float64) float64
}

// parametersOf returns the parameters of a kernel, none of one that is not tunable.
func parametersOf(k Kernel) []float64 {
	if t, ok := k.(TunableKernel); ok {
		return t.Parameters()
	}
	return nil
}

func withParameters(k Kernel, p []float64) Kernel {
	if t, ok := k.(TunableKernel); ok {
		return t.WithParameters(p)
	}
	return k
}

func evalSlopes(k Kernel, a, b, slopes []float64) float64 {
	if t, ok := k.(TunableKernel); ok {
		return t.EvalSlopes(a, b, slopes)
	}
	return k.Eval(a, b)
}

func positive(what string, v float64) error {
	if !(v > 0) || math.IsInf(v, 0) {
		return fmt.Errorf("%s must be positive, got %v", what, v)
	}
	return nil
}

// LengthKernel is the Gaussian kernel with a separate length scale for each column (automatic
// relevance determination). A large length means that the column matters little.
//
//	K(a, b) = exp(−½·Σⱼ ((aⱼ − bⱼ)/ℓⱼ)²)
//
// With one length for all columns it is RBF(1/(2ℓ²)).
//
// References: [RasmussenWilliams2006] §5.1. Course: KER-13, KER-32.
type LengthKernel []float64

func (k LengthKernel) check() error {
	for j, l := range k {
		if err := positive(fmt.Sprintf("length %d of the kernel", j), l); err != nil {
			return err
		}
	}
	return nil
}

// Eval returns K(a, b).
func (k LengthKernel) Eval(a, b []float64) float64 { return k.EvalSlopes(a, b, nil) }

// Parameters returns the lengths.
func (k LengthKernel) Parameters() []float64 { return k }

// WithParameters returns the kernel with other lengths.
func (k LengthKernel) WithParameters(p []float64) Kernel { return append(LengthKernel{}, p...) }

// EvalSlopes returns K(a, b), and K·((aⱼ − bⱼ)/ℓⱼ)² as the derivatives.
func (k LengthKernel) EvalSlopes(a, b, slopes []float64) float64 {
	sameLength("LengthKernel", a, b)
	if len(k) != len(a) {
		panic(model.Errorf("LengthKernel", "the kernel must have %d lengths (one per column), got %d", len(a), len(k)))
	}
	s := 0.0
	for j, l := range k {
		d := (a[j] - b[j]) / l
		s += d * d
		if slopes != nil {
			slopes[j] = d * d
		}
	}
	v := math.Exp(-s / 2)
	for j := range slopes {
		slopes[j] *= v
	}
	return v
}

// MaternKernel is the Matérn kernel, for functions that are less smooth than the functions that
// suit the Gaussian kernel. With d = ‖a − b‖/Length, it is
//
//	ν = ½:    exp(−d)                         continuous
//	ν = 3/2:  (1 + √3·d)·exp(−√3·d)           differentiable once
//	ν = 5/2:  (1 + √5·d + 5d²/3)·exp(−√5·d)   twice
//
// References: [RasmussenWilliams2006] §4.2. Course: KER-13, KER-32.
type MaternKernel struct {
	Nu     float64 // 0.5, 1.5 or 2.5; 0 means 1.5
	Length float64 // 0 means 1
}

func (k MaternKernel) check() error {
	switch k.Nu {
	case 0, 0.5, 1.5, 2.5:
		return positive("Length of the Matérn kernel", orOne(k.Length))
	}
	return fmt.Errorf("ν of the Matérn kernel must be 0.5, 1.5 or 2.5, got %v", k.Nu)
}

// Eval returns K(a, b).
func (k MaternKernel) Eval(a, b []float64) float64 { return k.EvalSlopes(a, b, nil) }

// Parameters returns the length.
func (k MaternKernel) Parameters() []float64 { return []float64{orOne(k.Length)} }

// WithParameters returns the kernel with another length.
func (k MaternKernel) WithParameters(p []float64) Kernel { return MaternKernel{k.Nu, p[0]} }

// EvalSlopes returns K(a, b) and its derivative with respect to the logarithm of the length.
func (k MaternKernel) EvalSlopes(a, b, slopes []float64) float64 {
	d := math.Sqrt(squaredDistance("MaternKernel", a, b)) / orOne(k.Length)
	value, slope := 0.0, 0.0
	switch k.Nu {
	case 0.5:
		value = math.Exp(-d)
		slope = d * value
	case 2.5:
		s := math.Sqrt(5) * d
		e := math.Exp(-s)
		value, slope = (1+s+s*s/3)*e, s*s*(1+s)/3*e
	default:
		s := math.Sqrt(3) * d
		e := math.Exp(-s)
		value, slope = (1+s)*e, s*s*e
	}
	if slopes != nil {
		slopes[0] = slope
	}
	return value
}

// RationalQuadraticKernel is a mixture of Gaussian kernels of many lengths; for a large Alpha, it
// approaches the Gaussian kernel with the length scale Length.
//
//	K(a, b) = (1 + ‖a − b‖²/(2·Alpha·Length²))^(−Alpha)
//
// References: [RasmussenWilliams2006] §4.2. Course: KER-13, KER-32.
type RationalQuadraticKernel struct {
	Length float64 // 0 means 1
	Alpha  float64 // 0 means 1
}

func (k RationalQuadraticKernel) check() error {
	if err := positive("Alpha of the rational quadratic kernel", orOne(k.Alpha)); err != nil {
		return err
	}
	return positive("Length of the rational quadratic kernel", orOne(k.Length))
}

// Eval returns K(a, b).
func (k RationalQuadraticKernel) Eval(a, b []float64) float64 { return k.EvalSlopes(a, b, nil) }

// Parameters returns Length and Alpha.
func (k RationalQuadraticKernel) Parameters() []float64 {
	return []float64{orOne(k.Length), orOne(k.Alpha)}
}

// WithParameters returns the kernel with another Length and Alpha.
func (k RationalQuadraticKernel) WithParameters(p []float64) Kernel {
	return RationalQuadraticKernel{p[0], p[1]}
}

// EvalSlopes returns K(a, b) and its derivatives with respect to the logarithms of Length and
// Alpha.
func (k RationalQuadraticKernel) EvalSlopes(a, b, slopes []float64) float64 {
	length, alpha := orOne(k.Length), orOne(k.Alpha)
	u := squaredDistance("RationalQuadraticKernel", a, b) / (2 * alpha * length * length)
	log := math.Log1p(u)
	value := math.Exp(-alpha * log)
	if slopes != nil {
		slopes[0] = 2 * alpha * u * value / (1 + u)
		slopes[1] = alpha * value * (u/(1+u) - log)
	}
	return value
}

// PeriodicKernel is a kernel for periodic functions with the period Period.
//
//	K(a, b) = exp(−2·sin²(π‖a − b‖/Period)/Length²)
//
// References: [RasmussenWilliams2006] §4.2. Course: KER-13, KER-32.
type PeriodicKernel struct {
	Length float64 // 0 means 1
	Period float64 // 0 means 1
}

func (k PeriodicKernel) check() error {
	if err := positive("Period of the periodic kernel", orOne(k.Period)); err != nil {
		return err
	}
	return positive("Length of the periodic kernel", orOne(k.Length))
}

// Eval returns K(a, b).
func (k PeriodicKernel) Eval(a, b []float64) float64 { return k.EvalSlopes(a, b, nil) }

// Parameters returns Length and Period.
func (k PeriodicKernel) Parameters() []float64 { return []float64{orOne(k.Length), orOne(k.Period)} }

// WithParameters returns the kernel with another Length and Period.
func (k PeriodicKernel) WithParameters(p []float64) Kernel { return PeriodicKernel{p[0], p[1]} }

// EvalSlopes returns K(a, b) and its derivatives with respect to the logarithms of Length and
// Period.
func (k PeriodicKernel) EvalSlopes(a, b, slopes []float64) float64 {
	length, period := orOne(k.Length), orOne(k.Period)
	angle := math.Pi * math.Sqrt(squaredDistance("PeriodicKernel", a, b)) / period
	sin, cos := math.Sincos(angle)
	value := math.Exp(-2 * sin * sin / (length * length))
	if slopes != nil {
		slopes[0] = value * 4 * sin * sin / (length * length)
		slopes[1] = value * 4 * angle * sin * cos / (length * length)
	}
	return value
}

// Parameters returns γ.
func (k RBF) Parameters() []float64 { return []float64{float64(k)} }

// WithParameters returns the kernel with another γ.
func (k RBF) WithParameters(p []float64) Kernel { return RBF(p[0]) }

// EvalSlopes returns K(a, b) and its derivative with respect to log γ.
func (k RBF) EvalSlopes(a, b, slopes []float64) float64 {
	d := float64(k) * squaredDistance("RBF", a, b)
	v := math.Exp(-d)
	if slopes != nil {
		slopes[0] = -d * v
	}
	return v
}

// Parameters returns Factor and the parameters of K.
func (k ScaledKernel) Parameters() []float64 {
	return append([]float64{k.Factor}, parametersOf(k.K)...)
}

// WithParameters returns the kernel with another Factor and other parameters of K.
func (k ScaledKernel) WithParameters(p []float64) Kernel {
	return ScaledKernel{p[0], withParameters(k.K, p[1:])}
}

// EvalSlopes returns K(a, b) and its derivatives with respect to the logarithms of the parameters.
func (k ScaledKernel) EvalSlopes(a, b, slopes []float64) float64 {
	if slopes == nil {
		return k.Eval(a, b)
	}
	v := k.Factor * evalSlopes(k.K, a, b, slopes[1:])
	slopes[0] = v
	for j := range slopes[1:] {
		slopes[1+j] *= k.Factor
	}
	return v
}

// partsOf returns the parameters of all parts in a row.
func partsOf(parts []Kernel) []float64 {
	var p []float64
	for _, k := range parts {
		p = append(p, parametersOf(k)...)
	}
	return p
}

// withParts returns the parts with parameters from p.
func withParts(parts []Kernel, p []float64) []Kernel {
	var out []Kernel
	for _, k := range parts {
		n := len(parametersOf(k))
		out = append(out, withParameters(k, p[:n]))
		p = p[n:]
	}
	return out
}

// Parameters returns the parameters of all parts.
func (k SumKernel) Parameters() []float64 { return partsOf(k) }

// WithParameters returns the sum with other parameters.
func (k SumKernel) WithParameters(p []float64) Kernel { return SumKernel(withParts(k, p)) }

// EvalSlopes returns K(a, b) and its derivatives with respect to the logarithms of the parameters.
func (k SumKernel) EvalSlopes(a, b, slopes []float64) float64 {
	if slopes == nil {
		return k.Eval(a, b)
	}
	s := 0.0
	for _, part := range k {
		n := len(parametersOf(part))
		s += evalSlopes(part, a, b, slopes[:n:n])
		slopes = slopes[n:]
	}
	return s
}

// Parameters returns the parameters of all parts.
func (k ProductKernel) Parameters() []float64 { return partsOf(k) }

// WithParameters returns the product with other parameters.
func (k ProductKernel) WithParameters(p []float64) Kernel { return ProductKernel(withParts(k, p)) }

// EvalSlopes returns K(a, b) and its derivatives with respect to the logarithms of the parameters.
func (k ProductKernel) EvalSlopes(a, b, slopes []float64) float64 {
	if slopes == nil {
		return k.Eval(a, b)
	}
	product, done := 1.0, 0
	for _, part := range k {
		n := len(parametersOf(part))
		v := evalSlopes(part, a, b, slopes[done:done+n:done+n])
		for j := range slopes[:done+n] {
			if j < done {
				slopes[j] *= v
			} else {
				slopes[j] *= product
			}
		}
		product, done = product*v, done+n
	}
	return product
}
