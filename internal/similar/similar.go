// Package similar finds the name that a user has misspelled.
package similar

import "strings"

// Nearest returns the first of the names that are most similar to the wanted one, or "" if none is
// similar: at most a third of the letters may differ.
func Nearest(want string, names []string) string {
	best, least := "", -1
	for _, s := range names {
		d := distance(strings.ToLower(want), strings.ToLower(s))
		if 3*d <= max(len(want), len(s)) && (least < 0 || d < least) {
			best, least = s, d
		}
	}
	return best
}

// distance returns the number of letters to insert, delete or change to turn a into b.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		diagonal := row[0]
		row[0] = i + 1
		for j := range y {
			change := diagonal
			if x[i] != y[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(y)]
}
