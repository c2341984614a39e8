package site

import (
	"context"
	"fmt"
	"html/template"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/grading"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/page"
	"golang.org/x/net/html/atom"
)

// public returns the part of a copied file that the site may publish: for a notebook with
// solutions, the student version.
func (b *builder) public(name string, content []byte) ([]byte, error) {
	if path.Ext(name) != ".ipynb" {
		if grading.HasMarks(string(content)) {
			return nil, fmt.Errorf("%s can't be published: it has solutions or hidden checks", name)
		}
		return content, nil
	}
	nb, err := notebook.Decode(content)
	if err != nil {
		return nil, fmt.Errorf("%s can't be published: %w", name, err)
	}
	if len(grading.Secrets(nb)) == 0 {
		return content, nil
	}
	if nb, err = grading.Student(nb); err != nil {
		return nil, fmt.Errorf("%s can't be published: %w", name, err)
	}
	return nb.Encode()
}

// sheet is a homework on the site.
type sheet struct {
	ID      string
	Title   string
	Opening template.HTML
	File    string // the student version
	Points  string
	Tasks   []page.Heading
}

// addHomework adds the page of the homework: the student version of each notebook.
func (b *builder) addHomework(context.Context) error {
	if b.course.Homework == "" {
		return nil
	}
	p := struct {
		layout
		List, Projects []*sheet
	}{layout: b.layout("homework.html", "Homework")}
	var err error
	if p.List, err = b.sheets("homework", b.course.Homework); err != nil {
		return err
	}
	if b.course.Projects != "" {
		if p.Projects, err = b.sheets("projects", b.course.Projects); err != nil {
			return err
		}
	}
	return b.render("homework.html", "homework.html", p)
}

// sheets reads the homework or the projects of the course from a directory.
func (b *builder) sheets(kind, dir string) (list []*sheet, err error) {
	dir = filepath.Join(b.Dir, filepath.FromSlash(dir))
	files, err := notebook.Glob(filepath.Join(dir, "*.ipynb"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		what := fmt.Sprintf("%s names a directory of %s without notebooks: %s", courseFile, kind, filepath.ToSlash(dir))
		return nil, wrong(b.in(courseFile)+", "+kind, what, "correct the path, or remove the field")
	}
	for _, f := range files {
		s, err := b.sheet(kind, f)
		if err != nil {
			b.fault(wrong(filepath.ToSlash(f), err.Error(), "correct the notebook, or move it out of the directory"))
			continue
		}
		list = append(list, s)
	}
	return list, nil
}

// sheet reads a homework or a project, adds its file to the site, and its searchable text to the
// search.
func (b *builder) sheet(kind, file string) (*sheet, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	name := filepath.Base(file)
	if content, err = b.public(name, content); err != nil {
		return nil, err
	}
	nb, err := notebook.Decode(content)
	if err != nil {
		return nil, err
	}
	s := &sheet{ID: anchor(strings.TrimSuffix(name, ".ipynb")), File: "downloads/" + kind + "/" + name}
	if kind != "homework" {
		s.ID = kind + "-" + s.ID
	}
	b.files[s.File] = content
	if points := grading.Worth(nb); points > 0 {
		s.Points = grading.Number(points)
	}
	body := page.Convert(&notebook.Notebook{Cells: texted(nb), Metadata: nb.Metadata}, name, page.Options{})
	s.Title = body.Title
	var text strings.Builder
	for _, c := range body.Cells {
		for _, n := range children(parse(string(c.Source))) {
			words := wording(asDots, n)
			if s.Opening == "" && is(n, atom.P) {
				s.Opening = template.HTML(template.HTMLEscapeString(words))
			}
			if !is(n, atom.H1) && text.Len() < sectionText {
				text.WriteString(" " + words)
			}
		}
	}
	for _, h := range body.Headings {
		if h.Level == 2 {
			s.Tasks = append(s.Tasks, h)
		}
	}
	b.search = append(b.search, entry{Title: s.Title, In: "Homework", URL: "homework.html#" + s.ID, Text: strings.Join(strings.Fields(text.String()), " "), Kind: "homework"})
	return s, nil
}
