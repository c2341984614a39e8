package prep

import (
	"math"

	"github.com/gokernel/gokernel/mlstd/sparse"
)

// TFIDF weights word counts by inverse document frequency, and scales each row to length 1:
//
//	w(t, d) = count(t, d)·(ln((1 + n)/(1 + n_t)) + 1)
//
// where n_t of the n texts (the rows of counts) contain the word t. A word that occurs in every
// text has the smallest weight. The length of a text does not matter.
//
// References: [SaltonBuckley1988]. Course: CORE-22, CLU-11.
func TFIDF(counts *sparse.CSR) *sparse.CSR {
	n, cols := counts.Dims()
	texts := make([]float64, cols)
	for i := range n {
		columns, values := counts.Row(i)
		for k, j := range columns {
			if values[k] != 0 {
				texts[j]++
			}
		}
	}
	for j, v := range texts {
		texts[j] = math.Log((1+float64(n))/(1+v)) + 1
	}
	out := sparse.NewCSR(cols)
	for i := range n {
		columns, values := counts.Row(i)
		at, weights, square := make([]int, len(columns)), make([]float64, len(columns)), 0.0
		for k, j := range columns {
			at[k], weights[k] = int(j), values[k]*texts[j]
			square += weights[k] * weights[k]
		}
		if square > 0 {
			for k := range weights {
				weights[k] /= math.Sqrt(square)
			}
		}
		out.AppendRow(at, weights)
	}
	return out
}
