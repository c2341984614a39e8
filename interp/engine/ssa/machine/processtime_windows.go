package machine

import (
	"syscall"
	"time"
)

// processTime returns the CPU time of the process.
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

// length converts a Filetime, a number of units of 100 ns, to a duration.
func length(t syscall.Filetime) time.Duration {
	return 100 * time.Duration(int64(t.HighDateTime)<<32|int64(t.LowDateTime))
}
