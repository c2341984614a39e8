// Package spelling finds common misspellings and British forms in the English text of notebooks. It
// has a list of wrong words only, so it never reports names and technical terms, and misses rare
// misspellings.
package spelling

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/gokernel/gokernel/internal/pattern"
)

// packed contains a wrong word, a tab and the right one in each line. The words are the general and
// the American list of single words of github.com/golangci/misspell 0.8.0; the license is beside
// them.
//
//go:embed words.txt.gz
var packed []byte

// words returns a map from misspelled words to correct words.
var words = sync.OnceValues(func() (map[string]string, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("spelling: the word list can't be read: %w", err)
	}
	list := map[string]string{}
	lines := bufio.NewScanner(z)
	for lines.Scan() {
		wrong, right, _ := strings.Cut(lines.Text(), "\t")
		list[wrong] = right
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("spelling: the word list can't be read: %w", err)
	}
	return list, nil
})

// Fault is a misspelled word.
type Fault struct{ Word, Right string }

var (
	// apart matches parts that are not English text: code, formulas, addresses, HTML, and names of
	// files.
	apart = pattern.New("(?s)```.*?```|`[^`\n]*`|\\$\\$.*?\\$\\$|\\$[^$\n]*\\$|\\]\\([^)]*\\)|<[^>]*>|https?://\\S+|[\\w/.-]+\\.\\w+")
	word  = pattern.New(`[\p{L}']+`)
	// reference matches references, in which titles of books and papers keep their spelling.
	reference = pattern.New(`(?m)^- [A-Z].*\b(?:1[6-9]|20)\d\d\b.*$`)
)

// never lists words that are a mistake if they appear twice in a row.
var never = strings.Fields("a an at by for from in of on the to with")

// Check returns the misspellings of a Markdown text in order, each once.
func Check(text string) ([]Fault, error) {
	list, err := words()
	if err != nil {
		return nil, err
	}
	text = reference().ReplaceAllString(text, " ")
	text = apart().ReplaceAllString(text, " . ")
	seen := map[string]bool{}
	var faults []Fault
	add := func(wrong, right string) {
		if !seen[wrong] {
			seen[wrong] = true
			faults = append(faults, Fault{wrong, right})
		}
	}
	last, end := "", 0
	for _, at := range word().FindAllStringIndex(text, -1) {
		w := text[at[0]:at[1]]
		low := strings.ToLower(w)
		if low == last && slices.Contains(never, low) && strings.TrimSpace(text[end:at[0]]) == "" {
			add(low+" "+low, low)
		}
		last, end = low, at[1]
		right, ok := list[low]
		if !ok || w != low && strings.ToUpper(w[:1])+low[1:] != w {
			continue // a name, such as a variable in capitals
		}
		if w != low {
			right = strings.ToUpper(right[:1]) + right[1:]
		}
		add(w, right)
	}
	return faults, nil
}
