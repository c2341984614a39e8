package checkpoint

import (
	"fmt"
	"strings"
)

// Describe returns one line about the contents of the session and the time it was saved.
func (s *Session) Describe() string {
	text := s.Contents()
	if s.Cell > 0 {
		text += fmt.Sprintf(", as they were after cell [%d]", s.Cell)
	}
	return text
}

// Contents returns how much of each kind the session contains.
func (s *Session) Contents() string {
	counts := map[string]int{}
	for _, d := range s.Declarations {
		counts[d.Kind]++
	}
	var parts []string
	add := func(n int, what string) {
		switch {
		case n == 1:
			parts = append(parts, "1 "+what)
		case n > 1:
			parts = append(parts, fmt.Sprintf("%d %ss", n, what))
		}
	}
	add(len(s.Variables), "variable")
	add(counts["type"], "type")
	add(counts["const"], "constant")
	add(counts["func"], "function")
	if len(parts) == 0 {
		parts = []string{"nothing"}
	}
	text := strings.Join(parts, ", ")
	if n := len(parts); n > 1 {
		text = strings.Join(parts[:n-1], ", ") + " and " + parts[n-1]
	}
	return text
}
