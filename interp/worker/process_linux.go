package worker

import (
	"os"
	"syscall"
)

// childAttr puts the evaluator into a process group of its own, and has the
// system tell it when the kernel process dies. It also sees the pipe end then;
// the signal reaches it when its request reader is held up.
func childAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}

// executable is this very program, also when the file has been replaced by a
// newer one since it was started.
func executable() (string, error) {
	const self = "/proc/self/exe"
	if _, err := os.Stat(self); err == nil {
		return self, nil
	}
	return os.Executable()
}
