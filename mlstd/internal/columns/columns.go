// Package columns converts columns of file formats to columns of frames, and back.
package columns

import (
	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/infer"
	"github.com/gokernel/gokernel/mlstd/internal/raw"
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

// Plain returns the values of a column in a form that writers of formats can use. They must not be
// changed.
func Plain(c *frame.Column) *infer.Column {
	v := raw.Of(c)
	out := &infer.Column{Name: c.Name(), Unit: c.Unit(), Floats: v.Floats, Ints: v.Ints, Bools: v.Bools, Gaps: v.Missing}
	switch c.Kind() {
	case frame.FloatKind:
		out.Kind = infer.Float
	case frame.IntKind:
		out.Kind = infer.Int
	case frame.BoolKind:
		out.Kind = infer.Bool
	case frame.TimeKind:
		out.Kind, out.Zone = infer.Time, c.Zone()
	default:
		if out.Codes, out.Words = v.Codes, v.Words; v.Codes == nil {
			x := infer.Coded(v.Texts, func(i int) bool { return !v.IsMissing(i) })
			out.Codes, out.Words = x.Codes, x.Words
		}
	}
	return out
}
