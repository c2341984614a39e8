package stream

import (
	"strings"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/internal/raw"
)

// maker builds a column of the kind, zone and unit of another one.
type maker struct {
	like *frame.Column
	values
}

// values are values of a column that is being built.
type values struct {
	floats []float64
	ints   []int64
	bools  []bool
	texts  []string
	gone   []uint64
}

// gap marks row i as missing.
func (v *values) gap(i int) {
	for len(v.gone) <= i>>6 {
		v.gone = append(v.gone, 0)
	}
	v.gone[i>>6] |= 1 << (i & 63)
}

// column returns the column with n rows.
func (m *maker) column(name string, n int) *frame.Column {
	var c *frame.Column
	switch m.like.Kind() {
	case frame.FloatKind:
		c = frame.FloatColumn(name, sized(m.floats, n))
	case frame.IntKind:
		c = frame.IntColumn(name, sized(m.ints, n))
	case frame.BoolKind:
		c = frame.BoolColumn(name, sized(m.bools, n))
	case frame.TimeKind:
		c = frame.NanoColumn(name, sized(m.ints, n), m.like.Zone())
	default:
		var gone []uint64
		if m.gone != nil {
			gone = sized(m.gone, (n+63)/64)
		}
		return raw.Strings(name, sized(m.texts, n), gone).(*frame.Column)
	}
	if m.gone != nil {
		c = c.MarkMissing(sized(m.gone, (n+63)/64))
	}
	return c.WithUnit(m.like.Unit())
}

// sized returns a slice with n values.
func sized[T any](v []T, n int) []T {
	if len(v) >= n {
		return v[:n:n]
	}
	return append(v, make([]T, n-len(v))...)
}

// frameOf makes a frame of columns with distinct names.
func frameOf(columns []*frame.Column) *frame.Frame {
	f, err := frame.New(columns...)
	if err != nil {
		panic(err)
	}
	return f
}

// Stack joins at least one frame; all have the same columns.
func Stack(parts []*frame.Frame) *frame.Frame { return stack(parts[0], parts) }

// stack joins frames that have the columns of empty. Unlike frame.Concat, it joins dictionaries
// without looking at the rows.
func stack(empty *frame.Frame, parts []*frame.Frame) *frame.Frame {
	switch len(parts) {
	case 0:
		return empty
	case 1:
		return parts[0]
	}
	n := 0
	for _, p := range parts {
		n += p.Len()
	}
	like := empty.Columns()
	out := make([]*frame.Column, len(like))
	all := make([][]*frame.Column, len(parts))
	for k, p := range parts {
		all[k] = p.Columns()
	}
	par.Range(len(like), 1, func(j, _ int) {
		views := make([]raw.Column, len(parts))
		for k := range parts {
			views[k] = raw.Of(all[k][j])
		}
		out[j] = stacked(like[j], views, all, j, n)
	})
	if len(out) == 0 {
		return empty
	}
	return frameOf(out)
}

func stacked(like *frame.Column, views []raw.Column, all [][]*frame.Column, j, n int) *frame.Column {
	m := &maker{like: like}
	at := 0
	for k, v := range views {
		c := all[k][j]
		if v.Missing != nil {
			for i := range c.Len() {
				if v.IsMissing(i) {
					m.gap(at + i)
				}
			}
		}
		at += c.Len()
	}
	switch like.Kind() {
	case frame.FloatKind:
		m.floats = joined(views, n, func(v *raw.Column) []float64 { return v.Floats })
	case frame.BoolKind:
		m.bools = joined(views, n, func(v *raw.Column) []bool { return v.Bools })
	case frame.IntKind, frame.TimeKind:
		m.ints = joined(views, n, func(v *raw.Column) []int64 { return v.Ints })
	default:
		words := 0
		for k := range views {
			if views[k].Codes == nil && all[k][j].Len() > 0 {
				words = n
			}
			words += len(views[k].Words)
		}
		if 2*words <= n {
			return coded(like.Name(), views, n)
		}
		m.texts = make([]string, 0, n)
		for k := range views {
			v := &views[k]
			if v.Codes == nil {
				m.texts = append(m.texts, v.Texts...)
				continue
			}
			for i := range v.Codes {
				m.texts = append(m.texts, v.Text(i))
			}
		}
	}
	return m.column(like.Name(), n)
}

func joined[T any](views []raw.Column, n int, of func(*raw.Column) []T) []T {
	out := make([]T, 0, n)
	for k := range views {
		out = append(out, of(&views[k])...)
	}
	return out
}

// coded joins columns that all have dictionaries.
func coded(name string, views []raw.Column, n int) *frame.Column {
	codes := make([]int32, 0, n)
	index := map[string]int32{}
	var words []string
	for k := range views {
		v := &views[k]
		to := make([]int32, len(v.Words)+1)
		to[0] = -1
		for i, w := range v.Words {
			code, seen := index[w]
			if !seen {
				code = int32(len(words))
				index[w] = code
				words = append(words, w)
			}
			to[i+1] = code
		}
		for _, c := range v.Codes {
			codes = append(codes, to[c+1])
		}
	}
	return frame.StringCodes(name, codes, words)
}

// pick is a row of one of several frames.
type pick struct{ frame, row int32 }

// gather returns rows of frames that have the columns of empty.
func gather(empty *frame.Frame, from []*frame.Frame, picks []pick) *frame.Frame {
	like := empty.Columns()
	out := make([]*frame.Column, len(like))
	views := make([][]raw.Column, len(like))
	for j := range like {
		views[j] = make([]raw.Column, len(from))
	}
	for k, f := range from {
		for j, c := range f.Columns() {
			views[j][k] = raw.Of(c)
		}
	}
	par.Range(len(like), 1, func(j, _ int) {
		m, v := &maker{like: like[j]}, views[j]
		gaps := false
		for k := range v {
			gaps = gaps || v[k].Missing != nil
		}
		if gaps {
			for i, p := range picks {
				if v[p.frame].IsMissing(int(p.row)) {
					m.gap(i)
				}
			}
		}
		switch like[j].Kind() {
		case frame.FloatKind:
			m.floats = picked(picks, v, func(c *raw.Column) []float64 { return c.Floats })
		case frame.BoolKind:
			m.bools = picked(picks, v, func(c *raw.Column) []bool { return c.Bools })
		case frame.IntKind, frame.TimeKind:
			m.ints = picked(picks, v, func(c *raw.Column) []int64 { return c.Ints })
		default:
			m.texts = make([]string, len(picks))
			for i, p := range picks {
				m.texts[i] = v[p.frame].Text(int(p.row))
			}
		}
		out[j] = m.column(like[j].Name(), len(picks))
	})
	return frameOf(out)
}

func picked[T any](picks []pick, views []raw.Column, of func(*raw.Column) []T) []T {
	lists := make([][]T, len(views))
	for k := range views {
		lists[k] = of(&views[k])
	}
	out := make([]T, len(picks))
	for i, p := range picks {
		out[i] = lists[p.frame][p.row]
	}
	return out
}

// Plain replaces columns of categories by strings, which lazy frames have instead.
func Plain(f *frame.Frame) *frame.Frame {
	columns := f.Columns()
	for j, c := range columns {
		if c.Kind() == frame.CategoryKind {
			v := raw.Of(c)
			columns[j] = frame.StringCodes(c.Name(), v.Codes, v.Words)
		}
	}
	if len(columns) == 0 {
		return f
	}
	return frameOf(columns)
}

// quoted lists names in quotation marks.
func quoted(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return `"` + strings.Join(names, `", "`) + `"`
}
