package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/execute"
	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/internal/wholefile"
)

// job is one notebook: its input file and its result files, "" for none.
type job struct{ in, out, html string }

// plan determines what to write, and rejects what would destroy a notebook.
func plan(args []string, f runFlags) ([]job, error) {
	if err := checkTargets(len(args), f); err != nil {
		return nil, err
	}
	var jobs []job
	for i, in := range args {
		if slices.ContainsFunc(args[:i], func(other string) bool { return sameFile(in, other) }) {
			return nil, fmt.Errorf("run: %s must be given once, got it twice", in)
		}
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
			j.out = filepath.Join(filepath.Dir(in), base+notebook.Executed)
			j.html = filepath.Join(filepath.Dir(in), base+".html")
		}
		jobs = append(jobs, j)
	}
	for i, j := range jobs {
		for _, name := range j.results() {
			if name == j.in && f.inPlace {
				continue
			}
			if err := checkResult(name, i, jobs); err != nil {
				return nil, err
			}
		}
	}
	return jobs, nil
}

// results returns the files that the job writes.
func (j job) results() []string {
	return slices.DeleteFunc([]string{j.out, j.html}, func(name string) bool { return name == "" })
}

// checkTargets rejects flags that were probably meant otherwise, such as `--html lecture.ipynb` by
// a user who takes --html for a switch.
func checkTargets(notebooks int, f runFlags) error {
	hasExt := func(name string, exts ...string) bool {
		return slices.Contains(exts, strings.ToLower(filepath.Ext(name))) && !isDir(name)
	}
	switch {
	case hasExt(f.html, ".ipynb"):
		return fmt.Errorf("run: --html must be a page or a directory, got the notebook %s: use a name that ends in .html", f.html)
	case hasExt(f.out, ".html", ".htm"):
		return fmt.Errorf("run: -o must be a notebook or a directory, got the page %s: use --html for pages", f.out)
	case notebooks == 0 && f.out != "":
		return fmt.Errorf("run: give a notebook to read; -o %s is the one to write", f.out)
	case notebooks == 0:
		return errors.New("run: give one or more notebooks, such as lecture.ipynb")
	}
	return nil
}

// checkResult rejects a result of the i-th job that would overwrite an input notebook, or a result
// of an earlier job.
func checkResult(name string, i int, jobs []job) error {
	if sameFile(name, jobs[i].in) {
		return fmt.Errorf("run: %s is the notebook itself: use --inplace to overwrite it", name)
	}
	for k, other := range jobs {
		if sameFile(name, other.in) {
			return fmt.Errorf("run: the result of %s would overwrite %s, which is also an input: leave out that input, or give a directory with -o or --html", jobs[i].in, name)
		}
		if k < i && slices.ContainsFunc(other.results(), func(r string) bool { return sameFile(name, r) }) {
			return fmt.Errorf("run: %s and %s would both be written to %s: give a directory, with a trailing / if it doesn't exist yet", other.in, jobs[i].in, name)
		}
	}
	return nil
}

// sameFile reports whether two names refer to one file, which need not exist.
func sameFile(a, b string) bool {
	absA, errA := filepath.Abs(a)
	absB, errB := filepath.Abs(b)
	if errA == nil && errB == nil && absA == absB {
		return true
	}
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// target returns the file for a result: dest itself, or a file in dest if dest is a directory.
func target(dest, name string) string {
	if isDir(dest) || strings.HasSuffix(dest, "/") || strings.HasSuffix(dest, string(filepath.Separator)) {
		return filepath.Join(dest, name)
	}
	return dest
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// readNotebook reads a notebook for a command.
func readNotebook(command, name string) (*notebook.Notebook, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf(command+": there is no file %s%s", name, alternatives(name))
	case err == nil && info.IsDir():
		return nil, fmt.Errorf(command+": %s is a directory: give the notebooks in it, such as %s", name, filepath.Join(name, "*.ipynb"))
	case err == nil && info.Mode()&fs.ModeNamedPipe != 0:
		return nil, fmt.Errorf(command+": %s is a pipe: write the notebook into a file", name)
	}
	nb, err := notebook.Read(name)
	if err != nil {
		return nil, fmt.Errorf(command+": %w", err)
	}
	if err := execute.Language(nb); err != nil {
		return nil, fmt.Errorf(command+": %s: %w", name, err)
	}
	return nb, nil
}

// alternatives lists existing notebooks that may be meant by a name.
func alternatives(name string) string {
	dir := filepath.Dir(name)
	files, err := os.ReadDir(dir)
	if err != nil {
		return ", nor a directory " + dir
	}
	var near, all []string
	for _, f := range files {
		n := f.Name()
		if filepath.Ext(n) != ".ipynb" || notebook.IsExecuted(n) {
			continue
		}
		all = append(all, n)
		if strings.HasPrefix(n, strings.TrimSuffix(filepath.Base(name), ".ipynb")) {
			near = append(near, filepath.Join(dir, n))
		}
	}
	const most = 6
	switch {
	case len(all) == 0:
		return ", and no other notebook beside it"
	case 0 < len(near) && len(near) <= most:
		return "; did you mean " + strings.Join(near, " or ") + "?"
	case len(all) > most:
		all = append(all[:most], "...")
	}
	return "; the notebooks there are " + strings.Join(all, ", ")
}

// prepare creates the directories of the results, and checks that files can be written there,
// before the cells compute for hours.
func prepare(jobs []job) error {
	checked := make(map[string]bool)
	for _, j := range jobs {
		for _, name := range j.results() {
			info, err := os.Stat(name)
			switch {
			case err == nil && info.IsDir():
				return fmt.Errorf("run: the result %s is a directory: give other names with -o and --html", name)
			case err == nil && !info.Mode().IsRegular():
				continue // such as /dev/stdout
			}
			dir := filepath.Dir(name)
			if checked[dir] {
				continue
			}
			checked[dir] = true
			if err := tryDir(dir); err != nil {
				if p := (*fs.PathError)(nil); errors.As(err, &p) {
					err = p.Err // p.Path is the path of a temporary file
				}
				return fmt.Errorf("run: the directory %s can't be written: %w; give another one with -o and --html", dir, err)
			}
		}
	}
	return nil
}

// places contains the targets of the results of jobs, by their names.
type places map[string]*wholefile.Target

// openResults opens the targets of all results before anything runs. Otherwise a cell could replace
// the name of a result by a symbolic link, and this process would write to a place where cells are
// not allowed to write. openResults follows a symbolic link that exists already, but only if the
// user has named the result.
func openResults(jobs []job, named bool) (places, error) {
	opened := make(places)
	for _, j := range jobs {
		for _, name := range j.results() {
			info, err := os.Lstat(name)
			if err == nil && !named && info.Mode()&fs.ModeSymlink != 0 {
				opened.close()
				return nil, fmt.Errorf("run: the result %s is a symbolic link: remove it, or name another result with -o or --html", name)
			}
			t, err := wholefile.Open(name)
			if err != nil {
				opened.close()
				return nil, fmt.Errorf("run: %w", notebook.WriteError(name, err))
			}
			opened[name] = t
		}
	}
	return opened, nil
}

func (p places) close() {
	for _, t := range p {
		t.Close() // everything has already been written
	}
}

func tryDir(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".gokernel-*")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}
