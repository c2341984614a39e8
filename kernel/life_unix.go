//go:build unix

package kernel

import (
	"os/signal"
	"syscall"
)

// livesOn reports whether the kernel is to live on when its terminal has gone, as nohup
// arranges it.
func livesOn() bool { return signal.Ignored(syscall.SIGHUP) }
