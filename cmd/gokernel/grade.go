package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/grading"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/internal/sandbox"
	"github.com/gokernel/gokernel/interp/worker"
	"github.com/spf13/cobra"
)

// gradeFlags are the flags of grade.
type gradeFlags struct {
	source, out, html, likeness string
	jobs                        int
	timeout, limit              time.Duration
	memory                      int // MiB
	open                        bool
}

func newGrade(s *settings) *cobra.Command {
	var f gradeFlags
	cmd := &cobra.Command{
		Use:   "grade DIRECTORY --source NOTEBOOK",
		Short: "Grade submitted homework",
		Long: `Run each submission with the checks of the source notebook and count the points. The
directory holds one notebook per student (NAME.ipynb), or one folder per student
(NAME/.../homework.ipynb), as nbgrader collects them.

The lecturer's cells are taken from the source, even if a submission has changed them, and
so are files next to the source. Each submission runs in an evaluator of its own, which
can't read other files, start programs or use the network, and has limits of time and
memory. A cell that kills its evaluator loses only its own points. Nothing is written to
the directory of the submissions.

If the file of -o is a table of an earlier run, its marks and comments by hand are kept.
So fill in the columns of the cells that are graded by hand and run grade again, to get
totals and pages with these marks.`,
		Example: `  gokernel grade submitted/ --source homework1.ipynb -o grades.csv --html feedback/
  gokernel grade submitted/ --source homework1.ipynb --likeness alike.csv`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: directories,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.jobs < 1 || f.timeout < 0 || f.limit < 0 || f.memory < 64 {
				return errors.New("grade: --jobs must be at least 1, times must not be negative, and --memory must be at least 64 MiB")
			}
			return grade(cmd.Context(), s, args[0], f, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&f.source, "source", "", "the `notebook` with solutions and hidden checks")
	cmd.MarkFlagRequired("source")
	fs.StringVarP(&f.out, "output", "o", "", "write the points to this `file` (default: standard output)")
	fs.StringVar(&f.html, "html", "", "write a page for each student into this `directory`")
	fs.StringVar(&f.likeness, "likeness", "", "write a similarity report to this `file`")
	fs.IntVar(&f.jobs, "jobs", runtime.NumCPU(), "number of submissions that run at once")
	fs.Lookup("jobs").DefValue = "one for each processor" // the manual is the same on all machines
	fs.DurationVar(&f.timeout, "timeout", 30*time.Second, "stop a cell that takes longer than this `time`")
	fs.DurationVar(&f.limit, "limit", 10*time.Minute, "stop a submission that takes longer than this `time`")
	fs.IntVar(&f.memory, "memory", 1024, "stop a cell whose variables use more than this many `MiB`")
	fs.BoolVar(&f.open, "no-sandbox", false, "let submissions read files, start programs and use the network")
	return cmd
}

// submission is a notebook that a student has handed in.
type submission struct{ student, file string }

// submissions finds the notebooks below a directory, one a student: that of the source's
// name where there are several.
func submissions(dir, source string) ([]submission, error) {
	found := map[string][]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != dir:
			return fs.SkipDir
		case filepath.Ext(path) != ".ipynb" || !d.Type().IsRegular():
			return nil
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		student, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
		student = strings.TrimSuffix(student, ".ipynb")
		found[student] = append(found[student], path)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("grade: %w", err)
	}
	var list []submission
	for student, files := range found {
		file := files[0]
		if i := slices.IndexFunc(files, func(f string) bool { return filepath.Base(f) == filepath.Base(source) }); i >= 0 {
			file = files[i]
		} else if len(files) > 1 {
			return nil, fmt.Errorf("grade: %s must have one notebook or one named %[3]s, got %[2]d: %[4]s", student, len(files), filepath.Base(source), strings.Join(files, ", "))
		}
		list = append(list, submission{student, file})
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
	kept, err := readMarks(f.out, source)
	if err != nil {
		return fmt.Errorf("grade: %w", err)
	}
	list, err := submissions(dir, f.source)
	if err != nil {
		return err
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
	all := make([]grading.Graded, len(list))
	var (
		wg    sync.WaitGroup
		mu    sync.Mutex
		next  = make(chan int)
		ended int
	)
	for range min(f.jobs, len(list)) {
		wg.Go(func() {
			for i := range next {
				g := gradeOne(ctx, log, source, student, list[i], f)
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
	if ctx.Err() != nil {
		return exitCode(130)
	}
	marks := 0
	for i := range all {
		marks += kept.Give(&all[i])
	}
	if marks > 0 {
		fmt.Fprintf(stderr, "kept the marks by hand that are in %s: %d\n", f.out, marks)
	}
	return results(all, kept, student, f, stdout, stderr)
}

// tell says how far the grading is.
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

// readMarks reads the table that a run before has written and people have filled in, nil without one.
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

// gradeOne grades one submission. For the page of the student it is run a second time, with the
// checks that the student has.
func gradeOne(ctx context.Context, log *slog.Logger, source, student *notebook.Notebook, sub submission, f gradeFlags) (g grading.Graded) {
	g = grading.Graded{Student: sub.student, File: sub.file}
	submitted, err := readNotebook("grade", sub.file)
	if err != nil {
		g.Err = err
		return g
	}
	if g.Result, g.Err = runSubmission(ctx, log, source, submitted, sub.file, f); g.Err == nil && f.html != "" {
		g.Visible, err = runSubmission(ctx, log, student, submitted, sub.file, f)
		if err != nil {
			g.Result, g.Err = nil, err
		}
	}
	return g
}

// runSubmission runs a submission with the checks of a notebook, in a folder and an evaluator of its own.
func runSubmission(ctx context.Context, log *slog.Logger, checks, submitted *notebook.Notebook, file string, f gradeFlags) (*grading.Result, error) {
	nb, err := grading.Assemble(checks, submitted)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "gokernel-grade-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := errors.Join(copyFiles(filepath.Dir(file), dir), copyFiles(filepath.Dir(f.source), dir)); err != nil {
		return nil, err
	}
	rules := sessionRules{graded: true, memory: uint64(f.memory) << 20}
	if !f.open {
		rules.dir = dir
		rules.cpu = uint64(math.Ceil(f.limit.Seconds())) * uint64(runtime.NumCPU())
	}
	client, err := worker.Start(worker.Options{
		Args: append(evaluatorArgs(defaultEngine), rules.args()...), Dir: dir, Log: log,
		Env:   sessionRules{dir: dir}.environment(), // also without a sandbox
		Start: rules.start(),
	})
	if err != nil {
		return nil, err
	}
	defer client.Close()
	return grading.Grade(ctx, nb, client, grading.Options{CellTimeout: f.timeout, Total: f.limit})
}

// What stands beside notebooks is copied for a submission up to this many bytes and files.
const (
	mostCopied = 256 << 20
	mostFiles  = 1000
)

// copyFiles copies the regular files of a folder that are no notebooks, but for hidden ones, with
// those of its folders.
func copyFiles(from, to string) error {
	size, n := int64(0), 0
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		switch {
		case rel == ".":
			return nil
		case strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o777)
		case !d.Type().IsRegular() || filepath.Ext(path) == ".ipynb":
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if size += info.Size(); size > mostCopied {
			return fmt.Errorf("the files in %s must have at most %d MiB", from, mostCopied>>20)
		}
		if n++; n > mostFiles {
			return fmt.Errorf("%s must have at most %d files", from, mostFiles)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), b, 0o666)
	})
}

// results writes what has come of the grading.
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
			if g.Result == nil {
				continue
			}
			b, err := grading.Feedback(g)
			if err != nil {
				return fmt.Errorf("grade: %s: %w", g.Student, err)
			}
			if err := notebook.WriteFile(filepath.Join(f.html, g.Student+".html"), b); err != nil {
				return fmt.Errorf("grade: %w", err)
			}
		}
		fmt.Fprintf(stderr, "wrote a page for each student into %s\n", f.html)
	}
	if f.likeness == "" {
		return nil
	}
	var (
		names     []string
		notebooks []*notebook.Notebook
	)
	for _, g := range all {
		if g.Result != nil {
			names, notebooks = append(names, g.Student), append(notebooks, g.Notebook)
		}
	}
	pairs := grading.Likeness(names, notebooks, student)
	err := csvTo(f.likeness, func(w io.Writer) error {
		fmt.Fprintln(w, "a,b,alike")
		for _, p := range pairs {
			fmt.Fprintf(w, "%s,%s,%.2f\n", p.A, p.B, p.Alike)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("grade: %w", err)
	}
	return nil
}
