package split

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"
)

// Cell is the parsed text of a cell.
type Cell struct {
	Src  string
	Base token.Pos // the position of the first byte of Src
	// Whole is the magic that takes the rest of the cell as its text (%%bash); the cell then has no
	// other parts. For %%time, see Prefix.
	Whole *Magic
	// Lines contains the magics on lines of their own, in order.
	Lines []*Magic

	Imports []*ast.ImportSpec
	// Decls contains functions, methods, types and constants, and the variables that are declared
	// before the first statement.
	Decls []ast.Decl
	// Stmts contains the statements, including later variable declarations.
	Stmts []ast.Stmt
	// Values contains the expressions of a last statement that lists several. Each is also in
	// Stmts.
	Values []*ast.ExprStmt
	// Comments contains the comments of the declarations, for their documentation.
	Comments []*ast.CommentGroup
	// Hidden reports whether the last statement ends in an explicit semicolon.
	Hidden bool
}

// Magic is a line that begins with %, %% or !, or that requests documentation with ?.
type Magic struct {
	Pos  token.Pos
	Text string // the line as written, without surrounding space
	Name string // "time", "bash", "!", "?" or "??"
	Args string // the text after the name
	// Options contains the options before the code of a %timeit: "-n 10 -r 3".
	Options string
	Body    string // the rest of the cell of a %% magic
	// Code reports whether Args is Go code. The code is then a block in Stmts at position ArgsPos.
	Code    bool
	ArgsPos token.Pos
	// Stmt is the statement in Stmts that represents the magic: an empty statement, or the block of
	// its code.
	Stmt ast.Stmt
}

// Error is an error in the text of a cell.
type Error struct {
	Pos  token.Pos
	Msg  string
	Hint string
}

// CodeMagics are the line magics whose argument is Go code.
var CodeMagics = map[string]bool{"time": true, "timeit": true, "prun": true}

// CodeCellMagics are the cell magics whose body is Go code.
var CodeCellMagics = map[string]bool{"time": true, "timeit": true, "prun": true}

// Reserve adds a file with the given name and text to fset and returns it. The gap that it leaves
// before the file is needed for parsing.
func Reserve(fset *token.FileSet, name, src string) *token.File {
	f := fset.AddFile(name, fset.Base()+gap, len(src))
	f.SetLinesForContent([]byte(src))
	return f
}

const (
	filePrefix = "package main;"
	bodyPrefix = "package main;func _(){"
	gap        = len(bodyPrefix) + 1
)

// Parse parses the text of the cell at position base. If there are errors, the cell contains the
// parts that could be parsed.
func Parse(src string, base token.Pos) (*Cell, []Error) {
	c := &Cell{Src: src, Base: base}
	text := []byte(src)
	if c.wholeMagic(text) {
		return c, nil
	}
	toks := c.lineMagics(text)
	if errs := lexical(text, base); len(errs) > 0 {
		return c, errs
	}
	if err := balance(text, toks, base); err != nil {
		return c, []Error{*err}
	}
	chunks := chunk(toks, src)

	var errs []Error
	if text := mask(text, chunks, packageChunk); len(chunks) > 0 {
		errs = append(errs, packageClauses(text, chunks, toks, base)...)
	}
	if has(chunks, importChunk) {
		f, e := c.parse(filePrefix, mask(text, chunks, importChunk), "", parser.ImportsOnly)
		errs = append(errs, e...)
		c.Imports = f.Imports
	}
	if has(chunks, declChunk) {
		f, e := c.parse(filePrefix, mask(text, chunks, declChunk), "", parser.ParseComments)
		errs = append(errs, e...)
		c.Decls, c.Comments = f.Decls, f.Comments
	}
	if has(chunks, stmtChunk) || len(c.Lines) > 0 {
		body := mask(text, chunks, stmtChunk)
		listed := c.values(body, chunks, toks)
		if !listed {
			errs = append(errs, c.statements(body)...)
		}
		c.dropEmpty()
	}
	if n := len(chunks); n > 0 {
		last := chunks[n-1]
		c.Hidden = last.kind == stmtChunk && toks[last.last].tok == token.SEMICOLON && toks[last.last].lit == ";"
	}
	c.placeMagics()
	return c, errs
}

// statements parses the statements of the cell.
func (c *Cell) statements(text []byte) []Error {
	f, errs := c.parse(bodyPrefix, text, "\n}", 0)
	c.Stmts = nil
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
			c.Stmts = append(c.Stmts, fn.Body.List...)
		}
	}
	return errs
}

// values parses the statements of a cell that ends in several values separated by commas, as if
// each value were a statement. It reports whether the cell ends so.
func (c *Cell) values(text []byte, chunks []chunkSpan, toks []tokenSpan) bool {
	last := len(chunks) - 1
	for last >= 0 && (chunks[last].kind != stmtChunk || chunks[last].first == chunks[last].last && toks[chunks[last].first].tok == token.SEMICOLON) {
		last--
	}
	if last < 0 {
		return false
	}
	commas := listCommas(toks[chunks[last].first : chunks[last].last+1])
	if len(commas) == 0 {
		return false
	}
	text = append([]byte(nil), text...)
	for _, at := range commas {
		text[at] = ';'
	}
	if len(c.statements(text)) > 0 {
		return false
	}
	start := c.Base + token.Pos(chunks[last].start)
	for _, s := range c.Stmts {
		if s.Pos() < start {
			continue
		}
		e, ok := s.(*ast.ExprStmt)
		if _, empty := s.(*ast.EmptyStmt); empty {
			continue
		}
		if !ok {
			c.Values = nil
			return false
		}
		c.Values = append(c.Values, e)
	}
	return true
}

// listCommas returns the positions of the commas between the expressions of a statement, or none
// for a statement of another kind.
func listCommas(toks []tokenSpan) []int {
	var commas []int
	depth := 0
	for _, t := range toks {
		switch {
		case opens(t.tok):
			depth++
		case closes(t.tok):
			depth--
		case depth > 0:
		case t.tok == token.COMMA:
			commas = append(commas, t.start)
		case t.tok.IsKeyword() && t.tok != token.FUNC && t.tok != token.MAP && t.tok != token.STRUCT && t.tok != token.CHAN && t.tok != token.INTERFACE,
			t.tok == token.ASSIGN, t.tok == token.DEFINE, t.tok == token.COLON, t.tok >= token.ADD_ASSIGN && t.tok <= token.AND_NOT_ASSIGN:
			return nil
		}
	}
	return commas
}

// parse parses prefix+text+suffix so that positions in text are positions in the cell.
func (c *Cell) parse(prefix string, text []byte, suffix string, mode parser.Mode) (*ast.File, []Error) {
	fset := token.NewFileSet()
	if pad := int(c.Base) - len(prefix) - 1; pad > 0 {
		fset.AddFile("", 1, pad-1)
	}
	src := prefix + string(text) + suffix
	f, err := parser.ParseFile(fset, "", src, mode|parser.SkipObjectResolution|parser.AllErrors)
	if f == nil {
		f = &ast.File{}
	}
	var errs []Error
	if list, ok := err.(scanner.ErrorList); ok {
		lastLine := 0
		for _, e := range list {
			off := min(max(e.Pos.Offset-len(prefix), 0), len(c.Src))
			// Report one error per line: later errors on a line often follow from the first.
			line := 1 + strings.Count(c.Src[:off], "\n")
			if line == lastLine || len(errs) > 0 && strings.HasSuffix(e.Msg, "found 'EOF'") {
				continue
			}
			errs = append(errs, syntaxError(c.Base+token.Pos(off), e.Msg, c.Src[:off], c.Src[off:]))
			lastLine = line
		}
	}
	return f, errs
}

// dropEmpty removes the empty statements that semicolons leave, except labeled ones.
func (c *Cell) dropEmpty() {
	kept := c.Stmts[:0]
	for _, s := range c.Stmts {
		if _, ok := s.(*ast.EmptyStmt); !ok {
			kept = append(kept, s)
		}
	}
	c.Stmts = kept
}

func packageClauses(text []byte, chunks []chunkSpan, toks []tokenSpan, base token.Pos) []Error {
	for _, ch := range chunks {
		if ch.kind != packageChunk {
			continue
		}
		if ch.first+1 > ch.last || toks[ch.first+1].tok != token.IDENT {
			return []Error{{Pos: base + token.Pos(ch.start), Msg: "a package clause needs a name", Hint: "a cell needs no package clause"}}
		}
		if name := toks[ch.first+1].lit; name != "main" {
			return []Error{{Pos: base + token.Pos(toks[ch.first+1].start), Msg: "a cell cannot be package " + name, Hint: "leave the package clause out: cells are package main"}}
		}
	}
	return nil
}
