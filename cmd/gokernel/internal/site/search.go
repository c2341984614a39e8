package site

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// entry is a search entry.
type entry struct {
	Title string `json:"t"`
	In    string `json:"i"`
	URL   string `json:"u"`
	Text  string `json:"x"`
	Kind  string `json:"k"`
}

// sectionText is the maximum length of a section's text in the search.
const sectionText = 6000

// addSearch adds the search page and its data as a script, because pages opened from a disk can't
// load other files.
func (b *builder) addSearch(context.Context) error {
	var all []entry
	for _, l := range b.lectures {
		all = append(all, l.searchable()...)
	}
	all = append(all, b.search...)
	for _, p := range []entry{{Title: "Gallery", URL: "gallery.html"}, {Title: "Library", URL: "api/index.html"}, {Title: "Data sets", URL: "data.html"}} {
		p.Kind = "page"
		all = append(all, p)
	}
	var out bytes.Buffer
	out.WriteString("const searchable = ")
	e := json.NewEncoder(&out)
	if err := e.Encode(all); err != nil {
		return err
	}
	b.files["assets/searchable.js"] = append(bytes.TrimRight(out.Bytes(), "\n"), ";\n"...)
	return b.render("search.html", "search.html", b.layout("search.html", "Search"))
}

// searchable returns the sections and figures of a lecture.
func (l *lecture) searchable() []entry {
	all := []entry{{Title: l.Title, In: l.Number, URL: l.Page(), Kind: "lecture"}}
	add := func(n *html.Node) {
		at := &all[len(all)-1]
		if text := wording(asDots, n); text != "" && len(at.Text) < sectionText {
			at.Text = strings.TrimSpace(at.Text + " " + text)
		}
	}
	for _, v := range l.Blocks {
		if v.Kind != "text" {
			continue
		}
		for _, n := range children(parse(string(v.HTML))) {
			switch id := value(n, "id"); {
			case !isHeading(n) || id == "":
				add(n)
			case !is(n, atom.H1):
				all = append(all, entry{Title: wording(asNothing, n), In: l.Label(), URL: l.Page() + "#" + id, Kind: "section"})
			}
		}
	}
	for _, f := range l.Figures {
		if f.Number != "" {
			all = append(all, entry{Title: f.Label(), In: l.Label(), URL: l.Page() + "#" + f.ID, Text: searchable(string(f.Caption)), Kind: "figure"})
		}
	}
	return all
}
