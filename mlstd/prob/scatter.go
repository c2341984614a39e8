package prob

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/linalg"
	"github.com/gokernel/gokernel/mlstd/internal/par"
)

// stripes is the maximum number of parts into which sums over rows are split. It is fixed, so that
// the sums do not depend on the number of processors.
const stripes = 8

// stripesOf divides n rows into stripes.
func stripesOf(n int) (count, each int) {
	const least = 512
	count = min(stripes, (n+least-1)/least)
	return count, (n + count - 1) / count
}

func allRows(n int) []int32 {
	rows := make([]int32, n)
	for i := range rows {
		rows[i] = int32(i)
	}
	return rows
}

// meanOf returns the mean of some rows of x, weighted if weights is set.
func meanOf(x *mat.Dense, rows []int32, weights []float64) []float64 {
	_, p := x.Dims()
	count, each := stripesOf(len(rows))
	parts := make([][]float64, count)
	sums := make([]float64, count)
	par.Range(count, 1, func(lo, hi int) {
		for s := lo; s < hi; s++ {
			part := make([]float64, p)
			for _, i := range rows[min(s*each, len(rows)):min((s+1)*each, len(rows))] {
				w := 1.0
				if weights != nil {
					w = weights[i]
				}
				floats.AddScaled(part, w, x.RawRowView(int(i)))
				sums[s] += w
			}
			parts[s] = part
		}
	})
	mean, n := make([]float64, p), 0.0
	for s, part := range parts {
		floats.Add(mean, part)
		n += sums[s]
	}
	floats.Scale(1/n, mean)
	return mean
}

// scatter is Σᵢ wᵢ·(xᵢ−cᵢ)(xᵢ−cᵢ)ᵀ over some rows of x, a d x d matrix; center returns cᵢ.
func scatter(x *mat.Dense, rows []int32, weights []float64, center func(row int) []float64) []float64 {
	_, p := x.Dims()
	count, each := stripesOf(len(rows))
	parts := make([][]float64, count)
	par.Range(count, 1, func(lo, hi int) {
		const block = 256
		buf := make([]float64, block*p)
		for s := lo; s < hi; s++ {
			part := make([]float64, p*p)
			mine := rows[min(s*each, len(rows)):min((s+1)*each, len(rows))]
			for len(mine) > 0 {
				n := min(block, len(mine))
				for r, i := range mine[:n] {
					out := buf[r*p : (r+1)*p]
					floats.SubTo(out, x.RawRowView(int(i)), center(int(i)))
					if weights != nil {
						floats.Scale(math.Sqrt(weights[i]), out)
					}
				}
				linalg.AddGram(part, p, buf, n, p, p)
				mine = mine[n:]
			}
			parts[s] = part
		}
	})
	out := make([]float64, p*p)
	for _, part := range parts {
		floats.Add(out, part)
	}
	for i := range p {
		for j := range i {
			out[i*p+j] = out[j*p+i]
		}
	}
	return out
}
