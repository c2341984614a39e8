//go:build !race

// The race detector allocates where the program does not.

package rl_test

import (
	"testing"

	"github.com/gokernel/gokernel/mlstd/rl"
)

// After the memory is there a step of a deep Q-network allocates nothing: far fewer
// allocations than steps are made.
func TestDQNAllocations(t *testing.T) {
	l := small()
	allocations := testing.AllocsPerRun(1, func() {
		if err := l.Learn(&rl.CartPole{}); err != nil {
			t.Fatal(err)
		}
	})
	steps := 0
	for _, n := range l.Lengths {
		steps += n
	}
	if allocations > float64(steps)/2 {
		t.Errorf("%v allocations for %d steps", allocations, steps)
	}
}
