// Package desk serves a local web page on which teachers grade answers by hand, with rubrics. Each
// mark is stored at once: the points in the table of grades, the chosen criteria and the comment in
// a file beside it. Both survive the next run of the grader.
package desk

import (
	"crypto/rand"
	"crypto/subtle"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/grading"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/page"
)

//go:embed desk.html
var deskHTML []byte

//go:embed desk.js
var deskJS []byte

//go:embed answer.js
var answerJS string

//go:embed desk.css
var deskCSS []byte

// Options describes what is graded.
type Options struct {
	Title       string
	Source      *notebook.Notebook
	Submissions map[string]*notebook.Notebook // by student
	Table       string                        // the table of grades
	Remarks     string                        // the file of remarks
	// Apply changes a graded submission before it is stored again. For example, it applies the
	// penalty for a late submission.
	Apply func(g *grading.Graded)
}

// Desk is the page with its data. It is an [http.Handler].
type Desk struct {
	opt   Options
	tasks []grading.ByHand
	token string
	mux   *http.ServeMux

	mu   sync.Mutex // guards the files and past
	past []change   // what undo takes back, oldest first
}

// New returns the page for a class.
func New(opt Options) (*Desk, error) {
	d := &Desk{opt: opt, tasks: grading.HandGraded(opt.Source), token: rand.Text(), mux: http.NewServeMux()}
	if len(d.tasks) == 0 {
		return nil, errors.New("no cell of the source is graded by hand: mark one as an answer with points")
	}
	if _, _, err := d.files(); err != nil {
		return nil, err
	}
	file := func(kind string, content []byte) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.Write(content)
		}
	}
	d.mux.HandleFunc("GET /{$}", file("text/html; charset=utf-8", deskHTML))
	d.mux.HandleFunc("GET /desk.js", file("text/javascript; charset=utf-8", deskJS))
	d.mux.HandleFunc("GET /desk.css", file("text/css; charset=utf-8", deskCSS))
	d.mux.HandleFunc("GET /state", d.state)
	d.mux.HandleFunc("GET /answer", d.answer)
	d.mux.HandleFunc("POST /mark", d.mark)
	d.mux.HandleFunc("POST /undo", d.undo)
	return d, nil
}

// Path returns the path with which a browser opens the page. The path contains a secret, which
// other programs and pages don't know.
func (d *Desk) Path() string { return "/?token=" + d.token }

const cookie = "gokernel-desk"

// ServeHTTP answers a request if it is for a local address of this machine and comes from a browser
// that has the secret.
func (d *Desk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = r.Host
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		http.Error(w, "the page must be opened by its local address", http.StatusForbidden)
		return
	}
	same := func(secret string) bool { return subtle.ConstantTimeCompare([]byte(secret), []byte(d.token)) == 1 }
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	if r.Method == http.MethodGet && same(r.URL.Query().Get("token")) {
		http.SetCookie(w, &http.Cookie{Name: cookie, Value: d.token, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
		if r.URL.Path == "/" {
			http.Redirect(w, r, "/", http.StatusSeeOther)
			return
		}
	} else if c, err := r.Cookie(cookie); err != nil || !same(c.Value) {
		http.Error(w, "open the address that gokernel grade has printed", http.StatusForbidden)
		return
	}
	if site := r.Header.Get("Sec-Fetch-Site"); r.Method == http.MethodPost && site != "" && site != "same-origin" {
		http.Error(w, "marks must come from the page itself", http.StatusForbidden)
		return
	}
	if r.URL.Path == "/answer" {
		// The sandbox keeps an answer from reaching the page, even if the answer is opened in a tab
		// of its own. The rest of the answer's policy is in its <meta> element.
		h.Set("Content-Security-Policy", "sandbox allow-scripts; frame-ancestors 'self'")
	} else {
		h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'")
	}
	d.mux.ServeHTTP(w, r)
}

func (d *Desk) table() (*grading.Marks, error) {
	f, err := os.Open(d.opt.Table)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := grading.ReadMarks(f)
	if err == nil {
		err = m.Check(d.opt.Source)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.opt.Table, err)
	}
	return m, nil
}

// files reads the table and the remarks.
func (d *Desk) files() (*grading.Marks, grading.Remarks, error) {
	m, err := d.table()
	if err != nil {
		return nil, nil, err
	}
	r, err := ReadRemarks(d.opt.Remarks)
	return m, r, err
}

// ReadRemarks reads a file of remarks; a missing file has none.
func ReadRemarks(name string) (grading.Remarks, error) {
	b, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return grading.Remarks{}, nil
	}
	if err != nil {
		return nil, err
	}
	r, err := grading.ReadRemarks(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

// entry is what the page knows about an answer.
type entry struct {
	Mark    *float64 `json:"mark"` // nil if there is none
	Items   []string `json:"items"`
	Comment string   `json:"comment"`
	// Changed reports whether the answer differs from the one that was marked, and Elsewhere
	// whether the points were changed outside of the page.
	Changed   bool `json:"changed"`
	Elsewhere bool `json:"elsewhere"`
}

func (d *Desk) cells(student, id string) []*notebook.Cell {
	return grading.AnswerTo(id, d.opt.Source, d.opt.Submissions[student])
}

func (d *Desk) entry(m *grading.Marks, r grading.Remarks, student string, task grading.ByHand) entry {
	e := entry{Mark: markIn(m, student, task), Items: []string{}}
	if remark, ok := r[student][task.ID]; ok {
		e.Items, e.Comment = append(e.Items, remark.Items...), remark.Comment
		e.Changed = remark.Answer != grading.HashOf(d.cells(student, task.ID))
		e.Elsewhere = e.Mark == nil || *e.Mark != remark.Points
	}
	return e
}

// state sends the tasks, the students and their marks.
func (d *Desk) state(w http.ResponseWriter, _ *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	m, r, err := d.files()
	if err != nil {
		fail(w, err)
		return
	}
	students, entries := []string{}, map[string]map[string]entry{}
	for student := range d.opt.Submissions {
		if !m.Has(student) {
			continue
		}
		students = append(students, student)
		entries[student] = map[string]entry{}
		for _, t := range d.tasks {
			entries[student][t.ID] = d.entry(m, r, student, t)
		}
	}
	slices.Sort(students)
	send(w, map[string]any{"title": d.opt.Title, "tasks": d.tasks, "students": students, "entries": entries, "undo": len(d.past)})
}

func send(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}

func fail(w http.ResponseWriter, err error) {
	http.Error(w, err.Error(), http.StatusInternalServerError)
}

// task returns the task with the given ID.
func (d *Desk) task(id string) (grading.ByHand, bool) {
	i := slices.IndexFunc(d.tasks, func(t grading.ByHand) bool { return t.ID == id })
	if i < 0 {
		return grading.ByHand{}, false
	}
	return d.tasks[i], true
}

// answer sends a page with the task, the answer with its outputs, and the solution. No script of
// the student runs.
func (d *Desk) answer(w http.ResponseWriter, r *http.Request) {
	student := r.URL.Query().Get("student")
	task, ok := d.task(r.URL.Query().Get("task"))
	if !ok || d.opt.Submissions[student] == nil {
		http.Error(w, "there is no such answer", http.StatusNotFound)
		return
	}
	nb := &notebook.Notebook{Metadata: d.opt.Source.Metadata}
	add := func(c notebook.Cell) {
		c.ID, c.Metadata = fmt.Sprint("part", len(nb.Cells)), map[string]any{}
		nb.Cells = append(nb.Cells, &c)
	}
	text := func(source string) { add(notebook.Cell{Type: notebook.Markdown, Source: source}) }
	for _, c := range task.Text {
		add(*c)
	}
	cells := d.cells(student, task.ID)
	cells = slices.DeleteFunc(slices.Clone(cells), func(c *notebook.Cell) bool { return strings.TrimSpace(c.Source) == "" })
	if slices.ContainsFunc(cells, func(c *notebook.Cell) bool { return len(c.Outputs) > 0 }) {
		text("---\n\n**Answer**, with the output in the student's file")
	} else {
		text("---\n\n**Answer**")
	}
	for _, c := range cells {
		add(*c)
	}
	if len(cells) == 0 {
		text("*The answer is empty.*")
	}
	if len(task.Solution) > 0 {
		text("---\n\n**Solution**")
		for _, c := range task.Solution {
			add(*c)
		}
	}
	b, err := page.Render(nb, task.ID, page.Options{Strict: true, Scripts: []template.JS{template.JS(answerJS)}})
	if err != nil {
		fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Write(b)
}

// request is a mark from the page.
type request struct {
	Student, Task string
	Mark          *float64 // nil removes the mark
	Items         []string
	Comment       string
}

// mark stores a mark, and sends the entry as it is stored.
func (d *Desk) mark(w http.ResponseWriter, r *http.Request) {
	var q request
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&q); err != nil {
		http.Error(w, "the mark must be in JSON: "+err.Error(), http.StatusBadRequest)
		return
	}
	task, ok := d.task(q.Task)
	if !ok || d.opt.Submissions[q.Student] == nil {
		http.Error(w, "there is no such answer", http.StatusNotFound)
		return
	}
	if q.Mark != nil && !(*q.Mark >= 0 && *q.Mark <= task.Of) {
		http.Error(w, fmt.Sprintf("a mark must be a number between 0 and %s, got %v", grading.Number(task.Of), *q.Mark), http.StatusBadRequest)
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	e, err := d.store(q, task)
	if err != nil {
		fail(w, err)
		return
	}
	send(w, e)
}

// change is a stored mark, with the mark and the remark that it replaced.
type change struct {
	student string
	task    grading.ByHand
	before  *float64
	remark  *grading.Remark // nil if there was none
	after   *float64
}

// undo takes back the last mark that the page has stored. It sends the entry, with its student and
// its task.
func (d *Desk) undo(w http.ResponseWriter, _ *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.past) == 0 {
		http.Error(w, "there is no mark to undo", http.StatusConflict)
		return
	}
	last := d.past[len(d.past)-1]
	m, remarks, err := d.files()
	if err != nil {
		fail(w, err)
		return
	}
	if now := markIn(m, last.student, last.task); text(now) != text(last.after) {
		http.Error(w, fmt.Sprintf("the table has another mark now, %q: change it there", text(now)), http.StatusConflict)
		return
	}
	e, err := d.put(m, remarks, last.student, last.task, last.before, last.remark)
	if err != nil {
		fail(w, err)
		return
	}
	d.past = d.past[:len(d.past)-1]
	send(w, map[string]any{"student": last.student, "task": last.task.ID, "entry": e})
}

// markIn returns the mark in a table, or nil if there is none.
func markIn(m *grading.Marks, student string, task grading.ByHand) *float64 {
	if points, ok := m.Mark(student, task.ID, task.Of); ok {
		return &points
	}
	return nil
}

// text returns a mark as it is in the table.
func text(mark *float64) string {
	if mark == nil {
		return ""
	}
	return grading.Number(*mark)
}

// store stores a mark that the page has sent.
func (d *Desk) store(q request, task grading.ByHand) (entry, error) {
	m, remarks, err := d.files()
	if err != nil {
		return entry{}, err
	}
	c := change{student: q.Student, task: task, before: markIn(m, q.Student, task), after: q.Mark}
	if old, ok := remarks[q.Student][task.ID]; ok {
		c.remark = &old
	}
	var remark *grading.Remark
	if q.Mark != nil {
		remark = &grading.Remark{
			Points: *q.Mark, Items: q.Items, Comment: strings.TrimSpace(q.Comment),
			Answer: grading.HashOf(d.cells(q.Student, task.ID)),
		}
	}
	e, err := d.put(m, remarks, q.Student, task, q.Mark, remark)
	if err == nil {
		d.past = append(d.past, c)
	}
	return e, err
}

// put sets a mark in the table m and a remark in remarks, and writes both to their files. If mark
// or remark is nil, it removes the old one.
func (d *Desk) put(m *grading.Marks, remarks grading.Remarks, student string, task grading.ByHand, mark *float64, remark *grading.Remark) (entry, error) {
	if remark != nil {
		remarks.Set(student, task.ID, *remark)
	} else if delete(remarks[student], task.ID); len(remarks[student]) == 0 {
		delete(remarks, student)
	}
	if err := m.Set(student, task.ID, text(mark)); err != nil {
		return entry{}, err
	}
	var all []grading.Graded
	for _, student := range m.Students() {
		g := m.Restore(student, d.opt.Source)
		m.Give(&g)
		if d.opt.Apply != nil {
			d.opt.Apply(&g)
		}
		all = append(all, g)
	}
	b, err := remarks.Encode()
	if err != nil {
		return entry{}, err
	}
	var table strings.Builder
	if err := grading.WriteCSV(&table, all, m); err != nil {
		return entry{}, err
	}
	if err := errors.Join(notebook.WriteFile(d.opt.Remarks, b), notebook.WriteFile(d.opt.Table, []byte(table.String()))); err != nil {
		return entry{}, err
	}
	if m, err = d.table(); err != nil {
		return entry{}, err
	}
	return d.entry(m, remarks, student, task), nil
}
