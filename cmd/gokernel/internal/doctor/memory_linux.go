package doctor

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// memory returns how many bytes are free for a kernel, or 0 if that is unknown, and what limits
// this number if it is not the memory of the machine.
func memory() (free uint64, limit string) {
	b, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0, ""
	}
	for s := bufio.NewScanner(bytes.NewReader(b)); s.Scan(); {
		f := strings.Fields(s.Text())
		if len(f) >= 2 && f[0] == "MemAvailable:" {
			kilobytes, _ := strconv.ParseUint(f[1], 10, 64)
			free = kilobytes << 10
		}
	}
	for _, dir := range groups() {
		most, ok1 := number(filepath.Join(dir, "memory.max"))
		used, ok2 := number(filepath.Join(dir, "memory.current"))
		if ok1 && ok2 && most-min(used, most) < free {
			free, limit = most-min(used, most), "of the "+megabytes(most)+" that the container has"
		}
	}
	return free, limit
}

// groups lists the directories of this process's control group and its parents.
func groups() []string {
	b, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return nil
	}
	const root = "/sys/fs/cgroup"
	var list []string
	for line := range strings.Lines(string(b)) {
		name, ok := strings.CutPrefix(strings.TrimSpace(line), "0::")
		if !ok {
			continue // a group of version 1
		}
		for dir := filepath.Join(root, name); strings.HasPrefix(dir, root); dir = filepath.Dir(dir) {
			list = append(list, dir)
		}
	}
	return list
}

// number reads a number from a file; "max" is not a number.
func number(file string) (uint64, bool) {
	b, err := os.ReadFile(file)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseUint(strings.TrimSpace(string(b)), 10, 64)
	return n, err == nil
}
