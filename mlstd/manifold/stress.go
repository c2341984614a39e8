package manifold

import (
	"cmp"
	"math"
	"slices"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// stress holds points and their target distances.
type stress struct {
	n, k        int
	y, next     []float64 // rows of k
	delta       []float64 // n x n
	target      []float64 // δ̂, the same as delta when metric
	away        []float64 // the distances of the points
	off, length []float64 // parts of the sums, one per row
	order       *ranks    // when not metric
}

// newStress returns the state for the given initial points.
func newStress(delta, y []float64, n, k int, ranked bool) *stress {
	s := &stress{n: n, k: k, y: y, next: make([]float64, n*k), delta: delta, target: delta, away: make([]float64, n*n),
		off: make([]float64, n), length: make([]float64, n)}
	if ranked {
		s.target = slices.Clone(delta)
		s.order = newRanks(delta, n)
	}
	s.distances()
	return s
}

// descend runs the iterations of SMACOF.
func (s *stress) descend(run *model.Run, most int, tol float64) (trace model.Trace, err error) {
	last := math.Inf(1)
	for iter := range most {
		if s.order != nil {
			s.order.fit(s.target, s.away, iter == 0)
		}
		s.turn()
		s.distances()
		off, length := s.sums()
		size := ratio(off, length)
		trace.Loss = append(trace.Loss, size)
		if err := run.Step(iter+1, size); err != nil {
			return model.Trace{}, err
		}
		if last-off < tol*length {
			trace.Converged = true
			break
		}
		last = off
	}
	return trace, nil
}

// turn takes a step: yᵢ ← Σⱼ δ̂ᵢⱼ/‖yᵢ − yⱼ‖·(yᵢ − yⱼ)/n.
func (s *stress) turn() {
	par.Range(s.n, 16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			a, out := s.y[i*s.k:(i+1)*s.k], s.next[i*s.k:(i+1)*s.k]
			clear(out)
			target, away := s.target[i*s.n:(i+1)*s.n], s.away[i*s.n:(i+1)*s.n]
			for j, r := range away {
				if r == 0 {
					continue
				}
				w := target[j] / (r * float64(s.n))
				for c, v := range s.y[j*s.k : (j+1)*s.k] {
					out[c] += w * (a[c] - v)
				}
			}
		}
	})
	s.y, s.next = s.next, s.y
}

// distances computes the distances of the points.
func (s *stress) distances() {
	par.Range(s.n, 16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row := s.away[i*s.n : (i+1)*s.n]
			for j := range row {
				row[j] = math.Sqrt(squared(s.y[i*s.k:(i+1)*s.k], s.y[j*s.k:(j+1)*s.k]))
			}
		}
	})
}

// sums returns Σ_{i<j} (δ̂ − ‖yᵢ − yⱼ‖)² and Σ_{i<j} ‖yᵢ − yⱼ‖².
func (s *stress) sums() (off, length float64) {
	par.Range(s.n, 16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			s.off[i], s.length[i] = 0, 0
			for j := range i {
				r := s.away[i*s.n+j]
				e := s.target[i*s.n+j] - r
				s.off[i] += e * e
				s.length[i] += r * r
			}
		}
	})
	for i := range s.n {
		off, length = off+s.off[i], length+s.length[i]
	}
	return off, length
}

// measure returns Kruskal's stress of the points.
func (s *stress) measure() float64 { return ratio(s.sums()) }

func ratio(off, length float64) float64 {
	if length == 0 {
		return 0
	}
	return math.Sqrt(off / length)
}

// ranks holds the pairs of rows in the order of their distances.
type ranks struct {
	n     int
	pairs []int // positions i·n + j, i < j
	ties  []int // where equal distances end
	pools []pool
}

// pool is a range of ties with one value.
type pool struct {
	sum  float64
	n    int
	last int // the tie that it ends with
}

func newRanks(delta []float64, n int) *ranks {
	r := &ranks{n: n, pairs: make([]int, 0, n*(n-1)/2)}
	for i := range n {
		for j := i + 1; j < n; j++ {
			r.pairs = append(r.pairs, i*n+j)
		}
	}
	slices.SortFunc(r.pairs, func(a, b int) int { return cmp.Or(cmp.Compare(delta[a], delta[b]), a-b) })
	for e := range r.pairs {
		if e+1 == len(r.pairs) || delta[r.pairs[e]] != delta[r.pairs[e+1]] {
			r.ties = append(r.ties, e+1)
		}
	}
	return r
}

// fit writes to target the isotonic regression of away, scaled to Σ δ̂² = n(n−1)/2; at
// first it only scales target.
func (r *ranks) fit(target, away []float64, first bool) {
	if !first {
		r.regress(target, away)
	}
	sum := 0.0
	for _, p := range r.pairs {
		sum += target[p] * target[p]
	}
	scale := 0.0
	if sum > 0 {
		scale = math.Sqrt(float64(len(r.pairs)) / sum)
	}
	for _, p := range r.pairs {
		v := target[p] * scale
		target[p], target[p%r.n*r.n+p/r.n] = v, v
	}
}

// regress merges pools while one is above the next.
func (r *ranks) regress(target, away []float64) {
	r.pools = r.pools[:0]
	from := 0
	for t, to := range r.ties {
		p := pool{last: t, n: to - from}
		for _, e := range r.pairs[from:to] {
			p.sum += away[e]
		}
		from = to
		for len(r.pools) > 0 {
			q := r.pools[len(r.pools)-1]
			if q.sum*float64(p.n) < p.sum*float64(q.n) {
				break
			}
			p.sum, p.n = p.sum+q.sum, p.n+q.n
			r.pools = r.pools[:len(r.pools)-1]
		}
		r.pools = append(r.pools, p)
	}
	from = 0
	for _, p := range r.pools {
		to := r.ties[p.last]
		for _, e := range r.pairs[from:to] {
			target[e] = p.sum / float64(p.n)
		}
		from = to
	}
}
