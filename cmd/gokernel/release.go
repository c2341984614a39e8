package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/grading"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/spf13/cobra"
)

func newRelease(s *settings) *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "release NOTEBOOK...",
		Short: "Create the student version of a homework notebook",
		Long: `Remove solutions, hidden checks and outputs from a source notebook.

The source notebook and the student version are tested first. With its own solutions, the
source must earn all its points. The student version must run to its end. If a test fails,
the problems are printed and nothing is written.`,
		Example:           `  gokernel release source/homework1.ipynb -o release/`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: notebooks,
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return errors.New("release: give a directory for the student versions with -o")
			}
			if err := os.MkdirAll(out, 0o777); err != nil {
				return fmt.Errorf("release: %w", err)
			}
			for _, name := range args {
				if err := release(cmd.Context(), s, name, filepath.Join(out, filepath.Base(name)), cmd.ErrOrStderr()); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "", "write the student versions into this `directory`")
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
	if problems := grading.Check(source); len(problems) > 0 {
		for _, p := range problems {
			fmt.Fprintf(w, "%s: %v\n", name, p)
		}
		return exitCode(1)
	}
	student, err := grading.Release(source)
	if err != nil {
		return fmt.Errorf("release: %s: %w", name, err)
	}
	full, err := tryOut(ctx, s, source, source, filepath.Dir(name))
	if err != nil {
		return fmt.Errorf("release: %s: %w", name, err)
	}
	wrong := len(full.Notes) > 0
	for _, n := range full.Notes {
		fmt.Fprintf(w, "%s: %s\n", name, n)
	}
	for _, sc := range full.Scores {
		if !sc.Manual && sc.Points < sc.Of {
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
		return exitCode(1)
	}
	empty, err := tryOut(ctx, s, source, student, filepath.Dir(name))
	if err != nil {
		return fmt.Errorf("release: %s: %w", name, err)
	}
	earned, of, byHand := empty.Points()
	b, err := student.Encode()
	if err != nil {
		return fmt.Errorf("release: %w", err)
	}
	if err := notebook.WriteFile(out, b); err != nil {
		return fmt.Errorf("release: %w", err)
	}
	fmt.Fprintf(w, "wrote %s: %s points", out, grading.Number(of))
	if byHand > 0 {
		fmt.Fprintf(w, ", %s of them by hand", grading.Number(byHand))
	}
	if earned > 0 {
		fmt.Fprintf(w, "; without answers it earns %s", grading.Number(earned))
	}
	fmt.Fprintln(w)
	return nil
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
