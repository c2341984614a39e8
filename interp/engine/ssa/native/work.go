package native

// Safepoints: each loop iteration ends with a poll. The poll counts down the work of the loop's
// body, and leaves the code when the budget of work is used up.

const (
	// pollWork is the work between two returns to Go, in instructions of the intermediate form.
	pollWork = 8 << 10
	// maxOverrun is the work at which a body that cannot suspend is abandoned, after the budget is
	// used up.
	maxOverrun = 8 * pollWork
	callWork   = 64 // work of a call of a Go function
	// loadWork is the work of loading a pointer, which may miss the cache.
	loadWork = 8
	// mostWork is the maximum work that counts for one iteration.
	mostWork = pollWork
)

// work returns the work of the instructions of a block.
func (b *Block) work() (n int64) {
	n = 1
	for i := range b.Instrs {
		switch in := &b.Instrs[i]; {
		case in.Op == CallGo || in.Op == CallHelper:
			n += callWork
		case in.Op == Load && in.Type == Pointer:
			n += loadWork
		default:
			n++
		}
	}
	return n
}

// workOf returns the work of a function; it counts each block once.
func workOf(f *Func) (n int64) {
	for _, i := range f.Order {
		n += f.Blocks[i].work()
	}
	return min(n, mostWork)
}

// chargePolls sets the work of each poll to the work of its natural loop. The loop consists of the
// blocks from which the back edge is reachable without passing the header.
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
