package rtype

import "unsafe"

// The offsets of two fields in the header of a channel. The first field, of two bytes, is the size
// of the elements. The second field, of four bytes, is set if the channel is closed. Between them
// are two unused bytes.
const (
	chanElemSize = 24
	chanMark     = 26
	chanClosed   = 28
)

// MarkChan marks a channel: see [ChanMarked].
func MarkChan(c unsafe.Pointer) { *(*uint8)(unsafe.Add(c, chanMark)) = 1 }

// ChanMarked reports whether MarkChan was called for the channel.
func ChanMarked(c unsafe.Pointer) bool { return *(*uint8)(unsafe.Add(c, chanMark)) == 1 }
