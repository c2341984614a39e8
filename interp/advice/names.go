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

	"github.com/gokernel/gokernel/internal/pattern"
	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/symbols"
)

// parameter handles a name in the parameters of a function where a type is needed.
func parameter(s *slip) string {
	if s.isParameter() {
		return "write the name of a parameter and then its type: ‹func(x int) int { return x }›"
	}
	if before, _, ok := s.around(); ok && typeFirst().MatchString(before) {
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

// isParameter reports whether an unknown name is used as a type in the parameters of a function.
func (s *slip) isParameter() bool {
	before, after, ok := s.around()
	if !ok || s.Hint != "" {
		return false
	}
	after = strings.TrimLeft(after, " \t")
	if !paramList().MatchString(before) || !strings.HasPrefix(after, ",") && !strings.HasPrefix(after, ")") || receiver().MatchString(after) {
		return false
	}
	// A type follows a name, unless the name is itself a type: (int a).
	word := strings.TrimSpace(before[strings.LastIndexAny(before, "(,")+1:])
	_, isType := types.Universe.Lookup(word).(*types.TypeName)
	return word == "" || isType
}

// selected reports whether the unknown name is followed by a selector.
func (s *slip) selected() bool {
	_, after, ok := s.around()
	return ok && strings.HasPrefix(after, ".")
}

// foreignPackage handles packages and objects of other languages.
func foreignPackage(s *slip) string {
	if s.selected() {
		return foreign[s.name()]
	}
	return ""
}

// verb handles a display verb in lower case.
func verb(s *slip) string {
	_, after, ok := s.around()
	r, n := utf8.DecodeRuneInString(s.name())
	if name := string(unicode.ToUpper(r)) + s.name()[n:]; ok && strings.HasPrefix(after, "(") && s.advisor.Scope.Prelude(name) != nil {
		return s.meant("", name)
	}
	return ""
}

// functionOfOthers handles functions of other languages whose names are packages here.
func functionOfOthers(s *slip) string {
	if _, _, ok := s.around(); ok && !s.selected() && len(symbols.Named(s.name())) > 0 {
		return foreign[s.name()]
	}
	return ""
}

// misspeltPackage handles a name that resembles the name of a package.
func misspeltPackage(s *slip) string {
	if s.selected() {
		best := closest(s.name(), packageNames())
		if s.advisor.Scope.Lookup(best) != nil {
			return "" // a variable has this name
		}
		return s.meant("", best)
	}
	return ""
}

// packageAlone handles the name of a package without a member.
func packageAlone(s *slip) string {
	if name := s.name(); len(symbols.Named(name)) > 0 {
		return name + " is a package: write a dot and one of its names; " + name + "? lists them"
	}
	return ""
}

// misspelt handles a name that resembles one in scope, or belongs to another language.
func misspelt(s *slip) string {
	name := s.name()
	best, other := closest(name, s.names("")), foreign[name]
	if printers[name] {
		return s.change("write ‹fmt."+name+"›", check.Edit{Pos: s.Pos, End: s.Pos, Text: "fmt."})
	}
	if best != "" && (other == "" || strings.EqualFold(best, name)) {
		return s.meant("", best)
	}
	if other == "" {
		return ofScikit(s)
	}
	return other
}

// ofScikit handles a call or literal of a name of scikit-learn without "ml." before it.
func ofScikit(s *slip) string {
	_, after, ok := s.around()
	if !ok || !strings.HasPrefix(after, "(") && !strings.HasPrefix(after, "{") {
		return ""
	}
	if ours := Meant(s.name()); ours != "" {
		return s.change("did you mean ‹"+ours+"›?", check.Edit{Pos: s.Pos, End: s.Pos + token.Pos(s.word()), Text: ours})
	}
	return methods[s.name()]
}

// newVariable handles an assignment to an undeclared name.
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
	if assigned().MatchString(after) {
		return "declare a new variable with :="
	}
	return ""
}

// variables returns the names of variables that can be assigned at the error.
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

// firstOf suggests an initial value for a variable before the statement that updates it, and before
// the loops that enclose the statement.
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
	return s.change(s.name()+" has no value yet; assign one first: ‹"+code+"›", insert(at.Pos(), code+"\n"+s.indent(at.Pos())))
}

// zeroFor returns the zero value for a variable to which the values are added.
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

// meant suggests a name to replace the one at the error. The empty name is not a suggestion.
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

// word returns the length of the name that begins at the error.
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

// packageMember handles a name that a package lacks.
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

// misspeltPath handles an import path that resembles another.
func misspeltPath(s *slip) string {
	if !strings.Contains(s.Msg, "is not part of this kernel") && !strings.Contains(s.Msg, "no module has the package") {
		return "" // the package was found, and something else is wrong
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

// functionLiteral handles a composite literal of a function, or of a numeric or string type, which
// needs a call or a conversion.
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

// object returns the object that a name, or a name of a package, refers to, or nil if there is
// none.
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

// basicKind describes the values of a type that is not a struct, such as ml.RBF. It returns "" for
// other objects.
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
		return " is a string"
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

// unusedVariable handles a variable of a function that is never read. If several are set at once,
// the blank identifier can replace one.
func unusedVariable(s *slip) string {
	before, after, ok := s.around()
	if as := s.shadowing(); as != nil {
		code := s.name() + " = " + s.code(as.Rhs[0])
		return s.change(":= declares a second "+s.name()+" in the inner block; to set the outer one, write ‹"+code+"›",
			check.Edit{Pos: as.TokPos, End: as.TokPos + 2, Text: "="})
	}
	if !ok || !oneOfSeveral().MatchString(after) && !strings.HasSuffix(strings.TrimRight(before, " \t"), ",") {
		return "use it, or remove it; at the top level of a cell unused variables are fine"
	}
	edit := check.Edit{Pos: s.Pos, End: s.Pos + token.Pos(len(s.name())), Text: "_"}
	if s.name() == "err" {
		return "handle the error, with if err != nil { panic(err) } or a return; to ignore it, write _ for err"
	}
	return s.change("use it, or write ‹_› for it", edit)
}

// shadowing finds the := that declared the unused variable if an outer block has a variable with
// its name and type.
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

// printers lists names that are usually meant as functions of package fmt when they have no
// qualifier.
var printers = map[string]bool{"Println": true, "Printf": true, "Print": true, "Sprintf": true, "Sprint": true, "Errorf": true}
