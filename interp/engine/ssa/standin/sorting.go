package standin

import (
	"sort"
)

// Functions of package sort call their argument very often, on the goroutine of the caller. They
// get an argument that enters the interpreted function without decoding registers.

// sorting returns the overrides of those functions.
func (s *Set) sorting() map[string]any {
	return map[string]any{
		"sort.Slice": func(x any, less func(i, j int) bool) { sort.Slice(x, s.m.Direct2(less)) },
		"sort.SliceStable": func(x any, less func(i, j int) bool) {
			sort.SliceStable(x, s.m.Direct2(less))
		},
		"sort.SliceIsSorted": func(x any, less func(i, j int) bool) bool {
			return sort.SliceIsSorted(x, s.m.Direct2(less))
		},
		"sort.Search": func(n int, f func(i int) bool) int { return sort.Search(n, s.m.Direct1(f)) },
	}
}
