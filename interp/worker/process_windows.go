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

// pass passes r and w to the child as inherited handles, named on its command line.
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
		// The kernel handles an interrupt from the console.
		CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP,
	}
	return nil
}

// inherited opens the pipes named by pass.
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

// duplicate returns a separate handle for f, which stays open if cell code closes f, and which no
// child inherits.
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

// killGroup kills p, and with it the processes it has started: see watchSignals.
func killGroup(p *os.Process) {
	// It fails if the process has ended, which is fine.
	_ = p.Kill()
}

func endSelf() { os.Exit(0) }

// watchSignals protects the evaluator from an interrupt of the console, which the kernel handles,
// and has the system end its children with it.
func watchSignals() {
	signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	// If jobs can't be nested (before Windows 8), children keep running.
	_ = joinJob()
}

// joinJob puts this process into a job that ends all its processes when its only handle is closed,
// which happens whenever this process ends. Children belong to the job of their parent.
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
	return nil // the handle stays open until the process ends
}

func executable() (string, error) { return os.Executable() }

func describeExit(state *os.ProcessState) string {
	if state == nil {
		return "it did not end in an orderly way"
	}
	return state.String()
}
