package tree

import (
	"math"

	"github.com/gokernel/gokernel/mlstd/model"
)

// flatTree is a tree laid out in one slice, so that a prediction touches little
// memory.
type flatTree struct {
	nodes []flatNode
	full  []*Node
	// numeric reports whether every split compares with a threshold.
	numeric bool
	// shares are the class fractions of the nodes, one after another; nil in a
	// regression tree. A forest would otherwise jump all over memory.
	shares []float64 `snapshot:"added"`
}

// flatNode is a split or a leaf. A leaf is its own first child and no value is
// above its threshold, so a step from a leaf stays there.
type flatNode struct {
	threshold float64
	feature   int32 // -1 in a split on a nominal feature
	first     int32 // the position of the first child; the others follow it
}

func flatten(root *Node) flatTree {
	f := flatTree{full: []*Node{root}, numeric: true}
	for i := 0; i < len(f.full); i++ {
		n := f.full[i]
		e := flatNode{threshold: math.Inf(1), first: int32(i)}
		if !n.Leaf() {
			e.first = int32(len(f.full))
			e.feature, e.threshold = int32(n.Feature), n.Threshold
			if !n.Numeric {
				e.feature, f.numeric = -1, false
			}
			f.full = append(f.full, n.Children...)
		}
		f.nodes = append(f.nodes, e)
		for _, c := range n.Counts {
			if n.Weight > 0 {
				c /= n.Weight
			}
			f.shares = append(f.shares, c)
		}
	}
	return f
}

// follow returns the node where the path of the row ends.
func (f *flatTree) follow(row []float64) *Node { return f.full[f.end(row)] }

func (f *flatTree) end(row []float64) int32 {
	i := int32(0)
	for {
		n := &f.nodes[i]
		if n.first == i {
			return i
		}
		if n.feature >= 0 {
			v := row[n.feature]
			if v <= n.threshold {
				i = n.first
				continue
			}
			if v > n.threshold {
				i = n.first + 1
				continue
			}
		}
		full := f.full[i]
		v := row[full.Feature]
		k := full.child(v)
		if k < 0 {
			if v == v {
				return i // the level did not occur at this node
			}
			k = full.Default
		}
		i = n.first + int32(k)
	}
}

// ends writes to dst the node where the path of each row ends, for rows of the
// given width one after another. complete reports whether no value is NaN.
func (f *flatTree) ends(dst []int32, rows []float64, width int, complete bool) {
	r := 0
	if complete && f.numeric {
		for ; r+4 <= len(dst); r += 4 {
			f.ends4(dst[r:r+4], rows[r*width:(r+4)*width], width)
		}
	}
	for ; r < len(dst); r++ {
		dst[r] = f.end(rows[r*width : (r+1)*width])
	}
}

// ends4 follows four paths at once without branching on the comparisons. If it followed one path at
// a time, the processor would wait for every node and mispredict half of the branches.
func (f *flatTree) ends4(dst []int32, rows []float64, width int) {
	a, b, c, d := rows[:width], rows[width:2*width], rows[2*width:3*width], rows[3*width:4*width]
	b, c, d = b[:len(a)], c[:len(a)], d[:len(a)]
	nodes := f.nodes
	var i, j, k, l int32
	for {
		n, o, p, q := &nodes[i], &nodes[j], &nodes[k], &nodes[l]
		ni, nj, nk, nl := n.first+above(a[n.feature], n.threshold), o.first+above(b[o.feature], o.threshold),
			p.first+above(c[p.feature], p.threshold), q.first+above(d[q.feature], q.threshold)
		if ni == i && nj == j && nk == k && nl == l {
			break
		}
		i, j, k, l = ni, nj, nk, nl
	}
	dst[0], dst[1], dst[2], dst[3] = i, j, k, l
}

// above is 1 if v is above the threshold and 0 otherwise.
func above(v, threshold float64) int32 {
	var k int32
	if v > threshold {
		k = 1
	}
	return k
}

// nodesOf is like ends, but writes the nodes themselves.
func (f *flatTree) nodesOf(dst []*Node, rows []float64, width int, complete bool) {
	f.eachEnd(len(dst), rows, width, complete, func(r int, end int32) { dst[r] = f.full[end] })
}

// endGrain is the number of rows that go down a tree together.
const endGrain = 128

// eachEnd calls do with the position of the node where the path of each of n rows
// ends.
func (f *flatTree) eachEnd(n int, rows []float64, width int, complete bool, do func(r int, end int32)) {
	var buf [endGrain]int32
	for lo := 0; lo < n; lo += endGrain {
		hi := min(lo+endGrain, n)
		f.ends(buf[:hi-lo], rows[lo*width:hi*width], width, complete)
		for r, end := range buf[:hi-lo] {
			do(lo+r, end)
		}
	}
}

func mustNodes(op string, root *Node, dst []*Node, rows []float64, width int) {
	if root == nil {
		panic(model.NotFitted(op))
	}
	if len(rows) != len(dst)*width {
		panic(model.Errorf(op, "rows must have a value per column of each row, got %d for %d rows of %d columns", len(rows), len(dst), width))
	}
}
