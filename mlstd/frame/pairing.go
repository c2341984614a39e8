package frame

import (
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/gokernel/gokernel/mlstd/internal/par"
)

// pairing tells which rows of two frames have equal keys. Distinct keys are numbered.
type pairing struct {
	single bool    // whether no key occurs twice on the right
	left   []int32 // of each left row, its right row when single and otherwise its key; -1 without a partner
	right  []int32 // of each right row, its key, -1 when it is missing
	start  []int32 // of each key, where its right rows start in rows, and after them the end, unless single
	rows   []int32 // right rows, key by key, each in order, unless single
	hit    bitmap  // keys that left rows have
	met    int     // right rows whose key left rows have
	most   int     // the largest number of right rows with one key
}

// nobody is the number for keys that the other side lacks.
const nobody int32 = -1

// pairRows pairs the rows of two frames by columns; missing keys have no partner.
func pairRows(op string, f, other *Frame, names, others []string) *pairing {
	left, right, card := pairKeys(op, f, other, names, others)
	p := &pairing{left: left, right: right}
	p.index(int(card))
	return p
}

// pairKeys numbers the combinations of keys of two frames alike.
func pairKeys(op string, f, other *Frame, names, others []string) (left, right []int32, card uint64) {
	left, right, card = pairColumns(op, f.col(op, names[0]), other.col(op, others[0]))
	for j := 1; j < len(names); j++ {
		l, r, c := pairColumns(op, f.col(op, names[j]), other.col(op, others[j]))
		hi, product := bits.Mul64(card, c)
		if hi == 0 && product < 1<<31 {
			combine(left, l, c)
			combine(right, r, c)
			card = product
			continue
		}
		a, leftGone := composite(left, l)
		b, rightGone := composite(right, r)
		left, right, card = intern(a, b, leftGone, rightGone)
	}
	return left, right, card
}

// combine sets a to a*card + b, or to nobody where either is nobody.
func combine(a, b []int32, card uint64) {
	par.Range(len(a), grain, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if a[i] == nobody || b[i] == nobody {
				a[i] = nobody
			} else {
				a[i] = a[i]*int32(card) + b[i]
			}
		}
	})
}

// composite packs two numbers into one of 64 bits, and returns the rows where either is nobody.
func composite(a, b []int32) (keys []uint64, gone bitmap) {
	keys = make([]uint64, len(a))
	for i := range keys {
		keys[i] = uint64(uint32(a[i]))<<32 | uint64(uint32(b[i]))
		if a[i] == nobody || b[i] == nobody {
			gone = gone.with(i, len(a))
		}
	}
	return keys, gone
}

// intern numbers the distinct keys of the right in the order of their appearance; missing rows, and
// keys that the right lacks, get nobody.
func intern(left, right []uint64, leftGone, rightGone bitmap) (l, r []int32, card uint64) {
	width := max(4, bits.Len(uint(2*len(right))))
	slots := make([]int32, 1<<width) // 1 + the number of the key there
	var keys []uint64
	shift, mask := 64-width, uint64(len(slots)-1)
	find := func(k uint64) (slot uint64, found bool) {
		h := hash(k) >> shift
		for slots[h] != 0 && keys[slots[h]-1] != k {
			h = (h + 1) & mask
		}
		return h, slots[h] != 0
	}
	r = make([]int32, len(right))
	for i, k := range right {
		r[i] = nobody
		if rightGone.has(i) {
			continue
		}
		h, found := find(k)
		if !found {
			keys = append(keys, k)
			slots[h] = int32(len(keys))
		}
		r[i] = slots[h] - 1
	}
	l = make([]int32, len(left))
	par.Range(len(left), grain, func(lo, hi int) {
		for i, k := range left[lo:hi] {
			l[lo+i] = nobody
			if leftGone.has(lo + i) {
				continue
			}
			if h, found := find(k); found {
				l[lo+i] = slots[h] - 1
			}
		}
	})
	return l, r, uint64(len(keys))
}

// pairColumns returns the numbers of two key columns.
func pairColumns(op string, a, b *Column) (left, right []int32, card uint64) {
	switch {
	case a.kind.text() && b.kind.text():
		return pairWords(a, b)
	case a.kind == IntKind && b.kind == IntKind, a.kind == TimeKind && b.kind == TimeKind:
		lo, hi, ok := b.span()
		if ok && uint64(hi-lo) < wideRange(a.n+b.n) {
			card = uint64(hi-lo) + 1
			return a.within(lo, card), b.within(lo, card), card
		}
	case a.kind == BoolKind && b.kind == BoolKind:
	case (a.kind == FloatKind || a.kind == IntKind) && (b.kind == FloatKind || b.kind == IntKind):
		return intern(a.floatBits(), b.floatBits(), a.missing, b.missing)
	default:
		misuse(op, "convert one of them first", "key columns must be of the same kind, got %q of kind %v and %q of kind %v", a.name, a.kind, b.name, b.kind)
	}
	return intern(a.bits(), b.bits(), a.missing, b.missing)
}

// within numbers integers from lo on; those outside get nobody.
func (c *Column) within(lo int64, card uint64) []int32 {
	out := make([]int32, c.n)
	par.Range(c.n, grain, func(from, to int) {
		for i, x := range c.ints[from:to] {
			out[from+i] = nobody
			if o := uint64(x - lo); o < card && !c.missing.has(from+i) {
				out[from+i] = int32(o)
			}
		}
	})
	return out
}

// bits returns integers, times or bools as keys for [intern].
func (c *Column) bits() []uint64 {
	out := make([]uint64, c.n)
	for i := range out {
		switch {
		case c.kind != BoolKind:
			out[i] = intKey(c.ints[i])
		case c.bools[i]:
			out[i] = 1
		}
	}
	return out
}

// floatBits returns numbers as keys for [intern]; integers that float64 cannot represent match
// numbers that round to the same float64.
func (c *Column) floatBits() []uint64 {
	out := make([]uint64, c.n)
	for i, x := range c.numbers() {
		out[i] = floatKey(x)
	}
	return out
}

// pairWords numbers strings by the dictionary of the right.
func pairWords(a, b *Column) (left, right []int32, card uint64) {
	codes, w := a.coded()
	others, v := b.coded()
	to := make([]int32, len(w.list)+1) // by 1 + code
	to[0] = nobody
	if w == v {
		for k := range w.list {
			to[k+1] = int32(k)
		}
	} else {
		index := make(map[string]int32, len(v.list))
		for k, s := range v.list {
			index[s] = int32(k)
		}
		for k, s := range w.list {
			number, ok := index[s]
			if !ok {
				number = nobody
			}
			to[k+1] = number
		}
	}
	left = make([]int32, a.n)
	par.Range(a.n, grain, func(lo, hi int) {
		for i, k := range codes[lo:hi] {
			left[lo+i] = to[k+1]
		}
	})
	return left, slices.Clone(others), uint64(len(v.list))
}

// index finds the right rows of each key.
func (p *pairing) index(card int) {
	only := none(card)
	p.single, p.most = true, 1
	for i, k := range p.right {
		if k < 0 {
			continue
		}
		if only[k] >= 0 {
			p.single = false
			p.list(card)
			break
		}
		only[k] = int32(i)
	}
	hit := make([]uint32, (card+31)/32)
	par.Range(len(p.left), grain, func(lo, hi int) {
		left := p.left[lo:hi]
		for i, k := range left {
			if k < 0 {
				continue
			}
			if only[k] < 0 && (p.single || p.start[k] == p.start[k+1]) {
				left[i] = -1
				continue
			}
			if bit := uint32(1) << (k & 31); atomic.LoadUint32(&hit[k>>5])&bit == 0 {
				atomic.OrUint32(&hit[k>>5], bit)
			}
			if p.single {
				left[i] = only[k]
			}
		}
	})
	p.hit = newBitmap(card)
	for w, word := range hit {
		p.hit[w>>1] |= uint64(word) << (w & 1 * 32)
	}
	p.met = p.hit.count()
	if !p.single {
		p.met = 0
		for k := range card {
			if p.hit.has(k) {
				p.met += int(p.start[k+1] - p.start[k])
			}
		}
	}
}

// list puts the right rows in the order of their keys.
func (p *pairing) list(card int) {
	p.start = make([]int32, card+1)
	for _, k := range p.right {
		if k >= 0 {
			p.start[k+1]++
		}
	}
	for k := range card {
		p.most = max(p.most, int(p.start[k+1]))
		p.start[k+1] += p.start[k]
	}
	at := slices.Clone(p.start[:card])
	p.rows = make([]int32, p.start[card])
	for i, k := range p.right {
		if k >= 0 {
			p.rows[at[k]] = int32(i)
			at[k]++
		}
	}
}

// matches returns the pairs of rows, sorted by left row and then by right row. With
// all, a left row without a partner is paired with -1. left is nil when it would be
// all left rows, each once.
func (p *pairing) matches(op string, all bool) (left, right []int32) {
	if all && p.single {
		return nil, p.left
	}
	at := make([]int, (len(p.left)+grain-1)/grain)
	par.Range(len(p.left), grain, func(lo, hi int) {
		n := 0
		for _, k := range p.left[lo:hi] {
			n += p.partners(k, all)
		}
		at[lo/grain] = n
	})
	total := 0
	for c, n := range at {
		at[c], total = total, total+n
	}
	if total > limit {
		misuse(op, "remove repeated keys from one frame first, with Distinct or By", "the result would have too many rows: %d", total)
	}
	left, right = make([]int32, total), make([]int32, total)
	par.Range(len(p.left), grain, func(lo, hi int) {
		o := at[lo/grain]
		for i, k := range p.left[lo:hi] {
			switch {
			case k < 0 && !all:
			case k < 0 || p.single:
				left[o], right[o] = int32(lo+i), k
				o++
			default:
				for _, r := range p.rows[p.start[k]:p.start[k+1]] {
					left[o], right[o] = int32(lo+i), r
					o++
				}
			}
		}
	})
	return left, right
}

// partners counts the result rows for a left row.
func (p *pairing) partners(k int32, all bool) int {
	switch {
	case k < 0 && !all:
		return 0
	case k < 0 || p.single:
		return 1
	}
	return int(p.start[k+1] - p.start[k])
}

// limit is the largest number of rows of a frame.
const limit = 1<<31 - 1

// alone returns the left rows without a partner, or the left rows with one.
func (p *pairing) alone(without bool) []int32 {
	rows := make([]int32, 0, len(p.left))
	for i, k := range p.left {
		if (k < 0) == without {
			rows = append(rows, int32(i))
		}
	}
	return rows
}

// rightAlone returns the right rows without a partner.
func (p *pairing) rightAlone() []int32 {
	var rows []int32
	for i, k := range p.right {
		if k < 0 || !p.hit.has(int(k)) {
			rows = append(rows, int32(i))
		}
	}
	return rows
}
