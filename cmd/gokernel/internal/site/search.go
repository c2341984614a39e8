package site

import (
	"bytes"
	"context"
	"encoding/json"
	"html"
	"regexp"
	"strings"
)

// entry is something that can be found.
type entry struct {
	Title string `json:"t"`
	In    string `json:"i"`
	URL   string `json:"u"`
	Text  string `json:"x"`
	Kind  string `json:"k"`
}

// sectionText is how much text of a section is searched.
const sectionText = 6000

var sectionStart = regexp.MustCompile(`<h([1-6]) id="([^"]*)">(.*?)</h[1-6]>`)

// addSearch makes the page of the search and what it searches, a script, since pages
// that are opened from a disk may read nothing else.
func (b *builder) addSearch(context.Context) error {
	var all []entry
	for _, l := range b.lectures {
		all = append(all, l.searchable()...)
	}
	all = append(all, b.search...)
	var out bytes.Buffer
	out.WriteString("const searchable = ")
	e := json.NewEncoder(&out)
	if err := e.Encode(all); err != nil {
		return err
	}
	b.files["assets/searchable.js"] = append(bytes.TrimRight(out.Bytes(), "\n"), ";\n"...)
	return b.render("search.html", "search.html", b.layout("search.html", "Search"))
}

// searchable gives the sections and figures of a lecture.
func (l *lecture) searchable() []entry {
	all := []entry{{Title: l.Title, In: l.Number, URL: l.Page(), Kind: "lecture"}}
	add := func(text string) {
		at := &all[len(all)-1]
		if text = searchable(text); text != "" && len(at.Text) < sectionText {
			at.Text = strings.TrimSpace(at.Text + " " + text)
		}
	}
	for _, v := range l.Blocks {
		if v.Kind != "text" {
			continue
		}
		text := string(v.HTML)
		for {
			m := sectionStart.FindStringSubmatchIndex(text)
			if m == nil {
				break
			}
			add(text[:m[0]])
			if text[m[2]:m[3]] != "1" {
				all = append(all, entry{Title: plainText(text[m[6]:m[7]]), In: l.Label(), URL: l.Page() + "#" + text[m[4]:m[5]], Kind: "section"})
			}
			text = text[m[1]:]
		}
		add(text)
	}
	for _, f := range l.Figures {
		if f.Number != "" {
			all = append(all, entry{Title: f.Label(), In: l.Label(), URL: l.Page() + "#" + f.ID, Text: searchable(string(f.Caption)), Kind: "figure"})
		}
	}
	return all
}

// searchable is the text of HTML that is shown in results, where dots stand for formulas.
func searchable(s string) string { return plainText(tex.ReplaceAllString(s, "…")) }

// plainText is the text of HTML, without its formulas.
func plainText(s string) string {
	s = scripts.ReplaceAllString(s, " ")
	s = tex.ReplaceAllString(s, " ")
	return strings.Join(strings.Fields(html.UnescapeString(tag.ReplaceAllString(s, " "))), " ")
}
