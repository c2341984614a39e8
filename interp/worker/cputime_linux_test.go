package worker

import (
	"os"
	"testing"
	"time"
)

func TestCPUTime(t *testing.T) {
	before := cpuTime(os.Getpid())
	for end := time.Now().Add(time.Minute); cpuTime(os.Getpid()) < before+50*time.Millisecond; {
		if time.Now().After(end) {
			t.Fatal("computing adds no CPU time")
		}
	}
	if got := cpuTime(1 << 30); got != 0 {
		t.Errorf("a process that does not exist has %v of CPU time", got)
	}
}
