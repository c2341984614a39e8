package frame

import (
	"fmt"
	"slices"
	"strings"
)

// Join pairs each row of f with each row of other that is equal to it in the named columns. It
// returns a row for each pair, in the order of f and then of other. If a key has another name on
// the right, write "left=right". Strings match only strings, and numbers only numbers. A row with a
// missing key has no partner. If f has a column of the same name, the one from other gets the
// suffix "_right". The notes report how many rows of each side have no partner, and whether
// duplicate keys on the right repeat rows of the left.
func (f *Frame) Join(other *Frame, on ...string) *Frame {
	return f.join("Frame.Join", other, on, func(p *pairing) (l, r []int32) { return p.matches("Frame.Join", false) }, "left out", "left out")
}

// LeftJoin is [Frame.Join], but keeps the rows of f without a partner. In these rows, the columns
// of other are missing.
func (f *Frame) LeftJoin(other *Frame, on ...string) *Frame {
	return f.join("Frame.LeftJoin", other, on, func(p *pairing) (l, r []int32) { return p.matches("Frame.LeftJoin", true) }, "kept", "left out")
}

// FullJoin is [Frame.LeftJoin] followed by the rows of other without a partner.
func (f *Frame) FullJoin(other *Frame, on ...string) *Frame {
	return f.join("Frame.FullJoin", other, on, func(p *pairing) (l, r []int32) {
		l, r = p.matches("Frame.FullJoin", true)
		if l == nil {
			l = upTo(len(r))
		}
		behind := p.rightAlone()
		return append(l, none(len(behind))...), append(r, behind...)
	}, "kept", "kept")
}

// RightJoin keeps all rows of other, in their order, and returns the columns in the
// order of [Frame.Join].
func (f *Frame) RightJoin(other *Frame, on ...string) *Frame {
	return f.join("Frame.RightJoin", other, on, func(p *pairing) (l, r []int32) {
		l, r = p.matches("Frame.RightJoin", false)
		behind := p.rightAlone()
		l, r = append(l, none(len(behind))...), append(r, behind...)
		order := newSorter(len(r))
		for i, row := range r {
			order.keys[i], order.rows[i] = uint64(row), int32(i)
		}
		order.sort(len(r))
		return pick(l, order.rows[:len(r)]), pick(r, order.rows[:len(r)])
	}, "left out", "kept")
}

// SemiJoin returns the rows of f that have a partner in other, each once.
func (f *Frame) SemiJoin(other *Frame, on ...string) *Frame {
	_, p := f.pairing("Frame.SemiJoin", other, on)
	return f.take(p.alone(false))
}

// AntiJoin returns the rows of f that have no partner in other.
func (f *Frame) AntiJoin(other *Frame, on ...string) *Frame {
	_, p := f.pairing("Frame.AntiJoin", other, on)
	return f.take(p.alone(true))
}

// pairing pairs the rows of two frames by keys such as "zone" or "zone=place". It also returns the
// names of the key columns on the right.
func (f *Frame) pairing(op string, other *Frame, on []string) (others []string, p *pairing) {
	if len(on) == 0 {
		var both []string
		for _, name := range f.Names() {
			if other.Has(name) {
				both = append(both, name)
			}
		}
		misuse(op, "use some of the common columns: "+list(both), "at least one column to join on must be named")
	}
	names, others := f.keyNames(other, on)
	return others, pairRows(op, f, other, names, others)
}

// keyNames returns the columns of keys such as "zone" or "zone=place" in both frames.
func (f *Frame) keyNames(other *Frame, on []string) (names, others []string) {
	for _, key := range on {
		left, right, ok := strings.Cut(key, "=")
		if !ok || f.Has(key) && other.Has(key) {
			left, right = key, key
		}
		names, others = append(names, left), append(others, right)
	}
	return names, others
}

// join is a join whose pairs of rows choose returns; a nil left means all rows of f, each once.
// Rows of other without a partner are left out or kept.
func (f *Frame) join(op string, other *Frame, on []string, choose func(*pairing) (left, right []int32), leftRest, rightRest string) *Frame {
	others, p := f.pairing(op, other, on)
	left, right := choose(p)
	cols := slices.Clone(f.cols)
	if left != nil {
		cols = f.take(left).cols
	}
	var notes []string
	for _, c := range other.cols {
		k := slices.Index(others, c.name)
		if k >= 0 {
			if rightRest == "kept" {
				j := f.index[leftName(on[k], f, other)]
				cols[j] = cols[j].filled(c.take(right))
			}
			continue
		}
		d := c.take(right)
		if f.Has(c.name) {
			d = d.Named(c.name + "_right")
			notes = append(notes, fmt.Sprintf("%s of the right frame is called %s", c.name, d.name))
		}
		cols = append(cols, d)
	}
	all := append(p.notes(plural(f.n, "row"), plural(other.n, "row"), leftRest, rightRest), notes...)
	return of(op, cols).inherit(f, other).say(all...)
}

// leftName returns the name on the left of a key.
func leftName(key string, f, other *Frame) string {
	left, _, ok := strings.Cut(key, "=")
	if !ok || f.Has(key) && other.Has(key) {
		return key
	}
	return left
}

// filled returns a key column in which missing values are taken from the key column on the right.
func (c *Column) filled(right *Column) *Column {
	if c.kind == CategoryKind && right.kind == StringKind {
		c = StringColumn(c.name, c.Strings()).MarkMissing(c.missingBits())
	}
	if c.kind == StringKind && right.kind == CategoryKind {
		right = StringColumn(c.name, right.Strings()).MarkMissing(right.missingBits())
	}
	return c.FillMissing(right)
}

// missingBits returns a bitmap of the missing values, which is not nil even if there are none.
func (c *Column) missingBits() []uint64 { return union(c.missing, newBitmap(c.n)) }

// notes says what a join did to the rows of the two sides.
func (p *pairing) notes(left, right, leftRest, rightRest string) []string {
	var notes []string
	alone := 0
	for _, k := range p.left {
		if k < 0 {
			alone++
		}
	}
	if alone > 0 {
		notes = append(notes, fmt.Sprintf("%d of %s of the left frame found no partner, %s", alone, left, leftRest))
	}
	if n := len(p.right) - p.met; n > 0 {
		notes = append(notes, fmt.Sprintf("%d of %s of the right frame found no partner, %s", n, right, rightRest))
	}
	if p.most > 1 {
		notes = append(notes, fmt.Sprintf("a key occurs up to %d times in the right frame, so that rows of the left frame repeat", p.most))
	}
	return notes
}
