package ssa_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/interp/engine"
)

// If a panic prevents a result from being set, the result is zero, whatever an earlier call left in
// the frame.
func TestResultsThatWereNotSet(t *testing.T) {
	newSession(t, engine.Hooks{}).want(`
import ("errors"; "fmt")
type pair struct{ a, b int }
type mixed struct { name string; at pair; next *mixed }
var rows = []mixed{{"x", pair{1, 2}, nil}, {"y", pair{3, 4}, nil}}
func initialized(n int, fail bool) (p pair, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("recovered")
		}
	}()
	p = pair{n, n}
	if fail {
		p = explode()
	}
	return p, nil
}
func explode() pair { panic("boom") }
func unset(i int) (p mixed, ok bool) {
	defer func() { ok = recover() != nil }()
	p = rows[i]
	return p, false
}
func computed(n int) (p pair) {
	defer func() { recover() }()
	p = pair{1, 6 / n}
	return p
}
func main() {
	fmt.Println(initialized(3, false))
	fmt.Println(initialized(4, true))
	fmt.Println(unset(1))
	fmt.Println(unset(2))
	fmt.Println(computed(2), computed(0))
}`, `{3 3} <nil>
{4 4} recovered
{y {3 4} <nil>} false
{ {0 0} <nil>} true
{1 3} {0 0}`)
}

func TestRangeOverBrokenText(t *testing.T) {
	newSession(t, engine.Hooks{}).want(`
import "fmt"
func main() {
	for i, r := range "a\xff\xc3ñ" {
		fmt.Print(i, ":", r, " ")
	}
	fmt.Println()
}`, "0:97 1:65533 2:65533 3:241 ")
}

// The time to compile an expression does not double with each index in it.
func TestDeepIndexing(t *testing.T) {
	const depth = 100
	newSession(t, engine.Hooks{}).want(fmt.Sprintf(`
import "fmt"
func main() {
	var x %sint
	defer func() { fmt.Println(recover()) }()
	fmt.Println(x%s)
}`, strings.Repeat("[]", depth), strings.Repeat("[0]", depth)), "runtime error: index out of range [0] with length 0")
}
