package native

// Code looks at the ends of the rounds of its loops whether it has run for long enough. What
// a round counts as is the work in its loop, which it may have done all.

const (
	// pollWork is the work between two looks of the Go side, in instructions of the form.
	pollWork = 8 << 10
	callWork = 64 // of a call of a Go function
	// loadWork is that of a load of a pointer: what it points at may be far away.
	loadWork = 8
	// mostWork is what a round counts as at most.
	mostWork = pollWork
)

// work returns what the instructions of a block count as.
func (b *Block) work() (n int64) {
	n = 1
	for i := range b.Instrs {
		switch in := &b.Instrs[i]; {
		case in.Op == CallGo:
			n += callWork
		case in.Op == Load && in.Type == Pointer:
			n += loadWork
		default:
			n++
		}
	}
	return n
}

// workOf returns what a function counts as, each of its blocks once.
func workOf(f *Func) (n int64) {
	for _, i := range f.Order {
		n += f.Blocks[i].work()
	}
	return min(n, mostWork)
}

// chargePolls tells each poll what its round counts as: the blocks from which its loop goes
// round without passing the head.
func chargePolls(f *Func) {
	preds := make([][]int, len(f.Blocks))
	for _, i := range f.Order {
		for _, s := range f.Blocks[i].Successors() {
			preds[s] = append(preds[s], i)
		}
	}
	for _, i := range f.Order {
		b := &f.Blocks[i]
		n := len(b.Instrs)
		if n == 0 || b.Instrs[n-1].Op != Poll {
			continue
		}
		in := map[int]bool{b.Next[0]: true}
		work := f.Blocks[b.Next[0]].work()
		for todo := []int{i}; len(todo) > 0; {
			x := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if !in[x] {
				in[x] = true
				work += f.Blocks[x].work()
				todo = append(todo, preds[x]...)
			}
		}
		b.Instrs[n-1].Imm = min(work, mostWork)
	}
}
