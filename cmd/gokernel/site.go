package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/doctor"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/execute"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/site"
	"github.com/gokernel/gokernel/internal/status"
	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/worker"
	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"
)

// siteFlags contains the flags of site.
type siteFlags struct {
	out, live          string
	contents           string
	pdf, fresh, stored bool
	trust              bool
	jobs               int
	timeout            time.Duration
}

func newSite(s *settings) *cobra.Command {
	var f siteFlags
	cmd := &cobra.Command{
		Use:   "site DIRECTORY",
		Short: "Make a website from the notebooks of a course",
		Long: `Run the notebooks in a directory and make a website from them. The site has a home page
with a map of the lectures, a page and slides for each lecture, and the documentation of
the library with links to the cells that use it. It also has a gallery, indexes, downloads,
and a search that needs no server. The site works from a local disk and on any web host,
and loads nothing from other hosts.

Before a notebook runs, all files and links are checked. If there are problems, site lists
all of them, with the place and what to do, and runs and writes nothing.

The file course.json in the directory, if there is one, sets the title of the course, the
order of its lectures, and the title and prerequisites of each lecture. The format of this file
is described in docs/how-to/publishing.md.

Several notebooks run at once, as many as the processors and the memory allow. Outputs are
cached in your cache directory. A notebook runs again only if its code, a file next to it,
this program or its options have changed, so updating a site takes seconds. --fresh runs
all notebooks.`,
		Example: `  gokernel site notebooks/ -o site/
  gokernel site notebooks/ -o site/ --pdf      # with PDF files of the lectures, the slides and the book
  gokernel site notebooks/ -o site/ --live .build/lite    # cells run in the page`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: directories,
		RunE: func(cmd *cobra.Command, args []string) error {
			return makeSite(cmd, s, args[0], f)
		},
	}
	fs := cmd.Flags()
	fs.StringVarP(&f.out, "output", "o", "site", "write the site into this `directory`")
	fs.StringVar(&f.live, "live", "", "let readers run cells in the pages, with the browser kernel in this `directory`")
	fs.StringVar(&f.contents, "contents", "", "also write the notebooks and files that students may have, such as the contents of JupyterLite, into this `directory`")
	fs.BoolVar(&f.pdf, "pdf", false, "also write a PDF of each lecture, of its slides, and of all lectures; needs Chromium")
	fs.BoolVar(&f.fresh, "fresh", false, "ignore the cache and run all notebooks")
	fs.BoolVar(&f.stored, "stored", false, "run nothing: use the outputs stored in the notebooks")
	fs.BoolVar(&f.trust, "trust", false, "allow scripts in the notebooks' text and outputs, and content from other hosts")
	fs.IntVar(&f.jobs, "jobs", runtime.NumCPU(), "number of notebooks that run at once, if there is enough memory")
	fs.Lookup("jobs").DefValue = "one for each processor" // so that the manual does not depend on the machine
	fs.DurationVar(&f.timeout, "timeout", 5*time.Minute, "stop a cell that takes longer than this `time`")
	cmd.MarkFlagsMutuallyExclusive("fresh", "stored")
	return cmd
}

// roomForNotebook is the memory that must be free before another notebook runs at once, in bytes.
const roomForNotebook = 1 << 30

func makeSite(cmd *cobra.Command, s *settings, dir string, f siteFlags) error {
	if f.jobs < 1 {
		return fmt.Errorf("site: --jobs must be at least 1, got %d", f.jobs)
	}
	start, w := time.Now(), cmd.ErrOrStderr()
	out, isFile := w.(*os.File)
	terminal := isFile && isatty.IsTerminal(out.Fd()) && runtime.GOOS != "windows"
	opt := site.Options{Dir: dir, Out: f.out, Contents: f.contents, Live: f.live, Trust: f.trust, Jobs: f.jobs, Say: func(format string, args ...any) {
		if terminal {
			format = "\r\x1b[K" + format // over the line that Watch writes
		}
		fmt.Fprintf(w, format+"\n", args...)
	}}
	var ran, reused atomic.Int64
	opt.Room = func() bool {
		free, known := doctor.FreeMemory()
		return !known || free >= roomForNotebook
	}
	if terminal {
		opt.Watch = func(text func() string) func() {
			stop := status.Show(w, func() string { return fmt.Sprintf("%s (%s)", text(), status.Duration(time.Since(start))) })
			return func() { stop("") }
		}
	}
	run := func(ctx context.Context, name string, nb *notebook.Notebook) (site.Outcome, error) {
		begin := time.Now()
		err := runForSite(ctx, s, filepath.Join(dir, name), nb, f.timeout)
		return site.Outcome{Took: time.Since(begin)}, err
	}
	if cache, err := siteCache(f); err == nil {
		cache.Notebooks, cache.Out = dir, f.out
		run = cache.Run(run)
	} else {
		opt.Say("outputs can't be cached for the next build: %v", err)
	}
	opt.Run = func(ctx context.Context, name string, nb *notebook.Notebook) (site.Outcome, error) {
		out, err := run(ctx, name, nb)
		if out.Reused {
			reused.Add(1)
		} else {
			ran.Add(1)
		}
		return out, err
	}
	if f.stored {
		opt.Run = nil
	}
	if f.pdf {
		chromium, err := findChromium()
		if err != nil {
			return fmt.Errorf("site: %w", err)
		}
		opt.PDF = func(ctx context.Context, page, query, pdf string) error {
			return printPage(ctx, chromium, page, query, pdf)
		}
	}
	if err := site.Build(cmd.Context(), opt); err != nil {
		return fmt.Errorf("site: %w", err)
	}
	fmt.Fprintf(w, "wrote %s, %d notebooks run, %d reused, %.1f s\n", filepath.Join(f.out, "index.html"), ran.Load(), reused.Load(), time.Since(start).Seconds())
	return nil
}

// siteCache returns the cache of outputs for this build of the program and these options, because
// outputs of another build can't be used.
func siteCache(f siteFlags) (*site.Cache, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	sum, err := site.Sum(program)
	if err != nil {
		return nil, err
	}
	key := fmt.Sprint(f.timeout)
	for _, name := range []string{engine.JITVariable, gradedVar, allowVar} {
		key += " " + name + "=" + os.Getenv(name)
	}
	return &site.Cache{Dir: filepath.Join(dir, "gokernel", "site", sum), Key: key, Fresh: f.fresh}, nil
}

// runForSite runs a notebook in a separate session.
func runForSite(ctx context.Context, s *settings, file string, nb *notebook.Notebook, timeout time.Duration) error {
	if err := execute.Language(nb); err != nil {
		return err
	}
	log, done, err := s.logger()
	if err != nil {
		return err
	}
	defer done()
	client, err := worker.Start(worker.Options{Args: evaluatorArgs(defaultEngine), Dir: filepath.Dir(file), Log: log})
	if err != nil {
		return err
	}
	defer client.Close()
	if _, err := execute.Notebook(ctx, nb, client, execute.Options{Timeout: timeout, Frames: true}); err != nil {
		return err
	}
	describe(nb)
	return nil
}

// findChromium finds a browser that can print.
func findChromium() (string, error) {
	for _, name := range []string{os.Getenv("CHROMIUM"), "chromium", "chromium-browser", "google-chrome", "chrome"} {
		if name == "" {
			continue
		}
		if p, err := exec.LookPath(name); err == nil {
			return p, nil
		}
	}
	return "", errors.New("--pdf needs Chromium, which wasn't found: install it, or set the variable CHROMIUM to its path")
}

// printTime is the maximum time to print one page.
const printTime = 2 * time.Minute

// printPage prints a page with a browser that uses a separate profile.
func printPage(ctx context.Context, chromium, page, query, pdf string) error {
	ctx, cancel := context.WithTimeout(ctx, printTime)
	defer cancel()
	profile, err := os.MkdirTemp("", "gokernel-print-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(profile)
	if page, err = filepath.Abs(page); err != nil {
		return err
	}
	args := []string{"--headless", "--disable-gpu", "--no-pdf-header-footer", "--generate-pdf-document-outline", "--virtual-time-budget=20000", "--user-data-dir=" + profile, "--print-to-pdf=" + pdf}
	if os.Geteuid() == 0 {
		args = append(args, "--no-sandbox") // Chromium has no sandbox for root
	}
	out, err := exec.CommandContext(ctx, chromium, append(args, "file://"+filepath.ToSlash(page)+query)...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", chromium, err, out)
	}
	return nil
}
