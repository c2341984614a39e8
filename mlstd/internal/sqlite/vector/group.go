package vector

import (
	"math"
	"slices"

	"github.com/gokernel/gokernel/mlstd/internal/par"
)

// ids returns the number of the value of each row, and an upper bound of the numbers. A missing
// value has a number too.
func (v Vector) ids() (ids []int32, card int) {
	ids = make([]int32, v.n)
	switch v.kind {
	case null:
		return ids, 1
	case text:
		for i, c := range v.codes {
			ids[i] = c + 1
		}
		return ids, len(v.words.list) + 1
	case boolean:
		for i, b := range v.bools {
			if b {
				ids[i] = 1
			}
			if v.gone != nil && v.gone[i] {
				ids[i] = 2
			}
		}
		return ids, 3
	case integer:
		lo, hi := int64(math.MaxInt64), int64(math.MinInt64)
		for i, x := range v.ints {
			if v.gone == nil || !v.gone[i] {
				lo, hi = min(lo, x), max(hi, x)
			}
		}
		if lo > hi {
			return ids, 1
		}
		if span := uint64(hi) - uint64(lo); span < uint64(2*v.n+1024) {
			for i, x := range v.ints {
				if v.gone == nil || !v.gone[i] {
					ids[i] = int32(x-lo) + 1
				}
			}
			return ids, int(span) + 2
		}
	}
	if v.whole != nil {
		leave("a group by a case of integers and floats")
	}
	t := newNumbering(1024)
	for i := range ids {
		if !v.missing(i) {
			ids[i] = t.add(v.bits(i)) + 1
		}
	}
	return ids, t.n + 1
}

// groupsOf numbers the combinations of values in the order of their first rows.
func groupsOf(keys []Vector, n int) (group, first []int32) {
	var cur []int32
	card := 1
	for k, v := range keys {
		ids, c := v.full(n).compact().ids()
		if k == 0 {
			cur, card = ids, c
			continue
		}
		if card*c <= min(max(1<<20, 4*n), math.MaxInt32) {
			for i, id := range ids {
				cur[i] = cur[i]*int32(c) + id
			}
			card *= c
			continue
		}
		t := newNumbering(1024)
		for i, id := range ids {
			cur[i] = t.pair(cur[i], id, true)
		}
		card = t.n
	}
	number := make([]int32, card)
	for i, id := range cur {
		if number[id] == 0 {
			first = append(first, int32(i))
			number[id] = int32(len(first))
		}
		cur[i] = number[id] - 1
	}
	return cur, first
}

// aggregate returns the groups of the relation in the order of SQLite, which sorts rows by the
// expressions of group by, in the directions of an order by clause of as many terms.
func (r *relation) aggregate(group, aggs []*expr, terms []term) *relation {
	r.q.check()
	out := &relation{q: r.q, n: 1, keyed: map[string]Vector{}, cache: map[int]Vector{}, groups: true}
	var id []int32
	if len(group) > 0 {
		var keys []Vector
		for _, e := range group {
			v := r.values(r.compile(e))
			if slices.ContainsFunc(v.floats, func(x float64) bool { return x == 0 && math.Signbit(x) }) {
				leave("a group by -0.0")
			}
			keys = append(keys, v)
		}
		var first []int32
		id, first = groupsOf(keys, r.n)
		var sort []term
		for k, e := range group {
			if v := keys[k].full(r.n); v.kind == null {
				keys[k] = Vector{kind: null, n: len(first)}
			} else {
				keys[k] = v.take(first)
			}
			out.keyed[e.key()] = keys[k]
			sort = append(sort, term{expr: e, desc: len(terms) == len(group) && terms[k].desc})
		}
		out.n = len(first)
		order := out.order(sort, bounds{-1, 0})
		rank := make([]int32, len(order))
		for k, g := range order {
			rank[g] = int32(k)
		}
		for i, g := range id {
			id[i] = rank[g]
		}
		out = out.take(order)
	} else {
		id = make([]int32, r.n)
	}
	args := make([]Vector, len(aggs))
	for k, e := range aggs {
		if e.star {
			if e.text != "count" {
				leave("%s(*)", e.text)
			}
			continue
		}
		if len(e.args) != 1 || e.distinct && e.text != "count" && e.text != "min" && e.text != "max" {
			leave("the aggregate %s", e.text)
		}
		n := r.compile(e.args[0])
		args[k] = r.values(n).full(r.n)
		if n.kind == null {
			leave("an aggregate of null")
		}
	}
	results := make([]Vector, len(aggs))
	par.Range(len(aggs), 1, func(k, _ int) {
		r.q.check()
		results[k] = aggregate(aggs[k], args[k], id, out.n)
	})
	for k, e := range aggs {
		out.keyed[e.key()] = results[k]
	}
	return out
}

// aggregate computes an aggregate of n groups.
func aggregate(e *expr, v Vector, group []int32, n int) Vector {
	switch {
	case e.star:
		out := Vector{kind: integer, n: n, ints: make([]int64, n)}
		for _, g := range group {
			out.ints[g]++
		}
		return out
	case e.text == "count":
		return count(v, group, n, e.distinct)
	case e.text == "min" || e.text == "max":
		return extreme(v, group, n, e.text == "max")
	case e.text == "sum" || e.text == "total" || e.text == "avg":
		if v.kind == text {
			leave("the sum of strings")
		}
		sums := newSums(v, n)
		for i, g := range group {
			sums.add(i, g)
		}
		return sums.result(e.text)
	}
	leave("the aggregate %s", e.text)
	return Vector{}
}

func count(v Vector, group []int32, n int, distinct bool) Vector {
	out := Vector{kind: integer, n: n, ints: make([]int64, n)}
	if distinct {
		ids, _ := v.ids()
		pairs := newNumbering(1024)
		for i, g := range group {
			if v.missing(i) {
				continue
			}
			old := pairs.n
			if pairs.pair(g, ids[i], true); pairs.n > old {
				out.ints[g]++
			}
		}
		return out
	}
	for i, g := range group {
		if !v.missing(i) {
			out.ints[g]++
		}
	}
	return out
}

// extreme returns the minimum or maximum.
func extreme(v Vector, group []int32, n int, largest bool) Vector {
	if v.whole != nil {
		leave("the extreme of a case of integers and floats")
	}
	best := make([]int32, n)
	for g := range best {
		best[g] = -1
	}
	var rank []int32
	v = v.compact()
	if v.kind == text {
		rank = v.words.ranks()
	}
	for i, g := range group {
		if v.missing(i) {
			continue
		}
		if j := best[g]; j < 0 || v.better(i, int(j), largest, rank) {
			best[g] = int32(i)
		}
	}
	return v.take(best)
}

// better reports whether the value of row i is less than the value of row j, or larger.
func (v *Vector) better(i, j int, largest bool, rank []int32) bool {
	if largest {
		i, j = j, i
	}
	switch v.kind {
	case integer:
		return v.ints[i] < v.ints[j]
	case boolean:
		return !v.bools[i] && v.bools[j]
	case float:
		return v.floats[i] < v.floats[j]
	}
	return rank[v.codes[i]] < rank[v.codes[j]]
}

// sums adds the values of groups in the order of the rows, as SQLite does: integers exactly, and
// floats with the compensation of Kahan, Babuska and Neumaier.
type sums struct {
	v      Vector
	count  []int64
	ints   []int64
	floats []float64
	rest   []float64
	approx []bool // the group has had a float
}

func newSums(v Vector, n int) *sums {
	s := &sums{v: v.asInts(), count: make([]int64, n), ints: make([]int64, n)}
	if v.kind == float {
		s.floats, s.rest, s.approx = make([]float64, n), make([]float64, n), make([]bool, n)
	}
	return s
}

// add adds the value of row i to group g.
func (s *sums) add(i int, g int32) {
	if s.v.kind != float {
		if s.v.gone != nil && s.v.gone[i] {
			return
		}
		s.count[g]++
		x, old := s.v.ints[i], s.ints[g]
		sum := old + x
		if (sum > old) != (x > 0) && x != 0 {
			leave("an integer overflow")
		}
		s.ints[g] = sum
		return
	}
	x := s.v.floats[i]
	if x != x {
		return
	}
	s.count[g]++
	if !s.approx[g] {
		if s.v.whole != nil && s.v.whole[i] {
			if s.ints[g] += int64(x); s.ints[g] > exactInts/2 || s.ints[g] < -exactInts/2 {
				leave("a large sum of integers and floats")
			}
			return
		}
		s.approx[g] = true
		s.floats[g] = float64(s.ints[g])
	} else if s.v.whole != nil && s.v.whole[i] && math.Abs(x) >= exactInts/2 {
		leave("a large integer among floats")
	}
	sum := s.floats[g]
	t := sum + x
	if math.Abs(sum) > math.Abs(x) {
		s.rest[g] += (sum - t) + x
	} else {
		s.rest[g] += (x - t) + sum
	}
	s.floats[g] = t
}

// sum returns the sum of a group as a float.
func (s *sums) sum(g int) float64 {
	if s.v.kind != float || !s.approx[g] {
		return float64(s.ints[g])
	}
	if r := s.rest[g]; !math.IsInf(r, 0) && !math.IsNaN(r) {
		return s.floats[g] + r
	}
	return s.floats[g]
}

// result returns sum, total or avg of each group.
func (s *sums) result(name string) Vector {
	n := len(s.count)
	if name == "sum" && s.v.kind != float {
		return Vector{kind: integer, n: n, ints: slices.Clone(s.ints), gone: s.none()}
	}
	out := Vector{kind: float, n: n, floats: make([]float64, n)}
	if name == "sum" && s.v.whole != nil {
		out.whole = make([]bool, n)
	}
	for g := range n {
		out.floats[g] = s.sum(g)
		switch {
		case s.count[g] == 0 && name == "total":
			out.floats[g] = 0
		case s.count[g] == 0:
			out.floats[g] = math.NaN()
		case name == "avg":
			out.floats[g] /= float64(s.count[g])
		}
		if out.whole != nil {
			out.whole[g] = !s.approx[g]
		}
	}
	return out
}

// none returns the groups without values.
func (s *sums) none() []bool {
	var gone []bool
	for g, c := range s.count {
		if c == 0 {
			if gone == nil {
				gone = make([]bool, len(s.count))
			}
			gone[g] = true
		}
	}
	return gone
}

// distinct returns the first row of each combination of the values of the result.
func (r *relation) distinct(items []*expr, terms []term) *relation {
	var keys []Vector
	set := map[string]bool{}
	for _, e := range items {
		keys = append(keys, r.values(r.compile(e)))
		set[e.key()] = true
	}
	for _, t := range terms {
		if !set[t.expr.key()] {
			leave("distinct with another order")
		}
	}
	_, first := groupsOf(keys, r.n)
	return r.take(first)
}
