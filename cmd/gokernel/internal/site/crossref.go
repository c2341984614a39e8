package site

import (
	"encoding/base64"
	"html/template"
	"math"
	"strings"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/page"
	"github.com/gokernel/gokernel/internal/pattern"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

func decode64(s string) ([]byte, error) {
	return base64.StdEncoding.DecodeString(strings.Join(strings.Fields(s), ""))
}

var (
	sectionNumber = pattern.New(`^(\d+)\. `)
	// mention matches a reference to a figure or a section in a text: "figures 3 and 4".
	mention = pattern.New(`\b([Ff]igures?|[Ss]ections?)[ \x{a0}](\d+)((?:(?:, and|,| and| or| to)[ \x{a0}]\d+)*)`)
	digits  = pattern.New(`\d+`)
	// elsewhere matches text after a reference to another lecture or book.
	elsewhere = pattern.New(`^\s+(?:of|in)\s+(?:<|\[|N\d|the (?:notes|book)|lecture|chapter)`)
)

// number collects the sections for the table of contents, and turns references to figures and
// sections into links.
func (l *lecture) number(headings []page.Heading) {
	targets := map[string]string{}
	for _, h := range headings {
		if h.Level == 2 || h.Level == 3 {
			l.Sections = append(l.Sections, h)
		}
		if m := sectionNumber().FindStringSubmatch(h.Text); m != nil && h.Level == 2 {
			targets["section "+m[1]] = "#" + h.ID
		}
	}
	for _, f := range l.Figures {
		for _, n := range digits().FindAllString(f.Number, -1) {
			targets["figure "+n] = "#figure-" + n
		}
	}
	for _, v := range l.Blocks {
		if v.Kind == "text" {
			v.HTML = template.HTML(crossref(string(v.HTML), targets))
		}
	}
	for _, f := range l.Figures {
		f.Caption = template.HTML(crossref(string(f.Caption), targets))
	}
}

// isApart reports whether the text of an element stays unchanged.
func isApart(n *html.Node) bool {
	return isHeading(n) || isMath(n) || is(n, atom.A, atom.Code, atom.Pre, atom.Summary, atom.Script, atom.Style, atom.Svg)
}

// crossref converts references in a text to links if their targets exist.
func crossref(text string, targets map[string]string) string {
	root := parse(text)
	var visit func(n *html.Node)
	visit = func(n *html.Node) {
		for _, c := range children(n) {
			switch {
			case c.Type == html.TextNode:
				rest := ""
				if c.NextSibling != nil {
					rest = "<"
				}
				if linked := mentions(html.EscapeString(c.Data), rest, targets); strings.Contains(linked, "<") {
					replace(c, children(parse(linked))...)
				}
			case !isApart(c):
				visit(c)
			}
		}
	}
	visit(root)
	return inner(root)
}

// mentions links the references to figures and sections in a piece of text; rest is "<" if an
// element follows.
func mentions(text, rest string, targets map[string]string) string {
	var out strings.Builder
	at := 0
	for _, m := range mention().FindAllStringSubmatchIndex(text, -1) {
		if elsewhere().MatchString(text[m[1]:]+rest) || theFigure(text[:m[0]]) {
			continue
		}
		kind := strings.TrimSuffix(strings.ToLower(text[m[2]:m[3]]), "s")
		out.WriteString(text[at:m[0]])
		first := true
		out.WriteString(digits().ReplaceAllStringFunc(text[m[0]:m[1]], func(n string) string {
			target := targets[kind+" "+n]
			if target == "" {
				return n
			}
			if first && len(m) > 6 && m[6] == m[7] {
				return "\x00" + target + "\x01" + n + "\x02"
			}
			first = false
			return `<a href="` + target + `">` + n + `</a>`
		}))
		at = m[1]
	}
	out.WriteString(text[at:])
	return whole(out.String())
}

// theFigure reports whether the text before makes the number part of another phrase: "in the figure
// 37 edges join".
func theFigure(before string) bool { return strings.HasSuffix(before, "the ") }

var marked = pattern.New("((?:[Ff]igures?|[Ss]ections?)[ \u00a0])\x00([^\x01]*)\x01(\\d+)\x02")

// whole links both the word and the number if there is only one number.
func whole(s string) string { return marked().ReplaceAllString(s, `<a href="$2">$1$3</a>`) }

// These rates determine the reading time.
const (
	wordsPerMinute = 170
	linesPerMinute = 12
	figureMinutes  = 0.4
)

// measure computes the reading time of the lecture, in steps of five minutes.
func (l *lecture) measure() {
	if l.entry != nil && l.entry.Minutes > 0 {
		l.Minutes = l.entry.Minutes
		return
	}
	minutes := figureMinutes * float64(len(l.Figures))
	for _, v := range l.Blocks {
		switch {
		case v.Kind == "text":
			minutes += float64(len(strings.Fields(wording(asTeX, parse(string(v.HTML)))))) / wordsPerMinute
		case v.Kind == "code" && v.Summary == "":
			minutes += float64(v.Lines) / linesPerMinute
		}
	}
	l.Minutes = max(5, 5*int(math.Round(minutes/5)))
}

// choose selects the picture and the paragraph that represent the lecture.
func (l *lecture) choose() {
	for _, f := range l.Figures {
		if f.Address == "" {
			continue
		}
		if l.Thumbnail == nil || l.entry != nil && l.entry.Figure == f.Cell {
			l.Thumbnail = f
		}
	}
	for _, v := range l.Blocks {
		for n := range parse(string(v.HTML)).Descendants() {
			if is(n, atom.P) {
				l.Opening = template.HTML(html.EscapeString(wording(asTeX, n)))
				return
			}
		}
	}
}
