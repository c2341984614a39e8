//go:build unix && !linux

package worker

import (
	"os"
	"syscall"
)

// childAttr puts the evaluator into a separate process group. The end of the request pipe shows the
// evaluator that the kernel process has died.
func childAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}

func executable() (string, error) { return os.Executable() }
