package nn

import (
	"math"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Optimizer turns a gradient into a step. It is only the update rule; the trainer keeps the state
// of each weight.
type Optimizer interface {
	// Memory is the number of state variables per weight.
	Memory() int
	// UsualRate is the default learning rate.
	UsualRate() float64
	// Update updates the weights w with the gradient g. memory holds the lists of state variables,
	// which start at 0; step is 1 for the first step.
	Update(w, g []float64, memory [][]float64, rate float64, step int)
}

// Momentum is gradient descent that adds a fraction of the last step to each step. This speeds up
// descent if successive steps agree, and smooths it if they do not.
//
//	Δ ← α·Δ − η·g,   w ← w + Δ
//	w ← w + α·Δ − η·g                    (Nesterov, after the new Δ)
//
// With Alpha = 0, it is plain gradient descent.
//
// References: [Polyak1964], [Nesterov1983]. Course: NET-12.
type Momentum struct {
	Alpha    float64 // α in [0, 1)
	Nesterov bool
}

// Memory returns 1: each weight has its last step as state.
func (m Momentum) Memory() int { return 1 }

// UsualRate is 0.1.
func (m Momentum) UsualRate() float64 { return 0.1 }

// Update takes a step.
func (m Momentum) Update(w, g []float64, memory [][]float64, rate float64, _ int) {
	if m.Alpha == 0 {
		for i, v := range g {
			w[i] -= rate * v
		}
		return
	}
	delta := memory[0]
	for i, v := range g {
		delta[i] = m.Alpha*delta[i] - rate*v
		if m.Nesterov {
			w[i] += m.Alpha*delta[i] - rate*v
		} else {
			w[i] += delta[i]
		}
	}
}

// AdaGrad divides the step of each weight by the square root of the sum of its squared gradients.
//
//	G ← G + g²,   w ← w − η·g/(√G + ε)
//
// References: [DuchiHazanSinger2011].
type AdaGrad struct {
	Epsilon float64 // 0 means 1e-10
}

// Memory returns 1: each weight has the sum of its squared gradients as state.
func (a AdaGrad) Memory() int { return 1 }

// UsualRate is 0.01.
func (a AdaGrad) UsualRate() float64 { return 0.01 }

// Update takes a step.
func (a AdaGrad) Update(w, g []float64, memory [][]float64, rate float64, _ int) {
	sum, eps := memory[0], model.Or(a.Epsilon, 1e-10)
	for i, v := range g {
		sum[i] += v * v
		w[i] -= rate * v / (math.Sqrt(sum[i]) + eps)
	}
}

// RMSProp divides the step of each weight by the square root of a running mean of its squared
// gradients.
//
//	G ← ρ·G + (1−ρ)·g²,   w ← w − η·g/(√G + ε)
//
// References: [TielemanHinton2012].
type RMSProp struct {
	Rho     float64 // ρ; 0 means 0.99
	Epsilon float64 // 0 means 1e-8
}

// Memory returns 1: each weight has the mean of its squared gradients as state.
func (r RMSProp) Memory() int { return 1 }

// UsualRate is 0.001.
func (r RMSProp) UsualRate() float64 { return 0.001 }

// Update takes a step.
func (r RMSProp) Update(w, g []float64, memory [][]float64, rate float64, _ int) {
	mean, rho, eps := memory[0], model.Or(r.Rho, 0.99), model.Or(r.Epsilon, 1e-8)
	for i, v := range g {
		mean[i] = rho*mean[i] + (1-rho)*v*v
		w[i] -= rate * v / (math.Sqrt(mean[i]) + eps)
	}
}

// Adam steps along a running mean of the gradients, and divides the step of each weight by the
// square root of a running mean of its squared gradients. Both means are corrected for the bias of
// starting at 0.
//
//	m ← β₁·m + (1−β₁)·g,   v ← β₂·v + (1−β₂)·g²
//	w ← (1 − η·λ)·w − η·(m/(1−β₁ᵗ)) / (√(v/(1−β₂ᵗ)) + ε)
//
// With Decay λ, it is AdamW: the decay is applied directly to the weights. If the decay were part
// of the gradient, it would be divided by the root as well.
//
// References: [KingmaBa2015], [LoshchilovHutter2019].
type Adam struct {
	Beta1   float64 // 0 means 0.9
	Beta2   float64 // 0 means 0.999
	Epsilon float64 // 0 means 1e-8
	Decay   float64 // λ
}

// Memory returns 2: each weight has two means as state.
func (a Adam) Memory() int { return 2 }

// UsualRate is 0.001.
func (a Adam) UsualRate() float64 { return 0.001 }

// Update takes a step.
func (a Adam) Update(w, g []float64, memory [][]float64, rate float64, step int) {
	b1, b2, eps := model.Or(a.Beta1, 0.9), model.Or(a.Beta2, 0.999), model.Or(a.Epsilon, 1e-8)
	linalg.AdamStep{
		Beta1: b1, Beta2: b2, Epsilon: eps, Keep: 1 - rate*a.Decay,
		Rise:  rate / (1 - math.Pow(b1, float64(step))),
		Scale: 1 / math.Sqrt(1-math.Pow(b2, float64(step))),
	}.Update(w, g, memory[0], memory[1])
}

// StepRate multiplies the rate, which starts at A, by Factor after each block of Every steps.
type StepRate struct {
	A float64
	// Factor is the number by which the rate is multiplied; 0 means 0.1. With a smaller factor, the
	// rate falls faster.
	Factor float64
	// Every is the number of steps after which the rate changes; 0 means 1000.
	Every int
}

// Rate returns the learning rate of step k.
func (s StepRate) Rate(k int) float64 {
	every := s.Every
	if every == 0 {
		every = 1000
	}
	return s.A * math.Pow(model.Or(s.Factor, 0.1), float64((k-1)/every))
}

// CosineRate rises from 0 to A in the first Warmup steps, and then falls along half a cosine wave
// to Least at step Steps.
//
// References: [LoshchilovHutter2017].
type CosineRate struct {
	A, Least float64
	Steps    int
	Warmup   int
}

// Rate returns the learning rate of step k.
func (c CosineRate) Rate(k int) float64 {
	if k <= c.Warmup {
		return c.A * float64(k) / float64(c.Warmup)
	}
	if k >= c.Steps {
		return c.Least
	}
	t := float64(k-c.Warmup) / float64(c.Steps-c.Warmup)
	return c.Least + (c.A-c.Least)*(1+math.Cos(math.Pi*t))/2
}
