package standin

import (
	"os"
	command "os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// The lines of the standard library in stacks of cells have the expected code in the source of the
// Go version that builds the test.
func TestPlaces(t *testing.T) {
	root, err := command.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	p := library()
	for _, want := range []struct {
		at   site
		name string // of the function
		file string
		text string // of the line
	}{
		{p.callers, "runtime.Callers", "runtime/extern.go", "return callers("},
		{p.gopanic, "runtime.gopanic", "runtime/panic.go", "fn()"},
		{p.output, "log.(*Logger).output", "log/log.go", ".Write("},
		{p.print, "log.(*Logger).Print", "log/log.go", "l.output("},
		{p.stack, "runtime/debug.Stack", "runtime/debug/stack.go", "runtime.Stack("},
	} {
		if want.at.function != want.name || !strings.HasSuffix(filepath.ToSlash(want.at.file), want.file) {
			t.Errorf("got %+v, want %s in %s", want.at, want.name, want.file)
			continue
		}
		text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "src", want.file))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(text), "\n")
		if n := want.at.line; n < 1 || n > len(lines) || !strings.Contains(lines[n-1], want.text) {
			t.Errorf("%s: line %d has no %q", want.file, n, want.text)
		}
	}
}

// Frames that are not read to their end are not retained.
func TestFramesAreForgotten(t *testing.T) {
	c := newCallers(nil)
	pcs := []uintptr{c.pc(site{function: "main.f"}) + siteAt, c.pc(site{function: "main.g"}) + siteAt}
	const n = 1000
	for range n {
		if f, more := c.next(c.callersFrames(pcs)); f.Function != "main.f" || !more {
			t.Fatalf("got %+v", f)
		}
	}
	kept := func() int {
		c.mu.Lock()
		defer c.mu.Unlock()
		return len(c.frames)
	}
	if kept() == 0 {
		t.Error("nothing is kept before a collection: the test does not see what is")
	}
	for range 1000 {
		if runtime.GC(); kept() <= 1 {
			return
		}
	}
	t.Errorf("%d of %d are kept", kept(), n)
}
