package standin

import (
	"flag"
	"reflect"
	"sync"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
)

// Declaring a command-line flag again ends a Go program. In a notebook, a cell that declares flags
// may be run again, and a cell may declare a flag that the evaluator's own packages have declared.
// The new flag replaces the old flag, unless one cell declares both.

// flags replaces the functions that declare flags.
type flags struct {
	m *machine.Machine

	mu   sync.Mutex
	cell map[string]int // the number of the cell that declared a flag
}

// overrides returns the functions and methods by their names.
func (f *flags) overrides() map[string]reflect.Value {
	all := map[string]reflect.Value{}
	set := reflect.TypeFor[*flag.FlagSet]()
	for _, name := range []string{
		"Bool", "BoolFunc", "BoolVar", "Duration", "DurationVar", "Float64", "Float64Var", "Func", "Int", "Int64", "Int64Var", "IntVar",
		"String", "StringVar", "TextVar", "Uint", "Uint64", "Uint64Var", "UintVar", "Var",
	} {
		m, ok := set.MethodByName(name)
		if !ok {
			continue
		}
		t := m.Func.Type()
		at := 1 // index of the name, which may follow the variable
		if t.In(1).Kind() != reflect.String {
			at = 2
		}
		declare := func(args []reflect.Value) []reflect.Value {
			f.forget(args[0].Interface().(*flag.FlagSet), args[at].String())
			return m.Func.Call(args)
		}
		all["(*flag.FlagSet)."+name] = reflect.MakeFunc(t, declare)
		var in, out []reflect.Type
		for p := range t.Ins() {
			in = append(in, p)
		}
		for r := range t.Outs() {
			out = append(out, r)
		}
		all["flag."+name] = reflect.MakeFunc(reflect.FuncOf(in[1:], out, false), func(args []reflect.Value) []reflect.Value {
			return declare(append([]reflect.Value{reflect.ValueOf(flag.CommandLine)}, args...))
		})
	}
	return all
}

// forget removes a flag from the command line before it is declared again, unless the running cell
// has declared it.
func (f *flags) forget(set *flag.FlagSet, name string) {
	if set != flag.CommandLine {
		return
	}
	number := f.m.Current().Number
	f.mu.Lock()
	defer f.mu.Unlock()
	if by, ours := f.cell[name]; set.Lookup(name) != nil && (!ours || by != number) {
		for _, table := range []string{"formal", "actual"} {
			t := reflect.ValueOf(set).Elem().FieldByName(table)
			if t.IsValid() && t.Type() == reflect.TypeFor[map[string]*flag.Flag]() {
				delete(*(*map[string]*flag.Flag)(unsafe.Pointer(t.UnsafeAddr())), name)
			}
		}
	}
	if f.cell == nil {
		f.cell = map[string]int{}
	}
	f.cell[name] = number
}
