package frame

import (
	"math/bits"
	"sync/atomic"

	"github.com/gokernel/gokernel/mlstd/internal/par"
)

// grouping tells which group each row is in. Groups are in ascending order of their keys; missing
// keys come last.
type grouping struct {
	n     int     // groups
	id    []int32 // of each row, its group
	first []int32 // of each group, its first row
	count []int32 // of each group, its rows; made when first needed
	rows  []int32 // all rows, group by group in order; made when first needed
}

// group groups the rows by the named columns.
func (f *Frame) group(op string, names []string) *grouping {
	keys := make([]key, len(names))
	card, hi := uint64(1), uint64(0)
	for j, name := range names {
		keys[j] = f.col(op, name).key()
		if hi == 0 {
			hi, card = bits.Mul64(card, keys[j].card)
		}
	}
	switch {
	case f.n == 0:
		return &grouping{}
	case hi == 0 && card <= max(1<<16, min(2*uint64(f.n), 1<<26)):
		return groupDense(f.n, keys, int(card))
	case hi == 0:
		return groupSparse(folded[uint64](f.n, keys))
	}
	return groupWide(f.n, keys)
}

// groupWide groups by keys that do not fit into 64 bits together: it combines the keys before the
// last into one until all fit.
func groupWide(n int, keys []key) *grouping {
	card, hi := uint64(1), uint64(0)
	for _, k := range keys {
		if hi == 0 {
			hi, card = bits.Mul64(card, k.card)
		}
	}
	if hi == 0 {
		return groupSparse(folded[uint64](n, keys))
	}
	last := len(keys) - 1
	before := groupWide(n, keys[:last])
	return groupWide(n, []key{{card: uint64(before.n), ords: unsigned(before.id)}, keys[last]})
}

func unsigned(v []int32) []uint32 {
	out := make([]uint32, len(v))
	for i, x := range v {
		out[i] = uint32(x)
	}
	return out
}

// folded combines the keys of each row into one number that has the same order.
func folded[T uint32 | uint64](n int, keys []key) []T {
	out := make([]T, n)
	for j, k := range keys {
		fold(out, k, j == 0)
	}
	return out
}

// groupDense groups with a table that has an entry for each of the card possible keys.
func groupDense(n int, keys []key, card int) *grouping {
	all := folded[uint32](n, keys)
	place := make([]int32, card)
	par.Range(n, grain, func(lo, hi int) {
		for _, k := range all[lo:hi] {
			if atomic.LoadInt32(&place[k]) == 0 {
				atomic.StoreInt32(&place[k], 1)
			}
		}
	})
	g := &grouping{id: make([]int32, n)}
	for k, seen := range place {
		place[k] = int32(g.n)
		g.n += int(seen)
	}
	par.Range(n, grain, func(lo, hi int) {
		id := g.id[lo:hi]
		for i, k := range all[lo:hi] {
			id[i] = place[k]
		}
	})
	g.findFirst()
	return g
}

// findFirst finds the first row of each group.
func (g *grouping) findFirst() {
	g.first = make([]int32, g.n)
	for k := range g.first {
		g.first[k] = -1
	}
	missing := g.n
	for i, k := range g.id {
		if g.first[k] < 0 {
			g.first[k] = int32(i)
			if missing--; missing == 0 {
				return
			}
		}
	}
}

// pair is a key and its row.
type pair struct {
	key uint64
	row int32
}

// groupSparse groups by keys of 64 bits. It distributes rows by a hash of their key to parts that
// fit into the cache, groups each part with a table, and then sorts all keys.
func groupSparse(keys []uint64) *grouping {
	n := len(keys)
	shift := 64 - bits.Len(uint(n>>12)) // parts of some 4096 rows
	shift = max(shift, 64-10)
	start, dealt := deal(keys, shift)
	parts := len(start) - 1
	heads := make([][]pair, parts) // of each part, the keys of its groups and their first rows
	local := make([]int32, n)      // of each dealt row, its group within the part
	par.Range(parts, 1, func(p, _ int) {
		heads[p] = table(dealt[start[p]:start[p+1]], local[start[p]:start[p+1]])
	})
	base := make([]int, parts+1)
	for p, h := range heads {
		base[p+1] = base[p] + len(h)
	}
	g := &grouping{n: base[parts], id: make([]int32, n), first: make([]int32, base[parts])}
	number := g.number(heads, base)
	par.Range(parts, 1, func(p, _ int) {
		number := number[base[p]:]
		for i := start[p]; i < start[p+1]; i++ {
			g.id[dealt[i].row] = number[local[i]]
		}
	})
	return g
}

// number numbers the groups of the parts in the order of their keys.
func (g *grouping) number(heads [][]pair, base []int) []int32 {
	s := newSorter(g.n)
	first := make([]int32, g.n)
	par.Range(len(heads), 1, func(p, _ int) {
		for i, h := range heads[p] {
			s.keys[base[p]+i], s.rows[base[p]+i] = h.key, int32(base[p]+i)
			first[base[p]+i] = h.row
		}
	})
	s.sort(g.n)
	number := make([]int32, g.n)
	for place, k := range s.rows[:g.n] {
		number[k] = int32(place)
		g.first[place] = first[k]
	}
	return number
}

// deal sorts the rows by the bits of their hash above shift, and returns where each
// part starts.
func deal(keys []uint64, shift int) (start []int, dealt []pair) {
	n, parts := len(keys), 1<<(64-shift)
	chunk := max(grain, (n+15)/16)
	chunks := (n + chunk - 1) / chunk
	at := make([]int, chunks*parts) // where the rows of a chunk go in a part
	par.Range(n, chunk, func(lo, hi int) {
		at := at[lo/chunk*parts:][:parts]
		for _, k := range keys[lo:hi] {
			at[hash(k)>>shift]++
		}
	})
	start = make([]int, parts+1)
	sum := 0
	for p := range parts {
		start[p] = sum
		for c := range chunks {
			at[c*parts+p], sum = sum, sum+at[c*parts+p]
		}
	}
	start[parts] = sum
	dealt = make([]pair, n)
	par.Range(n, chunk, func(lo, hi int) {
		at := at[lo/chunk*parts:][:parts]
		for i := lo; i < hi; i++ {
			p := hash(keys[i]) >> shift
			dealt[at[p]] = pair{keys[i], int32(i)}
			at[p]++
		}
	})
	return start, dealt
}

// hash mixes the bits of a key; the high bits are mixed best.
func hash(k uint64) uint64 {
	k ^= k >> 32
	return k * 0x9E3779B97F4A7C15
}

// table numbers the distinct keys of the rows in the order of their appearance, and
// returns them with their first rows.
func table(rows []pair, local []int32) []pair {
	width := max(4, bits.Len(uint(2*len(rows))))
	slots := make([]int32, 1<<width) // 1 + the number of the key there
	mask := uint64(len(slots) - 1)
	var heads []pair
	for i, r := range rows {
		h := hash(r.key) >> 16 & mask
		for {
			k := slots[h]
			if k == 0 {
				heads = append(heads, r)
				slots[h] = int32(len(heads))
				local[i] = int32(len(heads)) - 1
				break
			}
			if heads[k-1].key == r.key {
				local[i] = k - 1
				break
			}
			h = (h + 1) & mask
		}
	}
	return heads
}

// pieces returns the number of pieces of rows that goroutines count or sum separately. It depends
// only on the numbers of rows and groups, so that sums don't depend on the machine.
func (g *grouping) pieces() (pieces, size int) {
	n := len(g.id)
	pieces = max(1, min(16, n/(4*g.n+grain)))
	return pieces, (n + pieces - 1) / pieces
}

// counts returns the number of rows of each group.
func (g *grouping) counts() []int32 {
	if g.count != nil || g.n == 0 {
		return g.count
	}
	pieces, size := g.pieces()
	part := make([]int32, pieces*g.n)
	par.Range(len(g.id), size, func(lo, hi int) {
		c := part[lo/size*g.n:][:g.n]
		for _, k := range g.id[lo:hi] {
			c[k]++
		}
	})
	g.count = part[:g.n:g.n]
	for p := 1; p < pieces; p++ {
		for k, x := range part[p*g.n:][:g.n] {
			g.count[k] += x
		}
	}
	return g.count
}

// starts returns where the rows of each group start when they are listed group by group, followed
// by the number of rows.
func (g *grouping) starts() []int32 {
	at := make([]int32, g.n+1)
	for k, c := range g.counts() {
		at[k+1] = at[k] + c
	}
	return at
}

// members returns all rows, group by group, in the order of the frame within a group.
func (g *grouping) members() []int32 {
	if g.rows != nil || g.n == 0 {
		return g.rows
	}
	rows := make([]int32, len(g.id))
	at := g.starts()
	for i, k := range g.id {
		rows[at[k]] = int32(i)
		at[k]++
	}
	g.rows = rows
	return rows
}
