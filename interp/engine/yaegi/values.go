package yaegi

import (
	"fmt"
	"go/types"
	"os"
	"reflect"
	"sync"

	"github.com/traefik/yaegi/interp"

	"github.com/gokernel/gokernel/interp/engine/yaegi/wrappers"
	"github.com/gokernel/gokernel/interp/symbols"
	"github.com/gokernel/gokernel/interp/symbols/table"
)

// use makes a compiled package available to the interpreter.
func (e *Engine) use(path string) error {
	if e.used[path] {
		return nil
	}
	p, ok := symbols.Lookup(path)
	if !ok {
		return &symbols.NoPackageError{Path: path, Reason: table.LeftOut(path)}
	}
	exports := map[string]reflect.Value{}
	for name, v := range p.All() {
		exports[name] = v
	}
	e.override(path, exports)
	looks := map[reflect.Value][]reflect.Type{}
	for name, v := range exports {
		if original, _ := p.Lookup(name); methodsOf()[original] != nil {
			looks[v] = methodsOf()[original]
		}
	}
	if err := e.in.Use(interp.Exports{".": {"MapTypes": reflect.ValueOf(looks)}}); err != nil {
		return fmt.Errorf("yaegi: package %s: %w", path, err)
	}
	if err := e.in.Use(interp.Exports{path + "/" + exportName(p.Name): exports}); err != nil {
		return fmt.Errorf("yaegi: package %s: %w", path, err)
	}
	e.used[path] = true
	return nil
}

// exportName returns the package name to pass to the interpreter. It must differ from the real
// name: under "fmt/fmt" the interpreter replaces functions with functions of its own. Lowered code
// never uses it.
func exportName(name string) string { return name + "_" }

// override replaces functions that would end the process, and functions whose output belongs to a
// cell.
func (e *Engine) override(path string, exports map[string]reflect.Value) {
	switch path {
	case "os":
		exports["Exit"] = reflect.ValueOf(func(code int) { panic(exit{code}) })
	case "fmt":
		if e.hooks.Stdout == nil {
			return
		}
		write := func(b []byte) (int, error) {
			e.hooks.Stdout(int(e.running.Load()), b)
			return len(b), nil
		}
		exports["Print"] = reflect.ValueOf(func(a ...any) (int, error) { return write(fmt.Append(nil, a...)) })
		exports["Println"] = reflect.ValueOf(func(a ...any) (int, error) { return write(fmt.Appendln(nil, a...)) })
		exports["Printf"] = reflect.ValueOf(func(f string, a ...any) (int, error) { return write(fmt.Appendf(nil, f, a...)) })
	case "log":
		for _, name := range []string{"Fatal", "Fatalf", "Fatalln"} {
			show := exports["Print"+name[len("Fatal"):]]
			exports[name] = reflect.MakeFunc(exports[name].Type(), func(args []reflect.Value) []reflect.Value {
				show.CallSlice(args)
				os.Stderr.Sync()
				panic(exit{1})
			})
		}
	}
}

// pointer returns a pointer to a variable of the interpreter.
func (e *Engine) pointer(name string) (reflect.Value, error) {
	v, err := e.in.Eval("&" + name)
	if err != nil {
		return reflect.Value{}, fmt.Errorf("yaegi: variable %s: %w", name, err)
	}
	return v, nil
}

// Var returns the session variable, addressable and settable.
func (e *Engine) Var(v *types.Var) (reflect.Value, error) {
	if p, ok := symbols.Lookup(v.Pkg().Path()); ok {
		if val, kind := p.Lookup(v.Name()); kind == table.Var {
			return val, nil
		}
	}
	name, ok := e.world.names[v]
	if !ok {
		return reflect.Value{}, fmt.Errorf("yaegi: %s is not a variable of the session", v.Name())
	}
	p, err := e.pointer(name)
	if err != nil {
		return p, err
	}
	return p.Elem(), nil
}

// Type returns the runtime type of t. Types of cells have no names in the interpreter's runtime
// types.
func (e *Engine) Type(t types.Type) (typ reflect.Type, err error) {
	l := &lowering{w: e.world, unit: &unit{info: &types.Info{}}, generics: e.generics, imports: map[string]string{}}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("yaegi: no run-time type for %v: %v", t, r)
		}
		if err != nil {
			e.world.rollback()
		}
	}()
	form := l.typ(t, 0)
	if typ, ok := e.types[form]; ok {
		return typ, nil
	}
	name := e.world.fresh("type")
	l.top("var %s *%s", name, form)
	program, err := e.program(l)
	if err != nil {
		return nil, fmt.Errorf("yaegi: no run-time type for %v: %w", t, err)
	}
	if _, err := e.in.Execute(program); err != nil {
		return nil, fmt.Errorf("yaegi: no run-time type for %v: %w", t, err)
	}
	p, err := e.pointer(name)
	if err != nil {
		return nil, err
	}
	e.world.commit()
	e.types[form] = p.Type().Elem().Elem()
	return e.types[form], nil
}

// Func returns a function of the session or of a compiled package.
func (e *Engine) Func(f *types.Func) (reflect.Value, error) {
	if p, ok := symbols.Lookup(f.Pkg().Path()); ok {
		if v, kind := p.Lookup(f.Name()); kind == table.Func {
			return v, nil
		}
	}
	name, ok := e.world.names[f]
	if !ok {
		return reflect.Value{}, fmt.Errorf("yaegi: %s is not a function of the session", f.Name())
	}
	v, err := e.in.Eval(name)
	if err != nil {
		return v, fmt.Errorf("yaegi: function %s: %w", f.Name(), err)
	}
	return v, nil
}

// wrapperExports returns the types that let interpreted values satisfy compiled interfaces.
var wrapperExports = sync.OnceValue(func() interp.Exports {
	exports := interp.Exports{}
	for w := range wrappers.All() {
		p, ok := symbols.Lookup(w.Path)
		if !ok {
			continue
		}
		key := w.Path + "/" + exportName(p.Name)
		if exports[key] == nil {
			exports[key] = map[string]reflect.Value{}
		}
		exports[key]["_"+w.Name] = reflect.ValueOf(w.Type)
	}
	return exports
})

// methodsOf lists, for compiled functions that take an any, the interfaces for which they test a
// value.
var methodsOf = sync.OnceValue(func() map[reflect.Value][]reflect.Type {
	show := []reflect.Type{reflect.TypeFor[fmt.Formatter](), reflect.TypeFor[fmt.Stringer]()}
	m := map[reflect.Value][]reflect.Type{}
	for _, path := range []string{"fmt", "log"} {
		p, _ := symbols.Lookup(path)
		for _, name := range []string{"Print", "Fprint", "Sprint", "Append", "Errorf", "Fatal", "Panic"} {
			for _, suffix := range []string{"", "f", "ln"} {
				if v, kind := p.Lookup(name + suffix); kind == table.Func {
					m[v] = show
				}
			}
		}
	}
	return m
})
