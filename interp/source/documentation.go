package source

import (
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// entry is the declaration of a name of a package.
type entry struct {
	doc        *ast.CommentGroup
	start, end token.Pos
}

// index contains the declarations of a package: its names, and "Type.Member" for methods and
// fields. The empty name stands for the package comment.
type index struct {
	once    sync.Once
	entries map[string]entry
}

func (p *Package) lookup(name string) (entry, bool) {
	p.index.once.Do(func() {
		p.index.entries = map[string]entry{}
		for _, f := range p.Files {
			if e := p.index.entries[""]; f.Doc != nil && (e.doc == nil || f.Doc.End()-f.Doc.Pos() > e.end-e.start) {
				p.index.entries[""] = entry{f.Doc, f.Doc.Pos(), f.Doc.End()}
			}
			for _, d := range f.Decls {
				p.addDecl(d)
			}
		}
	})
	e, ok := p.index.entries[name]
	return e, ok
}

func (p *Package) addDecl(d ast.Decl) {
	add := func(name string, doc *ast.CommentGroup, n ast.Node) {
		p.index.entries[name] = entry{doc, n.Pos(), n.End()}
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		name := d.Name.Name
		if d.Recv != nil && len(d.Recv.List) > 0 {
			name = baseName(d.Recv.List[0].Type) + "." + name
		}
		add(name, d.Doc, d)
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				doc, node := s.Doc, ast.Node(s)
				if doc == nil && !d.Lparen.IsValid() {
					doc, node = d.Doc, d
				}
				add(s.Name.Name, doc, node)
				p.addMembers(s, add)
			case *ast.ValueSpec:
				doc, node := s.Doc, ast.Node(s)
				switch {
				case doc == nil && s.Comment != nil:
					doc = s.Comment
				case doc == nil:
					doc = d.Doc
				}
				if !d.Lparen.IsValid() {
					node = d
				}
				for _, id := range s.Names {
					add(id.Name, doc, node)
				}
			}
		}
	}
}

// addMembers adds the fields of a struct type and the methods of an interface.
func (p *Package) addMembers(s *ast.TypeSpec, add func(name string, doc *ast.CommentGroup, n ast.Node)) {
	var fields *ast.FieldList
	switch t := s.Type.(type) {
	case *ast.StructType:
		fields = t.Fields
	case *ast.InterfaceType:
		fields = t.Methods
	}
	if fields == nil {
		return
	}
	for _, f := range fields.List {
		doc := f.Doc
		if doc == nil {
			doc = f.Comment
		}
		for _, id := range f.Names {
			add(s.Name.Name+"."+id.Name, doc, f)
		}
	}
}

// baseName returns the name of a receiver's type.
func baseName(x ast.Expr) string {
	for {
		switch t := x.(type) {
		case *ast.StarExpr:
			x = t.X
		case *ast.ParenExpr:
			x = t.X
		case *ast.IndexExpr:
			x = t.X
		case *ast.IndexListExpr:
			x = t.X
		case *ast.Ident:
			return t.Name
		default:
			return ""
		}
	}
}

// Doc returns the doc comment of a name such as "F" or "Type.Member", or the package comment if the
// name is "".
func (p *Package) Doc(name string) string {
	e, _ := p.lookup(name)
	return e.doc.Text() // Text also works if doc is nil
}

// Code returns the text of a name's declaration, and its file and line.
func (p *Package) Code(name string) (text, pos string) {
	e, ok := p.lookup(name)
	if !ok || name == "" {
		return "", ""
	}
	f := p.Fset.File(e.start)
	at := f.Position(e.start)
	data, err := os.ReadFile(filepath.Join(p.Place.Dir, filepath.Base(at.Filename)))
	if from, to := f.Offset(e.start), f.Offset(e.end); err == nil && to <= len(data) {
		text = string(data[from:to])
	}
	return text, filepath.Base(at.Filename) + at.String()[len(at.Filename):strings.LastIndexByte(at.String(), ':')]
}
