// Package vector executes select statements over the columns of frames, whole columns at a time.
// Its results equal SQLite's in values, types and order. It leaves each statement to SQLite that it
// can't execute with an identical result.
package vector

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/par"
)

// kind is the class of the values of a vector. A vector of any kind can have missing values.
type kind byte

const (
	null    kind = iota // all values are missing
	integer             // in ints
	boolean             // integers 0 and 1, in bools
	float               // in floats, NaN where missing
	text                // codes of words, -1 where missing
)

// value is a single value.
type value struct {
	kind kind
	i    int64
	f    float64
	s    string
}

// Vector is a list of values of a kind. A vector of floats can have integers among its values,
// which whole marks. A vector with one set has a single value for all rows.
type Vector struct {
	kind   kind
	n      int
	ints   []int64
	bools  []bool
	floats []float64
	whole  []bool
	codes  []int32
	words  *words
	gone   []bool // of integers and booleans: the missing values; nil if there are none
	one    bool
	shared bool // the slices are those of a frame
}

// words are the distinct strings of a vector.
type words struct {
	list   []string
	ranked sync.Once
	rank   []int32
}

// ranks returns the position of each word in ascending order of the bytes.
func (w *words) ranks() []int32 {
	w.ranked.Do(func() {
		order := make([]int32, len(w.list))
		for i := range order {
			order[i] = int32(i)
		}
		slices.SortFunc(order, func(a, b int32) int { return strings.Compare(w.list[a], w.list[b]) })
		w.rank = make([]int32, len(order))
		for r, k := range order {
			w.rank[k] = int32(r)
		}
	})
	return w.rank
}

// compact returns the vector with only the words that occur, in the order in which they occur, if
// it has more words than values.
func (v Vector) compact() Vector {
	if v.kind != text || v.one || len(v.words.list) <= v.n {
		return v
	}
	out := Vector{kind: text, n: v.n, codes: make([]int32, v.n), words: &words{}}
	code := make([]int32, len(v.words.list)) // code + 1; 0 for words that don't occur
	for i, c := range v.codes {
		if c < 0 {
			out.codes[i] = -1
			continue
		}
		if code[c] == 0 {
			out.words.list = append(out.words.list, v.words.list[c])
			code[c] = int32(len(out.words.list))
		}
		out.codes[i] = code[c] - 1
	}
	return out
}

// Left is the error of a statement that must be left to SQLite.
type Left struct{ Why string }

func (l *Left) Error() string { return "the statement is left to SQLite: " + l.Why }

// leave stops the execution of the statement.
func leave(format string, args ...any) { panic(&Left{fmt.Sprintf(format, args...)}) }

// recoverLeft sets the error if the statement was left.
func recoverLeft(err *error) {
	if r := recover(); r != nil {
		l, is := r.(*Left)
		if !is {
			panic(r)
		}
		*err = l
	}
}

// constant returns the vector of one value for all rows.
func constant(v value) Vector {
	x := Vector{kind: v.kind, n: 1, one: true}
	switch v.kind {
	case integer:
		x.ints = []int64{v.i}
	case boolean:
		x.bools = []bool{v.i != 0}
	case float:
		x.floats = []float64{v.f}
	case text:
		x.codes, x.words = []int32{0}, &words{list: []string{v.s}}
	}
	return x
}

// single returns the value of a vector with one set.
func (v Vector) single() value {
	x := value{kind: v.kind}
	switch v.kind {
	case integer:
		x.i = v.ints[0]
	case boolean:
		if v.bools[0] {
			x.i = 1
		}
	case float:
		x.f = v.floats[0]
		if v.whole != nil && v.whole[0] {
			return value{kind: integer, i: int64(x.f)}
		}
	case text:
		x.s = v.words.list[v.codes[0]]
	}
	if v.missing(0) {
		return value{}
	}
	return x
}

// missing reports whether the value of row i is missing.
func (v *Vector) missing(i int) bool {
	switch v.kind {
	case null:
		return true
	case float:
		return v.floats[i] != v.floats[i]
	case text:
		return v.codes[i] < 0
	}
	return v.gone != nil && v.gone[i]
}

// part returns the rows from lo to hi-1; a single value stays.
func (v Vector) part(lo, hi int) Vector {
	if v.one {
		return v
	}
	p := v
	p.n = hi - lo
	switch v.kind {
	case integer:
		p.ints = v.ints[lo:hi]
	case boolean:
		p.bools = v.bools[lo:hi]
	case float:
		p.floats = v.floats[lo:hi]
		if v.whole != nil {
			p.whole = v.whole[lo:hi]
		}
	case text:
		p.codes = v.codes[lo:hi]
	}
	if v.gone != nil {
		p.gone = v.gone[lo:hi]
	}
	return p
}

const grain = 1 << 14

// gather returns the values of the rows; a row of -1 is missing.
func gather[T any](values []T, rows []int32, none T) []T {
	out := make([]T, len(rows))
	par.Range(len(rows), grain, func(lo, hi int) {
		out := out[lo:hi]
		for k, r := range rows[lo:hi] {
			if r < 0 {
				out[k] = none
			} else {
				out[k] = values[r]
			}
		}
	})
	return out
}

// take returns the values of the rows; a row of -1 is missing.
func (v Vector) take(rows []int32) Vector {
	if v.one && !slices.Contains(rows, -1) {
		return v
	}
	v = v.full(v.n)
	out := Vector{kind: v.kind, n: len(rows), words: v.words}
	switch v.kind {
	case integer:
		out.ints = gather(v.ints, rows, 0)
	case boolean:
		out.bools = gather(v.bools, rows, false)
	case float:
		out.floats = gather(v.floats, rows, math.NaN())
		if v.whole != nil {
			out.whole = gather(v.whole, rows, false)
		}
	case text:
		out.codes = gather(v.codes, rows, -1)
	}
	if v.kind == integer || v.kind == boolean {
		if v.gone != nil {
			out.gone = gather(v.gone, rows, true)
		} else if slices.Contains(rows, -1) {
			out.gone = make([]bool, len(rows))
			for k, r := range rows {
				out.gone[k] = r < 0
			}
		}
	}
	return out
}

func repeat[T any](v []T, n int) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = v[0]
	}
	return out
}

// full returns the vector with a value for each of n rows.
func (v Vector) full(n int) Vector {
	if !v.one {
		return v
	}
	out := Vector{kind: v.kind, n: n, words: v.words}
	switch v.kind {
	case integer:
		out.ints = repeat(v.ints, n)
	case boolean:
		out.bools = repeat(v.bools, n)
	case float:
		out.floats = repeat(v.floats, n)
		if v.whole != nil {
			out.whole = repeat(v.whole, n)
		}
	case text:
		out.codes = repeat(v.codes, n)
	}
	if v.gone != nil {
		out.gone = repeat(v.gone, n)
	}
	return out
}

// asInts returns a vector of booleans as one of integers.
func (v Vector) asInts() Vector {
	if v.kind != boolean {
		return v
	}
	v.kind = integer
	v.ints = make([]int64, len(v.bools))
	for i, b := range v.bools {
		if b {
			v.ints[i] = 1
		}
	}
	v.bools, v.shared = nil, false
	return v
}

// asFloats returns a vector of numbers as floats, without marking integers.
func (v Vector) asFloats() Vector {
	v = v.asInts()
	if v.kind != integer {
		return v
	}
	out := Vector{kind: float, n: v.n, one: v.one, floats: make([]float64, len(v.ints))}
	for i, x := range v.ints {
		out.floats[i] = float64(x)
	}
	for i, gone := range v.gone {
		if gone {
			out.floats[i] = math.NaN()
		}
	}
	return out
}

// concat joins the parts of a vector, which are of one kind.
func concat(parts []Vector, n int) Vector {
	out := Vector{n: n}
	at := 0
	for _, p := range parts {
		if p.kind != null {
			out.kind, out.words = p.kind, p.words
		}
	}
	for _, p := range parts {
		switch out.kind {
		case integer:
			out.ints = grow(out.ints, n)
			copy(out.ints[at:], p.ints)
		case boolean:
			out.bools = grow(out.bools, n)
			copy(out.bools[at:], p.bools)
		case float:
			out.floats = grow(out.floats, n)
			copy(out.floats[at:], p.floats)
			if p.whole != nil {
				out.whole = grow(out.whole, n)
				copy(out.whole[at:], p.whole)
			}
		case text:
			out.codes = grow(out.codes, n)
			copy(out.codes[at:], p.codes)
		}
		if p.gone != nil {
			out.gone = grow(out.gone, n)
			copy(out.gone[at:], p.gone)
		}
		at += p.n
	}
	return out
}

func grow[T any](v []T, n int) []T {
	if v == nil {
		return make([]T, n)
	}
	return v
}

// own returns the vector with slices of its own, which the caller can put into a frame.
func (v Vector) own() Vector {
	if v.shared {
		v.ints, v.floats, v.codes, v.shared = slices.Clone(v.ints), slices.Clone(v.floats), slices.Clone(v.codes), false
	}
	return v
}

// Ints returns the values of a vector of integers, and the rows in which they are missing.
func (v Vector) Ints() (ints []int64, gone []bool, ok bool) {
	v = v.asInts().own()
	return v.ints, v.gone, v.kind == integer
}

// Floats returns the values of a vector of floats, NaN for a missing value, and the rows in which
// they are integers, which may be nil.
func (v Vector) Floats() (floats []float64, whole []bool, ok bool) {
	v = v.own()
	return v.floats, v.whole, v.kind == float
}

// Texts returns the strings of a vector as codes of distinct words, -1 for a missing value. The
// slices must not be changed.
func (v Vector) Texts() (codes []int32, list []string, ok bool) {
	if v.kind != text {
		return nil, nil, false
	}
	return v.codes, v.words.list, true
}

// Column returns the vector as a column of n rows.
func (v Vector) Column(name string, n int) *frame.Column {
	v = v.full(n).asInts().own()
	switch v.kind {
	case integer:
		gaps := make([]uint64, (n+63)/64)
		for i, gone := range v.gone {
			if gone {
				gaps[i>>6] |= 1 << (i & 63)
			}
		}
		return frame.IntColumn(name, v.ints).MarkMissing(gaps)
	case float:
		return frame.FloatColumn(name, v.floats)
	}
	return frame.StringCodes(name, v.codes, v.words.list)
}

// Of returns the vector of values, each an int64, float64, string or nil. It reports false if there
// are strings among numbers, or values of other types.
func Of(values []any) (Vector, bool) {
	var count [text + 1]int
	for _, x := range values {
		switch x := x.(type) {
		case nil:
			count[null]++
		case int64:
			count[integer]++
			if x > exactInts || x < -exactInts {
				count[boolean]++ // large integers
			}
		case float64:
			count[float]++
		case string:
			count[text]++
		default:
			return Vector{}, false
		}
	}
	n := len(values)
	numbers := count[integer] + count[float]
	switch {
	case numbers > 0 && count[text] > 0 || count[float] > 0 && count[boolean] > 0:
		return Vector{}, false
	case count[text] > 0:
		w := newLexicon()
		v := Vector{kind: text, n: n, codes: make([]int32, n), words: w.words}
		for i, x := range values {
			v.codes[i] = -1
			if s, ok := x.(string); ok {
				v.codes[i] = w.code(s)
			}
		}
		return v, true
	case count[float] > 0:
		v := Vector{kind: float, n: n, floats: make([]float64, n)}
		if count[integer] > 0 {
			v.whole = make([]bool, n)
		}
		for i, x := range values {
			switch x := x.(type) {
			case float64:
				v.floats[i] = x
			case int64:
				v.floats[i], v.whole[i] = float64(x), true
			default:
				v.floats[i] = math.NaN()
			}
		}
		return v, true
	case count[integer] > 0:
		v := Vector{kind: integer, n: n, ints: make([]int64, n)}
		for i, x := range values {
			if k, ok := x.(int64); ok {
				v.ints[i] = k
			} else {
				v.gone = grow(v.gone, n)
				v.gone[i] = true
			}
		}
		return v, true
	}
	return Vector{n: n}, true
}
