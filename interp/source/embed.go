package source

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"strings"

	"github.com/gokernel/gokernel/interp/embedded"
	"github.com/gokernel/gokernel/interp/engine"
)

// embed reads the files that the package's //go:embed directives name.
func (p *Package) embed() error {
	for _, f := range p.Files {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, s := range g.Specs {
				v := s.(*ast.ValueSpec)
				doc := v.Doc
				if doc == nil && !g.Lparen.IsValid() {
					doc = g.Doc
				}
				if err := p.embedVar(v, doc); err != nil {
					return fmt.Errorf("package %s: %s: go:embed: %w", p.Place.Path, p.Fset.Position(v.Pos()), err)
				}
			}
		}
	}
	return nil
}

func (p *Package) embedVar(v *ast.ValueSpec, doc *ast.CommentGroup) error {
	var patterns []string
	if doc == nil {
		return nil
	}
	for _, c := range doc.List {
		rest, ok := strings.CutPrefix(c.Text, "//go:embed ")
		if !ok {
			continue
		}
		list, err := embedded.Patterns(rest)
		if err != nil {
			return err
		}
		patterns = append(patterns, list...)
	}
	if patterns == nil {
		return nil
	}
	if len(v.Names) != 1 || len(v.Values) > 0 {
		return fmt.Errorf("the directive must be on a declaration of one variable without an initial value")
	}
	obj, ok := p.Info.Defs[v.Names[0]].(*types.Var)
	if !ok || !embedded.Takes(obj.Type()) {
		return fmt.Errorf("the variable %s must be a string, []byte or embed.FS", v.Names[0].Name)
	}
	files, err := embedded.Read(p.Place.Dir, patterns)
	if err != nil {
		return err
	}
	p.Preset = append(p.Preset, engine.Preset{Var: obj, Set: func(to reflect.Value) error { return embedded.Set(to, files) }})
	return nil
}
