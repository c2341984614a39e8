//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/gokernel/gokernel/kernel"
)

// process is a running kernel.
type process struct {
	cmd    *exec.Cmd
	dir    string
	conn   kernel.Connection
	said   *bytes.Buffer
	exited chan struct{} // closed when it has ended
}

// launch starts a kernel of the program. Its history is a file in dir.
func launch(program, dir string, args ...string) (*process, error) {
	return launchBehind("", syscall.SysProcAttr{}, program, dir, args...)
}

// launchBehind is like launch, but first runs shell commands, in a process with the given
// attributes.
func launchBehind(script string, attr syscall.SysProcAttr, program, dir string, args ...string) (*process, error) {
	file := filepath.Join(dir, "connection.json")
	b, err := json.Marshal(kernel.Connection{Transport: "tcp", IP: "127.0.0.1", Key: "a key that nobody else has", SignatureScheme: "hmac-sha256"})
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(file, b, 0o600); err != nil {
		return nil, err
	}
	if c := attr.Credential; c != nil {
		if err := os.Chown(file, int(c.Uid), int(c.Gid)); err != nil {
			return nil, err
		}
	}
	p := &process{dir: dir, said: &bytes.Buffer{}, exited: make(chan struct{})}
	if len(args) == 0 {
		args = []string{"--history", filepath.Join(dir, "history.jsonl")}
	}
	p.cmd = behind(script, program, append([]string{"kernel", "--connection-file", file}, args...)...)
	p.cmd.Dir, p.cmd.Stderr = dir, p.said
	p.cmd.Env = append(os.Environ(), "XDG_DATA_HOME="+dir, "HOME="+dir)
	attr.Setpgid, attr.Pdeathsig = true, syscall.SIGKILL
	p.cmd.SysProcAttr = &attr
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = p.cmd.Wait() // the state records how it ended
		close(p.exited)
	}()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if p.conn, err = kernel.ReadConnection(file); err == nil && p.conn.ShellPort != 0 {
			return p, nil
		}
		if !p.alive() {
			return nil, fmt.Errorf("the kernel has ended: %s", p.said)
		}
	}
	p.stop()
	return nil, fmt.Errorf("the kernel has opened no sockets within %v", patience)
}

// behind returns the command for a program, which runs after the shell commands in script, if
// any.
func behind(script, program string, args ...string) *exec.Cmd {
	if script == "" {
		return exec.Command(program, args...)
	}
	return exec.Command("bash", append([]string{"-c", script + ` && exec "$0" "$@"`, program}, args...)...)
}

func (p *process) alive() bool {
	select {
	case <-p.exited:
		return false
	default:
		return true
	}
}

// stop ends the kernel and reports whether it ended by itself after SIGTERM.
func (p *process) stop() bool {
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // it may have ended
	select {
	case <-p.exited:
		return p.cmd.ProcessState.Success()
	case <-time.After(20 * time.Second):
		_ = p.cmd.Process.Kill()
		<-p.exited
		return false
	}
}

// evaluator returns the process that runs the cells, or 0 if there is none.
func (p *process) evaluator() int {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if ids := children(p.cmd.Process.Pid); len(ids) > 0 {
			return ids[0]
		}
	}
	return 0
}

// children lists the running child processes of a process.
func children(pid int) []int { return processes(1, pid) }

// group lists the running processes of a process group.
func group(id int) []int { return processes(2, id) }

// processes lists the running processes that have the id in the given field of their stat,
// counted from the state.
func processes(field, id int) (ids []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			continue // it has ended
		}
		_, rest, _ := strings.Cut(string(b), ") ")
		fields := strings.Fields(rest)
		if len(fields) <= field || fields[0] == "Z" || fields[field] != strconv.Itoa(id) {
			continue
		}
		if n, err := strconv.Atoi(filepath.Base(filepath.Dir(f))); err == nil {
			ids = append(ids, n)
		}
	}
	return ids
}

// hold suspends a process and waits until all its threads have stopped. On a busy machine the
// signal takes time, and other threads continue until then.
func hold(id int) error {
	if err := syscall.Kill(id, syscall.SIGSTOP); err != nil {
		return err
	}
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if still(id) {
			return nil
		}
	}
	return fmt.Errorf("process %d still runs %v after it was suspended", id, patience)
}

// still reports whether no thread of a process runs.
func still(id int) bool {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", id))
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			continue // it has ended
		}
		if _, rest, _ := strings.Cut(string(b), ") "); !strings.HasPrefix(rest, "T") {
			return false
		}
	}
	return len(files) > 0
}

// gone waits a while for a process to end, and reports whether it has ended.
func gone(pid int) bool {
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil || strings.Contains(string(b), ") Z ") {
			return true
		}
	}
	return false
}

// resident returns the resident memory of a process in MiB.
func resident(pid int) float64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(b)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kib, _ := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 64)
			return kib / 1024
		}
	}
	return 0
}
