package rules

import (
	"math/bits"
	"slices"
)

// Apriori finds all frequent itemsets level by level. A frequent itemset is a set of items that
// occur together in many transactions.
//
//		support(S) = |{t : S ⊆ t}| / n ≥ MinSupport
//
//	 1. The frequent items are the frequent sets of size 1.
//	 2. Join every two frequent sets of size k that differ only in their last item. The union is a
//	    candidate of size k + 1.
//	 3. Drop each candidate that has an infrequent subset of size k. Support is anti-monotone: it
//	    never grows when a set grows, so the candidate cannot be frequent.
//	 4. Count the transactions that contain each remaining candidate. Keep the frequent
//	    candidates, and stop if there are none.
//
// The transactions that contain a set are stored as a bit set, so counting a candidate takes one
// intersection of two bit sets.
//
// Cost: O(n/64) per counted candidate. If MinSupport is low, there may be exponentially many
// candidates. [FPGrowth] finds the same sets without candidates.
//
// References: [AgrawalSrikant1994]. Course: RULE-10.
type Apriori struct {
	// MinSupport is the minimum fraction of transactions that contain a frequent set; 0 means 0.5.
	// With a larger value, the search finds fewer sets and is faster.
	MinSupport float64
	// MinCount, if not 0, is the minimum number of transactions that contain a frequent set; it
	// replaces MinSupport.
	MinCount int
	// MaxLen is the maximum number of items of a frequent set; 0 means no limit.
	MaxLen int
}

// tidset is a set of items with the transactions that contain it, as a bit set.
type tidset struct {
	ids  []int32
	bits []uint64
	n    int
}

// Mine returns the frequent itemsets of the transactions.
func (a Apriori) Mine(transactions [][]string) (*Itemsets, error) {
	const op = "Apriori.Mine"
	if err := checkMaxLen(op, a.MaxLen); err != nil {
		return nil, err
	}
	db, least, err := read(op, transactions, a.MinCount, a.MinSupport)
	if err != nil {
		return nil, err
	}
	level := db.singles()
	levels := []AprioriLevel{{Size: 1, Joined: db.distinct, Counted: db.distinct, Frequent: len(level)}}
	var ids [][]int32
	var counts []int
	for len(level) > 0 {
		for _, s := range level {
			ids, counts = append(ids, s.ids), append(counts, s.n)
		}
		if a.MaxLen > 0 && len(level[0].ids) >= a.MaxLen {
			break
		}
		next, told := extend(level, least)
		if told.Joined > 0 {
			levels = append(levels, told)
		}
		level = next
	}
	found := newItemsets(db, least, ids, counts)
	found.Levels = levels
	return found, nil
}

// singles returns the frequent items with their transactions.
func (db *transactions) singles() []tidset {
	words := (db.n + 63) / 64
	level := make([]tidset, len(db.items))
	store := make([]uint64, words*len(level))
	for k := range level {
		level[k] = tidset{[]int32{int32(k)}, store[k*words : (k+1)*words], db.counts[k]}
	}
	for i, row := range db.rows {
		for _, k := range row {
			level[k].bits[i/64] |= 1 << (i % 64)
		}
	}
	return level
}

// extend makes the next level. The sets of a level are sorted, so that sets with a common prefix
// are adjacent.
func extend(level []tidset, least int) ([]tidset, AprioriLevel) {
	size := len(level[0].ids)
	told := AprioriLevel{Size: size + 1}
	var known map[string]bool
	if size > 1 {
		known = make(map[string]bool, len(level))
		for _, s := range level {
			known[key(s.ids)] = true
		}
	}
	var next []tidset
	scratch := make([]uint64, len(level[0].bits))
	candidate := make([]int32, size+1)
	for i, a := range level {
		copy(candidate, a.ids)
		for _, b := range level[i+1:] {
			if !slices.Equal(a.ids[:size-1], b.ids[:size-1]) {
				break
			}
			told.Joined++
			candidate[size] = b.ids[size-1]
			if !subsetsKnown(candidate, known) {
				told.Pruned++
				continue
			}
			told.Counted++
			n := 0
			for w, v := range a.bits {
				v &= b.bits[w]
				scratch[w] = v
				n += bits.OnesCount64(v)
			}
			if n >= least {
				next = append(next, tidset{slices.Clone(candidate), slices.Clone(scratch), n})
			}
		}
	}
	told.Frequent = len(next)
	return next, told
}

// subsetsKnown reports whether the subsets that lack one item are frequent. The two sets that the
// candidate was joined from are known to be.
func subsetsKnown(candidate []int32, known map[string]bool) bool {
	for j := range len(candidate) - 2 {
		if !known[key(dropAt(candidate, j))] {
			return false
		}
	}
	return true
}
