package frame

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// standIns are numbers that are often written for a missing value.
var standIns = []float64{-1, -9, -99, -999, -9999, -99999, 99, 999, 9999, 99999, 999999}

// noWords are words, in lower case, that are often written for a missing value.
var noWords = []string{"na", "n/a", "nan", "null", "none", "nil", "missing", "unknown", "-", "?", "."}

// far is the distance of an extreme from the nearer quartile, in interquartile ranges, above which
// it gets a remark.
const far = 10

func (s *ColumnSummary) remark(format string, args ...any) {
	s.Remarks = append(s.Remarks, fmt.Sprintf(format, args...))
}

// remarks returns possible problems of a column of any kind.
func (s *ColumnSummary) remarks() []string {
	var out []string
	switch {
	case s.Count == 0:
		return []string{"all values are missing"}
	case s.Missing > s.Count:
		out = append(out, fmt.Sprintf("%.0f %% missing", 100*float64(s.Missing)/float64(s.Missing+s.Count)))
	}
	if s.Distinct == 1 && s.Count > 1 {
		out = append(out, "constant")
	}
	if s.Distinct == s.Count && s.Count > 20 && (s.Kind == IntKind || s.Kind == StringKind) {
		out = append(out, "all distinct: an identifier?")
	}
	if t, ok := s.Commonest.(time.Time); ok && t.Equal(epoch) && s.CommonestCount > 1 {
		out = append(out, fmt.Sprintf("1970-01-01 occurs %d times: meant as missing?", s.CommonestCount))
	}
	return out
}

// remarkNumbers adds remarks on n ascending numbers.
func (s *ColumnSummary) remarkNumbers(n int, number func(i int) float64) {
	low, high := number(0), number(n-1)
	if math.IsInf(low, 0) || math.IsInf(high, 0) {
		infinite := 0
		for i := 0; i < n && math.IsInf(number(i), -1); i++ {
			infinite++
		}
		for i := n - 1; i >= 0 && math.IsInf(number(i), 1); i-- {
			infinite++
		}
		s.remark("%s", plural(infinite, "infinite value"))
		return
	}
	write := func(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
	spread := s.Quartiles[2] - s.Quartiles[0]
	for _, end := range []struct {
		value, beyond float64
		name          string
		step          int
	}{{low, s.Quartiles[0] - low, "least", 1}, {high, high - s.Quartiles[2], "greatest", -1}} {
		same, i := 0, 0
		if end.step < 0 {
			i = n - 1
		}
		for ; i >= 0 && i < n && number(i) == end.value; i += end.step {
			same++
		}
		apart := i >= 0 && i < n && math.Abs(end.value-number(i)) > 2*spread
		switch {
		case apart && same > 1 && slices.Contains(standIns, end.value):
			s.remark("%s occurs %d times, away from the rest: meant as missing?", write(end.value), same)
		case spread > 0 && end.beyond > far*spread:
			s.remark("the %s value, %s, is far from the rest", end.name, write(end.value))
		}
	}
}

// remarkText adds remarks on the words that occur in a column.
func (s *ColumnSummary) remarkText(kind Kind, words []string, used []int32, counts []int) {
	if kind == CategoryKind {
		if rest := len(words) - len(used); rest > 0 {
			s.remark("%s never %s", plural(rest, "level"), map[bool]string{true: "occurs", false: "occur"}[rest == 1])
		}
	}
	edges, empty := 0, 0
	numbers, times := len(used) > 0 && kind == StringKind, len(used) > 0 && kind == StringKind
	lower := make(map[string]int32)
	twins := ""
	for _, k := range used {
		w := words[k]
		if w == "" {
			empty += counts[k]
			continue
		}
		if w[0] == ' ' || w[len(w)-1] == ' ' || strings.TrimSpace(w) != w {
			edges += counts[k]
		}
		if numbers {
			_, err := strconv.ParseFloat(strings.TrimSpace(w), 64)
			numbers = err == nil
		}
		if times {
			_, _, err := readTime(w, time.UTC)
			times = err == nil && len(w) >= len("2006-01")
		}
		if len(used) <= mostTwins && twins == "" {
			l := strings.ToLower(strings.TrimSpace(w))
			if other, ok := lower[l]; ok {
				twins = fmt.Sprintf("%q and %q differ only in case or space", words[other], w)
			}
			lower[l] = k
		}
		if len(w) <= 7 && slices.Contains(noWords, strings.ToLower(w)) {
			s.remark("%q occurs %d times: meant as missing?", w, counts[k])
		}
	}
	switch {
	case empty == s.Count:
	case numbers:
		s.remark("numbers as text; Parse makes them numbers")
	case times:
		s.remark("times as text; ParseTime makes them times")
	}
	if empty > 0 {
		s.remark("%s", plural(empty, "empty string"))
	}
	if edges > 0 {
		s.remark("%s with space at an end; Trim removes it", plural(edges, "value"))
	}
	if twins != "" {
		s.remark("%s", twins)
	}
}

// mostTwins is the maximum number of words among which Describe searches for words that differ only
// in case.
const mostTwins = 100_000
