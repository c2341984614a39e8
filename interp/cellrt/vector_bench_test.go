package cellrt_test

import (
	"testing"

	"github.com/gokernel/gokernel/interp/cellrt"
)

func BenchmarkAddScaled(b *testing.B) {
	w, x := make([]float64, 10000), make([]float64, 10000)
	for b.Loop() {
		w = cellrt.AddScaled(0, w, 0.1, x)
	}
}
