package site

import (
	"context"
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
	openers
	ID      string
	Title   string
	Opening template.HTML
	File    string // the student version
	Points  string
	Tasks   []page.Heading
	Due     string // the deadline, "" for none
}

// policyPage is the page with the rules of the homework.
const policyPage = "policy.html"

// addHomework adds the page that lists homework and projects, each with a link to its student
// version.
func (b *builder) addHomework(context.Context) error {
	if b.course.Homework == "" {
		return nil
	}
	p := struct {
		layout
		List, Projects []*sheet
		Rules          string // the page with the rules, "" for none
	}{layout: b.layout("homework.html", "Homework")}
	late, err := b.late()
	b.fault(err)
	if b.course.Policy != "" || late != nil {
		p.Rules = policyPage
		if err := b.addPolicy(late); err != nil {
			b.fault(err)
			b.promised[policyPage] = true // the link to it is not a further problem
		}
	}
	if p.List, err = b.sheets("homework", b.course.Homework); err != nil {
		return err
	}
	if b.course.Projects != "" {
		if p.Projects, err = b.sheets("projects", b.course.Projects); err != nil {
			return err
		}
	}
	if late != nil {
		b.setDeadlines(late, slices.Concat(p.List, p.Projects))
	}
	b.search = append(b.search, entry{Title: "Homework", URL: "homework.html", Kind: "page"})
	return b.render("homework.html", "homework.html", p)
}

// late reads the rules for late submissions. It returns nil if the course has none.
func (b *builder) late() (*grading.Policy, error) {
	if b.course.Late == "" {
		return nil, nil
	}
	text, err := b.read(b.course.Late)
	if err != nil {
		return nil, err
	}
	late, err := grading.ReadPolicy([]byte(text))
	if err != nil {
		return nil, wrong(b.in(b.course.Late), err.Error(), "correct the file; docs/how-to/grading.md lists its fields")
	}
	return late, nil
}

// setDeadlines sets the deadline of each homework.
func (b *builder) setDeadlines(late *grading.Policy, list []*sheet) {
	for _, name := range slices.Sorted(maps.Keys(late.Due)) {
		i := slices.IndexFunc(list, func(s *sheet) bool { return strings.TrimSuffix(path.Base(s.File), ".ipynb") == name })
		if i < 0 {
			b.fault(wrong(b.in(b.course.Late)+", due", fmt.Sprintf("there is no homework %s", name), "write the name of a notebook, without .ipynb"))
			continue
		}
		list[i].Due = late.Due[name]
		if late.Zone != "" {
			list[i].Due += " (" + late.Zone + ")"
		}
	}
}

// addPolicy adds the page with the rules of the homework. It never shows the extensions of single
// students.
func (b *builder) addPolicy(late *grading.Policy) error {
	p := struct {
		layout
		Text template.HTML
		Late []string
	}{layout: b.layout(policyPage, "Homework policy")}
	text := "# Homework policy\n"
	if b.course.Policy != "" {
		var err error
		if text, err = b.read(b.course.Policy); err != nil {
			return err
		}
	}
	cells := []*notebook.Cell{{ID: "text", Type: notebook.Markdown, Source: text}}
	body := page.Convert(&notebook.Notebook{Cells: cells}, "policy", page.Options{Link: func(address string) string {
		u, err := url.Parse(address)
		if err != nil || u.Scheme != "" || u.Host != "" || u.Path == "" {
			return address
		}
		file := path.Join(path.Dir(b.course.Policy), u.Path)
		if to := b.sitePage(file); to != "" {
			u.Path = to
		} else if path.Clean(b.course.Homework) == path.Dir(file) && path.Ext(file) == ".ipynb" {
			u.Path, u.Fragment = "homework.html", anchor(strings.TrimSuffix(path.Base(file), ".ipynb"))
		}
		b.written[policyPage+" "+u.String()] = address
		return u.String()
	}})
	for _, c := range body.Cells {
		p.Text += c.Source
	}
	if p.UsesMath = body.Math; late != nil {
		p.Late = lateRules(late)
	}
	words := searchable(string(p.Text)) + " " + strings.Join(p.Late, " ")
	b.search = append(b.search, entry{Title: body.Title, In: "Homework", URL: policyPage, Text: strings.TrimSpace(words), Kind: "page"})
	return b.render("policy.html", policyPage, p)
}

// lateRules states the rules for late submissions.
func lateRules(late *grading.Policy) (rules []string) {
	days := func(n int) string {
		if n == 1 {
			return "1 day"
		}
		return fmt.Sprint(n, " days")
	}
	if late.Free > 0 {
		rules = append(rules, fmt.Sprintf("Over the whole course, you may be late by %s without a penalty.", days(late.Free)))
	}
	switch {
	case late.Penalty > 0 && late.Free > 0:
		rules = append(rules, fmt.Sprintf("Each further day costs %s percent of the points. A started day counts.", grading.Number(late.Penalty)))
	case late.Penalty > 0:
		rules = append(rules, fmt.Sprintf("Each day late costs %s percent of the points. A started day counts.", grading.Number(late.Penalty)))
	}
	if late.Last > 0 {
		rules = append(rules, fmt.Sprintf("A submission that is more than %s late earns no points.", days(late.Last)))
	}
	return rules
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
	s.openers = b.course.openers(path.Join(map[string]string{"homework": b.course.Homework, "projects": b.course.Projects}[kind], name))
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
