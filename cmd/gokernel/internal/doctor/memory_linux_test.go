package doctor

import "testing"

func TestMemoryIsPlausible(t *testing.T) {
	if free, limit := memory(); free < 1<<20 || free > 1<<50 {
		t.Errorf("%d bytes are free (%s)", free, limit)
	}
}
