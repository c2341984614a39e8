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

// start starts the command in its own namespaces, if the system allows it, and watches its resource
// usage.
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
		_ = cmd.Process.Kill() // the process has not begun to work
		return fmt.Errorf("sandbox: cannot watch the process: %w", err)
	}
	go watch(cmd.Process.Pid, pidfd, l, stderr)
	return nil
}

// isolated starts the command in namespaces: its System V objects, its network and its host name
// are separate from those of the system. It has no namespace for processes, because no allowed call
// takes the ID of another process. If users are not allowed to create namespaces, or only with a
// user namespace, isolated tries the next best option.
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

// This process enforces these limits, in addition to the limits of the system. The system does not
// attribute shared memory, such as pages of files, to any process, and counts threads for all
// processes of a user together.
const (
	maxThreads = 512
	maxWritten = 4 << 30 // bytes, to files and pipes
	lookEvery  = 25 * time.Millisecond
	// The proportional set size is computed at every lookWhole-th check, because this takes longer
	// than the rest of a check: a millisecond or more, and seconds if there are many page tables.
	// Other checks do not wait for the result.
	lookWhole = 4
)

// watch kills the process if it uses too much, with a line on stderr that says why.
func watch(pid, pidfd int, l Limits, stderr *os.File) {
	defer unix.Close(pidfd)
	defer stderr.Close()
	end := make(chan struct{})
	defer close(end)
	due, whole := make(chan struct{}, 1), make(chan string, 1)
	go func() {
		for {
			select {
			case <-end:
				return
			case <-due:
				if why := exceeded(pid, l, true); why != "" {
					whole <- why
					return
				}
			}
		}
	}()
	for n := 1; ; n++ {
		fds := []unix.PollFd{{Fd: int32(pidfd), Events: unix.POLLIN}}
		ready, err := unix.Poll(fds, int(lookEvery/time.Millisecond))
		if ready > 0 {
			return // the process has ended
		}
		if err != nil && err != unix.EINTR {
			return
		}
		why := ""
		select {
		case why = <-whole:
		default:
			why = exceeded(pid, l, false)
		}
		if n%lookWhole == 0 {
			select {
			case due <- struct{}{}:
			default: // the previous computation is not done
			}
		}
		if why != "" {
			fmt.Fprintf(stderr, "fatal error: %s\n", why)
			_ = unix.PidfdSendSignal(pidfd, unix.SIGKILL, nil, 0) // the process may have ended by now
			return
		}
	}
}

// exceeded returns the limit that the process exceeds, or "" if there is none. Unless whole is set,
// it only counts the memory that is quick to read.
func exceeded(pid int, l Limits, whole bool) string {
	status := numbers(pid, "status", "Threads:", "VmPTE:", "RssAnon:", "RssShmem:")
	memory := status[1] + status[2] + status[3]
	if whole && l.Memory > 0 {
		// This is the proportional set size, including pages that are swapped out.
		pages := numbers(pid, "smaps_rollup", "Pss:", "SwapPss:")
		memory = status[1] + pages[0] + pages[1]
	}
	written := numbers(pid, "io", "wchar:", "write_bytes:")
	switch {
	case status[0] > maxThreads:
		return fmt.Sprintf("the session has more than %d threads, which the sandbox does not allow", maxThreads)
	// The first number counts system calls, which may also write to devices and pipes. The second
	// number counts pages of files, which splice and mapped memory also change.
	case max(written[0], written[1]) > maxWritten:
		return fmt.Sprintf("the session has written more than %d MiB, which the sandbox does not allow", maxWritten>>20)
	case l.Memory > 0 && memory<<10 > l.Memory:
		return fmt.Sprintf("out of memory: the session takes more than %d MiB, shared memory included", l.Memory>>20)
	}
	return ""
}

// numbers reads numbers from a file of /proc about the process. A missing number is 0.
func numbers(pid int, file string, keys ...string) []uint64 {
	found := make([]uint64, len(keys))
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, file))
	if err != nil {
		return found
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		for i, key := range keys {
			if rest, ok := strings.CutPrefix(lines.Text(), key); ok {
				n, err := strconv.ParseUint(strings.Fields(rest)[0], 10, 64)
				if err == nil {
					found[i] = n
				}
			}
		}
	}
	return found
}
