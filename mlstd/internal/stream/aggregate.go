package stream

import (
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/raw"
)

// aggregate is an aggregate whose partial results can be merged.
type aggregate struct {
	frame.Parts
	kind frame.Kind // of its column
}

// mergeable reports whether the partial results of an aggregate can be merged.
func mergeable(a frame.Agg) bool {
	switch a.Parts().Op {
	case "count", "sum", "mean", "sd", "variance", "min", "max", "first", "last":
		return true
	}
	return false
}

// state has the partial results of an aggregate for many groups. Which slices are used depends on
// the aggregate.
type state struct {
	n    []int64   // number of values
	low  []uint64  // lower half of a sum of integers, or a value
	high []int64   // its upper half
	x    []float64 // sum, mean or value
	m2   []float64 // sum of the squared deviations from the mean
	s    []string
}

// slots are the slices of a state that an aggregate uses.
type slots struct{ n, low, high, x, m2, s bool }

func (a *aggregate) slots() slots {
	text := a.kind == frame.StringKind
	float := a.kind == frame.FloatKind
	switch a.Op {
	case "count":
		return slots{n: true}
	case "sum":
		if float {
			return slots{x: true}
		}
		return slots{low: true, high: true}
	case "mean":
		return slots{n: true, x: true}
	case "sd", "variance":
		return slots{n: true, x: true, m2: true}
	}
	return slots{n: true, low: !text && !float, x: float, s: text}
}

// grow adds groups to the state.
func (s *state) grow(a *aggregate, n int) {
	u := a.slots()
	if u.n {
		s.n = extend(s.n, n)
	}
	if u.low {
		s.low = extend(s.low, n)
	}
	if u.high {
		s.high = extend(s.high, n)
	}
	if u.x {
		s.x = extend(s.x, n)
	}
	if u.m2 {
		s.m2 = extend(s.m2, n)
	}
	if u.s {
		s.s = extend(s.s, n)
	}
}

func extend[T any](v []T, n int) []T {
	if n <= cap(v) {
		return v[:n]
	}
	w := make([]T, n, max(n, 2*cap(v)))
	copy(w, v)
	return w
}

func (s *state) bytes() int64 {
	return 8*int64(cap(s.n)+cap(s.low)+cap(s.high)+cap(s.x)+cap(s.m2)) + 24*int64(cap(s.s))
}

// partial aggregates a batch whose rows are in the groups ids.
func (a *aggregate) partial(b *frame.Frame, ids []int32, groups int) *state {
	s := &state{}
	s.grow(a, groups)
	if a.Column == "" {
		for _, g := range ids {
			s.n[g]++
		}
		return s
	}
	v := raw.Of(b.Col(a.Column))
	if s.n != nil {
		a.count(&v, ids, s.n)
	}
	switch a.Op {
	case "sum":
		switch a.kind {
		case frame.FloatKind:
			addFloats(v.Floats, ids, s.x)
		case frame.IntKind:
			addInts(v.Ints, ids, s)
		default:
			for i, x := range v.Bools {
				if x {
					s.low[ids[i]]++
				}
			}
		}
	case "mean", "sd", "variance":
		x := v.Floats
		if a.kind != frame.FloatKind {
			x = b.Col(a.Column).Floats()
		}
		addFloats(x, ids, s.x)
		if a.Op == "mean" {
			break
		}
		for g, n := range s.n {
			if n > 0 {
				s.x[g] /= float64(n)
			}
		}
		for i, g := range ids {
			if d := x[i] - s.x[g]; d == d {
				s.m2[g] += d * d
			}
		}
	case "min", "max", "first", "last":
		a.choose(&v, ids, s)
	}
	return s
}

// count counts the values of each group that are not missing.
func (a *aggregate) count(v *raw.Column, ids []int32, n []int64) {
	if v.Missing == nil {
		for _, g := range ids {
			n[g]++
		}
		return
	}
	for i, g := range ids {
		if !v.IsMissing(i) {
			n[g]++
		}
	}
}

func addFloats(v []float64, ids []int32, sum []float64) {
	v = v[:len(ids)]
	for i, g := range ids {
		if x := v[i]; x == x {
			sum[g] += x
		}
	}
}

// small is the magnitude up to which the sum of the integers of a batch does not overflow.
const small = 1 << 31

func addInts(v []int64, ids []int32, s *state) {
	v = v[:len(ids)]
	all := int64(0)
	for _, x := range v {
		all |= x ^ x>>63
	}
	if all < small {
		for i, g := range ids {
			s.low[g] += uint64(v[i])
		}
		for g, x := range s.low {
			s.high[g] = int64(x) >> 63
		}
		return
	}
	for i, g := range ids {
		s.addInt(int(g), uint64(v[i]), v[i]>>63)
	}
}

// addInt adds a number of 128 bits.
func (s *state) addInt(g int, low uint64, high int64) {
	var carry uint64
	s.low[g], carry = bits.Add64(s.low[g], low, 0)
	s.high[g] += high + int64(carry)
}

// choose finds the minimum, maximum, first or last value of each group. The counts tell in which
// groups there is one.
func (a *aggregate) choose(v *raw.Column, ids []int32, s *state) {
	if v.Floats != nil && (a.Op == "min" || a.Op == "max") {
		a.extremes(v.Floats, ids, s.x)
		return
	}
	seen := make([]bool, len(s.n))
	for i, g := range ids {
		if v.Missing != nil && v.IsMissing(i) {
			continue
		}
		switch {
		case v.Floats != nil:
			if x := v.Floats[i]; a.better(seen[g], func() int { return order(x, s.x[g]) }) {
				s.x[g] = x
			}
		case v.Ints != nil:
			if x := v.Ints[i]; a.better(seen[g], func() int { return order(x, int64(s.low[g])) }) {
				s.low[g] = uint64(x)
			}
		case v.Bools != nil:
			x := uint64(0)
			if v.Bools[i] {
				x = 1
			}
			if a.better(seen[g], func() int { return order(x, s.low[g]) }) {
				s.low[g] = x
			}
		default:
			if x := v.Text(i); a.better(seen[g], func() int { return order(x, s.s[g]) }) {
				s.s[g] = x
			}
		}
		seen[g] = true
	}
}

// extremes finds the minimum or maximum of floating-point numbers in each group. Of equal numbers,
// such as 0 and -0, the first one counts.
func (a *aggregate) extremes(v []float64, ids []int32, x []float64) {
	v = v[:len(ids)]
	if a.Op == "min" {
		for g := range x {
			x[g] = math.Inf(1)
		}
		for i, g := range ids {
			if v[i] < x[g] { // false where missing
				x[g] = v[i]
			}
		}
		return
	}
	for g := range x {
		x[g] = math.Inf(-1)
	}
	for i, g := range ids {
		if v[i] > x[g] {
			x[g] = v[i]
		}
	}
}

func order[T int64 | uint64 | float64 | string](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// better reports whether a value replaces the one before it.
func (a *aggregate) better(seen bool, compare func() int) bool {
	if !seen {
		return true
	}
	switch a.Op {
	case "first":
		return false
	case "last":
		return true
	case "min":
		return compare() < 0
	}
	return compare() > 0
}

// merge adds group g of a later state to group d.
func (a *aggregate) merge(s *state, d int, from *state, g int) {
	switch a.Op {
	case "count":
		s.n[d] += from.n[g]
		return
	case "sum":
		if s.x != nil {
			s.x[d] += from.x[g]
		} else {
			s.addInt(d, from.low[g], from.high[g])
		}
		return
	case "mean":
		s.x[d] += from.x[g]
		s.n[d] += from.n[g]
		return
	}
	n := from.n[g]
	if n == 0 {
		return
	}
	had := s.n[d]
	s.n[d] += n
	switch {
	case a.Op == "sd" || a.Op == "variance": // the formula of Chan, Golub and LeVeque
		total := float64(s.n[d])
		delta := from.x[g] - s.x[d]
		s.x[d] += delta * float64(n) / total
		s.m2[d] += from.m2[g] + delta*delta*float64(had)*float64(n)/total
	case s.x != nil:
		if a.better(had > 0, func() int { return order(from.x[g], s.x[d]) }) {
			s.x[d] = from.x[g]
		}
	case s.s != nil:
		if a.better(had > 0, func() int { return order(from.s[g], s.s[d]) }) {
			s.s[d] = strings.Clone(from.s[g])
		}
	case a.kind == frame.BoolKind:
		if a.better(had > 0, func() int { return order(from.low[g], s.low[d]) }) {
			s.low[d] = from.low[g]
		}
	default:
		if a.better(had > 0, func() int { return order(int64(from.low[g]), int64(s.low[d])) }) {
			s.low[d] = from.low[g]
		}
	}
}

// column returns the aggregate of all groups. like has the kind of the result.
func (a *aggregate) column(s *state, n int, like *frame.Column) *frame.Column {
	m := &maker{like: like}
	switch a.Op {
	case "count":
		m.ints = s.n
	case "sum":
		if m.floats = s.x; s.x != nil {
			break
		}
		m.ints = make([]int64, n)
		for g, x := range s.low {
			if m.ints[g] = int64(x); s.high[g] != int64(x)>>63 {
				misuse("Agg sum", "the sum of column %q must fit into int64", a.Parts.Column)
			}
		}
	case "mean":
		m.floats = make([]float64, n)
		for g, x := range s.x {
			m.floats[g] = x / float64(s.n[g])
		}
	case "sd", "variance":
		m.floats = make([]float64, n)
		for g, x := range s.m2 {
			m.floats[g] = x / float64(s.n[g]-1)
			if s.n[g] < 2 || math.IsInf(s.x[g], 0) {
				m.floats[g] = math.NaN()
			}
			if a.Op == "sd" {
				m.floats[g] = math.Sqrt(m.floats[g])
			}
		}
	default:
		a.values(s, m, n)
	}
	return m.column(a.Name, n)
}

// values fills in the minima, maxima, first or last values.
func (a *aggregate) values(s *state, m *maker, n int) {
	switch a.kind {
	case frame.FloatKind:
		m.floats = slices.Clone(s.x)
	case frame.StringKind:
		m.texts = slices.Clone(s.s)
	case frame.BoolKind:
		m.bools = make([]bool, n)
		for g, x := range s.low {
			m.bools[g] = x == 1
		}
	default:
		m.ints = make([]int64, n)
		for g, x := range s.low {
			m.ints[g] = int64(x)
		}
	}
	for g, k := range s.n {
		if k == 0 {
			m.gap(g)
			if m.floats != nil {
				m.floats[g] = math.NaN()
			}
		}
	}
}
