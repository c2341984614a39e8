package ssa_test

import (
	"strings"
	"testing"

	"github.com/gokernel/gokernel/interp/engine"
)

// The source of a generic function and the cell that calls it can use different functions of the
// same package, and a later cell can instantiate a generic function of an earlier cell.
func TestGenericsAndOtherFunctionsOfAPackage(t *testing.T) {
	s := newSession(t, engine.Hooks{})
	s.want(`import ("math/bits"; "slices"); func main() { v := []int{3, 1, 2}; slices.Sort(v); print(bits.LeadingZeros64(4), v[0]) }`, "611")
	s.want(`import "strings"; func p[T any](x T, f func(T) string) string { return strings.ToUpper(f(x)) }`, "")
	for range 2 {
		s.want(`import "strings"; func main() { print(p(2, func(n int) string { return strings.Repeat("a", n) })) }`, "AA")
	}
	s.want(`import "math/rand/v2"; type kilo int32; func main() { print(rand.N(1), rand.N(kilo(1)), rand.N(uint8(200)) < 200) }`, "00true")
	s.want(`import "math/rand/v2"; func main() { defer func() { print(recover().(string)) }(); rand.N(0) }`, "invalid argument to N")
	s.want(`import "hash/maphash"; type p struct{ a, b int }; func main() { s := maphash.MakeSeed(); print(maphash.Comparable(s, p{1, 2}) == maphash.Comparable(s, p{1, 2})) }`, "true")
}

// A cell on which go/ssa panics returns an error and does not affect later cells.
func TestPanicWhileBuilding(t *testing.T) {
	s := newSession(t, engine.Hooks{})
	s.want(`import "strings"; func g[T any](x T) string { return strings.ToUpper("a") }`, "")
	remember := s.e.Unlearn("strings")
	func() {
		defer func() {
			if recover() == nil {
				t.Error("nothing has panicked")
			}
		}()
		_, _ = s.compile(`func main() { print(g(1.5)) }`)
	}()
	remember()
	s.want(`func main() { print(g(1.5)) }`, "A")
	s.want(`import "slices"; func main() { v := []string{"b", "a"}; slices.Sort(v); print(v[0]) }`, "a")
}

// A shift by a negative count panics, even when the count is constant.
func TestNegativeShift(t *testing.T) {
	s := newSession(t, engine.Hooks{})
	for _, src := range []string{
		`n := -3; print(1 << n)`, `n := -3; x := uint64(1); x <<= n; print(x)`, `n := -3; x := 8; x >>= n; print(x)`,
		`n := int8(-1); x := uint8(8); _ = x >> n`, `var n any = -1; x := 1; print(x << n.(int))`,
	} {
		_, err := s.run(t.Context(), `func main() { `+src+` }`)
		if err == nil || !strings.Contains(err.Error(), "runtime error: negative shift amount") {
			t.Errorf("%s: ended with %v", src, err)
		}
	}
}

// Types that refer to each other can share a named array type.
func TestNamedArraysInRecursiveTypes(t *testing.T) {
	newSession(t, engine.Hooks{}).want(`import "fmt"
type id [2]byte
type none [0]func()
type user struct { ID id; None none; Org *org }
type org struct { ID id; None none; Users []user; By map[id]*user }
func (i id) String() string { return fmt.Sprintf("%x", i[:]) }
func main() {
	o := &org{ID: id{1, 2}}
	o.Users = append(o.Users, user{ID: id{3, 4}, Org: o})
	o.By = map[id]*user{o.Users[0].ID: &o.Users[0]}
	fmt.Println(o.Users[0].Org.ID, o.By[id{3, 4}].ID, len(o.None), any(o.ID) == any(id{1, 2}))
	fmt.Printf("%T %v\n", o.By, o.Users[0].ID[1])
}`, "0102 0304 0 true\nmap[main.id]*main.user 4")
}
