package vector

import "math"

// terms returns the order of the rows of the window.
func (w *window) terms() []term {
	var terms []term
	for _, p := range w.partition {
		terms = append(terms, term{expr: p})
	}
	return append(terms, w.order...)
}

// windows computes window functions, which must have the same window. The rows of the result are in
// the order of the window, as SQLite's are.
func (r *relation) windows(calls []*expr) *relation {
	w := calls[0].over
	for _, e := range calls[1:] {
		if e.over.key() != w.key() {
			leave("several windows")
		}
	}
	terms := w.terms()
	rel := r
	if len(terms) > 0 {
		rel = r.sorted(terms, bounds{-1, 0})
	}
	var keys []Vector
	for _, p := range w.partition {
		keys = append(keys, rel.values(rel.compile(p)))
	}
	partition := make([]int32, rel.n)
	if len(keys) > 0 {
		partition, _ = groupsOf(keys, rel.n)
	}
	for _, t := range w.order {
		keys = append(keys, rel.values(rel.compile(t.expr)))
	}
	peer := partition
	if len(w.order) > 0 {
		peer, _ = groupsOf(keys, rel.n)
	}
	f := &framed{rel: rel, first: make([]int32, rel.n), last: make([]int32, rel.n), start: make([]int32, rel.n), end: make([]int32, rel.n)}
	spans(partition, f.start, f.end)
	spans(peer, f.first, f.last)
	for _, e := range calls {
		rel.q.check()
		rel.keyed[e.key()] = f.call(e)
	}
	return rel
}

// spans sets the first and last row of the run of equal numbers around each row.
func spans(ids, first, last []int32) {
	for i := range ids {
		first[i] = int32(i)
		if i > 0 && ids[i] == ids[i-1] {
			first[i] = first[i-1]
		}
	}
	for i := len(ids) - 1; i >= 0; i-- {
		last[i] = int32(i)
		if i < len(ids)-1 && ids[i] == ids[i+1] {
			last[i] = last[i+1]
		}
	}
}

// framed has the rows of a window: each row's partition is from start to end, and its peers, the
// rows of equal order, are from first to last.
type framed struct {
	rel                     *relation
	first, last, start, end []int32
}

func (f *framed) call(e *expr) Vector {
	n := f.rel.n
	ints := func(at func(i int) int64) Vector {
		out := Vector{kind: integer, n: n, ints: make([]int64, n)}
		for i := range out.ints {
			out.ints[i] = at(i)
		}
		return out
	}
	floats := func(at func(i int) float64) Vector {
		out := Vector{kind: float, n: n, floats: make([]float64, n)}
		for i := range out.floats {
			out.floats[i] = at(i)
		}
		return out
	}
	args := len(e.args)
	switch {
	case e.text == "row_number" && args == 0:
		return ints(func(i int) int64 { return int64(i) - int64(f.start[i]) + 1 })
	case e.text == "rank" && args == 0:
		return ints(func(i int) int64 { return int64(f.first[i]-f.start[i]) + 1 })
	case e.text == "dense_rank" && args == 0:
		rank := int64(0)
		return ints(func(i int) int64 {
			if f.start[i] == int32(i) {
				rank = 0
			}
			if f.first[i] == int32(i) {
				rank++
			}
			return rank
		})
	case e.text == "percent_rank" && args == 0:
		return floats(func(i int) float64 {
			if f.end[i] == f.start[i] {
				return 0
			}
			return float64(f.first[i]-f.start[i]) / float64(f.end[i]-f.start[i])
		})
	case e.text == "cume_dist" && args == 0:
		return floats(func(i int) float64 {
			return float64(f.last[i]-f.start[i]+1) / float64(f.end[i]-f.start[i]+1)
		})
	case (e.text == "lag" || e.text == "lead") && args >= 1 && args <= 3:
		return f.shift(e)
	case e.text == "first_value" && args == 1:
		return f.arg(e, 0).take(f.start)
	case e.text == "last_value" && args == 1:
		return f.arg(e, 0).take(f.last)
	case e.text == "count" && (args == 1 || e.star):
		var v Vector
		if !e.star {
			v = f.arg(e, 0)
		}
		c := int64(0)
		return f.running(func(i int) {
			if i == int(f.start[i]) {
				c = 0
			}
			if e.star || !v.missing(i) {
				c++
			}
		}, func() int64 { return c })
	case (e.text == "sum" || e.text == "avg" || e.text == "total") && args == 1:
		return f.sum(e)
	case (e.text == "min" || e.text == "max") && args == 1:
		return f.extreme(e)
	}
	leave("the window function %s", e.text)
	return Vector{}
}

// arg returns an argument as a vector with a value for each row.
func (f *framed) arg(e *expr, k int) Vector {
	n := f.rel.compile(e.args[k])
	if n.kind == null || n.mixed {
		leave("a window function of null or of a case of integers and floats")
	}
	return f.rel.values(n).full(f.rel.n)
}

// running calls step for the rows in turn, and returns the state after the last peer of each row.
func (f *framed) running(step func(i int), state func() int64) Vector {
	out := Vector{kind: integer, n: f.rel.n, ints: make([]int64, f.rel.n)}
	for i := range out.ints {
		step(i)
		if int(f.last[i]) == i {
			for j := f.first[i]; j <= f.last[i]; j++ {
				out.ints[j] = state()
			}
		}
	}
	return out
}

func (f *framed) sum(e *expr) Vector {
	v := f.arg(e, 0)
	if v.kind == text {
		leave("the sum of strings")
	}
	n := f.rel.n
	s := newSums(v, 1)
	out := Vector{}
	for i := range n {
		if i == int(f.start[i]) {
			s = newSums(s.v, 1)
		}
		s.add(i, 0)
		if int(f.last[i]) != i {
			continue
		}
		x := s.result(e.text)
		if out.kind == null {
			out = missingOf(node{kind: x.kind}, n)
		}
		for j := f.first[i]; j <= f.last[i]; j++ {
			if x.kind == integer {
				out.ints[j], out.gone[j] = x.ints[0], x.missing(0)
			} else {
				out.floats[j] = x.floats[0]
			}
		}
	}
	if n == 0 {
		return newSums(v, 0).result(e.text)
	}
	return out
}

func (f *framed) extreme(e *expr) Vector {
	v := f.arg(e, 0)
	var rank []int32
	if v.kind == text {
		rank = v.words.ranks()
	}
	rows := make([]int32, f.rel.n)
	best := int32(-1)
	for i := range rows {
		if i == int(f.start[i]) {
			best = -1
		}
		if !v.missing(i) && (best < 0 || v.better(i, int(best), e.text == "max", rank)) {
			best = int32(i)
		}
		if int(f.last[i]) == i {
			for j := f.first[i]; j <= f.last[i]; j++ {
				rows[j] = best
			}
		}
	}
	return v.take(rows)
}

// shift is lag and lead.
func (f *framed) shift(e *expr) Vector {
	v := f.arg(e, 0)
	by := 1
	if len(e.args) > 1 {
		n := f.rel.compile(e.args[1])
		if !n.constant() || n.kind != integer || n.whole.ints[0] < 0 || n.whole.ints[0] > math.MaxInt32/2 {
			leave("lag or lead by a value that is not a constant")
		}
		by = int(n.whole.ints[0])
	}
	if e.text == "lag" {
		by = -by
	}
	rows := make([]int32, f.rel.n)
	outside := Vector{kind: boolean, n: f.rel.n, bools: make([]bool, f.rel.n)}
	for i := range rows {
		if j := i + by; j >= int(f.start[i]) && j <= int(f.end[i]) {
			rows[i] = int32(j)
		} else {
			rows[i], outside.bools[i] = -1, true
		}
	}
	shifted := v.take(rows)
	if len(e.args) < 3 {
		return shifted
	}
	n := choose([]node{known(outside)}, []node{f.rel.compile(e.args[2]), known(shifted)})
	if n.mixed {
		leave("lag with another type of default")
	}
	return f.rel.values(n).full(f.rel.n)
}
