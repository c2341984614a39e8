package site

import (
	"html/template"
	"regexp"
	"strings"
)

// slide is one screen of a lecture.
type slide struct {
	Kind    string // title, section, text, figure
	Title   template.HTML
	HTML    template.HTML
	Figure  *shown
	Caption template.HTML
}

var (
	boxes    = regexp.MustCompile(`(?s)<aside class="slip" id="[^"]*"(.*?)</aside>`)
	innerIDs = regexp.MustCompile(`\sid="[^"]*"`)
	inPage   = regexp.MustCompile(`<a href="#[^"]*">(.*?)</a>`)
	topLevel = regexp.MustCompile(`(?s)<(p|ol|ul|table|blockquote|span class="math display")[ >].*?</(?:p|ol|ul|table|blockquote|span)>`)
)

// skipped are the sections that are no matter for slides.
var skipped = []string{"questions", "exercises", "references", "further"}

// addSlides makes the slides of a lecture: its title, a screen for each section with
// what it begins with, each figure with its caption, the formulas that stand alone
// with the sentence before them, and the summary.
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
			text := string(v.HTML)
			for {
				m := sectionStart.FindStringSubmatchIndex(text)
				before := text
				if m != nil {
					before = text[:m[0]]
				}
				if !skip {
					list = append(list, texts(title, before)...)
				}
				if m == nil {
					break
				}
				level, heading := text[m[2]:m[3]], text[m[6]:m[7]]
				text = text[m[1]:]
				if level == "1" {
					continue
				}
				title, skip = template.HTML(heading), isSkipped(heading)
				if !skip && level == "2" {
					list = append(list, slide{Kind: "section", Title: title})
				}
			}
		case "code":
			for _, o := range v.Outputs {
				if o.Figure != nil && o.Figure.Number != "" && !skip {
					list = append(list, slide{Kind: "figure", Title: title, Figure: o, Caption: apartFrom(string(o.Figure.Caption))})
				}
			}
		}
	}
	return list
}

func isSkipped(heading string) bool {
	h := strings.ToLower(heading)
	for _, s := range skipped {
		if strings.Contains(h, s) {
			return true
		}
	}
	return false
}

// texts gives the screens of a piece of text: lists, displayed formulas with what leads
// to them, and boxes.
func texts(title template.HTML, text string) (list []slide) {
	for _, m := range boxes.FindAllString(text, -1) {
		list = append(list, slide{Kind: "text", Title: title, HTML: apartFrom(m)})
	}
	text = boxes.ReplaceAllString(text, "")
	before := ""
	for _, m := range topLevel.FindAllString(text, -1) {
		formula := strings.Contains(m, `class="math display"`)
		if formula || strings.HasPrefix(m, "<ol") || strings.HasPrefix(m, "<ul") || strings.HasPrefix(m, "<table") {
			if !strings.HasPrefix(before, "<p") || formula && strings.HasPrefix(m, "<p>") && len(plainText(m)) > 40 {
				before = ""
			}
			list = append(list, slide{Kind: "text", Title: title, HTML: apartFrom(before + m)})
			before = ""
			continue
		}
		before = m
	}
	return list
}

// apartFrom takes a piece out of its page: without identities, and without links to them.
func apartFrom(s string) template.HTML {
	return template.HTML(inPage.ReplaceAllString(innerIDs.ReplaceAllString(s, ""), "$1"))
}
