// Package pattern has regular expressions that are compiled when they are first
// used. Cells with mistakes, and a few messages, are matched with some forty of them,
// most of which a session never needs: to compile them all would take a good part of
// the time in which a kernel starts.
package pattern

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression. It is safe for concurrent use.
type Pattern struct{ compiled func() *regexp.Regexp }

// New returns the pattern of an expression in the syntax of package regexp.
// Where the expression is wrong, the first use panics.
func New(expr string) *Pattern {
	return &Pattern{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })}
}

// MatchString reports whether s contains a match.
func (p *Pattern) MatchString(s string) bool { return p.compiled().MatchString(s) }

// FindString returns the leftmost match in s, "" when there is none.
func (p *Pattern) FindString(s string) string { return p.compiled().FindString(s) }

// FindStringSubmatch returns the leftmost match in s and those of its groups,
// nil when there is none.
func (p *Pattern) FindStringSubmatch(s string) []string { return p.compiled().FindStringSubmatch(s) }

// ReplaceAllString returns s with its matches replaced, as
// [regexp.Regexp.ReplaceAllString] does it.
func (p *Pattern) ReplaceAllString(s, by string) string { return p.compiled().ReplaceAllString(s, by) }

// FindAllStringSubmatch is that of the regular expression, for all matches.
func (p *Pattern) FindAllStringSubmatch(s string) [][]string {
	return p.compiled().FindAllStringSubmatch(s, -1)
}
