//go:build unix

package worker

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
)

// pass passes r and w to the child as its descriptors 3 and 4.
func pass(cmd *exec.Cmd, r, w *os.File) error {
	cmd.ExtraFiles = []*os.File{r, w}
	cmd.Args = append(cmd.Args, pipesFlag, "3,4")
	cmd.SysProcAttr = childAttr()
	for _, f := range []*os.File{r, w, cmd.Stdin.(*os.File), cmd.Stdout.(*os.File), cmd.Stderr.(*os.File)} {
		// Programs that the evaluator starts do not expect a nonblocking standard stream.
		if err := syscall.SetNonblock(int(f.Fd()), false); err != nil {
			return err
		}
	}
	return nil
}

// inherited opens the pipes named by pass.
func inherited(names string) (r, w *os.File, err error) {
	a, b, ok := strings.Cut(names, ",")
	rd, err1 := strconv.Atoi(a)
	wr, err2 := strconv.Atoi(b)
	if !ok || err1 != nil || err2 != nil || rd < 3 || wr < 3 {
		return nil, nil, fmt.Errorf("worker: %s %q: want two descriptors, such as 3,4; the kernel process starts the evaluator", pipesFlag, names)
	}
	var files [2]*os.File
	for i, fd := range []int{rd, wr} {
		if err := syscall.SetNonblock(fd, true); err != nil {
			return nil, nil, fmt.Errorf("worker: descriptor %d is not open: the kernel process starts the evaluator, not a person", fd)
		}
		f, err := highCopy(fd, [...]string{"requests", "answers"}[i])
		if err != nil {
			return nil, nil, fmt.Errorf("worker: cannot move descriptor %d: %w", fd, err)
		}
		syscall.Close(fd)
		files[i] = f
	}
	return files[0], files[1], nil
}

// highCopy returns a copy of a descriptor that no child inherits. Its number is high because cells
// get the low ones, and close them by number.
func highCopy(fd int, name string) (*os.File, error) {
	least := 700 + rand.IntN(200)
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err == nil && uint64(limit.Cur) < 1024 {
		least = max(3, int(limit.Cur)-8)
	}
	n, _, errno := syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), syscall.F_DUPFD_CLOEXEC, uintptr(least))
	if errno != 0 {
		return nil, errno
	}
	return os.NewFile(n, name), nil
}

// duplicate returns a separate descriptor for f, which stays open if cell code closes or replaces
// f, and which no child inherits.
func duplicate(f *os.File) (*os.File, error) { return highCopy(int(f.Fd()), f.Name()) }

// killGroup kills p, which has not been waited for yet, and all processes it has started.
func killGroup(p *os.Process) {
	// It fails if all of them have ended, which is fine.
	_ = syscall.Kill(-p.Pid, syscall.SIGKILL)
}

// endSelf kills this evaluator and all processes it has started.
func endSelf() {
	endStarted(ownMark)
	if syscall.Getpgrp() == os.Getpid() {
		_ = syscall.Kill(0, syscall.SIGKILL)
	}
	os.Exit(0)
}

// watchSignals protects the evaluator from an interrupt of the terminal, which the kernel handles,
// and ends its children when it receives a signal to end.
func watchSignals() {
	// Not signal.Ignore, because children would inherit that.
	signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	term := make(chan os.Signal, 1)
	signal.Notify(term, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		<-term
		endSelf()
	}()
}

func describeExit(state *os.ProcessState) string {
	if state == nil {
		return "it did not end in an orderly way"
	}
	ws, ok := state.Sys().(syscall.WaitStatus)
	switch {
	case ok && ws.Signaled() && ws.Signal() == syscall.SIGKILL:
		return "signal: killed (by somebody, or by the system when memory ran out)"
	case state.Success():
		return "exit status 0"
	}
	return state.String()
}
