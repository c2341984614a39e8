package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRehearse generates the submissions of three students, grades them, and writes the statistics
// of the class. It refuses to overwrite a submission, and to answer a student version.
func TestRehearse(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	for name, text := range map[string]string{"trees.ipynb": string(smallHomework(t, "2")), "class.csv": "student\nann\nbob\ncy\n"} {
		if err := os.WriteFile(file(name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"rehearse", file("trees.ipynb"), "--students", file("class.csv"), "-o", file("submitted"), "--seed", "3"}
	if _, said := executeCommand(t, args...); !strings.Contains(said, "for 3 students: of 6 answers, ") {
		t.Errorf("rehearse reports\n%s", said)
	}
	_, said := executeCommand(t, "grade", file("submitted"), "--source", file("trees.ipynb"), "-o", file("grades.csv"), "--statistics", file("class.html"))
	if !strings.Contains(said, "3 submissions: ") {
		t.Errorf("grade reports\n%s", said)
	}
	grades, err := os.ReadFile(file("grades.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, student := range []string{"ann", "bob", "cy"} {
		answer, err := os.ReadFile(file("submitted/" + student + "/trees.ipynb"))
		if err != nil {
			t.Fatal(err)
		}
		// 2 / x is right for the visible check only, where x is 1.
		want := student + ",0,12,"
		switch {
		case strings.Contains(string(answer), "2 * x"):
			want = student + ",10,12,"
		case strings.Contains(string(answer), "2 / x"):
			want = student + ",2,12,"
		}
		if !strings.Contains(string(grades), "\n"+want) {
			t.Errorf("the grades lack %s\n%s", want, grades)
		}
	}
	executeCommand(t, "release", file("trees.ipynb"), "-o", file("release"))
	for want, args := range map[string][]string{
		"could be a real submission": args,
		"has no solutions":           {"rehearse", file("release/trees.ipynb"), "--students", file("class.csv"), "-o", file("other")},
		"there is no file":           {"rehearse", file("gone.ipynb"), "--students", file("class.csv"), "-o", file("other")},
		"with -o":                    {"rehearse", file("trees.ipynb"), "--students", file("class.csv")},
	} {
		cmd := newRoot()
		cmd.SetArgs(args)
		cmd.SetOut(&bytes.Buffer{})
		cmd.SetErr(&bytes.Buffer{})
		if err := cmd.Execute(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", args, err, want)
		}
	}
}
