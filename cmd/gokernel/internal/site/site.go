// Package site builds a website from the notebooks of a course. It has a home page with a map, and
// a page and slides for each notebook. It also has the documentation of the library, a gallery,
// indexes, and a search that needs no server.
//
// All addresses are relative and everything is a file, so a site works from a disk and from any
// host. It loads nothing from elsewhere. A broken link within the site is an error. The same
// notebooks result in the same bytes.
package site

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

// Options configures a site.
type Options struct {
	// Dir is the directory of the notebooks, and of course.json if there is one.
	Dir string
	// Out is the directory of the site.
	Out string
	// Contents is a directory for the notebooks and files that readers may have, such as the
	// contents of JupyterLite; "" writes none.
	Contents string
	// Run executes a notebook of Dir and stores the outputs in it. Several goroutines call it. If
	// it is nil, the site has the outputs that the notebooks have.
	Run Run
	// Jobs is the number of notebooks that run, or pages that are printed, at once; 0 means one.
	Jobs int
	// Room reports whether there is enough memory for one more notebook at once; it may be nil.
	Room func() bool
	// Watch shows a line about the state of the run until stop is called; it may be nil.
	Watch func(status func() string) (stop func())
	// PDF prints a page that has been written, opened with a query such as "?view=print"; if it is
	// nil, the site has no PDF files. Several goroutines call it.
	PDF func(ctx context.Context, page, query, pdf string) error
	// Trust lets scripts in texts and outputs of the notebooks run.
	Trust bool
	// Live is a directory with the kernel for web pages, with which cells of lectures run in the
	// page; "" means that cells don't run.
	Live string
	// Say reports information that is not an error; it may be nil.
	Say func(format string, args ...any)
}

// builder is a site under construction.
type builder struct {
	Options
	course   *course
	lectures []*lecture
	api      *library
	sources  references
	files    map[string][]byte // contents by path in the site
	promised map[string]bool   // files created after the others are written
	draft    bool              // the notebooks have not run: figures and the library are missing
	faults   []error           // problems that are reported together
	origin   map[string]string // sources of pages, relative to Dir
	written  map[string]string // addresses as authors wrote them, by page and address
	search   []entry
	later    map[string]int // number of links to omitted lectures, by their ids
	download string         // the size of the kernel for web pages, or ""
}

// newBuilder returns a builder without files.
func newBuilder(opt Options) *builder {
	b := &builder{Options: opt, files: map[string][]byte{}, promised: map[string]bool{}, origin: map[string]string{}, written: map[string]string{}, later: map[string]int{}}
	if b.Say == nil {
		b.Say = func(string, ...any) {}
	}
	return b
}

// Build builds the site and writes it. Before a notebook runs, Build checks all files and links,
// and returns an error that lists all problems.
func Build(ctx context.Context, opt Options) error {
	b := newBuilder(opt)
	for _, dir := range []string{opt.Out, opt.Contents} {
		if err := checkOut(dir); dir != "" && err != nil {
			return err
		}
	}
	if err := b.do(ctx, b.readCourse, b.readLectures, b.rehearse); err != nil {
		return joined(append(b.faults, err)...)
	}
	if err := b.execute(ctx); err != nil {
		return err
	}
	if err := b.all(ctx, b.document, b.addAssets, b.addLive, b.addLectures, b.addBook, b.addLibrary, b.addIndexes, b.addHome, b.addSearch, b.checkLinks); err != nil {
		return err
	}
	if err := write(opt.Out, b.files); err != nil {
		return err
	}
	if opt.Contents != "" {
		files, err := b.contents()
		if err != nil {
			return err
		}
		if err := write(opt.Contents, files); err != nil {
			return err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(b.later)) {
		b.Say("%s is omitted: links to it are shown as text (%d)", id, b.later[id])
	}
	return b.print(ctx)
}

// fault stores an error, which may be nil, to report it with the others.
func (b *builder) fault(err error) {
	if err != nil {
		b.faults = append(b.faults, err)
	}
}

// do runs the steps up to the first that fails.
func (b *builder) do(ctx context.Context, steps ...func(context.Context) error) error {
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// all runs all steps, even if some fail, and returns all problems as one error.
func (b *builder) all(ctx context.Context, steps ...func(context.Context) error) error {
	for _, step := range steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		b.fault(step(ctx))
	}
	return joined(b.faults...)
}

// rehearse builds the texts and indexes of the site before the notebooks run. It finds errors in
// course.json, its files and the links before minutes are spent on running.
func (b *builder) rehearse(ctx context.Context) error {
	r := newBuilder(b.Options)
	r.course, r.draft, r.faults = b.course, true, b.faults
	r.Say = func(string, ...any) {}
	for _, l := range b.lectures {
		nb := *l.nb
		nb.Cells = nil
		for _, c := range l.nb.Cells {
			bare := *c
			bare.Outputs = nil
			nb.Cells = append(nb.Cells, &bare)
		}
		again := *l
		again.nb = &nb
		r.lectures = append(r.lectures, &again)
	}
	r.join()
	catalogue := func(context.Context) error {
		_, err := r.catalogue()
		return err
	}
	return r.all(ctx, r.document, r.addLive, r.addLectures, r.addBook, r.addIndexes, r.addHome, catalogue, r.checkSources, r.checkLinks)
}

// print creates the PDF files of the written pages.
func (b *builder) print(ctx context.Context) error {
	if b.PDF == nil {
		return nil
	}
	type job struct{ page, query, pdf string }
	jobs := []job{{bookPage, "", bookPDF}}
	for _, l := range b.lectures {
		jobs = append(jobs, job{l.Page(), "", l.PDF}, job{l.Slides(), "?view=print", l.SlidesPDF})
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var group sync.WaitGroup
	at := make(chan bool, max(1, b.Jobs))
	for _, p := range jobs {
		at <- true
		if ctx.Err() != nil {
			break
		}
		group.Go(func() {
			if err := b.printPage(ctx, p.page, p.query, p.pdf); err != nil {
				cancel(err) // the first error stops the others
			}
			<-at
		})
	}
	group.Wait()
	return context.Cause(ctx)
}

// printPage creates a PDF file of a page.
func (b *builder) printPage(ctx context.Context, page, query, pdf string) error {
	file := filepath.Join(b.Out, pdf)
	if err := b.PDF(ctx, filepath.Join(b.Out, page), query, file); err != nil {
		return fmt.Errorf("%s: %w", pdf, err)
	}
	if _, err := os.Stat(file); err != nil {
		return fmt.Errorf("%s wasn't written: %w", pdf, err)
	}
	return nil
}

// manifest lists the files of a written site, so that the next build can remove obsolete ones.
const manifest = ".gokernel-site"

// checkOut returns an error if the directory contains files that are not from a site.
func checkOut(dir string) error {
	list, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) || err == nil && len(list) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(dir, manifest)); err != nil {
		return fmt.Errorf("%s has files that gokernel site did not write: give an empty directory, or one that does not exist", dir)
	}
	return nil
}

// write writes the files that are new or differ, and removes files of the last site that this one
// does not have.
func write(dir string, files map[string][]byte) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	before, _ := os.ReadFile(filepath.Join(dir, manifest)) // missing the first time
	for name := range strings.Lines(string(before)) {
		name = strings.TrimSpace(name)
		if _, still := files[name]; still || !filepath.IsLocal(name) {
			continue
		}
		if err := os.Remove(filepath.Join(dir, filepath.FromSlash(name))); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	names := slices.Sorted(maps.Keys(files))
	if err := notebook.WriteFile(filepath.Join(dir, manifest), []byte(strings.Join(names, "\n")+"\n")); err != nil {
		return err
	}
	for _, name := range names {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if old, err := os.ReadFile(file); err == nil && string(old) == string(files[name]) {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		// Waiting until the disk has each of the many files would take longer than making them. The
		// next build rewrites a file that a power failure has damaged.
		if err := os.WriteFile(file, files[name], 0o666); err != nil {
			return err
		}
	}
	return nil
}

// root returns the relative path from a page to the top of the site.
func root(page string) string { return strings.Repeat("../", strings.Count(page, "/")) }

// relative returns the address by which a page of the site refers to a file of the site.
func relative(page, file string) string {
	if path.Dir(page) == path.Dir(file) {
		return path.Base(file)
	}
	return root(page) + file
}
