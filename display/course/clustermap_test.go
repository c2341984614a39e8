package course

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// TestClustermapOrder compares the order of the leaves with the order in SciPy 1.17.1,
//
//	dendrogram(linkage(x, "average"), no_plot=True)["leaves"]
//
// for x[i][j] = sin(3i + 7j + ij) and its transpose.
func TestClustermapOrder(t *testing.T) {
	z := make([][]float64, 12)
	var rows, columns []string
	for i := range z {
		rows = append(rows, fmt.Sprintf("row %d", i))
		for j := range 5 {
			z[i] = append(z[i], math.Sin(float64(3*i+7*j+i*j)))
		}
	}
	for j := range 5 {
		columns = append(columns, fmt.Sprintf("col %d", j))
	}
	f, err := Clustermap(z).YNames(rows...).XNames(columns...).Figure()
	if err != nil {
		t.Fatal(err)
	}
	svg := f.SVG()
	order := func(names []string) (out []int) {
		var at []int
		for i, s := range names {
			at = append(at, strings.Index(svg, ">"+s+"<"))
			out = append(out, i)
		}
		slices.SortFunc(out, func(a, b int) int { return at[a] - at[b] })
		return out
	}
	if got, want := order(rows), []int{11, 2, 3, 7, 6, 8, 10, 0, 5, 9, 1, 4}; !slices.Equal(got, want) {
		t.Errorf("rows in the order %v, want %v", got, want)
	}
	if got, want := order(columns), []int{3, 0, 1, 2, 4}; !slices.Equal(got, want) {
		t.Errorf("columns in the order %v, want %v", got, want)
	}
}
