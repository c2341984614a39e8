//go:build !race

// The race detector allocates where the program does not.

package nn

import "testing"

// After the first step, a training step allocates nothing. (Large products start goroutines.)
func TestStepAllocatesNothing(t *testing.T) {
	for name, step := range map[string]func(){
		"dense": stepOf(t, false, 32, 4, []int{20}, SoftmaxEntropy, &Dense{Units: 16, Activation: ReLU}, &BatchNorm{}, &Dropout{}, &Dense{Units: 4}),
		"lstm":  stepOf(t, false, 8, 4, []int{5, 3}, SquaredOutputs, &LSTM{Units: 4}),
		"conv":  stepOf(t, false, 4, 2, []int{4, 4, 1}, SquaredOutputs, &Conv2D{Filters: 2}, &MaxPool{}, &Dense{Units: 2}),
	} {
		step()
		if n := testing.AllocsPerRun(10, step); n > 0 {
			t.Errorf("%s: a step allocates %v times", name, n)
		}
	}
}
