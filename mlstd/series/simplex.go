package series

import (
	"math"
	"slices"
)

// minimizeIn finds a minimum of f near x with the Nelder-Mead method. It restarts from its result
// until that no longer helps, or the given number of times. f is +Inf where it is not defined.
func minimizeIn(f func([]float64) float64, x []float64, step float64, restarts int) ([]float64, float64) {
	best, value := slices.Clone(x), f(x)
	if len(x) == 0 {
		return best, value
	}
	for range restarts {
		next, v := nelderMead(f, best, step)
		done := !(v < value-1e-10*(math.Abs(value)+1))
		if v < value {
			best, value = next, v
		}
		if done {
			break
		}
		step = max(step/2, 0.02)
	}
	return best, value
}

func nelderMead(f func([]float64) float64, x []float64, step float64) ([]float64, float64) {
	n := len(x)
	type vertex struct {
		x []float64
		v float64
	}
	s := make([]vertex, n+1)
	for i := range s {
		p := slices.Clone(x)
		if i > 0 {
			p[i-1] += step
		}
		s[i] = vertex{p, f(p)}
	}
	order := func() {
		slices.SortStableFunc(s, func(a, b vertex) int {
			switch {
			case a.v < b.v:
				return -1
			case a.v > b.v:
				return 1
			}
			return 0
		})
	}
	at := func(center []float64, t float64) vertex {
		p := make([]float64, n)
		for j := range p {
			p[j] = center[j] + t*(s[n].x[j]-center[j])
		}
		return vertex{p, f(p)}
	}
	for range 400 * n {
		order()
		if s[n].v-s[0].v <= 1e-13*(math.Abs(s[0].v)+1e-3) {
			break
		}
		center := make([]float64, n)
		for _, v := range s[:n] {
			for j, c := range v.x {
				center[j] += c / float64(n)
			}
		}
		r := at(center, -1)
		switch {
		case r.v < s[0].v:
			if e := at(center, -2); e.v < r.v {
				r = e
			}
			s[n] = r
		case r.v < s[n-1].v:
			s[n] = r
		default:
			t := 0.5
			if r.v < s[n].v {
				t = -0.5
			}
			if c := at(center, t); c.v < min(r.v, s[n].v) {
				s[n] = c
				continue
			}
			for i := 1; i <= n; i++ {
				for j := range s[i].x {
					s[i].x[j] = (s[i].x[j] + s[0].x[j]) / 2
				}
				s[i].v = f(s[i].x)
			}
		}
	}
	order()
	return s[0].x, s[0].v
}
