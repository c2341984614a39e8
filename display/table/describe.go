package table

import (
	"fmt"
	"math"
	"sort"
	"strings"
)

// histogramColumn is the name of the column with the small histograms.
const histogramColumn = "distribution"

// Describe summarizes the columns of the data. Each column becomes a row with a small histogram,
// the number of values, and the number of missing values, if any. For numbers, the row has the
// mean, the standard deviation (with divisor n-1), the minimum, the quartiles (by linear
// interpolation) and the maximum. For names, it has the number of distinct values and the most
// common value. Describe accepts the data that [New] accepts, and tables.
func Describe(data any) *Table {
	t, ok := data.(*Table)
	if !ok {
		t = New(data)
	}
	out := newTable(nil, t.err)
	if t.err != nil {
		return out
	}
	n := len(t.columns)
	summaries := make([]summary, n)
	for i, c := range t.columns {
		summaries[i] = summarize(c)
	}
	anyText, anyNumber, anyMissing := false, false, false
	for _, s := range summaries {
		anyText = anyText || !s.numeric && s.count > 0
		anyNumber = anyNumber || s.numeric
		anyMissing = anyMissing || s.missing > 0
	}
	add := func(name string, at func(s summary) cell) {
		out.columns = append(out.columns, column{name: name, n: n, at: func(i int) cell { return at(summaries[i]) }})
	}
	add("column", func(s summary) cell { return cell{text: s.name} })
	add(histogramColumn, func(s summary) cell { return cell{text: s.histogram, missing: s.histogram == ""} })
	if anyMissing {
		add("count", func(s summary) cell { return numberCell(float64(s.count)) })
		add("missing", func(s summary) cell { return numberCell(float64(s.missing)) })
	}
	if anyNumber {
		for k, name := range []string{"mean", "sd", "min", "25 %", "median", "75 %", "max"} {
			add(name, func(s summary) cell {
				if !s.numeric {
					return cell{missing: true}
				}
				return numberCell(s.stats[k])
			})
			// Each row is formatted separately.
			last := &out.columns[len(out.columns)-1]
			last.format = compact
		}
	}
	if anyText {
		add("distinct", func(s summary) cell { return numberCell(float64(s.distinct)) })
		add("commonest", func(s summary) cell { return cell{text: s.commonest, missing: s.commonest == ""} })
	}
	out.limit = 0
	out.caption = fmt.Sprintf("%s × %s", plural(t.rows(), "row"), plural(n, "column"))
	return out
}

type summary struct {
	name           string
	count, missing int
	numeric        bool
	stats          [7]float64 // mean, sd, min, quartiles, max
	distinct       int
	commonest      string
	histogram      string
}

func summarize(c column) summary {
	s := summary{name: c.name, numeric: true}
	if c.unit != "" {
		s.name += " (" + c.unit + ")"
	}
	var v []float64
	seconds := true
	for i := range c.n {
		x := c.at(i)
		if x.missing {
			s.missing++
			continue
		}
		s.count++
		s.numeric = s.numeric && x.numeric
		seconds = seconds && x.length
		if s.numeric {
			v = append(v, x.number)
		}
	}
	if s.count == 0 {
		s.numeric = false
		return s
	}
	if !s.numeric {
		counts := map[string]int{}
		for i := range c.n {
			if x := c.at(i); !x.missing {
				counts[x.text]++
			}
		}
		s.distinct = len(counts)
		names := make([]string, 0, len(counts))
		for name := range counts {
			names = append(names, name)
		}
		sort.Slice(names, func(i, j int) bool {
			if counts[names[i]] != counts[names[j]] {
				return counts[names[i]] > counts[names[j]]
			}
			return names[i] < names[j]
		})
		s.commonest = fmt.Sprintf("%s (%d)", names[0], counts[names[0]])
		var bars []float64
		for _, name := range names[:min(len(names), 12)] {
			bars = append(bars, float64(counts[name]))
		}
		s.histogram = Blocks(bars)
		return s
	}
	if seconds {
		s.name += " (s)"
	}
	sort.Float64s(v)
	for i, x := range v {
		if i == 0 || x != v[i-1] {
			s.distinct++
		}
	}
	n := float64(len(v))
	// Two passes, because the sum of squares about the mean does not lose digits.
	mean := 0.0
	for _, x := range v {
		mean += x / n
	}
	ss := 0.0
	for _, x := range v {
		ss += (x - mean) * (x - mean)
	}
	q := func(p float64) float64 {
		h := p * (n - 1)
		i := int(h)
		if i+1 >= len(v) {
			return v[len(v)-1]
		}
		return v[i] + (h-float64(i))*(v[i+1]-v[i])
	}
	s.stats = [7]float64{mean, math.Sqrt(ss / (n - 1)), v[0], q(0.25), q(0.5), q(0.75), v[len(v)-1]}
	s.histogram = histogram(v)
	return s
}

// histogram draws sorted numbers in twelve bins, or in one bin per value for a few whole numbers.
func histogram(v []float64) string {
	lo, hi := v[0], v[len(v)-1]
	if math.IsInf(hi-lo, 0) {
		return ""
	}
	bins := 12
	whole := hi-lo < 12
	for _, x := range v {
		if whole = whole && x == math.Trunc(x); !whole {
			break
		}
	}
	if whole {
		bins = int(hi-lo) + 1
		lo, hi = lo-0.5, hi+0.5
	}
	counts := make([]float64, bins)
	for _, x := range v {
		k := 0
		if hi > lo {
			k = min(bins-1, int(float64(bins)*(x-lo)/(hi-lo)))
		}
		counts[k]++
	}
	return Blocks(counts)
}

// Blocks draws heights as block characters; the largest is a full block. In a column named
// "distribution", the blocks are colored.
func Blocks(heights []float64) string {
	largest := 0.0
	for _, h := range heights {
		largest = math.Max(largest, h)
	}
	levels := []rune("▁▂▃▄▅▆▇█")
	var b strings.Builder
	for _, h := range heights {
		switch {
		case h == 0:
			b.WriteByte(' ')
		default:
			b.WriteRune(levels[min(7, int(math.Ceil(8*h/largest))-1)])
		}
	}
	return strings.ReplaceAll(b.String(), " ", "\u2007")
}
