//go:build unix

package main

import (
	"os"
	"syscall"
)

// tryLock takes the lock of the file, which ends with the process, unless another
// process has it. Where files cannot be locked, nobody ever has it.
func tryLock(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != syscall.EWOULDBLOCK
}
