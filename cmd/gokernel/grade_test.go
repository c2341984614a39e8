package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"html"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/internal/sandbox"
)

const homeworkSource = "../../notebooks/homework/perceptron.ipynb"

// zero is the points of a submission whose first task is lost. An attack on the grader earns only
// what the other answers earn.
const (
	zero = "func score(w []float64, b float64, x []float64) float64 { return 0 }"
	one  = "9 0 2 2 2 2 1"
)

// handedIn lists submissions of all kinds: an answer for one cell, and the solutions of the source
// for the others ("-": for none).
var handedIn = []struct {
	student, cell, answer string
	want                  string // total points, and points of each task with checks
}{
	{"right", "", "", "11 2 2 2 2 2 1"}, // one point is graded by hand
	{"strict", "t2", "func mistake(w []float64, b float64, x []float64, y float64) bool { return y*score(w, b, x) < 0 }", "9.4 2 0.4 2 2 2 1"},
	{"changes", "t3", "func update(w []float64, b float64, x []float64, y float64) ([]float64, float64) {\nfor i := range w { w[i] += y*x[i] }\nreturn w, b + y\n}", "9 2 2 0 2 2 1"},
	{"endless", "t4", "func train(rows [][]float64, y []float64, passes int) (w []float64, b float64, made int) {\nfor { made++ }\n}", "6 2 2 2 0 0 0"},
	{"offbyone", "t1", "func score(w []float64, b float64, x []float64) float64 {\ns := b\nfor i := 1; i < len(w); i++ { s += w[i]*x[i] }\nreturn s\n}", one},
	{"nocompile", "t1", "func score(w []float64, b float64, x []float64) float64 {\nreturn b +\n}", one},
	{"otherorder", "t1", "func score(x, w []float64, b float64) float64 { return b }", one},
	{"redeclares", "t1", zero + "\nfunc Check(f any, args ...any) int { return 2 }", one},
	{"renames", "t1", zero + "\ntype Checks int", one},
	{"replaces", "t1", zero + "\nml := 3", one},
	{"exits", "t1", "func init() { os.Exit(0) }\nfunc score(w []float64, b float64, x []float64) float64 { os.Exit(0); return 0 }", one},
	{"prints", "t1", "func score(w []float64, b float64, x []float64) float64 { fmt.Println(2); Show(Text(\"2\")); return 0 }", one},
	{"reads", "t1", "source, _ := os.ReadFile(\"SOURCE\")\nif len(source) > 0 { panic(\"hidden checks can be read\") }\n" + zero, one},
	{"shells", "t1", "!cat SOURCE\n" + zero, one},
	{"forks", "t1", "func score(w []float64, b float64, x []float64) float64 {\nif _, err := os.StartProcess(\"/bin/true\", nil, &os.ProcAttr{}); err == nil { return 1.5 }\nreturn 0\n}", one},
	{"unsafe", "t1", "import \"unsafe\"\nfunc score(w []float64, b float64, x []float64) float64 { return *(*float64)(unsafe.Pointer(&b)) }", one},
	{"greedy", "t1", "func score(w []float64, b float64, x []float64) float64 {\nvar keep [][]byte\nfor { keep = append(keep, bytes.Repeat([]byte{1}, 32<<20)) }\n}", one},
	{"fatal", "t1", "m := map[int]int{}\nfor range 8 { go func() { for i := 0; i < 1e8; i++ { m[i%10] = i } }() }\ntime.Sleep(2*time.Second)\n" + zero, one},
	{"untouched", "-", "", "0 0 0 0 0 0 0"},
}

// handIn writes the notebook of a student, whose own checks don't count.
func handIn(t testing.TB, dir, student, cell, answer string) {
	t.Helper()
	source, err := notebook.Read(homeworkSource)
	if err != nil {
		t.Fatal(err)
	}
	nb, err := notebook.Read(filepath.Join(dir, "release", "perceptron.ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	file, err := filepath.Abs(homeworkSource)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range nb.Cells {
		if strings.Contains(c.Source, "HIDDEN") || strings.Contains(c.Source, "SOLUTION") {
			t.Fatalf("the students' notebook has %s", c.Source)
		}
		switch {
		case cell == "-":
		case c.ID == cell:
			c.Source = strings.ReplaceAll(answer, "SOURCE", file)
		case strings.Contains(source.Cells[i].Source, "BEGIN SOLUTION"):
			c.Source = source.Cells[i].Source
		}
		if strings.HasSuffix(c.ID, "-check") {
			c.Source = "12"
		}
	}
	b, err := nb.Encode()
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(dir, "submitted", student, "hw1")
	if err := os.MkdirAll(to, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(to, "perceptron.ipynb"), b, 0o666); err != nil {
		t.Fatal(err)
	}
}

// executeCommand runs a command, and returns its output and its progress messages.
func executeCommand(t testing.TB, args ...string) (out, progress string) {
	t.Helper()
	var o, p bytes.Buffer
	cmd := newRoot()
	cmd.SetArgs(args)
	cmd.SetOut(&o)
	cmd.SetErr(&p)
	if err := cmd.Execute(); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, &p)
	}
	return o.String(), p.String()
}

// TestGrade grades the homework on the perceptron with submissions of all kinds. A mistake in one
// task costs points only in that task. An attack on the grader earns only the points of the other
// answers.
func TestGrade(t *testing.T) {
	dir := t.TempDir()
	executeCommand(t, "release", homeworkSource, "-o", filepath.Join(dir, "release"))
	for _, tt := range handedIn {
		handIn(t, dir, tt.student, tt.cell, tt.answer)
	}
	table, progress := executeCommand(t, "grade", filepath.Join(dir, "submitted"), "--source", homeworkSource, "--html", filepath.Join(dir, "feedback"),
		"--similarity", filepath.Join(dir, "similarity.csv"), "--timeout", "20s", "--memory", "200", "--jobs", "2")
	if last := fmt.Sprintf("[%d/%d] ", len(handedIn), len(handedIn)); !strings.Contains(progress, last) || !strings.Contains(progress, "right: 11 of 12, 1 by hand") {
		t.Errorf("the progress is not told:\n%s", progress)
	}
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, r := range rows[1:] {
		got[r[0]] = strings.Join(append([]string{r[1]}, r[6:12]...), " ")
	}
	for _, tt := range handedIn {
		if tt.student == "reads" && sandbox.Lacks() != nil {
			continue // this system can't restrict file access of a process
		}
		if got[tt.student] != tt.want {
			t.Errorf("%s: %s, want %s", tt.student, got[tt.student], tt.want)
		}
	}
	page, err := os.ReadFile(filepath.Join(dir, "feedback", "offbyone.html"))
	if err != nil || !bytes.Contains(page, []byte("9 of 12 points")) || !bytes.Contains(page, []byte("is -1.5, expected 1.5")) {
		t.Errorf("the page for a student lacks the points or what is wrong (%v)", err)
	}
	pairs, err := os.ReadFile(filepath.Join(dir, "similarity.csv"))
	if err != nil || !strings.HasPrefix(string(pairs), "a,b,similarity\n") || !strings.Contains(string(pairs), "right,") && !strings.Contains(string(pairs), ",right") {
		t.Errorf("similarity: %v\n%s", err, pairs)
	}
}

// TestFeedbackTellsNothing checks that neither students' output nor messages of checks reveal
// hidden checks and references on the page, and that marks given by hand survive the next run.
func TestFeedbackTellsNothing(t *testing.T) {
	dir := t.TempDir()
	executeCommand(t, "release", homeworkSource, "-o", filepath.Join(dir, "release"))
	handIn(t, dir, "spy", "t1", "var asked []string\nfunc score(w []float64, b float64, x []float64) float64 {\nasked = append(asked, fmt.Sprint(w, b, x))\nfmt.Println(\"asked\", w, b, x)\nif len(w) == 3 { panic(fmt.Sprint(w)) }\nreturn 0\n}")
	handIn(t, dir, "late", "t5", "fmt.Println(score, asked)")
	handIn(t, dir, "right", "", "")
	table := filepath.Join(dir, "grades.csv")
	_, said := executeCommand(t, "grade", filepath.Join(dir, "submitted"), "--source", homeworkSource, "--html", filepath.Join(dir, "feedback"), "-o", table)
	if strings.Contains(said, "marks") {
		t.Errorf("marks are kept that nobody has given: %s", said)
	}
	source, err := notebook.Read(homeworkSource)
	if err != nil {
		t.Fatal(err)
	}
	var secrets []string
	for _, c := range source.Cells {
		hidden := false
		for line := range strings.Lines(c.Source) {
			switch line = strings.TrimSpace(line); {
			case strings.Contains(line, "BEGIN HIDDEN TESTS"):
				hidden = true
			case strings.Contains(line, "END HIDDEN TESTS"):
				hidden = false
			case hidden && len(line) > 8:
				secrets = append(secrets, line)
			}
		}
	}
	if len(secrets) < 10 {
		t.Fatalf("the source hides %q", secrets)
	}
	for _, student := range []string{"spy", "late", "right"} {
		page, err := os.ReadFile(filepath.Join(dir, "feedback", student+".html"))
		if err != nil {
			t.Fatal(err)
		}
		text := html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(string(page), ""))
		for _, s := range append(secrets, "[1 -1 2]", "[0 0 0]", "BEGIN HIDDEN") {
			if strings.Contains(text, s) {
				t.Errorf("the page of %s shows %q", student, s)
			}
		}
		for _, s := range []string{"score-check", "Below is the notebook as it runs without the hidden checks", "score is right, whatever"} {
			if has := strings.Contains(text, s); has == strings.HasPrefix(s, "score is right") {
				t.Errorf("the page of %s has %q: %v", student, s, has)
			}
		}
	}
	b, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	why := slices.Index(rows[0], "why")
	for _, r := range rows[1:] {
		if r[0] == "right" {
			r[why] = "1"
		}
	}
	var filled bytes.Buffer
	if err := csv.NewWriter(&filled).WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(table, filled.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	_, said = executeCommand(t, "grade", filepath.Join(dir, "submitted"), "--source", homeworkSource, "-o", table)
	if b, err = os.ReadFile(table); err != nil || !strings.Contains(string(b), "right,12,12,0,") || !strings.Contains(said, "kept the marks that were entered by hand in "+table+": 1") {
		t.Errorf("the mark is lost: %v\n%s\n%s", err, b, said)
	}
	if err := os.WriteFile(table, []byte("something,else\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := newRoot()
	cmd.SetArgs([]string{"grade", filepath.Join(dir, "submitted"), "--source", homeworkSource, "-o", table})
	if err := cmd.Execute(); err == nil || !strings.Contains(err.Error(), "choose another file with -o") {
		t.Errorf("a file of something else is written over: %v", err)
	}
}

// TestRunKeepsSolutions checks that run creates a page of a homework's solutions only on request,
// and that export reports what a program contains.
func TestRunKeepsSolutions(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "hw.ipynb")
	executeCommand(t, "new", "homework", name, "--title", "Means")
	page := filepath.Join(dir, "hw.html")
	cmd := newRoot()
	cmd.SetArgs([]string{"run", name, "--html", page})
	cmd.SetErr(&bytes.Buffer{})
	if err := cmd.Execute(); err == nil || !strings.Contains(err.Error(), "hw.ipynb would show solutions or hidden checks: create the student version with gokernel release") {
		t.Errorf("got %v", err)
	}
	_, said := executeCommand(t, "run", name)
	if !strings.Contains(said, "note: "+page+" was not written, because it would show solutions and hidden checks") {
		t.Errorf("said %s", said)
	}
	if _, err := os.Stat(page); err == nil {
		t.Error("the page was written")
	}
	executeCommand(t, "run", name, "--html", page, "--solutions")
	if b, err := os.ReadFile(page); err != nil || !bytes.Contains(b, []byte("BEGIN SOLUTION")) {
		t.Errorf("--solutions shows none: %v", err)
	}
	executeCommand(t, "release", name, "-o", filepath.Join(dir, "release"))
	executeCommand(t, "run", filepath.Join(dir, "release", "hw.ipynb"), "--html", filepath.Join(dir, "students.html"))
	if b, err := os.ReadFile(filepath.Join(dir, "students.html")); err != nil || bytes.Contains(b, []byte("SOLUTION")) {
		t.Errorf("the students' page: %v", err)
	}
	if _, said := executeCommand(t, "export", name, "--stdout"); !strings.Contains(said, "note: the program contains the solutions") {
		t.Errorf("export says %s", said)
	}
}

// TestReleaseRefuses checks that release rejects a source whose own solutions do not earn the
// points.
func TestReleaseRefuses(t *testing.T) {
	nb, err := notebook.Read(homeworkSource)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range nb.Cells {
		c.Source = strings.Replace(c.Source, "<= 0", "< 0", 1)
	}
	b, err := nb.Encode()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "hw.ipynb")
	if err := os.WriteFile(name, b, 0o666); err != nil {
		t.Fatal(err)
	}
	var progress bytes.Buffer
	cmd := newRoot()
	cmd.SetArgs([]string{"release", name, "-o", filepath.Join(dir, "out")})
	cmd.SetErr(&progress)
	if err := cmd.Execute(); err == nil || !strings.Contains(progress.String(), "earn 0.4 of 2 points in mistake-check") {
		t.Errorf("%v\n%s", err, &progress)
	}
	if _, err := os.Stat(filepath.Join(dir, "out", "hw.ipynb")); err == nil {
		t.Error("the notebook was written all the same")
	}
}

// TestNewAndCheck checks that the notebook created by new runs and can be released, and that check
// finds mistakes.
func TestNewAndCheck(t *testing.T) {
	dir := t.TempDir()
	command := func(args ...string) (string, error) {
		var out bytes.Buffer
		cmd := newRoot()
		cmd.SetArgs(args)
		cmd.SetOut(&out)
		cmd.SetErr(&out)
		err := cmd.Execute()
		return out.String(), err
	}
	for _, kind := range []string{"lecture", "homework"} {
		name := filepath.Join(dir, kind+".ipynb")
		if out, err := command("new", kind, name, "--title", "A & B"); err != nil {
			t.Fatal(out, err)
		}
		if out, err := command("check", name); err != nil {
			t.Errorf("%s: %v\n%s", kind, err, out)
		}
		if _, err := command("new", kind, name); err == nil {
			t.Error("a notebook was overwritten")
		}
	}
	out, err := command("release", filepath.Join(dir, "homework.ipynb"), "-o", filepath.Join(dir, "release"))
	if err != nil || !strings.Contains(out, "3 points, 1 of them by hand") {
		t.Errorf("%v\n%s", err, out)
	}
	out, err = command("check", filepath.Join(dir, "release", "homework.ipynb"))
	if err != nil || !strings.Contains(out, "0 of 0.4 visible points; 1.6 more are tested after you hand in, 1 more by hand") || !strings.Contains(out, "not done yet") {
		t.Errorf("untouched homework: %v\n%s", err, out)
	}
	// A right answer earns all visible points.
	done := strings.NewReplacer("\\tpanic(\\\"not done yet\\\")\\n", "", "// YOUR CODE HERE\\n", "return stats(xs)\\n")
	b, err := os.ReadFile(filepath.Join(dir, "release", "homework.ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	answered := strings.Replace(done.Replace(string(b)), "// mean returns", "func stats(xs []float64) float64 { s := 0.0; for _, x := range xs { s += x }; return s / float64(len(xs)) }\\n\",\n    \"// mean returns", 1)
	put := filepath.Join(dir, "answered.ipynb")
	if err := os.WriteFile(put, []byte(answered), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err = command("check", put)
	if err != nil || !strings.Contains(out, "all visible checks pass; the rest is tested after you hand in: 1.6 of 2 points, 1 more by hand") || strings.Contains(out, "task1-check") {
		t.Errorf("answered homework: %v\n%s", err, out)
	}
	bad := &notebook.Notebook{Cells: []*notebook.Cell{
		{ID: "link", Type: notebook.Markdown, Source: "[a](homework.ipynb), [b](missing.ipynb#x), [c](https://example.org/x), ![d](<no.png>)"},
		{ID: "fails", Type: notebook.Code, Source: "missing()"},
		{ID: "other", Type: notebook.Code, Source: "1 + 1", Outputs: []*notebook.Output{{Type: notebook.ExecuteResult, Data: map[string]any{"text/plain": "3"}}}},
		{ID: "same", Type: notebook.Code, Source: "1 + 2", Outputs: []*notebook.Output{{Type: notebook.ExecuteResult, Data: map[string]any{"text/plain": "3"}}}},
	}}
	b, err = bad.Encode()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "bad.ipynb")
	if err := os.WriteFile(name, b, 0o666); err != nil {
		t.Fatal(err)
	}
	out, err = command("check", name)
	if err == nil {
		t.Error("nothing was found")
	}
	for _, want := range []string{"links to missing.ipynb#x", "links to no.png", "cell fails fails: compile error", `cell other shows "2", but "3" is stored`, "4 found"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not said:\n%s", want, out)
		}
	}
}

// TestGradeDoubtsTheSource grades with sources whose own solutions fail, as with a program that was
// not built completely: grade must not write zeros. If only the submission fails, it is graded.
func TestGradeDoubtsTheSource(t *testing.T) {
	source := func(solution, check string) *notebook.Notebook {
		cell := func(id, source string, m map[string]any) *notebook.Cell {
			m["grade_id"] = id
			return &notebook.Cell{ID: id, Type: notebook.Code, Source: source, Metadata: map[string]any{"nbgrader": m}}
		}
		return &notebook.Notebook{Metadata: map[string]any{}, Cells: []*notebook.Cell{
			cell("f", "// BEGIN SOLUTION\n"+solution+"\n// END SOLUTION", map[string]any{"solution": true}),
			cell("f-check", check, map[string]any{"grade": true, "locked": true, "points": 2}),
		}}
	}
	const right, check = "func f() int { return 1 }\nlist := []int{1}", "Check(f).Is(1).Points(2)\n_ = list[0]"
	for name, c := range map[string]struct{ solution, check, submitted, want string }{
		"check":      {right, check + "\nCheck(f).Missing()", right, "earn 0 of 2 points in f-check: compile error: Check("},
		"solution":   {right + "\nmissing()", check, right + "\nlist = nil", "earn 0 of 2 points in f-check"},
		"submission": {right, check, "func f() int { return 1 }\nlist := []int{}", ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file, table := filepath.Join(dir, "hw.ipynb"), filepath.Join(dir, "grades.csv")
			for to, nb := range map[string]*notebook.Notebook{file: source(c.solution, c.check), filepath.Join(dir, "submitted", "ann.ipynb"): source(c.submitted, "")} {
				if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o777), writeNotebook(to, nb)); err != nil {
					t.Fatal(err)
				}
			}
			cmd := newRoot()
			cmd.SetArgs([]string{"grade", filepath.Join(dir, "submitted"), "--source", file, "-o", table})
			cmd.SetOut(io.Discard)
			cmd.SetErr(io.Discard)
			err := cmd.Execute()
			_, written := os.Stat(table)
			if c.want == "" {
				if err != nil || written != nil {
					t.Fatalf("%v, %v", err, written)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), "nothing was written, because the solutions of "+file) || !strings.Contains(err.Error(), c.want) || written == nil {
				t.Errorf("got %v, and the table: %v", err, written)
			}
		})
	}
}
