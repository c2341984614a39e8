package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// operand is a form of an operand of a binary operator. It has the name of the operand's kind, and
// the code that reads the first and the second operand.
type operand struct{ kind, x, y string }

var (
	inSlot   = operand{"inSlot", "*ref[T](fp, a)", "*ref[T](fp, b)"}
	isConst  = operand{"isConst", "", "k"}
	isTree   = operand{"isTree", "f(fp)", "g(fp)"}
	field    = operand{"ofField", "*(*T)(unsafe.Add(*ref[unsafe.Pointer](fp, xu), xv))", "*(*T)(unsafe.Add(*ref[unsafe.Pointer](fp, yu), yv))"}
	element  = operand{"ofElement", "(*ref[[]T](fp, xu))[*ref[int64](fp, xv)]", "(*ref[[]T](fp, yu))[*ref[int64](fp, yv)]"}
	inMatrix = operand{"inMatrix", "(*ref[[][]T](fp, xu))[*ref[int64](fp, xv)][*ref[int64](fp, xw)]", "(*ref[[][]T](fp, yu))[*ref[int64](fp, yv)][*ref[int64](fp, yw)]"}
	global   = operand{"inGlobal", "*xp", "*yp"}
	// The conversions prevent the compiler from fusing the product with the addition.
	product = operand{"ofProduct", "T(*ref[T](fp, xu) * *ref[T](fp, xv))", "T(*ref[T](fp, yu) * *ref[T](fp, yv))"}
)

// common returns the pairs of operands that all operators have. One operand of each pair is a load.
func common() (pairs [][2]operand) {
	loads := []operand{field, element, global}
	for _, x := range append([]operand{inSlot, isTree}, loads...) {
		for _, y := range append([]operand{inSlot, isConst, isTree}, loads...) {
			if slices.Contains(loads, x) || slices.Contains(loads, y) {
				pairs = append(pairs, [2]operand{x, y})
			}
		}
	}
	return pairs
}

// loaded lists the operators that have separate closures for operands that are loads or products,
// and the pairs that only some of these operators have.
var loaded = []struct {
	operator
	more [][2]operand
}{
	{operators[0], [][2]operand{{inSlot, product}, {product, inSlot}, {isTree, product}, {product, isTree}, {product, product}}},
	{operators[1], [][2]operand{{inSlot, product}, {product, inSlot}, {isTree, product}, {product, isTree}, {product, product}}},
	{operators[2], [][2]operand{{inSlot, inMatrix}, {inMatrix, inSlot}, {element, inMatrix}, {inMatrix, element}, {inMatrix, inMatrix}}},
}

// loads writes the closures for operands that are loads.
func loads() []byte {
	w := header("compile", "go/token", "unsafe")
	for _, o := range loaded {
		pairs := append(common(), o.more...)
		pick(w, o.name+"LoadsTree", "", "expr[T]", pairs, "func(fp frame) T {\n%sreturn %s "+o.token+" %s\n}")
		pick(w, o.name+"LoadsOp", "d uintptr, ", "op", pairs, "func(fp frame) {\n%s*ref[T](fp, d) = %s "+o.token+" %s\n}")
	}
	for _, o := range comparisons {
		pick(w, o.name+"LoadsBranch", "yes, no *block, ", "branch", common(), "func(fp frame) *block {\n%sif %s "+o.token+" %s {\nreturn yes\n}\nreturn no\n}")
	}
	accumulations(w)
	names := func(ops []operator) (all []string) {
		for _, o := range ops {
			all = append(all, o.name)
		}
		return all
	}
	byToken(w, "loadsTree returns the tree of x op y", "Tree", "", "", "expr[T]", names(operators[:3]))
	byToken(w, "loadsOp returns the op d = x op y", "Op", "d uintptr, ", "d, ", "op", names(operators[:3]))
	byToken(w, "loadsBranch returns the end of a block that depends on the comparison", "Branch", "yes, no *block, ", "yes, no, ", "branch", names(comparisons))
	return w.Bytes()
}

// accumulations writes the ops d = s + x * y and d = s - x * y.
func accumulations(w *bytes.Buffer) {
	fmt.Fprint(w, "// accumulate returns the op d = s op x * y. It returns nil if there is none for the operands.\nfunc accumulate[T int64 | float64](o token.Token, d, s uintptr, x, y arg[T]) op {\na, b, k := x.off, y.off, y.k\nxu, xv, xw, yu, yv, yw := x.u, x.v, x.w, y.u, y.v, y.w\nxp, yp := (*T)(x.at), (*T)(y.at)\nswitch o {\n")
	for _, o := range operators[:2] {
		fmt.Fprintf(w, "case %s:\nswitch 8*x.form() + y.form() {\n", tokens[o.name])
		for _, x := range []operand{inSlot, field, element, inMatrix, global} {
			for _, y := range []operand{inSlot, isConst, field, element, inMatrix, global} {
				fmt.Fprintf(w, "case 8*%s + %s:\nreturn func(fp frame) { *ref[T](fp, d) = *ref[T](fp, s) %s T(%s * %s) }\n", x.kind, y.kind, o.token, x.x, y.y)
			}
		}
		fmt.Fprint(w, "}\n")
	}
	fmt.Fprint(w, "}\nreturn nil\n}\n\n")
}

// pick writes a function that returns the closure for a pair of operands. A tree with a call may
// change the variable that the other operand loads, so the closure evaluates the first operand
// before the second.
func pick(w *bytes.Buffer, name, params, result string, pairs [][2]operand, closure string) {
	var cases bytes.Buffer
	for _, p := range pairs {
		first, x := "", p[0].x
		if p[0] == isTree || p[1] == isTree {
			first, x = "v := "+x+"\n", "v"
		}
		fmt.Fprintf(&cases, "case 8*%s + %s:\nreturn "+closure+"\n", p[0].kind, p[1].kind, first, x, p[1].y)
	}
	fmt.Fprintf(w, "func %s[T int64 | float64](%sx, y arg[T]) %s {\na, b, k, f, g := x.off, y.off, y.k, x.tree, y.tree\nxu, xv, yu, yv := x.u, x.v, y.u, y.v\nxp, yp := (*T)(x.at), (*T)(y.at)\n", name, params, result)
	if strings.Contains(cases.String(), "xw") {
		fmt.Fprint(w, "xw, yw := x.w, y.w\n")
	}
	fmt.Fprintf(w, "switch 8*x.form() + y.form() {\n%s}\nreturn nil\n}\n\n", cases.Bytes())
}

// byToken writes the function that selects an operator by its token.
func byToken(w *bytes.Buffer, doc, name, params, args, result string, ops []string) {
	fmt.Fprintf(w, "// %s.\n// It returns nil if there is none for the operands.\nfunc loads%s[T int64 | float64](o token.Token, %sx, y arg[T]) %s {\nswitch o {\n", doc, name, params, result)
	for _, o := range ops {
		fmt.Fprintf(w, "case %s:\nreturn %sLoads%s(%sx, y)\n", tokens[o], o, name, args)
	}
	fmt.Fprint(w, "}\nreturn nil\n}\n\n")
}
