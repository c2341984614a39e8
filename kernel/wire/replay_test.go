package wire

import (
	"fmt"
	"testing"
)

func TestSeen(t *testing.T) {
	var s Seen
	for i := range Window {
		if !s.First(fmt.Appendf(nil, "%064x", i)) {
			t.Fatalf("signature %d was reported as seen", i)
		}
	}
	for _, i := range []int{0, 1, Window - 1} {
		if s.First(fmt.Appendf(nil, "%064x", i)) {
			t.Errorf("signature %d was forgotten", i)
		}
	}
	s.First([]byte("one more")) // replaces the first
	if !s.First(fmt.Appendf(nil, "%064x", 0)) || s.First(fmt.Appendf(nil, "%064x", 2)) {
		t.Error("a signature other than the oldest was forgotten")
	}
	if len(s.latest) != Window || len(s.known) != Window {
		t.Errorf("%d and %d are remembered, want %d", len(s.latest), len(s.known), Window)
	}
	for range 2 {
		if !s.First(nil) {
			t.Error("a message without a signature was reported as seen")
		}
	}
}
