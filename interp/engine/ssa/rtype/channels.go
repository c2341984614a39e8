package rtype

import "unsafe"

// The offsets of two fields in the header of a channel: the size of its elements, in two bytes, and
// whether it is closed, in four. Between them are two unused bytes.
const (
	chanElemSize = 24
	chanMark     = 26
	chanClosed   = 28
)

// MarkChan marks a channel: see [ChanMarked].
func MarkChan(c unsafe.Pointer) { *(*uint8)(unsafe.Add(c, chanMark)) = 1 }

// ChanMarked reports whether MarkChan was called for the channel.
func ChanMarked(c unsafe.Pointer) bool { return *(*uint8)(unsafe.Add(c, chanMark)) == 1 }
