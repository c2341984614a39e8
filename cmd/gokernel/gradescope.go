package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/grading"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/internal/sandbox"
)

// Files of an autograder of Gradescope, below /autograder.
// See https://gradescope-autograders.readthedocs.io/en/latest/specs/ and
// https://gradescope-autograders.readthedocs.io/en/latest/submission_metadata/.
const (
	gradescopeSubmission = "submission"
	gradescopeMetadata   = "submission_metadata.json"
	gradescopeResults    = "results/results.json"
)

// gradeGradescope grades the submission in the folder of an autograder of Gradescope. A submission
// that can't be graded earns 0 points with the reason. For another error, gradeGradescope writes
// no results, so that Gradescope reports that the autograder has failed.
func gradeGradescope(ctx context.Context, s *settings, root string, f gradeFlags, stderr io.Writer) error {
	if !slices.Contains(grading.GradescopeTimes, f.gradescope) {
		return fmt.Errorf("grade: --gradescope must be one of %s, got %q", strings.Join(grading.GradescopeTimes, ", "), f.gradescope)
	}
	if f.out+f.html+f.similarity+f.statistics+f.policy+f.times != "" || f.serve || len(f.students)+len(f.tasks) > 0 {
		return errors.New("grade: --gradescope grades one submission: it can't be combined with flags for a class")
	}
	results := filepath.Join(root, filepath.FromSlash(gradescopeResults))
	if err := os.Remove(results); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("grade: %w", err)
	}
	source, err := readNotebook("grade", f.source)
	if err != nil {
		return err
	}
	if problems := grading.Check(source); len(problems) > 0 {
		return fmt.Errorf("grade: %s: %v", f.source, problems[0])
	}
	if f.level, err = grading.LevelOf(cmp.Or(f.feedback, grading.Settings(source).Feedback)); err != nil {
		return fmt.Errorf("grade: %w", err)
	}
	student, err := gradescopeStudent(filepath.Join(root, gradescopeMetadata))
	if err != nil && grading.HasVariants(source) {
		return fmt.Errorf("grade: the homework has variants, but the student is unknown: %w", err)
	}
	sub := oneSubmission(filepath.Join(root, gradescopeSubmission), f.source)
	sub.student = cmp.Or(student, gradescopeSubmission)
	if sub.err == nil {
		_, sub.err = sub.read()
	}
	var b []byte
	if sub.err != nil {
		fmt.Fprintf(stderr, "not graded: %v\n", sub.err)
		b, err = grading.NotGradescope(strings.TrimPrefix(sub.err.Error(), "grade: "))
	} else {
		b, err = gradescopeGrade(ctx, s, source, sub, f, stderr)
	}
	if err != nil {
		return fmt.Errorf("grade: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(results), 0o777); err != nil {
		return fmt.Errorf("grade: %w", err)
	}
	if err := notebook.WriteFile(results, b); err != nil {
		return fmt.Errorf("grade: %w", err)
	}
	return nil
}

func gradescopeGrade(ctx context.Context, s *settings, source *notebook.Notebook, sub submission, f gradeFlags, stderr io.Writer) ([]byte, error) {
	log, done, err := s.logger()
	if err != nil {
		return nil, err
	}
	defer done()
	if !f.open {
		for _, l := range sandbox.Lacks() {
			fmt.Fprintf(stderr, "note: %s\n", l)
		}
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	g := gradeOne(ctx, log, source, sub, f)
	if g.Err != nil {
		return nil, g.Err
	}
	trial := trial{log: log, source: source, f: f}
	if err := errors.Join(ctx.Err(), trial.test(ctx, g)); err != nil {
		return nil, err
	}
	tell(stderr, 1, 1, g)
	return grading.Gradescope(g, f.level, f.gradescope)
}

// oneSubmission finds the notebook that a student has handed in, in a folder or below it.
func oneSubmission(dir, source string) submission {
	name := filepath.Base(source)
	list, err := findSubmissions(dir, source)
	if err != nil {
		if _, missing := os.Stat(dir); missing != nil {
			return submission{err: err}
		}
		return submission{err: fmt.Errorf("hand in the notebook %s: %w", name, err)}
	}
	var named []submission
	for _, s := range list {
		if filepath.Base(s.file) == name {
			named = append(named, s)
		}
	}
	if len(named) > 0 {
		list = named
	}
	if len(list) > 1 {
		var files []string
		for _, s := range list[:min(len(list), 10)] {
			files = append(files, cmp.Or(filepath.Base(s.file), s.student))
		}
		return submission{err: fmt.Errorf("hand in one notebook, %s: there are several: %s", name, strings.Join(files, ", "))}
	}
	return list[0]
}

// gradescopeStudent returns the email address of the student who has handed in, or otherwise the
// name. Of a group, it is the first.
func gradescopeStudent(metadata string) (string, error) {
	b, err := os.ReadFile(metadata)
	if err != nil {
		return "", err
	}
	var m struct {
		Users []struct{ Email, Name string }
	}
	if err := json.Unmarshal(b, &m); err != nil {
		return "", fmt.Errorf("%s: %w", metadata, err)
	}
	if len(m.Users) == 0 || m.Users[0].Email+m.Users[0].Name == "" {
		return "", fmt.Errorf("%s names no user", metadata)
	}
	return cmp.Or(m.Users[0].Email, m.Users[0].Name), nil
}
