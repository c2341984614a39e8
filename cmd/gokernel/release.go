package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/grading"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/spf13/cobra"
)

func newRelease(s *settings) *cobra.Command {
	var out, roster string
	cmd := &cobra.Command{
		Use:   "release NOTEBOOK...",
		Short: "Create the student version of a homework notebook",
		Long: `Remove solutions, hidden checks and outputs from a source notebook.

The source notebook and the student version are tested first. With its own solutions, the
source must earn all its points. The student version must run to its end. If a test fails,
the problems are printed and nothing is written.

A source can differ between students. In a cell that students cannot edit, a line such as

  rows := 20 // VARIANT 15..40

gives its variable a value that depends on the student's name. Markdown shows it with {{rows}}.
Such a source needs --students: release then tests the solutions with the values of each
student, and writes STUDENT/NOTEBOOK for each of them. grade computes the values again from
the name of the student's folder.`,
		Example: `  gokernel release source/homework1.ipynb -o release/
  gokernel release source/homework1.ipynb --students class.csv -o release/`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: notebooks,
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return errors.New("release: give a directory for the student versions with -o")
			}
			if err := os.MkdirAll(out, 0o777); err != nil {
				return fmt.Errorf("release: %w", err)
			}
			var students []string
			if roster != "" {
				var err error
				if students, err = readStudents(roster); err != nil {
					return fmt.Errorf("release: %w", err)
				}
			}
			for _, name := range args {
				if roster != "" {
					if err := releaseVariants(cmd.Context(), s, name, out, students, cmd.ErrOrStderr()); err != nil {
						return err
					}
					continue
				}
				if err := release(cmd.Context(), s, name, filepath.Join(out, filepath.Base(name)), cmd.ErrOrStderr()); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "", "write the student versions into this `directory`")
	cmd.Flags().StringVar(&roster, "students", "", "write a variant for each student in this `file`: a CSV file with the column student, or a name on each line")
	return cmd
}

func release(ctx context.Context, s *settings, name, out string, w io.Writer) error {
	if sameFile(name, out) {
		return fmt.Errorf("release: %s would overwrite itself: choose another directory", name)
	}
	source, err := readNotebook("release", name)
	if err != nil {
		return err
	}
	if grading.HasVariants(source) {
		return fmt.Errorf("release: %s has lines with VARIANT: name the students with --students", name)
	}
	student, worth, err := tested(ctx, s, "release", name, source, w)
	if err != nil {
		return err
	}
	if err := writeNotebook(out, student); err != nil {
		return fmt.Errorf("release: %w", err)
	}
	fmt.Fprintf(w, "wrote %s: %s\n", out, worth)
	return nil
}

// releaseVariants writes a student version of a source for each student, after it has tested the
// solutions with the values of each of them.
func releaseVariants(ctx context.Context, s *settings, name, out string, students []string, w io.Writer) error {
	source, err := readNotebook("release", name)
	if err != nil {
		return err
	}
	if problems := grading.Check(source); len(problems) == 0 && !grading.HasVariants(source) {
		return fmt.Errorf("release: --students needs a source with lines such as rows := 20 // VARIANT 15..40, but %s has none", name)
	}
	versions := map[string]*notebook.Notebook{}
	of := map[string]*notebook.Notebook{}
	worth := ""
	for _, student := range students {
		own, key, err := grading.Variant(source, student)
		if err != nil {
			return fmt.Errorf("release: %s: %w", name, err)
		}
		if versions[key] == nil {
			if versions[key], worth, err = tested(ctx, s, "release", name, own, w); err != nil {
				var code exitCode
				if errors.As(err, &code) {
					fmt.Fprintf(w, "%s: these problems are in the variant of %s: %s\n", name, student, key)
				}
				return err
			}
		}
		of[student] = versions[key]
	}
	for _, student := range students {
		folder := filepath.Join(out, student)
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return fmt.Errorf("release: %w", err)
		}
		if err := writeNotebook(filepath.Join(folder, filepath.Base(name)), of[student]); err != nil {
			return fmt.Errorf("release: %w", err)
		}
	}
	fmt.Fprintf(w, "wrote %s for %d students with %d different variants: %s\n", filepath.Join(out, "STUDENT", filepath.Base(name)), len(students), len(versions), worth)
	return nil
}

// readStudents reads the names of students: a table with the column student, or a name on each
// line. Names are names of folders.
func readStudents(file string) (students []string, err error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	rows := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(b), "\ufeff")))
	rows.FieldsPerRecord = -1
	at, seen := 0, map[string]bool{}
	for line := 1; ; line++ {
		row, err := rows.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if line == 1 {
			if i := slices.Index(row, "student"); i >= 0 {
				at = i
				continue
			}
			if len(row) > 1 {
				return nil, fmt.Errorf("%s: the first line must have the column student, got %s", file, strings.Join(row, ", "))
			}
		}
		if at >= len(row) {
			return nil, fmt.Errorf("%s: record %d has no student", file, line)
		}
		student := strings.TrimSpace(row[at])
		switch {
		case student == "" || student == "." || strings.ContainsAny(student, "/\\") || !filepath.IsLocal(student):
			return nil, fmt.Errorf("%s: a student must be the name of a folder, got %q", file, student)
		case seen[strings.ToLower(student)]:
			return nil, fmt.Errorf("%s: students must be unique, also without regard to case, got %q twice", file, student)
		}
		seen[strings.ToLower(student)] = true
		students = append(students, student)
	}
	if len(students) == 0 {
		return nil, fmt.Errorf("%s names no student", file)
	}
	return students, nil
}

// writeNotebook writes a notebook into a file.
func writeNotebook(name string, nb *notebook.Notebook) error {
	b, err := nb.Encode()
	if err != nil {
		return err
	}
	return notebook.WriteFile(name, b)
}

// tested returns the student version of a source, and a text with its points, after it has run
// both. Problems are printed.
func tested(ctx context.Context, s *settings, command, name string, source *notebook.Notebook, w io.Writer) (student *notebook.Notebook, worth string, err error) {
	if problems := grading.Check(source); len(problems) > 0 {
		for _, p := range problems {
			fmt.Fprintf(w, "%s: %v\n", name, p)
		}
		return nil, "", exitCode(1)
	}
	if student, err = grading.Release(source); err != nil {
		return nil, "", fmt.Errorf("%s: %s: %w", command, name, err)
	}
	full, err := tryOut(ctx, s, source, source, filepath.Dir(name))
	if err != nil {
		return nil, "", fmt.Errorf("%s: %s: %w", command, name, err)
	}
	wrong := len(full.Notes) > 0
	for _, n := range full.Notes {
		fmt.Fprintf(w, "%s: %s\n", name, n)
	}
	for _, sc := range full.Scores {
		switch {
		case sc.Manual:
		case sc.Of == 0 && sc.Note != "":
			wrong = true
			fmt.Fprintf(w, "%s: the checks %s fail: %s\n", name, sc.ID, sc.Note)
		case sc.Points < sc.Of:
			wrong = true
			fmt.Fprintf(w, "%s: the solutions earn %s of %s points in %s: %s\n", name, grading.Number(sc.Points), grading.Number(sc.Of), sc.ID, sc.Note)
		}
	}
	if wrong {
		for _, c := range full.Notebook.Cells {
			if e := failure(c); e != "" && !strings.Contains(c.Source, "Check") {
				fmt.Fprintf(w, "%s: cell %s fails: %s\n", name, c.ID, e)
			}
		}
		return nil, "", exitCode(1)
	}
	empty, err := tryOut(ctx, s, source, student, filepath.Dir(name))
	if err != nil {
		return nil, "", fmt.Errorf("%s: %s: %w", command, name, err)
	}
	earned, of, byHand := empty.Points()
	worth = grading.Number(of) + " points"
	if byHand > 0 {
		worth += fmt.Sprintf(", %s of them by hand", grading.Number(byHand))
	}
	if earned > 0 {
		worth += fmt.Sprintf("; without answers it earns %s", grading.Number(earned))
	}
	return student, worth, nil
}

// tryOut grades the notebook submitted, with the files in the folder dir.
func tryOut(ctx context.Context, s *settings, source, submitted *notebook.Notebook, dir string) (*grading.Result, error) {
	log, done, err := s.logger()
	if err != nil {
		return nil, err
	}
	defer done()
	run := judging{log: log, checks: source, solutions: source, submitted: submitted, from: dir, timeout: 5 * time.Minute}
	return run.judge(ctx)
}
