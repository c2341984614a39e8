package frame

import "github.com/gokernel/gokernel/mlstd/internal/raw"

func init() {
	raw.Of = func(column any) raw.Column {
		c := column.(*Column)
		out := raw.Column{Floats: c.floats, Ints: c.ints, Bools: c.bools, Texts: c.texts, Codes: c.codes, Missing: c.missing}
		if c.words != nil {
			out.Words = c.words.list
		}
		return out
	}
	raw.Take = func(frame any, rows []int32) any { return frame.(*Frame).take(rows) }
	raw.Strings = func(name string, texts []string, missing []uint64) any {
		c := &Column{name: name, kind: StringKind, n: len(texts), texts: texts, coding: new(coding)}
		return c.mark(bitmap(missing))
	}
}

// computed returns the column of an expression for lazy frames, such as the predictions of a model;
// it returns any other value itself.
func (f *Frame) computed(value any) any {
	if raw.Eager == nil {
		return value
	}
	c, known, err := raw.Eager(f, value)
	if err != nil {
		panic(err)
	}
	if !known {
		return value
	}
	return c
}
