package nn

import (
	"math"
	"slices"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Activation is a transfer function: it computes the output of a unit from its net input.
//
//	o = f(net),   net = Σᵢ wᵢ·xᵢ + b
//
// Most derivatives can be computed from the output alone, which makes backpropagation cheap: o(1−o)
// for the sigmoid, 1−o² for tanh. The derivative of a threshold is 0 almost everywhere, so
// gradients cannot pass through it. A stack of linear layers is equivalent to one linear layer.
//
// References: [RumelhartHintonWilliams1986], [ClevertUnterthinerHochreiter2016],
// [HendrycksGimpel2016]. Course: NET-01, NET-02, NET-03, NET-28.
type Activation string

// The available transfer functions.
const (
	SigmoidUnits   Activation = "sigmoid"    // 1/(1+e⁻ᶻ)
	TanhUnits      Activation = "tanh"       // (eᶻ−e⁻ᶻ)/(eᶻ+e⁻ᶻ) = 2σ(2z)−1
	ReLU           Activation = "relu"       // max(0, z)
	LeakyReLU      Activation = "leaky relu" // z, or 0.01·z where it is negative
	ELU            Activation = "elu"        // z, or eᶻ−1 where it is negative
	GELU           Activation = "gelu"       // z·Φ(z), with the standard normal CDF Φ
	SoftplusUnits  Activation = "softplus"   // ln(1+eᶻ)
	LinearUnits    Activation = "linear"     // z
	ThresholdUnits Activation = "threshold"  // +1 for z ≥ 0, else −1
	SoftmaxUnits   Activation = "softmax"    // eᶻ over its sum in the layer
)

var activations = []Activation{SigmoidUnits, TanhUnits, ReLU, LeakyReLU, ELU, GELU, SoftplusUnits, LinearUnits, ThresholdUnits, SoftmaxUnits}

func (f Activation) err(op string) error {
	if !slices.Contains(activations, f) {
		return model.Errorf(op, "Activation must be one of %q, got %q", activations, string(f))
	}
	return nil
}

func (f Activation) check(op string) {
	if err := f.err(op); err != nil {
		panic(err)
	}
}

// or returns f, or another if none is set.
func (f Activation) or(usual Activation) Activation {
	if f == "" {
		return usual
	}
	return f
}

const leak = 0.01

// Value is f(z). It panics for the softmax, which needs the outputs of the whole layer.
func (f Activation) Value(z float64) float64 {
	switch f {
	case SigmoidUnits:
		return sigmoid(z)
	case TanhUnits:
		return math.Tanh(z)
	case ReLU:
		return max(0, z)
	case LeakyReLU:
		if z < 0 {
			return leak * z
		}
		return z
	case ELU:
		if z < 0 {
			return math.Expm1(z)
		}
		return z
	case GELU:
		return z * math.Erfc(-z/math.Sqrt2) / 2
	case SoftplusUnits:
		return softplus(z)
	case LinearUnits:
		return z
	case ThresholdUnits:
		if z >= 0 {
			return 1
		}
		return -1
	case SoftmaxUnits:
		panic(model.Errorf("Activation.Value", "the activation must be a function of one unit, got softmax").WithHint("use ml.Softmax or Var.Softmax"))
	}
	f.check("Activation.Value")
	return 0
}

// Slope returns f′(z), where f(z) = a. At a kink, it returns the derivative from the left.
func (f Activation) Slope(z, a float64) float64 {
	switch f {
	case SigmoidUnits:
		return a * (1 - a)
	case TanhUnits:
		return 1 - a*a
	case ReLU:
		if z > 0 {
			return 1
		}
		return 0
	case LeakyReLU:
		if z > 0 {
			return 1
		}
		return leak
	case ELU:
		if z > 0 {
			return 1
		}
		return a + 1
	case GELU:
		return math.Erfc(-z/math.Sqrt2)/2 + z*math.Exp(-z*z/2)/math.Sqrt(2*math.Pi)
	case SoftplusUnits:
		return sigmoid(z)
	case LinearUnits:
		return 1
	case ThresholdUnits:
		return 0
	case SoftmaxUnits:
		panic(model.Errorf("Activation.Slope", "the activation must be a function of one unit, got softmax").WithHint("use Var.Softmax"))
	}
	f.check("Activation.Slope")
	return 0
}

// apply writes f(z) into a. z consists of rows of cols numbers.
func (f Activation) apply(a, z []float64, cols int) {
	switch f {
	case LinearUnits:
		copy(a, z)
	case ReLU:
		for i, v := range z {
			a[i] = max(0, v)
		}
	case SigmoidUnits:
		copy(a, z)
		sigmoids(a)
	case SoftmaxUnits:
		copy(a, z)
		for at := 0; at < len(a); at += cols {
			softmax(a[at : at+cols])
		}
	default:
		for i, v := range z {
			a[i] = f.Value(v)
		}
	}
}

// applyBack computes the gradient with respect to z from the gradient with respect to a, and writes
// it into dz.
func (f Activation) applyBack(dz, z, a, da []float64, cols int) {
	switch f {
	case LinearUnits:
		copy(dz, da)
	case ReLU:
		for i, v := range z {
			// The mask has all bits set where v > 0: signs are random, and branches on them are
			// slow.
			b := int64(math.Float64bits(v))
			dz[i] = math.Float64frombits(math.Float64bits(da[i]) & uint64((-b>>63)&^(b>>63)))
		}
	case SoftmaxUnits:
		clear(dz)
		for at := 0; at < len(a); at += cols {
			softmaxBack(dz[at:at+cols], a[at:at+cols], da[at:at+cols])
		}
	default:
		for i, v := range z {
			dz[i] = da[i] * f.Slope(v, a[i])
		}
	}
}

func sigmoid(z float64) float64 {
	if z >= 0 {
		return 1 / (1 + math.Exp(-z))
	}
	e := math.Exp(z)
	return e / (1 + e)
}

// sigmoids replaces each z by sigmoid(z), several at a time. NaN stays NaN.
func sigmoids(z []float64) {
	var e [64]float64
	for at := 0; at < len(z); at += len(e) {
		part := z[at:min(at+len(e), len(z))]
		for j, v := range part {
			e[j] = min(-v, 709)
		}
		linalg.Exp(e[:len(part)])
		for j, v := range part {
			if v == v {
				part[j] = 1 / (1 + e[j])
			}
		}
	}
}

// softplus is ln(1 + eᶻ) without overflow.
func softplus(z float64) float64 {
	if z > 0 {
		return z + math.Log1p(math.Exp(-z))
	}
	return math.Log1p(math.Exp(z))
}

// softmax replaces v by e^v over its sum.
func softmax(v []float64) {
	top, sum := slices.Max(v), 0.0
	for i, x := range v {
		v[i] = math.Exp(x - top)
		sum += v[i]
	}
	for i := range v {
		v[i] /= sum
	}
}

// softmaxBack adds the gradient with respect to the scores to dst, given the probabilities p and
// their gradient g: pⱼ(gⱼ − Σₖ pₖgₖ).
func softmaxBack(dst, p, g []float64) {
	mean := 0.0
	for j, v := range p {
		mean += v * g[j]
	}
	for j, v := range p {
		dst[j] += v * (g[j] - mean)
	}
}
