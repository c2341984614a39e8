// Package filelock locks files against other processes.
package filelock

import (
	"os"

	"golang.org/x/sys/windows"
)

// Try locks the file and reports whether it succeeded. It fails if another process holds the
// lock. The lock ends with the process. On file systems without locks, Try always succeeds.
func Try(f *os.File) bool {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	return windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, new(windows.Overlapped)) != windows.ERROR_LOCK_VIOLATION
}
