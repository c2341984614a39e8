package worker

import (
	"os"
	"syscall"
)

// childAttr puts the evaluator into a separate process group, and has the system signal it when the
// kernel process dies. The evaluator also sees the pipe end, but the signal reaches it even if its
// request reader is blocked.
func childAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}

// executable returns the running program, even if the file has since been replaced by a newer one.
func executable() (string, error) {
	const self = "/proc/self/exe"
	if _, err := os.Stat(self); err == nil {
		return self, nil
	}
	return os.Executable()
}
