package compile

import "github.com/gokernel/gokernel/interp/engine/ssa/machine"

// concat returns x + y for strings, if there is room for the result.
func concat(x, y string) string {
	machine.Room(len(x)+len(y), 1)
	return x + y
}

// concatTree is the counterpart of addTree for strings.
func concatTree(x, y arg[string]) expr[string] {
	a, b, k, f, g := x.off, y.off, y.k, x.tree, y.tree
	switch x.kind<<2 | y.kind {
	case slotSlot:
		return func(fp frame) string { return concat(*ref[string](fp, a), *ref[string](fp, b)) }
	case slotConst:
		return func(fp frame) string { return concat(*ref[string](fp, a), k) }
	case slotTree:
		return func(fp frame) string {
			s := g(fp)
			return concat(*ref[string](fp, a), s)
		}
	case treeSlot:
		return func(fp frame) string {
			s := f(fp)
			return concat(s, *ref[string](fp, b))
		}
	case treeConst:
		return func(fp frame) string { return concat(f(fp), k) }
	}
	return func(fp frame) string {
		s := f(fp)
		return concat(s, g(fp))
	}
}

// concatOp is the counterpart of addOp for strings.
func concatOp(d uintptr, x, y arg[string]) op {
	t := concatTree(x, y)
	return func(fp frame) { *ref[string](fp, d) = t(fp) }
}
