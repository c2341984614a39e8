package interp

import (
	"errors"
	"fmt"
	"go/types"
	"reflect"
	"strconv"
	"unsafe"

	"github.com/gokernel/gokernel/interp/query"
	"github.com/gokernel/gokernel/interp/symbols"
)

// typist writes types of values in a form that a restored session can declare. It implements
// checkpoint.Types.
type typist struct {
	s       *Session
	known   map[reflect.Type]types.Type
	learned map[types.Type]bool
	written map[reflect.Type]expression
	aliases map[string]string // path of each package by name
	names   map[string]string // name of each package by path
}

type expression struct {
	text string
	err  error
}

func newTypist(s *Session) *typist {
	w := &typist{s: s, known: map[reflect.Type]types.Type{}, learned: map[types.Type]bool{}, written: map[reflect.Type]expression{},
		aliases: map[string]string{}, names: map[string]string{}}
	for _, name := range s.compiler.Scope.Names() {
		if o, ok := s.compiler.Scope.Lookup(name).Obj.(*types.TypeName); ok {
			w.learn(o.Type(), 0)
		}
	}
	return w
}

// maxLearn is the maximum depth to which learn follows types.
const maxLearn = 20

// learn finds the run-time types of a type and of its components.
func (w *typist) learn(t types.Type, depth int) {
	t = types.Unalias(t)
	if w.learned[t] || depth > maxLearn {
		return
	}
	w.learned[t] = true
	switch t := t.(type) {
	case *types.Named:
		if t.TypeParams().Len() > 0 && t.TypeArgs().Len() == 0 {
			return
		}
		for a := range t.TypeArgs().Types() {
			w.learn(a, depth+1)
		}
		if t.Obj().Pkg() == nil || t.Obj().Pkg().Path() == "main" {
			w.learn(t.Underlying(), depth+1)
		}
	case *types.Pointer:
		w.learn(t.Elem(), depth+1)
	case *types.Slice:
		w.learn(t.Elem(), depth+1)
	case *types.Array:
		w.learn(t.Elem(), depth+1)
	case *types.Map:
		w.learn(t.Key(), depth+1)
		w.learn(t.Elem(), depth+1)
	case *types.Struct:
		for f := range t.Fields() {
			w.learn(f.Type(), depth+1)
		}
	case *types.TypeParam, *types.Signature, *types.Tuple, *types.Union:
		return
	}
	if mentionsParam(t, 0) {
		return
	}
	if rt, err := w.s.compiler.Engine.Type(t); err == nil {
		if _, ok := w.known[rt]; !ok {
			w.known[rt] = t
		}
	}
}

// mentionsParam reports whether a type contains type parameters.
func mentionsParam(t types.Type, depth int) bool {
	if depth > maxLearn {
		return false
	}
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Pointer:
		return mentionsParam(t.Elem(), depth+1)
	case *types.Slice:
		return mentionsParam(t.Elem(), depth+1)
	case *types.Array:
		return mentionsParam(t.Elem(), depth+1)
	case *types.Map:
		return mentionsParam(t.Key(), depth+1) || mentionsParam(t.Elem(), depth+1)
	case *types.Chan:
		return mentionsParam(t.Elem(), depth+1)
	case *types.Struct:
		for f := range t.Fields() {
			if mentionsParam(f.Type(), depth+1) {
				return true
			}
		}
	case *types.Named:
		for a := range t.TypeArgs().Types() {
			if mentionsParam(a, depth+1) {
				return true
			}
		}
	}
	return false
}

// Express implements checkpoint.Types.
func (w *typist) Express(t reflect.Type) (string, error) {
	if e, ok := w.written[t]; ok {
		return e.text, e.err
	}
	var e expression
	tt, err := w.typeOf(t)
	if err == nil {
		if rt, err2 := w.s.compiler.Engine.Type(tt); err2 != nil || rt != t {
			err = fmt.Errorf("the type %s cannot be declared again", t)
		}
	}
	if err == nil {
		e.text, err = w.text(tt)
	}
	e.err = err
	w.written[t] = e
	return e.text, e.err
}

// typeOf returns the type for a run-time type.
func (w *typist) typeOf(t reflect.Type) (types.Type, error) {
	if tt, ok := w.known[t]; ok {
		return tt, nil
	}
	if t.Name() != "" {
		return w.named(t)
	}
	elem := func(make func(types.Type) types.Type) (types.Type, error) {
		e, err := w.typeOf(t.Elem())
		if err != nil {
			return nil, err
		}
		return make(e), nil
	}
	switch t.Kind() {
	case reflect.Pointer:
		return elem(func(e types.Type) types.Type { return types.NewPointer(e) })
	case reflect.Slice:
		return elem(func(e types.Type) types.Type { return types.NewSlice(e) })
	case reflect.Array:
		return elem(func(e types.Type) types.Type { return types.NewArray(e, int64(t.Len())) })
	case reflect.Map:
		k, err := w.typeOf(t.Key())
		if err != nil {
			return nil, err
		}
		return elem(func(e types.Type) types.Type { return types.NewMap(k, e) })
	case reflect.Interface:
		if t.NumMethod() == 0 {
			return types.Universe.Lookup("any").Type(), nil
		}
	}
	return nil, fmt.Errorf("the type %s cannot be declared again", t)
}

// named is typeOf for named types: predeclared types and types of packages.
func (w *typist) named(t reflect.Type) (types.Type, error) {
	if t.PkgPath() == "" {
		if o, ok := types.Universe.Lookup(t.Name()).(*types.TypeName); ok {
			return o.Type(), nil
		}
	}
	for _, path := range []string{t.PkgPath(), query.Facade} {
		p, ok := symbols.Lookup(path)
		if !ok || p.TypeOf(t.Name()) != t {
			continue
		}
		pkg, err := w.s.compiler.Sources.Import(path)
		if err != nil {
			continue
		}
		if o, ok := pkg.Scope().Lookup(t.Name()).(*types.TypeName); ok {
			return types.Unalias(o.Type()), nil
		}
	}
	return nil, fmt.Errorf("cells cannot name its type %s", t)
}

// text formats a type that cells can name.
func (w *typist) text(t types.Type) (string, error) {
	if err := w.visible(t, map[types.Type]bool{}); err != nil {
		return "", err
	}
	return types.TypeString(t, func(p *types.Package) string {
		if p.Path() == "main" {
			return ""
		}
		name, ok := w.names[p.Path()]
		if !ok {
			name = "ǃp" + strconv.Itoa(len(w.names))
			w.names[p.Path()], w.aliases[name] = name, p.Path()
		}
		return name
	}), nil
}

// visible returns an error that names a part of a type which cells can no longer name.
func (w *typist) visible(t types.Type, seen map[types.Type]bool) error {
	if seen[t] {
		return nil
	}
	seen[t] = true
	switch t := t.(type) {
	case *types.Alias:
		return w.visible(types.Unalias(t), seen)
	case *types.Named:
		o := t.Obj()
		for a := range t.TypeArgs().Types() {
			if err := w.visible(a, seen); err != nil {
				return err
			}
		}
		switch {
		case o.Pkg() == nil:
		case o.Pkg().Path() == "main":
			if d := w.s.compiler.Scope.Lookup(o.Name()); d == nil || d.Obj != o {
				return fmt.Errorf("its type %s is local to a function, or has been declared again since", o.Name())
			}
		case !o.Exported():
			return fmt.Errorf("cells cannot name its type %s.%s", o.Pkg().Name(), o.Name())
		}
		return nil
	case *types.Pointer:
		return w.visible(t.Elem(), seen)
	case *types.Slice:
		return w.visible(t.Elem(), seen)
	case *types.Array:
		return w.visible(t.Elem(), seen)
	case *types.Chan:
		return errors.New("a channel cannot be saved")
	case *types.Signature:
		return errors.New("a function value cannot be saved")
	case *types.Map:
		if err := w.visible(t.Key(), seen); err != nil {
			return err
		}
		return w.visible(t.Elem(), seen)
	case *types.Struct:
		for f := range t.Fields() {
			if _, ok := f.Type().Underlying().(*types.Signature); ok {
				continue // the value may be nil
			}
			if err := w.visible(f.Type(), seen); err != nil {
				return err
			}
		}
	}
	return nil
}

// Global implements checkpoint.Types.
func (w *typist) Global(p unsafe.Pointer, t reflect.Type) (string, bool) {
	if path := t.Elem().PkgPath(); path == "" || path == "main" {
		return "", false
	}
	name, ok := globals()[p]
	return name, ok
}
