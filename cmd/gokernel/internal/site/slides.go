package site

import (
	"html/template"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// slide is one screen of a lecture.
type slide struct {
	Kind    string // title, section, text, figure
	Title   template.HTML
	HTML    template.HTML
	Figure  *shown
	Caption template.HTML
}

// skipped lists the sections without slides.
var skipped = []string{"questions", "exercises", "references", "further"}

// addSlides adds the slides of a lecture: its title, a screen for the start of each section, and
// each figure with its caption. Formulas, lists, tables and code are on slides with the sentence
// before them, and so are boxes.
func (b *builder) addSlides(l *lecture) error {
	p := struct {
		layout
		*lecture
		List []slide
	}{layout: b.layout(l.Slides(), l.Label()+": slides"), lecture: l, List: l.slides()}
	p.Language, p.UsesMath, p.UsesFrames = l.Lang, l.Math, l.Frames
	return b.render("slides.html", l.Slides(), p)
}

func (l *lecture) slides() []slide {
	list := []slide{{Kind: "title", Title: template.HTML(template.HTMLEscapeString(l.Title))}}
	title, skip := template.HTML(""), false
	for _, v := range l.Blocks {
		switch v.Kind {
		case "text":
			var piece []*html.Node
			end := func() {
				if !skip {
					list = append(list, texts(title, piece)...)
				}
				piece = nil
			}
			for _, n := range children(parse(string(v.HTML))) {
				if !isHeading(n) {
					piece = append(piece, n)
					continue
				}
				end()
				if is(n, atom.H1) {
					continue
				}
				title, skip = apartFrom(children(n)...), isSkipped(wording(asTeX, n))
				if !skip && is(n, atom.H2) {
					list = append(list, slide{Kind: "section", Title: title})
				}
			}
			end()
		case "code":
			for _, o := range v.Outputs {
				if o.Figure != nil && o.Figure.Number != "" && !skip {
					list = append(list, slide{Kind: "figure", Title: title, Figure: o, Caption: apartFrom(children(parse(string(o.Figure.Caption)))...)})
				}
			}
		}
	}
	return list
}

func isHeading(n *html.Node) bool {
	return is(n, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6)
}

func isPicture(n *html.Node) bool { return is(n, atom.Img, atom.Svg, atom.Video, atom.Audio) }

func isSkipped(heading string) bool {
	h := strings.ToLower(heading)
	return slices.ContainsFunc(skipped, func(s string) bool { return strings.Contains(h, s) })
}

// texts returns the screens of a piece of text: lists, tables, code and displayed formulas with the
// sentence before them, and boxes. Each element is either completely on a screen or not at all.
func texts(title template.HTML, piece []*html.Node) (list []slide) {
	var before *html.Node    // the paragraph directly before
	var current []*html.Node // the screen that a paragraph may continue
	screen := func(nodes ...*html.Node) {
		current = nodes
		list = append(list, slide{Kind: "text", Title: title, HTML: apartFrom(nodes...)})
	}
	for _, n := range piece {
		if n.Type == html.TextNode && strings.TrimSpace(n.Data) != "" {
			bare := &html.Node{Type: html.ElementNode, Data: "p", DataAtom: atom.P}
			bare.AppendChild(&html.Node{Type: html.TextNode, Data: n.Data})
			n = bare
		}
		if n.Type != html.ElementNode || wording(asTeX, n) == "" && !has(n, isPicture) {
			continue // a line break, or an anchor
		}
		p := is(n, atom.P)
		formula := has(n, isDisplay)
		switch {
		case hasClass(n, "slip"):
			screen(n)
			before = nil
		case p && !formula && current != nil && continues(n):
			// "where x is ..." belongs to the formula above.
			current = append(current, n)
			list[len(list)-1].HTML = apartFrom(current...)
			before = nil
		case p && !formula:
			current, before = nil, n
		default:
			lead := before
			if p && utf8.RuneCountInString(wording(asNothing, n)) > leads {
				lead = nil
			}
			before = nil
			pieces := split(n)
			if lead != nil {
				screen(lead, pieces[0])
			} else {
				screen(pieces[0])
			}
			for _, more := range pieces[1:] {
				screen(more)
			}
		}
	}
	return list
}

// leads is the minimum number of letters of a paragraph with a formula that needs no sentence
// before it.
const leads = 40

// continues reports whether a paragraph continues the sentence above it.
func continues(p *html.Node) bool {
	first, _ := utf8.DecodeRuneInString(wording(asTeX, p))
	return unicode.IsLower(first) && p.FirstChild.Type == html.TextNode
}

// screenful is the approximate number of letters that fit on a screen.
const screenful = 900

// split splits a list that is too long for a screen. Everything else stays whole, and scrolls if
// necessary.
func split(n *html.Node) []*html.Node {
	if !is(n, atom.Ul, atom.Ol) || size(n) <= screenful {
		return []*html.Node{n}
	}
	var pieces []*html.Node
	room, number := 0, 1
	if first, err := strconv.Atoi(value(n, "start")); err == nil {
		number = first
	}
	for _, item := range children(n) {
		s := size(item)
		if len(pieces) == 0 || is(item, atom.Li) && room > 0 && room+s > screenful {
			piece := &html.Node{Type: n.Type, Data: n.Data, DataAtom: n.DataAtom, Attr: slices.Clone(n.Attr)}
			if is(n, atom.Ol) && len(pieces) > 0 {
				set(piece, "start", strconv.Itoa(number))
			}
			pieces, room = append(pieces, piece), 0
		}
		n.RemoveChild(item)
		pieces[len(pieces)-1].AppendChild(item)
		room += s
		if is(item, atom.Li) {
			number++
		}
	}
	return pieces
}

// size returns the approximate length of a text in letters. A display formula takes the space of
// lines.
func size(n *html.Node) int {
	letters := utf8.RuneCountInString(wording(func(tex string) string { return tex[:len(tex)/3] }, n))
	if is(n, atom.Li) {
		letters = max(letters, 60) + 20
	}
	for d := range n.Descendants() {
		if isDisplay(d) {
			letters += 200
		}
	}
	return letters
}

// apartFrom separates nodes from their page: it removes identities and links to them. Links to
// other lectures lead to their pages. Folded boxes are open.
func apartFrom(nodes ...*html.Node) template.HTML {
	root := parse(render(nodes...))
	var links []*html.Node
	for d := range root.Descendants() {
		unset(d, "id")
		if href := value(d, "href"); is(d, atom.A) && strings.HasPrefix(href, "#") {
			links = append(links, d)
		} else if file, _, _ := strings.Cut(href, "#"); is(d, atom.A) && strings.HasSuffix(file, ".html") && !strings.Contains(file, "/") {
			set(d, "href", "../lectures/"+href)
		}
		if is(d, atom.Details) && hasClass(d, "slip") {
			set(d, "open", "")
		}
	}
	for _, a := range links {
		unwrap(a)
	}
	return template.HTML(inner(root))
}
