package draft

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/interp/scope"
)

// Action is a change of a cell that an editor can offer.
type Action struct {
	Title   string
	Kind    string   // "quickfix", "refactor.rewrite" or "source"
	Finding *Finding // the finding that a quick fix repairs
	Edits   []Edit
}

// Actions lists the changes that an editor can offer for a range of a cell. They fix errors and
// warnings in the range, import packages that it names, or add the missing fields of a struct
// literal.
func (n *Notebook) Actions(id string, start, end int) []Action {
	n.mu.Lock()
	defer n.mu.Unlock()
	c, i := n.at(id, true)
	if c == nil {
		return nil
	}
	var list []Action
	for _, f := range c.findings {
		if f.undeclared && f.Start <= end && start <= f.End {
			list = append(list, n.importsFor(i, f)...)
		}
		if len(f.Fix) > 0 && f.Start <= end && start <= f.End {
			title := f.Hint
			if title == "" {
				title = "Fix: " + f.Message
			}
			list = append(list, Action{Title: title, Kind: "quickfix", Finding: &f, Edits: f.Fix})
		}
	}
	if r := c.checked(); r != nil && c.current {
		list = append(list, c.imports(r.Info, start, end)...)
		if a, ok := c.fillStruct(r.Files[0], r.Info, r.Package, start, end); ok {
			list = append(list, a)
		}
	}
	return list
}

// importsFor returns actions for a finding about an undeclared name. The actions import the
// packages of required modules that have this name.
func (n *Notebook) importsFor(i int, f Finding) (list []Action) {
	s, c := n.sourceWithModules(i), n.cells[i]
	if s.Named == nil {
		return nil
	}
	for _, p := range s.Modules() {
		if p.Name == c.Text[f.Start:f.End] {
			path := strconv.Quote(p.Path)
			list = append(list, Action{Title: "Import " + path, Kind: "quickfix", Finding: &f, Edits: []Edit{importEdit(c.Text, path)}})
		}
	}
	return list
}

// imports returns actions that write import declarations. They import packages that the range
// names, although cells see these packages without an import.
func (c *cell) imports(info *types.Info, start, end int) []Action {
	written := map[string]bool{}
	for _, s := range c.program.Cell.Imports {
		written[s.Path.Value] = true
	}
	var list []Action
	for _, m := range c.mentions() {
		p, ok := m.obj.(*types.PkgName)
		if !ok || m.End < start || end < m.Start {
			continue
		}
		path := strconv.Quote(p.Imported().Path())
		if written[path] {
			continue
		}
		written[path] = true
		if p.Name() != p.Imported().Name() {
			path = p.Name() + " " + path
		}
		list = append(list, Action{Title: "Import " + path, Kind: "source", Edits: []Edit{importEdit(c.Text, path)}})
	}
	return list
}

// importEdit returns the edit of a cell's text that adds an import declaration for a quoted path,
// which a name may precede. The declaration is the first line below a magic of the whole cell and a
// package clause.
func importEdit(text, path string) Edit {
	at := 0
	if trimmed := strings.TrimLeft(text, " \t\r\n"); strings.HasPrefix(trimmed, "%%") {
		line, _, more := strings.Cut(trimmed, "\n")
		if !more {
			return Edit{len(text), len(text), "\nimport " + path}
		}
		at = len(text) - len(trimmed) + len(line) + 1
	}
	for i, toks := 0, scan(text[at:]); i < len(toks); i++ {
		if toks[i].tok == token.COMMENT {
			continue
		}
		if toks[i].tok != token.PACKAGE || i+1 >= len(toks) || toks[i+1].tok != token.IDENT {
			break
		}
		end := at + toks[i+1].end
		line, _, more := strings.Cut(text[end:], "\n")
		rest := strings.TrimSpace(line)
		switch {
		case rest != "" && !strings.HasPrefix(rest, "//"): // more of the program
			return Edit{end, end, "; import " + path}
		case !more:
			return Edit{len(text), len(text), "\nimport " + path}
		}
		at = end + len(line) + 1
		break
	}
	return Edit{at, at, "import " + path + "\n"}
}

// fillStruct returns an action that adds the missing fields of the struct literal at the range.
func (c *cell) fillStruct(file *ast.File, info *types.Info, pkg *types.Package, start, end int) (Action, bool) {
	var lit *ast.CompositeLit
	ast.Inspect(file, func(n ast.Node) bool {
		if l, ok := n.(*ast.CompositeLit); ok && int(l.Pos())-c.base <= start && end <= int(l.End())-c.base {
			lit = l
		}
		return true
	})
	if lit == nil || int(lit.Rbrace)-c.base >= len(c.Text) || int(lit.Lbrace) < c.base {
		return Action{}, false
	}
	t := info.TypeOf(lit)
	if t == nil {
		return Action{}, false
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return Action{}, false
	}
	set := map[string]bool{}
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return Action{}, false // values without keys set all fields
		}
		if id, ok := kv.Key.(*ast.Ident); ok {
			set[id.Name] = true
		}
	}
	var missing []string
	for f := range st.Fields() {
		if !set[f.Name()] && (f.Exported() || f.Pkg() != nil && f.Pkg().Path() == "main") {
			missing = append(missing, f.Name()+": "+zero(f.Type()))
		}
	}
	if len(missing) == 0 {
		return Action{}, false
	}
	at := int(lit.Rbrace) - c.base
	text := strings.TrimRight(c.Text[:at], " \t\n")
	indent := leading(c.Text, int(lit.Lbrace)-c.base)
	add := ""
	if !strings.HasSuffix(text, "{") && !strings.HasSuffix(text, ",") {
		add = ","
	}
	for _, m := range missing {
		add += "\n" + indent + "\t" + m + ","
	}
	add += "\n" + indent
	name := types.TypeString(t, func(p *types.Package) string { return "" })
	return Action{Title: "Fill in the fields of " + name, Kind: "refactor.rewrite", Edits: []Edit{{len(text), at, add}}}, true
}

// leading returns the white space at the start of the line of an offset.
func leading(text string, offset int) string {
	line := text[strings.LastIndexByte(text[:offset], '\n')+1:]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// zero returns the zero value of a type in Go syntax.
func zero(t types.Type) string {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return "false"
		case u.Info()&types.IsString != 0:
			return `""`
		case u.Info()&types.IsNumeric != 0:
			return "0"
		}
	case *types.Struct, *types.Array:
		return scope.TypeString(t) + "{}"
	}
	return "nil"
}
