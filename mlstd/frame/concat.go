package frame

import (
	"slices"
	"time"
)

// Concat stacks frames vertically and matches columns by name. If a frame lacks a column, its rows
// have missing values in that column, and a note reports this. A column of integers becomes float64
// if it is float64 in another frame. Categories with different levels get the levels of all frames.
// A column of categories becomes a column of strings if it has strings in another frame. It panics
// with a [*model.Error] when columns of the same name have kinds that cannot be combined.
func Concat(frames ...*Frame) *Frame {
	var names []string
	n := 0
	for _, f := range frames {
		for _, name := range f.Names() {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		n += f.n
	}
	var notes []string
	cols := make([]*Column, len(names))
	for j, name := range names {
		parts := make([]*Column, len(frames))
		lacking := 0
		for i, f := range frames {
			if f.Has(name) {
				parts[i] = f.Col(name)
			} else if f.n > 0 {
				lacking++
			}
		}
		if lacking > 0 {
			notes = append(notes, plural(lacking, "frame")+" without a column "+name)
		}
		cols[j] = concat(name, parts, frames, n)
	}
	return like(n, cols).inherit(frames...).say(notes...)
}

// concat stacks the columns, some of which may be nil.
func concat(name string, parts []*Column, frames []*Frame, n int) *Column {
	const op = "Concat"
	first := slices.IndexFunc(parts, func(c *Column) bool { return c != nil && c.gaps < c.n })
	if first < 0 {
		first = slices.IndexFunc(parts, func(c *Column) bool { return c != nil })
	}
	d := &Column{name: name, unit: parts[first].unit, kind: parts[first].kind, n: n, zone: parts[first].zone, clock: new(clock)}
	var levels []string
	if d.kind == CategoryKind {
		levels = parts[first].Levels()
	}
	for _, c := range parts {
		switch {
		case c == nil || c.kind == d.kind && (c.kind != CategoryKind || slices.Equal(c.words.list, levels)):
		case c.kind == CategoryKind && d.kind == CategoryKind:
			for _, s := range c.words.list {
				if !slices.Contains(levels, s) {
					levels = append(levels, s)
				}
			}
		case c.kind.text() && d.kind.text():
			d.kind = StringKind
		case c.gaps == c.n:
		case (c.kind == FloatKind || c.kind == IntKind) && (d.kind == FloatKind || d.kind == IntKind):
			d.kind = FloatKind
		default:
			misuse(op, "convert one of them first", "column %q must be of the same kind in all frames, got %v and %v", name, d.kind, c.kind)
		}
	}
	var gone bitmap
	at := 0
	for i, c := range parts {
		for k := range frames[i].n {
			if c == nil || c.missing.has(k) {
				gone = gone.with(at+k, n)
			}
		}
		at += frames[i].n
	}
	d.fill(parts, frames, levels)
	if d.kind == StringKind {
		return withGone(StringColumn(name, d.texts), gone)
	}
	return withGone(d, gone)
}

// fill writes the values of the parts one after the other.
func (c *Column) fill(parts []*Column, frames []*Frame, levels []string) {
	switch c.kind {
	case FloatKind:
		c.floats = joined(parts, frames, func(p *Column) []float64 { return p.numbers() })
	case BoolKind:
		c.bools = joined(parts, frames, func(p *Column) []bool { return p.bools })
	case StringKind:
		c.texts = joined(parts, frames, func(p *Column) []string { return p.Strings() })
	case CategoryKind:
		c.words = &words{list: levels}
		c.codes = joined(parts, frames, func(p *Column) []int32 { return p.recoded(levels) })
	default:
		c.ints = joined(parts, frames, func(p *Column) []int64 { return p.ints })
		if c.zone == nil && c.kind == TimeKind {
			c.zone = time.UTC
		}
	}
}

// recoded returns the codes of the column for other levels, which include its own.
func (c *Column) recoded(levels []string) []int32 {
	to := make([]int32, len(c.words.list))
	for k, s := range c.words.list {
		to[k] = int32(slices.Index(levels, s))
	}
	out := make([]int32, c.n)
	for i, k := range c.codes {
		out[i] = -1
		if k >= 0 {
			out[i] = to[k]
		}
	}
	return out
}

func joined[T any](parts []*Column, frames []*Frame, values func(*Column) []T) []T {
	var out []T
	for i, c := range parts {
		if c == nil {
			out = append(out, make([]T, frames[i].n)...)
			continue
		}
		v := values(c)
		if len(v) != c.n { // all missing, of another kind
			v = make([]T, c.n)
		}
		out = append(out, v...)
	}
	return out
}
