//go:build linux && (amd64 || arm64)

package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/gokernel/gokernel/bench/escape/submissions"
)

// grades are attempts to earn points of a homework without the work. One run of gokernel grade
// grades all submissions. Honest submissions among them must earn their points.
func (o options) grades(matches func(group, name string) bool) []outcome {
	cases := slices.DeleteFunc(submissions.Cases(), func(c submissions.Case) bool { return !matches("grader", c.Name) })
	if len(cases) == 0 {
		return nil
	}
	table, said, err := o.grade(cases)
	var list []outcome
	for i, c := range cases {
		out := outcome{Group: "grader", Name: c.Name, Stops: "the checks run in another process", Unproven: true}
		if c.Honest {
			out.Stops = "nothing: each answer earns the points that it is worth"
		}
		switch row := table[student(i)]; {
		case err != nil:
			out.Problem = err.Error()
		case row == nil:
			out.Problem = "it was not graded: " + said
		default:
			out.Effect, out.Answer = unearned(c, row), row["notes"]
		}
		list = append(list, out)
	}
	return list
}

// student returns the name of the student who hands in submission i.
func student(i int) string { return fmt.Sprintf("s%03d", i) }

// unearned describes points that a submission has earned without the work, or has not earned
// despite the work. It returns "" if there are none.
func unearned(c submissions.Case, row map[string]string) string {
	var wrong []string
	for _, task := range submissions.Tasks() {
		want := "2"
		if slices.Contains(c.Lost, task) {
			want = "0"
		}
		if got := row[task]; got != want {
			wrong = append(wrong, fmt.Sprintf("%s earns %q, and its answer is worth %s", task, got, want))
		}
	}
	return strings.Join(wrong, "; ")
}

// grade hands the submissions in and returns the rows of the table of points by student.
func (o options) grade(cases []submissions.Case) (rows map[string]map[string]string, said string, err error) {
	dir, err := os.MkdirTemp("", "class-")
	if err != nil {
		return nil, "", err
	}
	defer os.RemoveAll(dir)
	class := filepath.Join(dir, "class")
	if err := os.Mkdir(class, 0o755); err != nil {
		return nil, "", err
	}
	if err := os.WriteFile(filepath.Join(dir, "homework.ipynb"), submissions.Source(), 0o644); err != nil {
		return nil, "", err
	}
	for i, c := range cases {
		if err := os.WriteFile(filepath.Join(class, student(i)+".ipynb"), c.Submission(), 0o644); err != nil {
			return nil, "", err
		}
	}
	points := filepath.Join(dir, "points.csv")
	argv := []string{o.program, "grade", class, "--source", filepath.Join(dir, "homework.ipynb"), "-o", points, "--limit", "3m"}
	if !o.mode.Namespaces {
		self, err := os.Executable()
		if err != nil {
			return nil, "", err
		}
		argv = append([]string{self, "-without-namespaces"}, argv...)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = os.Environ()
	if o.mode.JIT {
		cmd.Env = append(cmd.Env, "GOKERNEL_JIT=force")
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := cmd.CombinedOutput()
	if err != nil {
		return nil, "", fmt.Errorf("gokernel grade: %w: %s", err, out)
	}
	text, err := os.ReadFile(points)
	if err != nil {
		return nil, "", err
	}
	records, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil || len(records) == 0 {
		return nil, "", fmt.Errorf("the table of points cannot be read: %w", err)
	}
	rows = map[string]map[string]string{}
	for _, r := range records[1:] {
		row := map[string]string{}
		for i, name := range records[0] {
			row[name] = r[i]
		}
		rows[row["student"]] = row
	}
	return rows, string(out), nil
}

// homework runs the tests of the grader that answer each homework of the course with attacks, and
// returns the number of tests that have passed. It needs the sources of gokernel.
func homework() (passed int, err error) {
	cmd := exec.Command("go", "test", "./cmd/gokernel", "-run", "^TestHostile", "-attacks", "-count=1", "-json", "-timeout=0")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	var failed []string
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var e struct{ Action, Test, Output string }
		if decoding := d.Decode(&e); errors.Is(decoding, io.EOF) {
			break
		} else if decoding != nil {
			return passed, fmt.Errorf("go test: %w: %s", decoding, out)
		}
		switch {
		case e.Action == "pass" && e.Test != "":
			passed++
		case e.Action == "output" && strings.Contains(e.Output, "_test.go:"):
			failed = append(failed, strings.TrimSpace(e.Output))
		}
	}
	if err != nil || passed == 0 {
		return passed, fmt.Errorf("%d tests of the grader passed: %w\n%s", passed, err, strings.Join(failed, "\n"))
	}
	return passed, nil
}
