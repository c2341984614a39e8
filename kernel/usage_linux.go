package kernel

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gokernel/gokernel/kernel/msg"
)

// clockTick is the unit of times in /proc. It is the same on all of Go's architectures.
const clockTick = time.Second / 100

// processUsage returns the CPU time and resident memory of this process and its direct children.
func processUsage() (used time.Duration, memory uint64) {
	self := os.Getpid()
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		b, err := os.ReadFile(path)
		if err != nil {
			continue // the process has ended
		}
		// The command, in parentheses, may contain spaces, so count the fields after its end.
		f := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if len(f) < 22 || pid != self && f[1] != strconv.Itoa(self) {
			continue
		}
		used += ticks(f[11]) + ticks(f[12])
		pages, _ := strconv.ParseUint(f[21], 10, 64)
		memory += pages * uint64(os.Getpagesize())
	}
	return used, memory
}

func ticks(s string) time.Duration {
	n, _ := strconv.ParseInt(s, 10, 64)
	return time.Duration(n) * clockTick
}

// hostMemory returns the memory of the machine, read from /proc/meminfo.
func hostMemory() *msg.Memory {
	b, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return nil
	}
	field := map[string]uint64{}
	for line := range strings.Lines(string(b)) {
		f := strings.Fields(line)
		if len(f) < 2 {
			continue
		}
		kb, _ := strconv.ParseUint(f[1], 10, 64)
		field[strings.TrimSuffix(f[0], ":")] = kb << 10
	}
	m := &msg.Memory{Total: field["MemTotal"], Available: field["MemAvailable"], Free: field["MemFree"]}
	if m.Total == 0 || m.Available > m.Total {
		return nil
	}
	m.Used = m.Total - m.Available
	m.Percent = 100 * float64(m.Used) / float64(m.Total)
	return m
}
