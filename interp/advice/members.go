package advice

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/interp/complete"
	"github.com/gokernel/gokernel/interp/rewrite"
	"github.com/gokernel/gokernel/interp/symbols"
)

// shadowedPackage handles a variable that hides a package of the same name, whose member was meant.
func shadowedPackage(s *slip) string {
	sel, _, ok := s.selector()
	if !ok {
		return ""
	}
	id, ok := sel.X.(*ast.Ident)
	if !ok {
		return ""
	}
	d := s.advisor.Scope.Lookup(id.Name)
	p, ok := symbols.Resolve(id.Name, sel.Sel.Name)
	if !ok || !p.Has(sel.Sel.Name) {
		return ""
	}
	if d == nil || s.result.Info.Uses[id] != nil && s.result.Info.Uses[id] != d.Obj {
		return id.Name + " is a variable here, not the package: give the variable another name"
	}
	return fmt.Sprintf("%s is the name that %s declared, not the package; to use the package again, write import %q", id.Name, d.Cell.Name, p.Path)
}

// butHave reports whether go/types already suggests the right name.
func (s *slip) butHave() bool { return strings.Contains(s.Msg, "but does have") }

// misspeltMember handles a field or method whose name resembles an existing one.
func misspeltMember(s *slip) string {
	sel, of, ok := s.selector()
	if !ok || s.butHave() {
		return ""
	}
	var names []string
	for _, o := range complete.Members(of) {
		names = append(names, o.Name())
	}
	best := closest(sel.Sel.Name, names)
	if rewrite.IsFrame(of) && distance(strings.ToLower(sel.Sel.Name), strings.ToLower(best), 3) > 1 {
		return "" // it may be a column
	}
	return s.meant("", best)
}

// memberElsewhere handles members that slices, maps, strings and tables have in other languages.
func memberElsewhere(s *slip) string {
	sel, of, ok := s.selector()
	if !ok {
		return ""
	}
	expr, name := s.code(sel.X), strings.ToLower(sel.Sel.Name)
	// Replace a whole call.
	whole, args := ast.Expr(sel), ""
	var call *ast.CallExpr
	if c, ok := find(s, func(c *ast.CallExpr) bool { return c.Fun == sel }); ok {
		whole, call = c, c
		if len(c.Args) > 0 {
			args = s.src.Slice(c.Args[0].Pos(), c.Args[len(c.Args)-1].End())
		}
	}
	if h := s.dataMember(whole, expr, name, typeName(of)); h != "" {
		return h
	}
	if (name == "len" || name == "length" || name == "size") && hasLen(of) {
		return s.instead(whole, "the number of elements is ", "len("+expr+")")
	}
	switch t := of.Underlying().(type) {
	case *types.Interface:
		if t.Empty() {
			return "to use the value of an any, convert it with a type assertion: ‹v, ok := holder.(float64)›; " +
				"for a model from a file, call ml.LoadClassifier, ml.LoadRegressor or ml.LoadTransformer"
		}
	case *types.Slice:
		return s.sliceMember(whole, expr, name, args, t)
	case *types.Map:
		return s.mapMember(whole, expr, name, args, t, sel)
	case *types.Basic:
		if fn := textFunctions[name]; fn != "" && t.Info()&types.IsString != 0 {
			code := "strings." + fn + "(" + expr
			switch {
			case fn == "Join":
				code = "strings.Join(" + args + ", " + expr
			case args != "":
				code += ", " + args
			case fn == "Split":
				code = "strings.Fields(" + expr
			}
			if call == nil {
				return "strings." + fn + " does it"
			}
			return s.instead(whole, "write ", code+")")
		}
	}
	return ""
}

// instead suggests code to replace the expression.
func (s *slip) instead(x ast.Node, lead, code string) string {
	return s.change(lead+"‹"+code+"›", put(x, code))
}

// hasLen reports whether the built-in len accepts values of the type.
func hasLen(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Slice, *types.Array, *types.Map, *types.Chan:
		return true
	case *types.Basic:
		return t.Info()&types.IsString != 0
	}
	return false
}

func (s *slip) dataMember(whole ast.Expr, expr, name, typ string) string {
	if typ != "*data.Dataset" {
		return ""
	}
	switch name {
	case "shape":
		return s.instead(whole, "the numbers of rows and columns are ", expr+".X.Dims()")
	case "head", "info":
		return s.instead(whole, "to show the first rows, write ", expr)
	case "describe":
		return s.instead(whole, "to summarize the columns, write ", "Describe("+expr+")")
	}
	return ""
}

func (s *slip) sliceMember(whole ast.Expr, expr, name, args string, t *types.Slice) string {
	switch elem := typeName(t.Elem()); name {
	case "append", "push", "add", "extend":
		if args == "" {
			return "append returns the longer slice: assign it"
		}
		return s.instead(whole, "append returns the longer slice: ", expr+" = append("+expr+", "+args+")")
	case "sort":
		return s.instead(whole, "to sort it in place, write ", "slices.Sort("+expr+")")
	case "reverse":
		return s.instead(whole, "to reverse it in place, write ", "slices.Reverse("+expr+")")
	case "contains", "includes":
		return s.instead(whole, "write ", "slices.Contains("+expr+", "+args+")")
	case "index", "indexof":
		return s.instead(whole, "write ", "slices.Index("+expr+", "+args+")")
	case "max", "min":
		return s.instead(whole, "write ", "slices."+strings.ToUpper(name[:1])+name[1:]+"("+expr+")")
	case "sum":
		if elem == "float64" {
			return s.instead(whole, "write ", "floats.Sum("+expr+")")
		}
		return "add the elements in a loop: ‹for _, k := range ints { n += k }›"
	case "mean":
		if elem == "float64" {
			return s.instead(whole, "write ", "stat.Mean("+expr+", nil)")
		}
	case "shape":
		return s.instead(whole, "the number of elements is ", "len("+expr+")")
	}
	return ""
}

func (s *slip) mapMember(whole ast.Expr, expr, name, args string, t *types.Map, sel *ast.SelectorExpr) string {
	switch name {
	case "keys", "values":
		fn := "maps." + strings.ToUpper(name[:1]) + name[1:]
		return s.instead(whole, "write ", "slices.Collect("+fn+"("+expr+"))")
	case "items":
		return "range over the map: ‹for k, v := range m { fmt.Println(k, v) }›"
	case "get":
		if args != "" {
			return s.instead(whole, "write ", expr+"["+strings.Split(args, ",")[0]+"]") + "; v, ok := " + expr + "[key] also reports whether the map has the key"
		}
	case "contains", "has", "has_key", "containskey":
		return "check whether the map has the key: ‹if v, ok := m[\"a\"]; ok { fmt.Println(v) }›"
	}
	if b, ok := t.Key().Underlying().(*types.Basic); ok && b.Kind() == types.String && whole == ast.Expr(sel) {
		return s.instead(whole, "write an element of a map as ", expr+"["+strconv.Quote(sel.Sel.Name)+"]")
	}
	return ""
}

// textFunctions maps string methods of other languages to functions of package strings.
var textFunctions = map[string]string{
	"upper": "ToUpper", "toupper": "ToUpper", "lower": "ToLower", "tolower": "ToLower", "split": "Split", "join": "Join",
	"strip": "TrimSpace", "trim": "TrimSpace", "replace": "ReplaceAll", "startswith": "HasPrefix", "hasprefix": "HasPrefix",
	"endswith": "HasSuffix", "hassuffix": "HasSuffix", "contains": "Contains", "find": "Index", "indexof": "Index", "index": "Index",
	"count": "Count", "repeat": "Repeat", "fields": "Fields",
}

// structConversion handles a call of a struct's name.
func structConversion(s *slip) string {
	x, _, ok := s.operand()
	if !ok {
		return ""
	}
	if call, ok := find(s, func(c *ast.CallExpr) bool { return len(c.Args) == 1 && c.Args[0] == x }); ok {
		return s.constructed(call)
	}
	return ""
}

// sealed reports whether a field is an embedded struct without fields that can be set, such as the
// columns that a model remembers.
func sealed(f *types.Var) bool {
	st, ok := f.Type().Underlying().(*types.Struct)
	if !ok || !f.Embedded() {
		return false
	}
	for inner := range st.Fields() {
		if inner.Exported() {
			return false
		}
	}
	return true
}

// unknownField names the fields of a struct that lacks the field used.
func unknownField(s *slip) string {
	lit := s.literal()
	key, ok := find(s, func(kv *ast.KeyValueExpr) bool { return kv.Key.Pos() == s.Pos })
	if lit == nil || !ok || s.butHave() {
		return ""
	}
	name, ok := key.Key.(*ast.Ident)
	if !ok {
		return ""
	}
	st, ok := s.result.Info.Types[lit].Type.Underlying().(*types.Struct)
	if !ok {
		return ""
	}
	var names []string
	for f := range st.Fields() {
		if (f.Exported() || f.Pkg() != nil && f.Pkg().Path() == "main") && !sealed(f) {
			names = append(names, f.Name())
		}
	}
	if best := closest(name.Name, names); best != "" {
		return s.meant("", best)
	}
	if best := parameters[strings.ToLower(strings.ReplaceAll(name.Name, "_", ""))]; slices.Contains(names, best) {
		return s.meant("", best)
	}
	const most = 10
	switch {
	case len(names) == 0:
		return "it has no fields"
	case len(names) > most:
		names = append(names[:most], "...")
	}
	return "its fields are " + strings.Join(names, ", ")
}

// parameters maps parameter names of scikit-learn, in lower case without underscores, to the
// equivalent fields.
var parameters = map[string]string{
	"nneighbors": "K", "nclusters": "K", "ncomponents": "Components", "nestimators": "Trees", "learningrate": "Rate",
	"randomstate": "Seed", "maxiter": "MaxIter", "lambda": "Lambda", "reg": "Lambda", "epochs": "Epochs",
}

// listed lists the existing members.
func listed(s *slip) string {
	sel, of, ok := s.selector()
	if !ok || s.butHave() {
		return ""
	}
	var names []string
	for _, o := range complete.Members(of) {
		names = append(names, o.Name())
	}
	const most = 8
	expr := s.code(sel.X)
	switch {
	case len(names) == 0:
		return "a value of this type has no fields and no methods"
	case len(names) > most:
		return "to list its fields and methods, write " + expr + ". and press Tab"
	}
	return expr + " has " + strings.Join(names, ", ")
}

// knownMember handles a method that another library has for the same purpose.
func knownMember(s *slip) string {
	sel, of, ok := s.selector()
	if !ok || s.butHave() {
		return ""
	}
	name := strings.ToLower(strings.ReplaceAll(sel.Sel.Name, "_", ""))
	switch typeName(of) {
	case "*chart.Chart":
		if to := asInMatplotlib[name]; to != "" && has(of, to) {
			return s.meant("", to)
		}
		return chartVerbs[name]
	default:
		if name == "score" && has(of, "Predict") {
			return s.scored(sel)
		}
	}
	return ""
}

// has reports whether a type has a method.
func has(t types.Type, method string) bool {
	o, _, _ := types.LookupFieldOrMethod(t, true, nil, method)
	return o != nil
}

// scored explains how to measure predictions.
func (s *slip) scored(sel *ast.SelectorExpr) string {
	call, ok := find(s, func(c *ast.CallExpr) bool { return c.Fun == sel && len(c.Args) == 2 })
	if !ok {
		return "call ml.Score(model, d) for a data set d"
	}
	measure := "ml.Accuracy"
	if typeName(s.result.Info.Types[call.Args[1]].Type) == "[]float64" {
		measure = "ml.R2"
	}
	code := measure + "(" + s.code(call.Args[1]) + ", " + s.code(sel.X) + ".Predict(" + s.code(call.Args[0]) + "))"
	return s.instead(call, "measure the predictions: ", code)
}

// asInMatplotlib maps names of matplotlib methods, in lower case without underscores, to methods of
// charts.
var asInMatplotlib = map[string]string{
	"xlabel": "X", "setxlabel": "X", "ylabel": "Y", "setylabel": "Y", "settitle": "Title", "suptitle": "Title",
	"savefig": "Save", "xlim": "XRange", "setxlim": "XRange", "ylim": "YRange", "setylim": "YRange", "scatter": "Points",
	"plot": "Line", "bar": "Bars", "label": "Name", "linewidth": "Width", "alpha": "Opacity", "xticks": "XNames", "yticks": "YNames",
}

// chartVerbs explains chart methods of other libraries that have no equivalent here.
var chartVerbs = map[string]string{
	"show": "a chart that is the last expression of a cell is shown; to show it earlier, write ‹Show(Plot(xs))›",
	"grid": "leave this call out: a chart has a grid without it",
}
