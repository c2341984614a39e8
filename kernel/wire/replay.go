package wire

import "hash/maphash"

// Window is the number of signatures that a Seen remembers, the same as in Jupyter's own kernels.
const Window = 1 << 16

// Seen remembers the latest signatures, so that a message that was recorded and sent again can be
// recognized. It is not safe for concurrent use.
type Seen struct {
	seed   maphash.Seed
	latest []uint64 // hashes of signatures; a ring once it has Window of them
	next   int
	known  map[uint64]bool
}

// First reports whether the signature is new, and remembers the signature. An empty signature, of a
// message without a key, is always new.
func (s *Seen) First(signature []byte) bool {
	if len(signature) == 0 {
		return true
	}
	if s.known == nil {
		s.seed, s.known = maphash.MakeSeed(), map[uint64]bool{}
	}
	h := maphash.Bytes(s.seed, signature)
	if s.known[h] {
		return false
	}
	s.known[h] = true
	if len(s.latest) < Window {
		s.latest = append(s.latest, h)
		return true
	}
	delete(s.known, s.latest[s.next])
	s.latest[s.next] = h
	s.next = (s.next + 1) % Window
	return true
}
