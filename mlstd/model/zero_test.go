package model

import "testing"

func TestOr(t *testing.T) {
	for _, c := range []struct{ value, usual, want float64 }{
		{0, 1, 1}, {Zero, 1, 0}, {2, 1, 2}, {-1, 1, -1}, {Zero, 0, 0},
	} {
		if got := Or(c.value, c.usual); got != c.want {
			t.Errorf("Or(%v, %v) = %v, want %v", c.value, c.usual, got, c.want)
		}
	}
	small := Zero
	if 1+small != 1 || 1e-300*small != 0 {
		t.Error("Zero does not count as 0 in arithmetic")
	}
}
