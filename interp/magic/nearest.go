package magic

import "strings"

// nearest returns the magic whose name differs from a misspelled one by a letter, or by two swapped
// letters. It returns "" if there is none.
func nearest(name string, known []string, prefix string) string {
	for _, k := range known {
		if near(name, strings.TrimPrefix(k, prefix)) {
			return k
		}
	}
	return ""
}

func near(a, b string) bool {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	a, b = a[i:], b[i:]
	j := 0
	for j < len(a) && j < len(b) && a[len(a)-1-j] == b[len(b)-1-j] {
		j++
	}
	a, b = a[:len(a)-j], b[:len(b)-j]
	swapped := len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0]
	return i+j >= 2 && (swapped || len(a) <= 1 && len(b) <= 1)
}
