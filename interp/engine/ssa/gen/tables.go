package main

import (
	"bytes"
	"fmt"
)

// tables writes the functions that select an operator by its token.
func tables(w *bytes.Buffer) {
	for _, t := range []struct {
		name, constraint string
		ops              []operator
	}{
		{"integer", "integer", operators},
		{"number", "number", operators[:4]},
	} {
		fmt.Fprintf(w, "// %sTree returns the tree of x op y.\nfunc %sTree[T %s](o token.Token, x, y arg[T]) expr[T] {\nswitch o {\n", t.name, t.name, t.constraint)
		for _, o := range t.ops {
			fmt.Fprintf(w, "case %s:\nreturn %sTree(x, y)\n", tokens[o.name], o.name)
		}
		fmt.Fprint(w, "}\nreturn nil\n}\n\n")
		fmt.Fprintf(w, "// %sOp returns the op d = x op y.\nfunc %sOp[T %s](o token.Token, d uintptr, x, y arg[T]) op {\nswitch o {\n", t.name, t.name, t.constraint)
		for _, o := range t.ops {
			fmt.Fprintf(w, "case %s:\nreturn %sOp(d, x, y)\n", tokens[o.name], o.name)
		}
		fmt.Fprint(w, "}\nreturn nil\n}\n\n")
	}
	fmt.Fprint(w, "// numberUpdate returns the op *a op= y; late means that y has a call, which the op makes first.\nfunc numberUpdate[T number](o token.Token, a address, y arg[T], late bool) op {\nswitch o {\n")
	for _, o := range operators[:4] {
		fmt.Fprintf(w, "case %s:\nreturn %sUpdate(a, y, late)\n", tokens[o.name], o.name)
	}
	fmt.Fprint(w, "}\nreturn nil\n}\n\n")
	for _, t := range []struct {
		name, constraint string
		ops              []operator
	}{
		{"order", "ordered", comparisons},
		{"equal", "comparable", comparisons[:2]},
	} {
		fmt.Fprintf(w, "// %sTree returns the tree of the comparison.\nfunc %sTree[T %s](o token.Token, x, y arg[T]) expr[bool] {\nswitch o {\n", t.name, t.name, t.constraint)
		for _, o := range t.ops {
			fmt.Fprintf(w, "case %s:\nreturn %sTree(x, y)\n", tokens[o.name], o.name)
		}
		fmt.Fprint(w, "}\nreturn nil\n}\n\n")
		fmt.Fprintf(w, "// %sBranch returns the end of a block that depends on the comparison.\nfunc %sBranch[T %s](o token.Token, x, y arg[T], yes, no *block) branch {\nswitch o {\n", t.name, t.name, t.constraint)
		for _, o := range t.ops {
			fmt.Fprintf(w, "case %s:\nreturn %sBranch(x, y, yes, no)\n", tokens[o.name], o.name)
		}
		fmt.Fprint(w, "}\nreturn nil\n}\n\n")
	}
}

var tokens = map[string]string{
	"add": "token.ADD", "sub": "token.SUB", "mul": "token.MUL", "quo": "token.QUO", "rem": "token.REM",
	"and": "token.AND", "or": "token.OR", "xor": "token.XOR", "andNot": "token.AND_NOT",
	"eq": "token.EQL", "ne": "token.NEQ", "lt": "token.LSS", "le": "token.LEQ", "gt": "token.GTR", "ge": "token.GEQ",
}
