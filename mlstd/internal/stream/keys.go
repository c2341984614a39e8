package stream

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strings"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/raw"
)

// keys are the key columns of a batch. Missing values are equal to each other.
type keys struct {
	n      int
	cols   []keyColumn
	hashes []uint64
}

// keyColumn has the numbers of a column, or is a view of its strings.
type keyColumn struct {
	raw.Column
	text bool
	nums []uint64 // 0 where missing
}

// keysOf reads columns of a batch and hashes their rows. If floats[j] is set, the integers of
// column j are compared with floating-point numbers.
func keysOf(b *frame.Frame, names []string, floats []bool) *keys {
	k := unhashed(b, names, floats)
	k.hash()
	return k
}

// unhashed is like keysOf, but leaves the hashes out.
func unhashed(b *frame.Frame, names []string, floats []bool) *keys {
	k := &keys{n: b.Len(), cols: make([]keyColumn, len(names))}
	for j, name := range names {
		c := b.Col(name)
		q := &k.cols[j]
		q.Column = raw.Of(c)
		switch c.Kind() {
		case frame.FloatKind:
			q.nums = make([]uint64, k.n)
			for i, x := range q.Floats {
				if x == x {
					q.nums[i] = floatBits(x)
				}
			}
		case frame.IntKind, frame.TimeKind:
			q.nums = make([]uint64, k.n)
			for i, x := range q.Ints {
				q.nums[i] = uint64(x)
			}
			if floats != nil && floats[j] {
				for i, x := range q.Ints {
					if !q.IsMissing(i) {
						q.nums[i] = floatBits(float64(x))
					}
				}
			}
		case frame.BoolKind:
			q.nums = make([]uint64, k.n)
			for i, x := range q.Bools {
				if x {
					q.nums[i] = 1
				}
			}
		default:
			q.text = true
		}
	}
	return k
}

func floatBits(x float64) uint64 { return math.Float64bits(x + 0) }

// mix is the multiplication of a hash.
func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^0x9E3779B97F4A7C15, b^0xE7037ED1A0B428DB)
	return hi ^ lo
}

// hashText returns a hash that is the same in all runs.
func hashText(s string) uint64 {
	h := uint64(len(s))
	var b [8]byte
	for len(s) >= 8 {
		copy(b[:], s[:8])
		h = mix(h, binary.LittleEndian.Uint64(b[:]))
		s = s[8:]
	}
	b = [8]byte{}
	copy(b[:], s)
	return mix(h, binary.LittleEndian.Uint64(b[:]))
}

// gone is the hash of a missing value.
const gone = 0x1F83D9ABFB41BD6B

// hash computes the hash of each row.
func (k *keys) hash() {
	h := make([]uint64, k.n)
	for j := range k.cols {
		q := &k.cols[j]
		switch {
		case q.text && q.Codes != nil:
			words := make([]uint64, len(q.Words)+1)
			words[0] = gone
			for i, w := range q.Words {
				words[i+1] = hashText(w)
			}
			for i, c := range q.Codes {
				h[i] = mix(h[i], words[c+1])
			}
		case q.text:
			for i, s := range q.Texts {
				x := uint64(gone)
				if !q.IsMissing(i) {
					x = hashText(s)
				}
				h[i] = mix(h[i], x)
			}
		case q.Missing == nil:
			for i, x := range q.nums {
				h[i] = mix(h[i], x)
			}
		default:
			for i, x := range q.nums {
				if q.IsMissing(i) {
					x = gone
				}
				h[i] = mix(h[i], x)
			}
		}
	}
	k.hashes = h
}

// same reports whether two rows of the batch have equal keys.
func (k *keys) same(a, b int32) bool {
	for j := range k.cols {
		q := &k.cols[j]
		switch {
		case q.text && q.Codes != nil:
			if q.Codes[a] != q.Codes[b] {
				return false
			}
		case q.text:
			if q.Texts[a] != q.Texts[b] || q.Missing != nil && q.IsMissing(int(a)) != q.IsMissing(int(b)) {
				return false
			}
		default:
			if q.nums[a] != q.nums[b] || q.Missing != nil && q.IsMissing(int(a)) != q.IsMissing(int(b)) {
				return false
			}
		}
	}
	return true
}

const (
	sampleRows = 4096
	// fewRepeats is the number of distinct keys in the sample above which grouping a batch does not
	// pay: each row is then a group.
	fewRepeats = sampleRows * 97 / 100
)

// groups numbers the groups of a batch in the order of their first rows. It computes the hashes if
// it needs them.
func (k *keys) groups() (ids, first []int32) {
	if len(k.cols) == 0 {
		if k.n == 0 {
			return nil, nil
		}
		return make([]int32, k.n), []int32{0}
	}
	if codes, card := k.dense(); codes != nil {
		place := make([]int32, card) // 1 + the group
		ids = make([]int32, k.n)
		for i, c := range codes {
			g := place[c]
			if g == 0 {
				first = append(first, int32(i))
				g = int32(len(first))
				place[c] = g
			}
			ids[i] = g - 1
		}
		return ids, first
	}
	if k.hashes == nil {
		k.hash()
	}
	if k.n >= 4*sampleRows {
		if _, some := k.sparse(sampleRows); len(some) > fewRepeats {
			ids = make([]int32, k.n)
			for i := range ids {
				ids[i] = int32(i)
			}
			return ids, ids
		}
	}
	return k.sparse(k.n)
}

// dense returns a number for each key if there are few possible keys.
func (k *keys) dense() (codes []uint32, card uint64) {
	most := uint64(4*k.n + 1<<12)
	card = 1
	lows := make([]int64, len(k.cols))
	cards := make([]uint64, len(k.cols))
	for j := range k.cols {
		q := &k.cols[j]
		switch {
		case q.text && q.Codes != nil:
			cards[j] = uint64(len(q.Words)) + 1
		case q.text || q.Floats != nil:
			return nil, 0
		case q.Bools != nil:
			cards[j] = 3
		default:
			lo, hi := int64(math.MaxInt64), int64(math.MinInt64)
			for i, x := range q.nums {
				if q.Missing != nil && q.IsMissing(i) {
					continue
				}
				lo, hi = min(lo, int64(x)), max(hi, int64(x))
			}
			if lo > hi {
				lo, hi = 0, 0
			}
			lows[j], cards[j] = lo, uint64(hi-lo)+2
			if hi-lo < 0 || cards[j] < 2 {
				return nil, 0
			}
		}
		over, product := bits.Mul64(card, cards[j])
		if card = product; over > 0 || card > most {
			return nil, 0
		}
	}
	codes = make([]uint32, k.n)
	for j := range k.cols {
		q, c := &k.cols[j], uint32(cards[j])
		switch {
		case q.text:
			for i, x := range q.Codes {
				codes[i] = codes[i]*c + uint32(x+1)
			}
		case q.Missing == nil:
			for i, x := range q.nums {
				codes[i] = codes[i]*c + uint32(int64(x)-lows[j]) + 1
			}
		default:
			for i, x := range q.nums {
				codes[i] *= c
				if !q.IsMissing(i) {
					codes[i] += uint32(int64(x)-lows[j]) + 1
				}
			}
		}
	}
	return codes, card
}

// sparse groups the first n rows with a hash table.
func (k *keys) sparse(n int) (ids, first []int32) {
	width := bits.Len(uint(2*n)) + 1
	slots := make([]int32, 1<<width)
	mask := uint64(len(slots) - 1)
	ids = make([]int32, n)
	for i, h := range k.hashes[:n] {
		at := h & mask
		for {
			g := slots[at]
			if g == 0 {
				first = append(first, int32(i))
				g = int32(len(first))
				slots[at] = g
				ids[i] = g - 1
				break
			}
			if r := first[g-1]; k.hashes[r] == h && k.same(r, int32(i)) {
				ids[i] = g - 1
				break
			}
			at = (at + 1) & mask
		}
	}
	return ids, first
}

// table numbers distinct keys of many batches.
type table struct {
	slots  []uint64 // upper half of the hash, and 1 + the number of the key there
	hashes []uint64
	cols   []stored
	text   int64 // bytes of strings
}

const tag = math.MaxUint32 << 32

// stored is a key column of a table.
type stored struct {
	text  bool
	nums  []uint64
	texts []string
	gone  []bool // nil if no value is missing
}

func newTable(columns int) *table { return &table{cols: make([]stored, columns)} }

// find returns the number of the key of each row, or -1. It skips rows with a missing key if skip
// is set.
func (t *table) find(k *keys, skip bool) []int32 {
	out := make([]int32, k.n)
	if len(t.slots) == 0 {
		for i := range out {
			out[i] = -1
		}
		return out
	}
	mask := uint64(len(t.slots) - 1)
	if len(t.cols) == 1 && !t.cols[0].text && t.cols[0].gone == nil && k.cols[0].Missing == nil {
		nums, own := k.cols[0].nums, t.cols[0].nums
		for i, h := range k.hashes {
			at := h & mask
			s := t.slots[at]
			for s != 0 && (s^h)&tag != 0 || s != 0 && own[uint32(s)-1] != nums[i] {
				at = (at + 1) & mask
				s = t.slots[at]
			}
			out[i] = int32(uint32(s)) - 1
		}
		return out
	}
	for i, h := range k.hashes {
		out[i] = -1
		if skip && k.incomplete(i) {
			continue
		}
		for at := h & mask; t.slots[at] != 0; at = (at + 1) & mask {
			s := t.slots[at]
			if g := int32(uint32(s)) - 1; (s^h)&tag == 0 && t.same(g, k, int32(i)) {
				out[i] = g
				break
			}
		}
	}
	return out
}

// addAll returns the numbers of the keys of the rows first[l], for each l in list, and adds the
// keys that are new.
func (t *table) addAll(k *keys, first, list []int32) []int32 {
	to := make([]int32, len(list))
	if len(t.slots) == 0 || len(t.cols) != 1 || t.cols[0].text || t.cols[0].gone != nil || k.cols[0].Missing != nil {
		for i, l := range list {
			to[i] = t.add(k, first[l])
		}
		return to
	}
	// The processor waits for many slots at a time, because the first loop has no branch that
	// depends on them.
	slots, mask := t.slots, uint64(len(t.slots)-1)
	likely := make([]uint64, len(list))
	for i, l := range list {
		likely[i] = slots[k.hashes[first[l]]&mask]
	}
	nums := k.cols[0].nums
	for i, l := range list {
		s, r := likely[i], first[l]
		if g := int32(uint32(s)) - 1; s != 0 && (s^k.hashes[r])&tag == 0 && t.cols[0].nums[g] == nums[r] {
			to[i] = g
		} else {
			to[i] = t.add(k, r)
		}
	}
	return to
}

// add returns the number of the key of a row, which it adds if it is new.
func (t *table) add(k *keys, row int32) int32 {
	if 2*len(t.hashes) >= len(t.slots) {
		t.grow()
	}
	h := k.hashes[row]
	mask := uint64(len(t.slots) - 1)
	at := h & mask
	for {
		s := t.slots[at]
		if s == 0 {
			break
		}
		if g := int32(uint32(s)) - 1; (s^h)&tag == 0 && t.same(g, k, row) {
			return g
		}
		at = (at + 1) & mask
	}
	t.hashes = append(t.hashes, h)
	n := len(t.hashes)
	t.slots[at] = h&tag | uint64(n)
	for j := range t.cols {
		q, s := &k.cols[j], &t.cols[j]
		isGone := q.IsMissing(int(row))
		if s.text = q.text; q.text {
			x := q.Text(int(row))
			s.texts = append(s.texts, strings.Clone(x))
			t.text += int64(len(x))
		} else {
			s.nums = append(s.nums, q.nums[row])
		}
		if isGone && s.gone == nil {
			s.gone = make([]bool, n-1)
		}
		if s.gone != nil {
			s.gone = append(s.gone, isGone)
		}
	}
	return int32(n - 1)
}

func (t *table) same(g int32, k *keys, row int32) bool {
	if len(t.cols) == 1 && !t.cols[0].text && t.cols[0].gone == nil && k.cols[0].Missing == nil {
		return t.cols[0].nums[g] == k.cols[0].nums[row]
	}
	for j := range t.cols {
		q, s := &k.cols[j], &t.cols[j]
		if q.text {
			if s.texts[g] != q.Text(int(row)) {
				return false
			}
		} else if s.nums[g] != q.nums[row] {
			return false
		}
		if s.gone != nil || q.Missing != nil {
			if q.IsMissing(int(row)) != (s.gone != nil && s.gone[g]) {
				return false
			}
		}
	}
	return true
}

func (t *table) grow() {
	t.slots = make([]uint64, max(1024, 2*len(t.slots)))
	mask := uint64(len(t.slots) - 1)
	for g, h := range t.hashes {
		at := h & mask
		for t.slots[at] != 0 {
			at = (at + 1) & mask
		}
		t.slots[at] = h&tag | uint64(g+1)
	}
}

// bytes returns the memory of the table.
func (t *table) bytes() int64 {
	sum := 8*int64(len(t.slots)) + 8*int64(cap(t.hashes)) + t.text
	for j := range t.cols {
		s := &t.cols[j]
		sum += 8*int64(cap(s.nums)) + 24*int64(cap(s.texts)) + int64(cap(s.gone))
	}
	return sum
}

// column returns the keys of a column. like has its kind.
func (t *table) column(j int, like *frame.Column) *frame.Column {
	s := &t.cols[j]
	n := len(t.hashes)
	m := &maker{like: like}
	switch like.Kind() {
	case frame.FloatKind:
		m.floats = make([]float64, n)
		for i, x := range s.nums {
			m.floats[i] = math.Float64frombits(x)
		}
	case frame.IntKind, frame.TimeKind:
		m.ints = make([]int64, n)
		for i, x := range s.nums {
			m.ints[i] = int64(x)
		}
	case frame.BoolKind:
		m.bools = make([]bool, n)
		for i, x := range s.nums {
			m.bools[i] = x == 1
		}
	default:
		m.texts = append([]string(nil), s.texts...)
	}
	for i, g := range s.gone {
		if g {
			m.gap(i)
		}
	}
	return m.column(like.Name(), n)
}
