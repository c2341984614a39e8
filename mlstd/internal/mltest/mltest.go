// Package mltest has helpers for the tests of all families: comparisons of numbers within a
// tolerance, and the results of other implementations in testdata/oracles.
package mltest

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// Near fails the test if got differs from want by more than tol, relative to want if |want| > 1.
func Near(t testing.TB, what string, got, want, tol float64) {
	t.Helper()
	if !near(got, want, tol) {
		t.Errorf("%s: got %.15g, want %.15g", what, got, want)
	}
}

// NearAll is Near for each entry; it reports the first entry that fails.
func NearAll(t testing.TB, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: got %d values, want %d:\n%v\n%v", what, len(got), len(want), got, want)
	}
	for i, v := range got {
		if !near(v, want[i], tol) {
			t.Errorf("%s: value %d is %.15g, want %.15g", what, i, v, want[i])
			return
		}
	}
}

func near(got, want, tol float64) bool {
	return got == want || !math.IsInf(want, 0) && math.Abs(got-want) <= tol*max(1, math.Abs(want))
}

// ReadOracle reads testdata/oracles/name.json, written by the script in the same folder, and
// decodes it into the variable that the argument to points to. Use it in tests of a family or of a
// package in mlstd/internal.
func ReadOracle(t testing.TB, name string, to any) {
	t.Helper()
	path := filepath.Join("..", "..", "testdata", "oracles", name+".json")
	if _, err := os.Stat(path); err != nil {
		path = filepath.Join("..", path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, to); err != nil {
		t.Fatalf("%s.json: %v", name, err)
	}
}
