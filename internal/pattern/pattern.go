// Package pattern provides regular expressions that are compiled at their first use. The program
// has about a hundred regular expressions, for mistakes in cells, for notebooks and for web pages.
// A session needs few of them, and compiling all would take a significant part of the kernel's
// start time and memory.
package pattern

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression. It is safe for concurrent use.
type Pattern func() *regexp.Regexp

// New returns the pattern of an expression in the syntax of package regexp. If the expression is
// invalid, the first use panics.
func New(expr string) Pattern {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
