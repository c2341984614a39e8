package yaegi

import (
	"cmp"
	"go/types"
	"reflect"
	"slices"
	"sync"

	"github.com/traefik/yaegi/interp"
)

// Like all generic functions, the functions of package slices would be interpreted, and sorting
// 20,000 numbers would take seconds. For slices of basic types, there are therefore compiled
// instances.

// instancesPath is the package of compiled instances, as lowered code imports it.
const instancesPath = "gokernel/instances"

// compiledInstances holds the compiled instances by the names that instanceName returns.
var compiledInstances = sync.OnceValue(func() map[string]reflect.Value {
	all := map[string]reflect.Value{}
	addInstances[int](all)
	addInstances[int8](all)
	addInstances[int16](all)
	addInstances[int32](all)
	addInstances[int64](all)
	addInstances[uint](all)
	addInstances[uint8](all)
	addInstances[uint16](all)
	addInstances[uint32](all)
	addInstances[uint64](all)
	addInstances[float32](all)
	addInstances[float64](all)
	addInstances[string](all)
	return all
})

// addInstances adds the instances for slices of a type.
func addInstances[T cmp.Ordered](all map[string]reflect.Value) {
	for name, f := range map[string]any{
		"BinarySearch": slices.BinarySearch[[]T],
		"Compact":      slices.Compact[[]T],
		"Compare":      slices.Compare[[]T],
		"Contains":     slices.Contains[[]T],
		"Equal":        slices.Equal[[]T],
		"Index":        slices.Index[[]T],
		"IsSorted":     slices.IsSorted[[]T],
		"Max":          slices.Max[[]T],
		"Min":          slices.Min[[]T],
		"Reverse":      slices.Reverse[[]T],
		"Sort":         slices.Sort[[]T],
	} {
		all[instanceName(name, reflect.TypeFor[T]().String())] = reflect.ValueOf(f)
	}
}

func instanceName(function, elem string) string { return function + "_" + elem }

func instanceExports() interp.Exports {
	return interp.Exports{instancesPath + "/instances": compiledInstances()}
}

// compiledInstance returns the name of the compiled instance of a generic function, or "" if there
// is none.
func compiledInstance(fn *types.Func, args []types.Type) string {
	if fn.Pkg().Path() != "slices" || len(args) == 0 {
		return ""
	}
	s, ok := types.Unalias(args[0]).(*types.Slice)
	if !ok {
		return ""
	}
	elem, ok := types.Unalias(s.Elem()).(*types.Basic)
	if !ok {
		return ""
	}
	name := instanceName(fn.Name(), types.Typ[elem.Kind()].Name()) // for byte, uint8
	if _, ok := compiledInstances()[name]; !ok {
		return ""
	}
	return name
}
