package memory

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// available returns the memory of the machine, or of the container if that has less.
func available() uint64 {
	var info syscall.Sysinfo_t
	if err := syscall.Sysinfo(&info); err != nil {
		return fallback
	}
	total := uint64(info.Totalram) * uint64(info.Unit)
	if b, err := os.ReadFile("/proc/self/cgroup"); err == nil {
		total = groupLimit("/sys/fs/cgroup", string(b), total)
	}
	return total
}

// groupLimit returns the memory limit of a process's control groups, or most if they set none. The
// root is the directory of the control groups, and membership is the text of /proc/self/cgroup. It
// contains "0::" and a path in version 2, and a number, "memory" and a path in version 1. In a
// container, the path may be the path on the host. The limit is then at the root.
func groupLimit(root, membership string, most uint64) uint64 {
	bound := func(file string) {
		b, err := os.ReadFile(file)
		if err != nil {
			return
		}
		if n, err := strconv.ParseUint(strings.TrimSpace(string(b)), 10, 64); err == nil {
			most = min(most, n)
		}
	}
	for line := range strings.Lines(membership) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) < 3 {
			continue
		}
		top, file := root, "memory.max"
		if fields[0] != "0" || fields[1] != "" {
			if fields[1] != "memory" {
				continue
			}
			top, file = filepath.Join(root, "memory"), "memory.limit_in_bytes"
		}
		for dir := filepath.Join(top, fields[2]); dir != top && strings.HasPrefix(dir, top); dir = filepath.Dir(dir) {
			bound(filepath.Join(dir, file))
		}
		bound(filepath.Join(top, file))
	}
	return most
}
