package wire

import "hash/maphash"

// Window is how many signatures a Seen remembers, as many as Jupyter's own kernels.
const Window = 1 << 16

// Seen remembers the latest signatures, so that a message that somebody has recorded and
// sends again is told from one that is new. It is not safe for concurrent use.
type Seen struct {
	seed   maphash.Seed
	latest []uint64 // hashes of signatures, a ring once it has Window of them
	next   int
	known  map[uint64]bool
}

// First reports whether the signature has not come before, and remembers it. Those
// without a key, which are empty, always are new.
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
