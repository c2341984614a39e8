// Package gobuild compiles a program with the go command and shows its progress. The go command
// itself prints nothing while it compiles hundreds of packages.
package gobuild

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gokernel/gokernel/internal/status"
)

// pkg is the output of "go list" for a package.
type pkg struct {
	ImportPath, Dir string
	GoFiles         []string
	Stale           bool
	StaleReason     string
}

// fields is the output format of "go list" that parse reads. Parsing JSON instead would double
// the time that Go needs to compile this package first.
const fields = "{{.ImportPath}}|{{.Dir}}|{{.Stale}}|{{.StaleReason}}{{range .GoFiles}}|{{.}}{{end}}"

func parse(text string) (packages []pkg, err error) {
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimRight(line, "\r\n"), "|")
		if len(f) < 4 {
			return nil, fmt.Errorf("go list: a line must have at least 4 fields, got %q", line)
		}
		packages = append(packages, pkg{ImportPath: f[0], Dir: f[1], Stale: f[2] == "true", StaleReason: f[3], GoFiles: f[4:]})
	}
	return packages, nil
}

// compiled is the StaleReason of a package that is completely in the build cache.
const compiled = "not installed but available in build cache"

// progress is the progress of a build. Packages are weighted by the sizes of their files.
type progress struct {
	mu      sync.Mutex
	begun   time.Time
	waiting map[string]int64 // sizes of the packages whose compilation has not started
	all     int              // number of packages to compile
	size    int64            // total size of these packages
	reached int64            // total size of the packages whose compilation has started
	current string           // package whose compilation started last
	fetched int              // number of modules
	module  string           // module that was fetched last
	other   []string         // other output of the go command
}

// newProgress returns the progress of a build of the packages.
func newProgress(packages []pkg, size func(file string) int64) *progress {
	p := &progress{waiting: map[string]int64{}, begun: time.Now()}
	for _, each := range packages {
		if !each.Stale || each.StaleReason == compiled {
			continue
		}
		n := int64(1)
		for _, f := range each.GoFiles {
			n += size(filepath.Join(each.Dir, f))
		}
		p.waiting[each.ImportPath] = n
		p.size += n
		p.all++
	}
	return p
}

// line handles a line of output of the go command. With -v, it prints the name of each package
// when it starts to compile it.
func (p *progress) line(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n, ok := p.waiting[text]; ok {
		delete(p.waiting, text)
		p.reached += n
		p.current = text
		return
	}
	if module, ok := strings.CutPrefix(text, "go: downloading "); ok {
		p.fetched++
		p.module = module
		return
	}
	p.other = append(p.other, text)
}

// text returns the progress at a point in time.
func (p *progress) text(now time.Time) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	took := now.Sub(p.begun)
	done := p.all - len(p.waiting)
	switch {
	case done == 0 && p.fetched > 0:
		return fmt.Sprintf("fetching modules: %d, %s (%s)", p.fetched, p.module, status.Duration(took))
	case done == 0: // go build may find that packages that go list reports as stale are up to date
		if took < 2*time.Second {
			return ""
		}
		return fmt.Sprintf("preparing gokernel (%s)", status.Duration(took))
	case done == p.all:
		return fmt.Sprintf("compiled %d packages, linking (%s)", p.all, status.Duration(took))
	}
	left := ""
	if share := float64(p.reached) / float64(p.size); share > 0.05 && took > 5*time.Second {
		left = fmt.Sprintf(", about %s left", status.Duration(time.Duration(float64(took)*(1/share-1))))
	}
	return fmt.Sprintf("compiling gokernel: %d of %d packages (%s%s)", done, p.all, status.Duration(took), left)
}

// Target is a program to compile.
type Target struct {
	Root    string   // a directory of the module
	Package string   // such as ./cmd/gokernel
	Output  string   // path of the program
	Flags   []string // flags of "go build"
	Env     []string // added to the environment
}

// Build compiles the program and writes its progress to w. It writes nothing if the program
// exists and is up to date.
func (t Target) Build(w io.Writer) error {
	var out bytes.Buffer
	list := append([]string{"list", "-deps", "-f", fields}, t.Flags...)
	if err := t.run(w, newProgress(nil, nil), &out, append(list, t.Package)...); err != nil {
		return err
	}
	packages, err := parse(out.String())
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(t.Output), 0o755); err != nil {
		return err
	}
	p := newProgress(packages, fileSize)
	if p.all > len(packages)/2 {
		fmt.Fprintf(w, "Go has to compile %d packages, which takes minutes; next time it uses its cache\n", p.all)
	}
	build := append([]string{"build", "-v", "-o", t.Output}, t.Flags...)
	return t.run(w, p, io.Discard, append(build, t.Package)...)
}

func fileSize(name string) int64 {
	info, err := os.Stat(name)
	if err != nil {
		return 0 // a file that cgo generates
	}
	return info.Size()
}

// run runs the go command and shows its progress. If the command fails, run also writes the
// command's output.
func (t Target) run(w io.Writer, p *progress, out io.Writer, args ...string) error {
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Stdout, cmd.Env = t.Root, out, append(os.Environ(), t.Env...)
	said, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	stop := status.Show(w, func() string { return p.text(time.Now()) })
	for s := bufio.NewScanner(said); s.Scan(); {
		p.line(s.Text())
	}
	err = cmd.Wait()
	last := ""
	switch took := status.Duration(time.Since(p.begun)); {
	case err != nil:
	case p.all > len(p.waiting):
		last = fmt.Sprintf("compiled gokernel in %s", took)
	case p.fetched > 0:
		last = fmt.Sprintf("fetched %d modules in %s", p.fetched, took)
	}
	stop(last)
	if err != nil {
		for _, line := range p.other {
			fmt.Fprintln(w, line)
		}
		return fmt.Errorf("go %s: %w", args[0], err)
	}
	return nil
}
