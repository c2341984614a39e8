package advice

import (
	"slices"
	"strings"
	"unicode"
)

// closest returns the name most similar to the misspelled one, if any is similar enough to be
// meant.
func closest(name string, names []string) string {
	if len(name) < 2 {
		if i := slices.IndexFunc(names, func(n string) bool { return n != name && strings.EqualFold(n, name) }); i >= 0 {
			return names[i]
		}
		return ""
	}
	best, bestDist := "", 2+(len(name)-1)/4
	for _, n := range names {
		d := 0
		if a, b := strings.ToLower(name), strings.ToLower(n); a != b {
			d = distance(a, b, bestDist+1)
			if d > 1 && a[0] != b[0] && !strings.HasSuffix(a, b) && !strings.HasSuffix(b, a) {
				continue // few people mistype the first letter and another one
			}
		}
		if n != name && (d < bestDist || d == bestDist && best != "" && n < best) {
			best, bestDist = n, d
		}
	}
	return best
}

// distance returns the number of insertions, deletions, changes and swaps of neighbors between two
// words, or limit if the number is not smaller.
func distance(a, b string, limit int) int {
	if d := len(a) - len(b); d >= limit || -d >= limit {
		return limit
	}
	prev2 := make([]int, len(b)+1)
	prev := make([]int, len(b)+1)
	cur := make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return min(prev[len(b)], limit)
}

// related returns the name with the most letters in shared words, for a name without a near match.
// All words of the shorter name must occur in the longer one, as in GridSearch and Search.
func related(name string, names []string) string {
	given := words(name)
	best, most := "", 0
	for _, n := range names {
		have := words(n)
		shared, letters := 0, 0
		for _, w := range have {
			for _, g := range given {
				if g == w {
					shared++
					letters += len(w)
					break
				}
			}
		}
		if letters < 4 || shared < min(len(given), len(have)) {
			continue
		}
		// Of names with the same words in common, prefer the one with the fewest other words.
		if score := letters*100 - len(n); score > most || score == most && n < best {
			best, most = n, score
		}
	}
	return best
}

// words returns the parts of a name in lower case: mean_squaredError has three. Consecutive
// capitals are one word, except that the last one begins a new word if a lower-case letter follows:
// RMSEOf has two.
func words(name string) []string {
	var list []string
	start := 0
	r := []rune(name)
	end := func(i int) {
		if i > start {
			list = append(list, strings.ToLower(string(r[start:i])))
		}
		start = i
	}
	for i, c := range r {
		switch {
		case c == '_':
			end(i)
			start = i + 1
		case unicode.IsUpper(c) && i > 0 && (!unicode.IsUpper(r[i-1]) || i+1 < len(r) && unicode.IsLower(r[i+1])):
			end(i)
		}
	}
	end(len(r))
	return list
}
