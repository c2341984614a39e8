package site

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
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
	Parts    []part `json:"parts"`
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
			return fmt.Errorf("%s: %w", file, err)
		}
		if err := b.course.check(); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
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

// check returns an error for duplicate lectures, and for prerequisites that are unknown, cyclic, or
// not before the lecture.
func (c *course) check() error {
	seen := map[string]bool{}
	for _, p := range c.Parts {
		for _, e := range p.Lectures {
			if e.ID == "" || e.Title == "" {
				return errors.New("a lecture must have an id and a title")
			}
			if seen[e.ID] {
				return fmt.Errorf("%s appears twice", e.ID)
			}
			for _, n := range e.Needs {
				if !seen[n] {
					return fmt.Errorf("%s needs %s, which must be an earlier lecture", e.ID, n)
				}
			}
			seen[e.ID] = true
		}
	}
	return nil
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
		source, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		nb, err := notebook.Decode(source)
		if err != nil {
			return fmt.Errorf("%s: %w", f, err)
		}
		l := &lecture{Name: strings.TrimSuffix(filepath.Base(f), ".ipynb"), source: source, nb: nb}
		if m := numbered().FindStringSubmatch(l.Name); m != nil {
			l.Number = m[1]
		}
		if len(grading.Secrets(nb)) > 0 {
			if l.nb, err = grading.Student(nb); err != nil {
				return fmt.Errorf("%s can't be published: %w", f, err)
			}
			if l.source, err = l.nb.Encode(); err != nil {
				return err
			}
			l.Homework = true
			b.Say("%s holds solutions or hidden checks: only the parts that students may see are published, and they are not run", f)
		}
		if l.entry = b.course.listed(l.Name); l.entry == nil {
			rest = append(rest, l)
			continue
		}
		if other := found[l.entry.ID]; other != nil {
			return fmt.Errorf("%s and %s are both %s of %s", other.Name, l.Name, l.entry.ID, courseFile)
		}
		found[l.entry.ID] = l
	}
	for _, p := range b.course.Parts {
		for _, e := range p.Lectures {
			if l := found[e.ID]; l != nil {
				l.Part = p.Title
				b.lectures = append(b.lectures, l)
			}
		}
	}
	b.lectures = append(b.lectures, rest...)
	b.join()
	return nil
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
