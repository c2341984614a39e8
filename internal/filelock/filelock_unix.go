//go:build unix

// Package filelock locks files against other processes.
package filelock

import (
	"os"
	"syscall"
)

// Try takes the lock of the file, which ends with the process, unless another
// process has it. Where files cannot be locked, nobody ever has it.
func Try(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != syscall.EWOULDBLOCK
}
