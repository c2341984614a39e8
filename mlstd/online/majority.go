package online

import (
	"math"
	"slices"

	"github.com/gokernel/gokernel/mlstd/model"
)

// WeightedMajority combines n predictors whose quality is unknown.
//
//	predict by the larger total weight;  wᵢ ← β·wᵢ for each predictor that erred
//
// If the best predictor makes k mistakes, weighted majority makes at most [WeightedMajorityBound],
// about 2.4(k + log₂ n) for β = ½. With β = 0 it is the halving algorithm.
//
// References: [LittlestoneWarmuth1994], [Mitchell1997] §7.5. Course: ONL-34.
type WeightedMajority struct {
	Beta    float64 // in [0, 1); NewWeightedMajority sets 1/2
	Weights []float64
	Experts []func(x []float64) int
	History [][]float64 // the weights after each example
}

// NewWeightedMajority returns a learner that starts with equal weights and β = ½.
func NewWeightedMajority(experts []func(x []float64) int) *WeightedMajority {
	if len(experts) == 0 {
		panic(model.Errorf("NewWeightedMajority", "there must be at least one predictor"))
	}
	w := &WeightedMajority{Beta: 0.5, Experts: experts, Weights: make([]float64, len(experts))}
	for i := range w.Weights {
		w.Weights[i] = 1
	}
	return w
}

// Guess returns the label with the larger total weight; a tie is −1.
func (m *WeightedMajority) Guess(x []float64) int {
	s := 0.0
	for i, e := range m.Experts {
		s += m.Weights[i] * float64(e(x))
	}
	if s > 0 {
		return 1
	}
	return -1
}

// Learn lowers the weights of the predictors that erred. Before the largest weight would underflow
// to 0, all weights are multiplied by the same power of two, which changes no vote.
func (m *WeightedMajority) Learn(x []float64, y int) {
	for i, e := range m.Experts {
		if e(x) != y {
			m.Weights[i] *= m.Beta
		}
	}
	if top := slices.Max(m.Weights); top > 0 && top < 0x1p-500 {
		for i := range m.Weights {
			m.Weights[i] *= 0x1p500
		}
	}
	m.History = append(m.History, append([]float64(nil), m.Weights...))
}

// WeightedMajorityBound returns an upper bound on the number of mistakes of weighted majority over
// n predictors, the best of which makes k mistakes.
//
//	(k·log₂(1/β) + log₂ n) / log₂(2/(1+β))
//
// For β = ½ the denominator is log₂(4/3) = 0.415, so the bound is 2.41(k + log₂ n).
//
// Course: ONL-34.
func WeightedMajorityBound(k, n int, beta float64) float64 {
	if !(beta > 0 && beta < 1) || k < 0 || n < 1 {
		panic(model.Errorf("WeightedMajorityBound", "k must not be negative, n be at least 1, and beta be strictly between 0 and 1, got %d, %d and %v", k, n, beta))
	}
	return (float64(k)*math.Log2(1/beta) + math.Log2(float64(n))) / math.Log2(2/(1+beta))
}
