//go:build unix

package magic

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the command in a new process group, so that stopping it also stops its children.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
