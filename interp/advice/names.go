package advice

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/pattern"
	"github.com/gokernel/gokernel/interp/symbols"
)

// parameter is about a name in the parameters of a function where a type should
// stand.
func parameter(s *slip) string {
	if s.isParameter() {
		return "write the name of a parameter and then its type: ‹func(x int) int { return x }›"
	}
	if before, _, ok := s.around(); ok && typeFirst.MatchString(before) {
		return "write the name of a field and then its type: ‹type Point struct{ X, Y float64 }›"
	}
	return ""
}

var (
	assigned  = pattern.New(`^(?:\s*,\s*[\pL_][\pL\pN_]*)*\s*=[^=]`)
	typeFirst = pattern.New(`^\s*(?:string|int|float64|bool)\s+$`)
	receiver  = pattern.New(`^\)\s*[\pL_][\pL\pN_]*\s*\(`)
	paramList = pattern.New(`\bfunc\b\s*(?:\([^()]*\)\s*)?[\pL_]*[\pL\pN_]*\s*(?:\[[^\]]*\]\s*)?\([^()]*$`)
)

// isParameter reports whether an unknown name stands in the parameters of a
// function where a type should.
func (s *slip) isParameter() bool {
	before, after, ok := s.around()
	if !ok || s.Hint != "" {
		return false
	}
	after = strings.TrimLeft(after, " \t")
	if !paramList.MatchString(before) || !strings.HasPrefix(after, ",") && !strings.HasPrefix(after, ")") || receiver.MatchString(after) {
		return false
	}
	// Behind a name stands a type, unless the name is one: (int a).
	word := strings.TrimSpace(before[strings.LastIndexAny(before, "(,")+1:])
	_, isType := types.Universe.Lookup(word).(*types.TypeName)
	return word == "" || isType
}

// selected reports whether something is selected from the unknown name.
func (s *slip) selected() bool {
	_, after, ok := s.around()
	return ok && strings.HasPrefix(after, ".")
}

// foreignPackage is about packages and objects of other languages.
func foreignPackage(s *slip) string {
	if s.selected() {
		return foreign[s.name()]
	}
	return ""
}

// verb is about a display verb in small letters.
func verb(s *slip) string {
	_, after, ok := s.around()
	r, n := utf8.DecodeRuneInString(s.name())
	if name := string(unicode.ToUpper(r)) + s.name()[n:]; ok && strings.HasPrefix(after, "(") && s.advisor.Scope.Prelude(name) != nil {
		return s.meant("", name)
	}
	return ""
}

// functionOfOthers is about names of other languages that are packages here.
func functionOfOthers(s *slip) string {
	if _, _, ok := s.around(); ok && !s.selected() && len(symbols.Named(s.name())) > 0 {
		return foreign[s.name()]
	}
	return ""
}

// misspeltPackage is about a name that looks like that of a package.
func misspeltPackage(s *slip) string {
	if s.selected() {
		best := closest(s.name(), packageNames())
		if s.advisor.Scope.Lookup(best) != nil {
			return "" // a variable has its name
		}
		return s.meant("", best)
	}
	return ""
}

// packageAlone is about the name of a package without a member.
func packageAlone(s *slip) string {
	if name := s.name(); len(symbols.Named(name)) > 0 {
		return name + " is a package: write a dot and a name of it; " + name + "? lists them"
	}
	return ""
}

// misspelt is about a name that looks like one in scope, or is one of another
// language.
func misspelt(s *slip) string {
	name := s.name()
	best, other := closest(name, s.names("")), foreign[name]
	if printers[name] {
		return s.change("write ‹fmt."+name+"›", check.Edit{Pos: s.Pos, End: s.Pos, Text: "fmt."})
	}
	if best != "" && (other == "" || strings.EqualFold(best, name)) {
		return s.meant("", best)
	}
	return other
}

// newVariable is about an assignment to a name that there is not.
func newVariable(s *slip) string {
	_, after, ok := s.around()
	if !ok || s.result == nil {
		return ""
	}
	var target ast.Stmt
	is := func(x ast.Expr) bool { id, ok := x.(*ast.Ident); return ok && id.Pos() == s.Pos }
	_, _ = find(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if slices.ContainsFunc(n.Lhs, is) {
				target = n
			}
		case *ast.IncDecStmt:
			if is(n.X) {
				target = n
			}
		}
		return target != nil
	})
	name := s.name()
	if best := closest(name, s.variables()); target != nil && len(name) > 3 && best != "" &&
		distance(strings.ToLower(name), strings.ToLower(best), 3) < 2 {
		return s.meant("", best)
	}
	switch t := target.(type) {
	case *ast.AssignStmt:
		if t.Tok == token.ASSIGN && !mentions(t.Rhs, name) {
			if slices.ContainsFunc(t.Lhs, func(x ast.Expr) bool { _, ok := x.(*ast.Ident); return !ok }) {
				return "declare it first: var " + name
			}
			s.declares = true
			left := s.src.Slice(t.Pos(), t.TokPos)
			return s.change("declare a new variable with :=: ‹"+left+" := "+s.src.Slice(t.TokPos+1, t.End())+"›",
				check.Edit{Pos: t.TokPos, End: t.TokPos + 1, Text: ":="})
		}
		return s.firstOf(t, zeroFor(s, t.Rhs))
	case *ast.IncDecStmt:
		return s.firstOf(t, "0")
	}
	if assigned.MatchString(after) {
		return "declare a new variable with :="
	}
	return ""
}

// variables are the names of variables that could be assigned where the error is.
func (s *slip) variables() []string {
	return slices.DeleteFunc(s.names(""), func(name string) bool {
		o := s.advisor.Scope.Visible(name)
		if inner := s.result.Package.Scope().Innermost(s.Pos); inner != nil {
			if _, found := inner.LookupParent(name, s.Pos); found != nil {
				o = found
			}
		}
		_, isVar := o.(*types.Var)
		return !isVar
	})
}

func mentions(list []ast.Expr, name string) bool {
	return slices.ContainsFunc(list, func(x ast.Expr) bool {
		found := false
		ast.Inspect(x, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			found = found || ok && id.Name == name
			return !found
		})
		return found
	})
}

// firstOf tells to give a variable a first value before the statement, and before the
// loops around it, that counts with it.
func (s *slip) firstOf(counting ast.Stmt, zero string) string {
	at := ast.Node(counting)
	path := s.path(counting)
	for i, n := range path {
		if block, ok := n.(*ast.BlockStmt); ok && i > 0 && i+1 < len(path) {
			switch path[i-1].(type) {
			case *ast.FuncDecl, *ast.FuncLit:
				if slices.ContainsFunc(block.List, func(st ast.Stmt) bool { return ast.Node(st) == path[i+1] }) {
					at = path[i+1]
				}
			}
		}
	}
	s.declares = true
	code := s.name() + " := " + zero
	return s.change(s.name()+" has no value yet; give it a first one before: ‹"+code+"›", insert(at.Pos(), code+"\n"+s.indent(at.Pos())))
}

// zeroFor writes the zero value of what is added to a variable.
func zeroFor(s *slip, values []ast.Expr) string {
	zero := "0"
	for _, x := range values {
		ast.Inspect(x, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok {
				switch t := s.typeOf(e); {
				case t == "string":
					zero = `""`
				case zero == "0" && real(t):
					zero = "0.0"
				}
			}
			return true
		})
	}
	return zero
}

// meant suggests a name in the place of that at the error; the empty one is no
// suggestion.
func (s *slip) meant(qualifier, name string) string {
	if name == "" {
		return ""
	}
	var edits []check.Edit
	if n := s.word(); n > 0 {
		edits = []check.Edit{{Pos: s.Pos, End: s.Pos + token.Pos(n), Text: name}}
	}
	if qualifier != "" {
		name = qualifier + "." + name
	}
	return s.change("did you mean ‹"+name+"›?", edits...)
}

// word is the length of the name that begins at the error.
func (s *slip) word() int {
	at := int(s.Pos - s.src.Base)
	if at < 0 || at > len(s.src.Text) {
		return 0
	}
	n := strings.IndexFunc(s.src.Text[at:], func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
	if n < 0 {
		n = len(s.src.Text) - at
	}
	return n
}

// packageMember is about a name that a package lacks.
func packageMember(s *slip) string {
	pkg, name, ok := strings.Cut(s.name(), ".")
	if !ok || strings.Contains(name, " ") {
		return ""
	}
	known := s.names(pkg)
	if best := scikit[name]; best != "" && pkg == "ml" && slices.Contains(known, best) {
		return s.meant(pkg, best)
	}
	if h := methods[name]; h != "" && pkg == "ml" {
		return h
	}
	if best := closest(name, known); best != "" {
		return s.meant(pkg, best)
	}
	if best := related(name, known); best != "" {
		return s.meant(pkg, best)
	}
	return pkg + "? lists the names of the package"
}

// misspeltPath is about an import path that looks like another.
func misspeltPath(s *slip) string {
	if !strings.Contains(s.Msg, "is not part of this kernel") && !strings.Contains(s.Msg, "no module has the package") {
		return "" // it was found, and something else is wrong
	}
	path, err := strconv.Unquote(s.src.Slice(s.Pos, s.End))
	if err != nil {
		return ""
	}
	if best := closest(path, packagePaths()); best != "" {
		best = strconv.Quote(best)
		return s.change("did you mean ‹"+best+"›?", check.Edit{Pos: s.Pos, End: s.End, Text: best})
	}
	return ""
}

func packagePaths() []string {
	var paths []string
	for _, p := range symbols.Packages() {
		paths = append(paths, p.Path)
	}
	return paths
}

func packageNames() []string {
	var names []string
	for _, p := range symbols.Packages() {
		names = append(names, p.Name)
	}
	return names
}

// functionLiteral is about a literal of what is a function, or a type of numbers or
// text, to which values are converted.
func functionLiteral(s *slip) string {
	x, err := parser.ParseExpr(s.src.Slice(s.Pos, s.End))
	if err != nil {
		return ""
	}
	lit, ok := x.(*ast.CompositeLit)
	if !ok {
		return ""
	}
	o, kind := s.object(lit.Type), " is a function"
	if !isFunc(o) {
		if kind = basicKind(o); kind == "" || len(lit.Elts) != 1 {
			return ""
		}
	}
	var args []string
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			e = kv.Value
		}
		args = append(args, types.ExprString(e))
	}
	name := types.ExprString(lit.Type)
	code := name + "(" + strings.Join(args, ", ") + ")"
	return s.change(name+kind+": write ‹"+code+"›", check.Edit{Pos: s.Pos, End: s.End, Text: code})
}

// object returns what a name, or a name of a package, stands for; nil if nothing.
func (s *slip) object(x ast.Expr) types.Object {
	a := s.advisor
	switch x := x.(type) {
	case *ast.Ident:
		if s.result != nil && s.result.Package != nil {
			if o := s.result.Package.Scope().Lookup(x.Name); o != nil {
				return o
			}
		}
		return a.Scope.Visible(x.Name)
	case *ast.SelectorExpr:
		id, ok := x.X.(*ast.Ident)
		if !ok {
			return nil
		}
		path, ok := a.Scope.ImportPath(id.Name, []string{x.Sel.Name})
		if !ok {
			return nil
		}
		if pkg, err := a.Packages.Import(path); err == nil {
			return pkg.Scope().Lookup(x.Sel.Name)
		}
	}
	return nil
}

// basicKind says what the values of a type are that is no struct, such as ml.RBF;
// "" for other objects.
func basicKind(o types.Object) string {
	t, ok := o.(*types.TypeName)
	if !ok {
		return ""
	}
	switch b, ok := t.Type().Underlying().(*types.Basic); {
	case !ok:
		return ""
	case b.Info()&types.IsNumeric != 0:
		return " is a number"
	case b.Info()&types.IsString != 0:
		return " is a text"
	}
	return ""
}

func isFunc(o types.Object) bool {
	if o == nil || o.Type() == nil {
		return false
	}
	_, ok := o.Type().Underlying().(*types.Signature)
	_, isType := o.(*types.TypeName)
	return ok && !isType
}

// unusedVariable is about a variable of a function that nobody reads; of several
// that are set at once one can be left out.
func unusedVariable(s *slip) string {
	before, after, ok := s.around()
	if as := s.shadowing(); as != nil {
		code := s.name() + " = " + s.code(as.Rhs[0])
		return s.change(":= declares a second "+s.name()+" in the inner block; to set the outer one, write ‹"+code+"›",
			check.Edit{Pos: as.TokPos, End: as.TokPos + 2, Text: "="})
	}
	if !ok || !oneOfSeveral.MatchString(after) && !strings.HasSuffix(strings.TrimRight(before, " \t"), ",") {
		return "use it, or remove it; at the top level of a cell unused variables are fine"
	}
	edit := check.Edit{Pos: s.Pos, End: s.Pos + token.Pos(len(s.name())), Text: "_"}
	if s.name() == "err" {
		return "handle the error, with if err != nil { panic(err) } or a return; to ignore it, write _ for err"
	}
	return s.change("use it, or write ‹_› for it", edit)
}

// shadowing finds the := by which the unused variable was declared where an outer block
// has one of its name and type.
func (s *slip) shadowing() *ast.AssignStmt {
	as, ok := find(s, func(a *ast.AssignStmt) bool {
		return a.Tok == token.DEFINE && len(a.Lhs) == 1 && len(a.Rhs) == 1 && a.Lhs[0].Pos() == s.Pos
	})
	if !ok {
		return nil
	}
	obj := s.result.Info.Defs[as.Lhs[0].(*ast.Ident)]
	if obj == nil || obj.Parent() == nil || obj.Parent().Parent() == nil {
		return nil
	}
	_, outer := obj.Parent().Parent().LookupParent(obj.Name(), s.Pos)
	if v, isVar := outer.(*types.Var); !isVar || !types.AssignableTo(obj.Type(), v.Type()) {
		return nil
	}
	return as
}

var oneOfSeveral = pattern.New(`^\s*,[^=;{}\n]*:=`)

// printers are functions of package fmt that are seldom written without it on purpose.
var printers = map[string]bool{"Println": true, "Printf": true, "Print": true, "Sprintf": true, "Sprint": true, "Errorf": true}
