package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/execute"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/site"
	"github.com/gokernel/gokernel/interp/worker"
	"github.com/spf13/cobra"
)

// siteFlags contains the flags of site.
type siteFlags struct {
	out, live          string
	pdf, fresh, stored bool
	trust              bool
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
and loads nothing from other hosts. A broken link is an error.

The file course.json in the directory, if there is one, sets the title of the course, the
order of its lectures, and the title and prerequisites of each lecture. The format of this file
is described in docs/how-to/publishing.md.

Outputs are cached in your cache directory. A notebook runs again only if the notebook, a
file next to it or this program has changed, so updating a site takes seconds.`,
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
	fs.BoolVar(&f.pdf, "pdf", false, "also write a PDF of each lecture, of its slides, and of all lectures; needs Chromium")
	fs.BoolVar(&f.fresh, "fresh", false, "ignore the cache and run all notebooks")
	fs.BoolVar(&f.stored, "stored", false, "run nothing: use the outputs stored in the notebooks")
	fs.BoolVar(&f.trust, "trust", false, "allow scripts in the notebooks' text and outputs, and content from other hosts")
	fs.DurationVar(&f.timeout, "timeout", 5*time.Minute, "stop a cell that takes longer than this `time`")
	cmd.MarkFlagsMutuallyExclusive("fresh", "stored")
	return cmd
}

func makeSite(cmd *cobra.Command, s *settings, dir string, f siteFlags) error {
	start, w := time.Now(), cmd.ErrOrStderr()
	opt := site.Options{Dir: dir, Out: f.out, Live: f.live, Trust: f.trust, Say: func(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }}
	ran := 0
	run := func(ctx context.Context, name string, nb *notebook.Notebook) error {
		ran++
		return runForSite(ctx, s, cmd, filepath.Join(dir, name), nb, f.timeout)
	}
	opt.Run = run
	if f.stored {
		opt.Run = func(context.Context, string, *notebook.Notebook) error { return nil }
	} else if cache, err := siteCache(); err == nil {
		opt.Run = site.Cached(cache, dir, f.out, f.fresh, run)
	} else {
		opt.Say("outputs can't be cached for the next build: %v", err)
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
	fmt.Fprintf(w, "wrote %s, %d notebooks run, %.1f s\n", filepath.Join(f.out, "index.html"), ran, time.Since(start).Seconds())
	return nil
}

// siteCache returns the directory of executed notebooks for this build of the program: outputs of
// another build can't be used.
func siteCache() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	program, err := os.Executable()
	if err != nil {
		return "", err
	}
	sum, err := site.Sum(program)
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "gokernel", "site", sum), nil
}

// runForSite runs a notebook in a separate session.
func runForSite(ctx context.Context, s *settings, cmd *cobra.Command, file string, nb *notebook.Notebook, timeout time.Duration) error {
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
	start := time.Now()
	if _, err := execute.Notebook(ctx, nb, client, execute.Options{Timeout: timeout, Frames: true}); err != nil {
		return err
	}
	describe(nb)
	fmt.Fprintf(cmd.ErrOrStderr(), "%s ran in %.1f s\n", file, time.Since(start).Seconds())
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
