package linalg

import (
	"math"
	"slices"
	"testing"
)

// The nearest center is the one that a plain search finds, also for shapes that do not fill a
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

// lowest finds the lowest of a block of centers, and the first of equal ones, with and without
// assembly.
func TestLowest(t *testing.T) {
	for cols := 1; cols <= 5; cols++ {
		for _, block := range []int{tall, small} {
			const panels = 3
			left, data := random(block*cols, 1), random(panels*width*cols, 2)
			for j := range cols { // the last center is the second one again
				left[j*block+block-1] = left[j*block+1]
			}
			own := []float64{0, -9, .5, math.Inf(1), .25, -9}[:block]
			own[block-1] = -9
			best, at := random(panels*width, 9), make([]float64, panels*width)
			wantBest, wantAt := slices.Clone(best), slices.Clone(at)
			lowest(cols, left, data, own, 12, best, at)
			lowestGo(cols, left, data, own, 12, wantBest, wantAt)
			for i := range best {
				if math.Abs(best[i]-wantBest[i]) > 1e-12 || at[i] != wantAt[i] {
					t.Errorf("%d columns: row %d has %v at %v, want %v at %v", cols, i, best[i], at[i], wantBest[i], wantAt[i])
				}
			}
			if last := float64(12 + block - 1); !slices.Contains(at, 13) || slices.Contains(at, last) {
				t.Errorf("%d columns, %d centers: at %v", cols, block, at)
			}
		}
	}
}

// Blocks of 6 and 4 hold all centers, and leave at most one slot empty if there are more than two
// centers.
func TestBlocks(t *testing.T) {
	for k := 1; k <= 60; k++ {
		size := 0
		for size < k {
			size += blockOf(k - size)
		}
		if size < k || (k > 2 && size > k+1) {
			t.Errorf("%d centers stand in blocks for %d", k, size)
		}
	}
}

// Closer agrees with plain differences, with and without assembly, for shapes that do not fill a
// panel. The distance of a row from itself is 0.
func TestPointsCloser(t *testing.T) {
	testCloser(t)
	lessSIMD(t, testCloser)
}

func testCloser(t *testing.T) {
	for _, s := range [][2]int{{1, 1}, {8, 2}, {13, 3}, {5000, 5}, {300, 20}} {
		n, cols := s[0], s[1]
		x, shift := random(n*cols, 1), random(cols, 3)
		p := PackPoints(x, n, cols, shift)
		squares := random(p.Size(), 4)
		for i := range squares {
			squares[i] = 3 * math.Abs(squares[i])
			if i >= n {
				squares[i] = 0
			}
		}
		var points, dst [Candidates][]float64
		for c := range points {
			i := c * n / Candidates
			points[c], dst[c] = x[i*cols:(i+1)*cols], make([]float64, p.Size())
		}
		sums := p.Closer(&dst, squares, &points)
		for c, point := range points {
			total := 0.0
			for i := range n {
				want := 0.0
				for j, v := range point {
					d := (x[i*cols+j] - shift[j]) - (v - shift[j])
					want += d * d
				}
				want = min(want, squares[i])
				total += want
				if math.Abs(dst[c][i]-want) > 1e-12*want {
					t.Fatalf("%v: row %d is %v from point %d, want %v", s, i, dst[c][i], c, want)
				}
			}
			if i := c * n / Candidates; dst[c][i] != 0 {
				t.Errorf("%v: row %d is %v from itself", s, i, dst[c][i])
			}
			if math.Abs(sums[c]-total) > 1e-9*total {
				t.Errorf("%v: the sum for point %d is %v, want %v", s, c, sums[c], total)
			}
		}
	}
}
