package draft

import (
	"encoding/csv"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/interp/complete"
	"github.com/gokernel/gokernel/interp/rewrite"
)

// keysOf returns the keys of a variable that the text of the notebook shows. These are the keys of
// a map literal, the header of the CSV file of a frame, and the keys that other code uses. Nothing
// runs, so a draft has no values.
func (n *Notebook) keysOf(variable string, at int) complete.Keys {
	var keys complete.Keys
	v := n.variable(variable, at)
	if v == nil {
		return keys
	}
	m, isMap := v.Type().Underlying().(*types.Map)
	switch {
	case isMap:
		b, ok := m.Key().Underlying().(*types.Basic)
		if !ok || b.Info()&(types.IsString|types.IsNumeric) == 0 {
			return keys
		}
		keys.OfMap, keys.Strings = true, b.Info()&types.IsString != 0
	case rewrite.IsFrame(v.Type()):
		keys.Strings = true
	default:
		return keys
	}
	add := func(lit ast.Expr) {
		b, ok := lit.(*ast.BasicLit)
		if !ok || (b.Kind == token.STRING) != keys.Strings {
			return
		}
		text := b.Value
		if keys.Strings {
			var err error
			if text, err = strconv.Unquote(b.Value); err != nil {
				return
			}
		}
		if !slices.Contains(keys.List, text) {
			keys.List = append(keys.List, text)
		}
	}
	for _, c := range n.cells[:at+1] {
		if c.checked() == nil {
			continue
		}
		for _, f := range c.checked().Files {
			ast.Inspect(f, func(node ast.Node) bool {
				if spec, ok := node.(*ast.ValueSpec); ok {
					for i, id := range spec.Names {
						if id.Name == variable && i < len(spec.Values) {
							n.initial(spec.Values[i], add)
						}
					}
				}
				return true
			})
		}
		toks := scan(c.Text)
		for i := 0; i+3 < len(toks); i++ {
			if key := toks[i+2]; toks[i].tok == token.IDENT && c.Text[toks[i].start:toks[i].end] == variable &&
				toks[i+1].tok == token.LBRACK && toks[i+3].tok == token.RBRACK && key.tok.IsLiteral() {
				add(&ast.BasicLit{Kind: key.tok, Value: c.Text[key.start:key.end]})
			}
		}
	}
	if keys.OfMap {
		slices.Sort(keys.List)
	}
	return keys
}

// variable returns a variable that the cell with an index sees, or declares itself.
func (n *Notebook) variable(name string, at int) *types.Var {
	if r := n.cells[at].checked(); r != nil {
		if v, ok := r.Package.Scope().Lookup(name).(*types.Var); ok {
			return v
		}
	}
	if d := n.compiler.Scope.Lookup(name); d != nil {
		v, _ := d.Obj.(*types.Var)
		return v
	}
	return nil
}

// initial adds the keys that the initial value of a variable shows.
func (n *Notebook) initial(x ast.Expr, add func(ast.Expr)) {
	ast.Inspect(x, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CompositeLit:
			if _, ok := node.Type.(*ast.MapType); ok || node == x {
				for _, e := range node.Elts {
					if kv, ok := e.(*ast.KeyValueExpr); ok {
						add(kv.Key)
					}
				}
			}
			return false
		case *ast.CallExpr:
			sel, ok := node.Fun.(*ast.SelectorExpr)
			if ok && sel.Sel.Name == "Read" && len(node.Args) > 0 {
				if lit, ok := node.Args[0].(*ast.BasicLit); ok && lit.Kind == token.STRING {
					n.header(lit, add)
				}
			}
		}
		return true
	})
}

// header adds the names of the columns of a CSV file.
func (n *Notebook) header(lit *ast.BasicLit, add func(ast.Expr)) {
	name, err := strconv.Unquote(lit.Value)
	if err != nil {
		return
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(n.dir, name)
	}
	comma := ','
	switch strings.ToLower(filepath.Ext(name)) {
	case ".csv":
	case ".tsv":
		comma = '\t'
	default:
		return
	}
	f, err := os.Open(name)
	if err != nil {
		return
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma = comma
	columns, err := r.Read()
	if err != nil {
		return
	}
	for _, c := range columns {
		add(&ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(strings.TrimPrefix(c, "\ufeff"))})
	}
}
