package page

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/internal/pattern"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// This file reduces the HTML of a text to elements and attributes that can neither hide words of
// the text nor draw outside of its place. A person who judges the text then sees all of it.

// visible lists the elements that stay. Other elements are replaced by their content, unless they
// are in gone or in removed.
var visible = []atom.Atom{
	atom.A, atom.Abbr, atom.B, atom.Bdi, atom.Bdo, atom.Blockquote, atom.Br, atom.Caption, atom.Cite, atom.Code, atom.Col, atom.Colgroup,
	atom.Dd, atom.Del, atom.Details, atom.Dfn, atom.Div, atom.Dl, atom.Dt, atom.Em, atom.Figcaption, atom.Figure,
	atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Hr, atom.I, atom.Img, atom.Input, atom.Ins, atom.Kbd, atom.Li, atom.Mark,
	atom.Ol, atom.P, atom.Pre, atom.Q, atom.Rp, atom.Rt, atom.Ruby, atom.S, atom.Samp, atom.Section, atom.Small, atom.Span, atom.Strong,
	atom.Sub, atom.Summary, atom.Sup, atom.Table, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Time, atom.Tr, atom.U, atom.Ul,
	atom.Var, atom.Wbr,
}

// gone lists the elements that are removed with their content, which is not text.
var gone = []atom.Atom{atom.Style, atom.Svg, atom.Math, atom.Canvas, atom.Audio, atom.Video, atom.Map, atom.Iframe}

// harmless lists the attributes that stay on any element.
var harmless = []string{"id", "title", "lang", "dir", "alt", "scope", "start", "reversed", "value", "datetime", "open", "checked", "disabled"}

// ownClasses lists the classes of formulas and code, which this package gives to its elements.
var ownClasses = []string{"math", "inline", "display", "keyword", "string", "comment", "number", "call", "builtin", "magic"}

// quiet lists the properties of styles that stay, with their values.
var quiet = map[string][]string{
	"text-align":           {"left", "right", "center", "start", "end"},
	"vertical-align":       {"top", "middle", "bottom", "baseline"},
	"white-space":          {"nowrap", "pre", "pre-wrap", "normal"},
	"font-weight":          {"normal", "bold"},
	"font-style":           {"normal", "italic"},
	"font-variant-numeric": {"tabular-nums"},
	"border-collapse":      {"collapse"},
	"caption-side":         {"top", "bottom"},
}

// strictCSS cuts off what a cell draws outside of its place, such as a large rule of a formula.
const strictCSS = ".cell { contain: paint } .count { display: none }"

// strict returns the HTML without anything that could hide a part of it. All elements of the result
// are closed, and it has no comments.
func strict(src string) string {
	root := &html.Node{Type: html.ElementNode, DataAtom: atom.Div, Data: "div"}
	nodes, err := html.ParseFragment(strings.NewReader(src), root)
	if err != nil { // nested too deeply
		return html.EscapeString(src)
	}
	for _, n := range nodes {
		root.AppendChild(n)
	}
	showBelow(root)
	var b bytes.Buffer
	for n := range root.ChildNodes() {
		if err := html.Render(&b, n); err != nil {
			return html.EscapeString(src)
		}
	}
	return b.String()
}

// showBelow makes everything below a node visible.
func showBelow(root *html.Node) {
	for n := root.FirstChild; n != nil; {
		next := n.NextSibling
		switch {
		case n.Type == html.TextNode:
		case n.Type != html.ElementNode || n.Namespace != "" || slices.Contains(gone, n.DataAtom) || slices.Contains(removed, n.Data):
			root.RemoveChild(n)
		case !slices.Contains(visible, n.DataAtom):
			first := n.FirstChild
			for c := first; c != nil; c = n.FirstChild {
				n.RemoveChild(c)
				root.InsertBefore(c, n)
			}
			root.RemoveChild(n)
			if first != nil {
				next = first
			}
		case n.DataAtom == atom.Input && attribute(n, "type") != "checkbox":
			root.RemoveChild(n)
		default:
			showAttributes(n)
			showBelow(n)
		}
		n = next
	}
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// showAttributes removes the attributes of an element that may hide it, and unfolds it.
func showAttributes(n *html.Node) {
	var kept []html.Attribute
	for _, a := range n.Attr {
		switch key := a.Key; {
		case a.Namespace != "":
			continue
		case slices.Contains(harmless, key):
		case key == "href" && n.DataAtom == atom.A, key == "src" && n.DataAtom == atom.Img, key == "type" && n.DataAtom == atom.Input:
		case (key == "width" || key == "height") && n.DataAtom == atom.Img, key == "colspan", key == "rowspan":
			if _, err := strconv.ParseUint(a.Val, 10, 10); err != nil {
				continue
			}
		case key == "class":
			var own []string
			for _, c := range strings.Fields(a.Val) {
				if slices.Contains(ownClasses, c) {
					own = append(own, c)
				}
			}
			if a.Val = strings.Join(own, " "); a.Val == "" {
				continue
			}
		case key == "style":
			if a.Val = quietStyle(a.Val); a.Val == "" {
				continue
			}
		default:
			continue
		}
		kept = append(kept, a)
	}
	if n.DataAtom == atom.Details && !slices.ContainsFunc(kept, func(a html.Attribute) bool { return a.Key == "open" }) {
		kept = append(kept, html.Attribute{Key: "open"})
	}
	n.Attr = kept
}

var property = pattern.New(`^\s*([a-z-]+)\s*:\s*([a-z-]+)\s*$`)

// quietStyle returns the part of a style that can't hide anything.
func quietStyle(style string) string {
	var kept []string
	for part := range strings.SplitSeq(strings.ToLower(style), ";") {
		if m := property().FindStringSubmatch(part); m != nil && slices.Contains(quiet[m[1]], m[2]) {
			kept = append(kept, m[1]+":"+m[2])
		}
	}
	return strings.Join(kept, ";")
}
