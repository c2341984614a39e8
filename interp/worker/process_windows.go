package worker

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// pass hands r and w to the child as inherited handles, named on its command
// line.
func pass(cmd *exec.Cmd, r, w *os.File) error {
	hs := []syscall.Handle{syscall.Handle(r.Fd()), syscall.Handle(w.Fd())}
	for _, h := range hs {
		if err := syscall.SetHandleInformation(h, syscall.HANDLE_FLAG_INHERIT, syscall.HANDLE_FLAG_INHERIT); err != nil {
			return err
		}
	}
	cmd.Args = append(cmd.Args, pipesFlag, fmt.Sprintf("%d,%d", hs[0], hs[1]))
	cmd.SysProcAttr = &syscall.SysProcAttr{
		AdditionalInheritedHandles: hs,
		// An interrupt from the console is the kernel's to handle.
		CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP,
	}
	return nil
}

// inherited opens the pipes that pass named.
func inherited(names string) (r, w *os.File, err error) {
	a, b, ok := strings.Cut(names, ",")
	rd, err1 := strconv.ParseUint(a, 10, 64)
	wr, err2 := strconv.ParseUint(b, 10, 64)
	if !ok || err1 != nil || err2 != nil {
		return nil, nil, fmt.Errorf("worker: %s %q: want two handles; the kernel process starts the evaluator", pipesFlag, names)
	}
	for _, h := range []uint64{rd, wr} {
		if err := syscall.SetHandleInformation(syscall.Handle(h), syscall.HANDLE_FLAG_INHERIT, 0); err != nil {
			return nil, nil, fmt.Errorf("worker: handle %d is not open: the kernel process starts the evaluator, not a person", h)
		}
	}
	return os.NewFile(uintptr(rd), "requests"), os.NewFile(uintptr(wr), "answers"), nil
}

// duplicate returns a handle of its own for f, which stays when cell code closes
// f, and which no child inherits.
func duplicate(f *os.File) (*os.File, error) {
	self, err := syscall.GetCurrentProcess()
	if err != nil {
		return nil, err
	}
	var h syscall.Handle
	err = syscall.DuplicateHandle(self, syscall.Handle(f.Fd()), self, &h, 0, false, syscall.DUPLICATE_SAME_ACCESS)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(h), f.Name()), nil
}

// killGroup ends p, and with it what it has started: see watchSignals.
func killGroup(p *os.Process) {
	// It fails when the process is gone, which is what is wanted.
	_ = p.Kill()
}

func endSelf() { os.Exit(0) }

// watchSignals keeps an interrupt from the console, which is the kernel's to
// handle, from ending the evaluator, and has the system end its children with it.
func watchSignals() {
	signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	// Where jobs do not nest (before Windows 8), children stay behind.
	_ = joinJob()
}

// joinJob puts this process into a job that ends all processes in it when its only
// handle is closed, which happens as this one ends, however it does. Children are
// in the job of their parent.
func joinJob() error {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return err
	}
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err == nil {
		err = windows.AssignProcessToJobObject(job, windows.CurrentProcess())
	}
	if err != nil {
		return errors.Join(err, windows.CloseHandle(job))
	}
	return nil // the handle stays open as long as the process
}

func executable() (string, error) { return os.Executable() }

func describeExit(state *os.ProcessState) string {
	if state == nil {
		return "it did not end in an orderly way"
	}
	return state.String()
}
