//go:build linux && (amd64 || arm64)

package main

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// attempt is one way to escape.
type attempt struct {
	group, name string
	// code is the cell. A word that begins with $ is a value of the world, or the number of the
	// system call of that name.
	code string
	// setup creates the target of the cell, in addition to the file and the folder that every world
	// has.
	setup func(w *world) error
	// check returns the effect of the cell, or "" if there is none. Two effects are checked after
	// every cell anyway: the secret is shown, or something outside has changed.
	check func(w *world) string
	// proof produces the effect itself if the cell must not run without the sandbox.
	proof   func(w *world) error
	args    []string // further arguments of gokernel run
	boxed   []string // in the sandbox only
	stops   string   // what stops it
	known   string   // why it is not stopped
	unshown string   // why it cannot be shown to work without the sandbox
	long    bool     // takes seconds
	root    bool     // only root can do it
	kills   bool     // the effect is that gokernel run itself ends or stops
	tty     bool     // gokernel run gets a terminal
	bare    bool     // the cell is the code and nothing else
	spaces  bool     // it needs namespaces
	page    string   // an output of a page, for attempts that readers suffer from
}

// all lists the attempts in the order of the table.
func all() []*attempt {
	var list []*attempt
	for _, g := range []struct {
		name string
		list []*attempt
	}{
		{"files", files()}, {"results", results()}, {"signals", signals()}, {"IPC", ipc()}, {"memory", memory()},
		{"processes", processes()}, {"network", network()}, {"terminal", terminal()}, {"pages", pages()},
	} {
		for _, a := range g.list {
			a.group = g.name
		}
		list = append(list, g.list...)
	}
	return list
}

// world is the target of one attempt.
type world struct {
	program  string
	in       string            // the folder of the notebook
	out      string            // a folder elsewhere, of the same user
	token    string            // the secret
	vars     map[string]string // values for the cell
	closers  []func()
	victim   *victim
	listener *listener

	// After the run:
	shown  string // the outputs of the cell
	said   string // standard error of gokernel run
	status error  // how gokernel run ended
	peak   peak   // maximum resource usage of the processes
	before map[string]string
}

func newWorld(program string) (*world, error) {
	top, err := os.MkdirTemp("", "attempt-")
	if err != nil {
		return nil, err
	}
	w := &world{program: program, in: filepath.Join(top, "in"), out: filepath.Join(top, "out")}
	w.closers = append(w.closers, func() { os.RemoveAll(top) })
	raw := make([]byte, 12)
	if _, err := rand.Read(raw); err != nil {
		return nil, err
	}
	w.token = hex.EncodeToString(raw)
	for _, dir := range []string{w.in, w.out} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return nil, err
		}
	}
	secret := filepath.Join(w.out, "secret")
	w.vars = map[string]string{"SECRET": secret, "OUT": w.out, "IN": w.in, "TOP": top, "PROGRAM": program, "SELF": fmt.Sprint(os.Getpid())}
	return w, os.WriteFile(secret, []byte(w.token), 0o600)
}

func (w *world) close() {
	for _, f := range slices.Backward(w.closers) {
		f()
	}
}

// word matches a value in the code of a cell.
var word = regexp.MustCompile(`\$[A-Za-z_0-9]+`)

// cell returns the code of the cell with its values substituted.
func (w *world) cell(code string) (string, error) {
	var err error
	code = word.ReplaceAllStringFunc(code, func(name string) string {
		if v, ok := w.vars[name[1:]]; ok {
			return v
		}
		if n, ok := numbers[name[1:]]; ok {
			return fmt.Sprint(n)
		}
		err = errors.Join(err, fmt.Errorf("the cell names %s, which does not exist", name))
		return name
	})
	return code, err
}

// prelude is a cell before each attempt, with the functions that attempts call.
const prelude = `import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

var kept [][]byte

// buf returns memory that is never moved, and its address.
func buf(n int) ([]byte, uintptr) {
	b := make([]byte, n+8)
	kept = append(kept, b)
	return b[:n], uintptr(unsafe.Pointer(&b[0]))
}

func str(s string) uintptr {
	b, p := buf(len(s) + 1)
	copy(b, s)
	return p
}

// words returns the address of an array of 64 bits each.
func words(v ...uint64) uintptr {
	b, p := buf(8 * len(v))
	for i, x := range v {
		for k := range 8 {
			b[8*i+k] = byte(x >> (8 * k))
		}
	}
	return p
}

func call(n uintptr, a ...uintptr) (uintptr, syscall.Errno) {
	var x [6]uintptr
	copy(x[:], a)
	r, _, e := syscall.Syscall6(n, x[0], x[1], x[2], x[3], x[4], x[5])
	return r, e
}

// try makes a system call and prints its outcome.
func try(what string, n uintptr, a ...uintptr) uintptr {
	r, e := call(n, a...)
	if e != 0 {
		fmt.Println(what+":", e.Error())
		return ^uintptr(0)
	}
	fmt.Println(what + ": ok")
	return r
}

// note prints the outcome of a step.
func note(what string, err error) bool {
	if err != nil {
		fmt.Println(what+":", err.Error())
		return false
	}
	fmt.Println(what + ": ok")
	return true
}

// open opens a file for reading.
func open(name string) uintptr {
	f, err := os.Open(name)
	if !note("open", err) {
		return ^uintptr(0)
	}
	fd, err := syscall.Dup(int(f.Fd()))
	note("dup", err)
	return uintptr(fd)
}

const here = ^uintptr(99) // AT_FDCWD
`

// began is the first output of a cell: it shows that the attempt was made.
const began = "the attempt begins"

// write writes the notebook.
func (w *world) write(code string, bare bool) (string, error) {
	if !bare {
		code = "fmt.Println(`" + began + "`)\n" + code
	}
	code, err := w.cell(code)
	if err != nil {
		return "", err
	}
	type cell = map[string]any
	source := func(id, s string) cell {
		return cell{"cell_type": "code", "id": id, "metadata": cell{}, "execution_count": nil, "outputs": []any{}, "source": s}
	}
	b, err := json.Marshal(cell{"nbformat": 4, "nbformat_minor": 5, "metadata": cell{},
		"cells": []cell{source("prelude", prelude), source("attempt", code)}})
	if err != nil {
		return "", err
	}
	name := filepath.Join(w.in, "n.ipynb")
	return name, os.WriteFile(name, b, 0o644)
}

// outputs returns the outputs of the cells of an executed notebook.
func outputs(name string) (string, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	var nb struct {
		Cells []struct {
			Outputs []map[string]any `json:"outputs"`
		} `json:"cells"`
	}
	if err := json.Unmarshal(b, &nb); err != nil {
		return "", err
	}
	var out strings.Builder
	for _, c := range nb.Cells {
		for _, o := range c.Outputs {
			for _, k := range slices.Sorted(maps.Keys(o)) {
				fmt.Fprintln(&out, o[k])
			}
		}
	}
	return out.String(), nil
}

// attempt makes the attempt a twice, first without the sandbox and then in it.
func (o options) attempt(a *attempt) outcome {
	out := outcome{Group: a.group, Name: a.name, Stops: a.stops, Known: a.known, Unshown: a.unshown, Unproven: o.unproven}
	if a.page != "" {
		return o.onPage(a, out)
	}
	var err error
	switch {
	case a.unshown != "" || o.unproven:
	case a.proof != nil:
		if out.Proof, _, err = o.once(a, false, true); err != nil {
			out.Problem = "without the sandbox: " + err.Error()
			return out
		}
	default:
		var shown string
		if out.Proof, shown, err = o.once(a, false, false); err != nil {
			out.Problem = "without the sandbox: " + err.Error()
			return out
		}
		if out.Proof == "" {
			fmt.Fprintf(os.Stderr, "no effect without the sandbox: %s, %s\n%s\n", a.group, a.name, shown)
		}
	}
	effect, shown, err := o.once(a, true, false)
	if err != nil {
		out.Problem = err.Error()
		fmt.Fprintf(os.Stderr, "cannot be tried: %s, %s: %v\n", a.group, a.name, err)
		return out
	}
	out.Effect, out.Answer = effect, answer(shown)
	if o.verbose || out.escaped() {
		fmt.Fprintf(os.Stderr, "%s, %s: effect %q, without the sandbox %q\n%s\n", a.group, a.name, out.Effect, out.Proof, shown)
	}
	return out
}

// once tries an attempt in a fresh world and returns its effect.
func (o options) once(a *attempt, sandboxed, byItself bool) (effect, shown string, err error) {
	w, err := newWorld(o.program)
	if err != nil {
		return "", "", err
	}
	defer w.close()
	if a.setup != nil {
		if err := a.setup(w); err != nil {
			return "", "", err
		}
	}
	w.before = w.snapshot()
	if byItself {
		err = a.proof(w)
	} else {
		err = o.run(w, a, sandboxed)
	}
	if err != nil {
		return "", "", err
	}
	return w.effect(a), w.shown + w.said, nil
}

// effect returns the changes in the world, or "" if there are none.
func (w *world) effect(a *attempt) string {
	if strings.Contains(w.shown, w.token) || strings.Contains(w.said, w.token) {
		return "the secret is shown"
	}
	if b := w.leaked(); b != "" {
		return b
	}
	after := w.snapshot()
	for _, k := range slices.Sorted(maps.Keys(w.before)) {
		if after[k] != w.before[k] {
			return fmt.Sprintf("%s was %q, is %q", k, w.before[k], after[k])
		}
	}
	for _, k := range slices.Sorted(maps.Keys(after)) {
		if _, ok := w.before[k]; !ok {
			return fmt.Sprintf("%s is there, %q", k, after[k])
		}
	}
	if a.kills && w.status != nil && !strings.Contains(w.status.Error(), "exit status") {
		return "gokernel run ended: " + w.status.Error()
	}
	if a.check != nil {
		return a.check(w)
	}
	return ""
}

// said returns a check for a line that a cell prints when it has succeeded.
func said(text string) func(*world) string {
	return func(w *world) string {
		if strings.Contains(w.shown, text) {
			return "the cell has what it wants: " + text
		}
		return ""
	}
}
