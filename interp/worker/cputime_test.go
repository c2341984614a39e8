package worker

import (
	"testing"
	"time"
)

func TestWaitsForCPU(t *testing.T) {
	const s = time.Second
	for _, tt := range []struct {
		name                         string
		recent, window, total, grace time.Duration
		want                         bool
	}{
		{"computes on a busy machine", s / 2, 3 * s, s / 2, 3 * s, true},
		{"computes all the time", 3 * s, 3 * s, 3 * s, 3 * s, false},
		{"computes on two processors", 6 * s, 3 * s, 6 * s, 3 * s, false},
		{"is suspended", 0, 3 * s, 0, 3 * s, false},
		{"waits", s / 100, 3 * s, s / 100, 3 * s, false},
		{"stopped computing", 0, 3 * s / 4, s, 3 * s, false},
	} {
		if got := waitsForCPU(tt.recent, tt.window, tt.total, tt.grace); got != tt.want {
			t.Errorf("a process that %s waits for the processor: %v, want %v", tt.name, got, tt.want)
		}
	}
}
