package vector

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/internal/raw"
)

// relation is a list of rows: combinations of rows of tables, or groups of such rows.
type relation struct {
	q      *query
	n      int
	rows   map[int][]int32   // of each table, its rows; nil for all rows, -1 for no row
	keyed  map[string]Vector // the values of expressions, by their keys
	cache  map[int]Vector
	groups bool // the rows are groups, which have only the values in keyed
}

// load returns a column of a table.
func (q *query) load(id int) Vector {
	if v, ok := q.columns[id]; ok {
		return v
	}
	q.check()
	c := q.tables[id/tableColumns].frame.Columns()[id%tableColumns]
	n := c.Len()
	v := Vector{n: n, shared: true}
	values := raw.Of(c)
	var gone []bool
	if c.Missing() > 0 {
		gone = make([]bool, n)
		for i := range gone {
			gone[i] = values.IsMissing(i)
		}
	}
	switch c.Kind() {
	case frame.FloatKind:
		v.kind, v.floats = float, values.Floats
	case frame.IntKind:
		v.kind, v.ints, v.gone = integer, values.Ints, gone
	case frame.BoolKind:
		v.kind, v.bools, v.gone = boolean, values.Bools, gone
	case frame.TimeKind:
		v.kind, v.shared = text, false
		v.codes, v.words = q.moments(values.Ints, gone)
	default:
		v.kind, v.codes, v.words = text, values.Codes, &words{list: values.Words}
		if values.Codes == nil {
			v.codes, v.words.list = c.Codes()
		}
		v.words.check()
	}
	q.columns[id] = v
	return v
}

// moments returns times as strings.
func (q *query) moments(nanos []int64, gone []bool) ([]int32, *words) {
	codes := make([]int32, len(nanos))
	w := &words{}
	seen := newNumbering(1024)
	var list []int64
	for i, x := range nanos {
		if gone != nil && gone[i] {
			codes[i] = -1
			continue
		}
		k := seen.add(uint64(x))
		if int(k) == len(list) {
			list = append(list, x)
		}
		codes[i] = k
	}
	w.list = make([]string, len(list))
	par.Range(len(list), 1024, func(lo, hi int) {
		for k := lo; k < hi; k++ {
			w.list[k] = q.Moment(time.Unix(0, list[k]).In(q.Zone))
		}
	})
	// Two times can be the same string, when clocks are put back.
	distinct := newLexicon()
	to := make([]int32, len(list))
	for k, s := range w.list {
		to[k] = distinct.code(s)
	}
	if len(distinct.codes) < len(list) {
		w = distinct.words
		for i, k := range codes {
			if k >= 0 {
				codes[i] = to[k]
			}
		}
	}
	return codes, w
}

// column returns the values of a column for the rows of the relation.
func (r *relation) column(id int) Vector {
	if v, ok := r.cache[id]; ok {
		return v
	}
	if r.groups {
		leave("a column that is not in group by")
	}
	rows, ok := r.rows[id/tableColumns]
	if !ok {
		leave("a column of a table that is joined later")
	}
	v, ok := r.q.some(id, rows)
	if !ok {
		v = r.q.load(id)
		if rows != nil {
			v = v.take(rows)
		}
	}
	r.cache[id] = v
	return v
}

// some returns the values of a column for a few of its rows, if this saves formatting the times of
// the other rows or numbering their strings.
func (q *query) some(id int, rows []int32) (Vector, bool) {
	c := q.tables[id/tableColumns].frame.Columns()[id%tableColumns]
	if _, loaded := q.columns[id]; loaded || rows == nil || len(rows) > c.Len()/2 {
		return Vector{}, false
	}
	values := raw.Of(c)
	v := Vector{kind: text, n: len(rows)}
	gone := make([]bool, len(rows))
	for k, r := range rows {
		gone[k] = r < 0 || values.IsMissing(int(r))
	}
	switch {
	case c.Kind() == frame.TimeKind:
		v.codes, v.words = q.moments(gather(values.Ints, rows, 0), gone)
	case values.Texts != nil:
		w := newLexicon()
		v.codes, v.words = make([]int32, len(rows)), w.words
		for k, r := range rows {
			if v.codes[k] = -1; !gone[k] {
				v.codes[k] = w.code(values.Texts[r])
			}
		}
		v.words.check()
	default:
		return Vector{}, false
	}
	return v, true
}

// lexicon numbers strings in the order in which they are added.
type lexicon struct {
	words *words
	codes map[string]int32
}

func newLexicon() *lexicon { return &lexicon{&words{}, map[string]int32{}} }

func (l *lexicon) code(s string) int32 {
	c, ok := l.codes[s]
	if !ok {
		c = int32(len(l.codes))
		l.codes[s] = c
		l.words.list = append(l.words.list, s)
	}
	return c
}

// check leaves the statement if a word has a zero byte, at which SQLite's functions end.
func (w *words) check() {
	for _, s := range w.list {
		if strings.IndexByte(s, 0) >= 0 {
			leave("a string with a zero byte")
		}
	}
}

// take returns the relation with some of its rows, in that order.
func (r *relation) take(rows []int32) *relation {
	r.q.check()
	if rows == nil {
		rows = []int32{} // nil is all rows
	}
	out := &relation{q: r.q, n: len(rows), rows: map[int][]int32{}, keyed: map[string]Vector{}, cache: map[int]Vector{}, groups: r.groups}
	for i, old := range r.rows {
		if old == nil {
			out.rows[i] = rows
		} else {
			out.rows[i] = gather(old, rows, -1)
		}
	}
	for key, v := range r.keyed {
		out.keyed[key] = v.take(rows)
	}
	return out
}

// filter returns the rows in which the condition is true.
func (r *relation) filter(e *expr) *relation {
	v := r.values(truth(r.compile(e)))
	if v.one {
		if v.bools[0] && !v.missing(0) {
			return r
		}
		return r.take([]int32{})
	}
	count := 0
	for i, b := range v.bools {
		if b && (v.gone == nil || !v.gone[i]) {
			count++
		}
	}
	if count == r.n {
		return r
	}
	rows := make([]int32, 0, count)
	for i, b := range v.bools {
		if b && (v.gone == nil || !v.gone[i]) {
			rows = append(rows, int32(i))
		}
	}
	return r.take(rows)
}

// conjuncts returns the parts of a condition that and joins.
func conjuncts(e *expr, list []*expr) []*expr {
	switch {
	case e == nil:
		return list
	case e.op == "and":
		return conjuncts(e.args[1], conjuncts(e.args[0], list))
	case e.op == "between":
		return append(list, &expr{op: ">=", args: e.args[:2]}, &expr{op: "<=", args: []*expr{e.args[0], e.args[2]}})
	}
	return append(list, e)
}

// tables adds the tables of the columns in the expression.
func (e *expr) tables(set map[int]bool) map[int]bool {
	if e.op == "column" {
		set[e.column/tableColumns] = true
	}
	for _, a := range e.args {
		a.tables(set)
	}
	return set
}

// within reports whether all columns of the expression belong to tables of the relation.
func (r *relation) within(e *expr) bool {
	for i := range e.tables(map[int]bool{}) {
		if _, ok := r.rows[i]; !ok {
			return false
		}
	}
	return true
}

// filterAll applies the conditions that only need the relation's tables, and returns the others.
func (r *relation) filterAll(list []*expr) (*relation, []*expr) {
	var others []*expr
	for _, e := range list {
		if r.within(e) {
			r = r.filter(e)
		} else {
			others = append(others, e)
		}
	}
	return r, others
}

// table returns all rows of a table.
func (q *query) table(i int) *relation {
	return &relation{q: q, n: q.tables[i].frame.Len(), rows: map[int][]int32{i: nil}, keyed: map[string]Vector{}, cache: map[int]Vector{}}
}

// source returns the rows of the joined tables in which the condition is true, in SQLite's order:
// that of its nested loops. If SQLite looks up the values of a column, it visits the rows by value.
func (q *query) source(where *expr, loops []int) *relation {
	list := conjuncts(where, nil)
	for _, t := range q.tables {
		if t.on == nil {
			continue
		}
		t.on = q.resolve(t.on, byColumn)
		if !t.left {
			list = conjuncts(t.on, list)
		}
	}
	var rel *relation
	for k, i := range loops {
		t := q.tables[i]
		next := q.table(i)
		var ons []*expr
		if t.left {
			ons = conjuncts(t.on, nil)
			next, ons = next.filterAll(ons)
		} else {
			next, list = next.filterAll(list)
		}
		if k == 0 {
			rel = next.byIndex(t)
			continue
		}
		if !t.left {
			rel, list = rel.join(next, t, list)
		} else {
			rel, ons = rel.join(next, t, ons)
			if len(ons) > 0 {
				leave("on with columns of later tables")
			}
		}
		rel, list = rel.filterAll(list)
	}
	if len(list) > 0 {
		leave("a condition without its table")
	}
	return rel
}

// byIndex sorts the rows by the column that SQLite looks up.
func (r *relation) byIndex(t *table) *relation {
	if t.index < 0 || r.n == 0 {
		return r
	}
	id := slices.Index(r.q.tables, t)*tableColumns + t.index
	return r.sorted([]term{{expr: &expr{op: "column", column: id}}}, bounds{-1, 0})
}

// join returns the pairs of rows of r and of the table that satisfy the conditions, and the
// conditions that need further tables. If the table is left joined, it adds the rows of r without a
// pair.
func (r *relation) join(right *relation, t *table, list []*expr) (*relation, []*expr) {
	at := slices.Index(r.q.tables, t)
	both := &relation{q: r.q, rows: map[int][]int32{at: nil}}
	for i := range r.rows {
		both.rows[i] = nil
	}
	var pairs [][2]Vector
	var now, later []*expr
	indexed := t.index < 0
	for _, e := range list {
		if !both.within(e) {
			later = append(later, e)
			continue
		}
		if e.op == "=" && e.args[0].op == "column" && e.args[1].op == "column" {
			a, b := e.args[0].column, e.args[1].column
			if a/tableColumns == at {
				a, b = b, a
			}
			if b/tableColumns == at && a/tableColumns != at {
				x, y := r.column(a), right.column(b)
				if x.kind != text && y.kind != text {
					x, y = alike(x, y)
				}
				if x.kind == y.kind {
					pairs = append(pairs, [2]Vector{x, y})
					indexed = indexed || b%tableColumns == t.index
					continue
				}
			}
		}
		now = append(now, e)
	}
	if len(pairs) == 0 {
		leave("a join without equal columns")
	}
	if !indexed {
		leave("a join by another index")
	}
	left32, right32 := r.q.match(pairs, r.n, right.n)
	candidates := r.pair(right, left32, right32, at)
	if !t.left {
		for _, e := range now {
			candidates = candidates.filter(e)
		}
		return candidates, later
	}
	if len(now) > 0 {
		number := make([]int32, len(left32))
		for i := range number {
			number[i] = int32(i)
		}
		candidates.keyed["number"] = Vector{kind: text, n: len(number), codes: number}
		for _, e := range now {
			candidates = candidates.filter(e)
		}
		kept := candidates.keyed["number"].codes
		left32, right32 = gather(left32, kept, -1), gather(right32, kept, -1)
	}
	var outLeft, outRight []int32
	k := 0
	for i := range int32(r.n) {
		if k == len(left32) || left32[k] != i {
			outLeft, outRight = append(outLeft, i), append(outRight, -1)
		}
		for ; k < len(left32) && left32[k] == i; k++ {
			outLeft, outRight = append(outLeft, i), append(outRight, right32[k])
		}
	}
	return r.pair(right, outLeft, outRight, at), later
}

// pair returns the pairs of rows of r and of a relation of one table.
func (r *relation) pair(right *relation, rows, others []int32, at int) *relation {
	out := r.take(rows)
	switch old := right.rows[at]; {
	case old != nil:
		others = gather(old, others, -1)
	case others == nil:
		others = []int32{}
	}
	out.rows[at] = others
	return out
}

// match returns the pairs of rows in which all pairs of vectors are equal, in ascending order.
func (q *query) match(pairs [][2]Vector, n, m int) (rows, others []int32) {
	var a, b []int32
	for k, p := range pairs {
		x, y := shared(p[0].full(n), p[1].full(m))
		if k == 0 {
			a, b = x, y
			continue
		}
		t := newNumbering(m)
		for i := range b {
			b[i] = t.pair(b[i], y[i], true)
		}
		for i := range a {
			a[i] = t.pair(a[i], x[i], false)
		}
	}
	q.check()
	card := int32(0)
	for _, id := range b {
		card = max(card, id+1)
	}
	start := make([]int32, card+1)
	for _, id := range b {
		if id >= 0 {
			start[id+1]++
		}
	}
	for i := range card {
		start[i+1] += start[i]
	}
	list := make([]int32, start[card])
	fill := slices.Clone(start)
	for i, id := range b {
		if id >= 0 {
			list[fill[id]] = int32(i)
			fill[id]++
		}
	}
	total := 0
	for _, id := range a {
		if id >= 0 && id < card {
			total += int(start[id+1] - start[id])
		}
	}
	if total > max(manyPairs, 4*(n+m)) {
		leave("a join with many more rows than its tables")
	}
	rows, others = make([]int32, 0, total), make([]int32, 0, total)
	for i, id := range a {
		if i%grain == 0 {
			q.check()
		}
		if id < 0 || id >= card {
			continue
		}
		for _, o := range list[start[id]:start[id+1]] {
			rows, others = append(rows, int32(i)), append(others, o)
		}
	}
	return rows, others
}

// manyPairs is the number of pairs of rows up to which a join keeps them in memory. SQLite doesn't
// keep them.
const manyPairs = 1 << 22

// shared returns numbers that are equal for equal values of the two vectors, which are of one kind.
// The number of a missing value is -1, as are those of values of x that y doesn't have.
func shared(x, y Vector) (a, b []int32) {
	a, b = make([]int32, x.n), make([]int32, y.n)
	if x.kind == text {
		_, codes := union([]*words{y.words, x.words})
		for _, s := range []struct {
			v   Vector
			out []int32
		}{{x, a}, {y, b}} {
			remap := codes[s.v.words]
			for i, c := range s.v.codes {
				if c >= 0 && remap != nil {
					c = remap[c]
				}
				s.out[i] = c
			}
		}
		return a, b
	}
	t := newNumbering(y.n)
	for i := range b {
		b[i] = -1
		if !y.missing(i) {
			b[i] = t.add(y.bits(i))
		}
	}
	par.Range(len(a), grain, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			a[i] = -1
			if !x.missing(i) {
				a[i] = t.find(x.bits(i))
			}
		}
	})
	return a, b
}

// bits returns a number that is equal for equal numbers.
func (v *Vector) bits(i int) uint64 {
	switch v.kind {
	case integer:
		return uint64(v.ints[i])
	case boolean:
		if v.bools[i] {
			return 1
		}
		return 0
	}
	return math.Float64bits(v.floats[i] + 0)
}

// numbering numbers 64-bit keys in the order in which they are added.
type numbering struct {
	keys []uint64
	ids  []int32 // id + 1; 0 is free
	n    int
}

func newNumbering(n int) *numbering {
	size := 64
	for size < n*2 {
		size *= 2
	}
	return &numbering{keys: make([]uint64, size), ids: make([]int32, size)}
}

func spread(k uint64) uint64 {
	k *= 0x9E3779B97F4A7C15
	k ^= k >> 29
	k *= 0xBF58476D1CE4E5B9
	return k ^ k>>32
}

// find returns the number of a key, or -1.
func (t *numbering) find(k uint64) int32 {
	m := uint64(len(t.keys) - 1)
	for h := spread(k) & m; ; h = (h + 1) & m {
		if t.ids[h] == 0 {
			return -1
		}
		if t.keys[h] == k {
			return t.ids[h] - 1
		}
	}
}

// add returns the number of a key, a new one if the key has none.
func (t *numbering) add(k uint64) int32 {
	m := uint64(len(t.keys) - 1)
	h := spread(k) & m
	for ; t.ids[h] != 0; h = (h + 1) & m {
		if t.keys[h] == k {
			return t.ids[h] - 1
		}
	}
	t.n++
	t.keys[h], t.ids[h] = k, int32(t.n)
	if t.n*2 > len(t.keys) {
		old := *t
		t.keys, t.ids = make([]uint64, 2*len(old.keys)), make([]int32, 2*len(old.keys))
		m := uint64(len(t.keys) - 1)
		for i, id := range old.ids {
			if id == 0 {
				continue
			}
			h := spread(old.keys[i]) & m
			for t.ids[h] != 0 {
				h = (h + 1) & m
			}
			t.keys[h], t.ids[h] = old.keys[i], id
		}
	}
	return int32(t.n) - 1
}

// pair numbers a pair of numbers; -1 in one of them is -1.
func (t *numbering) pair(a, b int32, add bool) int32 {
	if a < 0 || b < 0 {
		return -1
	}
	k := uint64(a)<<32 | uint64(b)
	if add {
		return t.add(k)
	}
	return t.find(k)
}
