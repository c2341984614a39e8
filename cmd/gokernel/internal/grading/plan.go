package grading

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/interp/split"
)

// step is the judge's plan for a code cell of the lecturer's notebook.
type step struct {
	cell  *notebook.Cell
	role  role
	names map[string]bool // identifiers in it
	given []givenName
	funcs []signature // functions declared by an answer
	plain bool        // a cell without a role that nothing later needs
}

// signature is a function that an answer declares, with its type in Go.
type signature struct{ name, typ string }

// givenName is a name that Given replaces, with the type of the function literal that replaces it,
// or "" for anything else.
type givenName struct {
	name, typ string
	text      string          // text of the literal
	uses      map[string]bool // the names in it
}

// plan is the plan to judge the notebook of a lecturer.
type plan struct {
	steps    []step
	students map[string]bool // names that answers declare or set, or that checks request
	types    map[string]bool // types that the lecturer's cells declare
	hidden   map[string]bool // declarations of hidden checks
	problems []Problem
}

// names are the names that a cell declares at its top level, and those that it sets.
type names struct {
	funcs, types, vars, set []string
}

const planBase = token.Pos(1000)

// parseCell parses a cell as far as possible.
func parseCell(src string) *split.Cell {
	c, _ := split.Parse(src, planBase)
	return c
}

// newPlan reads the code cells of a source. Names of answers come from its solutions, if it
// has them.
func newPlan(nb *notebook.Notebook) *plan {
	p := &plan{students: map[string]bool{}, types: map[string]bool{}, hidden: map[string]bool{}}
	answered := map[string]bool{} // types
	var declared []map[string]bool
	for _, c := range nb.Cells {
		if c.Type != notebook.Code || strings.TrimSpace(c.Source) == "" {
			continue
		}
		st := step{cell: c, role: markOf(c).role}
		parsed := parseCell(c.Source)
		st.names = identifiers(parsed)
		n := declarations(parsed)
		own := map[string]bool{}
		for _, name := range slices.Concat(n.funcs, n.vars, n.types) {
			own[name] = true
		}
		declared = append(declared, own)
		switch st.role {
		case answer, manual:
			for _, name := range slices.Concat(n.funcs, n.vars, n.set) {
				p.students[name] = true
			}
			for _, name := range n.types {
				answered[name] = true
			}
			st.funcs = p.signatures(c, parsed)
		default:
			for _, name := range n.types {
				p.types[name] = true
			}
			if st.role == tests {
				for _, name := range checkedNames(parsed) {
					p.students[name] = true
				}
				st.given = givens(c.Source, parsed)
				seen := declarations(parseCell(visibleDeclarations(c.Source)))
				for name := range own {
					p.hidden[name] = p.hidden[name] || !slices.Contains(slices.Concat(seen.funcs, seen.vars, seen.types), name)
				}
			}
		}
		p.steps = append(p.steps, st)
	}
	// Declarations of the lecturer belong to the lecturer, unless answers set them later.
	for i, st := range p.steps {
		if st.role == answer || st.role == manual {
			continue
		}
		for name := range declared[i] {
			if p.students[name] && !p.setByAnswer(name) {
				delete(p.students, name)
			}
		}
		if st.role == plain {
			p.steps[i].plain = !p.neededAfter(i, declared[i])
		}
		for name := range answered {
			if st.names[name] && !p.types[name] {
				p.problems = append(p.problems, Problem{st.cell.ID, fmt.Sprintf("it uses type %s, which an answer declares: values of this type cannot be passed between the processes; declare the type in a locked cell, or check functions with other types", name)})
			}
		}
	}
	return p
}

// setByAnswer reports whether an answer declares or sets a name.
func (p *plan) setByAnswer(name string) bool {
	for _, st := range p.steps {
		if st.role != answer && st.role != manual {
			continue
		}
		n := declarations(parseCell(st.cell.Source))
		if slices.Contains(slices.Concat(n.funcs, n.vars, n.set), name) {
			return true
		}
	}
	return false
}

// neededAfter reports whether a later cell of the lecturer uses one of the names.
func (p *plan) neededAfter(i int, declared map[string]bool) bool {
	for _, st := range p.steps[i+1:] {
		if st.role == answer || st.role == manual {
			continue
		}
		for name := range declared {
			if st.names[name] {
				return true
			}
		}
	}
	return false
}

// declarations returns what a cell declares and sets.
func declarations(c *split.Cell) (n names) {
	for _, d := range c.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				n.funcs = append(n.funcs, d.Name.Name)
			}
		case *ast.GenDecl:
			n.add(d)
		}
	}
	for _, s := range c.Stmts {
		if d, ok := s.(*ast.DeclStmt); ok {
			if g, ok := d.Decl.(*ast.GenDecl); ok {
				n.add(g)
			}
		}
		if a, ok := s.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
			for _, l := range a.Lhs {
				if id, ok := l.(*ast.Ident); ok && id.Name != "_" {
					n.vars = append(n.vars, id.Name)
				}
			}
			continue
		}
		ast.Inspect(s, func(node ast.Node) bool {
			switch x := node.(type) {
			case *ast.FuncLit:
				return false
			case *ast.AssignStmt:
				if x.Tok != token.DEFINE {
					for _, l := range x.Lhs {
						n.setName(l)
					}
				}
			case *ast.IncDecStmt:
				n.setName(x.X)
			}
			return true
		})
	}
	return n
}

func (n *names) setName(e ast.Expr) {
	for {
		switch x := e.(type) {
		case *ast.IndexExpr:
			e = x.X
			continue
		case *ast.SelectorExpr:
			e = x.X
			continue
		case *ast.StarExpr:
			e = x.X
			continue
		case *ast.ParenExpr:
			e = x.X
			continue
		case *ast.Ident:
			if x.Name != "_" {
				n.set = append(n.set, x.Name)
			}
		}
		return
	}
}

func (n *names) add(d *ast.GenDecl) {
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			n.types = append(n.types, s.Name.Name)
		case *ast.ValueSpec:
			for _, id := range s.Names {
				if id.Name != "_" {
					n.vars = append(n.vars, id.Name)
				}
			}
		}
	}
}

// identifiers returns the names that a cell mentions.
func identifiers(c *split.Cell) map[string]bool {
	all := map[string]bool{}
	look := func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.SelectorExpr:
			ast.Inspect(n.X, func(x ast.Node) bool {
				if id, ok := x.(*ast.Ident); ok {
					all[id.Name] = true
				}
				return true
			})
		case *ast.Ident:
			all[n.Name] = true
		}
		return true
	}
	for _, d := range c.Decls {
		ast.Inspect(d, look)
	}
	for _, s := range c.Stmts {
		ast.Inspect(s, look)
	}
	for _, v := range c.Values {
		ast.Inspect(v, look)
	}
	return all
}

// checkVerbs lists the functions that start checks; their first argument is a name of the
// submission.
var checkVerbs = []string{"Check", "CheckText", "CheckPlot"}

// checkedNames returns the names that the checks of a cell check.
func checkedNames(c *split.Cell) (list []string) {
	for _, s := range c.Stmts {
		ast.Inspect(s, func(node ast.Node) bool {
			call, ok := node.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			if fn, ok := call.Fun.(*ast.Ident); ok && slices.Contains(checkVerbs, fn.Name) {
				if id, ok := call.Args[0].(*ast.Ident); ok {
					list = append(list, id.Name)
				}
			}
			return true
		})
	}
	return list
}

// textOf returns the text of a node of a cell.
func textOf(src string, n ast.Node) string {
	from, to := int(n.Pos()-planBase), int(n.End()-planBase)
	if from < 0 || to > len(src) || from > to {
		return ""
	}
	return src[from:to]
}

// funcType returns a function's type in Go from its text.
func funcType(src string, t *ast.FuncType) string {
	text := textOf(src, t)
	// The type of a declaration begins with the word func and holds the name.
	if open := textOf(src, t.Params); open != "" {
		rest := ""
		if t.Results != nil {
			rest = " " + textOf(src, t.Results)
		}
		text = "func" + open + rest
	}
	return text
}

// signatures returns the functions that an answer declares, except generic ones, which have no
// value to call.
func (p *plan) signatures(c *notebook.Cell, parsed *split.Cell) (list []signature) {
	for _, d := range parsed.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv != nil {
			continue
		}
		if fn.Type.TypeParams != nil {
			p.problems = append(p.problems, Problem{c.ID, fmt.Sprintf("func %s has type parameters: a generic function cannot be passed between the process of the submission and that of the checks; in the task, ask for a function without type parameters", fn.Name.Name)})
			continue
		}
		list = append(list, signature{fn.Name.Name, funcType(c.Source, fn.Type)})
	}
	return list
}

// givens returns the names that the calls of Given in a cell replace.
func givens(src string, c *split.Cell) (list []givenName) {
	for _, s := range c.Stmts {
		e, ok := s.(*ast.ExprStmt)
		if !ok {
			continue
		}
		call, ok := e.X.(*ast.CallExpr)
		if !ok || len(call.Args) != 2 {
			continue
		}
		fn, ok := call.Fun.(*ast.Ident)
		name, isName := call.Args[0].(*ast.Ident)
		if !ok || fn.Name != "Given" || !isName {
			continue
		}
		g := givenName{name: name.Name}
		if lit, ok := call.Args[1].(*ast.FuncLit); ok {
			g.typ, g.text = funcType(src, lit.Type), textOf(src, lit)
			g.uses = identifiers(&split.Cell{Stmts: []ast.Stmt{s}})
		}
		list = append(list, g)
	}
	return list
}

// visibleDeclarations returns the declarations of an autograder cell other than checks, as text:
// later cells of a submission may use them.
func visibleDeclarations(src string) string {
	src, _, err := cut(src, beginHidden, endHidden, nil)
	if err != nil {
		return ""
	}
	parsed, errs := split.Parse(src, planBase)
	if len(errs) > 0 {
		return ""
	}
	var parts []string
	for _, d := range parsed.Decls {
		parts = append(parts, textOf(src, d))
	}
	for _, s := range parsed.Stmts {
		if e, ok := s.(*ast.ExprStmt); ok && len(checkedOrSheet(e)) > 0 {
			continue
		}
		parts = append(parts, textOf(src, s))
	}
	if len(parts) == 0 {
		return ""
	}
	for _, im := range parsed.Imports {
		parts = append([]string{"import " + textOf(src, im)}, parts...)
	}
	return strings.Join(parts, "\n")
}

// checkedOrSheet returns the checking functions that a statement calls.
func checkedOrSheet(s ast.Stmt) (verbs []string) {
	ast.Inspect(s, func(node ast.Node) bool {
		if call, ok := node.(*ast.CallExpr); ok {
			if fn, ok := call.Fun.(*ast.Ident); ok && (fn.Name == "Checks" || fn.Name == "Given" || slices.Contains(checkVerbs, fn.Name)) {
				verbs = append(verbs, fn.Name)
			}
		}
		return true
	})
	return verbs
}
