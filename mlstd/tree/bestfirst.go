package tree

import "container/heap"

// bestFirst always splits the node whose split lowers the total impurity most,
// until the tree has maxLeaves leaves.
func (g *grower) bestFirst(root *task, step func() error) error {
	sc := g.scratch()
	var h taskHeap
	push := func(t *task) {
		g.evaluate(t, sc, true)
		if t.best.ok {
			heap.Push(&h, t)
		}
	}
	push(root)
	for leaves := 1; h.Len() > 0; {
		if e := step(); e != nil {
			return e
		}
		t := heap.Pop(&h).(*task)
		if leaves+t.best.children-1 > g.maxLeaves {
			continue
		}
		children := g.split(t, sc, true)
		if !t.node.Leaf() {
			leaves += len(t.node.Children) - 1
		}
		for _, c := range children {
			push(c)
		}
	}
	return nil
}

type taskHeap []*task

func (h taskHeap) Len() int { return len(h) }
func (h taskHeap) Less(i, j int) bool {
	a, b := h[i].node.Weight*h[i].best.gain, h[j].node.Weight*h[j].best.gain
	if a != b {
		return a > b
	}
	return h[i].path < h[j].path
}
func (h taskHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *taskHeap) Push(x any)   { *h = append(*h, x.(*task)) }
func (h *taskHeap) Pop() any {
	old := *h
	t := old[len(old)-1]
	*h = old[:len(old)-1]
	return t
}
