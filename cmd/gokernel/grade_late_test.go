package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// smallHomework is a source with one checked answer and one that is graded by hand.
func smallHomework(t *testing.T, points string) []byte {
	t.Helper()
	cell := func(id, kind, source, flags string) string {
		b, err := json.Marshal(source)
		if err != nil {
			t.Fatal(err)
		}
		extra := ""
		if kind == "code" {
			extra = `, "outputs": [], "execution_count": null`
		}
		return `{"cell_type": "` + kind + `", "id": "` + id + `", "source": ` + string(b) + `, "metadata": {"nbgrader": {"grade_id": "` + id + `", ` + flags + `}}` + extra + `}`
	}
	return []byte(`{"cells": [` + strings.Join([]string{
		cell("f", "code", "func f(x int) int {\n\t// BEGIN SOLUTION\n\treturn 2 * x\n\t// END SOLUTION\n}", `"solution": true`),
		cell("f-check", "code", "Checks(\n\tCheck(f, 1).Is(2).Points("+points+"),\n\t// BEGIN HIDDEN TESTS\n\tCheck(f, 3).Is(6).Kind(\"other numbers\").Points(8).Hidden(),\n\t// END HIDDEN TESTS\n)", `"grade": true, "locked": true, "points": 10`),
		cell("why", "markdown", "Because.", `"grade": true, "solution": true, "points": 2`),
	}, ",") + `], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}`)
}

// TestGradeACourse grades a homework with a deadline, late days and an extension. Then it regrades
// one student and one cell, writes the statistics and fills a gradebook of Canvas.
func TestGradeACourse(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) string {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	source := put("source/trees.ipynb", string(smallHomework(t, "2")))
	answer := func(student, code, at string) {
		put("submitted/"+student+"/trees.ipynb", strings.Replace(string(smallHomework(t, "2")), "return 2 * x", code, 1))
		put("submitted/"+student+"/timestamp.txt", at)
	}
	answer("ann", "return 2 * x", "2026-11-22 10:00:00.123456 UTC")
	answer("bob", "return 2", "2026-11-21 10:00:00 UTC")
	answer("cy", "return 2 * x", "2026-11-24 10:00:00 UTC")
	policy := put("late.json", `{"due": {"trees": "2026-11-20 23:59", "rules": "2026-11-13 23:59"}, "zone": "UTC", "penalty": 10, "free": 2,
		"extensions": {"cy": {"trees": "2026-11-23 23:59"}}}`)
	days := put("late-days.csv", "student,homework,days\nann,rules,1\ncy,rules,2\n")
	table := filepath.Join(dir, "grades.csv")
	run := func(args ...string) string {
		t.Helper()
		_, said := executeCommand(t, append([]string{"grade", filepath.Join(dir, "submitted"), "--source", source, "-o", table}, args...)...)
		return said
	}
	content := func(name string) string {
		t.Helper()
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	// line returns a student's line without the seconds.
	line := func(student string) string {
		for l := range strings.Lines(content(table)) {
			if f := strings.Split(strings.TrimSpace(l), ","); f[0] == student {
				f[4] = "s"
				return strings.Join(f, ",")
			}
		}
		return ""
	}
	want := func(student, want string) {
		t.Helper()
		if got := line(student); got != want {
			t.Errorf("%s: %s, want %s", student, got, want)
		}
	}
	html := filepath.Join(dir, "feedback")
	said := run("--policy", policy, "--html", html, "--feedback", "kind", "--statistics", filepath.Join(dir, "class.html"))
	// ann is two days late and has one late day left. bob is one day late. cy is one day later than
	// the extension, and has no late day left.
	want("ann", "ann,9,12,2,s,,2026-11-22T10:00:00Z,2,1,1,10,")
	want("bob", "bob,2,12,2,s,,2026-11-21T10:00:00Z,1,1,0,2,")
	want("cy", "cy,9,12,2,s,,2026-11-24T10:00:00Z,1,0,1,10,")
	if got := content(days); got != "student,homework,days\nann,rules,1\nann,trees,1\nbob,trees,1\ncy,rules,2\n" {
		t.Errorf("the late days are\n%s", got)
	}
	if !strings.Contains(said, "3 submissions: mean 6.7, median 9.0 of 12 points") || !strings.Contains(content(filepath.Join(dir, "class.html")), "discrimination") {
		t.Errorf("the statistics are not reported:\n%s", said)
	}
	if page := content(filepath.Join(html, "bob.html")); !strings.Contains(page, "1 hidden check failed (other numbers): a wrong result") || !strings.Contains(page, "Handed in 1 day late. 1 late day used.") {
		t.Error("the page of bob lacks the kind of the hidden check, or the delay")
	}
	// A mark by hand, and bob hands in again.
	put("grades.csv", strings.Replace(content(table), ",1,1,10,\n", ",1,1,10,2\n", 1)) // ann
	answer("bob", "return x + x", "2026-11-21 10:00:00 UTC")
	said = run("--policy", policy, "--students", "bob")
	if !strings.Contains(said, "[1/1] bob: 10 of 12") || strings.Contains(said, "] ann") {
		t.Errorf("another student was graded:\n%s", said)
	}
	want("ann", "ann,10.8,12,0,s,,2026-11-22T10:00:00Z,2,1,1.2,10,2")
	want("bob", "bob,10,12,2,s,,2026-11-21T10:00:00Z,1,1,0,10,")
	// All submissions run, but only the named cell changes.
	put("source/trees.ipynb", string(smallHomework(t, "1"))) // its checks now count 9 points
	run("--policy", policy, "--tasks", "why")
	want("ann", "ann,10.8,12,0,s,,2026-11-22T10:00:00Z,2,1,1.2,10,2")
	run("--policy", policy, "--tasks", "f-check", "--students", "cy")
	want("cy", "cy,8.1,12,2,s,,2026-11-24T10:00:00Z,1,0,0.9,9,")
	want("bob", "bob,10,12,2,s,,2026-11-21T10:00:00Z,1,1,0,10,")
	roster := put("canvas.csv", "Student,ID,SIS Login ID,Section,trees (7)\n    Points Possible,,,,12\n\"Lee, Ann\",101,ann,A,\n\"Ng, Bo\",102,bob,A,\n")
	filled := filepath.Join(dir, "import.csv")
	_, said = executeCommand(t, "gradebook", table, "--roster", roster, "--title", "Trees", "-o", filled)
	if got := content(filled); got != "Student,ID,SIS Login ID,Section,trees (7)\n\"    Points Possible\",,,,12\n\"Lee, Ann\",101,ann,A,10.8\n\"Ng, Bo\",102,bob,A,10\n" {
		t.Errorf("the gradebook is\n%s", got)
	}
	for _, want := range []string{"note: cy is not in the gradebook", "note: bob still lacks a mark by hand for 2 points", `for Canvas: 2 students, column "trees (7)"`} {
		if !strings.Contains(said, want) {
			t.Errorf("gradebook does not say %q:\n%s", want, said)
		}
	}
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"--students", "dee", "--policy", policy}, `--students must name students with submissions, got "dee"`},
		{[]string{"--tasks", "g", "--policy", policy}, `--tasks must name graded cells (f-check, why), got "g"`},
		{nil, "counts penalties for late submissions: pass --policy"},
		{[]string{"--feedback", "all", "--policy", policy}, `the feedback must be points, kind or hint, got "all"`},
	} {
		cmd := newRoot()
		cmd.SetArgs(append([]string{"grade", filepath.Join(dir, "submitted"), "--source", source, "-o", table}, tt.args...))
		cmd.SetErr(&bytes.Buffer{})
		if err := cmd.Execute(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, want %q", tt.args, err, tt.want)
		}
	}
}
