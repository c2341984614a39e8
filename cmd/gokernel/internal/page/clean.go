package page

import (
	"bytes"
	"html/template"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/gokernel/gokernel/internal/pattern"
)

// This file cleans the HTML of untrusted notebooks. It removes HTML that loads content from another
// host, that leads to another page without a click, or that runs code. The page's
// Content-Security-Policy also prevents most of these actions.

// clean returns HTML of the notebook that the page may contain.
func (d *document) clean(src string) template.HTML {
	src = emptyHeader().ReplaceAllStringFunc(src, func(s string) string {
		return "<td" + scope().ReplaceAllString(s[len("<th"):len(s)-len("></th>")], "") + "></td>"
	})
	switch {
	case d.opt.Trust:
		return template.HTML(src)
	case d.opt.Strict:
		return template.HTML(cleaned(strict(src)))
	}
	return template.HTML(cleaned(src))
}

// emptyHeader matches a header cell without text, such as that of a Markdown table whose first
// column needs no name. For a screen reader, it must be an ordinary cell.
var (
	emptyHeader = pattern.New(`<th(?:\s[^<>]*)?></th>`)
	scope       = pattern.New(`\sscope="?\w*"?`)
)

// rounds is the maximum number of times that HTML is parsed until it is clean. Malicious HTML can
// be parsed differently after it has been written again.
const rounds = 4

// cleaned returns the HTML without parts that run code, load files or redirect to other pages. It
// returns src unchanged if there is no such code.
func cleaned(src string) string {
	for range rounds {
		root := &html.Node{Type: html.ElementNode, DataAtom: atom.Div, Data: "div"}
		nodes, err := html.ParseFragment(strings.NewReader(src), root)
		if err != nil {
			break // nested too deeply
		}
		for _, n := range nodes {
			root.AppendChild(n)
		}
		if !cleanBelow(root) {
			return src
		}
		var b bytes.Buffer
		for n := range root.ChildNodes() {
			if err := html.Render(&b, n); err != nil {
				return html.EscapeString(src)
			}
		}
		src = b.String()
	}
	return html.EscapeString(src) // it is shown as text
}

// removed lists the elements that are removed with their content, because they are useless on a
// page.
var removed = []string{
	"applet", "base", "embed", "fencedframe", "frame", "frameset", "link", "meta", "noembed", "noframes", "noscript",
	"object", "plaintext", "portal", "script",
}

// replaced lists the elements that show external content. A link replaces them.
var replaced = []string{"audio", "iframe", "img", "video"}

// loading lists the attributes whose address a browser loads by itself, in elements other than
// links.
var loading = []string{"background", "data", "dynsrc", "href", "longdesc", "lowsrc", "poster", "src", "srcset", "xlink:href"}

// cleanBelow cleans the nodes below a node and reports whether it changed anything.
func cleanBelow(root *html.Node) (changed bool) {
	for n := root.FirstChild; n != nil; {
		next := n.NextSibling
		switch {
		case n.Type != html.ElementNode:
		case slices.Contains(removed, n.Data), animates(n):
			root.RemoveChild(n)
			n, changed = next, true
			continue
		case slices.Contains(replaced, n.Data) && (n.Data == "iframe" || loadsElsewhere(n)):
			root.InsertBefore(linkTo(n), n)
			root.RemoveChild(n)
			n, changed = next, true
			continue
		case n.Data == "style":
			changed = cleanStyle(n) || changed
		default:
			changed = cleanAttributes(n) || changed
		}
		changed = cleanBelow(n) || changed
		n = next
	}
	return changed
}

// loadsElsewhere reports whether a picture, sound or video loads at least partly from another host.
func loadsElsewhere(n *html.Node) bool {
	for _, a := range n.Attr {
		if slices.Contains([]string{"src", "srcset"}, a.Key) && elsewhere(a.Key, a.Val) {
			return true
		}
	}
	if n.Data == "img" {
		return false
	}
	for c := range n.ChildNodes() {
		if c.Data == "source" && loadsElsewhere(c) {
			return true
		}
	}
	return false
}

// Elsewhere is the class of the links that replace content from another host.
const Elsewhere = "elsewhere"

// linkTo returns a link to the content of an element.
func linkTo(n *html.Node) *html.Node {
	address, text := "", ""
	for _, a := range n.Attr {
		switch {
		case a.Key == "src":
			address = a.Val
		case a.Key == "srcset" && address == "":
			address, _, _ = strings.Cut(strings.TrimSpace(a.Val), " ")
		case a.Key == "alt" || a.Key == "title":
			text = a.Val
		}
	}
	for c := range n.ChildNodes() {
		for _, a := range c.Attr {
			if address == "" && c.Data == "source" && a.Key == "src" {
				address = a.Val
			}
		}
	}
	if text == "" {
		text = address
	}
	content := &html.Node{Type: html.TextNode, Data: text}
	switch scheme(address) {
	case "http", "https", "":
	default:
		return content
	}
	a := &html.Node{Type: html.ElementNode, DataAtom: atom.A, Data: "a", Attr: []html.Attribute{{Key: "href", Val: address}, {Key: "rel", Val: "noreferrer"}, {Key: "class", Val: Elsewhere}}}
	a.AppendChild(content)
	return a
}

// animates reports whether an element changes the address of another one over time.
func animates(n *html.Node) bool {
	switch n.Data {
	case "animate", "set", "animateMotion", "animateTransform":
	default:
		return false
	}
	for _, a := range n.Attr {
		if a.Key == "attributeName" && strings.HasSuffix(strings.ToLower(strings.TrimSpace(a.Val)), "href") {
			return true
		}
		if cleanCSS(a.Val) != a.Val {
			return true
		}
	}
	return false
}

// cleanAttributes removes attributes from an element and reports whether there were any.
func cleanAttributes(n *html.Node) bool {
	link := n.Data == "a" || n.Data == "area"
	kept := n.Attr[:0]
	changed := false
	for _, a := range n.Attr {
		key := strings.ToLower(a.Key)
		if a.Namespace != "" {
			key = a.Namespace + ":" + key
		}
		switch {
		case strings.HasPrefix(key, "on"):
			if !slices.Contains(handlers, Hash(a.Val)) {
				changed = true
				continue
			}
		case key == "ping", key == "srcdoc", key == "http-equiv":
			changed = true
			continue
		case (link || n.Data == "form") && (key == "href" || key == "xlink:href" || key == "action"), key == "formaction":
			if s := scheme(a.Val); s == "javascript" || s == "data" || s == "vbscript" {
				changed = true
				continue
			}
		case slices.Contains(loading, key) && elsewhere(key, a.Val):
			changed = true
			continue
		case key == "src" || strings.HasPrefix(key, "data-") || key == "alt" || key == "title":
		default:
			if css := cleanCSS(a.Val); css != a.Val {
				a.Val, changed = css, true
			}
		}
		kept = append(kept, a)
	}
	n.Attr = kept
	return changed
}

var schemes = pattern.New(`^([a-z][a-z0-9+.-]*):`)

// scheme returns the scheme of an address as browsers parse it, ignoring spaces and control
// characters, or "" for a relative address.
func scheme(address string) string {
	address = strings.ToLower(strings.Map(func(r rune) rune {
		if r <= ' ' {
			return -1
		}
		return r
	}, address[:min(len(address), 200)]))
	if m := schemes().FindStringSubmatch(address); m != nil {
		return m[1]
	}
	return ""
}

// elsewhere reports whether an attribute's address is neither part of the page nor a
// file beside it.
func elsewhere(key, value string) bool {
	if key == "srcset" {
		for part := range strings.SplitSeq(value, ",") {
			if remote(part) {
				// A comma can also be part of an address, as in data: URLs.
				return true
			}
		}
		return false
	}
	return remote(value)
}

// remote reports whether an address is on another host, or runs a program.
func remote(address string) bool {
	s := scheme(address)
	if s == "data" || s == "blob" || s == "attachment" {
		return false
	}
	if s != "" {
		return true
	}
	plain := strings.Map(func(r rune) rune {
		switch {
		case r <= ' ':
			return -1
		case r == '\\':
			return '/'
		}
		return r
	}, address[:min(len(address), 200)])
	return strings.HasPrefix(plain, "//")
}

// cleanStyle cleans a style sheet and reports whether it changed anything.
func cleanStyle(n *html.Node) bool {
	changed := false
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		if c.Type != html.TextNode {
			n.RemoveChild(c) // a style sheet in a drawing can contain elements
			changed = true
		} else if css := cleanCSS(c.Data); css != c.Data {
			c.Data, changed = css, true
		}
		c = next
	}
	return changed
}

var (
	cssComment = pattern.New(`(?s)/\*.*?(\*/|$)`)
	cssEscape  = pattern.New(`\\([0-9a-fA-F]{1,6})[ \t\r\n\f]?|\\([^0-9a-fA-F])`)
	cssImport  = pattern.New(`(?i)@(import|namespace)[^;}]*[;}]?`)
	cssAddress = pattern.New(`(?is)\b(url|src)\(\s*("[^"]*"|'[^']*'|[^)]*)\s*\)`)
	cssSet     = pattern.New(`(?is)\b(-webkit-)?(image-set|image|cross-fade)\([^;}]*`)
	cssLoads   = pattern.New(`(?i)(url|src|image|image-set|cross-fade)\(|@import`)
)

// cleanCSS returns a style without addresses on other hosts.
func cleanCSS(css string) string {
	if !strings.ContainsAny(css, `(@\`) {
		return css
	}
	plain := css
	if strings.Contains(plain, "/*") {
		plain = cssComment().ReplaceAllString(plain, " ")
	}
	if strings.Contains(plain, `\`) {
		plain = cssEscape().ReplaceAllStringFunc(plain, unescapeCSS)
	}
	if !cssLoads().MatchString(plain) {
		return css
	}
	out := cssImport().ReplaceAllString(plain, "")
	out = cssSet().ReplaceAllStringFunc(out, func(s string) string {
		for _, m := range quoted().FindAllString(s, -1) {
			if remote(strings.Trim(m, `"'`)) {
				return "none"
			}
		}
		return s
	})
	out = cssAddress().ReplaceAllStringFunc(out, func(s string) string {
		address := cssAddress().FindStringSubmatch(s)[2]
		if remote(strings.Trim(strings.TrimSpace(address), `"'`)) {
			return "none"
		}
		return s
	})
	if out == plain {
		return css
	}
	return out
}

var quoted = pattern.New(`"[^"]*"|'[^']*'`)

// unescapeCSS returns the character for an escape.
func unescapeCSS(s string) string {
	m := cssEscape().FindStringSubmatch(s)
	if m[1] == "" {
		return m[2]
	}
	n := 0
	for _, c := range strings.ToLower(m[1]) {
		n *= 16
		if c >= 'a' {
			n += int(c-'a') + 10
		} else {
			n += int(c - '0')
		}
	}
	if n == 0 || n > 0x10ffff {
		return "\uFFFD"
	}
	return string(rune(n))
}
