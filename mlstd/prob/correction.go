package prob

import (
	"math"

	"github.com/gokernel/gokernel/mlstd/model"
)

// EntropyEstimator is a method of estimating an entropy from the counts of a sample.
type EntropyEstimator int

const (
	// PlugIn is the entropy of the fractions nₖ/n. The estimate is too small on average, by about
	// (m−1)/2n nats for m outcomes.
	PlugIn EntropyEstimator = iota
	// MillerMadow corrects this bias: it adds (m−1)/2n nats, where m is the number of outcomes
	// seen.
	MillerMadow
	// JackknifeEntropy is n·H − (n−1)/n·Σₖ nₖ·H₋ₖ, where H₋ₖ is the plug-in entropy
	// without one example of outcome k.
	JackknifeEntropy
	// ChaoShen divides the term of each outcome seen by the probability of seeing the outcome, and
	// scales the fractions by the estimated coverage 1 − f₁/n, where f₁ is the number of outcomes
	// seen once.
	ChaoShen
	// ShrinkageEntropy is the entropy of the fractions after James-Stein shrinkage toward the
	// uniform distribution over all outcomes listed.
	ShrinkageEntropy
)

// String returns the name of the estimator.
func (e EntropyEstimator) String() string {
	names := []string{"plug-in", "Miller-Madow", "jackknife", "Chao-Shen", "shrinkage"}
	if e < 0 || int(e) >= len(names) {
		return "unknown"
	}
	return names[e]
}

// EstimateEntropy estimates the entropy of a distribution from the counts of a sample.
//
// The entropy of the observed fractions is biased downward, strongly so with many outcomes and few
// examples. The [EntropyEstimator] selects the method that corrects this bias. Only
// [ShrinkageEntropy] uses counts of zero.
//
// References: [Miller1955], [ChaoShen2003], [HausserStrimmer2009]. Course: PROB-01.
func EstimateEntropy(counts []float64, by EntropyEstimator, in ...Unit) float64 {
	const op = "EstimateEntropy"
	n := total(op, counts)
	u := unitOf(in)
	h := plugIn(counts, n)
	switch by {
	case PlugIn:
	case MillerMadow:
		seen := 0
		for _, c := range counts {
			if c > 0 {
				seen++
			}
		}
		h += float64(seen-1) / (2 * n)
	case JackknifeEntropy:
		h = jackknife(counts, n, h)
	case ChaoShen:
		h = chaoShen(counts, n)
	case ShrinkageEntropy:
		h = plugIn(shrunk(counts, n), 1)
	default:
		panic(model.Errorf(op, "the estimator must be one of the constants of ml.EntropyEstimator, got %d", by))
	}
	return u.of(h)
}

func plugIn(counts []float64, n float64) float64 {
	h := 0.0
	for _, c := range counts {
		if c > 0 {
			h -= c / n * math.Log(c/n)
		}
	}
	return h
}

func jackknife(counts []float64, n, h float64) float64 {
	if n <= 1 {
		return h
	}
	mean := 0.0
	for k, c := range counts {
		if c < 1 {
			continue
		}
		rest := 0.0
		for j, v := range counts {
			if j == k {
				v--
			}
			if v > 0 {
				rest -= v / (n - 1) * math.Log(v/(n-1))
			}
		}
		mean += c / n * rest
	}
	return n*h - (n-1)*mean
}

func chaoShen(counts []float64, n float64) float64 {
	once := 0.0
	for _, c := range counts {
		if c == 1 {
			once++
		}
	}
	if once == n {
		once = n - 1 // else the coverage is zero
	}
	coverage := 1 - once/n
	h := 0.0
	for _, c := range counts {
		if c > 0 {
			p := coverage * c / n
			h -= p * math.Log(p) / (1 - math.Pow(1-p, n))
		}
	}
	return h
}

// shrunk returns λ/K + (1−λ)·nₖ/n, with λ = (1 − Σ p²) / ((n−1)·Σ (1/K − p)²).
func shrunk(counts []float64, n float64) []float64 {
	uniform := 1 / float64(len(counts))
	squares, distance := 0.0, 0.0
	for _, c := range counts {
		p := c / n
		squares += p * p
		distance += (uniform - p) * (uniform - p)
	}
	lambda := 1.0
	if n > 1 && distance > 0 {
		lambda = min(1, (1-squares)/((n-1)*distance))
	}
	p := make([]float64, len(counts))
	for k, c := range counts {
		p[k] = lambda*uniform + (1-lambda)*c/n
	}
	return p
}

// counted returns how often each distinct value of x occurs.
func counted(x []int) []float64 {
	_, at := model.Classes(x)
	return countsOf(at)
}

func countsOf(at []int) []float64 {
	var counts []float64
	for _, k := range at {
		for k >= len(counts) {
			counts = append(counts, 0)
		}
		counts[k]++
	}
	return counts
}

func paired(op string, x, y []int) []int {
	if len(x) != len(y) || len(x) == 0 {
		panic(model.Errorf(op, "x and y must have the same length, got %d and %d", len(x), len(y)))
	}
	_, a := model.Classes(x)
	ys, b := model.Classes(y)
	both := make([]int, len(a))
	for i := range both {
		both[i] = a[i]*len(ys) + b[i]
	}
	return both
}

// EstimateMutualInformation estimates I(X;Y) from the values of two variables for the same
// examples.
//
//	I(X;Y) = H(X) + H(Y) − H(X,Y)
//
// The [EntropyEstimator] selects the method that estimates each entropy. The plug-in estimate is
// never negative, and is too large on average: for two independent variables with r and c values,
// it is about (r−1)(c−1)/2n nats.
//
// References: [Miller1955]. Course: PROB-03.
func EstimateMutualInformation(x, y []int, by EntropyEstimator, in ...Unit) float64 {
	both := counted(paired("EstimateMutualInformation", x, y))
	return EstimateEntropy(counted(x), by, in...) + EstimateEntropy(counted(y), by, in...) - EstimateEntropy(both, by, in...)
}

// MutualInformation returns the information that one variable has about another, computed from
// their values for the same examples.
//
//	I(X;Y) = H(Y) − H(Y|X) = Σ p(x,y) log₂ (p(x,y) / (p(x)·p(y)))
//
// It is symmetric, and 0 if the observed joint fractions are the products of the marginal
// fractions. See [EstimateMutualInformation] for small samples and [Joint] for tables.
//
// Course: PROB-03.
func MutualInformation(x, y []int, in ...Unit) float64 {
	return max(0, EstimateMutualInformation(x, y, PlugIn, in...))
}

// NormalizedMutualInformation returns I(X;Y) divided by the mean of the two entropies: 0 for
// independent variables, and 1 if each variable determines the other or both are constant.
//
//	2·I(X;Y) / (H(X) + H(Y))
//
// For a clustering and the true classes, it is the V-measure; see ml.VMeasure.
//
// Course: PROB-03.
func NormalizedMutualInformation(x, y []int) float64 {
	i := MutualInformation(x, y, Nats)
	h := Entropy(counted(x), Nats) + Entropy(counted(y), Nats)
	if h == 0 {
		return 1
	}
	return min(1, 2*i/h)
}
