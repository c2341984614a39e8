package draft

import (
	"context"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/interp/inspect"
	"github.com/gokernel/gokernel/interp/query"
	"github.com/gokernel/gokernel/interp/split"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// Complete returns the completions at an offset of a cell.
func (n *Notebook) Complete(id string, offset int) evaluator.Completion {
	n.mu.Lock()
	defer n.mu.Unlock()
	c, i := n.at(id, false)
	if c == nil || offset > len(c.Text) {
		return evaluator.Completion{Start: offset, End: offset}
	}
	query.Peek(context.Background(), n.compiler.Sources, c.Text)
	return n.sourceWithModules(i).Complete(c.Text, offset)
}

// sourceWithModules is like source, but adds the packages that an import declaration in the cell
// could make available. It adds none for a cell that is not Go.
func (n *Notebook) sourceWithModules(i int) *query.Source {
	s := n.source(i)
	if cell, _ := split.Parse(n.cells[i].Text, 1); cell.Whole == nil || cell.Whole.Name == "package" {
		s.Named = func() []string { return n.got(i) }
	}
	return s
}

// got lists the paths and versions that the cells up to an index pass to %get.
func (n *Notebook) got(i int) (list []string) {
	for _, c := range n.cells[:i+1] {
		for line := range strings.Lines(c.Text) {
			if args, ok := strings.CutPrefix(strings.TrimSpace(line), "%get "); ok {
				list = append(list, strings.Fields(args)...)
			}
		}
	}
	return list
}

// Import returns the edit that makes a cell import a package.
func (n *Notebook) Import(id, path string) (Edit, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	c, _ := n.at(id, false)
	if c == nil {
		return Edit{}, false
	}
	return importEdit(c.Text, strconv.Quote(path)), true
}

// Document returns the documentation of a completion, which is a name that replaces a range of the
// cell. Path is the package that the completion makes the cell import, or "".
func (n *Notebook) Document(id string, start, end int, name, path string) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	c, i := n.at(id, false)
	if c == nil || start > end || end > len(c.Text) {
		return ""
	}
	text, at := c.Text[:start]+name+c.Text[end:], start+len(name)
	if path != "" {
		e := importEdit(text, strconv.Quote(path))
		text = text[:e.Start] + e.Text + text[e.End:]
		if e.Start <= start {
			at += len(e.Text)
		}
		query.Peek(context.Background(), n.compiler.Sources, text)
	}
	b, _ := n.source(i).Inspect(text, at, 0)
	doc, _ := b.Data[display.MIMEMarkdown].(string)
	return doc
}

// Hover returns the documentation of the name at an offset of a cell, as Markdown, and the range of
// the name.
func (n *Notebook) Hover(id string, offset int) (string, Range, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	c, i := n.at(id, false)
	if c == nil || offset > len(c.Text) {
		return "", Range{}, false
	}
	start, end, ok := inspect.Asked(c.Text, offset)
	if !ok {
		return "", Range{}, false
	}
	b, ok := n.source(i).Inspect(c.Text, end, 0)
	text, _ := b.Data[display.MIMEMarkdown].(string)
	return text, Range{id, start, end}, ok && text != ""
}

// Signature returns the signature of the call whose arguments contain the offset.
func (n *Notebook) Signature(id string, offset int) (inspect.Call, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	c, i := n.at(id, false)
	if c == nil || offset > len(c.Text) {
		return inspect.Call{}, false
	}
	return n.source(i).Signature(c.Text, offset)
}
