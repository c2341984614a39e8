package progen

import (
	"fmt"
	"strings"
)

// mayPanic reports whether the statement may get an operation that can panic. With two such
// operations, either of them could panic first.
func (g *generator) mayPanic() bool {
	if g.panics == 0 {
		return false
	}
	g.panics--
	return true
}

// expr returns an expression of a type.
func (g *generator) expr(t *typ, depth int) string {
	if depth <= 0 || g.n(5) == 0 {
		if v := g.variableOf(t); v != "" && g.n(4) > 0 {
			return v
		}
		if depth <= 0 {
			return g.literal(t, 1)
		}
	}
	if g.n(6) == 0 {
		if call := g.call(t, depth); call != "" {
			return call
		}
	}
	switch g.n(12) {
	case 0:
		return fmt.Sprintf("func() %s { return %s }()", t.name, g.expr(t, depth-1))
	case 1:
		return fmt.Sprintf("pair[%s, int]{%s, %d}.swap().second", t.name, g.expr(t, depth-1), g.n(9))
	case 2:
		return fmt.Sprintf("[]%s{%s, %s}[%d]", t.name, g.expr(t, depth-1), g.expr(t, depth-1), g.n(2))
	case 3:
		if g.mayPanic() {
			return fmt.Sprintf("any(%s).(%s)", g.expr(t, depth-1), t.name)
		}
	case 4:
		if g.mayPanic() {
			return fmt.Sprintf("[]%s{%s, %s}[%s]", t.name, g.expr(t, depth-1), g.expr(t, depth-1), g.expr(intType, depth-1))
		}
	case 5:
		if v := g.find(func(v *typ) bool { return v.kind == mapsKind && v.elem == t }); v != "" {
			return fmt.Sprintf("%s[%s]", v, g.expr(stringType, depth-1))
		}
	case 6:
		if v := g.find(func(v *typ) bool { return v.kind == arrays && v.elem == t }); v != "" {
			return fmt.Sprintf("%s[uint(%s)%%uint(len(%s))]", v, g.expr(intType, depth-1), v)
		}
	case 7:
		if v := g.find(func(v *typ) bool { return v.kind == slicesKind && v.elem == t }); v != "" && g.mayPanic() {
			return fmt.Sprintf("%s[%s]", v, g.expr(intType, depth-1))
		}
	case 8:
		for _, i := range g.rand.Perm(len(g.vars)) {
			v := g.vars[i]
			if v.typ.kind != structs && v.typ.kind != pointers {
				continue
			}
			st := v.typ
			if st.kind == pointers {
				if !g.mayPanic() { // it may be nil
					continue
				}
				st = st.elem
			}
			for _, f := range st.fields {
				if f.typ == t {
					return v.name + "." + f.name
				}
			}
		}
	}
	return g.operation(t, depth)
}

// operation returns an expression with an operation for the kind of a type.
func (g *generator) operation(t *typ, depth int) string {
	sub := func(t *typ) string { return g.expr(t, depth-1) }
	switch t.kind {
	case integers:
		return g.integer(t, depth)
	case floats:
		switch g.n(6) {
		case 0:
			return fmt.Sprintf("%s(%s)", t.name, sub(g.numeric()))
		case 1:
			return fmt.Sprintf("-(%s)", sub(t))
		case 2:
			return fmt.Sprintf("largest(%s, %s)", sub(t), sub(t))
		case 3:
			return fmt.Sprintf("%s(real(complex(%s, 1)))", t.name, sub(basics[13]))
		}
		return fmt.Sprintf("(%s %s %s)", sub(t), g.pick("+", "-", "*", "/"), sub(t))
	case complexes:
		if g.n(3) == 0 {
			return fmt.Sprintf("%s(complex(%s, %s))", t.name, sub(basics[13]), sub(basics[13]))
		}
		return fmt.Sprintf("(%s %s %s)", sub(t), g.pick("+", "-", "*"), sub(t))
	case stringsKind:
		switch g.n(8) {
		case 0:
			return fmt.Sprintf("%s(fmt.Sprint(%s))", t.name, sub(basics[g.n(len(basics))]))
		case 1:
			return fmt.Sprintf("%s(rune(%s & 0x3ff))", t.name, sub(intType))
		case 2:
			return fmt.Sprintf("%s([]byte(%s))", t.name, sub(t))
		case 3:
			return fmt.Sprintf("%s([]rune(%s))", t.name, sub(t))
		case 4:
			if g.mayPanic() {
				return fmt.Sprintf("(%s)[%s:]", sub(t), sub(intType))
			}
		case 5:
			if v := g.tag(); v != "" && !t.named {
				return v + ".Tag()"
			}
		case 6:
			return fmt.Sprintf("cut(%s(strings.Repeat(string(%s), %s&3)))", t.name, sub(t), sub(intType))
		}
		return fmt.Sprintf("cut(%s + %s)", sub(t), sub(t))
	case bools:
		return g.condition(t, depth)
	}
	return g.literal(t, depth)
}

// integer returns an expression of an integer type.
func (g *generator) integer(t *typ, depth int) string {
	sub := func(t *typ) string { return g.expr(t, depth-1) }
	switch g.n(14) {
	case 0:
		n := g.numeric()
		for n.kind != integers {
			n = g.numeric()
		}
		return fmt.Sprintf("%s(%s)", t.name, sub(n))
	case 1:
		return fmt.Sprintf("%s(len(%s))", t.name, sub(stringType))
	case 2:
		if v := g.find(func(v *typ) bool { return v.kind == slicesKind || v.kind == mapsKind }); v != "" {
			return fmt.Sprintf("%s(len(%s))", t.name, v)
		}
	case 3:
		return fmt.Sprintf("(%s %s (%s & %d))", sub(t), g.pick("<<", ">>"), sub(g.unsigned()), []int{7, 31, 127}[g.n(3)])
	case 4:
		if g.mayPanic() { // a negative count
			return fmt.Sprintf("(%s %s %s)", sub(t), g.pick("<<", ">>"), sub(intType))
		}
	case 5:
		if g.mayPanic() {
			return fmt.Sprintf("(%s %s %s)", sub(t), g.pick("/", "%"), sub(t))
		}
	case 6:
		switch g.n(3) {
		case 0:
			return fmt.Sprintf("(%s %s %s)", sub(t), g.pick("/", "%"), g.constant(t))
		case 1:
			return fmt.Sprintf("(%s %s %d)", sub(t), g.pick("<<", ">>"), g.n(70))
		}
		return fmt.Sprintf("(%s %s (%s | 1))", sub(t), g.pick("/", "%"), sub(t))
	case 7:
		return fmt.Sprintf("%s(%s)", g.pick("-", "^"), sub(t))
	case 8:
		return fmt.Sprintf("%s(%s, %s)", g.pick("min", "max", "largest"), sub(t), sub(t))
	case 9:
		return fmt.Sprintf("%s(bounded(float64(%s)))", t.name, sub(basics[13]))
	case 10:
		return fmt.Sprintf("func(x, y %s) %s { return y %s x }(%s, %s)", t.name, t.name, g.pick("-", "+", "&^"), sub(t), sub(t))
	}
	right := sub(t)
	if g.n(4) == 0 {
		right = g.constant(t)
	}
	return fmt.Sprintf("(%s %s %s)", sub(t), g.pick("+", "-", "*", "&", "|", "^", "&^"), right)
}

// constant returns a nonzero constant of an integer type. Use it only as an operand next to a
// nonconstant operand: the compiler refuses constant expressions that overflow.
func (g *generator) constant(t *typ) string { return fmt.Sprintf("%s(%d)", t.name, 1+g.n(127)) }

// condition returns an expression of a boolean type.
func (g *generator) condition(t *typ, depth int) string {
	sub := func(t *typ) string { return g.expr(t, depth-1) }
	conv := func(s string) string {
		if t.named {
			return t.name + "(" + s + ")"
		}
		return s
	}
	switch g.n(5) {
	case 0:
		return fmt.Sprintf("!(%s)", sub(t))
	case 1:
		return fmt.Sprintf("(%s %s %s)", sub(t), g.pick("&&", "||"), sub(t))
	case 2:
		if c := g.anyType(); c.comparable() && c.kind != pointers {
			return conv(fmt.Sprintf("(%s) %s (%s)", sub(c), g.pick("==", "!="), sub(c)))
		}
	case 3:
		if v := g.find(func(v *typ) bool { return v.kind == interfaces }); v != "" {
			return conv(fmt.Sprintf("(%s == any(%s))", v, sub(basics[g.n(len(basics))])))
		}
	}
	o := g.numeric()
	switch g.n(3) {
	case 0:
		o = stringType
	case 1:
		if o.kind == integers {
			return conv(fmt.Sprintf("(%s %s %s)", sub(o), g.pick("<", "<=", ">", ">=", "==", "!="), g.constant(o)))
		}
	}
	return conv(fmt.Sprintf("(%s %s %s)", sub(o), g.pick("<", "<=", ">", ">=", "==", "!="), sub(o)))
}

// literal returns a literal, or a composite literal of literals.
func (g *generator) literal(t *typ, depth int) string {
	many := func(n int) string {
		var b []string
		for range n {
			b = append(b, g.expr(t.elem, depth-1))
		}
		return strings.Join(b, ", ")
	}
	switch t.kind {
	case integers:
		n := []uint64{0, 1, 2, 3, 7, 100, 127, 128, 255, 32767, 65535, 1<<31 - 1, 1 << 31, 1<<63 - 1, 1<<64 - 1, g.rand.Uint64()}[g.n(16)]
		if t.bits < 64 {
			n &= 1<<t.bits - 1
		}
		if t.signed {
			n &= 1<<(t.bits-1) - 1
			if g.n(3) == 0 {
				return fmt.Sprintf("val(%s(-%d))", t.name, n)
			}
		}
		return fmt.Sprintf("val(%s(%d))", t.name, n)
	case floats:
		return fmt.Sprintf("val(%s(%s))", t.name, g.pick("0", "1", "-1.5", "0.1", "3e10", "-2.5e-7", "1.0/3", "16777217"))
	case complexes:
		return fmt.Sprintf("val(%s(%s))", t.name, g.pick("1i", "2+3i", "0", "-0.5i"))
	case stringsKind:
		return fmt.Sprintf("val(%s(%s))", t.name, g.pick(`""`, `"a"`, `"héllo"`, `"\xff\x00z"`, `"日本"`, "`raw`"))
	case bools:
		return fmt.Sprintf("val(%s(%s))", t.name, g.pick("true", "false"))
	case slicesKind:
		switch g.n(4) {
		case 0:
			return fmt.Sprintf("%s(nil)", t.name)
		case 1:
			return fmt.Sprintf("make(%s, %d, %d)", t.name, g.n(3), 3+g.n(3))
		}
		return fmt.Sprintf("%s{%s}", t.name, many(g.n(4)))
	case arrays:
		return fmt.Sprintf("%s{%s}", t.name, many(1))
	case mapsKind:
		if g.n(3) == 0 {
			return fmt.Sprintf("%s{}", t.name)
		}
		return fmt.Sprintf("%s{\"a\": %s, \"b\": %s}", t.name, g.expr(t.elem, depth-1), g.expr(t.elem, depth-1))
	case structs:
		var fs []string
		for _, f := range t.fields {
			if g.n(3) > 0 {
				fs = append(fs, f.name+": "+g.expr(f.typ, depth-1))
			}
		}
		return fmt.Sprintf("(%s{%s})", t.name, strings.Join(fs, ", "))
	case pointers:
		if g.n(4) == 0 {
			return fmt.Sprintf("(%s)(nil)", t.name)
		}
		return fmt.Sprintf("(&%s{})", t.elem.name)
	case funcs:
		outer := g.vars
		g.vars = append(g.vars[:len(g.vars):len(g.vars)], variable{"x", t.elem, true})
		panics := g.panics
		g.panics = 0
		f := fmt.Sprintf("(func(x %s) %s { return %s })", t.elem.name, t.elem.name, g.expr(t.elem, depth-1))
		g.vars, g.panics = outer, panics
		return f
	}
	if g.n(4) == 0 {
		return "any(nil)"
	}
	return "any(" + g.expr(basics[g.n(len(basics))], depth-1) + ")"
}

// call returns a call of a function with a result of a type, or "" if there is none.
func (g *generator) call(t *typ, depth int) string {
	if v := g.find(func(v *typ) bool { return v.kind == funcs && v.elem == t }); v != "" && g.n(2) == 0 && g.mayPanic() {
		return fmt.Sprintf("%s(%s)", v, g.expr(t, depth-1))
	}
	for _, i := range g.rand.Perm(len(g.funcs)) {
		f := g.funcs[i]
		if f.result != t {
			continue
		}
		var args []string
		for _, p := range f.params {
			args = append(args, g.expr(p, depth-1))
		}
		return fmt.Sprintf("%s(%s)", f.name, strings.Join(args, ", "))
	}
	return ""
}

// variableOf returns a variable of a type, or "" if there is none.
func (g *generator) variableOf(t *typ) string { return g.find(func(v *typ) bool { return v == t }) }

// find returns a variable for whose type wanted returns true, or "" if there is none.
func (g *generator) find(wanted func(*typ) bool) string {
	for _, i := range g.rand.Perm(len(g.vars)) {
		if wanted(g.vars[i].typ) {
			return g.vars[i].name
		}
	}
	return ""
}

// tag returns a variable whose type has a Tag method.
func (g *generator) tag() string {
	return g.find(func(v *typ) bool {
		for _, t := range g.tagged {
			if t == v && g.printable(t, 3) && (len(t.fields) == 0 || g.printable(t.fields[len(t.fields)-1].typ, 3)) {
				return true
			}
		}
		return false
	})
}

// numeric returns a type of integers or floats.
func (g *generator) numeric() *typ { return basics[g.n(14)] }

// unsigned returns a type of unsigned integers.
func (g *generator) unsigned() *typ { return basics[6+g.n(6)] }
