package site

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/grading"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/internal/pattern"
)

// courseFile is the name of the file that describes a course. It is in the directory of the
// notebooks. Without this file, the notebooks are in the order of their names.
const courseFile = "course.json"

// course is the content of the file.
type course struct {
	Title string `json:"title"`
	About string `json:"about"`
	// Authors and License are Markdown for the end of each page.
	Authors []string `json:"authors"`
	License string   `json:"license"`
	// Repository is where the sources of the pages are.
	Repository sources `json:"repository"`
	// Binder and Lite are addresses that open a notebook: on Binder or a hub, and in a site of
	// JupyterLite. {file} stands for the path of the notebook, relative to the directory of the
	// notebooks.
	Binder string `json:"binder"`
	Lite   string `json:"lite"`
	// Paper is the size of printed pages, A4 or letter; "" means A4.
	Paper string `json:"paper"`
	// Omit lists lectures that the site leaves out, by their ids or patterns such as N1?.
	Omit []string `json:"omit"`
	// These fields are the files of the indexes, relative to the directory of the notebooks. ""
	// means that there is no such index.
	References string `json:"references"`
	Slips      string `json:"slips"`
	Notation   string `json:"notation"`
	Glossary   string `json:"glossary"`
	Data       string `json:"data"`
	// Docs is a directory of Markdown pages for the site.
	Docs string `json:"docs"`
	// Catalogue is the table of the course's items, whose ids cells name.
	Catalogue string `json:"catalogue"`
	// Homework is a directory of notebooks with tasks; the site shows the student versions.
	Homework string `json:"homework"`
	// Projects is a directory of larger tasks, which the page of the homework lists after it.
	Projects string `json:"projects"`
	// Policy is a Markdown page with the rules of the homework, and Late the file with the rules
	// for late submissions, as gokernel grade --policy reads it.
	Policy string `json:"policy"`
	Late   string `json:"late"`
	Parts  []part `json:"parts"`

	authors []template.HTML
	license template.HTML
}

type part struct {
	Title    string          `json:"title"`
	Lectures []entryOfCourse `json:"lectures"`
}

// entryOfCourse is a lecture in the course file.
type entryOfCourse struct {
	// ID is the part of the notebook's file name before a hyphen, or all of it without its
	// extension.
	ID    string   `json:"id"`
	Title string   `json:"title"`
	Needs []string `json:"needs"`
	// Minutes is the reading time; 0 means that it is computed.
	Minutes int `json:"minutes"`
	// Class is the time in class, in minutes; 0 means that the page doesn't state it.
	Class int `json:"class"`
	// Goals complete the sentence "After this lecture you can".
	Goals []string `json:"goals"`
	// Figure is the ID of the cell whose picture represents the lecture; "" means the first picture
	// of the lecture.
	Figure string `json:"figure"`
}

// matches reports whether a notebook belongs to the entry.
func (e *entryOfCourse) matches(name string) bool {
	return name == e.ID || strings.HasPrefix(name, e.ID+"-")
}

// readCourse reads the course file.
func (b *builder) readCourse(context.Context) error {
	b.course = &course{}
	file := filepath.Join(b.Dir, courseFile)
	text, err := os.ReadFile(file)
	switch {
	case errors.Is(err, os.ErrNotExist):
	case err != nil:
		return err
	default:
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields()
		if err := d.Decode(b.course); err != nil {
			return wrong(placeInJSON(b.in(courseFile), text, err, d.InputOffset()), strings.TrimPrefix(err.Error(), "json: "), "correct the file; docs/how-to/publishing.md lists its fields")
		}
		b.fault(b.course.check(b.in(courseFile)))
		for _, a := range b.course.Authors {
			b.course.authors = append(b.course.authors, inline(a))
		}
		b.course.license = inline(b.course.License)
	}
	if b.course.Title == "" {
		abs, err := filepath.Abs(b.Dir)
		if err != nil {
			return err
		}
		b.course.Title = strings.ToUpper(filepath.Base(abs)[:1]) + filepath.Base(abs)[1:]
	}
	return nil
}

// check returns an error for each mistake. It removes wrong lectures and prerequisites, so that the
// rest can be checked.
func (c *course) check(file string) error {
	var errs []error
	fault := func(field, what, do string) { errs = append(errs, wrong(file+", "+field, what, do)) }
	seen := map[string]bool{}
	for i, p := range c.Parts {
		c.Parts[i].Lectures = slices.DeleteFunc(p.Lectures, func(e entryOfCourse) bool {
			if e.ID == "" || e.Title == "" {
				fault("part "+p.Title, "a lecture must have an id and a title", "add the missing field")
				return true
			}
			if seen[e.ID] {
				fault("lecture "+e.ID, e.ID+" appears twice", "remove one of the lectures, or rename it")
				return true
			}
			seen[e.ID] = true
			return false
		})
	}
	before := map[string]bool{}
	for _, p := range c.Parts {
		for i, e := range p.Lectures {
			p.Lectures[i].Needs = slices.DeleteFunc(e.Needs, func(n string) bool {
				if !before[n] {
					fault("lecture "+e.ID, fmt.Sprintf("%s needs %s, which must be an earlier lecture", e.ID, n), "move the lecture, or correct its field needs")
				}
				return !before[n]
			})
			before[e.ID] = true
		}
	}
	for _, o := range c.Omit {
		matches := slices.ContainsFunc(slices.Collect(maps.Keys(seen)), func(id string) bool {
			ok, err := path.Match(o, id)
			return ok && err == nil
		})
		if !matches {
			fault("omit", fmt.Sprintf("no lecture matches %q", o), "write the ids of lectures, or patterns such as N1?")
		}
	}
	if err := c.Repository.check(); err != nil {
		fault("repository", err.Error(), "write the address of the repository as in a browser")
	}
	if !slices.Contains([]string{"", "A4", "letter"}, c.Paper) {
		fault("paper", fmt.Sprintf("paper must be A4 or letter, got %q", c.Paper), "correct the field, or remove it")
	}
	for field, address := range map[string]string{"binder": c.Binder, "lite": c.Lite} {
		if u, err := url.Parse(address); address != "" && (err != nil || u.Host == "" || !strings.Contains(address, filePlace)) {
			fault(field, fmt.Sprintf("%s must be an address that contains %s, got %q", field, filePlace, address), "write the address that opens a notebook, with "+filePlace+" for the path of the notebook")
		}
	}
	return errors.Join(errs...)
}

// openers lists the addresses that open a notebook, each "" if the course has none.
type openers struct{ Binder, Lite string }

// openers returns the addresses for a notebook, whose path is relative to the directory of the
// notebooks.
func (c *course) openers(name string) openers {
	fill := func(address string) string { return strings.ReplaceAll(address, filePlace, escapePath(name)) }
	return openers{fill(c.Binder), fill(c.Lite)}
}

// omits reports whether the site leaves out a lecture.
func (c *course) omits(e *entryOfCourse) bool {
	return slices.ContainsFunc(c.Omit, func(o string) bool {
		ok, err := path.Match(o, e.ID)
		return ok && err == nil
	})
}

// listed returns the entry of a notebook, or nil for none.
func (c *course) listed(name string) *entryOfCourse {
	for i := range c.Parts {
		for j := range c.Parts[i].Lectures {
			if e := &c.Parts[i].Lectures[j]; e.matches(name) {
				return e
			}
		}
	}
	return nil
}

var numbered = pattern.New(`^([A-Z]+[0-9]+)-`)

// readLectures reads the notebooks: those of the course in its order, then the others
// by name.
func (b *builder) readLectures(context.Context) error {
	files, err := notebook.Glob(filepath.Join(b.Dir, "*.ipynb"))
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("there is no notebook in %s", b.Dir)
	}
	var rest []*lecture
	found := map[string]*lecture{}
	for _, f := range files {
		l, err := b.readLecture(f)
		if err != nil {
			b.fault(wrong(filepath.ToSlash(f), err.Error(), "repair the notebook, or move it out of the directory"))
			continue
		}
		if l.entry == nil {
			rest = append(rest, l)
			continue
		}
		if other := found[l.entry.ID]; other != nil {
			b.fault(wrong(filepath.ToSlash(f), fmt.Sprintf("%s and %s are both %s of %s", other.Name, l.Name, l.entry.ID, courseFile), "rename one of the notebooks"))
			continue
		}
		found[l.entry.ID] = l
	}
	for _, p := range b.course.Parts {
		for _, e := range p.Lectures {
			l := found[e.ID]
			switch {
			case b.course.omits(&e):
			case l != nil:
				l.Part = p.Title
				b.lectures = append(b.lectures, l)
				if e.Figure != "" && !slices.ContainsFunc(l.nb.Cells, func(c *notebook.Cell) bool { return c.ID == e.Figure }) {
					b.fault(wrong(b.in(courseFile)+", lecture "+e.ID, fmt.Sprintf("figure must be the id of a cell of %s, got %q", l.Name, e.Figure), "correct the id, or remove the field"))
				}
			case !b.unreadable(e.ID):
				b.fault(wrong(b.in(courseFile)+", lecture "+e.ID, "there is no notebook "+b.in(e.ID+"-*.ipynb"), fmt.Sprintf("add the notebook, or leave the lecture out with \"omit\": [%q]", e.ID)))
			}
		}
	}
	b.lectures = append(b.lectures, rest...)
	b.join()
	return nil
}

// readLecture reads a notebook. A notebook with solutions becomes its student version.
func (b *builder) readLecture(file string) (*lecture, error) {
	source, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	nb, err := notebook.Decode(source)
	if err != nil {
		return nil, err
	}
	l := &lecture{Name: strings.TrimSuffix(filepath.Base(file), ".ipynb"), source: source, nb: nb}
	if m := numbered().FindStringSubmatch(l.Name); m != nil {
		l.Number = m[1]
	}
	l.entry = b.course.listed(l.Name)
	if len(grading.Secrets(nb)) == 0 {
		return l, nil
	}
	if l.nb, err = grading.Student(nb); err != nil {
		return nil, fmt.Errorf("it can't be published: %w", err)
	}
	if l.source, err = l.nb.Encode(); err != nil {
		return nil, err
	}
	l.Homework = true
	b.Say("%s holds solutions or hidden checks: only the parts that students may see are published, and they are not run", file)
	return l, nil
}

// unreadable reports whether a lecture has a notebook that could not be read.
func (b *builder) unreadable(id string) bool {
	files, err := filepath.Glob(filepath.Join(b.Dir, id+"*.ipynb"))
	return err == nil && slices.ContainsFunc(files, func(f string) bool {
		return (&entryOfCourse{ID: id}).matches(strings.TrimSuffix(filepath.Base(f), ".ipynb"))
	})
}

// placeInJSON returns the file and the line of an error in JSON.
func placeInJSON(file string, text []byte, err error, at int64) string {
	var syntax *json.SyntaxError
	var typ *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		at = syntax.Offset
	case errors.As(err, &typ):
		at = typ.Offset
	default:
		// The error of an unknown field has no offset.
		if _, field, ok := strings.Cut(err.Error(), "unknown field "); ok {
			if i := bytes.Index(text, []byte(field)); i >= 0 {
				at = int64(i)
			}
		}
	}
	return fmt.Sprintf("%s, line %d", file, 1+bytes.Count(text[:min(int64(len(text)), at)], []byte("\n")))
}

// join sets the neighbors and the prerequisites of each lecture. A lecture that needs a missing
// lecture needs the prerequisites of the missing lecture instead.
func (b *builder) join() {
	byID := map[string]*lecture{}
	var course []*lecture
	for _, l := range b.lectures {
		if l.entry != nil {
			byID[l.entry.ID] = l
			course = append(course, l)
		}
	}
	var needs func(ids []string) []*lecture
	needs = func(ids []string) (all []*lecture) {
		for _, id := range ids {
			found := []*lecture{byID[id]}
			if byID[id] == nil {
				found = needs(b.course.listed(id).Needs)
			}
			for _, l := range found {
				if !slices.Contains(all, l) {
					all = append(all, l)
				}
			}
		}
		return all
	}
	for i, l := range b.lectures {
		if i > 0 {
			l.Prev = b.lectures[i-1]
		}
		if i+1 < len(b.lectures) {
			l.Next = b.lectures[i+1]
		}
	}
	for _, l := range course {
		l.Needs = needs(l.entry.Needs)
	}
}
