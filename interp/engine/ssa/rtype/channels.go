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

// selectCase is one case of a select statement, as the runtime's function for package reflect takes
// it.
type selectCase struct {
	dir      int // toSend or toReceive
	typ      unsafe.Pointer
	ch, elem unsafe.Pointer
}

const (
	toSend    = 1
	toReceive = 2
)

// Transfer sends *elem to a channel, or receives *elem from it. It waits until that is done or the
// channel in the last argument is closed. The channels may be nil.
func Transfer(send bool, c, elem, stop unsafe.Pointer) (stopped, received bool) {
	cases := [2]selectCase{{toReceive, nil, c, elem}, {toReceive, nil, stop, nil}}
	if send {
		cases[0].dir = toSend
	}
	n := 1
	if stop != nil {
		n = 2
	}
	chosen, received := rselect(cases[:n])
	return chosen == 1, received
}
