package native

// skipEmpty makes jumps to an empty block go to the successor of that block.
func skipEmpty(f *Func) {
	for i := range f.Blocks {
		next := f.Blocks[i].Successors()
		for k := range next {
			for range 8 {
				b := &f.Blocks[next[k]]
				if len(b.Instrs) > 0 || b.End != Jump {
					break
				}
				next[k] = b.Next[0]
			}
		}
	}
}

// A loop that tests at its head jumps twice per iteration. rotate copies the test to the ends of
// the loop's iterations.

// rotateMost is the maximum number of instructions in a head that rotate copies.
const rotateMost = 4

func rotate(f *Func) {
	for i := range f.Blocks {
		b := &f.Blocks[i]
		if n := len(b.Instrs); b.End != Jump || n == 0 || b.Instrs[n-1].Op != Poll {
			continue
		}
		head := &f.Blocks[b.Next[0]]
		if head.End != Branch || len(head.Instrs) > rotateMost || b.Next[0] == i || head.Leaves() {
			continue
		}
		b.Instrs = append(b.Instrs, head.Instrs...)
		b.End, b.Test, b.Next = head.End, head.Test, head.Next
	}
}
