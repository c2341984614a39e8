package tree

// flatTree is a tree laid out in one slice, so that a prediction touches little
// memory.
type flatTree struct {
	nodes []flatNode
	full  []*Node
}

type flatNode struct {
	threshold float64
	feature   int32 // -1 in a leaf, -2 in a question about a nominal feature
	first     int32 // the position of the first child; the others follow it
}

func flatten(root *Node) flatTree {
	f := flatTree{full: []*Node{root}}
	for i := 0; i < len(f.full); i++ {
		n := f.full[i]
		e := flatNode{threshold: n.Threshold, feature: -1, first: int32(len(f.full))}
		if !n.Leaf() {
			e.feature = -2
			if n.Numeric {
				e.feature = int32(n.Feature)
			}
			f.full = append(f.full, n.Children...)
		}
		f.nodes = append(f.nodes, e)
	}
	return f
}

// follow gives the node where the way of the row ends.
func (f *flatTree) follow(row []float64) *Node { return f.full[f.end(row)] }

func (f *flatTree) end(row []float64) int32 {
	i := int32(0)
	for {
		n := &f.nodes[i]
		if n.feature == -1 {
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
				return i // a level that was not seen here
			}
			k = full.Default
		}
		i = n.first + int32(k)
	}
}
