package main

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// releaseProgram releases the resident pages of the program's own code and constants. About 200
// packages initialize themselves when the program starts. For the few hundred bytes that each of
// them needs, the system maps 64 KB, or 2 MB if it uses large pages for the file. Almost none of
// these pages are needed again. They stay in the system's cache, which all processes of this
// program share, and are mapped from there when the program needs them again.
func releaseProgram() {
	exe, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return
	}
	f, err := os.Open("/proc/self/maps")
	if err != nil {
		return
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		// The line has the form "start-end perms offset device inode /path".
		line := lines.Text()
		slash := strings.IndexByte(line, '/')
		fields := strings.Fields(line)
		if slash < 0 || line[slash:] != exe || !strings.HasPrefix(fields[1], "r-") {
			continue // writable pages would be lost
		}
		from, to, _ := strings.Cut(fields[0], "-")
		start, err1 := strconv.ParseUint(from, 16, 64)
		end, err2 := strconv.ParseUint(to, 16, 64)
		if err1 != nil || err2 != nil {
			continue
		}
		for _, advice := range []uintptr{syscall.MADV_NOHUGEPAGE, syscall.MADV_DONTNEED} {
			// After an error, the pages stay.
			_, _, _ = syscall.RawSyscall(syscall.SYS_MADVISE, uintptr(start), uintptr(end-start), advice)
		}
	}
}
