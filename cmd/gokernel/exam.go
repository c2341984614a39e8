package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/grading"
	"github.com/spf13/cobra"
)

func newExam() *cobra.Command {
	var out, title string
	var ids []string
	var by grading.Choice
	var all bool
	cmd := &cobra.Command{
		Use:   "exam BANK",
		Short: "Create an exam from a bank of questions",
		Long: `Create an exam from a notebook with questions. Name the questions with --ids, or let exam
choose: --points is the exact number of points, --minutes the maximum duration. The choice
takes turns among the lectures, and depends only on --seed and the bank.

The exam has the solutions and the checks of the bank, so don't give it to students. release
creates the student version, and run --solutions --html the solution sheet.`,
		Example: `  gokernel exam bank.ipynb --list
  gokernel exam bank.ipynb --ids N02-1,N06-1,N08-3 -o exam.ipynb
  gokernel exam bank.ipynb --points 100 --minutes 90 --seed 7 -o exam.ipynb
  gokernel release exam.ipynb -o students/`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: notebooks,
		RunE: func(cmd *cobra.Command, args []string) error {
			bank, err := readNotebook("exam", args[0])
			if err != nil {
				return err
			}
			common, list, err := grading.Questions(bank)
			if err != nil {
				return fmt.Errorf("exam: %s: %w", args[0], err)
			}
			if all {
				if cmd.Flags().NFlag() > 1 {
					return errors.New("exam: --list takes no other flags")
				}
				return listQuestions(cmd.OutOrStdout(), list)
			}
			switch {
			case out == "":
				return errors.New("exam: give a file for the exam with -o, or list the questions with --list")
			case sameFile(args[0], out):
				return fmt.Errorf("exam: %s would overwrite the bank: choose another file", out)
			case len(ids) > 0 && slices.ContainsFunc([]string{"points", "minutes", "lectures", "skip", "seed"}, cmd.Flags().Changed):
				return errors.New("exam: give either --ids, or the flags of a choice: --points, --minutes, --lectures, --skip and --seed")
			case len(ids) == 0 && by.Points <= 0 && by.Minutes <= 0:
				return errors.New("exam: name questions with --ids, or give --points or --minutes")
			}
			known := grading.Lectures(list)
			for _, l := range by.Lectures {
				if !slices.Contains(known, l) {
					return fmt.Errorf("exam: the bank has no question on the lecture %q: it has %s", l, strings.Join(known, ", "))
				}
			}
			if _, err := grading.Named(list, by.Skip); err != nil {
				return fmt.Errorf("exam: --skip: %w", err)
			}
			var chosen []grading.Question
			if len(ids) > 0 {
				chosen, err = grading.Named(list, ids)
			} else {
				chosen, err = grading.Choose(list, by)
			}
			if err != nil {
				return fmt.Errorf("exam: %w", err)
			}
			nb, err := grading.Exam(bank, title, common, chosen)
			if err != nil {
				return fmt.Errorf("exam: %s: %w", args[0], err)
			}
			if err := writeNotebook(out, nb); err != nil {
				return fmt.Errorf("exam: %w", err)
			}
			points, minutes, names := 0.0, 0.0, make([]string, len(chosen))
			for i, q := range chosen {
				points, minutes, names[i] = points+q.Points, minutes+q.Minutes, q.ID
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "wrote %s: %s points, %s minutes, %d questions: %s\n", out, grading.Number(points), grading.Number(minutes), len(chosen), strings.Join(names, ","))
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVarP(&out, "output", "o", "", "write the exam into this `file`")
	f.StringVar(&title, "title", "Exam", "the `title` of the exam")
	f.StringSliceVar(&ids, "ids", nil, "take these `questions`, in this order")
	f.Float64Var(&by.Points, "points", 0, "choose questions with this `sum` of points")
	f.Float64Var(&by.Minutes, "minutes", 0, "choose questions of at most this `duration`")
	f.StringSliceVar(&by.Lectures, "lectures", nil, "choose only questions on these `lectures`")
	f.StringSliceVar(&by.Skip, "skip", nil, "don't choose these `questions`")
	f.Uint64Var(&by.Seed, "seed", 1, "the `seed` of the random choice")
	f.BoolVar(&all, "list", false, "list the questions, and write nothing")
	return cmd
}

func listQuestions(w io.Writer, list []grading.Question) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "id\tlecture\tpoints\tminutes\tdifficulty\tkind\ttitle")
	for _, q := range list {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d\t%s\t%s\n", q.ID, q.Lecture, grading.Number(q.Points), grading.Number(q.Minutes), q.Difficulty, q.Kind, q.Title)
	}
	return t.Flush()
}
