package site

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/page"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/spelling"
	"github.com/gokernel/gokernel/internal/pattern"
)

// Finding is a mistake in the text of a notebook.
type Finding struct {
	Cell string // the ID of the cell
	What string // "links to x, which is not there"
}

// CheckText checks the text of a notebook in a file: broken links, missing figures and sections,
// items that are not in the catalogue of the course, and misspelled words.
func CheckText(name string, nb *notebook.Notebook) (found []Finding, err error) {
	dir := filepath.Dir(name)
	b := &builder{Options: Options{Dir: dir}}
	if err := b.readCourse(context.Background()); err != nil {
		return nil, err
	}
	if err := errors.Join(b.faults...); err != nil {
		return nil, err
	}
	items, err := b.catalogue()
	if err != nil {
		return nil, err
	}
	own := placesOf(nb)
	_, faults := page.Equations(nb)
	for _, f := range faults {
		found = append(found, Finding{f.Cell, "has a wrong reference: " + f.What})
	}
	for _, c := range nb.Cells {
		say := func(format string, args ...any) { found = append(found, Finding{c.ID, fmt.Sprintf(format, args...)}) }
		ids, _ := c.Metadata["catalogue"].([]any)
		for _, id := range ids {
			if items != nil && !items[fmt.Sprint(id)] {
				say("names %v, which %s does not have", id, b.course.Catalogue)
			}
		}
		if c.Type != notebook.Markdown {
			continue
		}
		for _, address := range addressesOf(c.Source) {
			if why := b.leads(address, own); why != "" {
				say("links to %s, %s", address, why)
			}
		}
		for _, what := range missing(c.Source, own) {
			say("names %s, which is not there", what)
		}
		faults, err := spelling.Check(c.Source)
		if err != nil {
			return nil, err
		}
		if l, _ := nb.Metadata["lang"].(string); l == "" || strings.HasPrefix(l, "en") {
			for _, f := range faults {
				say("has %q: did you mean %q?", f.Word, f.Right)
			}
		}
	}
	return found, nil
}

// catalogue returns the ids of the course's items, or nil without a table of them.
func (b *builder) catalogue() (map[string]bool, error) {
	if b.course.Catalogue == "" {
		return nil, nil
	}
	text, err := b.read(b.course.Catalogue)
	if err != nil {
		return nil, err
	}
	items := map[string]bool{}
	for l := range strings.Lines(text) {
		id, _, _ := strings.Cut(l, "\t")
		items[id] = true
	}
	return items, nil
}

// places contains what a notebook can refer to.
type places struct {
	ids               map[string]bool
	figures, sections map[string]bool
}

var figureLabel = pattern.New(`(?m)^\s*\*\*Figures? ([^.*]+)`)

func placesOf(nb *notebook.Notebook) places {
	p := places{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	body := page.Convert(&notebook.Notebook{Cells: texted(nb), Metadata: nb.Metadata}, "", page.Options{})
	for _, h := range body.Headings {
		p.ids[h.ID] = true
		if m := sectionNumber().FindStringSubmatch(h.Text); m != nil {
			p.sections[m[1]] = true
		}
	}
	for _, c := range nb.Cells {
		p.ids["cell-"+c.ID] = true
		for _, m := range figureLabel().FindAllStringSubmatch(c.Source, -1) {
			for _, n := range digits().FindAllString(m[1], -1) {
				p.figures[n] = true
				p.ids["figure-"+n] = true
			}
		}
	}
	return p
}

// texted returns the Markdown cells, which contain the headings.
func texted(nb *notebook.Notebook) (cells []*notebook.Cell) {
	for _, c := range nb.Cells {
		if c.Type == notebook.Markdown {
			cells = append(cells, c)
		}
	}
	return cells
}

// markdownLink matches a link or picture of Markdown, but not code.
var (
	markdownLink = pattern.New(`\]\(<?([^)\s>]+)>?[^)]*\)`)
	codeAndMath  = pattern.New("(?s)```.*?```|`[^`\n]*`|\\$\\$.*?\\$\\$|\\$[^$\n]*\\$")
)

func addressesOf(source string) (all []string) {
	for _, m := range markdownLink().FindAllStringSubmatch(codeAndMath().ReplaceAllString(source, ""), -1) {
		all = append(all, m[1])
	}
	return all
}

// leads explains why a link is broken; it returns "" if it works or leads to another host.
func (b *builder) leads(address string, own places) string {
	u, err := url.Parse(address)
	if err != nil {
		return "which isn't an address"
	}
	if u.Scheme != "" || u.Host != "" || path.IsAbs(u.Path) {
		return ""
	}
	if u.Path == "" {
		if u.Fragment != "" && !own.ids[u.Fragment] {
			return "and no heading or cell has this name"
		}
		return ""
	}
	file := filepath.Join(b.Dir, filepath.FromSlash(u.Path))
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return "which is not there"
	}
	if u.Fragment == "" || path.Ext(u.Path) != ".ipynb" {
		return ""
	}
	other, err := notebook.Read(file)
	if err != nil {
		return "which cannot be read"
	}
	if !placesOf(other).ids[u.Fragment] {
		return "and that notebook has no such heading or cell"
	}
	return ""
}

// missing returns the figures and sections that a text mentions but the notebook does not contain.
// It ignores references to figures if the notebook numbers no figures, and likewise for sections.
func missing(source string, own places) (list []string) {
	source = markdownLink().ReplaceAllString(codeAndMath().ReplaceAllString(source, ""), "]<")
	for _, m := range mention().FindAllStringSubmatchIndex(source, -1) {
		if elsewhere().MatchString(source[m[1]:]) || theFigure(source[:m[0]]) {
			continue
		}
		kind := strings.TrimSuffix(strings.ToLower(source[m[2]:m[3]]), "s")
		have := own.figures
		if kind == "section" {
			have = own.sections
		}
		for _, n := range digits().FindAllString(source[m[0]:m[1]], -1) {
			if len(have) > 0 && !have[n] {
				list = append(list, kind+" "+n)
			}
		}
	}
	return list
}
