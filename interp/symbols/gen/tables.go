package main

import (
	"bytes"
	"fmt"
	"go/format"
	"go/types"
	"path"
	"strings"
)

// symbolTable contains the exports of a package by their kind at run time.
type symbolTable struct {
	path, name       string
	values           []value
	consts, generics []string
}

// value is a function, variable or type.
type value struct {
	name string
	kind byte // 'f', 'v', 't'
}

// tabulate classifies the exported names of a package.
func tabulate(pkg *types.Package) (*symbolTable, error) {
	t := &symbolTable{path: pkg.Path(), name: pkg.Name()}
	scope := pkg.Scope()
	for _, name := range scope.Names() {
		obj := scope.Lookup(name)
		if !obj.Exported() {
			continue
		}
		generic := false
		switch obj := obj.(type) {
		case *types.Builtin:
			generic = true
		case *types.Const:
			t.consts = append(t.consts, name)
		case *types.Var:
			t.values = append(t.values, value{name, 'v'})
		case *types.Func:
			if generic = obj.Signature().TypeParams().Len() > 0; !generic {
				t.values = append(t.values, value{name, 'f'})
			}
		case *types.TypeName:
			if generic = compileTimeOnly(obj.Type()); !generic {
				t.values = append(t.values, value{name, 't'})
			}
		default:
			return nil, fmt.Errorf("%s.%s: unknown kind of object %T", t.path, name, obj)
		}
		if generic {
			t.generics = append(t.generics, name)
		}
	}
	return t, nil
}

// compileTimeOnly reports whether no value can have the type, because it is generic or a
// constraint.
func compileTimeOnly(t types.Type) bool {
	switch t := t.(type) {
	case *types.Alias:
		if t.TypeParams().Len() > 0 {
			return true
		}
	case *types.Named:
		if t.TypeParams().Len() > t.TypeArgs().Len() {
			return true
		}
	}
	i, ok := t.Underlying().(*types.Interface)
	return ok && !i.IsMethodSet()
}

// entry writes the row of a table; as is the name under which the package is imported.
func (t *symbolTable) entry(as string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "{Path: %q, Name: %q,\n", t.path, t.name)
	list := func(field string, names []string) {
		if len(names) > 0 {
			fmt.Fprintf(&b, "%s: %q,\n", field, strings.Join(names, "\n"))
		}
	}
	var names []string
	for _, v := range t.values {
		names = append(names, v.name)
	}
	list("Symbols", names)
	list("Consts", t.consts)
	list("Generics", t.generics)
	if len(t.values) > 0 {
		b.WriteString("Values: []any{\n")
		for _, v := range t.values {
			switch v.kind {
			case 'f':
				fmt.Fprintf(&b, "%s.%s,\n", as, v.name)
			case 'v':
				fmt.Fprintf(&b, "&%s.%s,\n", as, v.name)
			case 't':
				fmt.Fprintf(&b, "(*%s.%s)(nil),\n", as, v.name)
			}
		}
		b.WriteString("},\n")
	}
	b.WriteString("},\n")
	return b.String()
}

// head is the text around the tables in a file.
type head struct {
	constraint       string
	pkg, doc         string
	variable, varDoc string
	constant         [2]string // comment and value of Version, if any
	embeds           bytes.Buffer
	embedsFS         bool
}

// embed adds a variable that embeds files.
func (h *head) embed(name, typ, doc, files string) {
	fmt.Fprintf(&h.embeds, "// %s is the %s.\n//\n//go:embed %s\nvar %s %s\n\n", name, doc, files, name, typ)
	h.embedsFS = h.embedsFS || typ == "embed.FS"
}

// file writes the Go file that declares the variable with the tables.
func (h *head) file(tables []*symbolTable) ([]byte, error) {
	var imports, body bytes.Buffer
	taken := map[string]bool{"table": true, "embed": true}
	for _, t := range tables {
		as := path.Base(t.path)
		as = strings.NewReplacer(".", "", "-", "").Replace(as)
		if t.name != "" && as != t.name {
			as = t.name
		}
		for base, n := as, 2; taken[as]; n++ {
			as = fmt.Sprint(base, n)
		}
		if len(t.values) == 0 {
			as = "_"
		} else {
			taken[as] = true
		}
		fmt.Fprintf(&imports, "%s %q\n", as, t.path)
		body.WriteString(t.entry(as))
	}
	var b bytes.Buffer
	if h.constraint != "" {
		fmt.Fprintf(&b, "//go:build %s\n\n", h.constraint)
	}
	b.WriteString(header)
	b.WriteString("//lint:file-ignore SA1019 cells may use what is deprecated\n\n")
	if h.doc != "" {
		fmt.Fprintf(&b, "// Package %s %s\n", h.pkg, h.doc)
	}
	fmt.Fprintf(&b, "package %s\n\nimport (\n", h.pkg)
	if h.embedsFS {
		b.WriteString("\"embed\"\n\n")
	} else {
		b.WriteString("_ \"embed\" // for the data\n\n")
	}
	fmt.Fprintf(&b, "%q\n\n%s)\n\n", module+"/interp/symbols/table", imports.Bytes())
	if h.constant[0] != "" {
		fmt.Fprintf(&b, "// %s\nconst Version = %q\n\n", h.constant[0], h.constant[1])
	}
	b.Write(h.embeds.Bytes())
	fmt.Fprintf(&b, "// %s %s\nvar %s = [...]table.Package{\n%s}\n", h.variable, h.varDoc, h.variable, body.Bytes())
	return format.Source(b.Bytes())
}
