package linalg

import (
	"math"

	"github.com/gokernel/gokernel/mlstd/internal/par"
)

const (
	singleRows = 16 // rows in a panel of single precision
	// Together is the number of rows of the left operand that Singles compares at a time.
	Together = 6
)

// Singles holds the rows of a matrix in single precision, and an offset for each row. Use it to
// search very many rows for the few rows whose dot product with another row, plus their offset, is
// low.
type Singles struct {
	rows, cols int
	data       []float32 // panels of 16 rows; the values of a column are side by side
	own        []float32
}

// PackSingles packs (row − center)·scale for rows of cols values, and the offset of each row.
func PackSingles(b []float64, rows, cols int, center []float64, scale float64, own []float64) *Singles {
	panels := (rows + singleRows - 1) / singleRows
	s := &Singles{rows, cols, make([]float32, panels*singleRows*cols), make([]float32, panels*singleRows)}
	center = center[:cols]
	const grain = 64 // panels
	par.Range(panels, grain, func(lo, hi int) {
		for r := lo * singleRows; r < hi*singleRows; r++ {
			if r >= rows {
				s.own[r] = float32(math.Inf(1)) // no row
				continue
			}
			s.own[r] = float32(own[r])
			panel := s.data[r/singleRows*singleRows*cols:]
			at := r % singleRows
			for c, v := range b[r*cols : (r+1)*cols] {
				panel[c*singleRows+at] = float32((v - center[c]) * scale)
			}
		}
	})
	return s
}

// Panels returns the number of panels, which have 16 rows each.
func (s *Singles) Panels() int { return len(s.own) / singleRows }

// Below searches the panels in [from, to) for the first panel with a row r such that
//
//	own[r] + Σⱼ left[6j+i]·row[j] ≤ limits[i]
//
// for one of the six left rows i, whose values are side by side. It returns the index of the panel
// and, in hits[i], a bit for each such row in the panel. If there is no such panel, it returns the
// argument to. The sums are in single precision: their error is at most cols + 1 units in the last
// place of the sum of the absolute values.
func (s *Singles) Below(left []float32, limits *[Together]float32, hits *[Together]uint32, from, to int) int {
	if from >= to {
		return to
	}
	panels := s.data[from*singleRows*s.cols : to*singleRows*s.cols]
	return from + below(s.cols, left[:Together*s.cols], panels, s.own[from*singleRows:to*singleRows], limits, hits)
}

// belowGo is below without assembly.
func belowGo(k int, left, panels, own []float32, limits *[Together]float32, hits *[Together]uint32) int {
	for p := range len(own) / singleRows {
		panel := panels[p*singleRows*k : (p+1)*singleRows*k]
		found := uint32(0)
		for i := range Together {
			var s [singleRows]float32
			copy(s[:], own[p*singleRows:])
			for j := range k {
				v, row := left[j*Together+i], panel[j*singleRows:j*singleRows+singleRows]
				for r, x := range row {
					s[r] += v * x
				}
			}
			hits[i] = 0
			for r, v := range s {
				if v <= limits[i] {
					hits[i] |= 1 << r
				}
			}
			found |= hits[i]
		}
		if found != 0 {
			return p
		}
	}
	return len(own) / singleRows
}
