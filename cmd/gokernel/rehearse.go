package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/grading"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/spf13/cobra"
)

func newRehearse() *cobra.Command {
	var out, roster string
	var seed uint64
	cmd := &cobra.Command{
		Use:   "rehearse NOTEBOOK... --students FILE",
		Short: "Generate submissions to try the grading of a homework",
		Long: `Generate a submission of each student to each homework, so that you can try grading before
students hand in. An answer is the solution of the source notebook, or the solution with one
operator replaced, such as < by <=, or it is missing. Each student knows between three tenths
and all of the answers.

The answers depend only on the student's name and the seed. rehearse never overwrites a file.`,
		Example: `  gokernel rehearse source/homework1.ipynb --students class.csv -o rehearsal/
  gokernel grade rehearsal/ --source source/homework1.ipynb -o grades.csv --statistics class.html`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: notebooks,
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return errors.New("rehearse: give a directory for the submissions with -o")
			}
			students, err := readStudents(roster)
			if err != nil {
				return fmt.Errorf("rehearse: %w", err)
			}
			for _, name := range args {
				source, err := readNotebook("rehearse", name)
				if err != nil {
					return err
				}
				if err := rehearse(source, name, students, out, seed, cmd.ErrOrStderr()); err != nil {
					return fmt.Errorf("rehearse: %w", err)
				}
			}
			return nil
		},
	}
	fs := cmd.Flags()
	fs.StringVarP(&out, "output", "o", "", "write the submissions into this `directory`, in a folder for each student")
	fs.StringVar(&roster, "students", "", "the students: a CSV `file` with the column student, or a name on each line")
	cmd.MarkFlagRequired("students")
	fs.Uint64Var(&seed, "seed", 1, "draw other answers with another `number`")
	return cmd
}

// rehearse writes a submission of each student to the homework in the file name.
func rehearse(source *notebook.Notebook, name string, students []string, out string, seed uint64, w io.Writer) error {
	if !grading.IsSource(source) {
		return fmt.Errorf("%s has no solutions: name the source notebook, not the student version", name)
	}
	if problems := grading.Check(source); len(problems) > 0 {
		return fmt.Errorf("%s: %v", name, problems[0])
	}
	var all grading.Rehearsed
	for _, student := range students {
		nb, n, err := grading.Rehearse(source, student, seed)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		all.Add(n)
		file := filepath.Join(out, student, filepath.Base(name))
		if _, err := os.Lstat(file); err == nil {
			return fmt.Errorf("%s exists, and could be a real submission: choose another directory, or remove it", file)
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		if err := writeNotebook(file, nb); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "wrote %s for %d students: of %d answers, %d are the solution, %d have another operator, and %d are missing\n",
		filepath.Join(out, "STUDENT", filepath.Base(name)), len(students), all.Right+all.Changed+all.Missing, all.Right, all.Changed, all.Missing)
	return nil
}
