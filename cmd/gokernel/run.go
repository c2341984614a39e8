package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/execute"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/page"
	"github.com/gokernel/gokernel/interp/worker"
	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"
)

// runFlags are the flags of run.
type runFlags struct {
	out, html, engine    string
	inPlace, allowErrors bool
	timeout              time.Duration
}

func newRun(s *settings) *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run NOTEBOOK...",
		Short: "Execute notebooks and make web pages of them",
		Long: `Run executes each notebook from its first cell to its last, in a session of its
own, in the notebook's directory. Neither Jupyter nor Python is needed.

Without -o, --inplace and --html, the results are the executed notebook and a web
page, both beside the notebook that was read, which is left alone. The page needs
no other files.

A cell that fails ends the run with status 1, unless --allow-errors is given or
the cell has the tag "raises-exception".`,
		Example: `  gokernel run lecture.ipynb                       # makes lecture.executed.ipynb, lecture.html
  gokernel run lecture.ipynb --html site/          # makes site/lecture.html
  gokernel run --inplace *.ipynb                   # refreshes the outputs
  gokernel run homework.ipynb -o done.ipynb --timeout 1m`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("run: which notebook? Give one or more files, such as lecture.ipynb")
			}
			if err := checkEngine(f.engine); err != nil {
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
	fs.BoolVar(&f.inPlace, "inplace", false, "write the executed notebook over the one that was read")
	fs.StringVar(&f.html, "html", "", "write the page to this `file`, or into this directory")
	fs.DurationVar(&f.timeout, "timeout", 0, "stop a cell that takes longer than this, such as 30s (default: no limit)")
	fs.BoolVar(&f.allowErrors, "allow-errors", false, "go on after a cell that fails, and end with status 0")
	fs.StringVar(&f.engine, "engine", defaultEngine, "what evaluates cells: "+engineNames())
	cmd.MarkFlagsMutuallyExclusive("output", "inplace")
	return cmd
}

// job is one notebook: where it is read, and where the results go, "" for
// nowhere.
type job struct{ in, out, html string }

// plan says what is to be written, and refuses what would overwrite itself.
func plan(args []string, f runFlags) ([]job, error) {
	var jobs []job
	written := make(map[string]string)
	for _, in := range args {
		j := job{in: in}
		base := strings.TrimSuffix(filepath.Base(in), filepath.Ext(in))
		switch {
		case f.inPlace:
			j.out = in
		case f.out != "":
			j.out = target(f.out, base+".ipynb")
		}
		if f.html != "" {
			j.html = target(f.html, base+".html")
		}
		if j.out == "" && j.html == "" {
			j.out = filepath.Join(filepath.Dir(in), base+".executed.ipynb")
			j.html = filepath.Join(filepath.Dir(in), base+".html")
		}
		for _, name := range []string{j.out, j.html} {
			if name == "" {
				continue
			}
			if other, ok := written[filepath.Clean(name)]; ok {
				return nil, fmt.Errorf("run: %s and %s would both be written to %s: give a directory that exists", other, in, name)
			}
			written[filepath.Clean(name)] = in
		}
		jobs = append(jobs, j)
	}
	return jobs, nil
}

// target is the file that a result goes to: dest itself, or one in it when it
// is a directory.
func target(dest, name string) string {
	if info, err := os.Stat(dest); err == nil && info.IsDir() || strings.HasSuffix(dest, "/") || strings.HasSuffix(dest, string(filepath.Separator)) {
		return filepath.Join(dest, name)
	}
	return dest
}

func runJobs(ctx context.Context, s *settings, jobs []job, f runFlags, w io.Writer) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	// The first interrupt stops the running cell; the next one ends the program.
	context.AfterFunc(ctx, stop)
	failed := false
	for _, j := range jobs {
		res, err := runJob(ctx, s, j, f, w)
		if errors.Is(err, context.Canceled) {
			return exitCode(130) // as a shell has it for an interrupt
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

func runJob(ctx context.Context, s *settings, j job, f runFlags, w io.Writer) (execute.Result, error) {
	nb, err := notebook.Read(j.in)
	if err != nil {
		return execute.Result{}, err
	}
	if err := execute.Language(nb); err != nil {
		return execute.Result{}, fmt.Errorf("%s: %w", j.in, err)
	}
	log, done, err := s.logger()
	if err != nil {
		return execute.Result{}, err
	}
	defer done()
	client, err := worker.Start(worker.Options{Args: evaluatorArgs(f.engine), Dir: filepath.Dir(j.in), Log: log})
	if err != nil {
		return execute.Result{}, err
	}
	defer client.Close() // what the session could report is of no use any more
	p := newProgress(w, nb)
	fmt.Fprintf(w, "%s\n", j.in)
	res, runErr := execute.Notebook(ctx, nb, client, execute.Options{
		Timeout: f.timeout, AllowErrors: f.allowErrors, Begin: p.begin, End: p.end,
	})
	describe(nb)
	if j.out != "" {
		if err := write(j.out, nb.Encode); err != nil {
			return res, err
		}
		fmt.Fprintf(w, "wrote %s\n", j.out)
	}
	if j.html != "" {
		if err := write(j.html, func() ([]byte, error) { return page.Render(nb, j.in) }); err != nil {
			return res, err
		}
		fmt.Fprintf(w, "wrote %s\n", j.html)
	}
	return res, runErr
}

func write(name string, content func() ([]byte, error)) error {
	b, err := content()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return notebook.WriteFile(name, b)
}

// describe says in the notebook what it is written in, as Jupyter does.
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

// progress tells the user how far a run is, a line for each cell.
type progress struct {
	w        io.Writer
	terminal bool
	color    bool
	total    int
}

func newProgress(w io.Writer, nb *notebook.Notebook) *progress {
	p := &progress{w: w}
	if f, ok := w.(*os.File); ok {
		p.terminal = isatty.IsTerminal(f.Fd())
		p.color = p.terminal && os.Getenv("NO_COLOR") == ""
	}
	for _, c := range nb.Cells {
		if c.Type == notebook.Code {
			p.total++
		}
	}
	return p
}

// line is what is said of a cell, with room for its state.
func (p *progress) line(index int, c *notebook.Cell, state string) string {
	width := len(fmt.Sprint(p.total))
	src, _, _ := strings.Cut(strings.TrimSpace(c.Source), "\n")
	if r := []rune(src); len(r) > 48 {
		src = string(r[:47]) + "…"
	}
	return fmt.Sprintf("  [%*d/%d] %s  %s", width, index+1, p.total, state, src)
}

func (p *progress) begin(index int, c *notebook.Cell) {
	if p.terminal {
		fmt.Fprint(p.w, p.line(index, c, "        ..... "))
	}
}

func (p *progress) end(index int, c *notebook.Cell, took time.Duration, err error) {
	state, paint := "ok   ", "32"
	switch {
	case err != nil && c.Tagged("raises-exception"):
		state = "error, as expected"
	case err != nil:
		state, paint = "ERROR", "31"
	}
	if p.color {
		state = "\x1b[" + paint + "m" + state + "\x1b[0m"
	}
	if p.terminal {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
	fmt.Fprintln(p.w, p.line(index, c, fmt.Sprintf("%7.2fs %s", took.Seconds(), state)))
	if err == nil || c.Tagged("raises-exception") {
		return
	}
	text := err.Error()
	if ce := (*worker.CellError)(nil); errors.As(err, &ce) && len(ce.Traceback) > 0 {
		text = strings.Join(ce.Traceback, "\n")
	}
	if !p.color {
		text = escapes.ReplaceAllString(text, "")
	}
	fmt.Fprintln(p.w, "    "+strings.ReplaceAll(text, "\n", "\n    "))
}

// escapes are the sequences that color text on a terminal.
var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")
