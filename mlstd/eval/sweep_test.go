package eval

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestSweep(t *testing.T) {
	seeds := map[uint64]int{}
	s := NewSweep("k", []float64{1, 2, 4}, 3, func(k float64, seed uint64) Scores {
		seeds[seed]++
		return Scores{"test": k + float64(seed), "training": k}
	})
	if got := fmt.Sprint(s.Series, seeds); got != "[test training] map[1:3 2:3 3:3]" {
		t.Errorf("series and seeds are %s", got)
	}
	if got := fmt.Sprint(s.Mean("test"), s.Mean("training"), s.StdErr("training")); got != "[3 4 6] [1 2 4] [0 0 0]" {
		t.Errorf("means are %s", got)
	}
	if e := s.StdErr("test")[0]; math.Abs(e-1/math.Sqrt(3)) > 1e-15 { // 1, 2, 3 have the standard deviation 1
		t.Errorf("standard error %v", e)
	}
}

func TestSweepOrder(t *testing.T) {
	s := NewSweep("k", []float64{1, 2}, 1, func(k float64, _ uint64) Scores { return Scores{"a": k, "b": 2 * k, "c": 3 * k} })
	if got := s.Order("c"); got != s || fmt.Sprint(s.Series, s.Runs, s.Mean("a"), s.Mean("c")) != "[c a b] [[[3] [6]] [[1] [2]] [[2] [4]]] [1 2] [3 6]" {
		t.Errorf("got %v %v", s.Series, s.Runs)
	}
	for _, names := range [][]string{{"d"}, {"a", "a"}} {
		func() {
			defer func() {
				if recover() == nil || fmt.Sprint(s.Series) != "[c a b]" {
					t.Errorf("Order(%q) was accepted: %q", names, s.Series)
				}
			}()
			s.Order(names...)
		}()
	}
}

func TestSweepRefuses(t *testing.T) {
	one := func(float64, uint64) Scores { return Scores{"a": 1} }
	for want, run := range map[string]func(){
		"0 values": func() { NewSweep("k", nil, 3, one) },
		"there must be at least one value and one repeat, and the function must not": func() { NewSweep("k", []float64{1}, 0, one) },
		"value 1 must be finite, got NaN":                                            func() { NewSweep("k", []float64{1, math.NaN()}, 1, one) },
		`no series "b"`:                                                              func() { NewSweep("k", []float64{1}, 1, one).Mean("b") },
		`all runs must return scores with the same names, but the run with k = 1 and seed 2`: func() {
			NewSweep("k", []float64{1}, 2, func(_ float64, seed uint64) Scores { return Scores{fmt.Sprint(seed): 1} })
		},
		"all runs must return scores with the same names, but the run with k = 2 and seed 1": func() {
			NewSweep("k", []float64{1, 2}, 1, func(v float64, _ uint64) Scores { return Scores{"a": 1}.only(v < 2) })
		},
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, want) {
					t.Errorf("got %s, want %s", got, want)
				}
			}()
			run()
		}()
	}
}

// only returns s if keep is set, and nil otherwise.
func (s Scores) only(keep bool) Scores {
	if keep {
		return s
	}
	return nil
}
