package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/enginetest/progen"
	"github.com/gokernel/gokernel/interp/engine/enginetest/shapes"
)

// generator makes the text of a program for some seeds.
type generator struct {
	name string
	file func(seeds []uint64) string
	each int // seeds for each file
}

// single returns the file function of a generator with one program for each file.
func single(program func(seed uint64) []byte) func(seeds []uint64) string {
	return func(seeds []uint64) string { return string(program(seeds[0])) }
}

var generators = []generator{
	{"shapes", shapes.File, 40},
	{"progen", progen.File, 40},
	{"loops", single(progen.Loops), 1},
	{"hot", single(progen.Hot), 1},
	{"orders", single(progen.Orders), 1},
}

func generatedKinds() (names []string) {
	for _, g := range generators {
		names = append(names, g.name)
	}
	return names
}

// compareGenerated runs the programs of a generator.
func compareGenerated(kind string, o options) (t tally, err error) {
	for _, g := range generators {
		if g.name != kind {
			continue
		}
		for from := 0; from < o.n; from += g.each {
			var seeds []uint64
			for i := from; i < min(from+g.each, o.n); i++ {
				seeds = append(seeds, o.seed+uint64(i))
			}
			if err := g.compare(seeds, o, &t); err != nil {
				return t, err
			}
		}
	}
	return t, nil
}

// compare runs the programs of some seeds compiled and as cells.
func (g generator) compare(seeds []uint64, o options, t *tally) error {
	dir, err := os.MkdirTemp("", "evidence")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "main.go")
	text := g.file(seeds)
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		return err
	}
	build := exec.Command("go", "build", "-o", "program", "main.go")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("seeds %d to %d are not valid: %w: %s", seeds[0], seeds[len(seeds)-1], err, out)
	}
	want, err := output(nil, filepath.Join(dir, "program"))
	if err != nil {
		return fmt.Errorf("seeds %d to %d, compiled: %w", seeds[0], seeds[len(seeds)-1], err)
	}
	t.programs += len(seeds)
	self, err := os.Executable()
	if err != nil {
		return err
	}
	environments := [][]string{nil}
	if o.hostile {
		environments = hostileSettings
	}
	for _, mode := range jitModes {
		for _, env := range environments {
			env = append(env[:len(env):len(env)], engine.JITVariable+"="+mode.String())
			got, err := output(env, self, "-cell", file)
			t.runs += len(seeds)
			if err == nil && got == want {
				continue
			}
			if len(seeds) > 1 {
				var found []string
				for _, seed := range seeds { // which ones
					one := tally{}
					if err := g.compare([]uint64{seed}, o, &one); err != nil {
						return err
					}
					found = append(found, one.differences...)
				}
				if len(found) == 0 { // it happens only now and then, or together with others
					kept, err2 := o.keepFile(fmt.Sprintf("%s%d-to-%d.go", g.name, seeds[0], seeds[len(seeds)-1]), text)
					if err2 != nil {
						return err2
					}
					found = append(found, fmt.Sprintf("%s, but no program by itself: %s: %s", kept, strings.Join(env, " "), difference(got, want, err)))
				}
				t.differences = append(t.differences, found...)
				return nil
			}
			kept, err2 := o.keepFile(fmt.Sprintf("%s%d.go", g.name, seeds[0]), text)
			if err2 != nil {
				return err2
			}
			t.differences = append(t.differences, fmt.Sprintf("%s: %s: %s", kept, strings.Join(env, " "), difference(got, want, err)))
		}
	}
	return nil
}

// keepFile writes a program that differs, and returns its path.
func (o options) keepFile(name, text string) (string, error) {
	path := filepath.Join(o.keep, name)
	return path, os.WriteFile(path, []byte(text), 0o666)
}

// hostileSettings are settings of the runtime that change when it collects, preempts and moves
// stacks. sbrk=1 is not among them: with it, the runtime itself sometimes fails at its start.
var hostileSettings = [][]string{
	{"GOGC=1"},
	{"GOGC=3", "GODEBUG=clobberfree=1"},
	{"GOGC=5", "GODEBUG=gccheckmark=1"},
	{"GOGC=off", "GOMEMLIMIT=64MiB"},
	{"GODEBUG=gcstoptheworld=2"},
	{"GOGC=10", "GODEBUG=gcstoptheworld=1,gcshrinkstackoff=1"},
	{"GODEBUG=asyncpreemptoff=1"},
	{"GODEBUG=adaptivestackstart=1"},
	{"GODEBUG=dontfreezetheworld=1,tracefpunwindoff=1"},
	{"GODEBUG=madvdontneed=0,decoratemappings=0"},
	{"GOGC=20", "GOMAXPROCS=1"},
	{"GOGC=20", "GOMAXPROCS=16"},
}

// limit is the time that a file of programs may take.
const limit = 4 * time.Minute

// output runs a command and returns what it writes to both streams. A status of 2, that of a panic,
// is not an error: the message is a part of the output.
func output(env []string, command string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, command, args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.WaitDelay = time.Second
	var b bytes.Buffer
	cmd.Stdout, cmd.Stderr = &b, &b
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 2 && !strings.Contains(b.String(), "fatal error: ") && !strings.Contains(b.String(), "[signal SIG") {
		text, _, _ := strings.Cut(b.String(), "\n\ngoroutine ") // the stack differs
		return strings.TrimSuffix(text, "\n"), nil
	}
	return strings.TrimSuffix(b.String(), "\n"), err
}

// difference describes where got begins to differ from want.
func difference(got, want string, err error) string {
	name := ""
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		gl, wl := "(nothing)", "(nothing)"
		if i < len(g) {
			gl = g[i]
		}
		if i < len(w) {
			wl = w[i]
		}
		if strings.HasPrefix(wl, "== ") {
			name = wl[3:]
		}
		if gl != wl {
			text := fmt.Sprintf("%s line %d: got %q, want %q", name, i+1, short(gl), short(wl))
			if err != nil {
				text += fmt.Sprintf(" (%v)", err)
			}
			return text
		}
	}
	return fmt.Sprint(err)
}

func short(s string) string {
	if len(s) > 300 {
		return s[:300] + "..."
	}
	return s
}
