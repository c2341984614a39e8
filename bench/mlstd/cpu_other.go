//go:build !unix

package main

import "time"

// cpuTime is not measured on this platform: its columns show NaN.
func cpuTime() time.Duration { return 0 }
