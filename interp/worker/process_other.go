//go:build unix && !linux

package worker

import (
	"os"
	"syscall"
)

// childAttr puts the evaluator into a process group of its own. It learns that
// the kernel process has died from the end of the request pipe.
func childAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}

func executable() (string, error) { return os.Executable() }
