package infer

import (
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/gokernel/gokernel/mlstd/internal/wallclock"
)

// Column holds the values of a column in the slice for its kind.
type Column struct {
	Name   string
	Kind   Kind
	Unit   string
	Floats []float64 // NaN if missing
	Ints   []int64   // values of Int; for Time, nanoseconds since 1970 in UTC
	Bools  []bool
	Texts  []string       // values of Text; nil if Codes are set
	Codes  []int32        // for Text: positions in Words, -1 if missing
	Words  []string       // distinct texts, in order of appearance
	Zone   *time.Location // of Time
	// Clashes are the local times that a clock change skips or repeats, in order.
	Clashes []Clash
	Gaps    []uint64 // bit i%64 of Gaps[i/64] marks row i as missing; nil if none is
}

// Gap marks row i of n as missing.
func (c *Column) Gap(i, n int) {
	if c.Gaps == nil {
		c.Gaps = make([]uint64, (n+63)/64)
	}
	c.Gaps[i>>6] |= 1 << (i & 63)
}

// IsGap reports whether row i is missing.
func (c *Column) IsGap(i int) bool { return c.Gaps != nil && c.Gaps[i>>6]>>(i&63)&1 != 0 }

// Len returns the number of rows.
func (c *Column) Len() int {
	switch {
	case c.Floats != nil:
		return len(c.Floats)
	case c.Ints != nil:
		return len(c.Ints)
	case c.Bools != nil:
		return len(c.Bools)
	case c.Codes != nil:
		return len(c.Codes)
	}
	return len(c.Texts)
}

// Missing is the set of strings that stand for a missing value.
type Missing struct {
	words   map[string]bool
	longest int
	Numbers bool // some of them are numbers
}

// MissingWords are the strings that stand for a missing value by default.
var MissingWords = []string{"", "?", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "null", "NULL"}

// NewMissing returns the set of the given strings; nil means [MissingWords].
func NewMissing(words []string) *Missing {
	if words == nil {
		words = MissingWords
	}
	m := &Missing{words: make(map[string]bool, len(words))}
	for _, w := range words {
		m.words[w] = true
		m.longest = max(m.longest, len(w))
		if _, err := strconv.ParseFloat(w, 64); err == nil && w != "NaN" && w != "nan" {
			m.Numbers = true
		}
	}
	return m
}

// Has reports whether the text stands for a missing value.
func (m *Missing) Has(text []byte) bool {
	return len(text) <= m.longest && m.words[string(text)]
}

// Texts holds the strings of a column as indices into a dictionary; the index of a missing field is
// -1.
type Texts struct {
	Codes []int32
	Words []string
}

// Tally examines the strings. If a string stands for a missing value, Tally only counts its
// occurrences.
func (x *Texts) Tally(m *Missing) (*Tally, map[string]int) {
	counts, first := make([]int, len(x.Words)), make([]int, len(x.Words))
	for i, k := range x.Codes {
		if k < 0 {
			continue
		}
		if counts[k] == 0 {
			first[k] = i
		}
		counts[k]++
	}
	t, missing := &Tally{}, map[string]int{}
	for k, w := range x.Words {
		switch {
		case counts[k] == 0:
		case m.Has([]byte(w)):
			if w != "" {
				missing[w] += counts[k]
			}
		case t.Hopeless():
			t.known += counts[k]
		default:
			t.Add([]byte(w), first[k], counts[k])
		}
	}
	return t, missing
}

// Column converts the strings to values by the recipe. Strings of another form become missing
// values.
func (x *Texts) Column(name string, r *Recipe, m *Missing) *Column {
	c := &Column{Name: name, Kind: r.Kind, Unit: r.Unit}
	known := make([]bool, len(x.Words))
	for k, w := range x.Words {
		known[k] = !m.Has([]byte(w))
	}
	switch r.Kind {
	case Float:
		c.Floats = convert(c, x, known, plainly(r.Float))
		for i := range c.Floats {
			if c.IsGap(i) {
				c.Floats[i] = math.NaN()
			}
		}
	case Int:
		c.Ints = convert(c, x, known, plainly(r.Int))
	case Time:
		senses := make([]wallclock.Sense, len(x.Words))
		c.Ints = convert(c, x, known, func(k int, text []byte) (nanos int64, ok bool) {
			nanos, senses[k], ok = r.Time(text)
			return nanos, ok
		})
		c.Zone = r.Location()
		for i, k := range x.Codes {
			if k >= 0 && senses[k] != wallclock.Once {
				c.Clashes = append(c.Clashes, Clash{i, senses[k]})
			}
		}
	case Bool:
		c.Bools = convert(c, x, known, plainly(r.Bool))
	default:
		c.Codes, c.Words = x.dictionary(known)
		for i, k := range c.Codes {
			if k < 0 {
				c.Gap(i, len(c.Codes))
			}
		}
	}
	return c
}

// convert reads each word once and stores its value in all its rows.
func convert[T any](c *Column, x *Texts, known []bool, read func(k int, text []byte) (T, bool)) []T {
	values := make([]T, len(x.Words))
	ok := make([]bool, len(x.Words))
	for k, w := range x.Words {
		if known[k] {
			values[k], ok[k] = read(k, []byte(w))
		}
	}
	out := make([]T, len(x.Codes))
	for i, k := range x.Codes {
		if k < 0 || !ok[k] {
			c.Gap(i, len(out))
			continue
		}
		out[i] = values[k]
	}
	return out
}

// plainly adapts a reading that does not depend on the position of the word.
func plainly[T any](read func([]byte) (T, bool)) func(int, []byte) (T, bool) {
	return func(_ int, text []byte) (T, bool) { return read(text) }
}

// dictionary removes the words that are not known.
func (x *Texts) dictionary(known []bool) ([]int32, []string) {
	if !slices.Contains(known, false) {
		return x.Codes, x.Words
	}
	to := make([]int32, len(x.Words))
	var words []string
	for k, w := range x.Words {
		to[k] = -1
		if known[k] {
			to[k] = int32(len(words))
			words = append(words, w)
		}
	}
	codes := make([]int32, len(x.Codes))
	for i, k := range x.Codes {
		codes[i] = -1
		if k >= 0 {
			codes[i] = to[k]
		}
	}
	return codes, words
}

// Coded encodes texts as indices into a dictionary. It uses the texts for which known returns true;
// if known is nil, it uses all texts.
func Coded(texts []string, known func(i int) bool) *Texts {
	x := &Texts{Codes: make([]int32, len(texts))}
	index := map[string]int32{}
	for i, s := range texts {
		if known != nil && !known(i) {
			x.Codes[i] = -1
			continue
		}
		k, seen := index[s]
		if !seen {
			k = int32(len(x.Words))
			index[s] = k
			x.Words = append(x.Words, s)
		}
		x.Codes[i] = k
	}
	return x
}
