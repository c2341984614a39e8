package par_test

import (
	"testing"

	"github.com/gokernel/gokernel/mlstd/internal/par"
)

func TestRangeCoversEachIndexOnce(t *testing.T) {
	for _, n := range []int{0, 1, 7, 8, 9, 1000} {
		seen := make([]int, n)
		par.Range(n, 8, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				seen[i]++
			}
		})
		for i, c := range seen {
			if c != 1 {
				t.Fatalf("n=%d: index %d visited %d times", n, i, c)
			}
		}
	}
}

func TestRangePassesPanicOn(t *testing.T) {
	defer func() {
		if r := recover(); r != "boom" {
			t.Errorf("got %v, want boom", r)
		}
	}()
	par.Range(100, 1, func(lo, _ int) {
		if lo == 50 {
			panic("boom")
		}
	})
}
