package stream

import (
	"context"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/frame/lazy"
	"github.com/gokernel/gokernel/mlstd/internal/raw"
)

// optimizeConcat passes masks on to all inputs, which get the needed columns in the same order.
func optimizeConcat(f *lazy.Frame, n *lazy.Concatenated, need []string, masks []*lazy.Column) *node {
	if len(need) == 0 { // to count the rows
		need = f.Names()[:1]
	}
	out := &node{step: n}
	for _, in := range n.In {
		p := optimize(in, need, masks)
		out.in = append(out.in, &node{step: &lazy.Project{}, in: []*node{p}, columns: need})
	}
	return out
}

// concat returns the batches of flows one after the other, with the time zones and units of the
// first.
func (e *exec) concat(in []*flow) *flow {
	first := in[0].empty.Columns()
	return &flow{in[0].empty, func(yield func(task) error) error {
		for _, f := range in {
			err := f.tasks(func(t task) error {
				return yield(func() (*frame.Frame, error) {
					b, err := t()
					if err != nil {
						return nil, err
					}
					columns := b.Columns()
					for j, c := range columns {
						if c.Kind() == frame.TimeKind && c.Zone().String() != first[j].Zone().String() {
							columns[j] = c.In(first[j].Zone())
						}
						if c.Unit() != first[j].Unit() {
							columns[j] = columns[j].WithUnit(first[j].Unit())
						}
					}
					return frameOf(columns), nil
				})
			})
			if err != nil {
				return err
			}
		}
		return nil
	}}
}

// asOf is an as-of join. The rows of both sides are sorted together by the equal keys, the column
// On and the side, so that the partner of a row is the last row of the right before it. For
// partners that come later, the order is reversed.
type asOf struct {
	*lazy.Joined
	number bool // the column On holds floating-point numbers
	limit  float64
	whole  uint64
	left   *frame.Frame // the columns of both sides, without rows
	right  *frame.Frame // with the column On as the first
	keys   []string     // names of the equal keys in the sorted rows
}

// Names of columns of the sorted rows. Those of the left and of the right get a prefix.
const (
	onColumn    = "\x00on"
	rightColumn = "\x00right"
	otherOn     = "\x00r:on" // the value of the partner
	leftRow     = "\x00l:" + rowColumn
)

func prefixed(b *frame.Frame, prefix string) []*frame.Column {
	columns := b.Columns()
	for j, c := range columns {
		columns[j] = c.Named(prefix + c.Name())
	}
	return columns
}

// side returns the rows of one side: the equal keys, the side, the column On, the columns of the
// left, the numbers of the rows, and the columns of the right. Those of the other side are missing.
func (j *asOf) side(b *frame.Frame, right bool, from int64) *frame.Frame {
	names := j.On
	if right {
		names = j.Others
	}
	columns := make([]*frame.Column, len(names)+1, b.Width()+8)
	for i, name := range names {
		c := b.Col(name)
		if j.Left.Col(j.On[i]).Kind() != j.Right.Col(j.Others[i]).Kind() {
			c = c.Float()
		}
		at, as := len(names), onColumn
		if i > 0 {
			at, as = i-1, j.keys[i-1]
		}
		columns[at] = c.Named(as).WithUnit("")
	}
	columns[len(names)-1] = frame.BoolColumn(rightColumn, slices.Repeat([]bool{right}, b.Len()))
	none := slices.Repeat([]int32{-1}, b.Len())
	left, partner := b, b
	if right {
		left, partner = take(j.left, none), j.partner(b)
	} else {
		partner = take(j.right, none)
	}
	columns = append(columns, prefixed(numbered(left, from), "\x00l:")...)
	return frameOf(append(columns, prefixed(partner, "\x00r:")...))
}

// sweep finds the partners of the rows of the left in sorted rows, of which the first can be the
// last row of the right before them. It returns the joined rows, and the last row of the right.
func (j *asOf) sweep(b *frame.Frame, later bool) (out, last *frame.Frame) {
	k := unhashed(b, j.keys, nil)
	on, isRight := raw.Of(b.Col(onColumn)), raw.Of(b.Col(rightColumn)).Bools
	var rows, partners []int32
	at := int32(-1)
	for i := range int32(b.Len()) {
		if isRight[i] {
			at = i
			continue
		}
		partner := int32(-1)
		if at >= 0 && !on.IsMissing(int(i)) && !k.incomplete(int(i)) && k.same(at, i) {
			x, y := i, at
			if later {
				x, y = at, i
			}
			if j.number && on.Floats[x]-on.Floats[y] <= j.limit || !j.number && uint64(on.Ints[x])-uint64(on.Ints[y]) <= j.whole {
				partner = at
			}
		}
		rows, partners = append(rows, i), append(partners, partner)
	}
	if at >= 0 {
		last = take(b, []int32{at})
	}
	all := b.Columns()[len(j.keys)+1:]
	n := j.left.Width() + 2
	columns := take(frameOf(all[:n]), rows).Columns()
	return frameOf(append(columns, take(frameOf(all[n:]), partners).Columns()...)), last
}

// nearer returns of each two rows the one whose partner is nearer: the first, unless the second is
// nearer or the first has none.
func (j *asOf) nearer(b *frame.Frame) *frame.Frame {
	on, of := raw.Of(b.Col(onColumn)), raw.Of(b.Col(otherOn))
	rows := make([]int32, 0, b.Len()/2)
	for i := 0; i < b.Len(); i += 2 {
		row := i
		switch {
		case of.IsMissing(i + 1):
		case of.IsMissing(i):
			row++
		case j.number && of.Floats[i+1]-on.Floats[i] < on.Floats[i]-of.Floats[i]:
			row++
		case !j.number && uint64(of.Ints[i+1])-uint64(on.Ints[i]) < uint64(on.Ints[i])-uint64(of.Ints[i]):
			row++
		}
		rows = append(rows, int32(row))
	}
	return take(b, rows)
}

// partner returns the columns of the right in the result, and the column On as the first.
func (j *asOf) partner(b *frame.Frame) *frame.Frame {
	on := b.Col(j.Others[0])
	if j.number {
		on = on.Float()
	}
	columns := []*frame.Column{on.Named("on").WithUnit("")}
	for _, c := range b.Columns() {
		if slices.Contains(j.Others, c.Name()) {
			continue
		}
		name := c.Name()
		if j.Left.Has(name) {
			name += "_right"
		}
		columns = append(columns, c.Named(":"+name))
	}
	return frameOf(columns)
}

// visible returns the columns of the result: those of the left and of the right without the column
// On and the numbers of the rows.
func (j *asOf) visible(b *frame.Frame) *frame.Frame {
	var columns []*frame.Column
	for _, c := range b.Columns() {
		if name, ok := strings.CutPrefix(c.Name(), "\x00l:"); ok && name != rowColumn {
			columns = append(columns, c.Named(name))
		} else if name, ok := strings.CutPrefix(c.Name(), "\x00r::"); ok {
			columns = append(columns, c.Named(name))
		}
	}
	return frameOf(columns)
}

// asOf joins two flows.
func (e *exec) asOf(n *lazy.Joined, left, right *flow) (*flow, error) {
	on, other := left.empty.Col(n.On[0]).Kind(), right.empty.Col(n.Others[0]).Kind()
	j := &asOf{Joined: n, number: on == frame.FloatKind || other == frame.FloatKind, left: left.empty}
	j.limit, j.whole = frame.AsOfLimit(*n.AsOf, on)
	j.right = j.partner(right.empty)
	for _, name := range n.On[1:] {
		j.keys = append(j.keys, "\x00k:"+name)
	}
	both := j.side(left.empty, false, 0)
	swept, _ := j.sweep(both, false)
	empty := j.visible(swept)
	return &flow{empty, func(yield func(task) error) error {
		var sorters []*sorter
		laters := []bool{false, true}
		switch n.AsOf.Direction {
		case "forward":
			laters = laters[1:]
		case "", "backward":
			laters = laters[:1]
		}
		for _, later := range laters {
			by := append(slices.Clone(j.keys), onColumn)
			// Of equal rows, those of the right come first, unless they are excluded.
			second := "-" + rightColumn
			if n.AsOf.Strict {
				second = rightColumn
			}
			if by = append(by, second); later {
				by[len(by)-2] = "-" + onColumn
				by = append(by, "-"+leftRow)
			}
			sorters = append(sorters, e.newSorter(both, by, e.memory/4/int64(len(laters))))
		}
		add := func(f *flow, isRight bool) error {
			at := int64(0)
			return e.ordered(f, func(b *frame.Frame) error {
				rows := j.side(b, isRight, at)
				at += int64(b.Len())
				if isRight {
					rows = rows.DropMissing(append([]string{onColumn}, j.keys...)...)
				}
				for _, s := range sorters {
					if err := s.add(rows); err != nil {
						return err
					}
				}
				return nil
			})
		}
		if err := add(right, true); err != nil {
			return err
		}
		if err := add(left, false); err != nil {
			return err
		}
		done := e.newSorter(swept, []string{leftRow}, e.memory/4)
		for i, s := range sorters {
			var last *frame.Frame
			err := s.finish(func(t task) error {
				if e.ctx.Err() != nil {
					return context.Cause(e.ctx)
				}
				b, err := t()
				if err != nil {
					return err
				}
				if last != nil {
					b = stack(both, []*frame.Frame{last, b})
				}
				out, now := j.sweep(b, laters[i])
				last = now
				return done.add(out)
			})
			if err != nil {
				return err
			}
		}
		if len(laters) == 1 {
			return done.finish(func(t task) error {
				return yield(func() (*frame.Frame, error) {
					b, err := t()
					if err != nil {
						return nil, err
					}
					return j.visible(b), nil
				})
			})
		}
		var odd *frame.Frame // a row whose twin is in the next batch
		return done.finish(func(t task) error {
			b, err := t()
			if err != nil {
				return err
			}
			if odd != nil {
				b = stack(swept, []*frame.Frame{odd, b})
			}
			odd = nil
			if n := b.Len(); n%2 == 1 {
				odd, b = b.Slice(n-1, n), b.Slice(0, n-1)
			}
			return yield(func() (*frame.Frame, error) { return j.visible(j.nearer(b)), nil })
		})
	}}, nil
}
