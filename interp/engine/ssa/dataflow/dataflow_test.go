package dataflow

import (
	"slices"
	"testing"
)

func set(n int, members ...int) Set {
	s := NewSet(n)
	for _, m := range members {
		s.Add(m)
	}
	return s
}

func TestSet(t *testing.T) {
	s := set(130, 0, 63, 64, 129)
	if got := slices.Collect(s.All); !slices.Equal(got, []int{0, 63, 64, 129}) {
		t.Errorf("the members are %v", got)
	}
	for range s.All { // a loop that stops early
		break
	}
	c := s.Clone()
	if c.Remove(63); !s.Has(63) || c.Has(63) {
		t.Error("a copy shares its members")
	}
	if s.Union(c) {
		t.Error("a union with a subset grew")
	}
	if !c.Union(set(130, 5)) || !c.Has(5) {
		t.Error("a union with another member did not grow")
	}
	if c.RemoveAll(s); !slices.Equal(slices.Collect(c.All), []int{5}) {
		t.Errorf("what is left is %v", slices.Collect(c.All))
	}
}

// TestLiveInALoop: block 0 sets a and b. Block 1 is the header of a loop and reads b. Block 2 is
// the loop's body; it reads a and sets b. Block 3 returns b. Exercise 9.2.5 of Aho, Lam, Sethi and
// Ullman is of this form.
func TestLiveInALoop(t *testing.T) {
	const a, b = 0, 1
	successors := [][]int{{1}, {2, 3}, {1}, nil}
	def := []Set{set(2, a, b), set(2), set(2, b), set(2)}
	use := []Set{set(2), set(2, b), set(2, a), set(2, b)}
	in, out := Sets(4, 2), Sets(4, 2)
	Live([]int{0, 1, 2, 3}, func(i int) []int { return successors[i] }, in, out, func(i int, live Set) {
		live.RemoveAll(def[i])
		live.Union(use[i])
	})
	wantIn, wantOut := [][]int{nil, {a, b}, {a}, {b}}, [][]int{{a, b}, {a, b}, {a, b}, nil}
	for i := range in {
		if got := slices.Collect(in[i].All); !slices.Equal(got, wantIn[i]) {
			t.Errorf("at the start of block %d %v are live, want %v", i, got, wantIn[i])
		}
		if got := slices.Collect(out[i].All); !slices.Equal(got, wantOut[i]) {
			t.Errorf("at the end of block %d %v are live, want %v", i, got, wantOut[i])
		}
	}
}
