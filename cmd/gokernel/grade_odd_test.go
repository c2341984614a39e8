package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/bench/escape/submissions"
)

// TestGradeOddSubmissions checks submissions that can't be graded: each is a line of the table with
// the reason. Files are copied only by their names, and names are not formulas. Points that a
// submission claims don't count.
func TestGradeOddSubmissions(t *testing.T) {
	dir := t.TempDir()
	source, in := filepath.Join(dir, "source"), filepath.Join(dir, "submitted")
	write := func(name string, b []byte) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var nb map[string]any
	if err := json.Unmarshal(submissions.Source(), &nb); err != nil {
		t.Fatal(err)
	}
	cells := nb["cells"].([]any)
	cells[0].(map[string]any)["source"] = "xs := []float64{1, 4, 9, 16}\ntype point struct{ x, y float64 }\ngiven, err := os.ReadFile(\"given.txt\")\nif err != nil {\n\tpanic(err)\n}"
	b, err := json.Marshal(nb)
	if err != nil {
		t.Fatal(err)
	}
	write(filepath.Join(source, "hw.ipynb"), b)
	write(filepath.Join(source, "given.txt"), []byte("given"))
	write(filepath.Join(source, "grades-of-others.txt"), []byte("secret"))
	write(filepath.Join(source, "extra.txt"), []byte("extra"))
	c := submissions.Case{First: "for _, name := range []string{\"given.txt\", \"extra.txt\", \"mine.txt\", \"grades-of-others.txt\", \"link.txt\"} {\n\tb, err := os.ReadFile(name)\n\tfmt.Println(name, string(b), err == nil)\n}\nif _, err := os.ReadFile(\"grades-of-others.txt\"); err == nil {\n\tos.Exit(3)\n}"}
	right := c.Submission()
	write(filepath.Join(in, "ann", "hw.ipynb"), right)
	write(filepath.Join(in, "ann", "mine.txt"), []byte("mine"))
	write(filepath.Join(in, "=1+1", "hw.ipynb"), right)
	write(filepath.Join(in, "@cmd.ipynb"), submissions.Case{Many: 2}.Submission())
	write(filepath.Join(in, "broken", "hw.ipynb"), []byte("{\"cells\": ["))
	write(filepath.Join(in, "many", "a.ipynb"), right)
	write(filepath.Join(in, "many", "b.ipynb"), right)
	if err := os.MkdirAll(filepath.Join(in, "folder", "hw.ipynb"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, link := range [][2]string{{filepath.Join(source, "hw.ipynb"), filepath.Join(in, "linked", "hw.ipynb")}, {filepath.Join(in, "ann"), filepath.Join(in, "copied")}, {"/etc/passwd", filepath.Join(in, "ann", "link.txt")}} {
		if err := os.MkdirAll(filepath.Dir(link[1]), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(link[0], link[1]); err != nil {
			t.Fatal(err)
		}
	}
	large, err := os.Create(filepath.Join(in, "large.ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	if err := large.Truncate(mostNotebook + 1); err != nil {
		t.Fatal(err)
	}
	large.Close()
	html := filepath.Join(dir, "feedback")
	table, said := executeCommand(t, "grade", in, "--source", filepath.Join(source, "hw.ipynb"), "--files", "extra.txt,mine.txt,link.txt", "--html", html, "--jobs", "2")
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(rows[0], " "); got != "student points of by hand seconds notes "+strings.Join(submissions.Tasks(), " ") {
		t.Errorf("the columns are %s", got)
	}
	got := map[string][]string{}
	for _, r := range rows[1:] {
		got[r[0]] = r
	}
	for student, want := range map[string]string{"ann": "14", "'=1+1": "14", "'@cmd": "14", "broken": "hw.ipynb", "many": "there are 2 notebooks", "folder": "is a folder", "linked": "is a symbolic link", "copied": "is a symbolic link", "large": "larger than 32 MiB"} {
		r := got[student]
		if r == nil || r[1] != want && !strings.Contains(r[5], want) {
			t.Errorf("%s: %q, want %s\n%s", student, r, want, said)
		}
	}
	page, err := os.ReadFile(filepath.Join(html, "ann.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"given.txt given true", "extra.txt extra true", "mine.txt mine true", "grades-of-others.txt  false", "link.txt  false"} {
		if !bytes.Contains(page, []byte(want)) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if !strings.Contains(said, "broken: ") || !strings.Contains(said, "not graded: 6") {
		t.Errorf("the summary does not say what is odd:\n%s", said)
	}
}

// TestReleaseReportsWhatCannotPass checks that the lecturer learns about an impossible check before
// students get the notebook.
func TestReleaseReportsWhatCannotPass(t *testing.T) {
	cell := func(id, role, source string) string {
		b, _ := json.Marshal(map[string]any{"cell_type": "code", "id": id, "source": source, "outputs": []any{}, "execution_count": nil,
			"metadata": map[string]any{"nbgrader": map[string]any{"grade_id": id, "grade": role == "tests", "solution": role == "answer", "points": 1}}})
		return string(b)
	}
	for _, tt := range []struct{ answer, check, want string }{
		{"func f() chan int {\n\t// BEGIN SOLUTION\n\treturn make(chan int)\n\t// END SOLUTION\n}", "Check(f).That(\"it is one\", func(c chan int) bool { return c != nil })", "returns what cannot be passed between the processes: result 1 of f (chan int)"},
		{"func f(c chan int) int {\n\t// BEGIN SOLUTION\n\treturn 1\n\t// END SOLUTION\n}", "Check(f, make(chan int)).Is(1)", "cannot be passed between the processes: argument 1 of f (chan int)"},
		{"// BEGIN SOLUTION\ntype stack struct{ xs []int }\nfunc (s *stack) push(x int) { s.xs = append(s.xs, x) }\n// END SOLUTION", "Check(func() int { s := &stack{}; s.push(1); return 1 }).Is(1)", "it uses type stack, which an answer declares"},
		{"func f[T any](x T) T {\n\t// BEGIN SOLUTION\n\treturn x\n\t// END SOLUTION\n}", "Check(func() int { return f(1) }).Is(1)", "func f has type parameters"},
		{"import \"reflect\"\nfunc f(x any) string {\n\t// BEGIN SOLUTION\n\treturn reflect.TypeOf(x).String()\n\t// END SOLUTION\n}", "Check(f, 1).Is(\"int\")", "package reflect is not on the list"},
	} {
		dir := t.TempDir()
		name := filepath.Join(dir, "hw.ipynb")
		text := "{\"cells\": [" + cell("a", "answer", tt.answer) + "," + cell("c", "tests", tt.check) + "], \"metadata\": {}, \"nbformat\": 4, \"nbformat_minor\": 5}"
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		run := func() (string, error) {
			var said bytes.Buffer
			cmd := newRoot()
			cmd.SetArgs([]string{"release", name, "-o", filepath.Join(dir, "out")})
			cmd.SetOut(&said)
			cmd.SetErr(&said)
			err := cmd.Execute()
			return said.String(), err
		}
		said, err := run()
		if err == nil || !strings.Contains(said, tt.want) {
			t.Errorf("%s\n%v: %s\nwant %s", tt.answer, err, said, tt.want)
		}
		if strings.Contains(tt.answer, "reflect") { // the notebook can allow the import
			text = strings.Replace(text, "\"metadata\": {}, \"nbformat\"", "\"metadata\": {\"gokernel\": {\"grade\": {\"allow\": [\"reflect\"]}}}, \"nbformat\"", 1)
			if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			if said, err := run(); err != nil {
				t.Errorf("allowed: %v: %s", err, said)
			}
		}
	}
}

// TestNamesOfPackagesInAnswers checks that a name which an answer declares isn't a package, even if
// there is a package of that name that a submission must not import.
func TestNamesOfPackagesInAnswers(t *testing.T) {
	const local = "func f() int {\n\t// BEGIN SOLUTION\n\tnet := ml.MLP(2, 1)\n\treturn net.NumParams()\n\t// END SOLUTION\n}"
	const parameter = "func f() int {\n\t// BEGIN SOLUTION\n\tcount := func(syscall *ml.Network) int { return syscall.NumParams() }\n\treturn count(ml.MLP(2, 1))\n\t// END SOLUTION\n}"
	for _, tt := range []struct{ answer, want string }{
		{local, ""},
		{parameter, ""},
		{local + "\nfunc g() error {\n\t_, err := net.Dial(\"tcp\", \"localhost:1\")\n\treturn err\n}", "package net is not on the list"},
		{"import \"net\"\n" + local, "package net is not on the list"},
		{"import _ \"net\"\n" + local, "package net is not on the list"},
	} {
		var cells []string
		for _, c := range []struct{ id, source string }{{"a", tt.answer}, {"c", "Check(f).Is(3)"}} {
			b, err := json.Marshal(map[string]any{"cell_type": "code", "id": c.id, "source": c.source, "outputs": []any{}, "execution_count": nil,
				"metadata": map[string]any{"nbgrader": map[string]any{"grade_id": c.id, "grade": c.id == "c", "solution": c.id == "a", "points": 1}}})
			if err != nil {
				t.Fatal(err)
			}
			cells = append(cells, string(b))
		}
		name := filepath.Join(t.TempDir(), "hw.ipynb")
		text := "{\"cells\": [" + strings.Join(cells, ",") + "], \"metadata\": {}, \"nbformat\": 4, \"nbformat_minor\": 5}"
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		var said bytes.Buffer
		cmd := newRoot()
		cmd.SetArgs([]string{"release", name, "-o", filepath.Join(filepath.Dir(name), "out")})
		cmd.SetOut(&said)
		cmd.SetErr(&said)
		if err := cmd.Execute(); (err == nil) != (tt.want == "") || !strings.Contains(said.String(), tt.want) {
			t.Errorf("%s\n%v: %s\nwant %q", tt.answer, err, &said, tt.want)
		}
	}
}
