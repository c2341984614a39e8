package digits

import (
	"math"
	"testing"
)

func TestNumbers(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Number(0), "0.0000"}, {Number(-1.23456), "-1.2346"}, {Number(1.5e-7), "1.500e-07"}, {Number(123456789), "1.2346e+08"},
		{Number(math.NaN()), "–"}, {Number(math.Inf(-1)), "-∞"}, {P(0.04999), "0.0500"}, {P(1e-300), "1.0e-300"}, {P(0), "<1e-307"}, {Percent(0.95), "95 %"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
