package difference

import (
	"slices"
	"strings"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

// align matches the cells of two notebooks, and returns pairs of indices in the order of a. It
// first matches cells with the same ID, then cells with the same text, then cells with similar
// texts.
func align(a, b []*notebook.Cell) (pairs [][2]int) {
	takenA, takenB := make([]bool, len(a)), make([]bool, len(b))
	match := func(same func(x, y *notebook.Cell) bool) {
		for i, x := range a {
			if takenA[i] {
				continue
			}
			for j, y := range b {
				if !takenB[j] && same(x, y) {
					takenA[i], takenB[j] = true, true
					pairs = append(pairs, [2]int{i, j})
					break
				}
			}
		}
	}
	match(func(x, y *notebook.Cell) bool { return x.ID == y.ID })
	match(func(x, y *notebook.Cell) bool { return x.Type == y.Type && x.Source == y.Source })
	match(func(x, y *notebook.Cell) bool { return x.Type == y.Type && alike(x.Source, y.Source) })
	slices.SortFunc(pairs, func(p, q [2]int) int { return p[0] - q[0] })
	return pairs
}

// alike reports whether two texts have more than half of their lines in common.
func alike(a, b string) bool {
	x, y := lines(a), lines(b)
	has := map[string]int{}
	for _, l := range x {
		has[strings.TrimSpace(l)]++
	}
	common := 0
	for _, l := range y {
		if l = strings.TrimSpace(l); has[l] > 0 {
			has[l]--
			common++
		}
	}
	return 2*common > max(len(x), len(y))
}

// outOfOrder returns the cells of a that have moved in b: the cells outside a longest sequence of
// pairs whose order is the same in both notebooks.
func outOfOrder(pairs [][2]int) map[int]bool {
	best, before := make([]int, len(pairs)), make([]int, len(pairs))
	end := -1
	for i := range pairs {
		best[i], before[i] = 1, -1
		for j := range i {
			if pairs[j][1] < pairs[i][1] && best[j]+1 > best[i] {
				best[i], before[i] = best[j]+1, j
			}
		}
		if end < 0 || best[i] > best[end] {
			end = i
		}
	}
	moved := map[int]bool{}
	for _, p := range pairs {
		moved[p[0]] = true
	}
	for ; end >= 0; end = before[end] {
		delete(moved, pairs[end][0])
	}
	return moved
}

const (
	// around is the number of equal lines shown before and after one that differs.
	around = 2
	// tooMany is the maximum number of pairs of lines to compare; above it, all lines count as
	// different.
	tooMany = 4 << 20
)

// Lines returns the lines in which b differs from a, with their signs and some equal lines around
// them. It returns nil if there are none.
func Lines(a, b []string) []string {
	if slices.Equal(a, b) {
		return nil
	}
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	all := signed(" ", a[:head])
	all = append(all, middle(a[head:len(a)-tail], b[head:len(b)-tail])...)
	all = append(all, signed(" ", a[len(a)-tail:])...)
	return near(all)
}

// middle compares the lines by a longest common subsequence.
func middle(a, b []string) (out []string) {
	if len(a)*len(b) > tooMany {
		return append(signed("-", a), signed("+", b)...)
	}
	width := len(b) + 1
	common := make([]int32, (len(a)+1)*width)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i*width+j] = common[(i+1)*width+j+1] + 1
			} else {
				common[i*width+j] = max(common[(i+1)*width+j], common[i*width+j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			out = append(out, " "+a[i])
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[(i+1)*width+j] >= common[i*width+j+1]:
			out = append(out, "-"+a[i])
			i++
		default:
			out = append(out, "+"+b[j])
			j++
		}
	}
	return out
}

// near keeps the lines that differ and the equal lines around them, and marks the places of omitted
// lines.
func near(all []string) (out []string) {
	keep := make([]bool, len(all))
	for i, l := range all {
		if l[0] == ' ' {
			continue
		}
		for k := max(0, i-around); k <= min(len(all)-1, i+around); k++ {
			keep[k] = true
		}
	}
	for i, l := range all {
		switch {
		case keep[i]:
			out = append(out, l)
		case i > 0 && keep[i-1] && slices.Contains(keep[i:], true):
			out = append(out, " …")
		}
	}
	return out
}
