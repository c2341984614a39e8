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
		changed := PackPoints(x, n, cols, random(cols, 3)).Nearest(labels, centers, k)
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
			if int(labels[i]) != best {
				t.Fatalf("%v: row %d is nearest to center %d, want %d", s, i, labels[i], best)
			}
		}
		if changed != want {
			t.Errorf("%v: %d labels changed, want %d", s, changed, want)
		}
	}
}

// The lowest of a block, with and without assembly; of equal ones the first.
func TestLower(t *testing.T) {
	for rows := 1; rows <= tall; rows++ {
		block := [tall * width]float64(random(tall*width, uint64(rows)))
		copy(block[:width], block[(rows-1)*width:rows*width])
		best, at := random(width, 9), make([]float64, width)
		wantBest, wantAt := slices.Clone(best), slices.Clone(at)
		lower(rows, 12, &block, best, at)
		lowerGo(rows, 12, &block, wantBest, wantAt)
		if !slices.Equal(best, wantBest) || !slices.Equal(at, wantAt) {
			t.Errorf("%d rows: got %v at %v, want %v at %v", rows, best, at, wantBest, wantAt)
		}
	}
}
