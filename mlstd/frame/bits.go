package frame

import (
	"math"
	"math/bits"
)

// bitmap marks rows: bit i%64 of word i/64 stands for row i. A nil bitmap marks none.
type bitmap []uint64

func newBitmap(n int) bitmap { return make(bitmap, (n+63)/64) }

func (b bitmap) has(i int) bool { return b != nil && b[i>>6]>>(i&63)&1 != 0 }

func (b bitmap) set(i int) { b[i>>6] |= 1 << (i & 63) }

func (b bitmap) count() int {
	n := 0
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}

// union returns the rows that a or b marks.
func union(a, b bitmap) bitmap {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	out := make(bitmap, len(a))
	for i := range a {
		out[i] = a[i] | b[i]
	}
	return out
}

// full returns the bitmap that marks all of n rows.
func full(n int) bitmap {
	b := newBitmap(n)
	for i := range b {
		b[i] = ^uint64(0)
	}
	return b.trim(n)
}

// trim clears the bits from row n on.
func (b bitmap) trim(n int) bitmap {
	if n&63 != 0 && len(b) > 0 {
		b[len(b)-1] &= 1<<(n&63) - 1
	}
	return b
}

// nans returns the rows that are NaN, nil when there are none.
func nans(v []float64) bitmap {
	for i, x := range v {
		if x != x {
			b := newBitmap(len(v))
			for k := i; k < len(v); k++ {
				if math.IsNaN(v[k]) {
					b.set(k)
				}
			}
			return b
		}
	}
	return nil
}
