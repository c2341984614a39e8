package worker

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// cpuTime returns the CPU time of a process, without programs that it has started, or 0 if it is
// not known.
func cpuTime(pid int) time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	// The name of the program, in parentheses, can contain anything. utime and stime are the 12th
	// and 13th fields after it, in hundredths of a second.
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}
