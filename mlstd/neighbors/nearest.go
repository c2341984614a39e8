package neighbors

import "math"

// nearest keeps the k lowest (rank, row) pairs in ascending order. k is small, so
// that insertion is faster than a heap.
type nearest struct {
	k     int
	ranks []float64
	rows  []int
}

func newNearest(k int) *nearest {
	return &nearest{k: k, ranks: make([]float64, 0, k+1), rows: make([]int, 0, k+1)}
}

// newNearestOf makes n lists of the k nearest, in one allocation.
func newNearestOf(n, k int) []nearest {
	all, ranks, rows := make([]nearest, n), make([]float64, n*(k+1)), make([]int, n*(k+1))
	for i := range all {
		at, end := i*(k+1), (i+1)*(k+1)
		all[i] = nearest{k: k, ranks: ranks[at:at:end], rows: rows[at:at:end]}
	}
	return all
}

func (n *nearest) reset() { n.ranks, n.rows = n.ranks[:0], n.rows[:0] }

func (n *nearest) full() bool { return len(n.rows) == n.k }

// worst returns the rank that a new row must not exceed.
func (n *nearest) worst() float64 {
	if !n.full() {
		return math.Inf(1)
	}
	return n.ranks[n.k-1]
}

// offer inserts the row if it is among the k lowest. Of equal ranks, the lower row number comes
// first, regardless of the order of the calls.
func (n *nearest) offer(rank float64, row int) {
	if n.full() {
		last := n.k - 1
		if rank > n.ranks[last] || (rank == n.ranks[last] && row > n.rows[last]) {
			return
		}
		n.ranks, n.rows = n.ranks[:last], n.rows[:last]
	}
	i := len(n.rows)
	n.ranks, n.rows = append(n.ranks, rank), append(n.rows, row)
	for i > 0 && (n.ranks[i-1] > rank || (n.ranks[i-1] == rank && n.rows[i-1] > row)) {
		n.ranks[i], n.rows[i] = n.ranks[i-1], n.rows[i-1]
		i--
	}
	n.ranks[i], n.rows[i] = rank, row
}

func (n *nearest) sorted() (rows []int, ranks []float64) {
	return append([]int(nil), n.rows...), append([]float64(nil), n.ranks...)
}
