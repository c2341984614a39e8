//go:build !linux

package worker

import "time"

// cpuTime returns 0: the CPU time of another process is not known here.
func cpuTime(int) time.Duration { return 0 }
