package rules

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Itemset is a set of items with the number of transactions that contain all of them.
type Itemset struct {
	Items   []string // in ascending order
	Count   int
	Support float64 // Count as a fraction of all transactions
}

// String returns the set and its count as text, such as "{bread, milk} 3".
func (s Itemset) String() string { return "{" + strings.Join(s.Items, ", ") + "}" }

// AprioriLevel has statistics on the sets of one size: how many candidates were generated, how many
// were pruned because a subset is not frequent, how many were counted, and how many are frequent.
// The candidates of size 1 are all items that occur.
type AprioriLevel struct {
	Size, Joined, Pruned, Counted, Frequent int
}

// Itemsets holds the frequent itemsets of a list of transactions, sorted by size, then by their
// items.
type Itemsets struct {
	Transactions int
	MinCount     int // sets in fewer transactions are not listed
	Sets         []Itemset
	Levels       []AprioriLevel // only from Apriori; FP-growth has no candidates

	// items has the names of all frequent items in ascending order. ids has the sets as item
	// numbers, parallel to Sets.
	items []string
	ids   [][]int32
	at    map[string]int // position of a set by its key
}

// key returns the item numbers of a set as a string, for use as a map key.
func key(ids []int32) string {
	b := make([]byte, 0, 4*len(ids))
	for _, v := range ids {
		b = append(b, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
	}
	return string(b)
}

// newItemsets sorts the sets and names their items. The numbers of items are in the order of their
// names.
func newItemsets(db *transactions, minCount int, ids [][]int32, counts []int) *Itemsets {
	order := make([]int, len(ids))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(len(ids[a]), len(ids[b])), slices.Compare(ids[a], ids[b]))
	})
	s := &Itemsets{Transactions: db.n, MinCount: minCount, items: db.items, at: make(map[string]int, len(ids))}
	s.Sets, s.ids = make([]Itemset, len(ids)), make([][]int32, len(ids))
	for to, from := range order {
		names := make([]string, len(ids[from]))
		for j, v := range ids[from] {
			names[j] = db.items[v]
		}
		s.ids[to] = ids[from]
		s.Sets[to] = Itemset{names, counts[from], float64(counts[from]) / float64(db.n)}
		s.at[key(ids[from])] = to
	}
	return s
}

// Count returns the number of transactions that contain all the items, or 0 if the set is not
// frequent. Every transaction contains the empty set.
func (s *Itemsets) Count(items ...string) int {
	if len(items) == 0 {
		return s.Transactions
	}
	ids := make([]int32, 0, len(items))
	for _, name := range items {
		k, ok := slices.BinarySearch(s.items, name)
		if !ok {
			return 0
		}
		ids = append(ids, int32(k))
	}
	slices.Sort(ids)
	if i, ok := s.at[key(slices.Compact(ids))]; ok {
		return s.Sets[i].Count
	}
	return 0
}

// Support returns [Itemsets.Count] as a fraction of all transactions.
func (s *Itemsets) Support(items ...string) float64 {
	return float64(s.Count(items...)) / float64(s.Transactions)
}

// Maximal returns the frequent sets that have no frequent proper superset. Every frequent set is a
// subset of a maximal set.
//
// Course: RULE-10.
func (s *Itemsets) Maximal() []Itemset { return s.without(func(set, super int) bool { return true }) }

// Closed returns the closed frequent sets: every proper superset of a closed set is in fewer
// transactions than the set. The closed sets and their counts determine the counts of all frequent
// sets.
//
// Course: RULE-10.
func (s *Itemsets) Closed() []Itemset {
	return s.without(func(set, super int) bool { return s.Sets[set].Count == s.Sets[super].Count })
}

// without drops each set for which removes is true with some superset of one more item. Support is
// anti-monotone, so larger supersets need no check.
func (s *Itemsets) without(removes func(set, super int) bool) []Itemset {
	gone := make([]bool, len(s.Sets))
	for super, ids := range s.ids {
		for j := range ids {
			if len(ids) == 1 {
				break
			}
			if set := s.at[key(dropAt(ids, j))]; removes(set, super) {
				gone[set] = true
			}
		}
	}
	var left []Itemset
	for i, set := range s.Sets {
		if !gone[i] {
			left = append(left, set)
		}
	}
	return left
}

func dropAt(ids []int32, j int) []int32 {
	rest := make([]int32, 0, len(ids)-1)
	return append(append(rest, ids[:j]...), ids[j+1:]...)
}

// transactions holds baskets as item numbers: item k is items[k], and occurs in counts[k] baskets.
// Only frequent items have a number.
type transactions struct {
	n        int
	distinct int // items, frequent or not
	items    []string
	counts   []int
	rows     [][]int32 // ascending, without repetition
}

// threshold returns the minimum number of transactions of a frequent set.
func threshold(op string, n, minCount int, minSupport float64) (int, error) {
	switch {
	case minCount < 0:
		return 0, model.Errorf(op, "MinCount must be at least 1, got %d", minCount)
	case minCount > 0:
		return minCount, nil
	case minSupport < 0 || minSupport > 1 || minSupport != minSupport:
		return 0, model.Errorf(op, "MinSupport must be above 0 and at most 1 (a fraction of the transactions), got %v", minSupport).WithHint("set MinCount for a number of transactions")
	}
	share := model.Or(minSupport, 0.5)
	// Compare the fraction in floating point, as a caller would.
	least := max(1, int(math.Ceil(share*float64(n)))-1)
	for float64(least)/float64(n) < share {
		least++
	}
	return least, nil
}

// read assigns numbers to the items that are in at least minCount baskets. An item that a basket
// lists twice counts once.
func read(op string, baskets [][]string, minCount int, minSupport float64) (*transactions, int, error) {
	if len(baskets) == 0 {
		return nil, 0, model.Errorf(op, "transactions must not be empty").WithHint("pass a list of items for each transaction")
	}
	least, err := threshold(op, len(baskets), minCount, minSupport)
	if err != nil {
		return nil, 0, err
	}
	numbers := map[string]int32{}
	var names []string
	var counts []int
	rows := make([][]int32, len(baskets))
	for i, basket := range baskets {
		row := make([]int32, 0, len(basket))
		for _, name := range basket {
			k, ok := numbers[name]
			if !ok {
				k = int32(len(names))
				numbers[name] = k
				names, counts = append(names, name), append(counts, 0)
			}
			row = append(row, k)
		}
		slices.Sort(row)
		rows[i] = slices.Compact(row)
		for _, k := range rows[i] {
			counts[k]++
		}
	}
	db := &transactions{n: len(baskets), rows: rows, distinct: len(names)}
	var kept []int32
	for k := range names {
		if counts[k] >= least {
			kept = append(kept, int32(k))
		}
	}
	slices.SortFunc(kept, func(a, b int32) int { return strings.Compare(names[a], names[b]) })
	renamed := slices.Repeat([]int32{-1}, len(names))
	for to, from := range kept {
		renamed[from] = int32(to)
		db.items, db.counts = append(db.items, names[from]), append(db.counts, counts[from])
	}
	for i, row := range rows {
		left := row[:0]
		for _, k := range row {
			if renamed[k] >= 0 {
				left = append(left, renamed[k])
			}
		}
		slices.Sort(left)
		rows[i] = left
	}
	return db, least, nil
}

func checkMaxLen(op string, n int) error {
	if n < 0 {
		return model.Errorf(op, "MaxLen must not be negative (0 means no limit), got %d", n)
	}
	return nil
}
