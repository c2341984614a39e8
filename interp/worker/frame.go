package worker

import (
	"encoding/binary"
	"fmt"
	"io"
)

// protocolVersion changes whenever the frames or their bodies do. Both ends
// are the same program, so a difference means that it was replaced on disk
// while it ran.
const protocolVersion = 1

// maxBody bounds a frame. It is far above any figure, and low enough that a
// corrupt length does not take the memory of the machine.
const maxBody = 512 << 20

const headerSize = 9

type kind uint8

const (
	kindHello  kind = iota + 1
	kindReply       // the answer to a call
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

	// Calls of the evaluator.
	kindText // output of a cell that is no longer the running one
	kindDisplay
	kindUpdate
	kindClear
	kindPage
	kindNextInput
	kindInput
	kindFlush // nothing but the order: earlier text first
	kindStale // an interrupt arrived: earlier text is not wanted
)

type frame struct {
	kind kind
	id   uint32
	body []byte
}

// appendFrame appends f as it travels.
func appendFrame(b []byte, f frame) ([]byte, error) {
	if len(f.body) > maxBody {
		return b, fmt.Errorf("worker: a message of %d MB is too large, the limit is %d MB", len(f.body)>>20, maxBody>>20)
	}
	b = binary.BigEndian.AppendUint32(b, uint32(len(f.body)))
	b = append(b, byte(f.kind))
	b = binary.BigEndian.AppendUint32(b, f.id)
	return append(b, f.body...), nil
}

// readFrame reads one frame. The error is io.EOF when r ends between frames.
func readFrame(r io.Reader) (frame, error) {
	var h [headerSize]byte
	if _, err := io.ReadFull(r, h[:]); err != nil {
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
	// A large body is read in steps, so that a length that lies costs no more
	// memory than what really arrives.
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
