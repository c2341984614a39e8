package site

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// parse parses a piece of HTML as a browser would, and returns its nodes as the children of one
// node.
func parse(text string) *html.Node {
	root := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, err := html.ParseFragment(strings.NewReader(text), root)
	if err != nil { // nested too deeply
		nodes = []*html.Node{{Type: html.TextNode, Data: text}}
	}
	for _, n := range nodes {
		root.AppendChild(n)
	}
	return root
}

// render returns the HTML of nodes.
func render(nodes ...*html.Node) string {
	var b strings.Builder
	for _, n := range nodes {
		_ = html.Render(&b, n) // a strings.Builder accepts everything, and parse returns valid nodes
	}
	return b.String()
}

// inner returns the inner HTML of a node.
func inner(n *html.Node) string { return render(children(n)...) }

func children(n *html.Node) (list []*html.Node) {
	for c := range n.ChildNodes() {
		list = append(list, c)
	}
	return list
}

// is reports whether a node is an element with one of these names.
func is(n *html.Node, names ...atom.Atom) bool {
	if n == nil || n.Type != html.ElementNode {
		return false
	}
	for _, a := range names {
		if n.DataAtom == a {
			return true
		}
	}
	return false
}

// value returns an attribute of an element, or "" without it.
func value(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func set(n *html.Node, key, val string) {
	for i, a := range n.Attr {
		if a.Key == key {
			n.Attr[i].Val = val
			return
		}
	}
	n.Attr = append(n.Attr, html.Attribute{Key: key, Val: val})
}

func unset(n *html.Node, key string) {
	kept := n.Attr[:0]
	for _, a := range n.Attr {
		if a.Key != key {
			kept = append(kept, a)
		}
	}
	n.Attr = kept
}

func hasClass(n *html.Node, class string) bool {
	if n.Type != html.ElementNode {
		return false
	}
	for _, c := range strings.Fields(value(n, "class")) {
		if c == class {
			return true
		}
	}
	return false
}

// isMath reports whether a node is a formula for the script of the page.
func isMath(n *html.Node) bool { return is(n, atom.Span) && hasClass(n, "math") }

// isDisplay reports whether a node is a display formula.
func isDisplay(n *html.Node) bool { return isMath(n) && hasClass(n, "display") }

// has reports whether a node, or a node in it, meets a condition.
func has(n *html.Node, meets func(*html.Node) bool) bool {
	if meets(n) {
		return true
	}
	for d := range n.Descendants() {
		if meets(d) {
			return true
		}
	}
	return false
}

// replace replaces a node by others.
func replace(n *html.Node, with ...*html.Node) {
	for _, w := range with {
		if w.Parent != nil {
			w.Parent.RemoveChild(w)
		}
		n.Parent.InsertBefore(w, n)
	}
	n.Parent.RemoveChild(n)
}

// unwrap replaces an element by its children.
func unwrap(n *html.Node) { replace(n, children(n)...) }

// running lists inline elements, whose text is not separated from the text around them.
var running = map[atom.Atom]bool{
	atom.A: true, atom.Abbr: true, atom.B: true, atom.Bdi: true, atom.Cite: true, atom.Code: true, atom.Del: true, atom.Dfn: true,
	atom.Em: true, atom.I: true, atom.Ins: true, atom.Kbd: true, atom.Mark: true, atom.Q: true, atom.S: true, atom.Samp: true,
	atom.Small: true, atom.Span: true, atom.Strong: true, atom.Sub: true, atom.Sup: true, atom.U: true, atom.Var: true,
}

// wording returns the text of nodes in one line. Each formula is replaced by what math returns
// for its TeX.
func wording(math func(tex string) string, nodes ...*html.Node) string {
	var b strings.Builder
	var add func(n *html.Node)
	add = func(n *html.Node) {
		switch {
		case n.Type == html.TextNode:
			b.WriteString(n.Data)
			return
		case n.Type != html.ElementNode || is(n, atom.Script, atom.Style, atom.Template):
			return
		case isMath(n):
			tex := ""
			for c := range n.ChildNodes() {
				tex += c.Data
			}
			b.WriteString(math(tex))
			return
		}
		apart := !running[n.DataAtom]
		if apart {
			b.WriteByte(' ')
		}
		for c := range n.ChildNodes() {
			add(c)
		}
		if apart {
			b.WriteByte(' ')
		}
	}
	for _, n := range nodes {
		add(n)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// These functions return the replacement of a formula in a text.
func asTeX(tex string) string { return tex }
func asDots(string) string    { return "…" }
func asNothing(string) string { return " " }

// plainText returns the text of HTML without its formulas.
func plainText(s string) string { return wording(asNothing, parse(s)) }

// searchable returns the text of HTML to show in search results, with dots instead of formulas.
func searchable(s string) string { return wording(asDots, parse(s)) }
