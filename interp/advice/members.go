package advice

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/gokernel/gokernel/interp/complete"
	"github.com/gokernel/gokernel/interp/scope"
	"github.com/gokernel/gokernel/interp/symbols"
)

// shadowedPackage is about a variable that lacks what the package of its name has.
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
	if d == nil || !ok || !p.Has(sel.Sel.Name) {
		return ""
	}
	return fmt.Sprintf("%s is what %s declared, not the package: import %q makes it the package again", id.Name, d.Cell.Name, p.Path)
}

// butHave reports whether go/types names what was meant itself.
func (s *slip) butHave() bool { return strings.Contains(s.Msg, "but does have") }

// misspeltMember is about a field or method that looks like another.
func misspeltMember(s *slip) string {
	sel, of, ok := s.selector()
	if !ok || s.butHave() {
		return ""
	}
	var names []string
	for _, o := range complete.Members(of) {
		names = append(names, o.Name())
	}
	return meant("", closest(sel.Sel.Name, names))
}

// memberElsewhere is about members that slices, maps, text and tables have in other
// languages.
func memberElsewhere(s *slip) string {
	sel, of, ok := s.selector()
	if !ok {
		return ""
	}
	expr, name := types.ExprString(sel.X), strings.ToLower(sel.Sel.Name)
	if h := dataMember(expr, name, typeName(of)); h != "" {
		return h
	}
	if (name == "len" || name == "length" || name == "size") && hasLen(of) {
		return "len(" + expr + ") is the number of elements"
	}
	switch t := of.Underlying().(type) {
	case *types.Interface:
		if t.Empty() {
			return "a value of type any may be anything: " + expr + ".(T) takes out a value of type T; " +
				"for a model of a file, ml.LoadClassifier, ml.LoadRegressor and ml.LoadTransformer do"
		}
	case *types.Slice:
		return sliceMember(expr, name)
	case *types.Map:
		return mapMember(expr, name, t)
	case *types.Basic:
		if fn := textFunctions[name]; fn != "" && t.Info()&types.IsString != 0 {
			return "strings." + fn + " does it"
		}
	}
	return ""
}

// hasLen reports whether the built-in len takes values of the type.
func hasLen(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Slice, *types.Array, *types.Map, *types.Chan:
		return true
	case *types.Basic:
		return t.Info()&types.IsString != 0
	}
	return false
}

func dataMember(expr, name, typ string) string {
	if typ != "*data.Dataset" {
		return ""
	}
	switch name {
	case "shape":
		return expr + ".X.Dims() gives the numbers of rows and columns"
	case "head", "info", "describe":
		return expr + " alone shows its first rows, Describe(" + expr + ") what is in its columns"
	}
	return ""
}

func sliceMember(expr, name string) string {
	switch name {
	case "append", "push", "add", "extend":
		return "append makes the longer slice: " + expr + " = append(" + expr + ", x)"
	case "sort":
		return "slices.Sort(" + expr + ") sorts"
	case "contains":
		return "slices.Contains(" + expr + ", x) looks for x"
	case "shape":
		return "len(" + expr + ") is the number of elements; a matrix has Dims"
	}
	return ""
}

func mapMember(expr, name string, t *types.Map) string {
	switch name {
	case "keys", "values", "items":
		return "for k, v := range " + expr + " { } goes over all; maps.Keys and maps.Values give one side"
	case "get":
		return "v, ok := " + expr + "[key] reports whether the key is there"
	}
	if b, ok := t.Key().Underlying().(*types.Basic); ok && b.Kind() == types.String {
		return "elements are written " + expr + "[\"" + name + "\"]"
	}
	return ""
}

// textFunctions are the functions of package strings for the methods of text in
// other languages.
var textFunctions = map[string]string{
	"upper": "ToUpper", "toupper": "ToUpper", "lower": "ToLower", "tolower": "ToLower", "split": "Split", "join": "Join",
	"strip": "TrimSpace", "trim": "TrimSpace", "replace": "ReplaceAll", "startswith": "HasPrefix", "hasprefix": "HasPrefix",
	"endswith": "HasSuffix", "hassuffix": "HasSuffix", "contains": "Contains", "find": "Index", "indexof": "Index", "index": "Index",
	"count": "Count", "repeat": "Repeat", "fields": "Fields",
}

// structConversion is about a call of a struct's name.
func structConversion(s *slip) string {
	if s.result == nil {
		return ""
	}
	for x, tv := range s.result.Info.Types {
		if x.End() != s.Pos-1 || !tv.IsType() {
			continue
		}
		if _, ok := tv.Type.Underlying().(*types.Struct); ok {
			return "a value of a struct is written " + scope.TypeString(tv.Type) + "{...}"
		}
	}
	return ""
}

// unknownField says what a struct has instead of a field that it lacks.
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
		if f.Exported() || f.Pkg() != nil && f.Pkg().Path() == "main" {
			names = append(names, f.Name())
		}
	}
	if best := closest(name.Name, names); best != "" {
		return meant("", best)
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
