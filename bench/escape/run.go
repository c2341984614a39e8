//go:build linux && (amd64 || arm64)

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// The limits for the attempts.
const (
	maxMemory = 256 // MiB
	// allMemory is the total memory that a session may use then, in MiB: twice the heap, plus the
	// overhead of a process (cmd/gokernel/rules.go).
	allMemory = 2*maxMemory + 1024
)

// run runs the cell of an attempt.
func (o options) run(w *world, a *attempt, sandboxed bool) error {
	nb, err := w.write(a.code, a.bare)
	if err != nil {
		return err
	}
	done := filepath.Join(w.in, "n.executed.ipynb")
	args := []string{"run", nb, "--allow-errors", "--timeout", "60s", "--max-memory", strconv.Itoa(maxMemory), "--offline"}
	if sandboxed && o.wrapper == "" {
		args = append(args, "--sandbox", "--max-cpu", "60s")
	}
	own := a.args
	if sandboxed && o.wrapper == "" {
		own = append(slices.Clone(own), a.boxed...)
	}
	for _, s := range own {
		s, err := w.cell(s)
		if err != nil {
			return err
		}
		args = append(args, s)
	}
	argv := append([]string{w.program}, args...)
	if sandboxed && o.wrapper != "" {
		text, err := w.cell(o.wrapper)
		if err != nil {
			return err
		}
		argv = append(strings.Fields(text), argv...)
	}
	if !o.mode.Namespaces {
		self, err := os.Executable()
		if err != nil {
			return err
		}
		argv = append([]string{self, "-without-namespaces"}, argv...)
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = w.in
	cmd.Env = append(os.Environ(), "CANARY="+w.token)
	if o.mode.JIT {
		cmd.Env = append(cmd.Env, "GOKERNEL_JIT=force")
	}
	var said bytes.Buffer
	cmd.Stderr = &said
	cmd.WaitDelay = 5 * time.Second // a program that a cell has started holds standard error
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	var terminal *pty
	if a.tty {
		if terminal, err = openPTY(); err != nil {
			return err
		}
		defer terminal.close()
		cmd.Stdin, cmd.Stdout, cmd.Stderr = terminal.slave, terminal.slave, terminal.slave
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Pdeathsig: syscall.SIGKILL}
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	watched := make(chan struct{})
	ended := make(chan struct{})
	go func() { w.peak.watch(cmd.Process.Pid, ended); close(watched) }()
	hung := time.AfterFunc(2*time.Minute, func() { _ = unix.Kill(-cmd.Process.Pid, unix.SIGKILL) })
	w.status = cmd.Wait()
	hung.Stop()
	if errors.Is(w.status, exec.ErrWaitDelay) {
		w.status = nil
	}
	close(ended)
	<-watched
	_ = unix.Kill(-cmd.Process.Pid, unix.SIGKILL) // remaining processes of the group
	w.said = said.String()
	if !sandboxed {
		w.peak.counted = w.peak.written // what a watch on system calls would count
	}
	if terminal != nil {
		w.said = terminal.text()
	}
	if a.kills && w.status != nil && !strings.Contains(w.status.Error(), "exit status") {
		return nil // nothing can be read then
	}
	for _, name := range []string{done, filepath.Join(w.in, "r.ipynb"), nb} {
		if w.shown, err = outputs(name); err == nil && (a.bare || strings.Contains(w.shown, began)) {
			return nil
		}
	}
	if w.shown, err = outputs(filepath.Join(w.vars["TOP"], "moved", "n.executed.ipynb")); err == nil {
		return nil
	}
	if a.group == "results" {
		return nil // the cell has removed the notebook with its outputs
	}
	return fmt.Errorf("the cell was not run: %w\n%s\n%s", w.status, w.said, w.shown)
}

// peak is the maximum resource usage of a process and its descendants.
type peak struct {
	processes, threads, files int
	memory, tables            int // MiB: proportional set size, page tables
	written                   int // MiB, by system calls that write
	counted                   int // MiB, of those and of pages that were changed
	processor                 int // hundredths of a second
}

// watch samples the processes until end is closed.
func (p *peak) watch(root int, end chan struct{}) {
	for {
		select {
		case <-end:
			return
		case <-time.After(20 * time.Millisecond):
		}
		ids := below(root)
		p.processes = max(p.processes, len(ids))
		for _, id := range ids {
			list, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", id))
			p.files = max(p.files, len(list))
			p.threads = max(p.threads, field(id, "status", "Threads:"))
			p.memory = max(p.memory, field(id, "smaps_rollup", "Pss:")>>10)
			p.tables = max(p.tables, field(id, "status", "VmPTE:")>>10)
			p.written = max(p.written, field(id, "io", "wchar:")>>20)
			p.counted = max(p.counted, p.written, field(id, "io", "write_bytes:")>>20)
			p.processor = max(p.processor, processor(id))
		}
	}
}

// below lists the descendants of a process, and the process itself.
func below(root int) []int {
	parents := map[int]int{}
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			continue // it has ended
		}
		_, rest, _ := strings.Cut(string(b), ") ")
		if fields := strings.Fields(rest); len(fields) > 1 && fields[0] != "Z" {
			id, _ := strconv.Atoi(filepath.Base(filepath.Dir(f)))
			parents[id], _ = strconv.Atoi(fields[1])
		}
	}
	var list []int
	for id := range parents {
		for at := id; at > 1; at = parents[at] {
			if at == root {
				list = append(list, id)
				break
			}
		}
	}
	return list
}

// processor returns the CPU time of a process, in hundredths of a second.
func processor(id int) int {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", id))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(b), ") ")
	const user, system = 14 - 3, 15 - 3
	fields := strings.Fields(rest)
	if len(fields) <= system {
		return 0
	}
	u, _ := strconv.Atoi(fields[user])
	s, _ := strconv.Atoi(fields[system])
	return u + s
}

// field returns a number from a file of /proc, or 0 if there is none.
func field(id int, file, key string) int {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", id, file))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(b)) {
		if rest, ok := strings.CutPrefix(line, key); ok {
			n, _ := strconv.Atoi(strings.Fields(rest)[0])
			return n
		}
	}
	return 0
}

// pty is a terminal.
type pty struct {
	master, slave *os.File
	read          bytes.Buffer
	done          chan struct{}
}

func openPTY() (*pty, error) {
	m, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, err
	}
	if err := unix.IoctlSetPointerInt(int(m.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		return nil, err
	}
	n, err := unix.IoctlGetInt(int(m.Fd()), unix.TIOCGPTN)
	if err != nil {
		return nil, err
	}
	s, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, err
	}
	p := &pty{master: m, slave: s, done: make(chan struct{})}
	go func() {
		defer close(p.done)
		b := make([]byte, 4096)
		for {
			n, err := m.Read(b)
			p.read.Write(b[:n])
			if err != nil {
				return
			}
		}
	}()
	return p, nil
}

// text closes the terminal and returns everything that was written to it.
func (p *pty) text() string {
	p.slave.Close()
	<-p.done // when no process has it open, reading fails
	return p.read.String()
}

func (p *pty) close() {
	p.slave.Close()
	p.master.Close()
}
