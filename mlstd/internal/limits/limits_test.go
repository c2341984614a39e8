package limits

import (
	"math"
	"testing"
)

func TestCheckNamesTheFirstParameterAtFault(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		limits []Limit
		want   string
	}{
		{[]Limit{NotNegative("Batch", 0), Positive("K", 1), Penalty("Lambda", 0), Rate("Rate", 0.1), Finite("Start", -3)}, ""},
		{[]Limit{NotNegative("Batch", 0), Penalty("Lambda", -1), Positive("K", 0)}, "M.Fit: Lambda must be finite and not negative, got -1"},
		{[]Limit{NotNegative("Tol", nan)}, "M.Fit: Tol must not be negative, got NaN"},
		{[]Limit{Positive("K", 0)}, "M.Fit: K must be positive, got 0"},
		{[]Limit{Positive("Tol", nan)}, "M.Fit: Tol must be positive, got NaN"},
		{[]Limit{Penalty("Lambda", inf)}, "M.Fit: Lambda must be finite and not negative, got +Inf"},
		{[]Limit{Rate("Rate", inf)}, "M.Fit: Rate must be positive and finite, got +Inf"},
		{[]Limit{Finite("Start", nan)}, "M.Fit: Start must be finite, got NaN"},
		{[]Limit{Finite("Start", -inf)}, "M.Fit: Start must be finite, got -Inf"},
		{[]Limit{Must("Mask", 2, false, "be below 1")}, "M.Fit: Mask must be below 1, got 2"},
	} {
		got := ""
		if err := Check("M.Fit", c.limits...); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
