package memory

import "syscall"

// defaultMemoryLimit is three quarters of the machine's memory.
func defaultMemoryLimit() uint64 {
	var info syscall.Sysinfo_t
	if err := syscall.Sysinfo(&info); err != nil {
		return fallbackMemoryLimit
	}
	return uint64(info.Totalram) * uint64(info.Unit) / 4 * 3
}
