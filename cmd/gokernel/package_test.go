//go:build linux

package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/internal/sandbox"
)

// writePackageSource writes a homework with one task, whose data differ between students if
// variants is set.
func writePackageSource(t *testing.T, name string, variants bool) {
	t.Helper()
	mark := func(id string, grade, solution bool, points float64) map[string]any {
		return map[string]any{"nbgrader": map[string]any{"schema_version": 3, "grade_id": id, "grade": grade, "solution": solution, "locked": !solution, "task": false, "points": points}}
	}
	given := "scale := 3\nb, err := os.ReadFile(\"offset.txt\")\nif err != nil {\n\tpanic(err)\n}\noffset := len(b)"
	if variants {
		given = strings.Replace(given, "scale := 3", "scale := 3 // VARIANT 2..90000", 1)
	}
	nb := &notebook.Notebook{Cells: []*notebook.Cell{
		{ID: "title", Type: notebook.Markdown, Source: "# Lines\n\nThe slope is {{scale}}.", Metadata: map[string]any{}},
		{ID: "given", Type: notebook.Code, Source: given, Metadata: mark("given", false, false, 0)},
		{ID: "line", Type: notebook.Code, Source: "func line(x int) int {\n\t// BEGIN SOLUTION\n\treturn scale*x + offset\n\t// END SOLUTION\n}", Metadata: mark("line", false, true, 0)},
		{ID: "line-check", Type: notebook.Code, Source: "Checks(\n\tCheck(line, 1).Is(scale + offset).Within(300 * time.Millisecond).Points(1),\n\t// BEGIN HIDDEN TESTS\n\tCheck(line, 10).Is(10*scale + offset).Within(300 * time.Millisecond).Points(4).Hidden().Kind(\"larger x\"),\n\t// END HIDDEN TESTS\n)", Metadata: mark("line-check", true, false, 5)},
		{ID: "why", Type: notebook.Markdown, Source: "<!-- BEGIN SOLUTION -->\nIt is straight.\n<!-- END SOLUTION -->", Metadata: mark("why", true, true, 2)},
	}}
	nb.Cells[4].Metadata["nbgrader"].(map[string]any)["locked"] = false
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := writeNotebook(name, nb); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(name), "offset.txt"), []byte("1234567"), 0o666); err != nil {
		t.Fatal(err)
	}
}

// answerPackage writes a student version with an answer.
func answerPackage(t *testing.T, released, to, answer string) {
	t.Helper()
	nb, err := readNotebook("test", released)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range nb.Cells {
		if c.ID == "line" {
			c.Source = answer
		}
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := writeNotebook(to, nb); err != nil {
		t.Fatal(err)
	}
}

// smallProgram writes a file with only the header of a program for Linux.
func smallProgram(t *testing.T, machine byte) string {
	t.Helper()
	header := make([]byte, 64)
	copy(header, "\x7fELF\x02\x01\x01")
	header[16], header[18], header[20], header[52] = 2, machine, 1, 64
	name := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(name, header, 0o777); err != nil {
		t.Fatal(err)
	}
	return name
}

const amd64Machine, arm64Machine = 62, 183

// unpackGradescope makes the folder /autograder of Gradescope in a temporary folder. The program in
// the package is replaced by this one.
func unpackGradescope(t *testing.T, file string) (root string) {
	t.Helper()
	root = t.TempDir()
	for _, name := range []string{"submission", "results"} {
		if err := os.Mkdir(filepath.Join(root, name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	z, err := zip.OpenReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for _, f := range z.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(root, "source", filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, b, f.Mode()); err != nil {
			t.Fatal(err)
		}
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	in := filepath.Join(root, "source", "gokernel")
	if err := os.Remove(in); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(program, in); err != nil {
		t.Fatal(err)
	}
	setup := exec.Command(filepath.Join(root, "source", "setup.sh"))
	setup.Env = []string{"AUTOGRADER_ROOT=" + root, "PATH=" + os.Getenv("PATH")}
	if out, err := setup.CombinedOutput(); err != nil || !strings.HasPrefix(string(out), "gokernel ") {
		t.Fatalf("setup.sh: %v\n%s", err, out)
	}
	if err := os.Rename(filepath.Join(root, "source", "run_autograder"), filepath.Join(root, "run_autograder")); err != nil {
		t.Fatal(err)
	}
	return root
}

// gradescopeOutput are the documented fields of results.json; others are errors.
type gradescopeOutput struct {
	Score         *float64 `json:"score"`
	ExecutionTime float64  `json:"execution_time"`
	Output        string   `json:"output"`
	OutputFormat  string   `json:"output_format"`
	Stdout        string   `json:"stdout_visibility"`
	Tests         []struct {
		Name       string   `json:"name"`
		Score      *float64 `json:"score"`
		MaxScore   *float64 `json:"max_score"`
		Status     string   `json:"status"`
		Output     string   `json:"output"`
		Format     string   `json:"output_format"`
		Visibility string   `json:"visibility"`
	} `json:"tests"`
}

// runGradescope runs run_autograder as Gradescope does.
func runGradescope(t *testing.T, root string) (r gradescopeOutput, text string, err error) {
	t.Helper()
	run := exec.CommandContext(t.Context(), filepath.Join(root, "run_autograder"))
	run.Dir = root
	run.Env = []string{"AUTOGRADER_ROOT=" + root, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + t.TempDir()}
	out, err := run.CombinedOutput()
	b, missing := os.ReadFile(filepath.Join(root, "results", "results.json"))
	if err != nil || missing != nil {
		if err == nil || missing == nil {
			t.Fatalf("run_autograder: %v, results: %v\n%s", err, missing, out)
		}
		return r, string(out), err
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
	return r, string(b), nil
}

// TestPackageGradescope runs the autograder of a package with good, wrong and hostile submissions.
func TestPackageGradescope(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "source", "it's lines.ipynb")
	writePackageSource(t, source, false)
	executeCommand(t, "release", source, "-o", filepath.Join(dir, "release"))
	released := filepath.Join(dir, "release", filepath.Base(source))
	file := filepath.Join(dir, "lines.zip")
	_, said := executeCommand(t, "package", "gradescope", source, "-o", file, "--binary", smallProgram(t, amd64Machine))
	if !strings.Contains(said, "7 points, 2 of them by hand") {
		t.Errorf("package says %s", said)
	}
	root := unpackGradescope(t, file)
	secret := filepath.Join(root, "source", "homework", filepath.Base(source))
	results := filepath.Join(root, "results", "results.json")
	for _, tt := range []struct {
		name, answer    string
		visible, hidden float64 // points
		output          string  // part of the results
	}{
		{"good", "func line(x int) int { return scale*x + offset }", 1, 4, "Up to 2 points more"},
		{"wrong for hidden checks", "func line(x int) int { return scale + offset }", 1, 0, "1 hidden check failed (larger x): a wrong result"},
		{"panics", "func line(x int) int { panic(\"<b>no\") }", 0, 0, "line panics"},
		{"does not compile", "func line(x int) int { return x +", 0, 0, "line is not defined"},
		{"endless", "func line(x int) int { for { } }", 0, 0, "300ms"},
		{"ends its process", "func line(x int) int { os.Exit(0); return 0 }", 0, 0, "ends the program"},
		{"writes results", fmt.Sprintf("func line(x int) int {\n\tif os.WriteFile(%q, []byte(`{\"score\": 99}`), 0o666) == nil {\n\t\treturn scale*x + offset\n\t}\n\treturn 0\n}", results), 0, 0, ""},
		{"reads the source", fmt.Sprintf("func line(x int) int {\n\tif b, err := os.ReadFile(%q); err == nil && len(b) > 0 {\n\t\treturn scale*x + offset\n\t}\n\treturn 0\n}", secret), 0, 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if strings.HasSuffix(tt.name, "s the source") || strings.HasSuffix(tt.name, "s results") {
				if lacks := sandbox.Lacks(); len(lacks) > 0 {
					t.Skip(lacks)
				}
			}
			answerPackage(t, released, filepath.Join(root, "submission", filepath.Base(source)), tt.answer)
			r, text, err := runGradescope(t, root)
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			if r.Score != nil || len(r.Tests) != 2 || r.Stdout != "hidden" || r.ExecutionTime <= 0 {
				t.Fatalf("the results are\n%s", text)
			}
			for i, want := range []struct {
				score, most float64
				visibility  string
			}{{tt.visible, 1, "visible"}, {tt.hidden, 4, "after_due_date"}} {
				got := r.Tests[i]
				status := map[bool]string{true: "passed", false: "failed"}[want.score == want.most]
				if *got.Score != want.score || *got.MaxScore != want.most || got.Visibility != want.visibility || got.Status != status || got.Format != "text" {
					t.Errorf("test %d is %+v with %v points, expected %v", i, got, *got.Score, want)
				}
			}
			if !strings.Contains(text, tt.output) {
				t.Errorf("the results lack %q:\n%s", tt.output, text)
			}
			if strings.Contains(r.Tests[0].Output, "hidden") {
				t.Errorf("the visible test speaks of hidden checks: %s", r.Tests[0].Output)
			}
		})
	}
}

// TestPackageGradescopeOdd checks that a submission that can't be graded earns 0 points with the
// reason, and that an autograder that is broken writes no results.
func TestPackageGradescopeOdd(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "source", "lines.ipynb")
	writePackageSource(t, source, false)
	file := filepath.Join(dir, "lines.zip")
	executeCommand(t, "package", "gradescope", source, "-o", file, "--binary", smallProgram(t, amd64Machine), "--show", "visible")
	root := unpackGradescope(t, file)
	submission := filepath.Join(root, "submission")
	for name, tt := range map[string]struct {
		files map[string]string
		link  string
		want  string
	}{
		"nothing":       {want: "hand in the notebook lines.ipynb"},
		"broken":        {files: map[string]string{"lines.ipynb": "{"}, want: "lines.ipynb"},
		"two notebooks": {files: map[string]string{"a.ipynb": "{}", "b.ipynb": "{}"}, want: "several: a.ipynb, b.ipynb"},
		"a link":        {link: "/etc/passwd", want: "is a symbolic link"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.RemoveAll(submission); err != nil {
				t.Fatal(err)
			}
			if err := os.MkdirAll(submission, 0o777); err != nil {
				t.Fatal(err)
			}
			for name, text := range tt.files {
				if err := os.WriteFile(filepath.Join(submission, name), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if tt.link != "" {
				if err := os.Symlink(tt.link, filepath.Join(submission, "lines.ipynb")); err != nil {
					t.Fatal(err)
				}
			}
			r, text, err := runGradescope(t, root)
			if err != nil || r.Score == nil || *r.Score != 0 || len(r.Tests) != 0 || !strings.Contains(r.Output, tt.want) {
				t.Errorf("%v: the results are\n%s", err, text)
			}
		})
	}
	if err := os.WriteFile(filepath.Join(root, "source", "homework", "lines.ipynb"), []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, said, err := runGradescope(t, root); err == nil {
		t.Errorf("a broken source is not reported: %s", said)
	}
}

// TestPackageErrors checks what package refuses.
func TestPackageErrors(t *testing.T) {
	dir := t.TempDir()
	source, varied := filepath.Join(dir, "lines.ipynb"), filepath.Join(dir, "varied", "lines.ipynb")
	writePackageSource(t, source, false)
	writePackageSource(t, varied, true)
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"moodle", source, "-o", "x"}, `must be gradescope or github, got "moodle"`},
		{[]string{"github", source}, "name the package"},
		{[]string{"gradescope", source, "-o", "x.zip", "--hidden"}, "--hidden is for github"},
		{[]string{"gradescope", source, "-o", "x.zip", "--show", "never"}, `--show must be one of visible, after_due_date, after_published, hidden, got "never"`},
		{[]string{"gradescope", source, "-o", "x.zip", "--binary", source}, "is not a program for Linux"},
		{[]string{"gradescope", source, "-o", "x.zip", "--binary", smallProgram(t, arm64Machine)}, "is for EM_AARCH64"},
		{[]string{"github", source, "-o", dir}, "is not empty"},
		{[]string{"github", varied, "-o", filepath.Join(dir, "new")}, "the same for all students"},
	} {
		cmd := newRoot()
		cmd.SetArgs(slices.Concat([]string{"package"}, tt.args))
		cmd.SetOut(io.Discard)
		cmd.SetErr(io.Discard)
		if err := cmd.Execute(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("package %v: %v, expected %s", tt.args, err, tt.want)
		}
	}
}

// workflowScripts returns the scripts of a workflow's steps that begin with "run: |".
func workflowScripts(text string) (scripts []string) {
	inside := false
	for line := range strings.Lines(text) {
		switch {
		case strings.TrimSpace(line) == "run: |":
			scripts, inside = append(scripts, ""), true
		case inside && strings.HasPrefix(line, "          "):
			scripts[len(scripts)-1] += strings.TrimPrefix(line, "          ")
		default:
			inside = false
		}
	}
	return scripts
}

// TestPackageGitHub runs the steps of the workflow in the repository of a student. Hidden checks
// and solutions are in it only if the teacher asks for that.
func TestPackageGitHub(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "source", "lines.ipynb")
	writePackageSource(t, source, false)
	if err := os.WriteFile(filepath.Join(dir, "source", "private.txt"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(dir, "bin")
	if err := os.Mkdir(bin, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(program, filepath.Join(bin, "gokernel")); err != nil {
		t.Fatal(err)
	}
	for _, hidden := range []bool{false, true} {
		repository := filepath.Join(dir, fmt.Sprint("repository-", hidden))
		executeCommand(t, "package", "github", source, "-o", repository, fmt.Sprint("--hidden=", hidden))
		files := map[string]string{}
		err := filepath.WalkDir(repository, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			b, err := os.ReadFile(path)
			files[filepath.ToSlash(strings.TrimPrefix(path, repository+"/"))] = string(b)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		want := 4
		if hidden {
			want = 6
		}
		if len(files) != want || files["offset.txt"] == "" || !strings.Contains(files["README.md"], "# Lines\n") {
			t.Errorf("hidden %v: the files are %q", hidden, files)
		}
		for name, text := range files {
			if secret := strings.Contains(text, "larger x") || strings.Contains(text, "scale*x"); secret != (hidden && name == ".github/grading/lines.ipynb") {
				t.Errorf("hidden %v: a hidden check or a solution in %s: %v", hidden, name, secret)
			}
		}
		scripts := workflowScripts(files[".github/workflows/homework.yml"])
		if len(scripts) != 1+map[bool]int{true: 1}[hidden] {
			t.Fatalf("the scripts are %q", scripts)
		}
		for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}} {
			if out, err := exec.Command("git", append([]string{"-C", repository}, args...)...).CombinedOutput(); err != nil {
				t.Fatalf("git: %v %s", err, out)
			}
		}
		for _, tt := range []struct {
			answer, visible, total string
			passes                 bool
		}{
			{"func line(x int) int { return scale*x + offset }", "all visible checks pass", "you,5,7,2", true},
			{"func line(x int) int { return scale + offset }", "all visible checks pass", "you,1,7,2", true},
			{"func line(x int) int { return 0 }", "0 of 1 visible points", "you,0,7,2", false},
		} {
			answerPackage(t, filepath.Join(repository, "lines.ipynb"), filepath.Join(repository, "lines.ipynb"), tt.answer)
			temporary := t.TempDir()
			summary := filepath.Join(temporary, "summary")
			for i, script := range scripts {
				run := exec.CommandContext(t.Context(), "bash", "-e", "-c", script)
				run.Dir = repository
				run.Env = []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "NOTEBOOK=lines.ipynb", "RUNNER_TEMP=" + temporary, "GITHUB_STEP_SUMMARY=" + summary}
				out, err := run.CombinedOutput()
				if passes := err == nil; passes != (tt.passes || i == 1) {
					t.Errorf("%s: step %d passes: %v\n%s", tt.answer, i, passes, out)
				}
			}
			b, err := os.ReadFile(summary)
			if err != nil || !strings.Contains(string(b), tt.visible) || strings.Contains(string(b), tt.total) != hidden {
				t.Errorf("hidden %v, %s: %v, the summary is\n%s", hidden, tt.answer, err, b)
			}
		}
	}
}

// TestVariants checks that students have different data, and that answers are graded with the data
// of their students.
func TestVariants(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "source", "lines.ipynb")
	writePackageSource(t, source, true)
	class := filepath.Join(dir, "class.csv")
	if err := os.WriteFile(class, []byte("name,student\nAnn,ann\nBob,Bob@example.org\nCid,cid\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	release := filepath.Join(dir, "release")
	_, said := executeCommand(t, "release", source, "--students", class, "-o", release)
	if !strings.Contains(said, "for 3 students with 3 different variants: 7 points") {
		t.Errorf("release says %s", said)
	}
	scales := map[string]string{}
	for _, student := range []string{"ann", "Bob@example.org", "cid"} {
		nb, err := readNotebook("test", filepath.Join(release, student, "lines.ipynb"))
		if err != nil {
			t.Fatal(err)
		}
		line, _, _ := strings.Cut(nb.Cells[1].Source, "\n")
		scale, ok := strings.CutPrefix(line, "scale := ")
		if !ok || strings.Contains(line, "VARIANT") || !strings.Contains(nb.Cells[0].Source, "The slope is "+scale+".") {
			t.Errorf("%s has %q and %q", student, line, nb.Cells[0].Source)
		}
		scales[scale] = student
	}
	if len(scales) != 3 {
		t.Errorf("the students' values are %v", scales)
	}
	right := "func line(x int) int { return scale*x + offset }"
	submitted := filepath.Join(dir, "submitted")
	answerPackage(t, filepath.Join(release, "ann", "lines.ipynb"), filepath.Join(submitted, "ann", "lines.ipynb"), right)
	for scale, student := range scales {
		if student == "ann" { // Cid types what Ann's function computes, and hands in his own notebook
			answerPackage(t, filepath.Join(release, "cid", "lines.ipynb"), filepath.Join(submitted, "cid", "lines.ipynb"), fmt.Sprintf("func line(x int) int { return %s*x + offset }", scale))
		}
	}
	answerPackage(t, filepath.Join(release, "ann", "lines.ipynb"), filepath.Join(submitted, "bob@example.org", "lines.ipynb"), right) // Bob hands in Ann's notebook
	table, _ := executeCommand(t, "grade", submitted, "--source", source, "--jobs", "1")
	for _, want := range []string{"\nann,5,7,2,", "\nbob@example.org,5,7,2,", "has the variant of ann", "\ncid,0,7,2,"} {
		if !strings.Contains(table, want) {
			t.Errorf("the table lacks %q:\n%s", want, table)
		}
	}
	if n := strings.Count(table, "has the variant"); n != 1 {
		t.Errorf("%d submissions have the variant of others:\n%s", n, table)
	}

	// Gradescope names the student in submission_metadata.json.
	file := filepath.Join(dir, "lines.zip")
	executeCommand(t, "package", "gradescope", source, "-o", file, "--binary", smallProgram(t, amd64Machine))
	root := unpackGradescope(t, file)
	for scale, student := range scales {
		answerPackage(t, filepath.Join(release, student, "lines.ipynb"), filepath.Join(root, "submission", "lines.ipynb"), fmt.Sprintf("func line(x int) int { return %s*x + offset }", scale))
		for _, user := range []string{student, "ann"} {
			if err := os.WriteFile(filepath.Join(root, "submission_metadata.json"), fmt.Appendf(nil, `{"users": [{"id": 1, "name": "A Student", "email": %q}]}`, user), 0o666); err != nil {
				t.Fatal(err)
			}
			r, text, err := runGradescope(t, root)
			if err != nil || len(r.Tests) != 2 || (*r.Tests[1].Score == 4) != (user == student) {
				t.Errorf("the answer of %s as %s: %v\n%s", student, user, err, text)
			}
		}
	}
	if err := os.Remove(filepath.Join(root, "submission_metadata.json")); err != nil {
		t.Fatal(err)
	}
	if _, said, err := runGradescope(t, root); err == nil || !strings.Contains(said, "the student is unknown") {
		t.Errorf("without a student: %v\n%s", err, said)
	}
}

// TestVariantsWithWrongSolutions checks that release runs the solutions with the values of each
// student, and names the variant in which they are wrong.
func TestVariantsWithWrongSolutions(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "lines.ipynb")
	writePackageSource(t, source, true)
	b, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.NewReplacer("2..90000", "3, -1", "return scale*x + offset", "return max(scale, 0)*x + offset").Replace(string(b))
	if err := os.WriteFile(source, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	class := filepath.Join(dir, "class.txt")
	if err := os.WriteFile(class, []byte("a\nb\nc\nd\ne\nf\ng\nh\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	cmd := newRoot()
	cmd.SetArgs([]string{"release", source, "--students", class, "-o", filepath.Join(dir, "release")})
	cmd.SetErr(&said)
	if err := cmd.Execute(); err == nil || !strings.Contains(said.String(), ": scale = -1") || !strings.Contains(said.String(), "the solutions earn 0 of 5 points in line-check") {
		t.Errorf("%v: %s", err, &said)
	}
	if _, err := os.Stat(filepath.Join(dir, "release", "a")); err == nil {
		t.Error("release has written a version although a variant is wrong")
	}
	cmd = newRoot()
	cmd.SetArgs([]string{"release", source, "-o", filepath.Join(dir, "release")})
	if err := cmd.Execute(); err == nil || !strings.Contains(err.Error(), "name the students with --students") {
		t.Errorf("without students: %v", err)
	}
}
