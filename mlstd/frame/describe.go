package frame

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/internal/quantile"
)

// Summary is the summary of a frame that [Frame.Describe] returns.
type Summary struct {
	Rows       int
	Duplicates int // rows that are equal to an earlier row
	Columns    []ColumnSummary

	// Correlations lists the strongest correlations between columns of numbers, strongest first.
	// Their absolute values are at least 0.5. They are computed from CorrelationRows evenly spaced
	// rows.
	Correlations    []Correlation
	CorrelationRows int
}

// ColumnSummary is the summary of one column in a [Summary].
type ColumnSummary struct {
	Name           string
	Unit           string
	Kind           Kind
	Count          int        // values that are not missing
	Missing        int        // values that are missing
	Distinct       int        // distinct values, counted exactly
	Mean, SD       float64    // of numbers and bools, NaN of other kinds
	Quartiles      [3]float64 // of numbers, NaN of other kinds
	Min, Max       any        // of numbers, bools and times, nil of other kinds
	Commonest      any        // nil when all are missing
	CommonestCount int
	Bars           []float64 // counts of equal ranges, levels, or the commonest strings
	Remarks        []string  // what looks wrong
}

// Correlation is Pearson's correlation of two columns.
type Correlation struct {
	A, B string
	R    float64
}

// Describe returns a summary of the frame. For each column, it has the kind, the counts of missing
// and distinct values, the mean, the quartiles, the extremes, the most common value, the
// distribution and possible problems. For the whole frame, it has the number of duplicate rows and
// the strong correlations. All counts are exact.
func (f *Frame) Describe() *Summary {
	s := &Summary{Rows: f.n, Columns: make([]ColumnSummary, len(f.cols))}
	par.Range(len(f.cols), 1, func(j, _ int) { s.Columns[j] = f.cols[j].describe() })
	s.Duplicates = f.duplicates()
	s.Correlations, s.CorrelationRows = f.correlations()
	return s
}

// Describe returns a summary of the column; see [Frame.Describe].
func (c *Column) Describe() *Summary { return like(c.n, []*Column{c}).Describe() }

func (c *Column) describe() ColumnSummary {
	nan := math.NaN()
	s := ColumnSummary{Name: c.name, Unit: c.unit, Kind: c.kind, Count: c.n - c.gaps, Missing: c.gaps, Mean: nan, SD: nan, Quartiles: [3]float64{nan, nan, nan}}
	switch {
	case s.Count == 0:
	case c.kind.text():
		c.describeText(&s)
	case c.kind == BoolKind:
		s.Mean = c.Mean()
		s.SD = c.SD()
		yes := int(c.Sum())
		s.Bars = []float64{float64(s.Count - yes), float64(yes)}
		s.Min, s.Max = yes == s.Count, yes > 0
		s.Commonest, s.CommonestCount = false, s.Count-yes
		if yes > s.Count-yes {
			s.Commonest, s.CommonestCount = true, yes
		}
		if s.Distinct = 2; yes == 0 || yes == s.Count {
			s.Distinct = 1
		}
	default:
		c.describeNumbers(&s)
	}
	s.Remarks = append(s.Remarks, s.remarks()...)
	return s
}

// describeNumbers sorts the values once and computes all statistics from them.
func (c *Column) describeNumbers(s *ColumnSummary) {
	work := newSorter(c.n)
	rows := c.sortRows(upTo(c.n), false, work)[:s.Count]
	keys := work.keys[:s.Count]
	most := 0
	for lo := 0; lo < len(keys); {
		hi := lo + 1
		for hi < len(keys) && keys[hi] == keys[lo] {
			hi++
		}
		s.Distinct++
		if hi-lo > most {
			most, s.Commonest = hi-lo, c.At(int(rows[lo]))
		}
		lo = hi
	}
	s.CommonestCount = most
	s.Min, s.Max = c.At(int(rows[0])), c.At(int(rows[len(rows)-1]))
	number := func(i int) float64 {
		if c.kind == FloatKind {
			return keyFloat(keys[i])
		}
		return float64(int64(keys[i] ^ 1<<63))
	}
	s.Bars = bars(len(rows), number)
	if c.kind == TimeKind {
		return
	}
	s.Mean, s.SD = c.Mean(), c.SD()
	for k := range s.Quartiles {
		at := float64(k+1) / 4 * float64(len(rows)-1)
		i := int(at)
		if s.Quartiles[k] = number(i); at > float64(i) {
			s.Quartiles[k] = quantile.Between(number(i), number(i+1), at-float64(i))
		}
	}
	s.remarkNumbers(len(rows), number)
}

// bars counts ascending numbers in twelve ranges of equal width; a small range of integers has one
// bar per integer.
func bars(n int, number func(i int) float64) []float64 {
	lo, hi := number(0), number(n-1)
	if math.IsInf(hi-lo, 0) || math.IsNaN(hi-lo) {
		return nil
	}
	k := 12
	whole := hi-lo < 12
	for i := 0; whole && i < n; i++ {
		whole = number(i) == math.Trunc(number(i))
	}
	if whole {
		k = int(hi-lo) + 1
		lo, hi = lo-0.5, hi+0.5
	}
	counts := make([]float64, k)
	for i := range n {
		b := 0
		if hi > lo {
			b = min(k-1, int(float64(k)*((number(i)-lo)/(hi-lo))))
		}
		counts[b]++
	}
	return counts
}

func (c *Column) describeText(s *ColumnSummary) {
	codes, w := c.coded()
	counts := make([]int, len(w.list))
	for _, k := range codes {
		if k >= 0 {
			counts[k]++
		}
	}
	var used []int32
	for k, n := range counts {
		if n > 0 {
			used = append(used, int32(k))
		}
	}
	s.Distinct = len(used)
	// Find the twelve commonest without sorting all.
	var top []int32
	less := func(a, b int32) int {
		if counts[a] != counts[b] {
			return cmp.Compare(counts[b], counts[a])
		}
		return cmp.Compare(w.list[a], w.list[b])
	}
	for _, k := range used {
		if len(top) == 12 && less(k, top[11]) > 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(top, k, less)
		if top = slices.Insert(top, at, k); len(top) > 12 {
			top = top[:12]
		}
	}
	s.Commonest, s.CommonestCount = w.list[top[0]], counts[top[0]]
	if c.kind == CategoryKind && len(w.list) <= 12 {
		top = upTo(len(w.list))
	}
	for _, k := range top {
		s.Bars = append(s.Bars, float64(counts[k]))
	}
	s.remarkText(c.kind, w.list, used, counts)
}

// duplicates counts the rows that are equal to an earlier row.
func (f *Frame) duplicates() int {
	if f.n == 0 || len(f.cols) == 0 {
		return 0
	}
	hashes := make([]uint64, f.n)
	for _, c := range f.cols {
		c.mixInto(hashes)
	}
	g := groupSparse(hashes)
	if g.n == f.n {
		return 0
	}
	// Equal hashes may be a coincidence, so compare the rows that have them.
	var rows []int32
	counts := g.counts()
	for i, k := range g.id {
		if counts[k] > 1 {
			rows = append(rows, int32(i))
		}
	}
	some := f.take(rows)
	return some.n - some.group("Frame.Describe", some.Names()).n
}

// mixInto mixes the values of the column into the hashes of the rows.
func (c *Column) mixInto(hashes []uint64) {
	var codes []int32
	if c.kind.text() {
		codes, _ = c.coded()
	}
	par.Range(c.n, grain, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			var x uint64
			switch {
			case codes != nil:
				x = uint64(codes[i])
			case c.missing.has(i):
				x = noTwin
			case c.kind == FloatKind:
				x = floatKey(c.floats[i])
			case c.kind == BoolKind && c.bools[i]:
				x = 1
			case c.kind != BoolKind:
				x = uint64(c.ints[i])
			}
			h := (hashes[i] ^ x) * 0x9E3779B97F4A7C15
			hashes[i] = h ^ h>>29
		}
	})
}

// noTwin stands for a missing value in hashes.
const noTwin = 0x7ff8dead12345678

// These constants limit the work on correlations in Describe.
const (
	correlationWork    = 200_000_000 // products
	correlationColumns = 40
	strong             = 0.5
	shownCorrelations  = 5
)

// correlations returns the strongest correlations and the number of rows they are computed from.
func (f *Frame) correlations() ([]Correlation, int) {
	var cols []*Column
	for _, c := range f.cols {
		if (c.kind == FloatKind || c.kind == IntKind) && c.gaps < c.n && len(cols) < correlationColumns {
			cols = append(cols, c)
		}
	}
	pairs := len(cols) * (len(cols) - 1) / 2
	if pairs == 0 {
		return nil, 0
	}
	step := 1 + pairs*f.n/correlationWork
	rows := make([]int32, 0, f.n/step+1)
	for i := 0; i < f.n; i += step {
		rows = append(rows, int32(i))
	}
	for j, c := range cols {
		if step > 1 {
			cols[j] = c.take(rows)
		}
		cols[j] = cols[j].Float()
	}
	type pairOf struct{ a, b *Column }
	var all []pairOf
	for j, a := range cols {
		for _, b := range cols[:j] {
			all = append(all, pairOf{b, a})
		}
	}
	found := make([]Correlation, len(all))
	par.Range(len(all), 1, func(k, _ int) {
		p := all[k]
		found[k] = Correlation{p.a.name, p.b.name, correlation(p.a.floats, p.b.floats)}
	})
	found = slices.DeleteFunc(found, func(c Correlation) bool { return !(math.Abs(c.R) >= strong) })
	slices.SortStableFunc(found, func(a, b Correlation) int { return cmp.Compare(math.Abs(b.R), math.Abs(a.R)) })
	return found[:min(len(found), shownCorrelations)], len(rows)
}

// correlation is Pearson's correlation over the rows in which neither number is NaN.
func correlation(x, y []float64) float64 {
	var n, mx, my float64
	for i, a := range x {
		if b := y[i]; a == a && b == b {
			n++
			mx += a
			my += b
		}
	}
	mx, my = mx/n, my/n
	var xx, yy, xy float64
	for i, a := range x {
		if b := y[i]; a == a && b == b {
			xx += (a - mx) * (a - mx)
			yy += (b - my) * (b - my)
			xy += (a - mx) * (b - my)
		}
	}
	if xx == 0 || yy == 0 {
		return math.NaN()
	}
	return max(-1, min(1, xy/math.Sqrt(xx*yy)))
}

// epoch is the time that programs write for a missing time.
var epoch = time.Unix(0, 0)
