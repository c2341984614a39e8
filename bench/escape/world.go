//go:build linux && (amd64 || arm64)

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// snapshot describes the folder outside and the victim. Every later difference is an effect.
func (w *world) snapshot() map[string]string {
	all := map[string]string{}
	_ = filepath.WalkDir(w.out, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(w.out, path)
		if err != nil {
			all["file "+rel] = err.Error()
			return nil
		}
		var st unix.Stat_t
		if err := unix.Lstat(path, &st); err != nil {
			all["file "+rel] = err.Error()
			return nil
		}
		// The time of the last inode change reveals modes, owners, links and attributes that were
		// set to their old values.
		all["file "+rel] = fmt.Sprintf("mode %o, owner %d:%d, size %d, changed %d.%09d, inode %d, attributes %s, flags %#x",
			st.Mode, st.Uid, st.Gid, st.Size, st.Ctim.Sec, st.Ctim.Nsec, st.Ino, attributes(path), flags(path))
		if st.Mode&unix.S_IFMT == unix.S_IFREG && st.Size < 1<<16 {
			b, err := os.ReadFile(path)
			all["file "+rel] += fmt.Sprintf(", contents %q, %v", b, err)
		}
		return nil
	})
	if w.victim != nil {
		for k, v := range w.victim.snapshot() {
			all["process "+k] = v
		}
	}
	return all
}

func attributes(path string) string {
	b := make([]byte, 4096)
	n, err := unix.Llistxattr(path, b)
	if err != nil {
		return err.Error()
	}
	return strings.ReplaceAll(string(b[:n]), "\x00", " ")
}

func flags(path string) int {
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_NOATIME, 0)
	if err != nil {
		return 0
	}
	defer f.Close()
	n, err := unix.IoctlGetInt(int(f.Fd()), unix.FS_IOC_GETFLAGS)
	if err != nil {
		return 0
	}
	return n
}

// leaked finds files with the secret in the notebook's folder.
func (w *world) leaked() (found string) {
	_ = filepath.WalkDir(w.in, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || strings.HasPrefix(filepath.Base(path), "n.") {
			return nil
		}
		if info, err := d.Info(); err == nil && info.Size() < 1<<20 {
			if b, err := os.ReadFile(path); err == nil && strings.Contains(string(b), w.token) {
				found = "the secret is in the notebook's folder"
			}
		}
		return nil
	})
	return found
}

// victim is a process of the user that is not related to the notebook.
type victim struct {
	cmd    *exec.Cmd
	exited chan struct{}
}

// withVictim starts a process whose environment has the secret.
func withVictim(w *world) error {
	cmd := exec.Command("sleep", "1000")
	cmd.Env = []string{"CANARY=" + w.token}
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	v := &victim{cmd: cmd, exited: make(chan struct{})}
	go func() {
		_ = cmd.Wait() // the channel reports it
		close(v.exited)
	}()
	w.victim = v
	w.closers = append(w.closers, func() {
		_ = cmd.Process.Kill() // it may have ended
		<-v.exited
	})
	w.vars["PID"] = fmt.Sprint(cmd.Process.Pid)
	// The process has started when its environment can be read.
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		if b, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", cmd.Process.Pid)); err == nil && strings.Contains(string(b), w.token) {
			break
		}
		if time.Now().After(end) {
			return errors.New("the victim does not start")
		}
	}
	// The address of its environment, which a debugger could find.
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", cmd.Process.Pid))
	if err != nil {
		return err
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	const envStart = 50 - 3
	if len(fields) <= envStart {
		return fmt.Errorf("the state of process %d has %d fields", cmd.Process.Pid, len(fields))
	}
	w.vars["ENVIRON"] = fields[envStart]
	return nil
}

// changeable matches lines of a process's status that other processes can change.
var changeable = regexp.MustCompile(`(?m)^(TracerPid|Cpus_allowed|Seccomp|NSpid|Uid|NoNewPrivs):\s*(.*)$`)

func (v *victim) snapshot() map[string]string {
	all := map[string]string{}
	id := v.cmd.Process.Pid
	read := func(name string) string {
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", id, name))
		if err != nil {
			return "gone"
		}
		return string(b)
	}
	_, rest, _ := strings.Cut(read("stat"), ") ")
	fields := strings.Fields(rest)
	const nice, policy = 19 - 3, 41 - 3
	if len(fields) > policy {
		all["state"], all["nice"], all["policy"] = fields[0], fields[nice], fields[policy]
		if fields[0] == "R" || fields[0] == "D" {
			all["state"] = "S" // it may run for a moment
		}
		all["group"] = fields[2]
	} else {
		all["state"] = "gone"
	}
	if all["state"] == "Z" || all["state"] == "X" || all["state"] == "gone" {
		return map[string]string{"state": "gone"}
	}
	all["environment"] = read("environ")
	all["limits"] = read("limits")
	all["status"] = strings.Join(changeable.FindAllString(read("status"), -1), "; ")
	all["oom_score_adj"] = read("oom_score_adj")
	prio, _, _ := unix.Syscall(unix.SYS_IOPRIO_GET, 1, uintptr(id), 0)
	all["I/O priority"] = fmt.Sprint(prio)
	return all
}
