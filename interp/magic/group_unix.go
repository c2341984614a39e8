//go:build unix

package magic

import (
	"os/exec"
	"syscall"
)

// ownGroup returns the command a process group, so that stopping it stops its
// children too.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
