package display

import (
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"
)

// Limits of the text of a matrix.
const (
	matrixRows = 20
	matrixCols = 12
)

// matrix is the common interface of gonum matrices and slices of equally long slices.
type matrix interface {
	Dims() (r, c int)
	At(i, j int) float64
}

// asMatrix returns v as a matrix, and false if v is not one.
func asMatrix(v reflect.Value) (matrix, bool) {
	if !v.CanInterface() || isNilPointerValue(v) {
		return nil, false
	}
	m, ok := v.Interface().(matrix)
	if !ok && v.CanAddr() {
		m, ok = v.Addr().Interface().(matrix)
	}
	if !ok {
		// A mat.Dense that is not a pointer: its methods need one.
		if p := reflect.PointerTo(v.Type()); v.Kind() == reflect.Struct && p.Implements(reflect.TypeFor[matrix]()) {
			c := reflect.New(v.Type())
			c.Elem().Set(v)
			m, ok = c.Interface().(matrix)
		}
	}
	return m, ok
}

// rectangular converts a slice of at least two equally long slices of numbers to a matrix.
func rectangular(v reflect.Value) (matrix, bool) {
	if v.Kind() != reflect.Slice && v.Kind() != reflect.Array {
		return nil, false
	}
	e := v.Type().Elem()
	if (e.Kind() != reflect.Slice && e.Kind() != reflect.Array) || v.Len() < 2 {
		return nil, false
	}
	switch e.Elem().Kind() {
	case reflect.Float64, reflect.Float32, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint16, reflect.Uint32, reflect.Uint64:
	default:
		return nil, false
	}
	if e.Elem().PkgPath() != "" {
		return nil, false
	}
	n := v.Index(0).Len()
	for i := range v.Len() {
		if v.Index(i).Len() != n {
			return nil, false
		}
	}
	return rows{v, n}, n > 0
}

type rows struct {
	v reflect.Value
	n int
}

func (r rows) Dims() (int, int) { return r.v.Len(), r.n }

func (r rows) At(i, j int) float64 {
	x := r.v.Index(i).Index(j)
	switch {
	case x.CanInt():
		return float64(x.Int())
	case x.CanUint():
		return float64(x.Uint())
	}
	return x.Float()
}

// formatMatrix draws m with brackets below a line with its type and shape.
func formatMatrix(m matrix, name string) string {
	r, c := m.Dims()
	head := fmt.Sprintf("%s %d×%d", strings.TrimPrefix(name, "*"), r, c)
	if r == 0 || c == 0 {
		return head + " (empty)"
	}
	is, js := shownIndices(r, matrixRows), shownIndices(c, matrixCols)
	cells := make([][]string, len(is))
	for k := range cells {
		cells[k] = make([]string, len(js))
	}
	// Columns of different magnitude are rounded separately.
	for q, j := range js {
		if j < 0 {
			for k := range cells {
				cells[k][q] = "…"
			}
			continue
		}
		xs := make([]float64, 0, len(is))
		for _, i := range is {
			if i >= 0 {
				xs = append(xs, m.At(i, j))
			}
		}
		col := Numbers(xs)
		n := 0
		for k, i := range is {
			if i < 0 {
				cells[k][q] = "⋮"
				continue
			}
			cells[k][q] = col[n]
			n++
		}
	}
	widths := make([]int, len(js))
	for q := range js {
		for k := range cells {
			widths[q] = max(widths[q], utf8.RuneCountInString(cells[k][q]))
		}
	}
	var b strings.Builder
	b.WriteString(head)
	for k, row := range cells {
		left, right := bracket(k, len(cells))
		b.WriteString("\n" + left)
		for q, s := range row {
			if q > 0 {
				b.WriteString("  ")
			}
			b.WriteString(strings.Repeat(" ", widths[q]-utf8.RuneCountInString(s)) + s)
		}
		b.WriteString(right)
	}
	return b.String()
}

func bracket(k, n int) (left, right string) {
	switch {
	case n == 1:
		return "[", "]"
	case k == 0:
		return "⎡", "⎤"
	case k == n-1:
		return "⎣", "⎦"
	}
	return "⎢", "⎥"
}

// shownIndices returns the positions that are shown of n; -1 marks the cut.
func shownIndices(n, limit int) []int {
	var out []int
	for i := range n {
		switch {
		case n <= limit || i < limit-limit/3-1 || i >= n-limit/3:
			out = append(out, i)
		case i == limit-limit/3-1:
			out = append(out, -1)
		}
	}
	return out
}
