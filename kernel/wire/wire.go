// Package wire converts the frames of a Jupyter message to its parts and back, and signs them. It
// handles only bytes, not sockets or JSON. See "The wire protocol" in the Jupyter messaging
// specification.
package wire

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"sync"
)

// Delimiter separates the routing frames from the message.
const Delimiter = "<IDS|MSG>"

// Scheme is the only signature scheme of the protocol that is used in practice.
const Scheme = "hmac-sha256"

// ErrFraming is wrapped by errors about messages with missing frames.
var ErrFraming = errors.New("wire: malformed framing")

// ErrSignature is returned for a message whose signature does not match.
var ErrSignature = errors.New("wire: signature does not match: check that both sides use the key of the same connection file")

// Message is one message on the wire. The four dictionaries are JSON, exactly as they were received
// or will be sent.
type Message struct {
	Signature  []byte   // as received; nil without a key, and in messages to send
	Identities [][]byte // routing prefix; on iopub one frame, the topic
	Header     []byte
	Parent     []byte
	Metadata   []byte
	Content    []byte
	Buffers    [][]byte
}

// Signer encodes and decodes messages with one key. It is safe for concurrent use.
type Signer struct {
	keyed bool
	pool  sync.Pool // pool of hash.Hash
}

// NewSigner returns a Signer for the scheme and the key of a connection file. An empty scheme
// means hmac-sha256. With an empty key, signatures are empty and not checked.
func NewSigner(scheme, key string) (*Signer, error) {
	if scheme != "" && scheme != Scheme {
		return nil, fmt.Errorf("wire: signature scheme %q is not supported: use %q", scheme, Scheme)
	}
	s := &Signer{keyed: key != ""}
	k := []byte(key)
	s.pool.New = func() any { return hmac.New(sha256.New, k) }
	return s, nil
}

// sign appends the signature of the four dictionaries to dst, in lower-case hexadecimal.
func (s *Signer) sign(dst []byte, dicts ...[]byte) []byte {
	if !s.keyed {
		return dst
	}
	h := s.pool.Get().(hash.Hash)
	defer s.pool.Put(h)
	h.Reset()
	for _, d := range dicts {
		h.Write(d)
	}
	var sum [sha256.Size]byte
	return hex.AppendEncode(dst, h.Sum(sum[:0]))
}

// Encode returns the frames of m, signed.
func (s *Signer) Encode(m Message) [][]byte {
	frames := make([][]byte, 0, len(m.Identities)+6+len(m.Buffers))
	frames = append(frames, m.Identities...)
	frames = append(frames, []byte(Delimiter), s.sign(nil, m.Header, m.Parent, m.Metadata, m.Content),
		m.Header, m.Parent, m.Metadata, m.Content)
	return append(frames, m.Buffers...)
}

// Decode checks the signature of frames and splits them into a message, which shares their
// memory. The error wraps ErrFraming or is ErrSignature.
func (s *Signer) Decode(frames [][]byte) (Message, error) {
	i := 0
	for i < len(frames) && !bytes.Equal(frames[i], []byte(Delimiter)) {
		i++
	}
	if i == len(frames) {
		return Message{}, fmt.Errorf("%w: want a %s frame, got %d frames without one", ErrFraming, Delimiter, len(frames))
	}
	rest := frames[i+1:]
	if len(rest) < 5 {
		return Message{}, fmt.Errorf("%w: %d frames after %s, want at least 5", ErrFraming, len(rest), Delimiter)
	}
	if s.keyed {
		var buf [2 * sha256.Size]byte
		want := s.sign(buf[:0], rest[1], rest[2], rest[3], rest[4])
		if !hmac.Equal(want, rest[0]) {
			return Message{}, ErrSignature
		}
	}
	var signature []byte
	if s.keyed {
		signature = rest[0]
	}
	return Message{
		Signature:  signature,
		Identities: frames[:i:i],
		Header:     rest[1],
		Parent:     rest[2],
		Metadata:   rest[3],
		Content:    rest[4],
		Buffers:    rest[5:],
	}, nil
}
