// Package draft answers questions about a notebook that is being written: errors and hints as the
// user types, documentation, definitions and references, symbols, new names. It reads the cells in
// the order of the notebook and runs nothing. Errors, completion and documentation come from the
// packages that a session uses, so an editor and the kernel say the same.
package draft

import (
	"context"
	"fmt"
	"go/types"
	"sync"

	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/complete"
	"github.com/gokernel/gokernel/interp/fault"
	"github.com/gokernel/gokernel/interp/pipeline"
	"github.com/gokernel/gokernel/interp/query"
	"github.com/gokernel/gokernel/interp/scope"
	"github.com/gokernel/gokernel/interp/symbols"
)

// Cell is the text of one code cell.
type Cell struct {
	ID   string // unique in the notebook
	Text string
}

// Finding is an error or a warning about a cell. Offsets are in bytes of the cell's text.
type Finding struct {
	Start, End int
	Message    string
	Hint       string // an instruction, or ""
	Warning    bool
	Unused     bool   // about a name that nothing uses
	Fix        []Edit // the edits of the hint, or nil
	undeclared bool   // whether it is about a name that is not declared
}

// Edit replaces the bytes of a cell between two offsets.
type Edit struct {
	Start, End int
	Text       string
}

// Notebook is a notebook that is being written. Its methods can be called from several goroutines.
type Notebook struct {
	mu       sync.Mutex
	packages *symbols.Importer
	dir      string
	compiler *pipeline.Compiler
	start    *scope.Scope // what the first cell can see
	cells    []*cell
	keys     map[types.Object]Name
	analyses int // number of analyses with this compiler
}

// cell is a cell and what is known about it.
type cell struct {
	Cell
	fresh    bool              // whether the following fields are about the current text
	program  *pipeline.Program // the last one that could be checked
	good     *pipeline.Program // the last one without errors of syntax
	base     int               // the position of the first byte in program
	current  bool              // whether program has the current text
	findings []Finding
	late     bool         // it declares methods of types of earlier cells
	after    *scope.Scope // what the next cell can see; nil if not known
}

// maxAnalyses is the number of analyses after which a notebook forgets the older ones.
const maxAnalyses = 2000

// New returns an empty notebook in a directory. The packages are shared by notebooks.
func New(dir string, packages *symbols.Importer) *Notebook {
	n := &Notebook{packages: packages, dir: dir}
	n.restart()
	return n
}

// restart forgets everything but the text.
func (n *Notebook) restart() {
	n.compiler = pipeline.NewDraft(n.packages)
	n.compiler.Sources.Dir = n.dir
	n.start = n.compiler.Scope.Clone()
	n.keys = map[types.Object]Name{}
	n.analyses = 0
	for _, c := range n.cells {
		c.fresh, c.program, c.good, c.after = false, nil, nil, nil
	}
}

// Set replaces the cells of the notebook.
func (n *Notebook) Set(cells []Cell) {
	n.mu.Lock()
	defer n.mu.Unlock()
	old := map[string]*cell{}
	for _, c := range n.cells {
		old[c.ID] = c
	}
	list := make([]*cell, len(cells))
	same := true // whether the cells before are the same ones, though their text may have changed
	late := false
	for i, now := range cells {
		c := old[now.ID]
		if c == nil {
			c = &cell{Cell: now}
		}
		if same && (i >= len(n.cells) || n.cells[i] != c) {
			same = false
			late = late || n.lateFrom(i)
		}
		if c.Text != now.Text {
			late = late || c.late
			c.Text, c.fresh = now.Text, false
		}
		if !same {
			c.fresh, c.after = false, nil
		}
		list[i] = c
	}
	late = late || same && n.lateFrom(len(cells))
	n.cells = list
	if late {
		n.restart()
	}
}

func (n *Notebook) lateFrom(i int) bool {
	for _, c := range n.cells[min(i, len(n.cells)):] {
		if c.late {
			return true
		}
	}
	return false
}

// Cells returns the texts of the cells.
func (n *Notebook) Cells() []Cell {
	n.mu.Lock()
	defer n.mu.Unlock()
	list := make([]Cell, len(n.cells))
	for i, c := range n.cells {
		list[i] = c.Cell
	}
	return list
}

// Step checks the first cell that needs it and returns its findings. More reports whether it found
// such a cell. A change of a cell that changes no declaration leaves the later cells as they are.
func (n *Notebook) Step() (id string, findings []Finding, more bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for i, c := range n.cells {
		if !c.fresh {
			n.analyze(i)
			return c.ID, c.findings, true
		}
	}
	return "", nil, false
}

// Findings returns the findings of all cells, by cell.
func (n *Notebook) Findings() map[string][]Finding {
	for {
		if _, _, more := n.Step(); !more {
			break
		}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	all := map[string][]Finding{}
	for _, c := range n.cells {
		all[c.ID] = c.findings
	}
	return all
}

// at returns the cell with an ID, and its index. First it checks the cells before that cell, and,
// if whole is set, that cell itself. It returns nil if there is no such cell.
func (n *Notebook) at(id string, whole bool) (*cell, int) {
	for i, c := range n.cells {
		if c.ID != id {
			continue
		}
		for j := range i + 1 {
			if !n.cells[j].fresh && (j < i || whole) {
				n.analyze(j)
			}
		}
		return c, i
	}
	return nil, 0
}

// before returns what the cell with an index can see.
func (n *Notebook) before(i int) *scope.Scope {
	if i == 0 {
		return n.start
	}
	return n.cells[i-1].after
}

// source makes the compiler see what the cell with an index sees before it runs, and returns the
// basis of all answers about the cell's text.
func (n *Notebook) source(i int) *query.Source {
	n.compiler.SetScope(n.before(i))
	return &query.Source{Compiler: n.compiler, Dir: n.dir, Keys: func(name string) complete.Keys { return n.keysOf(name, i) }}
}

// analyze checks the cell with an index. The cells before it have been checked.
func (n *Notebook) analyze(i int) {
	if n.analyses++; n.analyses > maxAnalyses {
		n.restart()
		for j := range i {
			n.analyze(j)
		}
	}
	c := n.cells[i]
	c.findings, c.fresh = nil, true
	n.compiler.SetScope(n.before(i).Clone())
	src := &scope.Source{Name: pipeline.CellName(i + 1), Number: i + 1, Run: n.analyses, Text: c.Text}
	query.Peek(context.Background(), n.compiler.Sources, c.Text)
	n.compiler.Advice.Told = func(src *scope.Source, e check.Error, hint string) { c.tell(src, e, hint) }
	p := n.draft(c, src)
	n.compiler.Advice.Told = nil
	if p == nil || p.Broken() {
		// Until the text can be parsed, its older declarations remain.
		n.keepDeclarations(c, src)
	} else {
		c.good = p
	}
	if c.current = p != nil && p.Checked() != nil; c.current {
		c.program, c.base = p, int(src.Base)
		c.late = p.LateMethods()
		n.remember(c)
	}
	if c.after != nil && c.after.Means(n.compiler.Scope) {
		return
	}
	c.after = n.compiler.Scope
	if i+1 < len(n.cells) {
		n.cells[i+1].fresh = false
	}
}

// draft compiles the cell. A bug in the compiler becomes a finding.
func (n *Notebook) draft(c *cell, src *scope.Source) (p *pipeline.Program) {
	defer func() {
		if r := recover(); r != nil {
			c.findings = append(c.findings, Finding{End: len(c.Text), Message: fmt.Sprintf("internal error: %v", r), Warning: true})
			p = nil
		}
	}()
	p = n.compiler.Draft(src, n.magics)
	n.afterMagics(c, p, src)
	return p
}

// keepDeclarations declares the names that an earlier text of the cell declared and this text does
// not declare.
func (n *Notebook) keepDeclarations(c *cell, src *scope.Source) {
	if c.good == nil || c.good.Checked() == nil {
		return
	}
	pkg := c.good.Checked().Package
	for _, name := range pkg.Scope().Names() {
		o := pkg.Scope().Lookup(name)
		if d := n.compiler.Scope.Lookup(name); d != nil && d.Cell == src {
			continue
		}
		if scope.IsDeclared(o) && o.Pkg() == pkg {
			n.compiler.Scope.Declare(name, &scope.Declaration{Name: name, Obj: o, Cell: c.good.Src})
		}
	}
}

// tell records an error or a warning.
func (c *cell) tell(src *scope.Source, e check.Error, hint string) {
	start := int(e.Pos - src.Base)
	if start < 0 || start > len(src.Text) {
		return // about a declaration of another cell
	}
	end := int(e.End - src.Base)
	if e.End <= e.Pos || end > len(src.Text) {
		end = start + fault.TokenLen(src.Text[start:])
	}
	f := Finding{Start: start, End: end, Message: e.Msg, Hint: fault.Unmarked(hint), Warning: e.Warning, Unused: e.Code == check.UnusedVar, undeclared: e.Code == check.UndeclaredName}
	for _, edit := range e.Fix {
		f.Fix = append(f.Fix, Edit{int(edit.Pos - src.Base), int(edit.End - src.Base), edit.Text})
	}
	c.findings = append(c.findings, f)
}

// Known returns the findings of the cells that have been checked, by cell.
func (n *Notebook) Known() map[string][]Finding {
	n.mu.Lock()
	defer n.mu.Unlock()
	all := map[string][]Finding{}
	for _, c := range n.cells {
		if c.fresh {
			all[c.ID] = c.findings
		}
	}
	return all
}
