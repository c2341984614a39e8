package debug

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"unsafe"

	"github.com/google/go-dap"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/value"
)

// maxParts is the number of components of a variable to list if the frontend does not request a
// number.
const maxParts = 100

// tree stores the values whose components a frontend may request, by their reference numbers.
type tree struct {
	nodes []node
	first int                // the numbers begin after first
	frame *engine.StackFrame // frame of the added variables; nil for those of the session
	// values reports that the frontend is JupyterLab. Its list shows the type of a variable instead
	// of the value, unless it knows the type as a Python type.
	values bool
}

// node is a value with components and the expression for it, or "" if there is none.
type node struct {
	reflect.Value
	expr  string
	frame *engine.StackFrame // the frame that contains the variable
	scope string             // "Locals" or "Globals" for all variables of one kind
}

// variable describes a value.
func (t *tree) variable(name, expr string, v reflect.Value) dap.Variable {
	if !v.IsValid() {
		return dap.Variable{Name: name, Value: "nil"}
	}
	v = readable(v)
	out := dap.Variable{Name: name, EvaluateName: expr, Value: value.Line(v)}
	t.setType(&out, display.TypeName(v.Type()))
	e := behind(v)
	switch {
	case !e.IsValid():
		return out
	case e.Kind() == reflect.Struct:
		out.NamedVariables = e.NumField()
	case e.Kind() == reflect.Slice, e.Kind() == reflect.Array, e.Kind() == reflect.Map:
		out.IndexedVariables = e.Len()
	}
	if out.NamedVariables+out.IndexedVariables > 0 {
		if v.Kind() == reflect.Interface {
			expr = "" // the expressions for the components would need a type assertion
		}
		t.nodes = append(t.nodes, node{Value: e, expr: expr, frame: t.frame})
		out.VariablesReference = t.first + len(t.nodes)
	}
	return out
}

// setType sets the type of a variable. It omits types that JupyterLab would show instead of the
// value: except for numbers, the value in Go syntax shows the type.
func (t *tree) setType(v *dap.Variable, name string) {
	const exact = 15 // digits of an int that a JavaScript number represents exactly
	if !t.values || name == "bool" || name == "int" && len(v.Value) <= exact {
		v.Type = name
	} else {
		v.Type = ""
	}
}

// behind follows pointers and interfaces to a value with components.
func behind(v reflect.Value) reflect.Value {
	for range 10 {
		if k := v.Kind(); k != reflect.Pointer && k != reflect.Interface {
			break
		}
		if v.IsNil() {
			return reflect.Value{}
		}
		v = readable(v.Elem())
	}
	return v
}

// readable returns a value whose fields can be read even if they are not exported: the variable
// itself, or a copy.
func readable(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
	}
	if !v.CanInterface() {
		return v
	}
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

// parts lists the fields, elements or entries of a value.
func (t *tree) parts(args dap.VariablesArguments) ([]dap.Variable, error) {
	v, err := t.node(args.VariablesReference)
	if err != nil {
		return nil, err
	}
	t.frame = v.frame
	list := []dap.Variable{}
	if v.scope == "Locals" {
		for _, l := range v.frame.Locals {
			list = append(list, t.variable(l.Name, l.Name, l.Value))
		}
		return list, nil
	}
	if v.Kind() == reflect.Struct {
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			list = append(list, t.variable(name, v.part("."+name), v.Field(i)))
		}
		return list, nil
	}
	from, to := args.Start, v.Len()
	cut := args.Count == 0 && to-from > maxParts
	switch {
	case args.Count > 0:
		to = min(to, from+args.Count)
	case cut:
		to = from + maxParts
	}
	if v.Kind() == reflect.Map {
		keys := v.MapKeys()
		slices.SortFunc(keys, compareKeys)
		for _, k := range keys[min(from, len(keys)):to] {
			list = append(list, t.variable(value.Line(k), v.part("["+literal(k)+"]"), v.MapIndex(k)))
		}
	} else {
		for i := from; i < to; i++ {
			list = append(list, t.variable(strconv.Itoa(i), v.part("["+strconv.Itoa(i)+"]"), v.Index(i)))
		}
	}
	if cut {
		list = append(list, dap.Variable{Name: "…", Value: fmt.Sprintf("%d more", v.Len()-to)})
	}
	return list, nil
}

// node returns the node with a reference number.
func (t *tree) node(reference int) (node, error) {
	if i := reference - t.first; i >= 1 && i <= len(t.nodes) {
		return t.nodes[i-1], nil
	}
	return node{}, fmt.Errorf("there are no variables with the reference %d: they have changed since they were listed", reference)
}

// part returns the expression for a component.
func (n node) part(which string) string {
	if n.expr == "" || which == "[]" {
		return ""
	}
	return n.expr + which
}

// literal returns a key of a map in Go syntax, or "" if there is no short form.
func literal(k reflect.Value) string {
	switch {
	case k.Kind() == reflect.String:
		return strconv.Quote(k.String())
	case k.CanInt():
		return strconv.FormatInt(k.Int(), 10)
	case k.CanUint():
		return strconv.FormatUint(k.Uint(), 10)
	case k.Kind() == reflect.Bool:
		return strconv.FormatBool(k.Bool())
	}
	return ""
}

// compareKeys orders the keys of a map: numbers by value, others by their text.
func compareKeys(a, b reflect.Value) int {
	switch {
	case a.CanInt() && b.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint() && b.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	case a.CanFloat() && b.CanFloat():
		return cmp.Compare(a.Float(), b.Float())
	case a.Kind() == reflect.String && b.Kind() == reflect.String:
		return cmp.Compare(a.String(), b.String())
	}
	return cmp.Compare(value.Line(a), value.Line(b))
}
