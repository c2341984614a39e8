package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// classSize is how many submissions BenchmarkGradeClass grades.
const classSize = 200

// BenchmarkGradeClass grades a class in one run: two submissions of each kind in TestGrade, and for
// the rest students whose answers are right, have one mistake, or are missing. It also reports the
// CPU time, and the peak memory of the grader and its evaluators. The numbers are in
// docs/how-to/homework.md:
//
//	go test ./cmd/gokernel -run '^$' -bench GradeClass -benchtime 1x -timeout 30m
func BenchmarkGradeClass(b *testing.B) {
	dir := b.TempDir()
	executeCommand(b, "release", homeworkSource, "-o", filepath.Join(dir, "release"))
	harmless := append(handedIn[:3:3], handedIn[4], handedIn[5], handedIn[6], handedIn[len(handedIn)-1])
	for i := range classSize {
		h := harmless[i%len(harmless)]
		if i < 2*len(handedIn) {
			h = handedIn[i%len(handedIn)]
		}
		handIn(b, dir, fmt.Sprintf("%03d-%s", i, h.student), h.cell, h.answer)
	}
	for b.Loop() {
		before, stop := processorTime(), watchMemory()
		_, progress := executeCommand(b, "grade", filepath.Join(dir, "submitted"), "--source", homeworkSource, "-o", filepath.Join(dir, "grades.csv"),
			"--html", filepath.Join(dir, "feedback"), "--similarity", filepath.Join(dir, "similarity.csv"))
		b.ReportMetric(float64(stop())/(1<<20), "MiB")
		b.ReportMetric((processorTime() - before).Seconds(), "cpu-s/op")
		if !strings.Contains(progress, fmt.Sprintf("[%d/%d] ", classSize, classSize)) {
			b.Fatal("not all were graded")
		}
	}
}

// processorTime returns the CPU time of this process and of the processes that it has waited for.
func processorTime() (t time.Duration) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) == nil {
			t += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
	}
	return t
}

// watchMemory samples the memory of this process and its children five times per second; shared
// pages count once. The function stop returns the maximum.
func watchMemory() (stop func() int64) {
	done, most := make(chan struct{}), make(chan int64)
	go func() {
		peak := memoryOfTree()
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				peak = max(peak, memoryOfTree())
			case <-done:
				most <- peak
				return
			}
		}
	}()
	return func() int64 { close(done); return <-most }
}

// memoryOfTree returns the sum of the proportional set sizes (PSS) of this process and its
// children.
func memoryOfTree() (sum int64) {
	self := os.Getpid()
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, stat := range stats {
		text, err := os.ReadFile(stat)
		if err != nil {
			continue // it has ended
		}
		// pid (name) state parent ...
		fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(stat)))
		if parent, _ := strconv.Atoi(fields[1]); pid != self && parent != self {
			continue
		}
		f, err := os.Open(filepath.Join(filepath.Dir(stat), "smaps_rollup"))
		if err != nil {
			continue
		}
		for lines := bufio.NewScanner(f); lines.Scan(); {
			if words := strings.Fields(lines.Text()); len(words) == 3 && words[0] == "Pss:" {
				kib, _ := strconv.ParseInt(words[1], 10, 64)
				sum += kib << 10
			}
		}
		f.Close()
	}
	return sum
}
