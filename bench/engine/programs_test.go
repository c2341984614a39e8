package main

import (
	"go/format"
	"testing"
)

// Each program is formatted Go and has a Python version with its own name.
func TestPrograms(t *testing.T) {
	for set, least := range map[string]int{"engine": 25, "course": 40} {
		ps := load(set, nil)
		if len(ps) < least {
			t.Errorf("%s has %d programs, want %d", set, len(ps), least)
		}
		names := map[string]bool{}
		for _, p := range ps {
			if names[p.name] {
				t.Errorf("%s: there are two", p.name)
			}
			names[p.name] = true
			if p.py == "" {
				t.Errorf("%s: there is no Python", p.name)
			}
			if b, err := format.Source([]byte(p.goSrc)); err != nil || string(b) != p.goSrc {
				t.Errorf("%s: not formatted (%v)", p.name, err)
			}
		}
	}
}

func TestQuantile(t *testing.T) {
	ten := []float64{10, 9, 8, 7, 6, 5, 4, 3, 2, 1}
	for part, want := range map[float64]float64{0.5: 5.5, 0.9: 9, 1: 10, 0.05: 1} {
		if got := quantile(ten, part); got != want {
			t.Errorf("%v: got %v, want %v", part, got, want)
		}
	}
}
