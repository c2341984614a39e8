package transport

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// These are the flags of a ZMTP frame (RFC 23, "Framing").
const (
	flagMore    = 1
	flagLong    = 2
	flagCommand = 4
)

const (
	// growStep is the maximum amount of memory that is allocated for an announced frame before its
	// bytes arrive. More memory is allocated as bytes arrive.
	growStep = 1 << 20
	// copyLimit is the maximum size at which it is cheaper to copy a frame into one buffer than to
	// add an element to a vectored write.
	copyLimit = 16 << 10
)

// ErrTooLarge is wrapped by the error of a message that exceeds the limits.
var ErrTooLarge = errors.New("transport: message is too large")

// encode returns the bytes of a multipart message. Small frames are copied into one piece.
func encode(frames [][]byte) (pieces [][]byte, size int) {
	small := 0
	for _, f := range frames {
		small += 9
		if len(f) <= copyLimit {
			small += len(f)
		}
	}
	buf := make([]byte, 0, small)
	start := 0
	for i, f := range frames {
		var flags byte
		if i < len(frames)-1 {
			flags = flagMore
		}
		if len(f) > 255 {
			buf = append(buf, flags|flagLong)
			buf = binary.BigEndian.AppendUint64(buf, uint64(len(f)))
		} else {
			buf = append(buf, flags, byte(len(f)))
		}
		size += len(f)
		if len(f) <= copyLimit {
			buf = append(buf, f...)
			continue
		}
		pieces = append(pieces, buf[start:len(buf):len(buf)], f)
		start = len(buf)
	}
	if start < len(buf) {
		pieces = append(pieces, buf[start:])
	}
	return pieces, size + 9*len(frames)
}

// encodeCommand returns the bytes of a ZMTP command with a short body.
func encodeCommand(name string, body []byte) []byte {
	n := 1 + len(name) + len(body)
	buf := append(make([]byte, 0, 2+n), flagCommand, byte(n), byte(len(name)))
	return append(append(buf, name...), body...)
}

// receive reads one multipart message, or one command, within the limits.
func receive(r *bufio.Reader, c *curve, l Limits) (frames [][]byte, command bool, err error) {
	if c != nil {
		return c.readMessage(r, l.Frames, l.Bytes)
	}
	return readMessage(r, l.Frames, l.Bytes)
}

// readMessage reads one multipart message, or one command, of at most maxFrames frames and
// maxBytes bytes in total.
func readMessage(r *bufio.Reader, maxFrames, maxBytes int) (frames [][]byte, command bool, err error) {
	left := maxBytes
	for {
		flags, err := r.ReadByte()
		if err != nil {
			return nil, false, err
		}
		size, err := readLength(r, flags&flagLong != 0)
		if err != nil {
			return nil, false, err
		}
		if size > uint64(left) || len(frames) == maxFrames {
			return nil, false, fmt.Errorf("%w: frame %d announces %d bytes; a message must have at most %d bytes in %d frames",
				ErrTooLarge, len(frames)+1, size, maxBytes, maxFrames)
		}
		left -= int(size)
		body, err := readBody(r, int(size))
		if err != nil {
			return nil, false, err
		}
		frames = append(frames, body)
		if flags&flagCommand != 0 {
			return frames[len(frames)-1:], true, nil
		}
		if flags&flagMore == 0 {
			return frames, false, nil
		}
	}
}

func readLength(r *bufio.Reader, long bool) (uint64, error) {
	if !long {
		b, err := r.ReadByte()
		return uint64(b), err
	}
	var b [8]byte
	_, err := io.ReadFull(r, b[:])
	return binary.BigEndian.Uint64(b[:]), err
}

// readBody reads size bytes. Memory for a large frame is allocated as bytes arrive, so that a
// header alone cannot make the process allocate it.
func readBody(r *bufio.Reader, size int) ([]byte, error) {
	body := make([]byte, min(size, growStep))
	n := 0
	for {
		m, err := io.ReadFull(r, body[n:])
		n += m
		if err != nil {
			return nil, err
		}
		if n == size {
			return body, nil
		}
		grown := make([]byte, min(size, 2*n))
		copy(grown, body)
		body = grown
	}
}
