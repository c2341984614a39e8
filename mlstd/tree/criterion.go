package tree

import "math"

// Criterion is the measure by which a decision tree chooses its splits.
type Criterion int

const (
	// InformationGain is the mutual information of the class and the branch, H(Y) − H(Y|X) in bits,
	// where H(Y|X) = Σₓ P(X=x) H(Y|X=x) (ID3).
	InformationGain Criterion = iota
	// GainRatio is the information gain divided by the entropy of the split itself, which removes
	// the advantage of splits with many branches. As in C4.5, the gain ratio is compared only among
	// the features with at least average gain, and the gain chooses the thresholds of numeric
	// features.
	GainRatio
	// Gini is the decrease of the Gini impurity 1 − Σₖ pₖ² of the classes (CART).
	Gini
	// TrainingAccuracy is the fraction of training examples that belong to the
	// majority class of their branch.
	TrainingAccuracy
)

// String returns the name of the criterion.
func (c Criterion) String() string {
	switch c {
	case InformationGain:
		return "information gain"
	case GainRatio:
		return "gain ratio"
	case Gini:
		return "Gini"
	case TrainingAccuracy:
		return "training accuracy"
	}
	return "unknown"
}

// ClassEntropy returns the entropy in bits of a class distribution given as counts
// or weights,
//
//	H = −Σₖ pₖ log₂ pₖ,   pₖ = countₖ / Σ count
//
// It is 0 when there is only one class, and at most log₂ K.
//
// Course: TREE-04.
func ClassEntropy(counts ...float64) float64 {
	n := sum(counts)
	h := 0.0
	for _, c := range counts {
		if c > 0 {
			p := c / n
			h -= p * math.Log2(p)
		}
	}
	return h
}

// GiniImpurity returns the probability that two examples drawn at random (with
// replacement) belong to different classes,
//
//	G = 1 − Σₖ pₖ²
//
// For two classes it is 2p(1−p). It is a property of the class distribution, not of a feature.
//
// Course: TREE-05.
func GiniImpurity(counts ...float64) float64 {
	n := sum(counts)
	if n == 0 {
		return 0
	}
	g := 1.0
	for _, c := range counts {
		g -= c / n * (c / n)
	}
	return max(g, 0)
}

// MajorityError returns the fraction of examples that are not of the most frequent
// class, 1 − maxₖ pₖ.
//
// Course: TREE-02, TREE-03.
func MajorityError(counts ...float64) float64 {
	n, most := 0.0, 0.0
	for _, c := range counts {
		n += c
		most = max(most, c)
	}
	if n == 0 {
		return 0
	}
	return (n - most) / n
}

// impurity returns the quantity that the criterion minimizes.
func (c Criterion) impurity(counts []float64) float64 {
	switch c {
	case Gini:
		return GiniImpurity(counts...)
	case TrainingAccuracy:
		return MajorityError(counts...)
	}
	return ClassEntropy(counts...)
}

func sum(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s
}
