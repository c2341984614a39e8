package model

import "gonum.org/v1/gonum/mat"

// Slice returns rows i to k−1 and columns j to l−1 as a table with the descriptions of these
// columns. Like the Slice method of [mat.Dense], the result shares memory with the original.
func (t *Table) Slice(i, k, j, l int) mat.Matrix {
	part := t.Dense.Slice(i, k, j, l).(*mat.Dense)
	if len(t.Columns) < l {
		return part
	}
	return &Table{Dense: part, Columns: t.Columns[j:l:l], Target: t.Target}
}
