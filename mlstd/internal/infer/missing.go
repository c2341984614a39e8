package infer

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// shownNames is the number of columns that a note on missing values lists.
const shownNames = 5

// MissingNotes returns notes on the texts that were read as missing values, with the frequency and
// the columns of each text. misses[j] has the count of each such text in the column names[j].
func MissingNotes(names []string, misses []map[string]int) []string {
	where, count := map[string][]string{}, map[string]int{}
	for j, name := range names {
		for word, n := range misses[j] {
			count[word] += n
			where[word] = append(where[word], strconv.Quote(name))
		}
	}
	var notes []string
	for _, word := range slices.Sorted(maps.Keys(count)) {
		in := where[word]
		if rest := len(in) - shownNames; rest > 0 {
			in = append(in[:shownNames:shownNames], fmt.Sprintf("%d more", rest))
		}
		times := "once"
		if count[word] > 1 {
			times = fmt.Sprintf("%d times", count[word])
		}
		notes = append(notes, fmt.Sprintf("%q stands for a missing value %s, in %s", word, times, strings.Join(in, ", ")))
	}
	return notes
}
