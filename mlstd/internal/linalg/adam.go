package linalg

import (
	"math"

	"github.com/gokernel/gokernel/mlstd/internal/par"
)

// AdamStep holds the constants of an Adam step, which updates each weight by
//
//	m ← Beta1·m + (1−Beta1)·g,   v ← Beta2·v + (1−Beta2)·g²
//	w ← Keep·w − Rise·m/(Scale·√v + Epsilon)
type AdamStep struct{ Beta1, Beta2, Rise, Scale, Epsilon, Keep float64 }

// adamGrain is the number of weights that one goroutine updates at a time.
const adamGrain = 1 << 15

// Update applies the step to the weights w with gradient g and the moment estimates m and v. It
// rounds each product separately, so that the result is bit-identical on every processor.
func (s AdamStep) Update(w, g, m, v []float64) {
	if len(w) <= adamGrain {
		s.update(w, g, m, v)
		return
	}
	par.Range(len(w), adamGrain, func(lo, hi int) { s.update(w[lo:hi], g[lo:hi], m[lo:hi], v[lo:hi]) })
}

func (s AdamStep) update(w, g, m, v []float64) {
	p := [8]float64{s.Beta1, 1 - s.Beta1, s.Beta2, 1 - s.Beta2, s.Rise, s.Scale, s.Epsilon, s.Keep}
	for i := adam(w, g, m, v, &p); i < len(w); i++ {
		x := g[i]
		m[i] = float64(p[0]*m[i]) + float64(p[1]*x)
		v[i] = float64(p[2]*v[i]) + float64(float64(p[3]*x)*x)
		w[i] = float64(s.Keep*w[i]) - float64(s.Rise*m[i])/(float64(math.Sqrt(v[i])*s.Scale)+s.Epsilon)
	}
}
