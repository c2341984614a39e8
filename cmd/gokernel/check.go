package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/grading"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/site"
	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/interp/worker"
	"github.com/spf13/cobra"
)

func newCheck(s *settings) *cobra.Command {
	var timeout time.Duration
	var points bool
	cmd := &cobra.Command{
		Use:   "check NOTEBOOK|DIRECTORY...",
		Short: "Check notebooks for errors, broken links and stale outputs",
		Long: `Run each notebook and report problems, without writing anything. Problems are cells that
fail, stored outputs that differ from the new outputs, and broken links to files, notebooks
and headings. Other problems are references to figures and sections that don't exist, and
misspelled words, which include British spellings. The metadata of a cell can name items of
the course by IDs such as CLU-01. If course.json names a table of these items (the catalogue),
an ID that is not in the table is a problem, too. For a homework, also count the points of
the visible checks.

The exit status is 1 if there are problems. Missing points don't change the exit status. With
--points, check counts only the points of homework, and the exit status is 1 if a visible check
fails.`,
		Example: `  gokernel check homework1.ipynb      # how many points so far?
  gokernel check notebooks/           # all lectures`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: notebooks,
		RunE: func(cmd *cobra.Command, args []string) error {
			files, err := notebooksIn(args)
			if err != nil {
				return err
			}
			bad := 0
			for _, f := range files {
				n, err := checkNotebook(cmd.Context(), s, f, timeout, points, cmd.OutOrStdout())
				if err != nil {
					return err
				}
				bad += n
			}
			if bad > 0 {
				return exitCode(1)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&points, "points", false, "count only the points of homework, and fail if a visible check fails")
	cmd.Flags().DurationVar(&timeout, "timeout", 5*time.Minute, "stop a cell that takes longer than this `time`")
	return cmd
}

// notebooksIn returns the notebooks that the arguments name, and the notebooks in the directories
// that they name.
func notebooksIn(args []string) (files []string, err error) {
	for _, a := range args {
		info, err := os.Stat(a)
		if err != nil || !info.IsDir() {
			files = append(files, a) // an error is reported when the file is read
			continue
		}
		in, err := notebook.Glob(filepath.Join(a, "*.ipynb"))
		if err != nil {
			return nil, fmt.Errorf("check: %w", err)
		}
		if len(in) == 0 {
			return nil, fmt.Errorf("check: there is no notebook in %s", a)
		}
		files = append(files, in...)
	}
	return files, nil
}

// checkNotebook reports and counts the problems of one notebook.
func checkNotebook(ctx context.Context, s *settings, name string, timeout time.Duration, points bool, w io.Writer) (bad int, err error) {
	stored, err := readNotebook("check", name)
	if err != nil {
		return 0, err
	}
	log, done, err := s.logger()
	if err != nil {
		return 0, err
	}
	defer done()
	client, err := worker.Start(worker.Options{Args: evaluatorArgs(defaultEngine), Dir: filepath.Dir(name), Log: log})
	if err != nil {
		return 0, err
	}
	defer client.Close()
	nb, err := grading.Assemble(&notebook.Notebook{}, stored)
	if err != nil {
		return 0, fmt.Errorf("check: %s: %w", name, err)
	}
	res, err := grading.Grade(ctx, nb, client, grading.Options{CellTimeout: timeout})
	if err != nil {
		return 0, fmt.Errorf("check: %s: %w", name, err)
	}
	say := func(format string, args ...any) {
		bad++
		fmt.Fprintf(w, "%s: "+format+"\n", append([]any{name}, args...)...)
	}
	if !points {
		for i, c := range nb.Cells {
			if e := failure(c); e != "" && !c.Tagged("raises-exception") {
				say("cell %s fails: %s", c.ID, e)
			} else if len(stored.Cells[i].Outputs) > 0 {
				if was, is := shown(stored.Cells[i]), shown(c); was != is {
					say("cell %s shows %s, but %s is stored", c.ID, clip(is), clip(was))
				}
			}
		}
		found, err := site.CheckText(name, stored)
		if err != nil {
			return 0, fmt.Errorf("check: %w", err)
		}
		for _, f := range found {
			say("cell %s %s", f.Cell, f.What)
		}
	}
	fmt.Fprintf(w, "%s: ", name)
	if earned, of, byHand := res.Points(); of > 0 {
		visible, hidden := res.Decided()
		switch {
		case hidden == 0:
			fmt.Fprintf(w, "%s of %s points", grading.Number(earned), grading.Number(visible))
		case earned >= visible:
			fmt.Fprintf(w, "all visible checks pass; the rest is tested after you hand in: %s of %s points", grading.Number(hidden), grading.Number(of-byHand))
		default:
			fmt.Fprintf(w, "%s of %s visible points; %s more are tested after you hand in", grading.Number(earned), grading.Number(visible), grading.Number(hidden))
		}
		if byHand > 0 {
			fmt.Fprintf(w, ", %s more by hand", grading.Number(byHand))
		}
		fmt.Fprintf(w, "\n")
		for _, sc := range res.Scores {
			if !sc.Manual && sc.Points < sc.Seen {
				if points {
					bad++
				}
				fmt.Fprintf(w, "  %s: %s of %s: %s\n", sc.ID, grading.Number(sc.Points), grading.Number(sc.Seen), sc.Note)
			}
		}
		return bad, nil
	}
	if points {
		fmt.Fprintln(w, "it has no points: use --points for homework only")
		return 1, nil
	}
	fmt.Fprintf(w, "%d found, %.1f s\n", bad, res.Took.Seconds())
	return bad, nil
}

// failure returns the error that a cell shows, or "" for none.
func failure(c *notebook.Cell) string {
	for _, o := range c.Outputs {
		if o.Type == notebook.Error {
			return o.ErrorName + ": " + o.ErrorValue
		}
	}
	return ""
}

// shown returns the text that a cell shows.
func shown(c *notebook.Cell) string {
	var b strings.Builder
	for _, o := range c.Outputs {
		switch o.Type {
		case notebook.Stream:
			b.WriteString(o.Text)
		case notebook.Error:
			b.WriteString(o.ErrorName + ": " + o.ErrorValue + "\n")
		default:
			text, _ := o.Data[display.MIMEText].(string)
			b.WriteString(text + "\n")
		}
	}
	return b.String()
}

func clip(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 60 {
		s = string(r[:59]) + "…"
	}
	return fmt.Sprintf("%q", s)
}
