package desk

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/grading"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

func graded(id, source string, points float64, flags ...string) *notebook.Cell {
	m := map[string]any{"grade_id": id, "points": points}
	for _, f := range flags {
		m[f] = true
	}
	return &notebook.Cell{ID: id, Type: notebook.Markdown, Source: source, Metadata: map[string]any{"nbgrader": m}}
}

func classOf(t *testing.T) Options {
	t.Helper()
	dir := t.TempDir()
	o := Options{Title: "trees", Table: filepath.Join(dir, "grades.csv"), Remarks: filepath.Join(dir, "grades.remarks.json")}
	o.Source = &notebook.Notebook{Metadata: map[string]any{}, Cells: []*notebook.Cell{
		graded("f", "x", 2, "grade"),
		{ID: "text", Type: notebook.Markdown, Source: "## Why?", Metadata: map[string]any{}},
		graded("why", "<!-- BEGIN SOLUTION -->\nBecause of the margin.\n\nRubric:\n- 1: margin\n- 1: radius\n<!-- END SOLUTION -->", 2, "grade", "solution"),
	}}
	o.Submissions = map[string]*notebook.Notebook{}
	for student, text := range map[string]string{"ann": "A *margin*. <script>alert(1)</script>", "bob": ""} {
		o.Submissions[student] = &notebook.Notebook{Metadata: map[string]any{}, Cells: []*notebook.Cell{graded("why", text, 2, "grade", "solution")}}
	}
	put(t, o.Table, "student,points,of,by hand,seconds,notes,f,why,mine\nann,2,4,2,1.0,,2,,x\nbob,1,4,2,1.0,,1,,\ncy,0,,,,broken,,,\n")
	return o
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// browser sends requests with the cookie of a page that was opened by its address.
func browser(t *testing.T, d *Desk) func(method, path, body string) (int, string) {
	t.Helper()
	opened := httptest.NewRecorder()
	d.ServeHTTP(opened, httptest.NewRequest("GET", "http://127.0.0.1:8000"+d.Path(), nil))
	cookies := opened.Result().Cookies()
	if opened.Code != http.StatusSeeOther || len(cookies) != 1 {
		t.Fatalf("%d %v", opened.Code, cookies)
	}
	return func(method, path, body string) (int, string) {
		r := httptest.NewRequest(method, "http://127.0.0.1:8000"+path, strings.NewReader(body))
		r.AddCookie(cookies[0])
		w := httptest.NewRecorder()
		d.ServeHTTP(w, r)
		return w.Code, w.Body.String()
	}
}

// TestMarks stores marks, and checks that the table and the remarks are whole after each.
func TestMarks(t *testing.T) {
	opt := classOf(t)
	d, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	ask := browser(t, d)
	var state struct {
		Students []string
		Tasks    []grading.ByHand
		Entries  map[string]map[string]entry
	}
	read := func() {
		t.Helper()
		code, body := ask("GET", "/state", "")
		if err := json.Unmarshal([]byte(body), &state); err != nil || code != http.StatusOK {
			t.Fatalf("%d %v: %s", code, err, body)
		}
	}
	read()
	if strings.Join(state.Students, " ") != "ann bob" || len(state.Tasks) != 1 || len(state.Tasks[0].Rubric) != 2 || state.Entries["ann"]["why"].Mark != nil {
		t.Errorf("%+v", state)
	}
	_, answer := ask("GET", "/answer?task=why&student=ann", "")
	for _, want := range []string{"Why?", "<em>margin</em>", "Because of the margin.", "Content-Security-Policy"} {
		if !strings.Contains(answer, want) {
			t.Errorf("the answer lacks %q", want)
		}
	}
	if strings.Contains(answer, "<script>alert") || strings.Contains(answer, "BEGIN SOLUTION") {
		t.Error("the answer has a script of the student, or marks of the source")
	}
	if _, answer = ask("GET", "/answer?task=why&student=bob", ""); !strings.Contains(answer, "The answer is empty.") {
		t.Error("an empty answer isn't called empty")
	}
	if code, body := ask("POST", "/mark", `{"student": "ann", "task": "why", "mark": 1.5, "items": ["margin"], "comment": " Well said. "}`); code != http.StatusOK {
		t.Fatalf("%d %s", code, body)
	}
	table := func(want string) {
		t.Helper()
		if b, err := os.ReadFile(opt.Table); err != nil || string(b) != want {
			t.Errorf("%v\n%s\nwant\n%s", err, b, want)
		}
	}
	table("student,points,of,by hand,seconds,notes,f,why,mine\nann,3.5,4,0,1.0,,2,1.5,x\nbob,1,4,2,1.0,,1,,\ncy,0,,,,broken,,,\n")
	read()
	if e := state.Entries["ann"]["why"]; *e.Mark != 1.5 || strings.Join(e.Items, ",") != "margin" || e.Comment != "Well said." || e.Changed || e.Elsewhere {
		t.Errorf("%+v", e)
	}
	// The answer changes, and somebody changes the points in a spreadsheet.
	opt.Submissions["ann"].Cells[0].Source = "A radius."
	put(t, opt.Table, "student,points,of,by hand,seconds,notes,f,why,mine\nann,3.5,4,0,1.0,,2,2,x\nbob,1,4,2,1.0,,1,,\ncy,0,,,,broken,,,\n")
	read()
	if e := state.Entries["ann"]["why"]; *e.Mark != 2 || !e.Changed || !e.Elsewhere {
		t.Errorf("%+v", e)
	}
	if code, _ := ask("POST", "/mark", `{"student": "ann", "task": "why", "mark": null}`); code != http.StatusOK {
		t.Error("a mark can't be removed")
	}
	table("student,points,of,by hand,seconds,notes,f,why,mine\nann,2,4,2,1.0,,2,,x\nbob,1,4,2,1.0,,1,,\ncy,0,,,,broken,,,\n")
	if b, err := os.ReadFile(opt.Remarks); err != nil || strings.Contains(string(b), "Well said") {
		t.Errorf("the remark of a removed mark is kept: %v\n%s", err, b)
	}
	for body, want := range map[string]int{
		`{"student": "ann", "task": "why", "mark": 3}`:  http.StatusBadRequest,
		`{"student": "ann", "task": "why", "mark": -1}`: http.StatusBadRequest,
		`{"student": "cy", "task": "why", "mark": 1}`:   http.StatusNotFound,
		`{"student": "ann", "task": "f", "mark": 1}`:    http.StatusNotFound,
		`{`: http.StatusBadRequest,
	} {
		if code, text := ask("POST", "/mark", body); code != want {
			t.Errorf("%s: %d %s", body, code, text)
		}
	}
}

// TestUndo takes marks back, latest first, with their remarks, and leaves a mark alone that was
// changed in the table.
func TestUndo(t *testing.T) {
	opt := classOf(t)
	d, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	ask := browser(t, d)
	files := func() (both string) {
		t.Helper()
		for _, name := range []string{opt.Table, opt.Remarks} {
			b, err := os.ReadFile(name)
			if err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
			both += string(b)
		}
		return both
	}
	if code, _ := ask("POST", "/undo", ""); code != http.StatusConflict {
		t.Errorf("undo without a mark answers %d", code)
	}
	marks := []string{
		`{"student": "ann", "task": "why", "mark": 1, "items": ["margin"], "comment": "Half."}`,
		`{"student": "ann", "task": "why", "mark": 2, "items": ["margin", "radius"]}`,
		`{"student": "bob", "task": "why", "mark": 0}`,
		`{"student": "ann", "task": "why", "mark": null}`,
	}
	var before []string
	for _, m := range marks {
		before = append(before, files())
		if code, text := ask("POST", "/mark", m); code != http.StatusOK {
			t.Fatalf("%d %s", code, text)
		}
	}
	// An undone mark is still the mark of the answer at that time.
	opt.Submissions["ann"].Cells[0].Source = "A radius."
	for i := len(marks) - 1; i > 0; i-- {
		code, text := ask("POST", "/undo", "")
		if code != http.StatusOK || files() != before[i] {
			t.Fatalf("undo of %s: %d %s\n%s\nwant\n%s", marks[i], code, text, files(), before[i])
		}
		var last struct {
			Student, Task string
			Entry         entry
		}
		if err := json.Unmarshal([]byte(text), &last); err != nil || !strings.Contains(marks[i], last.Student) || last.Task != "why" {
			t.Errorf("undo of %s: %v %s", marks[i], err, text)
		}
		if e := last.Entry; last.Student == "ann" && (!e.Changed || e.Elsewhere || *e.Mark != float64(len(e.Items))) {
			t.Errorf("undo of %s: %+v", marks[i], e)
		}
	}
	b, err := os.ReadFile(opt.Table)
	if err != nil {
		t.Fatal(err)
	}
	put(t, opt.Table, strings.Replace(string(b), ",1,x", ",1.5,x", 1))
	changed := files()
	if code, text := ask("POST", "/undo", ""); code != http.StatusConflict || !strings.Contains(text, `another mark now, "1.5"`) || files() != changed {
		t.Errorf("%d %s\n%s\nwant\n%s", code, text, files(), changed)
	}
}

// TestOutputs checks that a teacher sees the output of a code answer, and that nothing in it runs.
func TestOutputs(t *testing.T) {
	opt := classOf(t)
	opt.Submissions["ann"].Cells[0] = &notebook.Cell{
		ID: "why", Type: notebook.Code, Source: "draw()", Metadata: map[string]any{"nbgrader": map[string]any{"grade_id": "why", "grade": true, "solution": true, "points": 2.0}},
		Outputs: []*notebook.Output{
			{Type: notebook.Stream, Name: "stdout", Text: "<script>alert(1)</script> printed"},
			{Type: notebook.DisplayData, Data: map[string]any{"text/html": "<b>shown</b><script>alert(2)</script><img src=x onerror=alert(3)>"}},
			{Type: notebook.DisplayData, Data: map[string]any{"application/javascript": "alert(4)"}},
		},
	}
	d, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	ask := browser(t, d)
	_, answer := ask("GET", "/answer?task=why&student=ann", "")
	for _, want := range []string{"with the output in the student", "&lt;script&gt;alert(1)&lt;/script&gt; printed", "<b>shown</b>"} {
		if !strings.Contains(answer, want) {
			t.Errorf("the answer lacks %q", want)
		}
	}
	for _, bad := range []string{"<script>alert", "onerror", "alert(4)"} {
		if strings.Contains(answer, bad) {
			t.Errorf("the answer has %q", bad)
		}
	}
	r := httptest.NewRequest("GET", "http://127.0.0.1:8000/answer?task=why&student=ann&token="+d.token, nil)
	w := httptest.NewRecorder()
	if d.ServeHTTP(w, r); !strings.HasPrefix(w.Header().Get("Content-Security-Policy"), "sandbox allow-scripts;") {
		t.Errorf("in a tab of its own, an answer shares the origin of the page: %v", w.Header())
	}
}

// TestOnlyTheTeacher checks that other sites, programs without the secret, and other names of this
// machine get nothing.
func TestOnlyTheTeacher(t *testing.T) {
	d, err := New(classOf(t))
	if err != nil {
		t.Fatal(err)
	}
	ask := browser(t, d)
	if code, _ := ask("GET", "/", ""); code != http.StatusOK {
		t.Errorf("the page answers %d", code)
	}
	for name, r := range map[string]*http.Request{
		"without a secret": httptest.NewRequest("GET", "http://127.0.0.1:8000/state", nil),
		"another secret":   httptest.NewRequest("GET", "http://127.0.0.1:8000/state?token=x", nil),
		"another name":     httptest.NewRequest("GET", "http://evil.example/state?token="+d.token, nil),
	} {
		w := httptest.NewRecorder()
		if d.ServeHTTP(w, r); w.Code != http.StatusForbidden || strings.Contains(w.Body.String(), "ann") {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
	r := httptest.NewRequest("POST", "http://localhost:8000/mark", strings.NewReader(`{"student": "ann", "task": "why", "mark": 1}`))
	r.AddCookie(&http.Cookie{Name: cookie, Value: d.token})
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	w := httptest.NewRecorder()
	if d.ServeHTTP(w, r); w.Code != http.StatusForbidden {
		t.Errorf("another site gives marks: %d", w.Code)
	}
}

func TestNothingByHand(t *testing.T) {
	opt := classOf(t)
	opt.Source = &notebook.Notebook{Cells: opt.Source.Cells[:1]}
	if _, err := New(opt); err == nil || !strings.Contains(err.Error(), "no cell of the source is graded by hand") {
		t.Errorf("got %v", err)
	}
}
