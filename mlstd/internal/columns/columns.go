// Package columns converts columns of file formats to columns of frames, and back.
package columns

import (
	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/infer"
)

// Of makes a column of a frame without copying the values.
func Of(c *infer.Column) *frame.Column {
	var out *frame.Column
	switch c.Kind {
	case infer.Float:
		out = frame.FloatColumn(c.Name, c.Floats).WithUnit(c.Unit)
	case infer.Int:
		out = frame.IntColumn(c.Name, c.Ints).WithUnit(c.Unit)
	case infer.Bool:
		out = frame.BoolColumn(c.Name, c.Bools)
	case infer.Time:
		out = frame.NanoColumn(c.Name, c.Ints, c.Zone)
	default:
		return textColumn(c)
	}
	if c.Gaps != nil {
		out = out.MarkMissing(c.Gaps)
	}
	return out
}

// textColumn makes a column of strings, with a dictionary if that saves memory.
func textColumn(c *infer.Column) *frame.Column {
	if 2*len(c.Words) <= len(c.Codes) {
		return frame.StringCodes(c.Name, c.Codes, c.Words)
	}
	texts := make([]string, len(c.Codes))
	for i, k := range c.Codes {
		if k >= 0 {
			texts[i] = c.Words[k]
		}
	}
	out := frame.StringColumn(c.Name, texts)
	if c.Gaps != nil {
		out = out.MarkMissing(c.Gaps)
	}
	return out
}

// Plain returns the values of a column in a form that writers of formats can use.
func Plain(c *frame.Column) *infer.Column {
	out := &infer.Column{Name: c.Name(), Unit: c.Unit()}
	n := c.Len()
	for i := range n {
		if c.IsMissing(i) {
			out.Gap(i, n)
		}
	}
	switch c.Kind() {
	case frame.FloatKind:
		out.Kind, out.Floats = infer.Float, c.Floats()
	case frame.IntKind:
		out.Kind, out.Ints = infer.Int, make([]int64, n)
		if c.Missing() == 0 {
			out.Ints = c.Ints()
			break
		}
		for i := range n {
			if !c.IsMissing(i) {
				out.Ints[i] = c.At(i).(int64)
			}
		}
	case frame.BoolKind:
		out.Kind, out.Bools = infer.Bool, make([]bool, n)
		for i := range n {
			out.Bools[i] = !c.IsMissing(i) && c.At(i).(bool)
		}
	case frame.TimeKind:
		out.Kind, out.Ints, out.Zone = infer.Time, make([]int64, n), c.Zone()
		for i, t := range c.Moments() {
			if !c.IsMissing(i) {
				out.Ints[i] = t.UnixNano()
			}
		}
	default:
		x := infer.Coded(c.Strings(), func(i int) bool { return !c.IsMissing(i) })
		out.Codes, out.Words = x.Codes, x.Words
	}
	return out
}
