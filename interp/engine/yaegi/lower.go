package yaegi

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"github.com/gokernel/gokernel/interp/engine"
)

// lowering turns one checked cell into a program that the interpreter runs as the specification
// says. Every name is used once, every constant is folded, every generic is instantiated, and
// methods are functions. Constructs that the interpreter lacks or runs incorrectly are replaced
// with other constructs.
type lowering struct {
	w        *world
	unit     *unit
	generics func(path string) (*types.Package, error)
	env      map[*types.TypeParam]types.Type
	locals   map[types.Object]string // names in the current function
	alias    map[types.Object]string // variables accessed by pointers
	fn       *function
	out      *strings.Builder  // the body being written
	decls    strings.Builder   // finished declarations
	imports  map[string]string // imports of the program, by path
	later    []func()          // writes parts that come after everything else
	setup    []string          // statements that run before the cell
	caller   token.Pos         // where the cell calls into generic sources
	literals int               // number of function literals around the current position
}

// top writes a declaration.
func (l *lowering) top(format string, args ...any) {
	fmt.Fprintf(&l.decls, format+"\n", args...)
}

// cell writes the program of a cell. Its declarations are in l.decls. The statements to run are in
// the function whose name it returns.
func (l *lowering) cell(c *engine.Cell) string {
	var funcs []*types.Func
	var inits []*types.Func
	for _, f := range c.Files {
		for _, d := range f.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			fn := c.Info.Defs[fd.Name].(*types.Func)
			if fn.Name() == "_" {
				continue
			}
			put(l.w, l.w.decls, types.Object(fn), &decl{unit: l.unit, fn: fd})
			if recv := fn.Signature().Recv(); recv != nil {
				name := receiverName(recv.Type())
				if l.w.names[name] != "" || name.Pkg() != c.Package {
					refuse(fn.Pos(), fmt.Sprintf("a method for %s, a type of an earlier cell", name.Name()), "declare the type again in this cell, together with its methods")
				}
				old := l.w.methods[name]
				put(l.w, l.w.methods, name, append(old[:len(old):len(old)], fn))
				continue
			}
			if fn.Name() == "init" {
				inits = append(inits, fn)
			}
			if fn.Signature().TypeParams().Len() == 0 {
				funcs = append(funcs, fn)
			}
		}
	}
	l.replace(c)
	replaced := map[types.Object]bool{}
	for _, obj := range c.Replaces {
		replaced[obj] = true
	}
	for _, name := range c.Package.Scope().Names() {
		switch obj := c.Package.Scope().Lookup(name).(type) {
		case *types.Var:
			if obj.Pkg() != c.Package {
				continue
			}
			if replaced[obj] {
				continue // it has the older value until it is set
			}
			l.top("var %s %s", l.w.name(obj), l.typ(obj.Type(), obj.Pos()))
		case *types.TypeName:
			if n, ok := obj.Type().(*types.Named); ok && obj.Pkg() == c.Package && !obj.IsAlias() && n.TypeParams().Len() == 0 {
				l.named(n, obj.Pos())
			}
		}
	}
	for _, fn := range funcs {
		l.declareFunc(fn)
	}
	for name := range l.w.methods {
		n, ok := name.Type().(*types.Named)
		if !ok || name.Pkg() != c.Package || n.TypeParams().Len() > 0 {
			continue
		}
		for _, m := range l.w.methods[name] {
			l.method(n, m)
		}
	}
	entry, setup := l.w.fresh("cell"), l.w.fresh("setup")
	l.body(entry, func() {
		l.line("%s()", setup)
		for _, i := range c.Info.InitOrder {
			l.initialize(i)
		}
		for _, fn := range inits {
			l.line("%s()", l.w.name(fn))
		}
		if c.Entry != nil {
			l.line("%s()", l.w.name(c.Entry))
		}
	})
	for len(l.later) > 0 {
		f := l.later[0]
		l.later = l.later[1:]
		f()
	}
	l.body(setup, func() {
		for _, s := range l.setup {
			l.line("%s", s)
		}
	})
	return entry
}

// receiverName returns the type to which a method belongs.
func receiverName(t types.Type) *types.TypeName {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	return types.Unalias(t).(*types.Named).Obj()
}

// replace makes older code use the newer variables, and rewrites older code that calls a redeclared
// function.
func (l *lowering) replace(c *engine.Cell) {
	changed := map[string]bool{}
	for old, obj := range c.Replaces {
		if l.w.names[old] == "" {
			continue
		}
		switch obj.(type) {
		case *types.Var:
			if l.w.pointers[old] {
				refuse(obj.Pos(), fmt.Sprintf("%s again, to which earlier cells hold a pointer", obj.Name()), "assign to it with =, or choose another name")
			}
			put(l.w, l.w.names, obj, l.w.names[old])
		case *types.Func:
			name := l.w.names[old]
			changed[name] = true
			l.rename(name, l.w.name(obj))
		}
	}
	if len(changed) > 0 {
		l.rewrite(changed)
	}
}

// initialize writes the initialization of package variables.
func (l *lowering) initialize(i *types.Initializer) {
	names := make([]string, len(i.Lhs))
	for j, v := range i.Lhs {
		names[j] = "_"
		if v.Name() != "_" {
			names[j] = l.variable(v)
		}
	}
	l.mark(i.Rhs)
	value := l.expr(i.Rhs)
	if len(i.Lhs) == 1 {
		value = l.convert(i.Rhs, i.Lhs[0].Type())
	}
	l.line("%s = %s", strings.Join(names, ", "), value)
}

// body writes a function without parameters.
func (l *lowering) body(name string, write func()) {
	outer, fn, locals, alias := l.out, l.fn, l.locals, l.alias
	var b strings.Builder
	l.out, l.fn = &b, &function{sig: types.NewSignatureType(nil, nil, nil, nil, nil, false)}
	l.locals, l.alias = map[types.Object]string{}, map[types.Object]string{}
	write()
	l.out, l.fn, l.locals, l.alias = outer, fn, locals, alias
	l.top("func %s() {\n%s}", name, b.String())
}

// declareFunc writes a function of a cell.
func (l *lowering) declareFunc(fn *types.Func) {
	l.emit(fn, l.w.name(fn), nil, nil)
}

// instance returns the name of a generic function's instance, and writes the instance if it does
// not exist. Without type arguments it is a plain function of the standard library's generic
// sources.
func (l *lowering) instance(fn *types.Func, args []types.Type, pos token.Pos) string {
	fn = fn.Origin()
	if name := compiledInstance(fn, args); name != "" {
		return l.pkg(instancesPath, pos) + "." + name
	}
	if fn.Pkg().Path() != "main" && l.w.decls[fn] == nil {
		fn = l.fromSource(fn, pos)
	}
	forms := make([]string, len(args))
	for i, a := range args {
		forms[i] = l.typ(a, pos)
	}
	key := l.w.name(fn) + "[" + strings.Join(forms, ",") + "]"
	if n, ok := l.w.functions[key]; ok {
		return n
	}
	if l.unit.number > 0 {
		l.caller = pos
	}
	n := l.w.fresh(fn.Name())
	put(l.w, l.w.functions, key, n)
	env := map[*types.TypeParam]types.Type{}
	for i := range fn.Signature().TypeParams().Len() {
		env[fn.Signature().TypeParams().At(i)] = args[i]
	}
	l.emit(fn, n, env, nil)
	return n
}

// fromSource returns the counterpart, declared in source, of a generic function of a compiled
// package.
func (l *lowering) fromSource(fn *types.Func, pos token.Pos) *types.Func {
	pkg, err := l.generics(fn.Pkg().Path())
	if err == nil && pkg != nil {
		if src, ok := pkg.Scope().Lookup(fn.Name()).(*types.Func); ok {
			return src
		}
	}
	l.refuseGeneric(fn, pos)
	return nil
}

func (l *lowering) refuseGeneric(fn *types.Func, pos token.Pos) {
	refuse(pos, fmt.Sprintf("the generic function %s.%s", fn.Pkg().Path(), fn.Name()), "the fallback engine does not have its source")
}

// method returns the name of the function that replaces a method of t.
func (l *lowering) method(t *types.Named, m *types.Func) string {
	m = m.Origin()
	typeName := l.typ(t, m.Pos())
	key := typeName + "." + m.Name()
	if n, ok := l.w.functions[key]; ok {
		return n
	}
	d := l.w.decls[m]
	if d == nil {
		panic("yaegi: no declaration of the method " + m.FullName())
	}
	n := l.w.fresh(typeName + "_" + m.Name())
	put(l.w, l.w.functions, key, n)
	env := map[*types.TypeParam]types.Type{}
	for i := range m.Signature().RecvTypeParams().Len() {
		env[m.Signature().RecvTypeParams().At(i)] = t.TypeArgs().At(i)
	}
	l.emit(m, n, env, m.Signature().Recv())
	return n
}

// emit writes a function under a name, with type arguments substituted and the receiver as its
// first parameter.
func (l *lowering) emit(fn *types.Func, name string, env map[*types.TypeParam]types.Type, recv *types.Var) {
	d := l.w.decls[fn]
	if d.fn.Body == nil && d.unit.number == 0 {
		l.refuseGeneric(fn, l.caller)
	}
	if d.fn.Body == nil {
		refuse(d.fn.Pos(), fmt.Sprintf("%s, a function without a body", fn.FullName()), "write its body in Go")
	}
	saved := *l
	var b strings.Builder
	l.unit, l.env, l.out, l.literals = d.unit, env, &b, 0
	l.locals, l.alias = map[types.Object]string{}, map[types.Object]string{}
	l.fn = &function{sig: fn.Signature(), name: fn.Name()}
	first := ""
	if recv != nil {
		first = "recv"
		if recv.Name() != "" && recv.Name() != "_" {
			first = l.variable(recv)
		}
		first += " " + l.typ(recv.Type(), fn.Pos())
	}
	head := l.header(d.fn.Type, d.fn.Body, l.fn)
	if first != "" {
		sep := ", "
		if strings.HasPrefix(head, "()") {
			sep = ""
		}
		head = "(" + first + sep + head[1:]
	}
	l.yield()
	l.block(d.fn.Body.List)
	l.unit, l.env, l.out, l.literals = saved.unit, saved.env, saved.out, saved.literals
	l.locals, l.alias, l.fn = saved.locals, saved.alias, saved.fn
	put(l.w, l.w.emitted, name, &emission{fn: fn, env: env, recv: recv, text: b.String(), unit: d.unit})
	l.top("func %s%s {\n%s}", name, head, b.String())
}

// header returns the source of parameters and results, and records the names of the results.
func (l *lowering) header(t *ast.FuncType, body *ast.BlockStmt, fn *function) string {
	var parts []string
	field := func(f *ast.Field, id *ast.Ident) (name, typ string) {
		name = l.w.fresh("p")
		if id != nil && id.Name != "_" {
			name = l.variable(l.unit.info.Defs[id].(*types.Var))
		}
		if e, ok := f.Type.(*ast.Ellipsis); ok {
			elem := subst(l.unit.info.TypeOf(e.Elt), l.env)
			return name, "..." + l.typ(elem, f.Pos())
		}
		return name, l.typ(subst(l.unit.info.TypeOf(f.Type), l.env), f.Pos())
	}
	each := func(list *ast.FieldList, do func(name, typ string)) {
		if list == nil {
			return
		}
		for _, f := range list.List {
			if len(f.Names) == 0 {
				do(field(f, nil))
			}
			for _, id := range f.Names {
				do(field(f, id))
			}
		}
	}
	each(t.Params, func(name, typ string) { parts = append(parts, name+" "+typ) })
	head := "(" + strings.Join(parts, ", ") + ")"
	if t.Results == nil {
		return head
	}
	named := len(t.Results.List) > 0 && len(t.Results.List[0].Names) > 0
	parts = nil
	var plain []string
	needed := l.rangesOverFunc(body)
	each(t.Results, func(name, typ string) {
		fn.results = append(fn.results, name)
		parts = append(parts, name+" "+typ)
		plain = append(plain, typ)
		if named {
			// The interpreter does not zero a named result on a second call.
			zero := l.w.fresh("zero")
			l.line("var %s %s\n%s = %s", zero, typ, name, zero)
		}
	})
	if !named && !needed {
		fn.results, parts = nil, plain
	}
	return head + " (" + strings.Join(parts, ", ") + ")"
}

// rangesOverFunc reports whether results need names, because they may be set
// inside the body of a range over a function.
func (l *lowering) rangesOverFunc(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		if r, ok := n.(*ast.RangeStmt); ok {
			_, isFunc := l.typeOf(r.X).Underlying().(*types.Signature)
			found = found || isFunc
		}
		return !found
	})
	return found
}

// emission is a function that has been written for the interpreter.
type emission struct {
	unit *unit
	fn   *types.Func
	env  map[*types.TypeParam]types.Type
	recv *types.Var
	text string // text of the body
}

// mentions reports whether the function's body uses one of the names.
func (e *emission) mentions(names map[string]bool) bool {
	return slices.ContainsFunc(strings.FieldsFunc(e.text, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), func(word string) bool { return names[word] })
}

// rewrite writes new versions, under new names, of every function that uses one of the changed
// names, and of the functions that use such functions.
func (l *lowering) rewrite(changed map[string]bool) {
	type renamed struct {
		e    *emission
		name string
	}
	var again []renamed
	for more := true; more; {
		more = false
		for name, e := range l.w.emitted {
			if changed[name] || !e.mentions(changed) {
				continue
			}
			changed[name], more = true, true
			fresh := l.w.fresh(e.fn.Name())
			again = append(again, renamed{e, fresh})
			l.rename(name, fresh)
		}
	}
	for _, r := range again {
		l.emit(r.e.fn, r.name, r.e.env, r.e.recv)
	}
}

// rename replaces the old name of a function with the new name in all tables.
func (l *lowering) rename(old, name string) {
	for obj, n := range l.w.names {
		if n == old {
			put(l.w, l.w.names, obj, name)
		}
	}
	for key, n := range l.w.functions {
		if n == old {
			put(l.w, l.w.functions, key, name)
		}
	}
	if v, ok := l.w.indirect[old]; ok {
		put(l.w, l.w.indirect, name, v)
		l.setup = append(l.setup, v+" = "+name)
	}
}

// late returns a variable that always holds the newest version of a function. Code that cannot be
// rewritten uses this variable: literals that the session holds, and the methods that the
// interpreter sees.
func (l *lowering) late(name, signature string) string {
	v, ok := l.w.indirect[name]
	if !ok {
		v = l.w.fresh(name)
		put(l.w, l.w.indirect, name, v)
		l.top("var %s func%s", v, signature)
		l.setup = append(l.setup, v+" = "+name)
	}
	return v
}
