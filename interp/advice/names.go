package advice

import (
	"go/ast"
	"go/parser"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gokernel/gokernel/interp/pattern"
	"github.com/gokernel/gokernel/interp/symbols"
)

// parameter is about a name in the parameters of a function where a type should
// stand.
func parameter(s *slip) string {
	if s.isParameter() {
		return "a parameter has a name and then a type: x int"
	}
	return ""
}

var (
	assigned  = pattern.New(`^(?:\s*,\s*[\pL_][\pL\pN_]*)*\s*=[^=]`)
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
		return "did you mean " + name + "?"
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
		return meant("", closest(s.name(), packageNames()))
	}
	return ""
}

// packageAlone is about the name of a package without a member.
func packageAlone(s *slip) string {
	if name := s.name(); len(symbols.Named(name)) > 0 {
		return name + " is a package: write " + name + "., or " + name + "? for its documentation"
	}
	return ""
}

// misspelt is about a name that looks like one in scope, or is one of another
// language.
func misspelt(s *slip) string {
	name := s.name()
	best, other := closest(name, s.names("")), foreign[name]
	if best != "" && (other == "" || strings.EqualFold(best, name)) {
		return meant("", best)
	}
	return other
}

// newVariable is about an assignment to a name that there is not.
func newVariable(s *slip) string {
	if _, after, ok := s.around(); ok && assigned.MatchString(after) {
		return s.name() + " := makes a new variable"
	}
	return ""
}

// meant suggests a name; the empty one is no suggestion.
func meant(qualifier, name string) string {
	if name == "" {
		return ""
	}
	if qualifier != "" {
		name = qualifier + "." + name
	}
	return "did you mean " + name + "?"
}

// packageMember is about a name that a package lacks.
func packageMember(s *slip) string {
	pkg, name, ok := strings.Cut(s.name(), ".")
	if !ok || strings.Contains(name, " ") {
		return ""
	}
	known := s.names(pkg)
	if best := scikit[name]; best != "" && pkg == "ml" && slices.Contains(known, best) {
		return meant(pkg, best)
	}
	if best := closest(name, known); best != "" {
		return meant(pkg, best)
	}
	return meant(pkg, related(name, known))
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
		return meant("", strconv.Quote(best))
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
	return name + kind + ": write " + name + "(" + strings.Join(args, ", ") + ")"
}

// object gives what a name, or a name of a package, stands for; nil if nothing.
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
	if !ok || !oneOfSeveral.MatchString(after) && !strings.HasSuffix(strings.TrimRight(before, " \t"), ",") {
		return "use it, or remove it; at the top level of a cell unused variables are fine"
	}
	if s.name() == "err" {
		return "look at the error, if err != nil { }, or write _ in its place"
	}
	return "use it, or write _ in its place"
}

var oneOfSeveral = pattern.New(`^\s*,[^=;{}\n]*:=`)
