package pipeline

import (
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"os"
	"strings"

	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/embedded"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// Variables with a //go:embed directive contain files, which are read when the cell is compiled.
// The engine does not handle the directive: the variables are set before the cell runs.

const embedDirective = "//go:embed"

// embedding is a variable with a directive.
type embedding struct {
	pos, end token.Pos // position of the directive
	patterns []string
	name     *ast.Ident
	v        *types.Var // known when the cell has been checked
	files    []embedded.File
}

// findEmbeds finds the directives of a cell and their variables.
func (c *Compiler) findEmbeds(p *Program) *evaluator.Error {
	if !strings.Contains(p.Src.Text, embedDirective) {
		return nil
	}
	specs := map[token.Pos]*ast.ValueSpec{}
	for _, d := range p.Cell.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, s := range g.Specs {
			specs[s.Pos()] = s.(*ast.ValueSpec)
		}
		if !g.Lparen.IsValid() && len(g.Specs) == 1 {
			specs[g.Pos()] = g.Specs[0].(*ast.ValueSpec)
		}
	}
	var errs []check.Error
	for _, d := range directives(p.Src.Text, embedDirective, p.Src.Base) {
		fail := func(msg, hint string) {
			errs = append(errs, check.Error{Pos: d.pos, End: d.end, Msg: msg, Hint: hint})
		}
		spec := specs[d.next]
		patterns, err := embedded.Patterns(d.text)
		switch {
		case spec == nil:
			fail("misplaced go:embed directive", "write it directly before a variable of the cell: var s string")
		case len(spec.Names) != 1:
			fail("go:embed cannot apply to multiple vars", "declare one variable below each directive")
		case len(spec.Values) > 0:
			fail("go:embed cannot apply to var with initializer", "var "+spec.Names[0].Name+" string gets the content of the file")
		case spec.Type == nil:
			fail("go:embed cannot apply to var without type", "")
		case err != nil:
			fail("go:embed: "+err.Error(), "")
		default:
			p.addEmbedding(embedding{pos: d.pos, end: d.end, patterns: patterns, name: spec.Names[0]})
		}
	}
	if len(errs) > 0 {
		return c.Advice.Present(p.Src, errs, nil)
	}
	return nil
}

// addEmbedding adds a directive; it merges several directives before one variable.
func (p *Program) addEmbedding(e embedding) {
	for i := range p.embeds {
		if p.embeds[i].name == e.name {
			p.embeds[i].patterns = append(p.embeds[i].patterns, e.patterns...)
			return
		}
	}
	p.embeds = append(p.embeds, e)
}

// directive is a comment like //go:embed at the start of a line.
type directive struct {
	pos, end, next token.Pos // next is the position of the token after the comments
	text           string
}

// directives finds the directives with the given name in the text of a cell.
func directives(text, name string, base token.Pos) []directive {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", int(base), len(text))
	s.Init(file, []byte(text), func(token.Position, string) {}, scanner.ScanComments)
	var list []directive
	open := 0 // the first directive that waits for its token
	for {
		pos, tok, lit := s.Scan()
		if tok == token.COMMENT || tok == token.SEMICOLON && lit == "\n" {
			rest, ok := strings.CutPrefix(lit, name)
			at := int(pos - base)
			line := text[strings.LastIndexByte(text[:at], '\n')+1 : at]
			if ok && (rest == "" || rest[0] == ' ' || rest[0] == '\t') && strings.TrimSpace(line) == "" {
				list = append(list, directive{pos: pos, end: pos + token.Pos(len(lit)), text: rest})
			}
			continue
		}
		for ; open < len(list); open++ {
			list[open].next = pos
		}
		if tok == token.EOF {
			return list
		}
	}
}

// readEmbeds reads the files of the directives once the types are known.
func (c *Compiler) readEmbeds(p *Program) *evaluator.Error {
	for i := range p.embeds {
		e := &p.embeds[i]
		e.v, _ = p.checked.Info.Defs[e.name].(*types.Var)
		fail := func(msg, hint string) *evaluator.Error {
			return c.Advice.Present(p.Src, []check.Error{{Pos: e.pos, End: e.end, Msg: msg, Hint: hint}}, nil)
		}
		if e.v == nil {
			return fail("misplaced go:embed directive", "write it directly before a variable of the cell: var s string")
		}
		if !embedded.Takes(e.v.Type()) {
			return fail("go:embed cannot apply to var of type "+types.TypeString(e.v.Type(), (*types.Package).Name), "its type must be string, []byte or embed.FS")
		}
		dir := c.Sources.Dir
		if dir == "" {
			var err error
			if dir, err = os.Getwd(); err != nil { // a cell may have changed the directory
				return fail("go:embed: "+err.Error(), "")
			}
		}
		var err error
		if e.files, err = embedded.Read(dir, e.patterns); err != nil {
			return fail("go:embed: "+err.Error(), "paths are relative to the notebook's folder, or to the folder of the last os.Chdir")
		}
		if len(e.files) > 1 && !embedded.IsFS(e.v.Type()) {
			return fail("invalid go:embed: multiple files for type "+types.TypeString(e.v.Type(), (*types.Package).Name), "embed.FS holds several files")
		}
	}
	return nil
}

// setEmbeds sets the variables to the contents of their files.
func (c *Compiler) setEmbeds(p *Program) error {
	for _, e := range p.embeds {
		if e.v.Name() == "_" {
			continue // the file is read, as Go does, but no code can refer to the variable
		}
		v, err := c.engineVar(e.v)
		if err != nil {
			return err
		}
		if err := embedded.Set(v, e.files); err != nil {
			return err
		}
	}
	return nil
}
