package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/doc"
	"go/printer"
	"go/token"
	"path"
	"strings"
)

// docEntry is the documentation of one name; package symbols reads it.
type docEntry struct {
	Doc    string `json:"d,omitempty"`
	Pos    string `json:"p,omitempty"` // file and line below the package's directory
	Source string `json:"s,omitempty"` // only for packages of this module
	Family string `json:"f,omitempty"` // subpackage of mlstd with the entry
	Line   string `json:"l,omitempty"` // with a subpackage: the first sentence
}

// documentation returns the entries of a package's files: "" for the package, "Name", and
// "Type.Member" for methods and fields.
func documentation(fset *token.FileSet, files []*ast.File, withSource bool) map[string]docEntry {
	d := &documenter{fset: fset, withSource: withSource, all: len(files) == 1 && files[0].Name.Name == "builtin", entries: map[string]docEntry{}}
	for _, f := range files {
		if text := f.Doc.Text(); text != "" {
			d.entries[""] = docEntry{Doc: d.entries[""].Doc + text}
		}
		for _, decl := range f.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				name := decl.Name.Name
				if decl.Recv != nil {
					name = receiver(decl.Recv.List[0].Type) + "." + name
				}
				d.add(name, decl, decl, decl.Doc)
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					d.spec(decl, spec)
				}
			}
		}
	}
	return d.entries
}

type documenter struct {
	fset       *token.FileSet
	withSource bool
	all        bool // whether to include unexported names
	entries    map[string]docEntry
}

// add adds a name if it and its type are exported. All names of package builtin count as exported.
func (d *documenter) add(name string, at, source ast.Node, comments ...*ast.CommentGroup) {
	for part := range strings.SplitSeq(name, ".") {
		if !ast.IsExported(part) && !d.all {
			return
		}
	}
	e := docEntry{}
	for _, c := range comments {
		if e.Doc = c.Text(); e.Doc != "" {
			break
		}
	}
	p := d.fset.Position(at.Pos())
	e.Pos = fmt.Sprintf("%s:%d", path.Base(p.Filename), p.Line)
	if d.withSource && source != nil {
		var b bytes.Buffer
		if printer.Fprint(&b, d.fset, undocumented(source)) == nil {
			e.Source = b.String()
		}
	}
	d.entries[name] = e
}

func (d *documenter) spec(decl *ast.GenDecl, spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		d.add(spec.Name.Name, spec, spec, spec.Doc, decl.Doc, spec.Comment)
		switch t := spec.Type.(type) {
		case *ast.StructType:
			d.members(spec.Name.Name, t.Fields)
		case *ast.InterfaceType:
			d.members(spec.Name.Name, t.Methods)
		}
	case *ast.ValueSpec:
		for _, name := range spec.Names {
			d.add(name.Name, name, nil, spec.Doc, spec.Comment, decl.Doc)
		}
	}
}

func (d *documenter) members(typ string, fields *ast.FieldList) {
	for _, f := range fields.List {
		for _, name := range f.Names {
			d.add(typ+"."+name.Name, name, nil, f.Doc, f.Comment)
		}
	}
}

// receiver returns the name of a receiver's type.
func receiver(t ast.Expr) string {
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// docs writes the archive of the group's documentation. For exports of the facade of mlstd, it
// names the subpackage with the documentation.
func (g *group) docs(l *loader, w *world, files map[string][]byte) error {
	all := map[string]map[string]docEntry{}
	for _, p := range w.paths {
		s := w.packages[p]
		all[p] = documentation(l.fset, s.files, own(p))
	}
	if g.name == "std" {
		// go/types has no source for these packages.
		for _, p := range []string{"builtin", "unsafe"} {
			f, err := l.parse(p, l.goroot+"/src/"+p+"/"+p+".go")
			if err != nil {
				return err
			}
			all[p] = documentation(l.fset, []*ast.File{f}, false)
		}
	}
	if facade := all[module+"/mlstd"]; facade != nil {
		for name, e := range facade {
			// Two subpackages may have a name that the facade exports once: each file of the facade
			// belongs to one subpackage.
			file, _, _ := strings.Cut(e.Pos, ":")
			family := strings.TrimSuffix(strings.TrimPrefix(file, "zz_"), ".go")
			if e, ok := all[module+"/mlstd/"+family][name]; ok {
				facade[name] = docEntry{Family: family, Line: new(doc.Package).Synopsis(e.Doc)}
			}
		}
	}
	contents := map[string][]byte{}
	for p, entries := range all {
		b, err := json.Marshal(entries)
		if err != nil {
			return err
		}
		contents[p] = b
	}
	if g.name == "library" {
		return each(contents, g.data(l), ".docs", files)
	}
	var err error
	files[g.data(l)+"/docs.zip"], err = archive(contents)
	return err
}
