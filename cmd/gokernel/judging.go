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
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/grading"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/interp/worker"
)

// judging runs one submission with checks in two processes, each in a separate folder.
type judging struct {
	log               *slog.Logger
	checks, solutions *notebook.Notebook // solutions is the source of the checks
	submitted         *notebook.Notebook
	from, theirs      string   // the folders of the source and of the submission, or ""
	allow, files      []string // in addition to those in the source's metadata
	confined          bool
	memory            int // MiB
	timeout, limit    time.Duration
}

func (r judging) judge(ctx context.Context) (*grading.Result, error) {
	dir, err := os.MkdirTemp("", "gokernel-grade-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	folders := map[bool]string{true: filepath.Join(dir, "checks"), false: filepath.Join(dir, "submission")}
	for checks, folder := range folders {
		if err := errors.Join(os.Mkdir(folder, 0o700), r.copyFiles(folder, checks)); err != nil {
			return nil, err
		}
	}
	allow := slices.Concat(grading.Settings(r.solutions).Allow, r.allow)
	start := func(checks bool, peer worker.Peer) (grading.Process, error) {
		rules := sessionRules{graded: true, judge: checks, allow: allow, memory: uint64(r.memory) << 20}
		if r.confined {
			rules.dir = folders[checks]
			rules.cpu = uint64(math.Ceil(r.limit.Seconds())) * uint64(runtime.NumCPU())
		}
		return worker.Start(worker.Options{
			Args: append(evaluatorArgs(defaultEngine), rules.args()...), Dir: folders[checks], Log: r.log, Peer: peer,
			Env:   sessionRules{dir: folders[checks]}.environment(), // even without a sandbox
			Start: rules.start(),
		})
	}
	return grading.Judge(ctx, r.checks, r.submitted, start, grading.Options{CellTimeout: r.timeout, Total: r.limit, Solutions: r.solutions})
}

// These limits bound the bytes and files that are copied for a submission.
const (
	mostCopied = 256 << 20
	mostFiles  = 1000
)

// copyFiles copies two kinds of files: those that the code of the source names, and those that the
// lecturer names. They are in the folder of the source. A file that the lecturer names can also be
// in the folder of the submission, but the file in the folder of the source comes first. Only the
// checks get files that only hidden checks name.
func (r judging) copyFiles(to string, checks bool) error {
	names := slices.Concat(grading.Settings(r.solutions).Files, r.files)
	listed := func(rel string) bool {
		return slices.ContainsFunc(names, func(pattern string) bool {
			ok, err := path.Match(pattern, rel)
			return ok && err == nil
		})
	}
	source := r.solutions
	if !checks {
		var err error
		if source, err = grading.Student(r.solutions); err != nil {
			return err
		}
	}
	c := copier{to: to}
	if err := c.folder(r.from, func(rel string) bool {
		for at := rel; at != "."; at = path.Dir(at) { // a folder stands for its contents
			if grading.NamesFile(source, at) {
				return true
			}
		}
		return listed(rel)
	}); err != nil {
		return err
	}
	if checks || r.theirs == "" || len(names) == 0 {
		return nil
	}
	return c.folder(r.theirs, listed)
}

// copier copies files into a folder.
type copier struct {
	to    string
	size  int64
	files int
}

// folder copies regular files, whose names are relative and use slashes. It follows no symbolic
// links, and omits hidden files, notebooks, and existing files.
func (c *copier) folder(from string, wanted func(rel string) bool) error {
	if from == "" {
		return nil
	}
	root, err := os.OpenRoot(from)
	if err != nil {
		return err
	}
	defer root.Close()
	entries := 0
	return fs.WalkDir(root.FS(), ".", func(rel string, d fs.DirEntry, err error) error {
		if entries++; entries > mostEntries {
			return fmt.Errorf("%s holds more than %d files: put the homework into a folder of its own", from, mostEntries)
		}
		switch {
		case err != nil || rel != "." && strings.HasPrefix(d.Name(), "."):
			if d != nil && d.IsDir() && rel != "." {
				return fs.SkipDir
			}
			return nil // code that needs an unreadable file will report the error
		case d.IsDir() || !d.Type().IsRegular() || path.Ext(rel) == ".ipynb" || !wanted(rel):
			return nil
		}
		return c.file(root, rel, from)
	})
}

func (c *copier) file(root *os.Root, rel, from string) error {
	target := filepath.Join(c.to, filepath.FromSlash(rel))
	if _, err := os.Lstat(target); err == nil {
		return nil
	}
	in, err := root.Open(filepath.FromSlash(rel))
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return nil // the file was replaced
	}
	if c.size += info.Size(); c.size > mostCopied {
		return fmt.Errorf("the files in %s that homework may read are more than %d MiB", from, mostCopied>>20)
	}
	if c.files++; c.files > mostFiles {
		return fmt.Errorf("there must be at most %d files in %s that homework may read", mostFiles, from)
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
		return err
	}
	out, err := os.Create(target)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, io.LimitReader(in, info.Size()))
	return errors.Join(err, out.Close())
}
