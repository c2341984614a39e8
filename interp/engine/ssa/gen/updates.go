package main

import (
	"bytes"
	"fmt"
)

// places lists how an update computes p, the address of its variable. If computing p accesses no
// memory, touch reads the variable, so that a nil pointer panics before the operand can panic.
var places = []struct{ cond, before, find, touch string }{
	{"a.kind == global", "p := (*T)(a.fixed)\n", "", ""},
	{"a.kind == behind", "off, plus := a.off, a.plus\n", "p := (*T)(unsafe.Add(*ref[unsafe.Pointer](fp, off), plus))\n", "notNil(unsafe.Pointer(p))\n"},
	{"a.kind == element && a.index.kind == inSlot && a.base.kind == inSlot", "s, i := a.base.off, a.index.off\n",
		"p := &(*ref[[]T](fp, s))[*ref[int64](fp, i)]\n", ""},
	{"a.kind == element && a.index.kind == inSlot && a.base.shape == ofElement", "rows, r, i := a.base.u, a.base.v, a.index.off\n",
		"p := &(*ref[[][]T](fp, rows))[*ref[int64](fp, r)][*ref[int64](fp, i)]\n", ""},
	{"a.kind == element && a.index.kind == inSlot && a.base.shape == ofField", "u, v, i := a.base.u, a.base.v, a.index.off\n",
		"p := &(*(*[]T)(unsafe.Add(*ref[unsafe.Pointer](fp, u), v)))[*ref[int64](fp, i)]\n", ""},
	{"a.kind == element && a.index.kind == inSlot && a.base.shape == inGlobal", "s, i := (*[]T)(a.base.at), a.index.off\n",
		"p := &(*s)[*ref[int64](fp, i)]\n", ""},
	{"", "find := a.pointer()\n", "p := (*T)(find(fp))\n", ""},
}

// updates writes the ops x op= y for variables outside the frame. If y has a call, the address of x
// is computed after y.
func updates(w *bytes.Buffer) {
	for _, o := range operators[:4] {
		fmt.Fprintf(w, "func %sUpdate[T %s](a address, y arg[T], late bool) op {\nb, k, g := y.off, y.k, y.tree\n", o.name, o.constraint)
		for _, p := range places {
			if p.cond != "" {
				fmt.Fprintf(w, "if %s {\n", p.cond)
			}
			fmt.Fprintf(w, "%sswitch y.kind {\n", p.before)
			for _, y := range []struct{ kind, value string }{{"inSlot", "*ref[T](fp, b)"}, {"isConst", "k"}} {
				fmt.Fprintf(w, "case %s:\nreturn func(fp frame) {\n%s*p %s= %s\n}\n", y.kind, p.find, o.token, y.value)
			}
			fmt.Fprintf(w, "}\nif late {\nreturn func(fp frame) {\nd := g(fp)\n%s*p %s= d\n}\n}\n", p.find, o.token)
			fmt.Fprintf(w, "return func(fp frame) {\n%s%sd := g(fp)\n*p %s= d\n}\n", p.find, p.touch, o.token)
			if p.cond != "" {
				fmt.Fprint(w, "}\n")
			}
		}
		fmt.Fprint(w, "}\n\n")
	}
}
