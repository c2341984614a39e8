package svm

import "math"

// solveGroups is solve for a problem with two groups of variables that each keep
// their sum. Both variables of a step are of the same group: the one of least F in
// it and the partner that promises most, in whichever group that is more
// [ChangLin2001]. beta are feasible values to start from. Nothing is shrunk, and the
// search ends when the objective is below the floor.
//
// At the optimum the free variables of group g share F = threshold(g); the bias is
// minus the middle of the two, the spread half of their distance.
func (p *problem) solveGroups(beta []float64) (*solution, error) {
	s := &solver{problem: p, n: p.gram.Len(), vars: len(p.q), diag: p.gram.Diagonal(), beta: beta}
	s.cache = newRowCache(p.gram, p.cacheMB)
	s.grad = append([]float64(nil), p.q...)
	s.ids = []int32{} // so that reconstruct computes all of the gradient
	s.reconstruct()
	value := 0.0
	for t, b := range beta {
		value += b * (s.grad[t] + p.q[t]) / 2
	}
	every := min(s.n, 1000)
	iter, converged := 0, false
	for ; iter < p.maxIter; iter++ {
		if p.watch != nil && iter%every == 0 && iter > 0 {
			if err := p.watch(iter, value); err != nil {
				return nil, err
			}
		}
		var ups [2]int
		var least [2]float64
		worst := 0.0
		for g := range ups {
			up, low, high := s.extremes(uint8(g))
			ups[g], least[g] = up, low
			if up >= 0 {
				worst = max(worst, high-low)
			}
		}
		if !(worst > p.tol) {
			converged = true
			break
		}
		if value < p.floor {
			break
		}
		up, down, most := -1, -1, 0.0
		for g, u := range ups {
			if u < 0 {
				continue
			}
			row := s.cache.row(int(s.col[u]))
			for t, v := range s.f {
				if s.group[t] != uint8(g) || s.state[t]&canFall == 0 || v <= least[g] {
					continue
				}
				c := s.col[t]
				curvature := max(s.diag[s.col[u]]+s.diag[c]-2*row[c], 1e-12)
				if gain := (v - least[g]) * (v - least[g]) / curvature; gain > most {
					up, down, most = u, t, gain
				}
			}
		}
		if down < 0 {
			break // only rounding is left
		}
		rowI, rowJ := s.cache.row(int(s.col[up])), s.cache.row(int(s.col[down]))
		step, gain := s.move(up, down, rowI[s.col[down]])
		value -= gain
		for t, c := range s.col {
			s.f[t] += step * (rowI[c] - rowJ[c])
		}
	}
	low, high := s.threshold(0), s.threshold(1)
	return &solution{beta: s.beta, bias: -(low + high) / 2, spread: (high - low) / 2, objective: value, iter: iter, converged: converged}, nil
}

// share gives the variables of a group values that add up to the sum: the first of
// them as much as their bounds allow.
func (p *problem) share(beta []float64, group uint8, sum float64) {
	for t, g := range p.group {
		if g == group {
			beta[t] = math.Copysign(min(math.Abs(sum), p.hi[t]-p.lo[t]), sum)
			sum -= beta[t]
		}
	}
}
