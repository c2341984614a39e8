// Command facade writes the package ml: one generated file for each family package under mlstd. It
// fails if two families export the same name. It also fails if a family exports a generic type or
// function, except for functions that are written by hand in generic.go. Run it with "go generate"
// in mlstd. Notebook cells see the result after "go generate" in interp/symbols.
package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

const mlstd = "github.com/gokernel/gokernel/mlstd"

// modelOnly lists the names of package model that the facade omits, because only authors of
// algorithms and notebook sessions need them. The functions of package model are omitted for the
// same reason.
var modelOnly = map[string]bool{"Ambient": true, "Run": true}

// other maps names in families to their names in the facade, if the original name says too little
// or is taken. "" means that the facade omits the name because cells could not use it.
var other = map[string]string{
	"frame.New":          "NewFrame",
	"frame.Column":       "FrameColumn",
	"frame.Kind":         "FrameKind",
	"frame.Rows":         "", // generic; cells have RowsOf
	"frame.Parts":        "", // for packages that compute aggregates elsewhere
	"frame/read.Tabular": "", // the parameter of Write
	// Cells get lazy frames from a database, and need only the names of their types.
	"frame/lazy.Frame":        "LazyFrame",
	"frame/lazy.Column":       "LazyColumn",
	"frame/lazy.Groups":       "LazyGroups",
	"frame/lazy.Dataset":      "LazyDataset",
	"frame/lazy.New":          "",
	"frame/lazy.Engine":       "",
	"frame/lazy.Field":        "",
	"frame/lazy.Dialect":      "",
	"frame/lazy.DialectOf":    "",
	"frame/lazy.PostgreSQL":   "",
	"frame/lazy.MySQL":        "",
	"frame/lazy.SQLite":       "",
	"frame/lazy.Spark":        "",
	"frame/lazy.Trino":        "",
	"frame/lazy.ClickHouse":   "",
	"frame/lazy.Plan":         "",
	"frame/lazy.Fields":       "",
	"frame/lazy.Table":        "",
	"frame/lazy.Source":       "",
	"frame/lazy.Filter":       "",
	"frame/lazy.Project":      "",
	"frame/lazy.Grouped":      "",
	"frame/lazy.Joined":       "",
	"frame/lazy.Sorted":       "",
	"frame/lazy.Limited":      "",
	"frame/lazy.Distinct":     "",
	"frame/lazy.Runner":       "",
	"frame/lazy.FromSource":   "",
	"frame/lazy.Expr":         "",
	"frame/lazy.ExprOf":       "",
	"frame/lazy.Substitute":   "",
	"frame/lazy.Concatenated": "",
	"frame.AsOfLimit":         "",
	"frame/lazy.Apply":        "",
	"frame/lazy.Call":         "",
	"frame/lazy.Case":         "",
	"frame/lazy.Literal":      "",
	"frame/lazy.Named":        "",
	"frame/lazy.In":           "",
	"frame/lazy.Sum":          "",
	"frame/lazy.Function":     "",
}

// generate returns the facade's files by name. It makes them from the families found under dir, the
// directory of mlstd.
func generate(dir string) (map[string][]byte, error) {
	cfg := &packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo,
		Dir:  dir,
	}
	pkgs, err := packages.Load(cfg, "./...")
	if err != nil {
		return nil, err
	}
	slices.SortFunc(pkgs, func(a, b *packages.Package) int { return cmp.Compare(a.PkgPath, b.PkgPath) })
	files := map[string][]byte{}
	owner := map[string]string{} // for each name, the family that exports it
	for _, pkg := range pkgs {
		if pkg.PkgPath == mlstd {
			for _, name := range byHand(pkg) {
				owner[name] = hand
			}
		}
	}
	for _, pkg := range pkgs {
		family, ok := strings.CutPrefix(pkg.PkgPath, mlstd+"/")
		if !ok || family == "modeltest" || slices.Contains(strings.Split(family, "/"), "internal") {
			continue
		}
		if len(pkg.Errors) > 0 {
			return nil, fmt.Errorf("%s: %v", family, pkg.Errors[0])
		}
		f := &facade{pkg: pkg, family: family, imports: map[string]string{}, renamed: map[string]bool{}}
		f.docs, f.remarks = docs(pkg)
		src, err := f.file(owner)
		if err != nil {
			return nil, err
		}
		if src != nil {
			files["zz_"+strings.ReplaceAll(family, "/", "_")+".go"] = src
		}
	}
	return files, nil
}

// facade is the state of converting one family to a file of package ml.
type facade struct {
	pkg     *packages.Package
	family  string
	docs    map[string]string // comments above the declarations
	remarks map[string]string // comments after constants and variables
	imports map[string]string // import path to the name in the file
	renamed map[string]bool   // paths imported under another name than the package's own
}

// file returns the family's part of the facade, or nil if the family exports nothing.
func (f *facade) file(owner map[string]string) ([]byte, error) {
	var typ, con, vars, fun bytes.Buffer
	scope := f.pkg.Types.Scope()
	self := f.qualify(f.pkg.Types)
	for _, name := range scope.Names() {
		obj := scope.Lookup(name)
		if !obj.Exported() || f.family == "model" && modelOnly[name] {
			continue
		}
		if _, isFunc := obj.(*types.Func); isFunc && f.family == "model" {
			continue
		}
		as, doc := name, f.docs[name]
		if o, ok := other[f.family+"."+name]; ok {
			if o == "" {
				continue
			}
			as, doc = o, strings.Replace(doc, "// "+name+" ", "// "+o+" ", 1)
		}
		if fn, ok := obj.(*types.Func); ok && owner[as] == hand && fn.Signature().TypeParams().Len() > 0 {
			continue
		}
		if family, taken := owner[as]; taken {
			return nil, fmt.Errorf("%s.%s: %s.%s has the same name, and cells see both as ml.%s; rename one", f.family, name, family, name, as)
		}
		owner[as] = f.family
		switch obj := obj.(type) {
		case *types.TypeName:
			if generic(obj.Type()) {
				return nil, fmt.Errorf("%s.%s is an exported generic type or a constraint: cells cannot use it through a table; give it fixed types", f.family, name)
			}
			fmt.Fprintf(&typ, "%stype %s = %s.%s\n\n", doc, as, self, name)
		case *types.Const:
			fmt.Fprintf(&con, "%sconst %s = %s.%s %s\n\n", doc, as, self, name, f.remarks[name])
		case *types.Var:
			fmt.Fprintf(&vars, "%svar %s = %s.%s %s\n\n", doc, as, self, name, f.remarks[name])
		case *types.Func:
			if obj.Signature().TypeParams().Len() > 0 {
				return nil, fmt.Errorf("%s.%s is an exported generic function: cells cannot use it through a table; give it fixed types, or write it by hand in mlstd/generic.go", f.family, name)
			}
			fun.WriteString(doc)
			f.function(&fun, self, as, obj)
		}
	}
	if typ.Len()+con.Len()+vars.Len()+fun.Len() == 0 {
		return nil, nil
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "// Code generated by mlstd/internal/facade from package %s; DO NOT EDIT.\n\npackage ml\n\nimport (\n", f.family)
	for _, own := range []bool{false, true} {
		for _, p := range slices.Sorted(keys(f.imports)) {
			if strings.HasPrefix(p, mlstd) == own {
				if f.renamed[p] {
					fmt.Fprintf(&b, "%s ", f.imports[p])
				}
				fmt.Fprintf(&b, "%q\n", p)
			}
		}
		b.WriteString("\n")
	}
	b.WriteString(")\n\n")
	for _, part := range []*bytes.Buffer{&typ, &con, &vars, &fun} {
		b.Write(part.Bytes())
	}
	return format.Source(b.Bytes())
}

// hand is the family name for declarations that are written by hand in package ml.
const hand = "mlstd"

// byHand returns the names of the generic functions of package ml.
func byHand(pkg *packages.Package) []string {
	var names []string
	for _, file := range pkg.Syntax {
		for _, decl := range file.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Type.TypeParams != nil {
				names = append(names, fn.Name.Name)
			}
		}
	}
	return names
}

func keys(m map[string]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func generic(t types.Type) bool {
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

// qualify returns the name by which the facade's file refers to a package, and records the import.
// Packages with the same name are distinguished by a number.
func (f *facade) qualify(p *types.Package) string {
	if as, ok := f.imports[p.Path()]; ok {
		return as
	}
	as, n := p.Name(), 1
	for taken := true; taken; {
		taken = false
		for _, other := range f.imports {
			if other == as {
				n++
				as, taken = fmt.Sprint(p.Name(), n), true
				break
			}
		}
	}
	f.imports[p.Path()], f.renamed[p.Path()] = as, as != p.Name()
	return as
}

// function writes a function with the name as that calls the family's function.
func (f *facade) function(b *bytes.Buffer, self, as string, fn *types.Func) {
	sig := fn.Signature()
	var params, args []string
	for i := range sig.Params().Len() {
		v := sig.Params().At(i)
		name := v.Name()
		if name == "" || name == "_" || name == self {
			name = fmt.Sprint("arg", i+1)
		}
		typ, arg := types.TypeString(v.Type(), f.qualify), name
		if sig.Variadic() && i == sig.Params().Len()-1 {
			typ = "..." + types.TypeString(v.Type().(*types.Slice).Elem(), f.qualify)
			arg += "..."
		}
		params = append(params, name+" "+typ)
		args = append(args, arg)
	}
	var results []string
	named := true
	for i := range sig.Results().Len() {
		v := sig.Results().At(i)
		named = named && v.Name() != "" && v.Name() != "_" && v.Name() != self
		results = append(results, types.TypeString(v.Type(), f.qualify))
	}
	ret, result := "", ""
	if len(results) > 0 {
		ret = "return "
		if named {
			for i := range results {
				results[i] = sig.Results().At(i).Name() + " " + results[i]
			}
		}
		if result = strings.Join(results, ", "); named || len(results) > 1 {
			result = "(" + result + ")"
		}
	}
	fmt.Fprintf(b, "func %s(%s) %s {\n%s%s.%s(%s)\n}\n\n", as, strings.Join(params, ", "), result, ret, self, fn.Name(), strings.Join(args, ", "))
}

// docs returns, for each exported name, the first paragraph of its documentation as a comment. It
// also returns the trailing comments of constants and variables without documentation.
func docs(pkg *packages.Package) (d, remarks map[string]string) {
	d, remarks = map[string]string{}, map[string]string{}
	for _, file := range pkg.Syntax {
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if decl.Recv == nil {
					d[decl.Name.Name] = paragraph(decl.Doc)
				}
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						d[spec.Name.Name] = paragraph(spec.Doc, only(decl))
					case *ast.ValueSpec:
						for _, name := range spec.Names {
							d[name.Name] = paragraph(spec.Doc, only(decl))
							if d[name.Name] == "" {
								remarks[name.Name] = paragraph(spec.Comment)
							}
						}
					}
				}
			}
		}
	}
	return d, remarks
}

// only returns the comment of a declaration with a single specification.
func only(decl *ast.GenDecl) *ast.CommentGroup {
	if decl.Lparen == token.NoPos || len(decl.Specs) == 1 {
		return decl.Doc
	}
	return nil
}

// paragraph returns the first paragraph of the first comment that is not nil.
func paragraph(comments ...*ast.CommentGroup) string {
	for _, c := range comments {
		text := strings.TrimSpace(c.Text())
		if text == "" {
			continue
		}
		text, _, _ = strings.Cut(text, "\n\n")
		return "// " + strings.ReplaceAll(text, "\n", "\n// ") + "\n"
	}
	return ""
}
