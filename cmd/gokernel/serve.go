package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/desk"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/grading"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

// remarksFile returns the file of the remarks that belong to a table.
func remarksFile(table string) string {
	if table == "" {
		return ""
	}
	return strings.TrimSuffix(table, filepath.Ext(table)) + ".remarks.json"
}

// serveDesk serves the page for grading by hand until the program is interrupted.
func serveDesk(ctx context.Context, s *settings, dir string, f gradeFlags, stdout, stderr io.Writer) error {
	if f.out == "" {
		return errors.New("grade: --serve stores marks in a table: name it with -o")
	}
	if _, err := os.Stat(f.out); errors.Is(err, fs.ErrNotExist) {
		if err := grade(ctx, s, dir, f, stdout, stderr); err != nil {
			return err
		}
	}
	d, err := newDesk(dir, f, stderr)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("grade: %w", err)
	}
	fmt.Fprintf(stdout, "http://%s%s\n", l.Addr(), d.Path())
	fmt.Fprintln(stderr, "open this address in a browser on this machine; Ctrl-C ends the page")
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	server := &http.Server{Handler: d, ReadHeaderTimeout: 10 * time.Second}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return fmt.Errorf("grade: %w", err)
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	return server.Shutdown(last)
}

// newDesk reads the submissions for the page. It leaves out the submissions that can't be read or
// are not in the table yet, and reports them.
func newDesk(dir string, f gradeFlags, stderr io.Writer) (*desk.Desk, error) {
	source, err := readNotebook("grade", f.source)
	if err != nil {
		return nil, err
	}
	if problems := grading.Check(source); len(problems) > 0 {
		return nil, fmt.Errorf("grade: %s: %v", f.source, problems[0])
	}
	kept, err := readMarks(f.out, source)
	if err != nil {
		return nil, fmt.Errorf("grade: %w", err)
	}
	late, err := readDelays(f, kept)
	if err != nil {
		return nil, fmt.Errorf("grade: %w", err)
	}
	list, err := findSubmissions(dir, f.source)
	if err != nil {
		return nil, err
	}
	opt := desk.Options{
		Title: homeworkName(f.source), Source: source, Table: f.out, Remarks: remarksFile(f.out),
		Submissions: map[string]*notebook.Notebook{}, Apply: func(g *grading.Graded) { late.apply(g) },
	}
	for _, sub := range list {
		nb, err := answersOf(source, sub, kept.Has(sub.student), f.out)
		if err != nil {
			fmt.Fprintf(stderr, "note: the page leaves out %s: %v\n", sub.student, err)
			continue
		}
		opt.Submissions[sub.student] = nb
	}
	d, err := desk.New(opt)
	if err != nil {
		return nil, fmt.Errorf("grade: %s: %w", f.source, err)
	}
	return d, nil
}

// answersOf reads a submission for the page.
func answersOf(source *notebook.Notebook, sub submission, inTable bool, table string) (*notebook.Notebook, error) {
	if sub.err != nil {
		return nil, sub.err
	}
	if !inTable {
		return nil, fmt.Errorf("%s has no line for this student yet: run grade without --serve", table)
	}
	nb, err := sub.read()
	if err != nil {
		return nil, err
	}
	return grading.HandedIn(source, nb)
}
