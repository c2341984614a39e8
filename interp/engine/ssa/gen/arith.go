package main

import "fmt"

// operator is a binary operator. For each operator, gen writes a function that makes an expression
// tree and a function that makes an op; the op of a comparison is the end of a block. Both have six
// variants, one for each shape of the operands.
type operator struct{ name, token, constraint string }

var operators = []operator{
	{"add", "+", "addable"},
	{"sub", "-", "number"},
	{"mul", "*", "number"},
	{"quo", "/", "number"},
	{"rem", "%", "integer"},
	{"and", "&", "integer"},
	{"or", "|", "integer"},
	{"xor", "^", "integer"},
	{"andNot", "&^", "integer"},
}

var comparisons = []operator{
	{"eq", "==", "comparable"},
	{"ne", "!=", "comparable"},
	{"lt", "<", "ordered"},
	{"le", "<=", "ordered"},
	{"gt", ">", "ordered"},
	{"ge", ">=", "ordered"},
}

// shapes lists the possible operands, and the code with which the closure reads them.
var shapes = []struct{ label, x, y string }{
	{"slotSlot", "*ref[T](fp, a)", "*ref[T](fp, b)"},
	{"slotConst", "*ref[T](fp, a)", "k"},
	{"slotTree", "*ref[T](fp, a)", "g(fp)"},
	{"treeSlot", "f(fp)", "*ref[T](fp, b)"},
	{"treeConst", "f(fp)", "k"},
}

func arithmetic() []byte {
	w := header("compile", "go/token", "unsafe")
	for _, o := range operators {
		fmt.Fprintf(w, "func %sTree[T %s](x, y arg[T]) expr[T] {\na, b, k, f, g := x.off, y.off, y.k, x.tree, y.tree\nswitch x.kind<<2 | y.kind {\n", o.name, o.constraint)
		for _, s := range shapes {
			fmt.Fprintf(w, "case %s:\nreturn func(fp frame) T { return %s %s %s }\n", s.label, s.x, o.token, s.y)
		}
		fmt.Fprintf(w, "}\nreturn func(fp frame) T { return f(fp) %s g(fp) }\n}\n\n", o.token)

		fmt.Fprintf(w, "func %sOp[T %s](d uintptr, x, y arg[T]) op {\na, b, k, f, g := x.off, y.off, y.k, x.tree, y.tree\nswitch x.kind<<2 | y.kind {\n", o.name, o.constraint)
		for _, s := range shapes {
			fmt.Fprintf(w, "case %s:\nreturn func(fp frame) { *ref[T](fp, d) = %s %s %s }\n", s.label, s.x, o.token, s.y)
		}
		fmt.Fprintf(w, "}\nreturn func(fp frame) { *ref[T](fp, d) = f(fp) %s g(fp) }\n}\n\n", o.token)
	}
	for _, o := range comparisons {
		fmt.Fprintf(w, "func %sTree[T %s](x, y arg[T]) expr[bool] {\na, b, k, f, g := x.off, y.off, y.k, x.tree, y.tree\nswitch x.kind<<2 | y.kind {\n", o.name, o.constraint)
		for _, s := range shapes {
			fmt.Fprintf(w, "case %s:\nreturn func(fp frame) bool { return %s %s %s }\n", s.label, s.x, o.token, s.y)
		}
		fmt.Fprintf(w, "}\nreturn func(fp frame) bool { return f(fp) %s g(fp) }\n}\n\n", o.token)

		branch := "{\nif %s %s %s {\nreturn yes\n}\nreturn no\n}"
		fmt.Fprintf(w, "func %sBranch[T %s](x, y arg[T], yes, no *block) branch {\na, b, k, f, g := x.off, y.off, y.k, x.tree, y.tree\nswitch x.kind<<2 | y.kind {\n", o.name, o.constraint)
		for _, s := range shapes {
			fmt.Fprintf(w, "case %s:\nreturn func(fp frame) *block "+branch+"\n", s.label, s.x, o.token, s.y)
		}
		fmt.Fprintf(w, "}\nreturn func(fp frame) *block "+branch+"\n}\n\n", "f(fp)", o.token, "g(fp)")
	}
	updates(w)
	tables(w)
	return w.Bytes()
}
