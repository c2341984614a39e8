package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/grading"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/spf13/cobra"
)

func newGradebook() *cobra.Command {
	var roster, title, out string
	var scale bool
	cmd := &cobra.Command{
		Use:   "gradebook GRADES --roster EXPORT",
		Short: "Fill a gradebook of Canvas, Moodle or Blackboard",
		Long: `Copy the points from a table of grades, which gokernel grade has written, into the gradebook
of a learning management system: Canvas, Moodle or Blackboard. The result is a file that this
system can import.

First export the gradebook of your course, or download the grading worksheet of a Moodle
assignment. gradebook recognizes the system by the columns of the exported file. It finds
students by login, number, email address or name, and submissions from a bulk download by the
number or login in their file name. The import doesn't change the grade of a student who has no
points in the table.`,
		Example: `  gokernel gradebook grades.csv --roster canvas-export.csv --title "Homework 1" -o import.csv`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return errors.New("gradebook: name the file to write with -o")
			}
			return gradebook(args[0], roster, title, out, scale, cmd.ErrOrStderr())
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&roster, "roster", "", "the exported gradebook, a CSV `file`")
	cmd.MarkFlagRequired("roster")
	fs.StringVar(&title, "title", "", "the `title` of the homework in the gradebook (default: the name of the file GRADES without its extension)")
	fs.StringVarP(&out, "output", "o", "", "write the gradebook to this `file`")
	fs.BoolVar(&scale, "scale", false, "scale the points if the gradebook has a different maximum for the homework")
	return cmd
}

func gradebook(table, roster, title, out string, scale bool, w io.Writer) error {
	in, err := os.Open(table)
	if err != nil {
		return fmt.Errorf("gradebook: %w", err)
	}
	defer in.Close()
	grades, err := grading.ReadMarks(in)
	if err != nil {
		return fmt.Errorf("gradebook: %s: %w", table, err)
	}
	b, err := os.ReadFile(roster)
	if err != nil {
		return fmt.Errorf("gradebook: %w", err)
	}
	r, err := grading.ReadRoster(b)
	if err != nil {
		return fmt.Errorf("gradebook: %s: %w", roster, err)
	}
	if title == "" {
		title = homeworkName(table)
	}
	f, err := r.Fill(grades, title, scale)
	if err != nil {
		return fmt.Errorf("gradebook: %w", err)
	}
	if err := notebook.WriteFile(out, f.Content); err != nil {
		return fmt.Errorf("gradebook: %w", err)
	}
	for _, n := range f.Notes {
		fmt.Fprintf(w, "note: %s\n", n)
	}
	fmt.Fprintf(w, "wrote %s for %s: %d students, column %q\n", out, r.Format, f.Students, f.Column)
	return nil
}
