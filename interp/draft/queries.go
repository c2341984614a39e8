package draft

import (
	"context"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/interp/inspect"
	"github.com/gokernel/gokernel/interp/query"
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
	return n.source(i).Complete(c.Text, offset)
}

// Document returns the documentation of a completion: of the name that replaces a range of the
// cell.
func (n *Notebook) Document(id string, start, end int, name string) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	c, i := n.at(id, false)
	if c == nil || start > end || end > len(c.Text) {
		return ""
	}
	b, _ := n.source(i).Inspect(c.Text[:start]+name+c.Text[end:], start+len(name), 0)
	text, _ := b.Data[display.MIMEMarkdown].(string)
	return text
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
