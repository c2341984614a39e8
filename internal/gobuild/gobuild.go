// Package gobuild compiles a program with the go command and shows how far it is: the
// go command itself prints nothing while it compiles hundreds of packages.
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

// pkg is what "go list" says of a package.
type pkg struct {
	ImportPath, Dir string
	GoFiles         []string
	Stale           bool
	StaleReason     string
}

// fields is how "go list" writes a package, for parse. Reading JSON would double the time
// that Go takes to compile this package first.
const fields = "{{.ImportPath}}|{{.Dir}}|{{.Stale}}|{{.StaleReason}}{{range .GoFiles}}|{{.}}{{end}}"

func parse(text string) (packages []pkg, err error) {
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimRight(line, "\r\n"), "|")
		if len(f) < 4 {
			return nil, fmt.Errorf("go list: a line has 4 fields or more, got %q", line)
		}
		packages = append(packages, pkg{ImportPath: f[0], Dir: f[1], Stale: f[2] == "true", StaleReason: f[3], GoFiles: f[4:]})
	}
	return packages, nil
}

// compiled is why "go list" calls a package stale of which the cache has all.
const compiled = "not installed but available in build cache"

// progress is how far a build is. Packages count by the size of their files.
type progress struct {
	mu      sync.Mutex
	begun   time.Time
	waiting map[string]int64 // sizes of the packages that compilation has not reached
	all     int              // packages to compile
	size    int64            // of all of them
	reached int64            // size of those that compilation has reached
	current string           // the package that it has reached last
	fetched int              // modules
	module  string           // the one that was fetched last
	other   []string         // what else the go command has printed
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

// line takes a line that the go command has printed: with -v it names each package as
// it begins to compile it.
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

// text says how far the build is at a time.
func (p *progress) text(now time.Time) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	took := now.Sub(p.begun)
	done := p.all - len(p.waiting)
	switch {
	case done == 0 && p.fetched > 0:
		return fmt.Sprintf("fetching modules: %d, %s (%s)", p.fetched, p.module, status.Duration(took))
	case done == 0: // what go list calls stale, go build may find to be as it was
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

// Target is what is compiled.
type Target struct {
	Root    string   // a folder of the module
	Package string   // such as ./cmd/gokernel
	Output  string   // the file of the program
	Flags   []string // of "go build"
	Env     []string // is added to the environment
}

// Build compiles the program, and writes to w how far it is. Nothing is written when
// the program is there and up to date.
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
		fmt.Fprintf(w, "Go has to compile %d packages, which takes minutes; it keeps what it has compiled for the next time\n", p.all)
	}
	build := append([]string{"build", "-v", "-o", t.Output}, t.Flags...)
	return t.run(w, p, io.Discard, append(build, t.Package)...)
}

func fileSize(name string) int64 {
	info, err := os.Stat(name)
	if err != nil {
		return 0 // a file that cgo makes
	}
	return info.Size()
}

// run runs the go command and shows how far it is. If it fails, what it has printed
// follows.
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
