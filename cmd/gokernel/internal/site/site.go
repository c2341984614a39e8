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

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

// Options configures a site.
type Options struct {
	// Dir is the directory of the notebooks, and of course.json if there is one.
	Dir string
	// Out is the directory of the site.
	Out string
	// Run executes a notebook of Dir and stores the outputs in it.
	Run Run
	// PDF prints a page that has been written, opened with a query such as "?view=print"; if it is
	// nil, the site has no PDF files.
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
	faults   []error           // errors of linked files
	search   []entry
	later    []string // links to missing lectures
	download string   // the size of the kernel for web pages, or ""
}

// Build builds the site and writes it.
func Build(ctx context.Context, opt Options) error {
	b := &builder{Options: opt, files: map[string][]byte{}, promised: map[string]bool{}}
	if b.Say == nil {
		b.Say = func(string, ...any) {}
	}
	if err := checkOut(opt.Out); err != nil {
		return err
	}
	if err := b.do(ctx, b.readCourse, b.readLectures, b.rehearse, b.execute); err != nil {
		return err
	}
	if err := b.do(ctx, b.document, b.addAssets, b.addLive, b.addLectures, b.addBook, b.addLibrary, b.addIndexes, b.addHome, b.addSearch, b.checkLinks); err != nil {
		return err
	}
	if err := write(opt.Out, b.files); err != nil {
		return err
	}
	for _, l := range slices.Compact(slices.Sorted(slices.Values(b.later))) {
		b.Say("%s, which is not there yet: shown as text", l)
	}
	return b.print(ctx)
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

// rehearse builds the texts and indexes of the site before the notebooks run. It finds errors in
// course.json, its files and the links before minutes are spent on running.
func (b *builder) rehearse(ctx context.Context) error {
	r := &builder{Options: b.Options, course: b.course, files: map[string][]byte{}, promised: map[string]bool{}, draft: true}
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
	if err := r.do(ctx, r.document, r.addLive, r.addLectures, r.addBook, r.addIndexes, r.addHome, r.checkLinks); err != nil {
		return err
	}
	_, err := r.catalogue()
	return err
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
	for _, p := range jobs {
		pdf := filepath.Join(b.Out, p.pdf)
		if err := b.PDF(ctx, filepath.Join(b.Out, p.page), p.query, pdf); err != nil {
			return fmt.Errorf("%s: %w", p.pdf, err)
		}
		if _, err := os.Stat(pdf); err != nil {
			return fmt.Errorf("%s wasn't written: %w", p.pdf, err)
		}
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
		if err := notebook.WriteFile(file, files[name]); err != nil {
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
