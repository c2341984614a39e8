package site

import (
	"context"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/page"
	"github.com/gokernel/gokernel/internal/pattern"
	"github.com/gokernel/gokernel/interp/symbols"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// addIndexes adds the gallery and the indexes. An index with a problem has no page. The links of
// menus to it are not further problems.
func (b *builder) addIndexes(ctx context.Context) error {
	for _, index := range []struct {
		add   func() error
		pages []string
	}{
		{func() error { return b.addHomework(ctx) }, []string{"homework.html", policyPage}}, {b.addGallery, nil},
		{b.addGlossary, []string{"glossary.html"}}, {b.addBibliography, []string{"bibliography.html"}},
		{b.addSlipsIndex, []string{"slips.html"}}, {b.addData, []string{"data.html"}}, {b.addDocs, []string{"docs/index.html"}},
	} {
		if err := index.add(); err != nil {
			b.fault(err)
			for _, page := range index.pages {
				b.promised[page] = true
			}
		}
	}
	return nil
}

// addGallery adds the page of all figures.
func (b *builder) addGallery() error {
	p := struct {
		layout
		With  []*lecture
		Count int
	}{layout: b.layout("gallery.html", "Gallery")}
	for _, l := range b.lectures {
		if len(l.Figures) > 0 {
			p.With = append(p.With, l)
			p.Count += len(l.Figures)
			p.UsesMath = p.UsesMath || l.Math
		}
	}
	return b.render("gallery.html", "gallery.html", p)
}

// Unlinked returns the caption without links, for other pages.
func (f *figure) Unlinked() template.HTML {
	root := parse(string(f.Caption))
	var links []*html.Node
	for n := range root.Descendants() {
		if is(n, atom.A) {
			links = append(links, n)
		}
	}
	for _, a := range links {
		unwrap(a)
	}
	return template.HTML(inner(root))
}

// read returns the contents of a file whose path is in the course file.
func (b *builder) read(name string) (string, error) {
	text, err := os.ReadFile(filepath.Join(b.Dir, filepath.FromSlash(name)))
	if err != nil {
		return "", wrong(b.in(courseFile), fmt.Sprintf("%s names a file that can't be read: %v", courseFile, err), "correct the path, or remove the field")
	}
	return string(text), nil
}

// markdown converts a text that belongs to no lecture, for a page in the top directory of the site.
func (b *builder) markdown(text string) *page.Body {
	return page.Convert(&notebook.Notebook{Cells: []*notebook.Cell{{ID: "text", Type: notebook.Markdown, Source: text}}}, "", page.Options{
		Name: func(pkg, n string) string { return b.api.page(pkg, n) },
	})
}

func (b *builder) inline(text string) (template.HTML, bool) {
	body := b.markdown(text)
	if len(body.Cells) == 0 {
		return "", false
	}
	s := strings.TrimSpace(string(body.Cells[0].Source))
	return template.HTML(strings.TrimSuffix(strings.TrimPrefix(s, "<p>"), "</p>")), body.Math
}

// word is a row of the glossary or of the notation.
type word struct {
	ID       string
	Term     template.HTML
	Meaning  template.HTML
	Lectures []*lecture
}

// rows returns the rows of all tables in a Markdown text, without the header rows. Each row is the
// list of its cells.
func rows(text string) (all [][]string) {
	head := true
	for l := range strings.Lines(text) {
		l = strings.TrimSpace(l)
		if !strings.HasPrefix(l, "|") {
			head = true
			continue
		}
		l = strings.ReplaceAll(strings.Trim(l, "|"), `\|`, "\x00")
		cells := strings.Split(l, "|")
		for i, c := range cells {
			cells[i] = strings.TrimSpace(strings.ReplaceAll(c, "\x00", "|"))
		}
		if strings.Trim(cells[0], "-: ") == "" {
			head = false
			continue
		}
		if !head {
			all = append(all, cells)
		}
	}
	return all
}

// words reads a table of terms, meanings, and the numbers of lectures.
func (b *builder) words(file, prefix string) (list []word, math bool, err error) {
	if file == "" {
		return nil, false, nil
	}
	text, err := b.read(file)
	if err != nil {
		return nil, false, err
	}
	for i, r := range rows(text) {
		if len(r) != 3 {
			b.fault(wrong(fmt.Sprintf("%s, row %d", b.in(file), i+1), fmt.Sprintf("a row must have a term, its meaning, and the lectures, got %d cells", len(r)), "correct the row"))
			continue
		}
		w := word{ID: prefix + anchor(r[0])}
		if slices.ContainsFunc(list, func(o word) bool { return o.ID == w.ID }) {
			w.ID += fmt.Sprint("-", i+1)
		}
		var m1, m2 bool
		w.Term, m1 = b.inline(r[0])
		w.Meaning, m2 = b.inline(r[1])
		math = math || m1 || m2
		for _, id := range strings.FieldsFunc(r[2], func(c rune) bool { return c == ',' || c == ' ' }) {
			for _, l := range b.lectures {
				if l.Number == id {
					w.Lectures = append(w.Lectures, l)
				}
			}
		}
		list = append(list, w)
		b.search = append(b.search, entry{Title: plainText(string(w.Term)), In: "Glossary", URL: "glossary.html#" + w.ID, Text: searchable(string(w.Meaning)), Kind: "term"})
	}
	return list, math, nil
}

var notWord = pattern.New(`[^a-z0-9]+`)

// anchor returns an ID for an element, derived from a text.
func anchor(s string) string {
	return strings.Trim(notWord().ReplaceAllString(strings.ToLower(s), "-"), "-")
}

// addGlossary adds the page with the glossary and the notation.
func (b *builder) addGlossary() error {
	if b.course.Glossary == "" && b.course.Notation == "" {
		return nil
	}
	terms, math1, err := b.words(b.course.Glossary, "term-")
	if err != nil {
		return err
	}
	signs, math2, err := b.words(b.course.Notation, "sign-")
	if err != nil {
		return err
	}
	p := struct {
		layout
		Terms, Signs []word
	}{b.layout("glossary.html", "Glossary and notation"), terms, signs}
	p.UsesMath = math1 || math2
	return b.render("glossary.html", "glossary.html", p)
}

// references are the sources cited by the library.
type references struct {
	groups []*group2
	byKey  map[string]*reference
}

type group2 struct {
	Title string
	List  []*reference
}

type reference struct {
	Key   string
	Text  template.HTML
	Cited []*name
}

var referenceLine = pattern.New(`^- \[([^\]]+)\]\s+(.*)$`)

// readReferences reads the list of sources.
func (b *builder) readReferences() error {
	b.sources.byKey = map[string]*reference{}
	if b.course.References == "" {
		return nil
	}
	text, err := b.read(b.course.References)
	if err != nil {
		return err
	}
	for l := range strings.Lines(text) {
		l = strings.TrimRight(l, "\n")
		if title, ok := strings.CutPrefix(l, "## "); ok {
			b.sources.groups = append(b.sources.groups, &group2{Title: title})
		}
		m := referenceLine().FindStringSubmatch(l)
		if m == nil || len(b.sources.groups) == 0 || b.sources.byKey[m[1]] != nil {
			continue
		}
		r := &reference{Key: m[1]}
		r.Text, _ = b.inline(m[2])
		g := b.sources.groups[len(b.sources.groups)-1]
		g.List = append(g.List, r)
		b.sources.byKey[r.Key] = r
	}
	return nil
}

func (r *references) has(key string) bool { return r.byKey[key] != nil }

func (r *references) cite(key string, v *name) {
	if ref := r.byKey[key]; !slices.Contains(ref.Cited, v) {
		ref.Cited = append(ref.Cited, v)
	}
}

func (b *builder) addBibliography() error {
	if b.course.References == "" {
		return nil
	}
	for _, g := range b.sources.groups {
		for _, r := range g.List {
			b.search = append(b.search, entry{Title: r.Key, In: "Bibliography", URL: "bibliography.html#" + r.Key, Text: searchable(string(r.Text)), Kind: "reference"})
		}
	}
	return b.render("bibliography.html", "bibliography.html", struct {
		layout
		Groups []*group2
		Count  int
	}{b.layout("bibliography.html", "Bibliography"), b.sources.groups, len(b.sources.byKey)})
}

// mistake is a row of the table of mistakes in the notes.
type mistake struct {
	ID, Place, Said, Right string
	Boxes                  []*slip
	Names                  []*name
	note, line             int
}

// addSlipsIndex adds the index of mistakes: their places in the notes, the corrections, the boxes
// of lectures about them, and the correct names of the library.
func (b *builder) addSlipsIndex() error {
	if b.course.Slips == "" {
		return nil
	}
	text, err := b.read(b.course.Slips)
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	column := map[string]int{}
	for i, c := range strings.Split(lines[0], "\t") {
		column[c] = i
	}
	for _, c := range []string{"id", "notes", "said", "right", "symbols"} {
		if _, ok := column[c]; !ok {
			return wrong(b.in(b.course.Slips), b.course.Slips+" has no column "+c, "add the column to the first line")
		}
	}
	var list []*mistake
	for _, l := range lines[1:] {
		f := strings.Split(l, "\t")
		m := &mistake{ID: f[column["id"]], Place: f[column["notes"]], Said: f[column["said"]], Right: f[column["right"]]}
		m.places(b.lectures)
		for _, s := range strings.Split(f[column["symbols"]], ", ") {
			if v := b.api.of["mlstd/"+s]; v != nil {
				m.Names = append(m.Names, v)
			}
		}
		list = append(list, m)
	}
	slices.SortStableFunc(list, func(a, b *mistake) int { return (a.note-b.note)*100000 + a.line - b.line })
	told := 0
	for _, m := range list {
		if len(m.Boxes) > 0 {
			told++
		}
	}
	return b.render("slips.html", "slips.html", struct {
		layout
		List []*mistake
		Told int
	}{b.layout("slips.html", "Slips of the notes"), list, told})
}

var noteOf = pattern.New(`(\d)\d*:L(\d+)(?:-(\d+))?|L(\d+)(?:-(\d+))?`)

// places parses the places of the mistake in the notes, and finds the boxes about it.
func (m *mistake) places(lectures []*lecture) {
	note := -1
	for _, at := range noteOf().FindAllStringSubmatch(m.Place, -1) {
		first, last := at[2], at[3]
		if at[2] == "" {
			first, last = at[4], at[5]
		} else {
			full, _, _ := strings.Cut(at[0], ":")
			note, _ = strconv.Atoi(full)
		}
		where := line{Note: note}
		where.First, _ = strconv.Atoi(first)
		where.Last = where.First
		if last != "" {
			where.Last, _ = strconv.Atoi(last)
		}
		if m.line == 0 {
			m.note, m.line = where.Note, where.First
		}
		for _, l := range lectures {
			for _, s := range l.Slips {
				if slices.ContainsFunc(s.Lines, where.meets) && !slices.Contains(m.Boxes, s) {
					m.Boxes = append(m.Boxes, s)
				}
			}
		}
	}
	m.Place = readable(m.Place)
}

var placeOf = pattern.New(`0*(\d):L`)

// readable formats a place as in the lectures.
func readable(place string) string {
	place = placeOf().ReplaceAllString(place, "Notes $1, line\u00a0")
	place = strings.ReplaceAll(place, "-", "–")
	return strings.ReplaceAll(strings.ReplaceAll(place, "00Notes", "Notes"), " L", " ")
}

// dataSet is a data set of the library.
type dataSet struct {
	Name                         *name
	About, Source, License, Size string
}

// addData adds the page of data sets.
func (b *builder) addData() error {
	p := struct {
		layout
		Sets  []dataSet
		Drawn []generator
		Text  template.HTML
	}{layout: b.layout("data.html", "Data sets"), Sets: b.dataSets(), Drawn: b.generators()}
	if b.course.Data != "" {
		text, err := b.read(b.course.Data)
		if err != nil {
			return err
		}
		_, text, _ = strings.Cut(text, "\n")
		body := b.markdown(text)
		if len(body.Cells) > 0 {
			p.Text = body.Cells[0].Source
		}
	}
	return b.render("data.html", "data.html", p)
}

// dataSets calls the functions of the library that return a built-in data set.
func (b *builder) dataSets() (all []dataSet) {
	ml, ok := symbols.Lookup(facade)
	if !ok {
		return nil
	}
	for n, f := range ml.All() {
		t := f.Type()
		v := b.api.byPath["ml."+n]
		if v == nil || t.Kind() != reflect.Func || t.NumIn() != 0 || t.NumOut() != 1 || !isData(t.Out(0)) {
			continue
		}
		d := f.Call(nil)[0]
		get := func(field string) string { return d.Elem().FieldByName(field).String() }
		s := dataSet{Name: v, About: get("Description"), Source: get("Source"), License: get("License")}
		if size := d.MethodByName("Len"); size.IsValid() {
			s.Size = fmt.Sprint(size.Call(nil)[0])
		} else if texts := d.Elem().FieldByName("Texts"); texts.IsValid() {
			s.Size = fmt.Sprint(texts.Len())
		}
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b dataSet) int { return strings.Compare(a.Name.Name, b.Name.Name) })
	return all
}

// isData reports whether a type is a data set.
func isData(t reflect.Type) bool {
	return t.Kind() == reflect.Pointer && (t.Elem().Name() == "Dataset" || t.Elem().Name() == "TextSet")
}

// generator is a function of the library that draws data.
type generator struct {
	Name      *name
	Arguments string
}

// generators finds the functions that draw data: they return data, and a seed is their last
// argument.
func (b *builder) generators() (all []generator) {
	ml, ok := symbols.Lookup(facade)
	if !ok {
		return nil
	}
	for n, f := range ml.All() {
		t := f.Type()
		v := b.api.byPath["ml."+n]
		if v == nil || v.Family != "data" || t.Kind() != reflect.Func || t.NumIn() == 0 || t.In(t.NumIn()-1).Kind() != reflect.Uint64 || t.NumOut() != 1 {
			continue
		}
		arguments := v.decl[strings.Index(v.decl, "(")+1 : strings.LastIndex(v.decl, ")")]
		all = append(all, generator{v, arguments})
	}
	slices.SortFunc(all, func(a, b generator) int { return strings.Compare(a.Name.Name, b.Name.Name) })
	return all
}
