package vector_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/vector"
)

func ExampleDot() {
	w, x := []float64{1, -2, 0.5}, []float64{3, 1, 4}
	fmt.Println(vector.Dot(w, x))
	// Output: 3
}

func ExampleHadamard() {
	fmt.Println(vector.Hadamard([]float64{1, 2, 3}, []float64{4, 5, 6}))
	// Output: [4 10 18]
}

// The sum of the Hadamard product is the dot product. Small integers make both
// exact in any order of summation.
func TestDotIsSumOfHadamard(t *testing.T) {
	for n := range 40 {
		a, b := make([]float64, n), make([]float64, n)
		for j := range n {
			a[j], b[j] = float64(j*7%11-5), float64(j*5%13-6)
		}
		before := append([]float64{}, a...)
		sum := 0.0
		for _, v := range vector.Hadamard(a, b) {
			sum += v
		}
		if got := vector.Dot(a, b); got != sum {
			t.Errorf("n = %d: Dot is %v, the sum of Hadamard %v", n, got, sum)
		}
		if d := cmp.Diff(before, a); d != "" {
			t.Errorf("n = %d: the first vector changed (-before +after):\n%s", n, d)
		}
	}
}

func TestUnequalLengths(t *testing.T) {
	for name, f := range map[string]func(a, b []float64){
		"Dot":      func(a, b []float64) { vector.Dot(a, b) },
		"Hadamard": func(a, b []float64) { vector.Hadamard(a, b) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				err, _ := recover().(error)
				var me *model.Error
				if !errors.As(err, &me) {
					t.Fatalf("panicked with %v, want a *model.Error", err)
				}
				if me.Op != name || me.What != "a and b must have the same length, got 2 and 3" {
					t.Errorf("the error is %q", me)
				}
			}()
			f([]float64{1, 2}, []float64{1, 2, 3})
		})
	}
}
