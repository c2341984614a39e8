// Package site makes a web site of the notebooks of a course: a home page with a
// map, a page and slides for each notebook, the documentation of the library, a
// gallery, indexes, and a search that needs no server.
//
// All addresses are relative and everything is a file, so a site works from a disk
// and from any host; nothing is loaded from elsewhere. A link within the site that
// leads nowhere is an error. The same notebooks give the same bytes.
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

// Options tell what a site is made of.
type Options struct {
	// Dir is the directory of the notebooks, and of course.json where there is one.
	Dir string
	// Out is the directory of the site.
	Out string
	// Run executes a notebook that lies in Dir under that name; what it shows is put
	// into nb.
	Run Run
	// PDF prints a page that has been written; nil leaves PDF out.
	PDF func(ctx context.Context, page, pdf string) error
	// Trust lets scripts in texts and outputs of the notebooks run.
	Trust bool
	// Live is a directory with the kernel for web pages, by which cells of lectures run in
	// the page; "" leaves them as they are.
	Live string
	// Say tells of what is worth knowing and no error; it may be nil.
	Say func(format string, args ...any)
}

// builder is a site while it is made.
type builder struct {
	Options
	course   *course
	lectures []*lecture
	api      *library
	sources  references
	files    map[string][]byte // what is written, by its path in the site
	promised map[string]bool   // what is made after the files are written
	draft    bool              // the notebooks have not run: figures and the library are missing
	faults   []error           // of what links lead to
	search   []entry
	later    []string // links to lectures that are not there yet
	download string   // the size of the kernel for web pages, "" without one
}

// Build makes the site and writes it.
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
	if err := b.do(ctx, b.document, b.addAssets, b.addLive, b.addLectures, b.addLibrary, b.addIndexes, b.addHome, b.addSearch, b.checkLinks); err != nil {
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

// do makes the steps of a site up to the first that fails.
func (b *builder) do(ctx context.Context, steps ...func(context.Context) error) error {
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// rehearse makes the texts and indexes of the site of notebooks that have not run, and finds what
// is wrong with course.json, its files and the links before minutes are spent on running.
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
	if err := r.do(ctx, r.document, r.addLive, r.addLectures, r.addIndexes, r.addHome, r.checkLinks); err != nil {
		return err
	}
	_, err := r.catalogue()
	return err
}

// print makes the PDF files of the pages that have been written.
func (b *builder) print(ctx context.Context) error {
	if b.PDF == nil {
		return nil
	}
	for _, l := range b.lectures {
		page, pdf := filepath.Join(b.Out, l.Page()), filepath.Join(b.Out, l.PDF)
		if err := b.PDF(ctx, page, pdf); err != nil {
			return fmt.Errorf("%s: %w", l.PDF, err)
		}
		if _, err := os.Stat(pdf); err != nil {
			return fmt.Errorf("%s wasn't written: %w", l.PDF, err)
		}
	}
	return nil
}

// manifest names the files that a site was written with, so that the next one can
// take away what it does not have any more.
const manifest = ".gokernel-site"

// checkOut fails when the directory has files that are no site's.
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

// write writes the files that are new or differ, and removes those of the last site
// that this one does not have.
func write(dir string, files map[string][]byte) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	before, _ := os.ReadFile(filepath.Join(dir, manifest)) // none the first time
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

// root is the way from a page to the top of the site.
func root(page string) string { return strings.Repeat("../", strings.Count(page, "/")) }

// relative is the address of a file of the site as a page of it names it.
func relative(page, file string) string {
	if path.Dir(page) == path.Dir(file) {
		return path.Base(file)
	}
	return root(page) + file
}
