package frame

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/gokernel/gokernel/mlstd/internal/par"
)

const (
	digitBits = 11
	fewRows   = 256     // rows that are sorted faster by comparing them
	manyRows  = 1 << 16 // rows that are dealt out to goroutines first
)

// sorter sorts row numbers by 64-bit keys and reuses its buffers.
type sorter struct {
	keys, keys2 []uint64
	rows, rows2 []int32
}

func newSorter(n int) *sorter {
	return &sorter{make([]uint64, n), make([]uint64, n), make([]int32, n), make([]int32, n)}
}

// sort orders the first n of s.rows by s.keys; equal keys keep their order.
func (s *sorter) sort(n int) {
	a, b := run{s.keys[:n], s.rows[:n]}, run{s.keys2[:n], s.rows2[:n]}
	if n < manyRows {
		a.sort(b)
		return
	}
	start := a.deal(b)
	par.Range(len(start)-1, 1, func(k, _ int) {
		lo, hi := start[k], start[k+1]
		b.part(lo, hi).sort(a.part(lo, hi))
	})
	s.keys, s.keys2, s.rows, s.rows2 = s.keys2, s.keys, s.rows2, s.rows
}

// run is a list of keys and their rows.
type run struct {
	keys []uint64
	rows []int32
}

func (r run) part(lo, hi int) run { return run{r.keys[lo:hi], r.rows[lo:hi]} }

// differ has the bits set in which keys differ.
func (r run) differ() uint64 {
	var bits uint64
	for _, k := range r.keys {
		bits |= k ^ r.keys[0]
	}
	return bits
}

// deal copies the run to another run, bucket by bucket according to the highest eight bits in which
// keys differ. It returns where each bucket starts.
func (r run) deal(to run) []int {
	const buckets = 256
	n := len(r.keys)
	shift := max(0, bits.Len64(r.differ())-8)
	chunk := max(grain, (n+15)/16)
	chunks := (n + chunk - 1) / chunk
	at := make([]int, chunks*buckets)
	par.Range(n, chunk, func(lo, hi int) {
		at := at[lo/chunk*buckets:][:buckets]
		for _, k := range r.keys[lo:hi] {
			at[k>>shift&(buckets-1)]++
		}
	})
	start, sum := make([]int, buckets+1), 0
	for k := range buckets {
		start[k] = sum
		for c := range chunks {
			at[c*buckets+k], sum = sum, sum+at[c*buckets+k]
		}
	}
	start[buckets] = sum
	par.Range(n, chunk, func(lo, hi int) {
		at := at[lo/chunk*buckets:][:buckets]
		for i := lo; i < hi; i++ {
			b := r.keys[i] >> shift & (buckets - 1)
			to.keys[at[b]], to.rows[at[b]] = r.keys[i], r.rows[i]
			at[b]++
		}
	})
	return start
}

// sort sorts the run, with another run of its size as a buffer.
func (r run) sort(help run) {
	n := len(r.keys)
	if n < fewRows {
		r.insert(help)
		return
	}
	from, to := r, help
	differ := r.differ()
	for shift := 0; shift < 64; shift += digitBits {
		if differ>>shift&(1<<digitBits-1) == 0 {
			continue // all have the same digit
		}
		var at [1 << digitBits]int32
		for _, k := range from.keys {
			at[k>>shift&(1<<digitBits-1)]++
		}
		sum := int32(0)
		for b, n := range at {
			at[b] = sum
			sum += n
		}
		for i, k := range from.keys {
			b := k >> shift & (1<<digitBits - 1)
			to.keys[at[b]], to.rows[at[b]] = k, from.rows[i]
			at[b]++
		}
		from, to = to, from
	}
	if n > 0 && &from.keys[0] != &r.keys[0] {
		copy(r.keys, from.keys)
		copy(r.rows, from.rows)
	}
}

// insert is an insertion sort for short runs.
func (r run) insert(help run) {
	order := upTo(len(r.keys))
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(r.keys[a], r.keys[b]) })
	for i, k := range order {
		help.keys[i], help.rows[i] = r.keys[k], r.rows[k]
	}
	copy(r.keys, help.keys)
	copy(r.rows, help.rows)
}

// floatKey maps a float to an integer of the same order; −0 equals 0.
func floatKey(x float64) uint64 {
	b := math.Float64bits(x + 0)
	if b>>63 == 1 {
		return ^b
	}
	return b | 1<<63
}

// keyFloat returns the float of which [floatKey] made the key.
func keyFloat(k uint64) float64 {
	if k>>63 == 0 {
		return math.Float64frombits(^k)
	}
	return math.Float64frombits(k &^ (1 << 63))
}

// intKey maps an integer to an unsigned one of the same order.
func intKey(x int64) uint64 { return uint64(x) ^ 1<<63 }

// orderKeys writes a key for each of the rows, none of which is missing. The keys have the order of
// the values of the column.
func (c *Column) orderKeys(keys []uint64, rows []int32) {
	var rank []int32
	var codes []int32
	if c.kind.text() {
		var w *words
		codes, w = c.coded()
		rank = w.ranks(c.kind)
	}
	par.Range(len(rows), grain, func(lo, hi int) {
		keys, rows := keys[lo:hi], rows[lo:hi]
		switch c.kind {
		case FloatKind:
			for i, r := range rows {
				keys[i] = floatKey(c.floats[r])
			}
		case BoolKind:
			for i, r := range rows {
				keys[i] = 0
				if c.bools[r] {
					keys[i] = 1
				}
			}
		case IntKind, TimeKind:
			for i, r := range rows {
				keys[i] = intKey(c.ints[r])
			}
		default:
			for i, r := range rows {
				keys[i] = uint64(rank[codes[r]])
			}
		}
	})
}

// ranks returns the position of each word in the order of a column of that kind: categories in the
// order of their levels, strings in the order of their bytes.
func (w *words) ranks(kind Kind) []int32 {
	if kind == CategoryKind {
		return upTo(len(w.list))
	}
	w.sorted.Do(func() {
		order := upTo(len(w.list))
		slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(w.list[a], w.list[b]) })
		w.rank = make([]int32, len(order))
		for r, k := range order {
			w.rank[k] = int32(r)
		}
	})
	return w.rank
}
