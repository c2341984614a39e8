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

	"github.com/gokernel/gokernel/cmd/gokernel/internal/page"
)

// A deck contains the slides of a lecture. Each element is a section, with its slides in order.
type deck [][]*slide

// slide is one screen of a deck.
type slide struct {
	Kind  string // title, section, or content
	Title template.HTML
	Parts []element     // from top to bottom
	Notes template.HTML // what the speaker says
}

// element is a part of a slide.
type element struct {
	Kind     string // text, code, output, or figure
	Class    string // of an output
	HTML     template.HTML
	Caption  template.HTML // of a figure
	Fragment bool          // the part appears at the next key
}

// These are the values of the property "Slide Type" of Jupyter's cells, which nbconvert honors too.
const (
	startsSlide    = "slide"
	startsSubslide = "subslide"
	isFragment     = "fragment"
	isSkip         = "skip"
	isNotes        = "notes"
)

// skipped lists the sections without slides, unless the author chose the slides.
var skipped = []string{"questions", "exercises", "references", "further"}

// addSlides adds the deck of a lecture.
func (b *builder) addSlides(l *lecture) error {
	p := struct {
		layout
		*lecture
		Deck deck
	}{layout: b.layout(l.Slides(), l.Label()+": slides"), lecture: l, Deck: l.deck()}
	p.Language, p.UsesMath, p.UsesFrames = l.Lang, l.Math, l.Frames
	if p.Policy != "" {
		var err error
		if p.Policy, err = page.DeckPolicy(); err != nil {
			return err
		}
	}
	return b.render("slides.html", l.Slides(), p)
}

// deck returns the slides of a lecture. If the author marked cells as slides, these cells are the
// deck, as with nbconvert. Otherwise, the deck shows the title, and the code, figures, formulas,
// lists and tables of each section. The rest of the text becomes speaker notes.
func (l *lecture) deck() deck {
	title := &slide{Kind: "title", Title: template.HTML(template.HTMLEscapeString(l.Title))}
	d := &director{deck: deck{{title}}, opening: wording(asTeX, parse(string(l.Opening)))}
	if slices.ContainsFunc(l.Blocks, func(v *block) bool { return v.Slide == startsSlide || v.Slide == startsSubslide }) {
		for _, v := range l.Blocks {
			d.follow(v)
		}
	} else {
		for _, v := range l.Blocks {
			d.choose(v)
		}
		d.end()
	}
	return slices.DeleteFunc(d.deck, func(stack []*slide) bool { return len(stack) == 0 })
}

// director makes a deck from the blocks of a lecture, in order.
type director struct {
	deck    deck
	title   template.HTML // the heading above
	skip    string        // the level of the heading whose section has no slides, "" in other sections
	opening string        // the text of the title slide
	// spoken is the text since the last slide.
	spoken []*html.Node
	// current is the text of the last slide, if the next paragraph may continue its sentence.
	current []*html.Node
}

// last returns the last slide.
func (d *director) last() *slide {
	stack := d.deck[len(d.deck)-1]
	return stack[len(stack)-1]
}

// add adds a slide to the current section. The text before it becomes its notes.
func (d *director) add(s *slide) *slide {
	n := len(d.deck) - 1
	d.deck[n] = append(d.deck[n], s)
	s.Notes += notes(d.spoken)
	d.spoken, d.current = nil, nil
	return s
}

// end turns the text since the last slide into speaker notes of that slide.
func (d *director) end() {
	d.last().Notes += notes(d.spoken)
	d.spoken, d.current = nil, nil
}

// lead takes the last paragraph that was spoken, if it is short enough to announce what follows.
func (d *director) lead() *html.Node {
	for i := len(d.spoken) - 1; i >= 0; i-- {
		n := d.spoken[i]
		if wording(asTeX, n) == "" {
			continue
		}
		if !is(n, atom.P) || utf8.RuneCountInString(wording(asDots, n)) > longestLead {
			return nil
		}
		d.spoken = d.spoken[:i]
		return n
	}
	return nil
}

// choose adds a block to a deck that the author did not arrange.
func (d *director) choose(v *block) {
	if v.Slide == isSkip {
		return
	}
	switch v.Kind {
	case "text":
		for _, n := range children(parse(string(v.HTML))) {
			if v.Slide == isNotes {
				d.spoken = append(d.spoken, n)
				continue
			}
			d.text(n, v.Slide == isFragment)
		}
	case "code":
		if d.skip != "" || v.tagged || v.Slide == isNotes {
			return
		}
		parts := v.parts()
		for i := 0; i < len(parts); {
			s := &slide{Kind: "content", Title: d.title}
			if i == 0 {
				if lead := d.lead(); lead != nil {
					s.Parts = append(s.Parts, element{Kind: "text", HTML: apartFrom(lead)})
				}
			}
			for room := 0; i < len(parts) && (room == 0 || room+parts[i].lines() <= screenLines); i++ {
				room += parts[i].lines()
				p := parts[i]
				p.Fragment = v.Slide == isFragment || p.Kind == "output" && len(s.Parts) > 0
				s.Parts = append(s.Parts, p)
			}
			d.add(s)
		}
	}
}

// text adds an element of a text: a slide for a section, a formula, a list, a table or code. The
// rest is spoken.
func (d *director) text(n *html.Node, fragment bool) {
	if isHeading(n) {
		d.end()
		if is(n, atom.H1) {
			return
		}
		title := apartFrom(children(n)...)
		if d.skip == "" || n.Data <= d.skip {
			if d.skip = ""; isSkipped(wording(asTeX, n)) {
				d.skip = n.Data
			}
		}
		if d.title = title; d.skip == "" && is(n, atom.H2) {
			d.deck = append(d.deck, nil)
			d.add(&slide{Kind: "section", Title: title})
		}
		return
	}
	if n.Type == html.TextNode && strings.TrimSpace(n.Data) != "" {
		bare := &html.Node{Type: html.ElementNode, Data: "p", DataAtom: atom.P}
		bare.AppendChild(&html.Node{Type: html.TextNode, Data: n.Data})
		n = bare
	}
	if d.skip != "" || n.Type != html.ElementNode || wording(asTeX, n) == "" && !has(n, isPicture) {
		return // also a line break, or an anchor
	}
	p := is(n, atom.P)
	formula := has(n, isDisplay)
	switch {
	case p && len(d.deck) == 1 && wording(asTeX, n) == d.opening:
	case hasClass(n, "slip"):
		d.spoken = append(d.spoken, n)
	case p && !formula && !has(n, isPicture) && !(d.current != nil && continues(n)):
		d.spoken, d.current = append(d.spoken, n), nil
	case p && !formula && d.current != nil && continues(n):
		// "where x is ..." belongs to the formula above.
		d.current = append(d.current, n)
		parts := d.last().Parts
		parts[len(parts)-1].HTML = apartFrom(d.current...)
	default:
		var nodes []*html.Node
		if !p || utf8.RuneCountInString(wording(asNothing, n)) <= leads {
			if lead := d.lead(); lead != nil {
				nodes = append(nodes, lead)
			}
		}
		for _, piece := range split(n) {
			nodes = append(nodes, piece)
			d.add(&slide{Kind: "content", Title: d.title, Parts: []element{{Kind: "text", HTML: apartFrom(nodes...), Fragment: fragment}}})
			d.current, nodes = nodes, nil
		}
	}
}

// follow adds a block to a deck that the author arranged.
func (d *director) follow(v *block) {
	if v.Slide == isSkip {
		return
	}
	var parts []element
	title := template.HTML("")
	switch v.Kind {
	case "text":
		var nodes []*html.Node
		for _, n := range children(parse(string(v.HTML))) {
			switch {
			case is(n, atom.H1):
			case isHeading(n) && title == "" && wording(asTeX, nodes...) == "":
				title = apartFrom(children(n)...)
			default:
				nodes = append(nodes, n)
			}
		}
		if v.Slide == isNotes {
			d.last().Notes += notes(children(parse(string(v.HTML))))
			return
		}
		if wording(asTeX, nodes...) != "" || slices.ContainsFunc(nodes, func(n *html.Node) bool { return has(n, isPicture) }) {
			parts = []element{{Kind: "text", HTML: apartFrom(nodes...)}}
		}
	case "code":
		if v.Slide == isNotes {
			return
		}
		parts = v.parts()
	}
	if v.Slide == startsSlide {
		d.deck, d.title = append(d.deck, nil), ""
	}
	starts := v.Slide == startsSlide || v.Slide == startsSubslide
	if len(parts) == 0 && title == "" {
		return
	}
	if starts || len(d.deck[len(d.deck)-1]) == 0 {
		if title != "" {
			d.title = title
		}
		kind := "content"
		if len(parts) == 0 {
			kind = "section"
		}
		d.add(&slide{Kind: kind, Title: d.title})
		title = ""
	}
	s := d.last()
	if title != "" {
		parts = append([]element{{Kind: "text", HTML: "<h3>" + title + "</h3>"}}, parts...)
	}
	if s.Kind == "section" && len(parts) > 0 {
		s.Kind = "content"
	}
	for _, p := range parts {
		p.Fragment = v.Slide == isFragment
		s.Parts = append(s.Parts, p)
	}
}

// parts returns the code of a block, unless it is folded, and its outputs.
func (v *block) parts() (list []element) {
	if v.Summary == "" && v.Code != "" {
		for _, code := range splitCode(string(v.Code)) {
			list = append(list, element{Kind: "code", HTML: template.HTML(code)})
		}
	}
	for _, o := range v.Outputs {
		p := element{Kind: "output", Class: o.Class, HTML: o.HTML}
		if o.Figure != nil {
			p.Kind, p.Caption = "figure", apartFrom(children(parse(string(o.Figure.Caption)))...)
		}
		if nodes := children(parse(string(o.HTML))); len(nodes) == 1 && is(nodes[0], atom.Pre) {
			for _, pre := range splitPre(nodes[0]) {
				p.HTML = template.HTML(render(pre))
				list = append(list, p)
			}
			continue
		}
		list = append(list, p)
	}
	return list
}

// These sizes limit what a slide shows on one screen.
const (
	screenLines = 22  // lines of code and output
	screenful   = 900 // letters of a list
	longestLead = 420 // letters of a paragraph that announces what follows
	leads       = 40  // minimum number of letters of a paragraph with a formula that needs no sentence before it
)

// lines returns the approximate height of a part in lines of code.
func (p element) lines() int {
	switch p.Kind {
	case "code":
		return strings.Count(strings.TrimSpace(string(p.HTML)), "\n") + 2
	case "figure":
		return screenLines
	}
	n := 1.0
	for e := range parse(string(p.HTML)).Descendants() {
		switch {
		case is(e, atom.Tr):
			n += 1.5
		case is(e, atom.Li, atom.P, atom.Svg):
			n++
		case is(e, atom.Img, atom.Video):
			n += screenLines / 2
		case e.Type == html.TextNode:
			n += float64(strings.Count(strings.TrimSpace(e.Data), "\n"))
		}
	}
	return int(n)
}

// splitCode splits code that is too long for a screen, if possible before a line without
// indentation after an empty line. It splits only between elements, so that all HTML remains valid.
func splitCode(code string) []string {
	code = strings.Trim(code, "\n")
	if strings.Count(code, "\n") < screenLines {
		return []string{code}
	}
	type place struct {
		node   *html.Node
		offset int
		line   int
		good   bool
	}
	root := parse("<pre>\n" + code + "</pre>").FirstChild
	var places []place
	line := 0
	for _, n := range children(root) {
		if n.Type != html.TextNode {
			line += strings.Count(wording(asTeX, n), "\n")
			for d := range n.Descendants() {
				line += strings.Count(d.Data, "\n")
			}
			continue
		}
		for i, c := range n.Data {
			if c == '\n' {
				line++
				places = append(places, place{n, i + 1, line, strings.HasSuffix(n.Data[:i+1], "\n\n") && !strings.HasPrefix(n.Data[i+1:], "\t")})
			}
		}
	}
	// For each screen, choose the last good place in its second half or, if there is none, its last
	// place.
	var cuts []place
	start := 0
	for line-start >= screenLines {
		var best *place
		for i, p := range places {
			if p.line <= start || p.line-start > screenLines-2 {
				continue
			}
			if best == nil || p.good && p.line-start > screenLines/3 || !best.good {
				best = &places[i]
			}
		}
		if best == nil {
			break
		}
		cuts = append(cuts, *best)
		start = best.line
	}
	var pieces []string
	var b strings.Builder
	for _, n := range children(root) {
		if n.Type != html.TextNode {
			b.WriteString(render(n))
			continue
		}
		from := 0
		for _, c := range cuts {
			if c.node == n {
				b.WriteString(template.HTMLEscapeString(n.Data[from:c.offset]))
				pieces = append(pieces, strings.TrimRight(b.String(), "\n"))
				b.Reset()
				from = c.offset
			}
		}
		b.WriteString(template.HTMLEscapeString(n.Data[from:]))
	}
	return append(pieces, strings.Trim(b.String(), "\n"))
}

// notes returns text for the speaker view; the view has no links and no style sheet for formulas.
func notes(nodes []*html.Node) template.HTML {
	if wording(asTeX, nodes...) == "" {
		return ""
	}
	root := parse(string(apartFrom(nodes...)))
	var formulas, links []*html.Node
	for d := range root.Descendants() {
		if isMath(d) {
			formulas = append(formulas, d)
		}
		if is(d, atom.A) {
			links = append(links, d)
		}
	}
	for _, a := range links {
		unwrap(a)
	}
	for _, f := range formulas {
		replace(f, &html.Node{Type: html.TextNode, Data: "$" + wording(asTeX, children(f)...) + "$"})
	}
	return template.HTML(inner(root))
}

func isHeading(n *html.Node) bool {
	return is(n, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6)
}

func isPicture(n *html.Node) bool { return is(n, atom.Img, atom.Svg, atom.Video, atom.Audio) }

func isSkipped(heading string) bool {
	h := strings.ToLower(heading)
	return slices.ContainsFunc(skipped, func(s string) bool { return strings.Contains(h, s) })
}

// continues reports whether a paragraph continues the sentence above it.
func continues(p *html.Node) bool {
	first, _ := utf8.DecodeRuneInString(wording(asTeX, p))
	return unicode.IsLower(first) && p.FirstChild.Type == html.TextNode
}

// split splits a list or code that is too long for a screen. Everything else stays whole.
func split(n *html.Node) []*html.Node {
	if is(n, atom.Pre) {
		return splitPre(n)
	}
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

// splitPre splits preformatted text that is too long for a screen.
func splitPre(pre *html.Node) (pieces []*html.Node) {
	code := pre
	if children(pre) != nil && is(pre.FirstChild, atom.Code) && pre.FirstChild.NextSibling == nil {
		code = pre.FirstChild
	}
	for _, text := range splitCode(inner(code)) {
		piece := &html.Node{Type: pre.Type, Data: pre.Data, DataAtom: pre.DataAtom, Attr: slices.Clone(pre.Attr)}
		to := piece
		if code != pre {
			to = &html.Node{Type: code.Type, Data: code.Data, DataAtom: code.DataAtom, Attr: slices.Clone(code.Attr)}
			piece.AppendChild(to)
		}
		for _, n := range children(parse("<pre>\n" + text + "</pre>").FirstChild) {
			n.Parent.RemoveChild(n)
			to.AppendChild(n)
		}
		pieces = append(pieces, piece)
	}
	return pieces
}

// size returns the approximate length of a text in letters. A display formula counts as 200
// additional letters, because it takes the space of several lines.
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

// apartFrom returns nodes in a form that can be shown outside their page. It removes IDs and the
// links to them, lets links to other lectures lead to the pages of these lectures, and opens folded
// boxes.
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
