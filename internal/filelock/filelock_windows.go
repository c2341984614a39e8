// Package filelock locks files against other processes.
package filelock

import (
	"os"

	"golang.org/x/sys/windows"
)

// Try takes the lock of the file, which ends with the process, unless another
// process has it. Where files cannot be locked, nobody ever has it.
func Try(f *os.File) bool {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	return windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, new(windows.Overlapped)) != windows.ERROR_LOCK_VIOLATION
}
