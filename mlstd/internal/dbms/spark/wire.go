//go:build !js

package spark

import (
	"encoding/binary"
	"errors"
	"math"
)

// message is a message of Protocol Buffers that is being encoded. Spark Connect needs few messages,
// so this package encodes them by field number, as the .proto files of Spark number the fields.
type message []byte

// Wire types of Protocol Buffers.
const (
	varint  = 0
	fixed64 = 1
	block   = 2
	fixed32 = 5
)

func (m *message) tag(field, wire int) {
	*m = binary.AppendUvarint(*m, uint64(field)<<3|uint64(wire))
}

// number appends an integer, bool or enumeration.
func (m *message) number(field int, v int64) {
	m.tag(field, varint)
	*m = binary.AppendUvarint(*m, uint64(v))
}

// double appends a floating-point number.
func (m *message) double(field int, v float64) {
	m.tag(field, fixed64)
	*m = binary.LittleEndian.AppendUint64(*m, math.Float64bits(v))
}

// bytes appends bytes or an encoded message.
func (m *message) bytes(field int, v []byte) {
	m.tag(field, block)
	*m = binary.AppendUvarint(*m, uint64(len(v)))
	*m = append(*m, v...)
}

// text appends a string.
func (m *message) text(field int, v string) { m.bytes(field, []byte(v)) }

// wrap returns a message whose only field is an encoded message.
func wrap(field int, v message) message {
	var m message
	m.bytes(field, v)
	return m
}

var errWire = errors.New("the server sent a damaged message")

// fields calls f for each field of a message: with the bytes of a block, or with a number.
func fields(b []byte, f func(field int, v []byte, n uint64)) error {
	for len(b) > 0 {
		key, size := binary.Uvarint(b)
		if size <= 0 {
			return errWire
		}
		b = b[size:]
		var v []byte
		var n uint64
		switch key & 7 {
		case varint:
			if n, size = binary.Uvarint(b); size <= 0 {
				return errWire
			}
		case fixed64:
			size = 8
		case fixed32:
			size = 4
		case block:
			length, used := binary.Uvarint(b)
			if used <= 0 || length > uint64(len(b)-used) {
				return errWire
			}
			size = used + int(length)
			v = b[used:size]
		default:
			return errWire
		}
		if size > len(b) {
			return errWire
		}
		f(int(key>>3), v, n)
		b = b[size:]
	}
	return nil
}

// field returns the last value of a block in a message, or nil.
func field(b []byte, number int) (found []byte) {
	err := fields(b, func(k int, v []byte, _ uint64) {
		if k == number {
			found = v
		}
	})
	if err != nil {
		return nil
	}
	return found
}
