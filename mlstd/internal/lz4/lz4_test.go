package lz4

import "testing"

// The block has 3 literals, a copy of 9 bytes that overlaps its own result, and 2 literals.
var block = []byte{0x35, 'a', 'b', 'c', 3, 0, 0x20, 'x', 'y'}

func TestBlock(t *testing.T) {
	const want = "abcabcabcabcxy"
	if got, err := Block(block, len(want)); string(got) != want || err != nil {
		t.Errorf("Block: got %q and error %v, want %q", got, err, want)
	}
	frame := append([]byte{4, 0x22, 0x4D, 0x18, 0x60, 0x40, 0, byte(len(block)), 0, 0, 0}, block...)
	frame = append(frame, 3, 0, 0, 0x80, 'r', 'a', 'w', 0, 0, 0, 0)
	if got, err := Frame(frame, len(want)+3); string(got) != want+"raw" || err != nil {
		t.Errorf("Frame: got %q and error %v, want %q", got, err, want+"raw")
	}
	for n := range block {
		if got, err := Block(block[:n], len(want)); err == nil {
			t.Errorf("Block of %d bytes: got %q, want an error", n, got)
		}
	}
	for n := range frame {
		if got, err := Frame(frame[:n], len(want)+3); err == nil {
			t.Errorf("Frame of %d bytes: got %q, want an error", n, got)
		}
	}
	// A copy from before the beginning, from 0 bytes back, and lengths that continue after the end.
	for _, bad := range [][]byte{{0x15, 'a', 2, 0, 0}, {0x15, 'a', 0, 0, 0}, {0xf0, 255, 255}, {}} {
		if got, err := Block(bad, 16); err == nil {
			t.Errorf("Block of %v: got %q, want an error", bad, got)
		}
	}
	for _, size := range []int{0, len(want) - 1, len(want) + 1} {
		if got, err := Block(block, size); err == nil {
			t.Errorf("Block with size %d: got %q, want an error", size, got)
		}
	}
}
