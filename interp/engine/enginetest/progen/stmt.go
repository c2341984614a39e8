package progen

import (
	"fmt"
)

// block writes some statements with a scope of their own.
func (g *generator) block(statements int) {
	from := len(g.vars)
	for range statements {
		g.statement()
	}
	g.use(from)
}

// declare declares a variable with an expression as its initial value.
func (g *generator) declare(t *typ, value string) string {
	name := g.local()
	if g.n(2) == 0 {
		g.line("var %s %s = %s", name, t.name, value)
	} else {
		g.line("%s := %s(%s)", name, parens(t), value)
	}
	g.vars = append(g.vars, variable{name, t, false})
	return name
}

// parens returns a type in the form that a conversion to it needs.
func parens(t *typ) string {
	if t.kind == pointers || t.kind == funcs {
		return "(" + t.name + ")"
	}
	return t.name
}

// statement writes one statement.
func (g *generator) statement() {
	g.allowPanic()
	if g.budget--; g.budget <= 0 || g.depth > 3 {
		t := g.anyType()
		g.declare(t, g.expr(t, 2))
		return
	}
	g.depth++
	defer func() { g.depth-- }()
	if g.n(40) == 0 {
		g.line("runtime.GC()")
	}
	switch n := g.n(26); n {
	case 0, 1, 2, 3, 4:
		t := g.anyType()
		g.declare(t, g.expr(t, 4))
	case 5, 6, 7:
		g.assign()
	case 8:
		g.open("if (%s) {", g.expr(boolType, 3))
		g.block(1 + g.n(3))
		if g.n(2) == 0 {
			g.close("} else {")
			g.indent++
			g.block(1 + g.n(3))
		}
		g.close("}")
	case 9, 10, 11:
		g.loop()
	case 12:
		g.switchStatement()
	case 13:
		g.typeSwitch()
	default:
		if g.pure {
			g.assign()
			return
		}
		g.effect(n)
	}
}

// allowPanic decides whether the next statement may panic. Panics that are recovered are allowed
// more often, so that programs do not end early.
func (g *generator) allowPanic() {
	g.panics = 0
	if g.guards > 0 || !g.pure && g.n(60) == 0 {
		g.panics = 1
	}
}

// assign assigns to a variable, or to a part of one.
func (g *generator) assign() {
	var vs []variable
	for _, v := range g.vars {
		if !v.fixed {
			vs = append(vs, v)
		}
	}
	if len(vs) == 0 {
		t := g.anyType()
		g.declare(t, g.expr(t, 3))
		return
	}
	v := vs[g.n(len(vs))]
	switch {
	case v.typ.kind == integers && g.n(2) == 0:
		switch g.n(3) {
		case 0:
			g.line("%s%s", v.name, g.pick("++", "--"))
		case 1:
			g.line("%s %s %s & 15", v.name, g.pick("<<=", ">>="), g.expr(g.unsigned(), 2))
		default:
			g.line("%s %s %s", v.name, g.pick("+=", "-=", "*=", "&=", "|=", "^=", "&^="), g.expr(v.typ, 3))
		}
		return
	case v.typ.kind == stringsKind && g.n(2) == 0:
		g.line("if len(%s) < 50 { %s += %s }", v.name, v.name, g.expr(v.typ, 2))
		return
	case v.typ.kind == arrays && g.n(2) == 0:
		g.line("%s[%d] = %s", v.name, 0, g.expr(v.typ.elem, 3))
		return
	case v.typ.kind == structs && g.n(2) == 0:
		f := v.typ.fields[g.n(len(v.typ.fields))]
		g.line("%s.%s = %s", v.name, f.name, g.expr(f.typ, 3))
		return
	case g.pure:
	case v.typ.kind == mapsKind && g.n(2) == 0:
		g.line("if %s != nil { %s[%s] = %s }", v.name, v.name, g.expr(stringType, 1), g.expr(v.typ.elem, 2))
		return
	case v.typ.kind == slicesKind && g.n(2) == 0:
		// The compiler chooses the capacity, so don't print it.
		g.line("if len(%s) < 5 { %s = append(%s[:len(%s):len(%s)], %s) }", v.name, v.name, v.name, v.name, v.name, g.expr(v.typ.elem, 3))
		return
	case v.typ.kind == pointers && g.n(2) == 0:
		f := v.typ.elem.fields[g.n(len(v.typ.elem.fields))]
		value := g.local()
		g.line("%s := %s", value, g.expr(f.typ, 2))
		g.line("%s.%s = %s", v.name, f.name, value)
		return
	}
	if w := g.variableOf(v.typ); w != "" && w != v.name && g.n(3) == 0 {
		for _, o := range g.vars {
			if o.name == w && !o.fixed {
				g.line("%s, %s = %s, %s", v.name, w, w, v.name)
				return
			}
		}
	}
	g.line("%s = %s", v.name, g.expr(v.typ, 4))
}

// loop writes a loop, perhaps with a label.
func (g *generator) loop() {
	label := ""
	if g.n(3) == 0 {
		label = fmt.Sprintf("L%d", g.names)
		g.names++
	}
	var loopVars []variable
	head := ""
	count := g.local()
	intVar := func(name string) { loopVars = append(loopVars, variable{name, intType, true}) }
	switch g.n(8) {
	case 0, 1:
		head = fmt.Sprintf("for %s := 0; %s < %d; %s++ {", count, count, 1+g.n(5), count)
		intVar(count)
	case 2:
		head = fmt.Sprintf("for %s := range %d {", count, g.n(5))
		intVar(count)
	case 3:
		value := g.local()
		head = fmt.Sprintf("for %s, %s := range (%s) {", count, value, g.expr(stringType, 2))
		intVar(count)
		loopVars = append(loopVars, variable{value, basics[4], true})
	case 4:
		s := &typ{}
		for _, t := range g.types {
			if t.kind == slicesKind || t.kind == arrays {
				s = t
			}
		}
		if s.name == "" {
			head = fmt.Sprintf("for %s := range %d {", count, g.n(5))
			intVar(count)
			break
		}
		value := g.local()
		head = fmt.Sprintf("for %s, %s := range (%s) {", count, value, g.expr(s, 2))
		intVar(count)
		loopVars = append(loopVars, variable{value, s.elem, true})
	case 5, 6:
		value := g.local()
		head = fmt.Sprintf("for %s, %s := range counted(%d) {", count, value, 1+g.n(4))
		intVar(count)
		intVar(value)
	case 7:
		m := g.find(func(v *typ) bool { return v.kind == mapsKind })
		if m == "" {
			m = `map[string]int{"x": 1, "y": 2}`
		}
		head = fmt.Sprintf("for %s, %s := range (sortedKeys(%s)) {", count, count+"k", m)
		intVar(count)
		loopVars = append(loopVars, variable{count + "k", stringType, true})
	}
	if label != "" {
		g.line("%s:", label)
	}
	g.open("%s", head)
	g.line("if fuel--; fuel < 0 { break }")
	from := len(g.vars)
	g.vars = append(g.vars, loopVars...)
	for _, v := range loopVars {
		g.line("_ = %s", v.name)
	}
	if label != "" {
		g.panics = 0
		g.open("for range 2 {")
		g.line("if (%s) { %s %s }", g.expr(boolType, 2), g.pick("continue", "break"), label)
		g.close("}")
	}
	inner := len(g.vars)
	for range 1 + g.n(3) {
		g.statement()
	}
	g.use(inner)
	g.panics = 0
	if g.n(3) == 0 {
		g.line("if (%s) { %s }", g.expr(boolType, 2), g.pick("continue", "break"))
	}
	g.vars = g.vars[:from]
	g.close("}")
}

// switchStatement writes a switch over values or conditions.
func (g *generator) switchStatement() {
	tag := ""
	t := g.numeric()
	if g.n(3) > 0 {
		tag = "(" + g.expr(t, 3) + ")"
	}
	g.panics = 0
	g.open("switch %s {", tag)
	for i := range 1 + g.n(3) {
		cond := g.expr(boolType, 2)
		if tag != "" {
			cond = g.expr(t, 1) + " + " + fmt.Sprintf("val(%s(%d))", t.name, i)
			if v := g.variableOf(t); v != "" {
				cond = v
			} else {
				cond = fmt.Sprintf("func() %s { return %s }()", t.name, cond)
			}
		} else {
			cond = "bool(" + cond + ") == func() bool { return true }()"
		}
		g.line("case %s:", cond)
		g.indent++
		g.block(1 + g.n(2))
		if g.n(4) == 0 {
			g.line("fallthrough")
		}
		g.indent--
	}
	g.line("default:")
	g.indent++
	g.block(1 + g.n(2))
	g.indent--
	g.close("}")
}

// typeSwitch writes a switch over the type of a value.
func (g *generator) typeSwitch() {
	name := g.local()
	g.open("switch %s := (%s).(type) {", name, g.expr(anyType, 2))
	for _, i := range g.rand.Perm(len(basics) - 2)[:3] {
		t := basics[1:][i]
		if t == stringType {
			continue
		}
		g.line("case %s:", t.name)
		g.indent++
		from := len(g.vars)
		g.vars = append(g.vars, variable{name, t, true})
		g.line("_ = %s", name)
		inner := len(g.vars)
		g.statement()
		g.use(inner)
		g.vars = g.vars[:from]
		g.indent--
	}
	g.line("case nil, string, error:")
	g.line("\t_ = %s", name)
	g.line("default:")
	g.line("\t_ = %s", name)
	g.close("}")
}

// effect writes a statement with side effects, which only the main function of a program can have.
func (g *generator) effect(n int) {
	switch n {
	case 14, 15:
		g.capture()
	case 16, 17, 18:
		g.recovery()
	case 19:
		g.turns()
	case 20:
		g.concurrentSum()
	case 21:
		g.selection()
	case 22:
		g.dynamicCall()
	case 23:
		g.pointerCall()
	case 24:
		g.genericCall()
	default:
		g.jump()
	}
}

// capture writes a closure that changes its captured variables.
func (g *generator) capture() {
	t := g.anyType()
	v := g.declare(t, g.expr(t, 2))
	f := g.local()
	g.open("%s := func(x int) int {", f)
	g.block(1 + g.n(3))
	g.allowPanic()
	g.line("%s = %s", v, g.expr(t, 2))
	g.line("return x + 1")
	g.close("}")
	for range 1 + g.n(2) {
		r := g.local()
		g.line("%s := %s(%d)", r, f, g.n(5))
		g.line("emit(\"called\", %s)", r)
	}
}

// recovery writes code with defer, panic and recover.
func (g *generator) recovery() {
	g.open("func() {")
	g.open("defer func() {")
	g.line("if r := recover(); r != nil { emit(\"recovered\", text(r)) }")
	g.close("}()")
	if g.n(2) == 0 {
		g.open("for i := range 3 {")
		g.line("defer func() { emit(\"deferred\", i) }()")
		g.close("}")
	}
	g.guards++
	g.block(1 + g.n(4))
	g.guards--
	if g.n(2) == 0 {
		g.panics = 0
		g.line("if (%s) { panic(%s) }", g.expr(boolType, 2), g.expr(basics[g.n(len(basics))], 1))
	}
	g.close("}()")
}

// turns writes goroutines that take turns.
func (g *generator) turns() {
	t := g.anyType()
	c := g.local()
	g.panics = 0
	g.line("%s := make(chan %s, %d)", c, t.name, g.n(3))
	v := g.local()
	g.line("%ssent := %s", v, g.literal(t, 1))
	g.line("go func() { defer close(%s); for range %d { %s <- %ssent } }()", c, 1+g.n(4), c, v)
	g.open("for %s := range %s {", v, c)
	from := len(g.vars)
	g.vars = append(g.vars, variable{v, t, true})
	g.line("_ = %s", v)
	inner := len(g.vars)
	g.statement()
	g.use(inner)
	g.vars = g.vars[:from]
	g.close("}")
}

// concurrentSum writes a sum over goroutines.
func (g *generator) concurrentSum() {
	sum := g.local()
	g.panics = 0
	g.line("var %s int", sum)
	g.open("{")
	g.line("var mu sync.Mutex")
	g.line("var wg sync.WaitGroup")
	g.open("for i := range %d {", 1+g.n(5))
	g.line("wg.Add(1)")
	g.line("go func() { defer wg.Done(); mu.Lock(); defer mu.Unlock(); %s += i * %d }()", sum, g.n(100))
	g.close("}")
	g.line("wg.Wait()")
	g.close("}")
	g.vars = append(g.vars, variable{sum, intType, false})
}

// selection writes select.
func (g *generator) selection() {
	g.panics = 0
	c := g.local()
	g.line("%s := make(chan int, 1)", c)
	if g.n(2) == 0 {
		g.line("%s <- %s", c, g.expr(intType, 2))
	}
	g.line("select { case x, ok := <-%s: emit(\"received\", fmt.Sprint(x, ok)); default: emit(\"empty\", 0) }", c)
}

// dynamicCall writes a call through an interface.
func (g *generator) dynamicCall() {
	if v := g.tag(); v != "" {
		i := g.local()
		g.line("var %s tagger = %s", i, v)
		g.line("emit(\"tag\", %s.Tag())", i)
		m := g.local()
		g.line("%s := %s.Tag", m, i)
		g.line("emit(\"method\", %s())", m)
		return
	}
	g.assign()
}

// pointerCall writes a pointer to a variable, and a method call through the pointer.
func (g *generator) pointerCall() {
	if len(g.structs) == 0 {
		g.assign()
		return
	}
	st := g.structs[g.n(len(g.structs))]
	v := g.declare(st, g.expr(st, 2))
	f := st.fields[len(st.fields)-1]
	p := g.local()
	g.line("%s := &%s", p, v)
	old := g.local()
	g.line("%s := %s.Set%s(%s)", old, p, st.name, g.expr(f.typ, 2))
	g.line("_ = %s", old)
	set := g.local()
	g.line("%s := (*%s).Set%s", set, st.name, st.name)
	g.line("%s(%s, %s.%s)", set, p, v, f.name)
}

// genericCall writes calls of generic functions.
func (g *generator) genericCall() {
	t := g.numeric()
	r := g.local()
	g.line("%s := mapped([]%s{%s, %s}, func(x %s) string { return show(x) })", r, t.name, g.expr(t, 2), g.expr(t, 2), t.name)
	g.line("emit(\"mapped\", strings.Join(%s, \",\"))", r)
}

// jump writes goto.
func (g *generator) jump() {
	label, n := fmt.Sprintf("G%d", g.names), g.local()
	g.line("var %s int", n)
	g.line("%s:", label)
	g.line("%s++; fuel--", n)
	g.line("if %s < %d { goto %s }", n, 1+g.n(4), label)
	g.vars = append(g.vars, variable{n, intType, false})
}
