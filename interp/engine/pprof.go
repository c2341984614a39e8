package engine

import (
	"compress/gzip"
	"encoding/binary"
	"io"
)

// Write writes a CPU profile as package runtime/pprof does: for go tool pprof, compressed, in the
// format of https://github.com/google/pprof/blob/main/proto/profile.proto.
func (p *Profile) Write(w io.Writer) error {
	e := &pprofEncoder{strings: map[string]int{"": 0}, list: []string{""}, functions: map[pprofFunction]int{}, locations: map[pprofLocation]int{}}
	e.valueType(1, "samples", "count")
	e.valueType(1, "cpu", "nanoseconds")
	for _, s := range p.Samples {
		e.sample(s)
	}
	e.out.varint(9, p.Start.UnixNano())
	e.out.varint(10, int64(p.Elapsed))
	e.valueType(11, "cpu", "nanoseconds")
	e.out.varint(12, int64(ProfilePeriod))
	for _, s := range e.list {
		e.out.bytes(6, []byte(s))
	}
	z := gzip.NewWriter(w)
	if _, err := z.Write(e.out); err != nil {
		return err
	}
	return z.Close()
}

type (
	pprofFunction struct{ symbol, file string }
	pprofLocation struct {
		pprofFunction
		line int
	}
)

// pprofEncoder writes the messages of a profile, and numbers the objects to which the messages
// refer.
type pprofEncoder struct {
	out       message
	strings   map[string]int
	list      []string
	functions map[pprofFunction]int
	locations map[pprofLocation]int
}

func (e *pprofEncoder) text(s string) int64 {
	i, ok := e.strings[s]
	if !ok {
		i = len(e.list)
		e.strings[s] = i
		e.list = append(e.list, s)
	}
	return int64(i)
}

func (e *pprofEncoder) valueType(field int, kind, unit string) {
	var m message
	m.varint(1, e.text(kind))
	m.varint(2, e.text(unit))
	e.out.bytes(field, m)
}

func (e *pprofEncoder) sample(s Sample) {
	var m, locations, values message
	for _, c := range s.Calls {
		locations = binary.AppendUvarint(locations, uint64(e.location(c)))
	}
	values = binary.AppendUvarint(values, uint64(s.Count))
	values = binary.AppendUvarint(values, uint64(s.Time))
	m.bytes(1, locations)
	m.bytes(2, values)
	e.out.bytes(2, m)
}

func (e *pprofEncoder) location(c Call) int {
	l := pprofLocation{pprofFunction{c.Symbol, c.Pos.Filename}, c.Pos.Line}
	if id, ok := e.locations[l]; ok {
		return id
	}
	id := len(e.locations) + 1
	e.locations[l] = id
	var line, m message
	line.varint(1, int64(e.function(l.pprofFunction)))
	line.varint(2, int64(l.line))
	m.varint(1, int64(id))
	m.bytes(4, line)
	e.out.bytes(4, m)
	return id
}

func (e *pprofEncoder) function(f pprofFunction) int {
	if id, ok := e.functions[f]; ok {
		return id
	}
	id := len(e.functions) + 1
	e.functions[f] = id
	var m message
	m.varint(1, int64(id))
	m.varint(2, e.text(f.symbol))
	m.varint(3, e.text(f.symbol))
	m.varint(4, e.text(f.file))
	e.out.bytes(5, m)
	return id
}

// message is an encoded protocol buffer.
type message []byte

// varint adds a field with a nonnegative number.
func (m *message) varint(field int, v int64) {
	*m = binary.AppendUvarint(*m, uint64(field)<<3)
	*m = binary.AppendUvarint(*m, uint64(v))
}

// bytes adds a field with a string, numbers or another message.
func (m *message) bytes(field int, b []byte) {
	*m = binary.AppendUvarint(*m, uint64(field)<<3|2)
	*m = binary.AppendUvarint(*m, uint64(len(b)))
	*m = append(*m, b...)
}
