package frame

import "hash/maphash"

// lexicon numbers distinct strings in the order of their appearance.
type lexicon struct {
	seed   maphash.Seed
	slots  []int32 // 1 + the number of the string there
	hashes []uint64
	list   []string
}

func newLexicon() *lexicon {
	return &lexicon{seed: maphash.MakeSeed(), slots: make([]int32, 64)}
}

// number returns the number of s, which is a new one if s is new.
func (l *lexicon) number(s string) int32 {
	h := maphash.String(l.seed, s)
	mask := uint64(len(l.slots) - 1)
	at := h & mask
	for ; l.slots[at] != 0; at = (at + 1) & mask {
		if k := l.slots[at] - 1; l.hashes[k] == h && l.list[k] == s {
			return k
		}
	}
	l.hashes, l.list = append(l.hashes, h), append(l.list, s)
	l.slots[at] = int32(len(l.list))
	if 2*len(l.list) > len(l.slots) {
		l.grow()
	}
	return int32(len(l.list)) - 1
}

// grow makes the table four times as large.
func (l *lexicon) grow() {
	l.slots = make([]int32, 4*len(l.slots))
	mask := uint64(len(l.slots) - 1)
	for k, h := range l.hashes {
		at := h & mask
		for l.slots[at] != 0 {
			at = (at + 1) & mask
		}
		l.slots[at] = int32(k) + 1
	}
}
