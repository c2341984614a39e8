package model

import (
	"hash/maphash"
	"slices"
	"sync"
	"weak"
)

// schemas holds every Schema that some model uses, by its hash, so that the members of an ensemble
// share one. A schema that no model holds anymore is dropped.
var schemas = struct {
	sync.Mutex
	seed   maphash.Seed
	byHash map[uint64][]weak.Pointer[Schema]
	limit  int // sweep when there are this many
}{seed: maphash.MakeSeed(), byHash: map[uint64][]weak.Pointer[Schema]{}, limit: 64}

// plain is the Schema of all plain matrices.
var plain = new(Schema)

// interned returns the shared copy of s, which shares no memory with s.
func interned(s Schema) *Schema {
	if len(s.Features) == 0 && s.Target.Name == "" && len(s.Target.Levels) == 0 && !s.outer {
		return plain
	}
	h := s.hash()
	schemas.Lock()
	defer schemas.Unlock()
	for _, w := range schemas.byHash[h] {
		if p := w.Value(); p != nil && p.outer == s.outer && equalColumn(p.Target, s.Target) && slices.EqualFunc(p.Features, s.Features, equalColumn) {
			return p
		}
	}
	if len(schemas.byHash) >= schemas.limit {
		for h, list := range schemas.byHash {
			list = slices.DeleteFunc(list, func(w weak.Pointer[Schema]) bool { return w.Value() == nil })
			if schemas.byHash[h] = list; len(list) == 0 {
				delete(schemas.byHash, h)
			}
		}
		schemas.limit = max(64, 2*len(schemas.byHash))
	}
	p := &Schema{Features: cloneColumns(s.Features), Target: cloneColumn(s.Target), outer: s.outer}
	schemas.byHash[h] = append(schemas.byHash[h], weak.Make(p))
	return p
}

func (s *Schema) hash() uint64 {
	var h maphash.Hash
	h.SetSeed(schemas.seed)
	column := func(c Column) {
		h.WriteString(c.Name)
		h.WriteByte(byte(c.Kind))
		h.WriteString(c.Unit)
		for _, l := range c.Levels {
			h.WriteByte(1)
			h.WriteString(l)
		}
		h.WriteByte(2)
	}
	for _, c := range s.Features {
		column(c)
	}
	column(s.Target)
	return h.Sum64()
}

func equalColumn(a, b Column) bool {
	return a.Name == b.Name && a.Kind == b.Kind && a.Unit == b.Unit && slices.Equal(a.Levels, b.Levels)
}
