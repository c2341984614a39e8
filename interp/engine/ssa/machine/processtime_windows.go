package machine

import (
	"syscall"
	"time"
)

// processTime is the processor's time that the process has used.
func processTime() time.Duration {
	self, err := syscall.GetCurrentProcess()
	if err != nil {
		return 0
	}
	var began, ended, system, user syscall.Filetime
	if err := syscall.GetProcessTimes(self, &began, &ended, &system, &user); err != nil {
		return 0
	}
	return length(system) + length(user)
}

// length is a time that a Filetime holds as so many times 100 ns.
func length(t syscall.Filetime) time.Duration {
	return 100 * time.Duration(int64(t.HighDateTime)<<32|int64(t.LowDateTime))
}
