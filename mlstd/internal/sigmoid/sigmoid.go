// Package sigmoid fits the sigmoid that turns scores into probabilities, as Platt
// proposed.
package sigmoid

import "math"

// Fit returns the a and b for which 1/(1 + exp(a·f + b)) minimizes the cross-entropy for the scores
// f. It uses Newton's method with backtracking, in a form that does not overflow [LinLinWeng2007].
// The targets are (n₊+1)/(n₊+2) and 1/(n₋+2) instead of 1 and 0; if weights is nil, all weights are
// 1.
func Fit(scores []float64, positive []bool, weights []float64) (a, b float64) {
	of := func(i int) float64 {
		if weights == nil {
			return 1
		}
		return weights[i]
	}
	np, nn := 0.0, 0.0
	for i, p := range positive {
		if p {
			np += of(i)
		} else {
			nn += of(i)
		}
	}
	target := make([]float64, len(scores))
	for i, p := range positive {
		target[i] = 1 / (nn + 2)
		if p {
			target[i] = (np + 1) / (np + 2)
		}
	}
	loss := func(a, b float64) float64 {
		l := 0.0
		for i, f := range scores {
			z := a*f + b
			if z >= 0 {
				l += of(i) * (target[i]*z + math.Log1p(math.Exp(-z)))
			} else {
				l += of(i) * ((target[i]-1)*z + math.Log1p(math.Exp(z)))
			}
		}
		return l
	}
	const ridge, tol = 1e-12, 1e-8
	a, b = 0, math.Log((nn+1)/(np+1))
	value := loss(a, b)
	for range 100 {
		haa, hbb, hab, ga, gb := ridge, ridge, 0.0, 0.0, 0.0
		for i, f := range scores {
			p := 1 / (1 + math.Exp(a*f+b))
			w, r := of(i)*p*(1-p), of(i)*(target[i]-p)
			haa += f * f * w
			hbb += w
			hab += f * w
			ga += f * r
			gb += r
		}
		if math.Abs(ga) < tol && math.Abs(gb) < tol {
			break
		}
		det := haa*hbb - hab*hab
		da, db := -(hbb*ga-hab*gb)/det, -(haa*gb-hab*ga)/det
		slope := ga*da + gb*db
		step := 1.0
		for ; step >= 1e-10; step /= 2 {
			if v := loss(a+step*da, b+step*db); v < value+1e-4*step*slope {
				a, b, value = a+step*da, b+step*db, v
				break
			}
		}
		if step < 1e-10 {
			break
		}
	}
	return a, b
}

// Of returns 1/(1 + exp(a·f + b)).
func Of(a, b, f float64) float64 {
	z := a*f + b
	if z >= 0 {
		e := math.Exp(-z)
		return e / (1 + e)
	}
	return 1 / (1 + math.Exp(z))
}
