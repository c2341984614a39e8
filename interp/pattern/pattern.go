// Package pattern provides regular expressions that are compiled at their first use. About forty of
// them match mistakes in cells and a few messages, and a session never needs most of them.
// Compiling all of them would take a significant part of the kernel's start time.
package pattern

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression. It is safe for concurrent use.
type Pattern struct{ compiled func() *regexp.Regexp }

// New returns the pattern of an expression in the syntax of package regexp. If the expression is
// invalid, the first use panics.
func New(expr string) *Pattern {
	return &Pattern{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })}
}

// MatchString reports whether s contains a match.
func (p *Pattern) MatchString(s string) bool { return p.compiled().MatchString(s) }

// FindString returns the leftmost match in s, or "" if there is none.
func (p *Pattern) FindString(s string) string { return p.compiled().FindString(s) }

// FindStringSubmatch returns the leftmost match in s and the matches of its groups, or nil if there
// is none.
func (p *Pattern) FindStringSubmatch(s string) []string { return p.compiled().FindStringSubmatch(s) }

// ReplaceAllString returns s with its matches replaced, like [regexp.Regexp.ReplaceAllString].
func (p *Pattern) ReplaceAllString(s, by string) string { return p.compiled().ReplaceAllString(s, by) }

// FindAllStringSubmatch returns all matches in s with the matches of their groups.
func (p *Pattern) FindAllStringSubmatch(s string) [][]string {
	return p.compiled().FindAllStringSubmatch(s, -1)
}
