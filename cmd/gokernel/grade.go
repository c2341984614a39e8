package main

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/desk"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/grading"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/internal/sandbox"
	"github.com/spf13/cobra"
)

// gradeFlags are the flags of grade.
type gradeFlags struct {
	source, out, html, similarity string
	feedback                      string
	level                         grading.Level
	jobs                          int
	timeout, limit                time.Duration
	memory                        int // MiB
	open                          bool
	allow, files                  []string
	students, tasks               []string
	policy, times, statistics     string
	serve                         bool
	gradescope                    string
}

// visible reports whether submissions are also run with the checks that students have.
func (f gradeFlags) visible() bool { return f.html != "" || f.gradescope != "" }

func newGrade(s *settings) *cobra.Command {
	var f gradeFlags
	cmd := &cobra.Command{
		Use:   "grade DIRECTORY --source NOTEBOOK",
		Short: "Grade submitted homework",
		Long: `Run each submission with the checks of the source notebook and count the points. The
directory holds one notebook per student (NAME.ipynb), or one folder per student
(NAME/.../homework.ipynb), as nbgrader collects them.

The lecturer's cells are taken from the source, even if a submission has changed them.
Each submission runs in an evaluator process of its own. This process can't start
programs, use the network or read any files except those described below, and its time and
memory are limited. The checks run in another process. If a check calls a function of the
submission, the function runs in the submission's process. A cell that kills its evaluator
loses only its own points. Nothing is written to the directory of the submissions.

A submission can read the files that you name with --files, and files next to the source
notebook if the source's code contains their names. It can import gonum, ml and most of the
standard library, but not packages such as net, os/exec or unsafe. With --allow, it can import
more packages.

If -o names the table of an earlier run, grade keeps the marks and comments that you have
written into this table. To include your marks in totals and pages, enter them in the columns
for the notebook cells that you grade by hand, then run grade again. With --students, grade runs
only the submissions of these students. With --tasks, it changes only the points of these cells.
In both cases it takes everything else from the table of the earlier run.

With --serve, grade serves a web page on this machine, on which you grade answers by hand with
rubrics. If the table that -o names doesn't exist, grade runs the submissions first. Each mark
is stored at once, in the table and in the file NAME.remarks.json beside it.

If lines of the source have VARIANT comments, each submission is graded with the values of its
student. A note in the table reports a submission that has the values of another student.`,
		Example: `  gokernel grade submitted/ --source homework1.ipynb -o grades.csv --html feedback/
  gokernel grade submitted/ --source homework1.ipynb --similarity similarity.csv
  gokernel grade submitted/ --source homework1.ipynb -o grades.csv --students ann,bob
  gokernel grade submitted/ --source homework1.ipynb -o grades.csv --policy late.json
  gokernel grade submitted/ --source homework1.ipynb -o grades.csv --serve`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: directories,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.jobs < 1 || f.timeout < 0 || f.limit < 0 || f.memory < 64 {
				return errors.New("grade: --jobs must be at least 1, times must not be negative, and --memory must be at least 64 MiB")
			}
			if f.out == "" && len(f.students)+len(f.tasks) > 0 {
				return errors.New("grade: --students and --tasks change a table: name it with -o")
			}
			if f.gradescope != "" {
				return gradeGradescope(cmd.Context(), s, args[0], f, cmd.ErrOrStderr())
			}
			if f.serve {
				return serveDesk(cmd.Context(), s, args[0], f, cmd.OutOrStdout(), cmd.ErrOrStderr())
			}
			return grade(cmd.Context(), s, args[0], f, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&f.source, "source", "", "the `notebook` with solutions and hidden checks")
	cmd.MarkFlagRequired("source")
	fs.StringVarP(&f.out, "output", "o", "", "write the points to this `file` (default: standard output)")
	fs.StringVar(&f.html, "html", "", "write a page for each student into this `directory`")
	fs.StringVar(&f.feedback, "feedback", "", "what students learn about failing hidden checks: points (only the points), kind (also what is tested and how it fails) or hint (also the hints); default: hint, or the `level` in the source notebook")
	fs.StringVar(&f.similarity, "similarity", "", "write a similarity report to this `file`")
	fs.IntVar(&f.jobs, "jobs", runtime.NumCPU(), "number of submissions that run at once")
	fs.Lookup("jobs").DefValue = "one for each processor" // so that the manual does not depend on the machine
	fs.DurationVar(&f.timeout, "timeout", 30*time.Second, "stop a cell that takes longer than this `time`")
	fs.DurationVar(&f.limit, "limit", 10*time.Minute, "stop a submission that takes longer than this `time`")
	fs.IntVar(&f.memory, "memory", 1024, "stop a cell whose variables use more than this many `MiB`")
	fs.StringSliceVar(&f.allow, "allow", nil, "let submissions import these `packages` too, such as reflect or runtime")
	fs.StringSliceVar(&f.files, "files", nil, "let submissions read `files` with these names next to the source notebook or in the submission's folder")
	fs.StringSliceVar(&f.students, "students", nil, "grade only these `students`, and keep the lines of other students in the table of -o")
	fs.StringSliceVar(&f.tasks, "tasks", nil, "change only the points of these `cells`, and keep the points of other cells in the table of -o")
	fs.StringVar(&f.policy, "policy", "", "a JSON `file` with deadlines, extensions and the penalty for late submissions")
	fs.StringVar(&f.times, "times", "", "a CSV `file` with the columns student and time, which says when each submission was handed in (default: the time in timestamp.txt beside the notebook, or the modification time of the notebook file)")
	fs.StringVar(&f.statistics, "statistics", "", "write the statistics of the class to this HTML `file`")
	fs.BoolVar(&f.serve, "serve", false, "open a local web page on which you grade answers by hand; submissions run only if the table of -o doesn't exist")
	fs.StringVar(&f.gradescope, "gradescope", "", "grade as an autograder of Gradescope: the directory is /autograder, and `when` says when students see the points of hidden checks: visible (at once), after_due_date, after_published or hidden")
	fs.BoolVar(&f.open, "no-sandbox", false, "let submissions read all files, start programs and use the network")
	return cmd
}

// submission is a notebook that a student has submitted.
type submission struct {
	student, file string
	err           error // why it can't be graded
}

// read reads the notebook of a submission.
func (s submission) read() (*notebook.Notebook, error) {
	info, err := os.Lstat(s.file)
	if err != nil {
		return nil, err
	}
	if info.Size() > mostNotebook {
		return nil, fmt.Errorf("%s is larger than %d MiB: hand it in without outputs", s.file, mostNotebook>>20)
	}
	return readNotebook("grade", s.file)
}

// Limits of submissions.
const (
	mostNotebook = 32 << 20 // bytes of a notebook
	mostEntries  = 100_000  // files and folders of a class
)

// findSubmissions finds the notebooks below a directory, one per student. If a student has several
// notebooks, findSubmissions takes the notebook that has the file name of the source. If a path
// ends in .ipynb but is not a regular file (it may be a symbolic link or a folder), its submission
// has an error.
func findSubmissions(dir, source string) ([]submission, error) {
	found, odd := map[string][]string{}, map[string]error{}
	entries := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		rel, relErr := filepath.Rel(dir, path)
		if relErr != nil {
			return relErr
		}
		student, _, nested := strings.Cut(filepath.ToSlash(rel), "/")
		if entries++; entries > mostEntries {
			return fmt.Errorf("%s holds more than %d files: grade fewer students at once", dir, mostEntries)
		}
		switch {
		case err != nil && nested:
			odd[student] = err // its folder cannot be read
			return fs.SkipDir
		case err != nil:
			return err
		case path == dir:
			return nil
		case strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case filepath.Ext(path) != ".ipynb":
			if !nested && d.Type()&fs.ModeSymlink != 0 {
				odd[student] = fmt.Errorf("%s is a symbolic link: put the folder itself there", path)
			}
			return nil
		}
		if !nested {
			student = strings.TrimSuffix(student, ".ipynb")
		}
		if !d.Type().IsRegular() {
			kind := "not a regular file"
			switch {
			case d.IsDir():
				kind = "a folder"
			case d.Type()&fs.ModeSymlink != 0:
				kind = "a symbolic link"
			}
			odd[student] = fmt.Errorf("%s is %s: put the notebook itself there", path, kind)
			return nil
		}
		found[student] = append(found[student], path)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("grade: %w", err)
	}
	var list []submission
	for student, files := range found {
		s := submission{student: student, file: files[0]}
		if i := slices.IndexFunc(files, func(f string) bool { return filepath.Base(f) == filepath.Base(source) }); i >= 0 {
			s.file = files[i]
		} else if len(files) > 1 {
			s.err = fmt.Errorf("there are %d notebooks and none is named %s: %s", len(files), filepath.Base(source), strings.Join(files[:min(len(files), 10)], ", "))
		}
		list = append(list, s)
	}
	for student, err := range odd {
		if found[student] == nil {
			list = append(list, submission{student: student, err: err})
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("grade: there is no notebook below %s", dir)
	}
	slices.SortFunc(list, func(a, b submission) int { return strings.Compare(a.student, b.student) })
	return list, nil
}

func grade(ctx context.Context, s *settings, dir string, f gradeFlags, stdout, stderr io.Writer) error {
	source, err := readNotebook("grade", f.source)
	if err != nil {
		return err
	}
	if problems := grading.Check(source); len(problems) > 0 {
		return fmt.Errorf("grade: %s: %v", f.source, problems[0])
	}
	student, err := grading.Student(source)
	if err != nil {
		return fmt.Errorf("grade: %s: %w", f.source, err)
	}
	if f.level, err = grading.LevelOf(cmp.Or(f.feedback, grading.Settings(source).Feedback)); err != nil {
		return fmt.Errorf("grade: %w", err)
	}
	kept, err := readMarks(f.out, source)
	if err != nil {
		return fmt.Errorf("grade: %w", err)
	}
	list, err := findSubmissions(dir, f.source)
	if err != nil {
		return err
	}
	late, err := readDelays(f, kept)
	if err != nil {
		return fmt.Errorf("grade: %w", err)
	}
	var class []string
	for _, sub := range list {
		class = append(class, sub.student)
	}
	if list, err = selected(list, source, kept, f); err != nil {
		return fmt.Errorf("grade: %w", err)
	}
	if f.html != "" {
		if err := os.MkdirAll(f.html, 0o777); err != nil {
			return fmt.Errorf("grade: %w", err)
		}
	}
	log, done, err := s.logger()
	if err != nil {
		return err
	}
	defer done()
	if !f.open {
		for _, l := range sandbox.Lacks() {
			fmt.Fprintf(stderr, "note: %s\n", l)
		}
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	interrupted := ctx
	ctx, abort := context.WithCancelCause(ctx)
	defer abort(nil)
	all := make([]grading.Graded, len(list))
	var (
		wg    sync.WaitGroup
		mu    sync.Mutex
		next  = make(chan int)
		ended int
		trial = trial{log: log, source: source, f: f}
	)
	for range min(f.jobs, len(list)) {
		wg.Go(func() {
			for i := range next {
				g := gradeOne(ctx, log, source, list[i], f)
				if err := trial.test(ctx, g); err != nil {
					abort(err)
					continue
				}
				g.Other = otherVariant(source, list[i], class)
				mu.Lock()
				all[i] = g
				ended++
				tell(stderr, ended, len(list), g)
				mu.Unlock()
			}
		})
	}
	for i := range list {
		if ctx.Err() == nil {
			next <- i
		}
	}
	close(next)
	wg.Wait()
	switch {
	case interrupted.Err() != nil:
		return exitCode(130)
	case ctx.Err() != nil:
		return fmt.Errorf("grade: %w", context.Cause(ctx))
	}
	if len(f.tasks) > 0 {
		for i := range all {
			kept.Keep(&all[i], f.tasks)
		}
	}
	if len(f.students) > 0 {
		for _, student := range kept.Students() {
			if !slices.Contains(f.students, student) {
				all = append(all, kept.Restore(student, source))
			}
		}
		slices.SortFunc(all, func(a, b grading.Graded) int { return strings.Compare(a.Student, b.Student) })
	}
	marks, odd := 0, 0
	remarks, err := desk.ReadRemarks(remarksFile(f.out))
	if err != nil {
		return fmt.Errorf("grade: %w", err)
	}
	for i := range all {
		remarks.Give(&all[i])
		late.apply(&all[i])
		if all[i].Result == nil {
			odd++
		}
		marks += kept.Give(&all[i])
	}
	if odd > 0 {
		fmt.Fprintf(stderr, "not graded: %d, see the notes in the table\n", odd)
	}
	if marks > 0 {
		fmt.Fprintf(stderr, "kept the marks that were entered by hand in %s: %d\n", f.out, marks)
	}
	if err := late.write(stderr); err != nil {
		return fmt.Errorf("grade: %w", err)
	}
	summary := grading.Summarize(all)
	fmt.Fprintln(stderr, summary.Line())
	if f.statistics != "" {
		b, err := summary.Page(homeworkName(f.source))
		if err == nil {
			err = notebook.WriteFile(f.statistics, b)
		}
		if err != nil {
			return fmt.Errorf("grade: %w", err)
		}
		fmt.Fprintf(stderr, "wrote %s\n", f.statistics)
	}
	return results(all, kept, student, f, stdout, stderr)
}

// homeworkName returns the name of a homework: the name of its source without the extension.
func homeworkName(source string) string {
	return strings.TrimSuffix(filepath.Base(source), filepath.Ext(source))
}

// selected returns the submissions to grade.
func selected(list []submission, source *notebook.Notebook, kept *grading.Marks, f gradeFlags) ([]submission, error) {
	if len(f.students)+len(f.tasks) > 0 && kept == nil {
		return nil, fmt.Errorf("--students and --tasks change a table, but %s does not exist yet: grade the whole class first", f.out)
	}
	for _, id := range f.tasks {
		if ids := grading.GradedCells(source); !slices.Contains(ids, id) {
			return nil, fmt.Errorf("--tasks must name graded cells (%s), got %q", strings.Join(ids, ", "), id)
		}
	}
	if len(f.students) == 0 {
		return list, nil
	}
	var chosen []submission
	for _, student := range f.students {
		i := slices.IndexFunc(list, func(s submission) bool { return s.student == student })
		if i < 0 {
			return nil, fmt.Errorf("--students must name students with submissions, got %q", student)
		}
		chosen = append(chosen, list[i])
	}
	return chosen, nil
}

// tell reports the progress of the grading.
func tell(w io.Writer, n, of int, g grading.Graded) {
	if g.Result == nil {
		fmt.Fprintf(w, "[%d/%d] %s: %v\n", n, of, g.Student, g.Err)
		return
	}
	earned, most, byHand := g.Points()
	line := fmt.Sprintf("[%d/%d] %s: %s of %s", n, of, g.Student, grading.Number(earned), grading.Number(most))
	if byHand > 0 {
		line += fmt.Sprintf(", %s by hand", grading.Number(byHand))
	}
	fmt.Fprintf(w, "%s, %.1f s\n", line, g.Took.Seconds())
}

// readMarks reads the table that a previous run has written and graders have filled in. It returns
// nil if there is no such table.
func readMarks(name string, source *notebook.Notebook) (*grading.Marks, error) {
	if name == "" {
		return nil, nil
	}
	file, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil, err
	}
	kept, err := grading.ReadMarks(file)
	if err != nil {
		return nil, fmt.Errorf("%s exists, and %w: choose another file with -o", name, err)
	}
	if err := kept.Check(source); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return kept, nil
}

// gradeOne grades one submission. For the page of the student, it runs the submission again with
// the checks that the student has.
func gradeOne(ctx context.Context, log *slog.Logger, source *notebook.Notebook, sub submission, f gradeFlags) (g grading.Graded) {
	g = grading.Graded{Student: sub.student, File: sub.file, Err: sub.err}
	if g.Err != nil {
		return g
	}
	submitted, err := sub.read()
	if err != nil {
		g.Err = err
		return g
	}
	if source, _, err = grading.Variant(source, sub.student); err != nil {
		g.Err = err
		return g
	}
	run := judging{
		log: log, checks: source, solutions: source, submitted: submitted, from: filepath.Dir(f.source), theirs: filepath.Dir(sub.file),
		allow: f.allow, files: f.files, confined: !f.open, memory: f.memory, timeout: f.timeout, limit: f.limit,
	}
	if g.Result, g.Err = run.judge(ctx); g.Err == nil && f.visible() {
		if run.checks, err = grading.Student(source); err == nil {
			g.Visible, err = run.judge(ctx)
		}
		if err != nil {
			g.Result, g.Err = nil, err
		}
	}
	return g
}

// trial grades the solutions of the source, once, when a submission has an error that the source or
// this program may have caused.
type trial struct {
	log    *slog.Logger
	source *notebook.Notebook
	f      gradeFlags

	once sync.Once
	err  error
}

// test returns an error if the solutions don't earn all points: then no points of the class can be
// trusted.
func (t *trial) test(ctx context.Context, g grading.Graded) error {
	if g.Result == nil || g.Doubt == "" || ctx.Err() != nil {
		return nil
	}
	t.once.Do(func() {
		own, _, err := grading.Variant(t.source, g.Student)
		if err != nil {
			t.err = err
			return
		}
		run := judging{
			log: t.log, checks: own, solutions: own, submitted: own, from: filepath.Dir(t.f.source),
			allow: t.f.allow, files: t.f.files, confined: !t.f.open, memory: t.f.memory, timeout: t.f.timeout, limit: t.f.limit,
		}
		res, err := run.judge(ctx)
		if err != nil {
			t.err = err
			return
		}
		for _, sc := range res.Scores {
			if sc.Manual || sc.Points >= sc.Of {
				continue
			}
			why := sc.Note
			if res.Doubt != "" && !strings.Contains(res.Doubt, why) {
				why += " (" + res.Doubt + ")"
			}
			t.err = fmt.Errorf("nothing was written, because the solutions of %s earn %s of %s points in %s: %s; run gokernel release to test the source",
				t.f.source, grading.Number(sc.Points), grading.Number(sc.Of), sc.ID, why)
			return
		}
	})
	return t.err
}

// otherVariant returns the student whose variant a submission has, if it is not the submission's
// own.
func otherVariant(source *notebook.Notebook, sub submission, class []string) string {
	if sub.err != nil || !grading.HasVariants(source) {
		return ""
	}
	submitted, err := sub.read()
	if err != nil {
		return ""
	}
	return grading.OtherVariant(source, submitted, sub.student, class)
}

// results writes the results of the grading.
func results(all []grading.Graded, kept *grading.Marks, student *notebook.Notebook, f gradeFlags, stdout, stderr io.Writer) error {
	csvTo := func(name string, write func(io.Writer) error) error {
		if name == "" {
			return write(stdout)
		}
		var b strings.Builder
		if err := write(&b); err != nil {
			return err
		}
		if err := notebook.WriteFile(name, []byte(b.String())); err != nil {
			return err
		}
		fmt.Fprintf(stderr, "wrote %s\n", name)
		return nil
	}
	if err := csvTo(f.out, func(w io.Writer) error { return grading.WriteCSV(w, all, kept) }); err != nil {
		return fmt.Errorf("grade: %w", err)
	}
	if f.html != "" {
		for _, g := range all {
			if g.Result == nil || g.Visible == nil { // not run this time
				continue
			}
			b, err := grading.Feedback(g, f.level)
			if err != nil {
				return fmt.Errorf("grade: %s: %w", g.Student, err)
			}
			if err := notebook.WriteFile(filepath.Join(f.html, g.Student+".html"), b); err != nil {
				return fmt.Errorf("grade: %w", err)
			}
		}
		fmt.Fprintf(stderr, "wrote a page for each student into %s\n", f.html)
	}
	if f.similarity == "" {
		return nil
	}
	var (
		names     []string
		notebooks []*notebook.Notebook
	)
	for _, g := range all {
		if g.Result != nil && g.Notebook != nil {
			names, notebooks = append(names, g.Student), append(notebooks, g.Notebook)
		}
	}
	pairs := grading.Similarity(names, notebooks, student)
	err := csvTo(f.similarity, func(w io.Writer) error {
		out := csv.NewWriter(w)
		out.Write([]string{"a", "b", "similarity"})
		for _, p := range pairs {
			out.Write([]string{grading.Text(p.A), grading.Text(p.B), fmt.Sprintf("%.2f", p.Similarity)})
		}
		out.Flush()
		return out.Error()
	})
	if err != nil {
		return fmt.Errorf("grade: %w", err)
	}
	return nil
}
