package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/execute"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/grading"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/page"
	"github.com/gokernel/gokernel/internal/sandbox"
	"github.com/gokernel/gokernel/interp/worker"
	"github.com/spf13/cobra"
)

// runFlags contains the flags of run.
type runFlags struct {
	out, html, engine    string
	inPlace, allowErrors bool
	offline, warn        bool
	sandbox, trust       bool
	solutions            bool
	memory               int // MiB
	timeout, processor   time.Duration
}

// rules returns the rules for the evaluator of a notebook in a folder.
func (f runFlags) rules(dir string) (r sessionRules, err error) {
	r.warn = f.warn
	if err := r.setMemory(f.memory); err != nil {
		return r, fmt.Errorf("run: %w", err)
	}
	if f.processor < 0 {
		return r, fmt.Errorf("run: --max-cpu must not be negative, got %v: give a time such as 10m, or 0 for no limit", f.processor)
	}
	if !f.sandbox {
		if f.processor > 0 {
			return r, errors.New("run: --max-cpu needs --sandbox; use --timeout to limit each cell")
		}
		return r, nil
	}
	r.cpu = uint64(math.Ceil(f.processor.Seconds()))
	if lacks := sandbox.Lacks(); lacks != nil {
		return r, fmt.Errorf("run: --sandbox doesn't work here: %s", strings.Join(lacks, "; "))
	}
	r.dir, err = filepath.Abs(dir)
	return r, err
}

func newRun(s *settings) *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run NOTEBOOK...",
		Short: "Execute notebooks and turn them into web pages",
		Long: `Execute each notebook from its first cell to its last, in a session of its own and in the
notebook's directory. Neither Jupyter nor Python is needed.

If you give none of -o, --inplace and --html, the executed notebook and a web page are
written next to the notebook, which stays unchanged. The page needs no other files. Unless
you give --trust, scripts in the notebook don't run in the page, and the page loads nothing
from other hosts. Figures, tables and animations work without --trust. Controls that
Interact creates work in the page, too: run calls their function in advance, for up to 200
positions of the controls.

A cell that fails ends the run of its notebook with exit status 1, unless you give
--allow-errors or the cell has the tag "raises-exception". The results are written anyway,
with the error in them. They are also written after an interrupt (Ctrl-C), but --inplace
then leaves the notebook unchanged.`,
		Example: `  gokernel run lecture.ipynb                       # writes lecture.executed.ipynb, lecture.html
  gokernel run lecture.ipynb --html site/          # writes site/lecture.html
  gokernel run --inplace *.ipynb                   # refreshes the outputs
  gokernel run homework.ipynb -o done.ipynb --timeout 1m
  gokernel run --sandbox --max-memory 1024 --max-cpu 5m untrusted/notebook.ipynb`,
		ValidArgsFunction: notebooks,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.timeout < 0 {
				return fmt.Errorf("run: --timeout must not be negative, got %v: give a time such as 30s, or 0 for no limit", f.timeout)
			}
			if err := checkEngine(f.engine); err != nil {
				return fmt.Errorf("run: %w", err)
			}
			if _, err := f.rules("."); err != nil {
				return err
			}
			jobs, err := plan(args, f)
			if err != nil {
				return err
			}
			return runJobs(cmd.Context(), s, jobs, f, cmd.ErrOrStderr())
		},
	}
	fs := cmd.Flags()
	fs.StringVarP(&f.out, "output", "o", "", "write the executed notebook to this `file`, or into this directory")
	fs.BoolVar(&f.inPlace, "inplace", false, "overwrite the notebook with the executed notebook")
	fs.StringVar(&f.html, "html", "", "write the page to this `file`, or into this directory")
	fs.DurationVar(&f.timeout, "timeout", 0, "stop a cell that takes longer than this `time`, such as 30s (default: no limit)")
	fs.BoolVar(&f.allowErrors, "allow-errors", false, "continue after a cell that fails, and exit with status 0 even then")
	fs.BoolVar(&f.offline, "offline", false, "fetch no modules: use only packages of the notebook's folder and the module cache")
	fs.BoolVar(&f.warn, "warn", false, "warn, as the kernel does in Jupyter, about code that compiles but is probably a mistake")
	fs.BoolVar(&f.trust, "trust", false, "allow scripts in the notebook's text and outputs, and content from other hosts")
	fs.BoolVar(&f.solutions, "solutions", false, "include the solutions and hidden checks of a homework in its page")
	fs.BoolVar(&f.sandbox, "sandbox", false, "confine cells to files below the notebook's folder, and forbid network access and other programs")
	fs.IntVar(&f.memory, "max-memory", 0, limitUsage)
	fs.DurationVar(&f.processor, "max-cpu", 0, "with --sandbox: end a session that uses more CPU `time` than this, such as 10m (default: no limit)")
	fs.StringVar(&f.engine, "engine", defaultEngine, "the engine that runs cells: "+engineNames())
	cmd.MarkFlagsMutuallyExclusive("output", "inplace")
	return cmd
}

func runJobs(ctx context.Context, s *settings, jobs []job, f runFlags, w io.Writer) error {
	// Find unreadable notebooks and unwritable results before anything runs.
	var notebooks []*notebook.Notebook
	for _, j := range jobs {
		nb, err := readNotebook("run", j.in)
		if err != nil {
			return err
		}
		notebooks = append(notebooks, nb)
	}
	if err := keepSolutions(jobs, notebooks, f, w); err != nil {
		return err
	}
	if err := prepare(jobs); err != nil {
		return err
	}
	to, err := openResults(jobs, f.inPlace || f.out != "" || f.html != "")
	if err != nil {
		return err
	}
	defer to.close()
	log, done, err := s.logger()
	if err != nil {
		return err
	}
	defer done()
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	// The first interrupt stops the running cell; the next one ends the program.
	context.AfterFunc(ctx, stop)
	failed := false
	for i, j := range jobs {
		res, err := runJob(ctx, log, j, notebooks[i], f, to, w)
		if errors.Is(err, context.Canceled) {
			return exitCode(130) // the exit status of a shell for an interrupt
		}
		if err != nil {
			return fmt.Errorf("run: %w", err)
		}
		failed = failed || res.Failed > 0 && !f.allowErrors
	}
	if failed {
		return exitCode(1)
	}
	return nil
}

// keepSolutions omits solutions and hidden checks of homework from pages, unless --solutions
// requests them.
func keepSolutions(jobs []job, notebooks []*notebook.Notebook, f runFlags, w io.Writer) error {
	for i, j := range jobs {
		if j.html == "" || f.solutions || !grading.IsSource(notebooks[i]) {
			continue
		}
		hint := fmt.Sprintf("create the student version with gokernel release %s -o DIRECTORY, or give --solutions to include the solutions", j.in)
		if f.html != "" {
			return fmt.Errorf("run: the page of %s would show solutions or hidden checks: %s", j.in, hint)
		}
		jobs[i].html = ""
		fmt.Fprintf(w, "note: %s was not written, because it would show solutions and hidden checks: %s\n", j.html, hint)
	}
	return nil
}

func runJob(ctx context.Context, log *slog.Logger, j job, nb *notebook.Notebook, f runFlags, to places, w io.Writer) (execute.Result, error) {
	mods := moduleRules{kept: recordedVersions(nb), offline: f.offline || f.sandbox}
	rules, err := f.rules(filepath.Dir(j.in))
	if err != nil {
		return execute.Result{}, err
	}
	client, err := worker.Start(worker.Options{
		Args: slices.Concat(evaluatorArgs(f.engine), mods.args(), rules.args()), Dir: filepath.Dir(j.in), Env: rules.environment(), Start: rules.start(), Log: log,
	})
	if err != nil {
		return execute.Result{}, err
	}
	defer client.Close() // later reports of the session are not needed
	p := newProgress(w, nb)
	fmt.Fprintf(w, "%s\n", j.in)
	start := time.Now()
	res, runErr := execute.Notebook(ctx, nb, client, execute.Options{
		Timeout: f.timeout, AllowErrors: f.allowErrors, Begin: p.begin, End: p.end, Frames: j.html != "", Moved: p.moved,
	})
	if runErr == nil {
		if err := recordVersions(ctx, nb, client); err != nil {
			return res, err
		}
	}
	p.summary(res, time.Since(start), runErr)
	describe(nb)
	switch {
	case runErr != nil && f.inPlace:
		fmt.Fprintf(w, "%s is unchanged\n", j.out)
	case j.out != "":
		if err := to.write(w, j.out, nb.Encode); err != nil {
			return res, err
		}
	}
	if j.html != "" {
		if err := to.write(w, j.html, func() ([]byte, error) { return page.Render(nb, j.in, page.Options{Trust: f.trust}) }); err != nil {
			return res, err
		}
	}
	return res, runErr
}

// write writes a result and reports it.
func write(w io.Writer, name string, content func() ([]byte, error)) error {
	b, err := content()
	if err != nil {
		return err
	}
	if err := notebook.WriteFile(name, b); err != nil {
		return err
	}
	fmt.Fprintf(w, "wrote %s\n", name)
	return nil
}

// write writes a result to its target and reports it.
func (p places) write(w io.Writer, name string, content func() ([]byte, error)) error {
	b, err := content()
	if err != nil {
		return err
	}
	if err := p[name].Write(b); err != nil {
		return notebook.WriteError(name, err)
	}
	fmt.Fprintf(w, "wrote %s\n", name)
	return nil
}

// describe stores the language in the notebook, as Jupyter does.
func describe(nb *notebook.Notebook) {
	if nb.Metadata == nil {
		nb.Metadata = make(map[string]any)
	}
	if _, ok := nb.Metadata["kernelspec"]; !ok {
		nb.Metadata["kernelspec"] = map[string]any{"name": "gokernel", "display_name": "Go (gokernel)", "language": "go"}
	}
	if _, ok := nb.Metadata["language_info"]; !ok {
		nb.Metadata["language_info"] = map[string]any{"name": "go", "file_extension": ".go", "mimetype": "text/x-go"}
	}
}
