package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"github.com/gokernel/gokernel/interp/symbols/table"
)

// An outline of a package is the part that cells can see. Unexported fields have types of the same
// size and comparability without references. Unexported methods are omitted unless an interface may
// require them. The export data of an outline is much smaller, and does not change if only the
// implementation of a package changes.

// outline returns the outline of a checked package.
func outline(conf *types.Config, fset *token.FileSet, s *source, info *types.Info) (*types.Package, error) {
	restore := outlined(s.Path(), s.files, info, conf.Sizes)
	defer restore()
	// Imports may now be unused, and values do not have the types of their fields.
	conf.Error = func(error) {}
	out, _ := conf.Check(s.Path(), fset, s.files, nil)
	out.MarkComplete()
	for _, name := range s.Scope().Names() {
		if want := s.Scope().Lookup(name); want.Exported() {
			got := out.Scope().Lookup(name)
			if got == nil || types.ObjectString(got, brief) != types.ObjectString(want, brief) && !isStruct(want) {
				return nil, fmt.Errorf("the outline has %v for %v", got, want)
			}
		}
	}
	return out, nil
}

func brief(p *types.Package) string { return p.Path() }

func isStruct(o types.Object) bool {
	_, ok := o.Type().Underlying().(*types.Struct)
	_, isType := o.(*types.TypeName)
	return ok && isType
}

// outlined changes the files until restore is called.
func outlined(path string, files []*ast.File, info *types.Info, sizes types.Sizes) (restore func()) {
	var undo []func()
	asked := askedFor(files)
	for _, f := range files {
		decls := f.Decls
		undo = append(undo, func() { f.Decls = decls })
		f.Decls = nil
		for _, d := range decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv != nil && !d.Name.IsExported() && !asked[d.Name.Name] {
					continue
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					spec, ok := spec.(*ast.TypeSpec)
					if !ok || spec.TypeParams != nil {
						continue
					}
					if st, ok := spec.Type.(*ast.StructType); ok {
						undo = append(undo, hide(path+" "+spec.Name.Name, st, info, sizes)...)
					}
				}
			}
			f.Decls = append(f.Decls, d)
		}
	}
	return func() {
		for _, u := range undo {
			u()
		}
	}
}

// askedFor returns the unexported method names of interfaces.
func askedFor(files []*ast.File) map[string]bool {
	names := map[string]bool{}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if it, ok := n.(*ast.InterfaceType); ok {
				for _, m := range it.Methods.List {
					for _, name := range m.Names {
						names[name.Name] = true
					}
				}
			}
			return true
		})
	}
	return names
}

// hide changes the types of a struct's unexported fields. Their tags tell the engine where to find
// the original types.
func hide(owner string, st *ast.StructType, info *types.Info, sizes types.Sizes) (undo []func()) {
	index := 0
	for _, f := range st.Fields.List {
		at := index
		index += max(len(f.Names), 1)
		if len(f.Names) != 1 || f.Names[0].IsExported() || f.Names[0].Name == "_" {
			continue
		}
		t := info.TypeOf(f.Type)
		if t == nil || sizes.Sizeof(t) == 0 {
			continue
		}
		if _, basic := t.(*types.Basic); basic {
			continue
		}
		old := f.Type
		undo = append(undo, func() { f.Type = old })
		f.Type = hidden(owner+" "+strconv.Itoa(at), types.Comparable(t), sizes.Sizeof(t), sizes.Alignof(t))
	}
	return undo
}

// hidden returns the type that replaces another: struct{ _ [0]int; _ [size]uint64 } with a tag that
// [table.Hidden] reads, or [0]func() if the type is not comparable.
func hidden(where string, comparable bool, size, align int64) ast.Expr {
	blank := func(t ast.Expr, tag string) *ast.Field {
		f := &ast.Field{Names: []*ast.Ident{ast.NewIdent("_")}, Type: t}
		if tag != "" {
			f.Tag = &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(tag)}
		}
		return f
	}
	array := func(n int64, elem ast.Expr) ast.Expr {
		return &ast.ArrayType{Len: &ast.BasicLit{Kind: token.INT, Value: strconv.FormatInt(n, 10)}, Elt: elem}
	}
	var mark ast.Expr = ast.NewIdent("int8")
	if !comparable {
		mark = &ast.FuncType{Params: &ast.FieldList{}}
		// A func has the alignment of a word, as has every incomparable type.
	}
	word := ast.NewIdent("uint" + strconv.FormatInt(8*align, 10))
	return &ast.StructType{Fields: &ast.FieldList{List: []*ast.Field{
		blank(array(0, mark), table.HiddenTag+where), blank(array(size/align, word), ""),
	}}}
}
