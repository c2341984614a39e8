//go:build unix

package kernel

import (
	"os/signal"
	"syscall"
)

// livesOn reports whether the kernel keeps running after its terminal has closed, as under nohup.
func livesOn() bool { return signal.Ignored(syscall.SIGHUP) }
