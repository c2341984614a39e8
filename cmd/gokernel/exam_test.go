package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/grading"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

const examFolder = "../../notebooks/exam"

func readQuestions(t *testing.T, name string) (*notebook.Notebook, []grading.Question) {
	t.Helper()
	nb, err := notebook.Read(filepath.Join(examFolder, name))
	if err != nil {
		t.Fatal(err)
	}
	_, list, err := grading.Questions(nb)
	if err != nil {
		t.Fatal(name, err)
	}
	return nb, list
}

// kindsOfQuestions are the kinds, with the words for them below the heading of a question.
var kindsOfQuestions = map[string]string{
	"compute": "compute by hand", "explain": "explain", "error": "find the error",
	"choose": "choose and justify", "read": "read a figure or table", "code": "write code",
}

// TestExamBank checks that each question has all its parts, and that no lecture is left out.
func TestExamBank(t *testing.T) {
	bank, list := readQuestions(t, "bank.ipynb")
	if len(list) < 100 {
		t.Errorf("the bank has %d questions, fewer than 100", len(list))
	}
	count, kinds := map[string]int{}, map[string]int{}
	for _, q := range list {
		count[q.Lecture]++
		kinds[q.Kind]++
		line := fmt.Sprintf("*%s points · %s minutes · difficulty %d · %s*", grading.Number(q.Points), grading.Number(q.Minutes), q.Difficulty, kindsOfQuestions[q.Kind])
		if parts := strings.SplitN(q.Cells[0].Source, "\n\n", 3); len(parts) < 3 || parts[1] != line || !strings.HasPrefix(q.ID, q.Lecture+"-") {
			t.Errorf("%s: the line below the heading must be %q, and the ID begin with the lecture", q.ID, line)
		}
		checked, shown := false, false
		for _, c := range q.Cells {
			checked = checked || strings.HasSuffix(c.ID, "-check")
			shown = shown || strings.HasSuffix(c.ID, "-figure")
		}
		if !checked && (q.Kind == "compute" || q.Kind == "code") {
			t.Errorf("%s: nothing checks the numbers of the solution", q.ID)
		}
		if shown != (q.Kind == "read") {
			t.Errorf("%s: a figure or table belongs to the kind read, and only to it", q.ID)
		}
	}
	for i := range 26 {
		if l := fmt.Sprintf("N%02d", i+1); count[l] < 3 {
			t.Errorf("%s has %d questions, fewer than 3", l, count[l])
		}
	}
	for kind := range kindsOfQuestions {
		if kinds[kind] < 3 {
			t.Errorf("%d questions are of the kind %s, fewer than 3", kinds[kind], kind)
		}
	}
	checkSolutions(t, bank, len(list))
}

// checkSolutions checks that each of n questions has a solution with a rubric, and that no cell is
// stored with outputs.
func checkSolutions(t *testing.T, nb *notebook.Notebook, n int) {
	t.Helper()
	byHand := grading.HandGraded(nb)
	if len(byHand) != n {
		t.Errorf("%d of %d questions have a solution", len(byHand), n)
	}
	for _, h := range byHand {
		if len(h.Rubric) == 0 {
			t.Errorf("%s has no rubric", h.ID)
		}
	}
	for _, c := range nb.Cells {
		if len(c.Outputs) > 0 || c.Count != 0 {
			t.Errorf("cell %s is stored with its outputs; clear them before the commit", c.ID)
		}
	}
}

// TestProofs checks that there are 40 proof problems with hints and solutions.
func TestProofs(t *testing.T) {
	nb, list := readQuestions(t, "proofs.ipynb")
	if len(list) != 40 {
		t.Errorf("there are %d proof problems, not 40", len(list))
	}
	for _, q := range list {
		if !strings.Contains(q.Cells[0].Source, "<summary>Hint 1</summary>") {
			t.Errorf("%s has no hint", q.ID)
		}
	}
	checkSolutions(t, nb, len(list))
}

// TestMockExams checks that the mock exams are what exam makes from the bank, that they have 100
// points and at most 90 minutes, and that together they have a question on each lecture.
func TestMockExams(t *testing.T) {
	_, bank := readQuestions(t, "bank.ipynb")
	seen, lectures := map[string]bool{}, map[string]bool{}
	for i := range 2 {
		name := fmt.Sprintf("mock-%d.ipynb", i+1)
		mock, err := notebook.Read(filepath.Join(examFolder, name))
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, c := range mock.Cells {
			if m, ok := c.Metadata["exam"].(map[string]any); ok {
				ids = append(ids, m["id"].(string))
			}
		}
		chosen, err := grading.Named(bank, ids)
		if err != nil {
			t.Fatal(err)
		}
		points, minutes := 0.0, 0.0
		for _, q := range chosen {
			points, minutes, lectures[q.Lecture] = points+q.Points, minutes+q.Minutes, true
			if seen[q.ID] {
				t.Errorf("%s is in both exams", q.ID)
			}
			seen[q.ID] = true
		}
		if points != 100 || minutes > 90 {
			t.Errorf("%s has %v points and %v minutes", name, points, minutes)
		}
		again := filepath.Join(t.TempDir(), name)
		_, said := executeCommand(t, "exam", filepath.Join(examFolder, "bank.ipynb"), "--ids", strings.Join(ids, ","), "--title", fmt.Sprint("Mock exam ", i+1), "-o", again)
		stored, err1 := os.ReadFile(filepath.Join(examFolder, name))
		made, err2 := os.ReadFile(again)
		if err1 != nil || err2 != nil || !bytes.Equal(stored, made) {
			t.Errorf("%s is not what the bank gives now: make it again with gokernel exam --ids %s (%v, %v)", name, strings.Join(ids, ","), err1, err2)
		}
		if !strings.Contains(said, "100 points") {
			t.Errorf("exam printed %q", said)
		}
	}
	for i := range 24 {
		if l := fmt.Sprintf("N%02d", i+1); !lectures[l] {
			t.Errorf("no mock exam has a question on %s", l)
		}
	}
}

// TestExamNotebooks runs each notebook with its checks, and releases it. The student version has no
// line of a solution or a check.
func TestExamNotebooks(t *testing.T) {
	files, err := notebook.Glob(filepath.Join(examFolder, "*.ipynb"))
	if err != nil || len(files) != 4 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			dir := t.TempDir()
			executeCommand(t, "run", file, "-o", filepath.Join(dir, "done.ipynb"))
			executeCommand(t, "release", file, "-o", dir)
			source, err1 := notebook.Read(file)
			student, err2 := notebook.Read(filepath.Join(dir, filepath.Base(file)))
			if err1 != nil || err2 != nil {
				t.Fatal(err1, err2)
			}
			if secrets := grading.Secrets(student); len(secrets) > 0 {
				t.Errorf("students see the cells %v", secrets)
			}
			public := map[string]bool{}
			for _, c := range student.Cells {
				for line := range strings.Lines(c.Source) {
					public[strings.TrimSpace(line)] = true
				}
			}
			lines := 0
			for _, c := range source.Cells {
				inside := false
				for line := range strings.Lines(c.Source) {
					line = strings.TrimSpace(line)
					if inside = inside && !grading.HasMarks(line) || !inside && grading.HasMarks(line); inside && len(line) > 12 && !grading.HasMarks(line) {
						lines++
						if public[line] {
							t.Errorf("students see %q", line)
						}
					}
				}
			}
			if lines < 100 {
				t.Errorf("only %d lines of solutions were compared", lines)
			}
		})
	}
}

// TestWrongClaim changes a number in the check of a solution: neither run nor release accepts it.
func TestWrongClaim(t *testing.T) {
	bank, _ := readQuestions(t, "bank.ipynb")
	at := slices.IndexFunc(bank.Cells, func(c *notebook.Cell) bool { return c.ID == "n02-1-check" })
	bank.Cells[at].Source = strings.Replace(bank.Cells[at].Source, "0.311", "0.313", 1)
	file := filepath.Join(t.TempDir(), "bank.ipynb")
	if err := writeNotebook(file, bank); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"run", file, "-o", file + ".out.ipynb"}, {"release", file, "-o", filepath.Join(filepath.Dir(file), "students")}} {
		var said bytes.Buffer
		cmd := newRoot()
		cmd.SetArgs(args)
		cmd.SetOut(&said)
		cmd.SetErr(&said)
		if err := cmd.Execute(); err == nil || !strings.Contains(said.String(), "the solution says 0.313") {
			t.Errorf("%s: %v\n%s", args[0], err, &said)
		}
	}
}

// TestExamSteps runs the commands of docs/how-to/exams.md: the exam depends only on the seed, its
// page for students has no solutions, and the solution sheet has them.
func TestExamSteps(t *testing.T) {
	bank, err := filepath.Abs(filepath.Join(examFolder, "bank.ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	executeCommand(t, "exam", bank, "--ids", "N02-1,N06-1,N08-3", "-o", "quiz.ipynb")
	choice := []string{"exam", bank, "--points", "100", "--minutes", "90", "--seed", "7", "--title", "Final exam", "-o"}
	_, first := executeCommand(t, append(choice, "final.ipynb")...)
	_, second := executeCommand(t, append(choice, "again.ipynb")...)
	if strings.TrimPrefix(first, "wrote final") != strings.TrimPrefix(second, "wrote again") {
		t.Errorf("the same seed gives %q and %q", first, second)
	}
	executeCommand(t, "release", "final.ipynb", "-o", "students")
	executeCommand(t, "run", "students/final.ipynb", "--html", "exam.html")
	executeCommand(t, "run", "final.ipynb", "--solutions", "--html", "solutions.html")
	student, err1 := os.ReadFile("exam.html")
	sheet, err2 := os.ReadFile("solutions.html")
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	for page, want := range map[string]bool{string(student): false, string(sheet): true} {
		if strings.Contains(page, "Rubric") != want || !strings.Contains(page, "Final exam") || strings.Contains(page, "claim(") {
			t.Errorf("a page with solutions: %v, but it has no rubric, no title, or a check", want)
		}
	}
}

// TestExamErrors checks that exam refuses wrong flags.
func TestExamErrors(t *testing.T) {
	bank := filepath.Join(examFolder, "bank.ipynb")
	out := filepath.Join(t.TempDir(), "exam.ipynb")
	for _, c := range []struct {
		want string
		args []string
	}{
		{"-o", []string{bank, "--ids", "N01-1"}},
		{"overwrite", []string{bank, "--ids", "N01-1", "-o", bank}},
		{"either", []string{bank, "--ids", "N01-1", "--points", "10", "-o", out}},
		{"either", []string{bank, "--ids", "N01-1", "--seed", "2", "-o", out}},
		{"no other flags", []string{bank, "--list", "--lectures", "N01"}},
		{"--points or --minutes", []string{bank, "-o", out}},
		{"N99", []string{bank, "--points", "10", "--lectures", "N99", "-o", out}},
		{"--skip", []string{bank, "--points", "10", "--skip", "N01-99", "-o", out}},
		{"N01-99", []string{bank, "--ids", "N01-99", "-o", out}},
		{"no exam", []string{bank, "--points", "100", "--minutes", "10", "-o", out}},
		{"metadata of a question", []string{"../../notebooks/homework/rules.ipynb", "--list"}},
	} {
		cmd := newRoot()
		cmd.SetArgs(append([]string{"exam"}, c.args...))
		cmd.SetOut(&bytes.Buffer{})
		cmd.SetErr(&bytes.Buffer{})
		if err := cmd.Execute(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, expected %q", c.args, err, c.want)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("an exam was written in spite of the error")
	}
	listed, _ := executeCommand(t, "exam", bank, "--list")
	if !strings.Contains(listed, "N24-2") || strings.Count(listed, "\n") < 100 {
		t.Errorf("the list is %q", listed)
	}
}
