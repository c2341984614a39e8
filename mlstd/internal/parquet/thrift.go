package parquet

import (
	"encoding/binary"
	"errors"
)

var errMeta = errors.New("the metadata is damaged")

// value is a value of Thrift's compact protocol, which Parquet uses for its metadata.
type value struct {
	i      int64
	b      []byte
	list   []value
	fields map[int16]value
}

func (v value) at(field int16) value { return v.fields[field] }

func (v value) has(field int16) bool { _, ok := v.fields[field]; return ok }

// deepest is the maximum nesting of structs, and largest the maximum number of values, so that a
// damaged file cannot exhaust memory.
const (
	deepest = 32
	largest = 1 << 24
)

// thrift reads values.
type thrift struct {
	b     []byte
	count int
}

func (t *thrift) byte() (byte, error) {
	if len(t.b) == 0 {
		return 0, errMeta
	}
	c := t.b[0]
	t.b = t.b[1:]
	return c, nil
}

func (t *thrift) varint() (uint64, error) {
	v, n := binary.Uvarint(t.b)
	if n <= 0 {
		return 0, errMeta
	}
	t.b = t.b[n:]
	return v, nil
}

func (t *thrift) zigzag() (int64, error) {
	v, err := t.varint()
	return int64(v>>1) ^ -int64(v&1), err
}

func (t *thrift) structure(depth int) (value, error) {
	out := value{fields: map[int16]value{}}
	if depth > deepest {
		return out, errMeta
	}
	id := int16(0)
	for {
		head, err := t.byte()
		if err != nil {
			return out, err
		}
		if head == 0 {
			return out, nil
		}
		if step := head >> 4; step != 0 {
			id += int16(step)
		} else {
			v, err := t.zigzag()
			if err != nil {
				return out, err
			}
			id = int16(v)
		}
		v, err := t.value(head&15, depth, true)
		if err != nil {
			return out, err
		}
		out.fields[id] = v
	}
}

// value reads a value of the given kind of the compact protocol. The kind of a boolean in a struct
// contains its value.
func (t *thrift) value(kind byte, depth int, field bool) (v value, err error) {
	if t.count++; t.count > largest {
		return v, errMeta
	}
	switch kind {
	case 1, 2:
		if field {
			v.i = int64(2 - kind)
			return v, nil
		}
		c, err := t.byte()
		v.i = int64(c & 1)
		return v, err
	case 3:
		c, err := t.byte()
		v.i = int64(int8(c))
		return v, err
	case 4, 5, 6:
		v.i, err = t.zigzag()
		return v, err
	case 7:
		if len(t.b) < 8 {
			return v, errMeta
		}
		v.b, t.b = t.b[:8], t.b[8:]
		return v, nil
	case 8:
		n, err := t.varint()
		if err != nil || n > uint64(len(t.b)) {
			return v, errMeta
		}
		v.b, t.b = t.b[:n], t.b[n:]
		return v, nil
	case 9, 10:
		return t.array(depth)
	case 12:
		return t.structure(depth + 1)
	}
	return v, errMeta // maps do not occur
}

func (t *thrift) array(depth int) (v value, err error) {
	head, err := t.byte()
	if err != nil {
		return v, err
	}
	n := uint64(head >> 4)
	if n == 15 {
		if n, err = t.varint(); err != nil {
			return v, err
		}
	}
	if n > uint64(len(t.b)) || depth > deepest {
		return v, errMeta
	}
	for range n {
		x, err := t.value(head&15, depth+1, false)
		if err != nil {
			return v, err
		}
		v.list = append(v.list, x)
	}
	return v, nil
}

// writer writes values of the compact protocol.
type writer struct {
	b    []byte
	last []int16 // for each open struct, the last field written
}

func (w *writer) begin() { w.last = append(w.last, 0) }

func (w *writer) end() {
	w.b = append(w.b, 0)
	w.last = w.last[:len(w.last)-1]
}

func (w *writer) field(id int16, kind byte) {
	top := &w.last[len(w.last)-1]
	if step := id - *top; step > 0 && step < 16 {
		w.b = append(w.b, byte(step)<<4|kind)
	} else {
		w.b = append(w.b, kind)
		w.zigzag(int64(id))
	}
	*top = id
}

func (w *writer) zigzag(v int64) { w.b = binary.AppendUvarint(w.b, uint64(v<<1)^uint64(v>>63)) }

func (w *writer) int(id int16, v int64) {
	kind := byte(5)
	if v != int64(int32(v)) {
		kind = 6
	}
	w.field(id, kind)
	w.zigzag(v)
}

func (w *writer) long(id int16, v int64) {
	w.field(id, 6)
	w.zigzag(v)
}

func (w *writer) bool(id int16, v bool) {
	kind := byte(2)
	if v {
		kind = 1
	}
	w.field(id, kind)
}

func (w *writer) text(id int16, s string) {
	w.field(id, 8)
	w.bytes(s)
}

func (w *writer) bytes(s string) {
	w.b = binary.AppendUvarint(w.b, uint64(len(s)))
	w.b = append(w.b, s...)
}

// structure begins a struct in the given field.
func (w *writer) structure(id int16) {
	w.field(id, 12)
	w.begin()
}

// list begins a list of n values of the given kind in the given field.
func (w *writer) list(id int16, kind byte, n int) {
	w.field(id, 9)
	if n < 15 {
		w.b = append(w.b, byte(n)<<4|kind)
		return
	}
	w.b = append(w.b, 15<<4|kind)
	w.b = binary.AppendUvarint(w.b, uint64(n))
}
