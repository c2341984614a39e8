//go:build amd64 || arm64

package sandbox

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// start starts the command in namespaces of its own, where the system allows it, and
// watches what it takes.
func start(cmd *exec.Cmd, l Limits) error {
	stderr, err := lastWordsTo(cmd)
	if err != nil {
		return err
	}
	if err := isolated(cmd); err != nil {
		stderr.Close()
		return err
	}
	pidfd, err := unix.PidfdOpen(cmd.Process.Pid, 0)
	if err != nil {
		stderr.Close()
		_ = cmd.Process.Kill() // it has not begun to work
		return fmt.Errorf("sandbox: cannot watch the process: %w", err)
	}
	go watch(cmd.Process.Pid, pidfd, l, stderr)
	return nil
}

// isolated starts the command in namespaces: System V objects, the network and the
// name of the host are not those outside. Processes are, since no allowed call takes
// the number of another one. Where users may not make namespaces, or not without one of
// users, it tries the next best.
func isolated(cmd *exec.Cmd) error {
	const own = unix.CLONE_NEWIPC | unix.CLONE_NEWNET | unix.CLONE_NEWUTS
	tries := []uintptr{own, own | unix.CLONE_NEWUSER, 0}
	if os.Geteuid() != 0 {
		tries = tries[1:]
	}
	before := *cmd
	for i, flags := range tries {
		c := before
		attr := *before.SysProcAttr
		attr.Cloneflags |= flags
		if flags&unix.CLONE_NEWUSER != 0 {
			attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}}
			attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}}
		}
		c.SysProcAttr = &attr
		err := c.Start()
		if err == nil || i == len(tries)-1 || errors.Is(err, unix.ENOENT) {
			*cmd = c
			return err
		}
	}
	return nil
}

// lastWordsTo returns a descriptor of the file that the command's standard error goes to.
func lastWordsTo(cmd *exec.Cmd) (*os.File, error) {
	f, ok := cmd.Stderr.(*os.File)
	if !ok {
		return os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	}
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, fmt.Errorf("sandbox: %w", err)
	}
	return os.NewFile(uintptr(fd), f.Name()), nil
}

// Bounds that this process watches, beside the limits that the system keeps. Those count
// memory that is shared with others, such as pages of files, for nobody, and threads
// for all processes of a user together.
const (
	maxThreads = 512
	maxWritten = 4 << 30 // bytes, to files and pipes
	lookEvery  = 100 * time.Millisecond
)

// watch ends the process when it takes too much, with a line on stderr that says why.
func watch(pid, pidfd int, l Limits, stderr *os.File) {
	defer unix.Close(pidfd)
	defer stderr.Close()
	for {
		fds := []unix.PollFd{{Fd: int32(pidfd), Events: unix.POLLIN}}
		n, err := unix.Poll(fds, int(lookEvery/time.Millisecond))
		if n > 0 {
			return // it has ended
		}
		if err != nil && err != unix.EINTR {
			return
		}
		if why := exceeded(pid, l); why != "" {
			fmt.Fprintf(stderr, "fatal error: %s\n", why)
			_ = unix.PidfdSendSignal(pidfd, unix.SIGKILL, nil, 0) // it may have ended meanwhile
			return
		}
	}
}

// exceeded says which limit the process is beyond, "" for none.
func exceeded(pid int, l Limits) string {
	switch {
	case number(pid, "status", "Threads:") > maxThreads:
		return fmt.Sprintf("the session has more than %d threads, which the sandbox does not allow", maxThreads)
	case written(pid) > maxWritten:
		return fmt.Sprintf("the session has written more than %d MiB, which the sandbox does not allow", maxWritten>>20)
	case l.Memory > 0 && memory(pid) > l.Memory:
		return fmt.Sprintf("out of memory: the session takes more than %d MiB, shared memory included", l.Memory>>20)
	}
	return ""
}

// written returns how many bytes the process has written: by system calls, which count
// devices and pipes too, or by changing pages of files, as splice and mapped memory do.
func written(pid int) uint64 {
	return max(number(pid, "io", "wchar:"), number(pid, "io", "write_bytes:"))
}

// memory returns how many bytes the process takes: its share of all pages, also of those
// that are swapped out, and its page tables, which can be large where hardly any page is.
func memory(pid int) uint64 {
	return (number(pid, "smaps_rollup", "Pss:") + number(pid, "smaps_rollup", "SwapPss:") + number(pid, "status", "VmPTE:")) << 10
}

// number reads a number of a file of /proc about the process, 0 where it is not there.
func number(pid int, file, key string) uint64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, file))
	if err != nil {
		return 0
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		if rest, ok := strings.CutPrefix(lines.Text(), key); ok {
			n, err := strconv.ParseUint(strings.Fields(rest)[0], 10, 64)
			if err != nil {
				return 0
			}
			return n
		}
	}
	return 0
}
