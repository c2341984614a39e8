package linalg

import (
	"math"
	"slices"
	"testing"
)

// The nearest center is the one that a plain search finds, for shapes that fill no
// panel.
func TestPointsNearest(t *testing.T) {
	for _, s := range [][3]int{{1, 1, 1}, {8, 2, 6}, {13, 3, 7}, {1000, 5, 20}, {300, 300, 13}} {
		n, cols, k := s[0], s[1], s[2]
		x, centers := random(n*cols, 1), random(k*cols, 2)
		labels, want := make([]int32, n), 0
		shift, sum := random(cols, 3), 0.0
		changed, got := PackPoints(x, n, cols, shift).Nearest(labels, centers, k)
		for i := range n {
			best, near := 0, math.Inf(1)
			for c := range k {
				d := 0.0
				for j := range cols {
					v := x[i*cols+j] - centers[c*cols+j]
					d += v * v
				}
				if d < near {
					best, near = c, d
				}
			}
			if best != 0 {
				want++
			}
			sum += near
			for j, v := range x[i*cols : (i+1)*cols] {
				sum -= (v - shift[j]) * (v - shift[j])
			}
			if int(labels[i]) != best {
				t.Fatalf("%v: row %d is nearest to center %d, want %d", s, i, labels[i], best)
			}
		}
		if changed != want {
			t.Errorf("%v: %d labels changed, want %d", s, changed, want)
		}
		if math.Abs(got-sum) > 1e-9*float64(n*cols) {
			t.Errorf("%v: the distances add up to %v, want %v", s, got, sum)
		}
	}
}

// The lowest of a block of centers, with and without assembly; of equal ones the first.
func TestLowest(t *testing.T) {
	for cols := 1; cols <= 5; cols++ {
		const panels = 3
		left, data := random(tall*cols, 1), random(panels*width*cols, 2)
		for j := range cols { // the last center is the second one again
			left[j*tall+5] = left[j*tall+1]
		}
		own := [tall]float64{0, -9, .5, math.Inf(1), .25, -9}
		best, at := random(panels*width, 9), make([]float64, panels*width)
		wantBest, wantAt := slices.Clone(best), slices.Clone(at)
		lowest(cols, left, data, &own, 12, best, at)
		lowestGo(cols, left, data, &own, 12, wantBest, wantAt)
		for i := range best {
			if math.Abs(best[i]-wantBest[i]) > 1e-12 || at[i] != wantAt[i] {
				t.Errorf("%d columns: row %d has %v at %v, want %v at %v", cols, i, best[i], at[i], wantBest[i], wantAt[i])
			}
		}
		if !slices.Contains(at, 13) || slices.Contains(at, 15) || slices.Contains(at, 17) {
			t.Errorf("%d columns: at %v", cols, at)
		}
	}
}
