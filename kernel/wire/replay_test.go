package wire

import (
	"fmt"
	"testing"
)

func TestSeen(t *testing.T) {
	var s Seen
	for i := range Window {
		if !s.First(fmt.Appendf(nil, "%064x", i)) {
			t.Fatalf("signature %d is taken for one that came before", i)
		}
	}
	for _, i := range []int{0, 1, Window - 1} {
		if s.First(fmt.Appendf(nil, "%064x", i)) {
			t.Errorf("signature %d is new again", i)
		}
	}
	s.First([]byte("one more")) // takes the place of the first
	if !s.First(fmt.Appendf(nil, "%064x", 0)) || s.First(fmt.Appendf(nil, "%064x", 2)) {
		t.Error("another signature than the oldest is forgotten")
	}
	if len(s.latest) != Window || len(s.known) != Window {
		t.Errorf("%d and %d are remembered, want %d", len(s.latest), len(s.known), Window)
	}
	for range 2 {
		if !s.First(nil) {
			t.Error("a message without a key has come before")
		}
	}
}
