package ssa

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"reflect"
	"strconv"
)

// The specification orders the calls within a statement, but not the reads of variables between
// them. The Go compiler makes the calls first and reads variables, fields and elements when it
// needs them (cmd/compile/internal/walk/order.go). Programs rely on that order. In nodes[i].next =
// add(), add may append to nodes. In list = append(list, f()), f may append to list. go/ssa reads
// from left to right. The engine therefore splits a statement in which a call could change
// something that is read before the call. The operands that the compiler copies to temporary
// variables get temporary variables, in the order of the specification.

// ordered returns copies of a cell's files. In the copies, calls precede the reads that they may
// affect. ordered adds the type information of the copies to info.
func ordered(files []*ast.File, info *types.Info, pkg *types.Package) []*ast.File {
	all := make([]*ast.File, len(files))
	for i, f := range files {
		own := *f
		own.Decls = append([]ast.Decl(nil), f.Decls...)
		for j, d := range own.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				copied := *fn
				order(&copied, info, pkg)
				own.Decls[j] = &copied
			}
		}
		all[i] = &own
	}
	orderVars(info, pkg)
	return all
}

// orderAhead orders the parts of a package from source that must be ordered before they are needed.
// These are the initialization of variables, and the generic functions, of which go/ssa makes
// instances.
func orderAhead(files []*ast.File, info *types.Info, pkg *types.Package) {
	for _, f := range files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				if obj, ok := info.Defs[fn.Name].(*types.Func); ok && (obj.Signature().TypeParams().Len() > 0 || obj.Signature().RecvTypeParams().Len() > 0) {
					order(fn, info, pkg)
				}
			}
		}
	}
	orderVars(info, pkg)
}

// order replaces the body of a function with a body in which calls precede the reads that they may
// affect.
func order(fn *ast.FuncDecl, info *types.Info, pkg *types.Package) {
	var sig *types.Signature
	if f, ok := info.Defs[fn.Name].(*types.Func); ok {
		sig = f.Signature()
	}
	if fn.Body != nil && needsOrder(fn.Body, sig, info) {
		fn.Body = orderedCopy(fn.Body, sig, info, pkg).(*ast.BlockStmt)
	}
}

// orderVars orders the initialization of the variables of a package.
func orderVars(info *types.Info, pkg *types.Package) {
	for i, init := range info.InitOrder {
		rhs := init.Rhs
		if r := (&reads{info: info}); len(init.Lhs) == 1 && r.calls(rhs) && r.needs(&ast.ExprStmt{X: rhs}) {
			rhs = inFunction(rhs, info)
		}
		if rhs != init.Rhs || needsOrder(rhs, nil, info) {
			info.InitOrder[i] = &types.Initializer{Lhs: init.Lhs, Rhs: orderedCopy(rhs, nil, info, pkg).(ast.Expr)}
		}
	}
}

// inFunction wraps an expression in a call of a function that returns it, because the initializer
// of a package variable has no room for statements.
func inFunction(e ast.Expr, info *types.Info) ast.Expr {
	t := info.TypeOf(e)
	lit := &ast.FuncLit{
		Type: &ast.FuncType{Func: e.Pos(), Params: &ast.FieldList{}, Results: &ast.FieldList{List: []*ast.Field{{Type: &ast.Ident{NamePos: e.Pos(), Name: "_"}}}}},
		Body: &ast.BlockStmt{Lbrace: e.Pos(), List: []ast.Stmt{&ast.ReturnStmt{Return: e.Pos(), Results: []ast.Expr{e}}}, Rbrace: e.End()},
	}
	call := &ast.CallExpr{Fun: lit, Lparen: e.Pos(), Rparen: e.End()}
	sig := types.NewSignatureType(nil, nil, nil, nil, types.NewTuple(types.NewParam(e.Pos(), nil, "", t)), false)
	info.Types[lit.Type], info.Types[lit] = types.TypeAndValue{Type: sig}, types.TypeAndValue{Type: sig}
	info.Types[call] = types.TypeAndValue{Type: t}
	return call
}

// orderedCopy returns an ordered copy of a node. The node is a function body, a function or an
// expression with function literals. The second argument is the signature of a function.
func orderedCopy(n ast.Node, of *types.Signature, info *types.Info, pkg *types.Package) ast.Node {
	c := &copier{copies: map[any]any{}}
	own := c.copy(reflect.ValueOf(n)).Interface().(ast.Node)
	for was, is := range c.copies {
		learn(info.Implicits, was, is)
		learn(info.Scopes, was, is)
		switch was := was.(type) {
		case *ast.Ident:
			is := is.(*ast.Ident)
			if o, ok := info.Defs[was]; ok {
				info.Defs[is] = o
			}
			if o, ok := info.Uses[was]; ok {
				info.Uses[is] = o
			}
			if o, ok := info.Instances[was]; ok {
				info.Instances[is] = o
			}
		case *ast.SelectorExpr:
			if s, ok := info.Selections[was]; ok {
				info.Selections[is.(*ast.SelectorExpr)] = s
			}
		}
		if e, ok := was.(ast.Expr); ok {
			if tv, ok := info.Types[e]; ok {
				info.Types[is.(ast.Expr)] = tv
			}
		}
	}
	o := &orderer{reads: readsOf(own, of, info), pkg: pkg, done: map[ast.Stmt]bool{}}
	ast.Inspect(own, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			n.List = o.list(n.List)
		case *ast.CaseClause:
			n.Body = o.list(n.Body)
		case *ast.CommClause:
			n.Body = o.list(n.Body)
		case *ast.IfStmt:
			if other, ok := n.Else.(*ast.IfStmt); ok && o.needs(other) {
				n.Else = &ast.BlockStmt{List: []ast.Stmt{other}}
			}
		}
		return true
	})
	return own
}

// learn records the type information of a node for the node's copy as well.
func learn[V any](m map[ast.Node]V, was, is any) {
	if v, ok := m[was.(ast.Node)]; ok {
		m[is.(ast.Node)] = v
	}
}

// needsOrder reports whether a statement in a node has to be split.
func needsOrder(n ast.Node, of *types.Signature, info *types.Info) bool {
	var r *reads
	found := false
	list := func(list []ast.Stmt) {
		if r == nil && len(list) > 0 {
			known := readsOf(n, of, info)
			r = &known
		}
		for _, s := range list {
			found = found || r.needs(s)
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			list(n.List)
		case *ast.CaseClause:
			list(n.Body)
		case *ast.CommClause:
			list(n.Body)
		case *ast.IfStmt:
			if n.Else != nil {
				list([]ast.Stmt{n.Else})
			}
		}
		return !found
	})
	return found
}

// orderer splits statements.
type orderer struct {
	reads
	pkg  *types.Package
	made int               // number of temporary variables
	done map[ast.Stmt]bool // statements that have been split
}

// list splits those statements of a list that have to be split.
func (o *orderer) list(list []ast.Stmt) []ast.Stmt {
	var all []ast.Stmt
	for i, s := range list {
		taken := o.statement(s)
		if taken == nil {
			if all != nil {
				all = append(all, s)
			}
			continue
		}
		if all == nil {
			all = append(make([]ast.Stmt, 0, len(list)), list[:i]...)
		}
		all = append(all, taken)
	}
	if all == nil {
		return list
	}
	return all
}

// statement returns the replacement of a statement, or nil if it stays as it is.
func (o *orderer) statement(s ast.Stmt) ast.Stmt {
	if o.done[s] || !o.needs(s) {
		return nil
	}
	o.done[s] = true
	if f := loop(s); f != nil {
		return o.loop(s, f)
	}
	init, operands := o.parts(s)
	var before []ast.Stmt
	if init != nil && *init != nil {
		if first := o.statement(*init); first != nil {
			*init = first
		}
		before = append(before, *init)
		*init = nil
	}
	label, _ := s.(*ast.LabeledStmt)
	if label != nil {
		s = label.Stmt
	}
	block := &ast.BlockStmt{List: append(o.apart(s, operands, before), s)}
	for _, s := range block.List {
		o.done[s] = true
	}
	if label != nil {
		label.Stmt = block
		return label
	}
	return block
}

// loop splits the initial statement and the condition of a loop. The condition then moves into the
// loop's body. s is the loop, with its label if it has one.
func (o *orderer) loop(s ast.Stmt, f *ast.ForStmt) ast.Stmt {
	if o.needsCond(f) {
		out := &ast.IfStmt{If: f.Cond.Pos(), Body: &ast.BlockStmt{List: []ast.Stmt{&ast.BranchStmt{TokPos: f.Cond.Pos(), Tok: token.BREAK}}}}
		before := o.hoist(operand{at: &f.Cond}, nil)
		out.Cond = o.not(f.Cond)
		f.Cond = nil
		turn := append(before, out)
		for _, s := range turn {
			o.done[s] = true
		}
		f.Body.List = append(turn, f.Body.List...)
	}
	if s != f || f.Init == nil || !o.needs(f.Init) {
		return nil // goto needs the label on the loop that it repeats
	}
	_, operands := o.parts(f.Init)
	block := &ast.BlockStmt{List: append(o.apart(f.Init, operands, nil), s)}
	for _, s := range block.List {
		o.done[s] = true
	}
	o.done[f.Init] = true
	return block
}

// not returns the negation of a condition.
func (o *orderer) not(cond ast.Expr) ast.Expr {
	e := &ast.UnaryExpr{OpPos: cond.Pos(), Op: token.NOT, X: cond}
	o.info.Types[e] = types.TypeAndValue{Type: types.Default(o.info.TypeOf(cond))}
	return e
}

// apart moves operands out of a statement: the operands that the compiler copies to temporary
// variables. It returns the statements in before, followed by the new statements.
func (o *orderer) apart(s ast.Stmt, operands []operand, before []ast.Stmt) []ast.Stmt {
	switch s := s.(type) {
	case *ast.ExprStmt:
		if call, ok := ast.Unparen(s.X).(*ast.CallExpr); ok && o.kind(call) == calling {
			return o.hoistAll(o.operands(call), before) // the results of the call are not used
		}
	case *ast.AssignStmt:
		if len(s.Lhs) > 1 && len(s.Rhs) == 1 {
			return o.several(s, before)
		}
		before = o.appended(s, before)
	case *ast.ReturnStmt:
		if len(s.Results) == 1 {
			if t, ok := o.info.TypeOf(s.Results[0]).(*types.Tuple); ok && t.Len() > 1 {
				return o.hoistAll(o.operands(ast.Unparen(s.Results[0])), before)
			}
		}
	case *ast.DeclStmt:
		spec := s.Decl.(*ast.GenDecl).Specs[0].(*ast.ValueSpec)
		if len(spec.Names) > 1 && len(spec.Values) == 1 {
			return o.hoistAll(o.operands(ast.Unparen(spec.Values[0])), before)
		}
	}
	return o.hoistAll(operands, before)
}

// appended moves m and k out of m[k] = append(m[k], x), because the compiler evaluates m and k
// once.
func (o *orderer) appended(s *ast.AssignStmt, before []ast.Stmt) []ast.Stmt {
	call, ok := ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
	if !ok || o.kind(call) != early || builtinName(o.info, call.Fun) != "append" {
		return before
	}
	to, ok := ast.Unparen(s.Lhs[0]).(*ast.IndexExpr)
	from, too := ast.Unparen(call.Args[0]).(*ast.IndexExpr)
	if !ok || !too || !o.isMap(to.X) || !o.same(to) || types.ExprString(to) != types.ExprString(from) {
		return before
	}
	take := func(of, again *ast.Expr) {
		before = o.hoist(operand{of, true}, before)
		*again = o.again((*of).(*ast.Ident))
	}
	if !o.named(to.X) {
		take(&to.X, &from.X)
	}
	switch b, _ := under(o.info, to.Index).(*types.Basic); {
	case o.kind(to.Index) == none:
	case b != nil && (b.Kind() == types.String || b.Kind() == types.Uint64) && o.named(to.Index):
	default:
		take(&to.Index, &from.Index)
	}
	return before
}

// same reports whether the compiler treats two evaluations of an expression as one.
func (o *orderer) same(e ast.Expr) bool {
	if o.kind(e) == none {
		return true
	}
	switch e := e.(type) {
	case *ast.Ident:
		return true
	case *ast.UnaryExpr:
		if e.Op == token.AND || e.Op == token.ARROW {
			return false
		}
	case *ast.BinaryExpr:
		if comparison(e.Op) || e.Op == token.LAND || e.Op == token.LOR || isText(o.info.TypeOf(e)) {
			return false
		}
	case *ast.CallExpr:
		if b, ok := under(o.info, e).(*types.Basic); !ok || b.Info()&(types.IsNumeric|types.IsBoolean) == 0 || !o.info.Types[ast.Unparen(e.Fun)].IsType() {
			return false
		}
	case *ast.ParenExpr, *ast.SelectorExpr, *ast.StarExpr, *ast.IndexExpr:
	default:
		return false
	}
	for _, in := range o.operands(e) {
		if !o.same(*in.at) {
			return false
		}
	}
	return true
}

// several splits an assignment of one expression to several variables.
func (o *orderer) several(s *ast.AssignStmt, before []ast.Stmt) []ast.Stmt {
	for _, e := range s.Lhs {
		before = o.hoistAll(o.operands(ast.Unparen(e)), before)
	}
	before = o.hoistAll(o.operands(ast.Unparen(s.Rhs[0])), before)
	if s.Tok == token.DEFINE {
		return before
	}
	t, ok := o.info.TypeOf(s.Rhs[0]).(*types.Tuple)
	if !ok || t.Len() != len(s.Lhs) {
		return before
	}
	take := &ast.AssignStmt{TokPos: s.TokPos, Tok: token.DEFINE, Rhs: s.Rhs}
	s.Rhs = nil
	for i := range t.Len() {
		def, use := o.temporary(t.At(i).Type(), take.Rhs[0])
		take.Lhs = append(take.Lhs, def)
		s.Rhs = append(s.Rhs, use)
	}
	return append(before, take)
}

// hoistAll hoists each of the operands, in order.
func (o *orderer) hoistAll(operands []operand, before []ast.Stmt) []ast.Stmt {
	for _, e := range operands {
		before = o.hoist(e, before)
	}
	return before
}

// hoist moves out of an operand the parts that the compiler copies to temporary variables. If the
// compiler copies the operand itself, hoist moves that, too.
func (o *orderer) hoist(e operand, before []ast.Stmt) []ast.Stmt {
	k := o.kind(*e.at)
	switch k {
	case none:
		return before
	case whole:
		return o.conditional(e.at, before)
	}
	if lit, ok := (*e.at).(*ast.CompositeLit); ok && o.isMap(lit) {
		before = o.entries(lit, before)
	} else {
		before = o.hoistAll(o.operands(*e.at), before)
	}
	if _, several := o.info.TypeOf(*e.at).(*types.Tuple); several || k == plain && !e.temp {
		return before
	}
	return o.move(e.at, before)
}

// entries moves the keys and values out of a map literal that has calls, one entry after the other.
func (o *orderer) entries(lit *ast.CompositeLit, before []ast.Stmt) []ast.Stmt {
	if !o.calls(lit) {
		return before
	}
	for _, entry := range o.groups(lit) {
		before = o.hoistAll(entry, before)
		for _, e := range entry {
			if o.kind(*e.at) != none {
				before = o.move(e.at, before)
			}
		}
	}
	return before
}

// conditional rewrites a && b as x := a; if x { x = b }, and a || b likewise.
func (o *orderer) conditional(e *ast.Expr, before []ast.Stmt) []ast.Stmt {
	b := (*e).(*ast.BinaryExpr)
	t := types.Default(o.info.TypeOf(b))
	before = o.hoist(operand{at: &b.X}, before)
	if !o.calls(b.Y) {
		return o.move(e, before)
	}
	def, use := o.temporary(t, b.X)
	before = append(before, &ast.AssignStmt{Lhs: []ast.Expr{def}, TokPos: b.OpPos, Tok: token.DEFINE, Rhs: []ast.Expr{b.X}})
	cond := ast.Expr(o.again(use))
	if b.Op == token.LOR {
		cond = o.not(cond)
	}
	set := &ast.AssignStmt{Lhs: []ast.Expr{o.again(use)}, TokPos: b.OpPos, Tok: token.ASSIGN, Rhs: []ast.Expr{b.Y}}
	body := &ast.BlockStmt{Lbrace: b.OpPos, List: append(o.hoist(operand{at: &set.Rhs[0]}, nil), set)}
	*e = use
	return append(before, &ast.IfStmt{If: b.OpPos, Cond: cond, Body: body})
}

// again returns another use of a temporary variable.
func (o *orderer) again(id *ast.Ident) *ast.Ident {
	use := *id
	o.info.Uses[&use], o.info.Types[&use] = o.info.Uses[id], o.info.Types[id]
	return &use
}

// move replaces an expression with a temporary variable.
func (o *orderer) move(e *ast.Expr, before []ast.Stmt) []ast.Stmt {
	t := types.Default(o.info.TypeOf(*e))
	def, use := o.temporary(t, *e)
	take := &ast.AssignStmt{Lhs: []ast.Expr{def}, TokPos: (*e).Pos(), Tok: token.DEFINE, Rhs: []ast.Expr{*e}}
	*e = use
	return append(before, take)
}

// temporary makes a variable for an expression and returns its definition and its use.
func (o *orderer) temporary(t types.Type, of ast.Expr) (def, use *ast.Ident) {
	o.made++
	name := "ǃ" + strconv.Itoa(o.made)
	v := types.NewVar(token.NoPos, o.pkg, name, t)
	def, use = &ast.Ident{NamePos: of.Pos(), Name: name}, &ast.Ident{NamePos: of.Pos(), Name: name}
	o.info.Defs[def], o.info.Uses[use] = v, v
	tv := o.info.Types[of]
	tv.Type, tv.Value = t, nil // a variable is not constant, even if the expression is
	o.info.Types[use] = tv
	return def, use
}

// ownInfo returns a copy of info that can be extended.
func ownInfo(info *types.Info) *types.Info {
	own := *info
	own.Defs, own.InitOrder = maps.Clone(info.Defs), append([]*types.Initializer(nil), info.InitOrder...)
	return &own
}
