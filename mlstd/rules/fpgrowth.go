package rules

import (
	"cmp"
	"slices"
)

// FPGrowth finds the same sets as [Apriori] without generating candidates. It stores the
// transactions in a prefix tree, and extends each frequent set with the items that precede it in
// the tree.
//
//		frequent(S ∪ {i}) = {i} ∪ frequent of the prefixes of i in the tree of S
//
//	 1. Order the items of each transaction by frequency, and insert them into a prefix tree; a
//	    node counts the transactions that pass through it.
//	 2. Take the items in ascending order of frequency. Each item forms a frequent set together
//	    with the items chosen so far.
//	 3. The paths from the root to the item's nodes, with the counts of these nodes, are the
//	    transactions of a smaller tree. Process that tree in the same way.
//
// Cost: O(total length of the transactions) for the first tree, then one smaller tree for each
// frequent set. The tree is small if transactions are similar; otherwise the tree saves no memory
// or time.
//
// References: [HanPeiYin2000]. Course: RULE-10.
type FPGrowth struct {
	// MinSupport is the minimum fraction of transactions that contain a frequent set; 0 means 0.5.
	// With a larger value, the search finds fewer sets and is faster.
	MinSupport float64
	// MinCount, if not 0, is the minimum number of transactions that contain a frequent set; it
	// replaces MinSupport.
	MinCount int
	// MaxLen is the maximum number of items of a frequent set; 0 means no limit.
	MaxLen int
}

// Mine returns the frequent itemsets of the transactions.
func (f FPGrowth) Mine(transactions [][]string) (*Itemsets, error) {
	const op = "FPGrowth.Mine"
	if err := checkMaxLen(op, f.MaxLen); err != nil {
		return nil, err
	}
	db, least, err := read(op, transactions, f.MinCount, f.MinSupport)
	if err != nil {
		return nil, err
	}
	g := &growing{least: least, maxLen: f.MaxLen}
	g.grow(db.tree(), nil)
	return newItemsets(db, least, g.ids, g.counts), nil
}

// prefixTree stores its nodes in the order in which they were made, so a parent precedes its
// children. An item is a rank, 0 for the most frequent; names maps ranks to items.
type prefixTree struct {
	names  []int32
	counts []int // of each item
	heads  []int32
	nodes  []prefixNode
}

type prefixNode struct {
	item, count            int32
	parent, child, sibling int32 // −1 for none; 0 is the root
	next                   int32 // the next node of the same item
}

func newPrefixTree(names []int32, counts []int) *prefixTree {
	t := &prefixTree{names: names, counts: counts, heads: slices.Repeat([]int32{-1}, len(names))}
	t.nodes = append(t.nodes, prefixNode{item: -1, parent: -1, child: -1, sibling: -1, next: -1})
	return t
}

// add inserts a transaction of ascending ranks that occurs count times.
func (t *prefixTree) add(ranks []int32, count int32) {
	at := int32(0)
	for _, r := range ranks {
		k := t.nodes[at].child
		for k >= 0 && t.nodes[k].item != r {
			k = t.nodes[k].sibling
		}
		if k < 0 {
			k = int32(len(t.nodes))
			t.nodes = append(t.nodes, prefixNode{
				item: r, parent: at, child: -1, sibling: t.nodes[at].child, next: t.heads[r],
			})
			t.nodes[at].child, t.heads[r] = k, k
		}
		t.nodes[k].count += count
		at = k
	}
}

// tree returns the prefix tree of all transactions.
func (db *transactions) tree() *prefixTree {
	names, ranks := byCount(db.counts, nil)
	counts := make([]int, len(names))
	for r, k := range names {
		counts[r] = db.counts[k]
	}
	t := newPrefixTree(names, counts)
	var row []int32
	for _, items := range db.rows {
		row = row[:0]
		for _, k := range items {
			row = append(row, ranks[k])
		}
		slices.Sort(row)
		t.add(row, 1)
	}
	return t
}

// byCount orders the items that keep accepts by descending count; a nil keep accepts all. ranks is
// −1 for the other items.
func byCount(counts []int, keep func(k int) bool) (order, ranks []int32) {
	ranks = slices.Repeat([]int32{-1}, len(counts))
	for k := range counts {
		if keep == nil || keep(k) {
			order = append(order, int32(k))
		}
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(counts[b], counts[a]) })
	for r, k := range order {
		ranks[k] = int32(r)
	}
	return order, ranks
}

type growing struct {
	least, maxLen int
	ids           [][]int32
	counts        []int
}

// grow lists the frequent sets that consist of chosen and items of t.
func (g *growing) grow(t *prefixTree, chosen []int32) {
	for r := len(t.names) - 1; r >= 0; r-- {
		set := make([]int32, 0, len(chosen)+1)
		set = append(append(set, chosen...), t.names[r])
		sorted := slices.Clone(set)
		slices.Sort(sorted)
		g.ids, g.counts = append(g.ids, sorted), append(g.counts, t.counts[r])
		if r > 0 && (g.maxLen == 0 || len(set) < g.maxLen) {
			if below := t.conditional(int32(r), g.least); below != nil {
				g.grow(below, set)
			}
		}
	}
}

// conditional returns the tree of the prefixes of item r, without the items that are not frequent
// there. It returns nil if no item is frequent.
func (t *prefixTree) conditional(r int32, least int) *prefixTree {
	counts := make([]int, r)
	for k := t.heads[r]; k >= 0; k = t.nodes[k].next {
		for p := t.nodes[k].parent; p > 0; p = t.nodes[p].parent {
			counts[t.nodes[p].item] += int(t.nodes[k].count)
		}
	}
	order, ranks := byCount(counts, func(k int) bool { return counts[k] >= least })
	if len(order) == 0 {
		return nil
	}
	names, kept := make([]int32, len(order)), make([]int, len(order))
	for i, k := range order {
		names[i], kept[i] = t.names[k], counts[k]
	}
	below := newPrefixTree(names, kept)
	var row []int32
	for k := t.heads[r]; k >= 0; k = t.nodes[k].next {
		row = row[:0]
		for p := t.nodes[k].parent; p > 0; p = t.nodes[p].parent {
			if rank := ranks[t.nodes[p].item]; rank >= 0 {
				row = append(row, rank)
			}
		}
		slices.Sort(row)
		below.add(row, t.nodes[k].count)
	}
	return below
}
