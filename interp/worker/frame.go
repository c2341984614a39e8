package worker

import (
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// protocolVersion changes whenever the frames or their bodies change. Both ends are the same
// program, so a difference means that the program was replaced on disk while it ran.
const protocolVersion = 6

// maxBody is the maximum size of a frame's body. It is far above any figure, and low enough that a
// corrupt length does not use up the memory of the machine.
const maxBody = 512 << 20

const headerSize = 17

// tokenSize is the size of the token at the start of each frame.
const tokenSize = 8

// token is the start of each frame. Each evaluator has a new random token, so that other data is
// not mistaken for a frame.
type token [tokenSize]byte

func newToken() (t token) {
	_, _ = rand.Read(t[:]) // it never fails
	return t
}

// errForeign is returned if data that is not a frame was written to a pipe.
var errForeign = errors.New("something that is not a message was written to the pipe to the kernel process: write only to descriptors that the cell has opened")

type kind uint8

const (
	kindHello  kind = iota + 1
	kindReply       // the reply to a call
	kindFail        // the error of a call
	kindCancel      // withdraws a call

	// Calls of the kernel process.
	kindEval
	kindExpression
	kindComplete
	kindInspect
	kindIsComplete
	kindInterrupt
	kindClose
	kindMessage   // message of the frontend over a comm
	kindCallbacks // functions that such messages have queued
	kindDebug     // a request of a debugging frontend
	kindFar       // a message of another evaluator

	// Calls of the evaluator.
	kindText // output of a cell that has ended
	kindDisplay
	kindUpdate
	kindClear
	kindPage
	kindNextInput
	kindInput
	kindComm       // a message to the frontend over a comm
	kindDebugEvent // event for a debugging frontend
	kindCode       // the range of JIT-compiled code
	kindFlush      // does nothing, but its reply comes after earlier text
	kindStale      // an interrupt arrived: discard earlier text
	kindPeer       // a message to another evaluator
)

type frame struct {
	kind kind
	id   uint32
	body []byte
}

// appendFrame appends the encoding of f.
func appendFrame(b []byte, t token, f frame) ([]byte, error) {
	if len(f.body) > maxBody {
		return b, fmt.Errorf("worker: a message of %d MB is too large, the limit is %d MB", len(f.body)>>20, maxBody>>20)
	}
	b = append(b, t[:]...)
	b = binary.BigEndian.AppendUint32(b, uint32(len(f.body)))
	b = append(b, byte(f.kind))
	b = binary.BigEndian.AppendUint32(b, f.id)
	return append(b, f.body...), nil
}

// readFrame reads one frame. The error is io.EOF if r ends between frames, and errForeign as soon
// as the data is not a frame.
func readFrame(r io.Reader, t token) (frame, error) {
	var begin token
	if n, err := io.ReadFull(r, begin[:]); err != nil {
		if !bytes.Equal(begin[:n], t[:n]) {
			err = errForeign
		}
		return frame{}, err
	}
	if begin != t {
		return frame{}, errForeign
	}
	var h [headerSize - tokenSize]byte
	if _, err := io.ReadFull(r, h[:]); err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return frame{}, err
	}
	n := binary.BigEndian.Uint32(h[:4])
	if n > maxBody {
		return frame{}, fmt.Errorf("worker: a frame claims %d bytes, the limit is %d", n, maxBody)
	}
	f := frame{kind: kind(h[4]), id: binary.BigEndian.Uint32(h[5:])}
	if n == 0 {
		return f, nil
	}
	// Read a large body in steps, so that a wrong length costs no more memory than the data that
	// arrives.
	const step = 1 << 20
	f.body = make([]byte, 0, min(n, step))
	for uint32(len(f.body)) < n {
		m := min(n-uint32(len(f.body)), step)
		at := len(f.body)
		f.body = append(f.body, make([]byte, m)...)
		if _, err := io.ReadFull(r, f.body[at:]); err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return frame{}, err
		}
	}
	return f, nil
}
