package advice

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/gokernel/gokernel/interp/complete"
	"github.com/gokernel/gokernel/interp/pattern"
	"github.com/gokernel/gokernel/interp/scope"
	"github.com/gokernel/gokernel/interp/symbols"
)

var (
	selection = pattern.New(`^([\pL_][\pL\pN_]*)\.([\pL_][\pL\pN_]*) undefined \(type `)
	noMember  = pattern.New(`^(.+)\.([\pL_][\pL\pN_]*) undefined \(type (.+) has no field or method`)
)

// shadowedPackage is about a variable that lacks what the package of its name has.
func shadowedPackage(s *slip) string {
	m := selection.FindStringSubmatch(s.Msg)
	if m == nil {
		return ""
	}
	d := s.advisor.Scope.Lookup(m[1])
	p, ok := symbols.Resolve(m[1], m[2])
	if d == nil || !ok || !p.Has(m[2]) {
		return ""
	}
	return fmt.Sprintf("%s is what %s declared, not the package: import %q makes it the package again", m[1], d.Cell.Name, p.Path)
}

// butHave reports whether go/types names what was meant itself.
func (s *slip) butHave() bool { return strings.Contains(s.Msg, "but does have") }

// misspeltMember is about a field or method that looks like another.
func misspeltMember(s *slip) string {
	m := noMember.FindStringSubmatch(s.Msg)
	if m == nil || s.butHave() {
		return ""
	}
	x, ok := s.before()
	if !ok {
		return ""
	}
	var names []string
	for _, o := range complete.Members(x.Type) {
		names = append(names, o.Name())
	}
	return meant("", closest(m[2], names))
}

// memberElsewhere is about members that slices, maps, text and tables have in other
// languages.
func memberElsewhere(s *slip) string {
	m := noMember.FindStringSubmatch(s.Msg)
	if m == nil {
		return ""
	}
	expr, name, typ := m[1], strings.ToLower(m[2]), strings.TrimPrefix(m[3], "untyped ")
	if h := dataMember(expr, name, typ); h != "" {
		return h
	}
	x, ok := s.before()
	if !ok {
		return ""
	}
	if (name == "len" || name == "length" || name == "size") && hasLen(x.Type) {
		return "len(" + expr + ") is the number of elements"
	}
	switch t := x.Type.Underlying().(type) {
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

var noField = pattern.New(`^unknown field ([\pL_][\pL\pN_]*) in struct literal`)

// unknownField says what a struct has instead of a field that it lacks.
func unknownField(s *slip) string {
	m, lit := noField.FindStringSubmatch(s.Msg), s.literal()
	if m == nil || lit == nil || s.butHave() {
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
	if best := closest(m[1], names); best != "" {
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
