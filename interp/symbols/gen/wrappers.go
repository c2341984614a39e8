package main

import (
	"bytes"
	"fmt"
	"go/format"
	"go/types"
	"strings"
)

// wrapperFile writes the wrappers through which values of interpreted types implement the compiled
// interfaces of the packages. Each interface has a struct with one function per method. There are
// none for interfaces that only their own package can implement, nor for blas and lapack, whose
// hundreds of routines no cell implements.
func wrapperFile(g *group, worlds []*world) ([]byte, error) {
	w := worlds[0]
	f := &wrappers{imports: map[string]string{}, taken: map[string]bool{"table": true, "Wrapper": true}}
	for _, path := range w.paths {
		everywhere := true
		for _, other := range worlds[1:] {
			p := other.packages[path]
			everywhere = everywhere && p != nil && strings.Join(p.Scope().Names(), " ") == strings.Join(w.packages[path].Scope().Names(), " ") || p != nil && path != "syscall" && path != "log/syslog"
		}
		if !everywhere || strings.HasPrefix(path, "gonum.org/v1/gonum/blas") || strings.HasPrefix(path, "gonum.org/v1/gonum/lapack") {
			continue
		}
		scope := w.packages[path].Scope()
		for _, name := range scope.Names() {
			obj, ok := scope.Lookup(name).(*types.TypeName)
			if !ok || !obj.Exported() || obj.IsAlias() || compileTimeOnly(obj.Type()) {
				continue
			}
			if i, ok := obj.Type().Underlying().(*types.Interface); ok && i.NumMethods() > 0 && implementable(i) {
				f.wrapper(obj, i)
			}
		}
	}
	var b bytes.Buffer
	b.WriteString(header)
	b.WriteString("package wrappers\n\nimport (\n")
	for _, path := range sortedKeys(f.imports) {
		fmt.Fprintf(&b, "%s %q\n", f.imports[path], path)
	}
	fmt.Fprintf(&b, ")\n\nvar %s = [...]Wrapper{\n%s}\n%s", g.name, f.table.Bytes(), f.types.Bytes())
	return format.Source(b.Bytes())
}

type wrappers struct {
	imports      map[string]string
	taken        map[string]bool
	table, types bytes.Buffer
	n            int
}

func (f *wrappers) qualify(p *types.Package) string {
	if as, ok := f.imports[p.Path()]; ok {
		return as
	}
	as := p.Name()
	for n := 2; f.taken[as]; n++ {
		as = fmt.Sprint(p.Name(), n)
	}
	f.taken[as] = true
	f.imports[p.Path()] = as
	return as
}

func (f *wrappers) wrapper(obj *types.TypeName, i *types.Interface) {
	f.n++
	typ := fmt.Sprintf("%s%s%d", obj.Pkg().Name(), obj.Name(), f.n)
	fmt.Fprintf(&f.table, "{%q, %q, (*%s)(nil)},\n", obj.Pkg().Path(), obj.Name(), typ)
	fmt.Fprintf(&f.types, "\ntype %s struct {\nIValue any\n", typ)
	for m := range i.Methods() {
		fmt.Fprintf(&f.types, "W%s %s\n", m.Name(), types.TypeString(m.Signature(), f.qualify))
	}
	f.types.WriteString("}\n\n")
	for m := range i.Methods() {
		sig := m.Signature()
		var params, args []string
		for j := range sig.Params().Len() {
			t := sig.Params().At(j).Type()
			arg, typ := fmt.Sprintf("p%d", j), types.TypeString(t, f.qualify)
			params = append(params, arg+" "+typ)
			if sig.Variadic() && j == sig.Params().Len()-1 {
				arg += "..."
				params[j] = strings.Replace(params[j], " []", " ...", 1)
			}
			args = append(args, arg)
		}
		ret := ""
		if sig.Results().Len() > 0 {
			ret = "return "
		}
		fmt.Fprintf(&f.types, "func (w %s) %s(%s) %s { %sw.W%s(%s) }\n", typ, m.Name(), strings.Join(params, ", "),
			types.TypeString(resultsOf(sig), f.qualify), ret, m.Name(), strings.Join(args, ", "))
	}
}

func resultsOf(sig *types.Signature) *types.Tuple {
	vars := make([]*types.Var, sig.Results().Len())
	for i := range vars {
		vars[i] = types.NewVar(0, nil, "", sig.Results().At(i).Type())
	}
	return types.NewTuple(vars...)
}

// implementable reports whether another package can implement all the methods and name all the
// types in them.
func implementable(i *types.Interface) bool {
	for m := range i.Methods() {
		if !m.Exported() || !nameable(m.Signature(), map[types.Type]bool{}) {
			return false
		}
	}
	return true
}

func nameable(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return true
	}
	seen[t] = true
	switch t := t.(type) {
	case *types.Named:
		obj := t.Obj()
		for a := range t.TypeArgs().Types() {
			if !nameable(a, seen) {
				return false
			}
		}
		if obj.Pkg() == nil {
			return true
		}
		_, out := leftOut(obj.Pkg().Path(), obj.Pkg().Name())
		return obj.Exported() && !out
	case *types.Alias:
		_, out := leftOut(pathOf(t.Obj().Pkg()), "")
		return t.Obj().Pkg() == nil || t.Obj().Exported() && !out
	case *types.Pointer:
		return nameable(t.Elem(), seen)
	case *types.Slice:
		return nameable(t.Elem(), seen)
	case *types.Array:
		return nameable(t.Elem(), seen)
	case *types.Chan:
		return nameable(t.Elem(), seen)
	case *types.Map:
		return nameable(t.Key(), seen) && nameable(t.Elem(), seen)
	case *types.Signature:
		for _, tuple := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range tuple.Variables() {
				if !nameable(v.Type(), seen) {
					return false
				}
			}
		}
	case *types.Struct:
		for f := range t.Fields() {
			if !f.Exported() || !nameable(f.Type(), seen) {
				return false
			}
		}
	case *types.Interface:
		return implementable(t)
	}
	return true
}

func pathOf(p *types.Package) string {
	if p == nil {
		return ""
	}
	return p.Path()
}
