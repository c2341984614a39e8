//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// limits returns faults of the machine: no more processes, memory or disk space, or many kernels
// at once.
func limits() []*fault {
	list := []*fault{
		{name: "memory that grows to --max-memory", do: growth, alone: true, state: none, slow: true},
		{name: "a fork bomb, with 300 processes for the user", do: forkBomb, alone: true, state: none, long: true, possible: otherUser},
		{name: "a fork bomb in the sandbox", do: boxedBomb, alone: true, state: none},
		{name: "a disk that fills while cells run, then has space again: their history", do: fullHistory, alone: true, state: none, slow: true},
		{name: "a disk that fills: saved models, tables, figures and cells", do: fullFiles, alone: true, state: none, slow: true},
		{name: "a disk that fills while a notebook is overwritten", do: fullNotebook, alone: true, state: none},
		{name: "40 kernels at once", do: manyKernels, alone: true, state: none, slow: true, many: 40},
		{name: "300 restarts with one history", do: manyRestarts, alone: true, state: none, slow: true, many: 300},
	}
	for _, f := range list {
		f.group = "the machine"
	}
	return list
}

// disk is a shell command that mounts a disk of 160 kB on the folder disk. Only programs that the
// shell starts after it can see the disk.
const disk = `mkdir -p disk && mount -t tmpfs -o size=160k none disk`

// mounting returns the process attributes that are needed to mount a disk.
func mounting() syscall.SysProcAttr {
	attr := syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	if id := os.Getuid(); id != 0 {
		attr.Cloneflags |= syscall.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: id, Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	return attr
}

// mounts reports whether a process on this machine can mount a disk. In containers it often
// can't.
var mounts = sync.OnceValue(func() bool {
	dir, err := os.MkdirTemp("", "fault-")
	if err != nil {
		return false
	}
	defer os.RemoveAll(dir)
	attr := mounting()
	cmd := exec.Command("bash", "-c", disk)
	cmd.Dir, cmd.SysProcAttr = dir, &attr
	return cmd.Run() == nil
})

// growth runs a cell that slowly allocates more memory than --max-memory.
func growth(t *trial) error {
	if err := t.own("--max-memory", "200"); err != nil {
		return err
	}
	defer t.c.close()
	defer t.k.stop()
	t.c.cell("kept := 7\nvar hoard [][]byte")
	x := t.c.cell("for {\n\thoard = append(hoard, bytes.Repeat([]byte{1}, 100<<10))\n}")
	t.took = x.took
	if x.name != "out of memory" {
		return fmt.Errorf("the cell ends with %q: %s", x.name, x.value)
	}
	if x := t.c.cell("hoard = nil\nkept"); x.value != "7" {
		return fmt.Errorf("the variable is %s %q afterwards", x.status, x.value)
	}
	return nil
}

// bombs is a cell that starts a program that starts itself twice, and so on.
const bombs = "import \"os/exec\"\nexec.Command(`bash`, `-c`, `b() { b | b & }; b`).Run()"

// other is the user as which root starts a fork bomb.
const other = 54321

func asOther() *syscall.Credential { return &syscall.Credential{Uid: other, Gid: other} }

// otherUser reports whether root can become another user who can use folders that root creates.
// Some containers have only one user.
func otherUser() bool {
	if os.Getuid() != 0 {
		return true
	}
	dir, err := os.MkdirTemp("", "fault-")
	if err != nil {
		return false
	}
	defer os.RemoveAll(dir)
	if os.Chown(dir, other, other) != nil {
		return false
	}
	cmd := exec.Command("touch", filepath.Join(dir, "a"))
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: asOther()}
	return cmd.Run() == nil
}

// forkBomb starts a fork bomb in a kernel whose user can have few processes. This limit does not
// apply to root, who becomes another user.
func forkBomb(t *trial) error {
	program, attr, most := t.program, syscall.SysProcAttr{}, 300
	if os.Getuid() == 0 {
		program = filepath.Join(t.dir, "gokernel")
		if err := errors.Join(copyFile(program, t.program), os.Chown(t.dir, other, other)); err != nil {
			return err
		}
		attr.Credential = asOther()
		// The previous bomb may still be ending, and a kernel cannot start without free
		// processes.
		for end := time.Now().Add(patience); tasks(other) > 0 && time.Now().Before(end); {
			time.Sleep(10 * time.Millisecond)
		}
	} else {
		most += tasks(os.Getuid())
	}
	k, err := launchBehind(fmt.Sprintf("{ ulimit -u %d || true; }", most), attr, program, t.dir)
	if err != nil {
		return err
	}
	t.k = k
	evaluator := k.evaluator()
	defer func() { // clean up in any case
		k.stop()
		_ = syscall.Kill(-evaluator, syscall.SIGKILL)
		_ = syscall.Kill(-k.cmd.Process.Pid, syscall.SIGKILL)
	}()
	if t.c, err = dial(k.conn); err != nil {
		return err
	}
	defer t.c.close()
	time.Sleep(1200 * time.Millisecond) // by then the kernel has started and released its initial resources
	t.c.cell(bombs)
	for range 20 { // the evaluator may die, and a new one may not start
		if !k.alive() {
			break
		}
		x := t.c.cell("6 * 7")
		t.took = max(t.took, x.took)
		time.Sleep(20 * time.Millisecond)
	}
	if !k.alive() {
		return fmt.Errorf("the kernel has ended: %.300s", k.said)
	}
	if !k.stop() {
		return fmt.Errorf("the kernel does not end in order: %v %.300s", k.cmd.ProcessState, k.said)
	}
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if n := len(group(evaluator)); n == 0 {
			return nil
		} else if time.Now().After(end) {
			return fmt.Errorf("%d processes of the bomb have outlived the kernel", n)
		}
	}
}

// tasks counts the threads of a user.
func tasks(user int) (n int) {
	files, _ := filepath.Glob("/proc/[0-9]*/task/*")
	for _, f := range files {
		if info, err := os.Stat(f); err == nil && info.Sys().(*syscall.Stat_t).Uid == uint32(user) {
			n++
		}
	}
	return n
}

func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// notebookOf returns a notebook with these cells.
func notebookOf(cells ...string) []byte {
	type cell struct {
		Type    string         `json:"cell_type"`
		Count   *int           `json:"execution_count"`
		ID      string         `json:"id"`
		Meta    map[string]any `json:"metadata"`
		Outputs []any          `json:"outputs"`
		Source  string         `json:"source"`
	}
	list := []cell{}
	for i, source := range cells {
		list = append(list, cell{"code", nil, fmt.Sprint("c", i), map[string]any{}, []any{}, source})
	}
	b, err := json.Marshal(map[string]any{
		"cells": list, "nbformat": 4, "nbformat_minor": 5,
		"metadata": map[string]any{"kernelspec": map[string]string{"display_name": "Go (gokernel)", "language": "go", "name": "gokernel"}},
	})
	if err != nil {
		panic(err) // strings and numbers can be encoded
	}
	return b
}

// printed returns the output of the cells of a notebook.
func printed(file string) (string, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	var nb struct {
		Cells []struct {
			Outputs []struct {
				Text  json.RawMessage `json:"text"`
				Error string          `json:"evalue"`
			} `json:"outputs"`
		} `json:"cells"`
	}
	if err := json.Unmarshal(b, &nb); err != nil {
		return "", err
	}
	var text strings.Builder
	for _, c := range nb.Cells {
		for _, o := range c.Outputs {
			var lines []string
			if json.Unmarshal(o.Text, &lines) != nil {
				lines = []string{string(o.Text)}
			}
			text.WriteString(strings.Join(lines, "") + o.Error)
		}
	}
	return text.String(), nil
}

// runs runs a notebook with these cells and returns their output.
func (t *trial) runs(script string, attr syscall.SysProcAttr, cells []string, args ...string) (string, error) {
	if err := os.WriteFile(filepath.Join(t.dir, "a.ipynb"), notebookOf(cells...), 0o600); err != nil {
		return "", err
	}
	var said bytes.Buffer
	cmd := behind(script, t.program, append([]string{"run"}, args...)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = t.dir, &said, &said
	cmd.Env = append(os.Environ(), "HOME="+t.dir, "XDG_DATA_HOME="+t.dir)
	attr.Setpgid, attr.Pdeathsig = true, syscall.SIGKILL
	cmd.SysProcAttr = &attr
	at := time.Now()
	timer := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
	err := cmd.Run()
	timer.Stop()
	t.took = time.Since(at)
	if err != nil {
		return "", fmt.Errorf("run: %w: %.500s", err, said.String())
	}
	if left := group(cmd.Process.Pid); len(left) > 0 {
		return "", fmt.Errorf("%d processes are left", len(left))
	}
	return printed(filepath.Join(t.dir, "b.ipynb"))
}

func boxedBomb(t *trial) error {
	code := "import \"os/exec\"\nimport \"syscall\"\nstarted := 0\nfor range 100 {\n\tif exec.Command(`/bin/sh`, `-c`, `sleep 100`).Start() == nil {\n\t\tstarted++\n\t}\n" +
		"\tif id, err := syscall.ForkExec(`/bin/sh`, []string{`sh`, `-c`, `sleep 100`}, nil); err == nil && id > 0 {\n\t\tstarted++\n\t}\n}\nfmt.Println(started, `started`)"
	text, err := t.runs("", syscall.SysProcAttr{}, []string{code}, "--sandbox", "a.ipynb", "-o", "b.ipynb")
	switch {
	case err != nil && strings.Contains(err.Error(), "--sandbox doesn't work here"):
		return nil // correct on systems without a sandbox
	case err != nil:
		return err
	case !strings.Contains(text, "0 started"):
		return fmt.Errorf("the cell says %q, want that it has started nothing", text)
	}
	return nil
}

// room defines a function that fills the disk in the folder disk. It writes at most a megabyte to
// any disk.
const room = "filler := func() error {\n\tf, err := os.Create(`disk/filler`)\n\tif err != nil {\n\t\treturn err\n\t}\n\tdefer f.Close()\n\tfor n, all := 4096, 0; n > 0 && all < 1<<20; {\n\t\tif _, err := f.Write(make([]byte, n)); err != nil {\n\t\t\tn /= 2\n\t\t\tcontinue\n\t\t}\n\t\tall += n\n\t}\n\treturn nil\n}\n"

// fullHistory fills the disk of the history while cells run. All cells must be stored exactly
// once.
func fullHistory(t *trial) error {
	script, attr := disk, mounting()
	if !mounts() {
		script, attr = "mkdir -p disk", syscall.SysProcAttr{}
	}
	k, err := launchBehind(script, attr, t.program, t.dir, "--history", filepath.Join(t.dir, "disk", "history.jsonl"))
	if err != nil {
		return err
	}
	t.k = k
	defer k.stop()
	if t.c, err = dial(k.conn); err != nil {
		return err
	}
	defer t.c.close()
	cells := 0
	some := func() error {
		for range 10 {
			cells++
			if x := t.c.cell(fmt.Sprintf("_ = `mark%03d%s`", cells, strings.Repeat("x", 1000))); x.status != "ok" {
				return fmt.Errorf("%s: %s", x.name, x.value)
			}
		}
		time.Sleep(700 * time.Millisecond) // the cells are written in this time
		return nil
	}
	if err := some(); err != nil {
		return err
	}
	if mounts() {
		if x := t.c.cell(room + "filler()"); x.status != "ok" {
			return fmt.Errorf("filling the disk: %s: %s", x.name, x.value)
		}
	}
	if err := some(); err != nil {
		return err
	}
	if x := t.c.cell("os.Remove(`disk/filler`)"); mounts() && x.status != "ok" {
		return fmt.Errorf("making room: %s: %s", x.name, x.value)
	}
	if err := some(); err != nil {
		return err
	}
	x := t.c.cell("text, _ := os.ReadFile(`disk/history.jsonl`)\nfmt.Print(string(text))")
	text := x.text.String()
	for n := range cells {
		mark := fmt.Sprintf("`mark%03dx", n+1)
		if c := strings.Count(text, mark); c != 1 {
			return fmt.Errorf("cell %d of %d is %d times in the history", n+1, cells, c)
		}
	}
	for line := range strings.Lines(text) {
		if line != "\n" && !json.Valid([]byte(line)) {
			return fmt.Errorf("the history has an invalid line: %.80q", line)
		}
	}
	return nil
}

// fullFiles overwrites files on a full disk. The old files must stay.
func fullFiles(t *trial) error {
	where, script, attr := "disk", disk, mounting()
	if !mounts() {
		script, attr = "mkdir -p disk", syscall.SysProcAttr{}
	}
	write := "func write(n int) []error {\n" +
		"\tx, y := ml.UniformCube(n, 2, 1), make([]int, n)\n\tfor i := range n {\n\t\ty[i] = i % 2\n\t}\n" +
		"\tmodel := &ml.KNN{}\n\tif err := model.Fit(x, y); err != nil {\n\t\treturn []error{err}\n\t}\n" +
		"\tframe := ml.FromRows([]struct{ A int }{{n}})\n\tfor range 12 {\n\t\tif n > 1000 {\n\t\t\tframe = ml.Concat(frame, frame)\n\t\t}\n\t}\n" +
		"\treturn []error{ml.SaveFile(`disk/a.model`, model), ml.Write(`disk/a.csv`, frame)}\n}\n"
	cells := []string{
		write, room,
		"for _, err := range write(10) {\n\tfmt.Println(`first`, err)\n}\n%save disk/cells.go 1",
		"sums := func() string {\n\tall := ``\n\tfor _, name := range []string{`a.model`, `a.csv`, `cells.go`} {\n\t\tb, err := os.ReadFile(`disk/` + name)\n\t\tall += fmt.Sprintf(`%s %x %v `, name, sha256.Sum256(b), err)\n\t}\n\treturn all\n}\nbefore := sums()\nfiller()",
		"for _, err := range write(3000) {\n\tfmt.Println(`second`, err)\n}",
		"%save disk/cells.go 1-4",
		"os.Remove(`disk/filler`)\nfmt.Println(`the same:`, sums() == before)\n_, err := ml.LoadFile(`disk/a.model`)\nfmt.Println(`loads:`, err)\nleft, _ := filepath.Glob(`disk/*`)\nhidden, _ := filepath.Glob(`disk/.*`)\nfmt.Println(len(left), len(hidden), `files`)",
	}
	if !mounts() { // without a disk of its own, the files are written, and the rest is the same
		where = "folder"
	}
	text, err := t.runs(script, attr, cells, "a.ipynb", "-o", "b.ipynb", "--allow-errors")
	if err != nil {
		return err
	}
	if where == "folder" {
		return nil
	}
	for _, want := range []string{"first <nil>", "the same: true", "loads: <nil>", "3 0 files"} {
		if !strings.Contains(text, want) {
			return fmt.Errorf("the cells print %q, want %q", text, want)
		}
	}
	if strings.Contains(text, "second <nil>") {
		return fmt.Errorf("a file is written on a full disk: %q", text)
	}
	return nil
}

// fullNotebook overwrites a notebook on a disk that has no space for the result.
func fullNotebook(t *trial) error {
	if !mounts() {
		return limitedWrite(t)
	}
	attr := mounting()
	attr.Pdeathsig = syscall.SIGKILL
	var said bytes.Buffer
	if err := os.WriteFile(filepath.Join(t.dir, "a.ipynb"), []byte(small), 0o600); err != nil {
		return err
	}
	cmd := exec.Command("bash", "-c", disk+` && cp a.ipynb disk/ && cd disk || exit 90
"$0" run --inplace a.ipynb && exit 91
cmp a.ipynb ../a.ipynb || exit 92
[ "$(ls -A)" = a.ipynb ] || exit 93`, t.program)
	cmd.Dir, cmd.SysProcAttr, cmd.Stdout, cmd.Stderr = t.dir, &attr, &said, &said
	cmd.Env = append(os.Environ(), "HOME="+t.dir, "XDG_DATA_HOME="+t.dir)
	err := cmd.Run()
	switch cmd.ProcessState.ExitCode() {
	case 91:
		return errors.New("it reports success")
	case 92:
		return errors.New("the notebook has changed")
	case 93:
		return errors.New("a file remains next to the notebook")
	}
	if err != nil {
		return fmt.Errorf("%w: %.300s", err, said.String())
	}
	if !strings.Contains(said.String(), "no space left") {
		return fmt.Errorf("it does not say that there is no space: %.300s", said.String())
	}
	return nil
}

// manyKernels runs 40 kernels at the same time.
func manyKernels(t *trial) error {
	var (
		wg     sync.WaitGroup
		mu     sync.Mutex
		failed error
	)
	for i := range max(4, t.count(40)/5*5) {
		wg.Go(func() {
			err := t.oneOfMany(i)
			mu.Lock()
			defer mu.Unlock()
			failed = errors.Join(failed, err)
		})
	}
	at := time.Now()
	wg.Wait()
	t.took = time.Since(at)
	return failed
}

func (t *trial) oneOfMany(i int) error {
	dir := filepath.Join(t.dir, strconv.Itoa(i))
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	k, err := launch(t.program, dir)
	if err != nil {
		return err
	}
	c, err := dial(k.conn)
	if err != nil {
		k.stop()
		return err
	}
	defer c.close()
	x := c.cell(fmt.Sprintf("n := %d\nn * n", i))
	evaluator := k.evaluator()
	a := c.closeAll(false)
	switch {
	case !k.stop():
		return fmt.Errorf("kernel %d does not end in order: %v %.300s", i, k.cmd.ProcessState, k.said)
	case x.value != strconv.Itoa(i*i):
		return fmt.Errorf("kernel %d says %s %q", i, x.status, x.value)
	case !a.clean():
		return fmt.Errorf("kernel %d: %d lost, %d doubled replies, %d idle missing, %d not last", i, a.lost, a.doubled, a.noIdle, a.notLast)
	case !gone(evaluator):
		return fmt.Errorf("the evaluator of kernel %d is left", i)
	}
	return nil
}

// manyRestarts restarts a kernel as Jupyter does, and checks that the history has the cells of
// all its runs.
func manyRestarts(t *trial) error {
	n := t.count(300)
	for i := range n {
		at := time.Now()
		if err := t.own(); err != nil {
			return err
		}
		x := t.c.cell(fmt.Sprintf("%d + 0", i))
		t.took = time.Since(at)
		down := t.c.send("control", "shutdown_request", map[string]any{"restart": true})
		down.wait()
		err := t.ended("a restart")
		t.c.close()
		if err != nil || x.value != strconv.Itoa(i) || down.status != "ok" {
			return fmt.Errorf("life %d: %s %q, shutdown %s, %v", i+1, x.status, x.value, down.status, err)
		}
	}
	b, err := os.ReadFile(filepath.Join(t.dir, "history.jsonl"))
	if err != nil {
		return err
	}
	for i := range n {
		if c := bytes.Count(b, fmt.Appendf(nil, `"input":"%d + 0"`, i)); c != 1 {
			return fmt.Errorf("the cell of run %d is %d times in the history", i+1, c)
		}
	}
	if list, err := os.ReadDir(t.dir); err != nil || len(list) > 3 {
		return fmt.Errorf("%d files are left, %v", len(list), err) // the connection, the history, its lock
	}
	return nil
}
