package ssa_test

import (
	_ "embed"
	"fmt"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/interp/engine"
)

//go:embed capacity_test.go
var capacitySource string

// begin: what follows is compiled, and is a cell

type capacities struct{ list []int }

func (c *capacities) add(n int) { c.list = append(c.list, n) }

type runes []rune

var kept []rune

func past(r []rune) string { return string(r[:min(cap(r), 9)]) }

func fill(b []byte) int {
	b[0] = 'x'
	return cap(b)
}

func capacitiesOf(short, long string) []int {
	var c capacities
	r := []rune(short)
	c.add(cap(r))
	c.add(len(past([]rune(short))))
	for _, x := range r[:7] {
		c.add(int(x))
	}
	rest := runes(short)[1:]
	c.add(cap(rest))
	for len(rest) > 1 {
		rest = rest[1:]
	}
	c.add(cap(rest))
	c.add(cap([]rune(long)))
	kept = []rune(short)
	c.add(cap(kept))
	constant := []rune("h\u00e9llo")
	c.add(cap(constant))
	bytes := []byte("hello")
	bytes[0] = 'x'
	c.add(cap(bytes))
	changed := []byte(short)
	changed[0]++
	c.add(cap(changed))
	c.add(fill([]byte(short)))
	c.add(cap(append([]byte(short), 'x')))
	c.add(cap(append([]rune(short), 'x')))
	many := []byte(long)
	clear(many)
	c.add(cap(many))
	return c.list
}

// end

// Slices converted from strings have the same capacities as in compiled Go.
func TestCapacitiesOfConversions(t *testing.T) {
	_, src, _ := strings.Cut(capacitySource, "// begin: what follows is compiled, and is a cell\n")
	src, _, _ = strings.Cut(src, "// end\n")
	short, long := "abc", strings.Repeat("abc", 20)
	want := fmt.Sprint(capacitiesOf(short, long))
	newSession(t, engine.Hooks{}).want(fmt.Sprintf("import \"fmt\"\n%s\nfunc main() { fmt.Println(capacitiesOf(%q, %q)) }", src, short, long), want)
}
