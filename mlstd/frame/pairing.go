package frame

import (
	"math/bits"
	"sync/atomic"

	"github.com/gokernel/gokernel/mlstd/internal/par"
)

// pairing tells which rows of two frames have equal keys.
type pairing struct {
	left  []int32 // of each left row, the number of its key, -1 when the right has none
	right []int32 // of each right row, the number of its key, -1 when it is missing
	start []int32 // of each number, where its right rows start in rows; behind them the end
	rows  []int32 // right rows, by number, each in order; nil when no number has two
	only  []int32 // of each number, its right row or -1, when no number has two
	hit   []int32 // of each number, 1 when a left row has it
	most  int     // the largest number of right rows with one key
}

// nobody is the number of a key that the other side lacks.
const nobody = ^uint32(0)

// pairRows pairs the rows of two frames by columns; missing keys have no partner.
func pairRows(op string, f, other *Frame, names, others []string) *pairing {
	left, right, card := pairColumns(op, f.col(op, names[0]), other.col(op, others[0]))
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
	p := &pairing{left: signed(left), right: signed(right)}
	p.index(int(card))
	return p
}

// signed reads nobody as -1.
func signed(v []uint32) []int32 {
	out := make([]int32, len(v))
	par.Range(len(v), grain, func(lo, hi int) {
		for i, x := range v[lo:hi] {
			out[lo+i] = int32(x)
		}
	})
	return out
}

// combine sets a to a*card + b, to nobody where either is.
func combine(a, b []uint32, card uint64) {
	par.Range(len(a), grain, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if a[i] == nobody || b[i] == nobody {
				a[i] = nobody
			} else {
				a[i] = a[i]*uint32(card) + b[i]
			}
		}
	})
}

// composite puts two numbers into one of 64 bits, and gives the rows where either is
// nobody.
func composite(a, b []uint32) (keys []uint64, gone bitmap) {
	keys = make([]uint64, len(a))
	for i := range keys {
		keys[i] = uint64(a[i])<<32 | uint64(b[i])
		if a[i] == nobody || b[i] == nobody {
			gone = gone.with(i, len(a))
		}
	}
	return keys, gone
}

// intern numbers the distinct keys of the right in the order of their appearance; rows
// that are gone, and keys that the right lacks, get nobody.
func intern(left, right []uint64, leftGone, rightGone bitmap) (l, r []uint32, card uint64) {
	width := max(4, bits.Len(uint(2*len(right))))
	slots := make([]uint32, 1<<width) // 1 + the number of the key there
	var keys []uint64
	shift, mask := 64-width, uint64(len(slots)-1)
	find := func(k uint64) (slot uint64, found bool) {
		h := hash(k) >> shift
		for slots[h] != 0 && keys[slots[h]-1] != k {
			h = (h + 1) & mask
		}
		return h, slots[h] != 0
	}
	r = make([]uint32, len(right))
	for i, k := range right {
		r[i] = nobody
		if rightGone.has(i) {
			continue
		}
		h, found := find(k)
		if !found {
			keys = append(keys, k)
			slots[h] = uint32(len(keys))
		}
		r[i] = slots[h] - 1
	}
	l = make([]uint32, len(left))
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

// pairColumns gives the numbers of two key columns.
func pairColumns(op string, a, b *Column) (left, right []uint32, card uint64) {
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
		misuse(op, "convert one of them first", "column %q of kind %v has no equals in column %q of kind %v", a.name, a.kind, b.name, b.kind)
	}
	return intern(a.bits(), b.bits(), a.missing, b.missing)
}

// within numbers integers from lo on; those outside get nobody.
func (c *Column) within(lo int64, card uint64) []uint32 {
	out := make([]uint32, c.n)
	par.Range(c.n, grain, func(from, to int) {
		for i, x := range c.ints[from:to] {
			out[from+i] = nobody
			if o := uint64(x - lo); o < card && !c.missing.has(from+i) {
				out[from+i] = uint32(o)
			}
		}
	})
	return out
}

// bits gives integers, times or bools as keys for [intern].
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

// floatBits gives numbers as keys for [intern]; integers that float64 does not hold
// find what rounds to the same.
func (c *Column) floatBits() []uint64 {
	out := make([]uint64, c.n)
	for i, x := range c.numbers() {
		out[i] = floatKey(x)
	}
	return out
}

// pairWords numbers strings by the dictionary of the right.
func pairWords(a, b *Column) (left, right []uint32, card uint64) {
	codes, w := a.coded()
	others, v := b.coded()
	to := make([]uint32, len(w.list)+1) // by 1 + code
	to[0] = nobody
	if w == v {
		for k := range w.list {
			to[k+1] = uint32(k)
		}
	} else {
		index := make(map[string]uint32, len(v.list))
		for k, s := range v.list {
			index[s] = uint32(k)
		}
		for k, s := range w.list {
			number, ok := index[s]
			if !ok {
				number = nobody
			}
			to[k+1] = number
		}
	}
	left = make([]uint32, a.n)
	par.Range(a.n, grain, func(lo, hi int) {
		for i, k := range codes[lo:hi] {
			left[lo+i] = to[k+1]
		}
	})
	return left, unsigned(others), uint64(len(v.list))
}

// index finds the right rows of each number.
func (p *pairing) index(card int) {
	p.hit = make([]int32, card)
	p.only = none(card)
	p.most = 1
	count := []int32(nil)
	for i, k := range p.right {
		if k < 0 {
			continue
		}
		if p.only[k] >= 0 && count == nil {
			count = p.count(card)
			break
		}
		p.only[k] = int32(i)
	}
	if count != nil {
		p.list(count)
	}
	par.Range(len(p.left), grain, func(lo, hi int) {
		for i, k := range p.left[lo:hi] {
			if k < 0 {
				continue
			}
			if count == nil && p.only[k] < 0 || count != nil && p.start[k] == p.start[k+1] {
				p.left[lo+i] = -1
			} else if atomic.LoadInt32(&p.hit[k]) == 0 {
				atomic.StoreInt32(&p.hit[k], 1)
			}
		}
	})
}

// count counts the right rows of each number.
func (p *pairing) count(card int) []int32 {
	count := make([]int32, card)
	for _, k := range p.right {
		if k >= 0 {
			count[k]++
		}
	}
	return count
}

// list puts the right rows in the order of their numbers.
func (p *pairing) list(count []int32) {
	p.only = nil
	p.start = make([]int32, len(count)+1)
	for k, n := range count {
		p.start[k+1] = p.start[k] + n
		p.most = max(p.most, int(n))
	}
	at := append([]int32{}, p.start[:len(count)]...)
	p.rows = make([]int32, p.start[len(count)])
	for i, k := range p.right {
		if k >= 0 {
			p.rows[at[k]] = int32(i)
			at[k]++
		}
	}
}

// matches gives the pairs of rows, in the order of the left and for one left row of
// the right; with all, a left row without a partner is paired with -1. left is nil
// when it would be all left rows, each once.
func (p *pairing) matches(op string, all bool) (left, right []int32) {
	if all && p.only != nil {
		right = make([]int32, len(p.left))
		par.Range(len(p.left), grain, func(lo, hi int) {
			for i, k := range p.left[lo:hi] {
				right[lo+i] = -1
				if k >= 0 {
					right[lo+i] = p.only[k]
				}
			}
		})
		return nil, right
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
		misuse(op, "one of the frames should have each key once; see Distinct and By", "the result would have %d rows", total)
	}
	left, right = make([]int32, total), make([]int32, total)
	par.Range(len(p.left), grain, func(lo, hi int) {
		o := at[lo/grain]
		for i, k := range p.left[lo:hi] {
			switch {
			case k < 0 && all:
				left[o], right[o] = int32(lo+i), -1
				o++
			case k < 0:
			case p.only != nil:
				left[o], right[o] = int32(lo+i), p.only[k]
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

// partners counts the rows that a left row with number k gives.
func (p *pairing) partners(k int32, all bool) int {
	switch {
	case k < 0 && all:
		return 1
	case k < 0:
		return 0
	case p.only != nil:
		return 1
	}
	return int(p.start[k+1] - p.start[k])
}

// limit is the largest number of rows of a frame.
const limit = 1<<31 - 1

// alone gives the left rows without a partner, or those with one.
func (p *pairing) alone(without bool) []int32 {
	rows := make([]int32, 0, len(p.left))
	for i, k := range p.left {
		if (k < 0) == without {
			rows = append(rows, int32(i))
		}
	}
	return rows
}

// rightAlone gives the right rows without a partner.
func (p *pairing) rightAlone() []int32 {
	var rows []int32
	for i, k := range p.right {
		if k < 0 || p.hit[k] == 0 {
			rows = append(rows, int32(i))
		}
	}
	return rows
}
