package course

import (
	"fmt"
	"math"
	"slices"

	"github.com/gokernel/gokernel/display/chart"
)

// Dendrogram draws a hierarchical clustering. Each row of merges is one merge, in order: the two
// clusters that were merged, and the height. For n-1 merges, the examples are the clusters 0 to
// n-1, and merge i creates cluster n+i. Further columns, such as sizes, are ignored. Clusters
// below seven tenths of the maximum height have different colors. names are the names of the
// examples.
func Dendrogram(merges [][]float64, names ...string) *chart.Chart {
	n := len(merges) + 1
	if n < 2 {
		return failed("Dendrogram", "there are no merges")
	}
	if len(names) != 0 && len(names) != n {
		return failed("Dendrogram", "%d merges join %d examples, there are %d names", n-1, n, len(names))
	}
	d := dendrogram{n: n, merges: merges, x: make([]float64, 2*n-1), used: make([]bool, 2*n-1)}
	top := 0.0
	for i, m := range merges {
		if err := d.check(i, m); err != nil {
			return failed("Dendrogram", "%w", err)
		}
		top = math.Max(top, m[2])
	}
	d.cut = 0.7 * top
	order := d.leaves(2*n-2, nil)
	for at, leaf := range order {
		d.x[leaf] = float64(at)
	}
	for i, m := range merges {
		d.x[n+i] = (d.x[int(m[0])] + d.x[int(m[1])]) / 2
	}
	c := chart.New()
	var above [2][]float64
	var clusters [][2][]float64
	d.links(2*n-2, &above, &clusters)
	if len(above[0]) > 0 {
		c.Line(above[0], above[1]).Color("gray").Width(1.5)
	}
	for k, l := range clusters {
		c.Line(l[0], l[1]).ClassColor(k).Width(1.5)
	}
	if len(clusters) > 1 {
		c.HRule(d.cut).Color("gray").Dashed()
	}
	end := 1.05 * top
	if top == 0 {
		end = 1 // all examples are equal
	}
	labels := make([]string, n)
	for at, leaf := range order {
		labels[at] = fmt.Sprint(leaf)
		if len(names) > 0 {
			labels[at] = names[leaf]
		}
	}
	if n <= 60 {
		c.XNames(labels...)
	}
	if long := slices.MaxFunc(labels, func(a, b string) int { return len(a) - len(b) }); len(long) > longName && n <= 60 {
		return c.Horizontal().Title("Dendrogram").Y("height").X("").XRange(-0.7, float64(n)-0.3).YRange(0, end).
			Size(620, math.Max(240, 90+18*float64(n)))
	}
	return c.Title("Dendrogram").Y("height").X("").XRange(-0.7, float64(n)-0.3).YRange(0, end).
		Size(math.Min(1200, math.Max(480, 90+22*float64(n))), 360)
}

// longName is the maximum number of characters of names below the leaves. If names are longer,
// the tree is drawn sideways with the names next to the leaves.
const longName = 16

type dendrogram struct {
	n      int
	merges [][]float64
	x      []float64 // position of each cluster
	used   []bool
	cut    float64
}

func (d *dendrogram) check(i int, m []float64) error {
	if len(m) < 3 {
		return fmt.Errorf("merge %d has %d values: pass two clusters and a height", i, len(m))
	}
	for _, v := range m[:2] {
		k := int(v)
		if float64(k) != v || k < 0 || k >= d.n+i {
			return fmt.Errorf("merge %d must join existing clusters, 0 to %[3]d, got cluster %[2]v", i, v, d.n+i-1)
		}
		if d.used[k] {
			return fmt.Errorf("merge %d joins cluster %d, which was joined before", i, k)
		}
		d.used[k] = true
	}
	if !(m[2] >= 0) || math.IsInf(m[2], 0) {
		return fmt.Errorf("merge %d has the height %v", i, m[2])
	}
	return nil
}

func (d *dendrogram) leaves(k int, out []int) []int {
	if k < d.n {
		return append(out, k)
	}
	m := d.merges[k-d.n]
	return d.leaves(int(m[1]), d.leaves(int(m[0]), out))
}

func (d *dendrogram) height(k int) float64 {
	if k < d.n {
		return 0
	}
	return d.merges[k-d.n][2]
}

// links adds the brackets below cluster k. It appends brackets above the cut to the line above, and
// the brackets of each cluster below the cut to a separate line.
func (d *dendrogram) links(k int, above *[2][]float64, clusters *[][2][]float64) {
	if k < d.n {
		return
	}
	if d.height(k) < d.cut {
		var l [2][]float64
		d.below(k, &l)
		*clusters = append(*clusters, l)
		return
	}
	d.bracket(k, above)
	m := d.merges[k-d.n]
	d.links(int(m[0]), above, clusters)
	d.links(int(m[1]), above, clusters)
}

func (d *dendrogram) below(k int, l *[2][]float64) {
	if k < d.n {
		return
	}
	d.bracket(k, l)
	m := d.merges[k-d.n]
	d.below(int(m[0]), l)
	d.below(int(m[1]), l)
}

func (d *dendrogram) bracket(k int, l *[2][]float64) {
	m := d.merges[k-d.n]
	a, b := int(m[0]), int(m[1])
	l[0] = append(l[0], d.x[a], d.x[a], d.x[b], d.x[b], math.NaN())
	l[1] = append(l[1], d.height(a), m[2], m[2], d.height(b), math.NaN())
}
