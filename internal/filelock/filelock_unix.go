//go:build unix

// Package filelock locks files against other processes.
package filelock

import (
	"os"
	"syscall"
)

// Try locks the file and reports whether it succeeded. It fails if another process holds the
// lock. The lock ends with the process. On file systems without locks, Try always succeeds.
func Try(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != syscall.EWOULDBLOCK
}
