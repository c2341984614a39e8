package inference

import (
	"math"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/internal/tails"
	"github.com/gokernel/gokernel/mlstd/model"
)

// TTestPower relates the size of samples to the power of a t-test. Set two of Effect, N and Power,
// and [TTestPower.Solve] returns all three.
//
//	power = P(|T| > t_{α}), T of the noncentral t distribution with d·√(n/2) (two samples), d·√n (one)
//
// References: [Cohen1988].
type TTestPower struct {
	// Effect is Cohen's d. A larger effect needs fewer values.
	Effect float64
	// N is the number of values in each sample or, with Paired, the number of pairs.
	N float64
	// Power is the probability of detecting the effect.
	Power float64
	// Alpha is the level of the test; 0 means 0.05. A larger level increases the power and the
	// probability of false positives.
	Alpha float64
	// Paired selects the test of one sample or of pairs, instead of the test of two samples.
	Paired bool
	// OneSided selects a one-sided test.
	OneSided bool
}

func (s TTestPower) power() float64 {
	df, delta := 2*s.N-2, s.Effect*math.Sqrt(s.N/2)
	if s.Paired {
		df, delta = s.N-1, s.Effect*math.Sqrt(s.N)
	}
	if s.OneSided {
		return tails.NoncentralT(tails.QuantileT(s.Alpha, df), df, delta)
	}
	t := tails.QuantileT(s.Alpha/2, df)
	return tails.NoncentralT(t, df, delta) + tails.NoncentralT(t, df, -delta)
}

// Solve computes the field that is 0 among Effect, N and Power, and returns s with this field set.
// N is not rounded; round it up to the next integer.
func (s TTestPower) Solve() (TTestPower, error) {
	if s.Alpha = model.Or(s.Alpha, 0.05); true {
		s.Effect = math.Abs(s.Effect)
	}
	err := solvePower("TTestPower.Solve", s.Alpha, &s.Effect, &s.N, &s.Power, 20, 2, func() float64 { return s.power() })
	return s, err
}

// ProportionPower relates the size of two samples to the power of the test of two proportions P1
// and P2, by the arcsine transformation (Cohen's h). Set N or Power, and Solve returns both.
//
// References: [Cohen1988].
type ProportionPower struct {
	P1, P2 float64
	// N is the number of values of each sample.
	N float64
	// Power is the probability of detecting the difference.
	Power float64
	// Alpha is the level of the test; 0 means 0.05. A larger level increases the power and the
	// probability of false positives.
	Alpha float64
	// OneSided selects a one-sided test.
	OneSided bool
}

// Solve computes N or Power, whichever is 0, and returns s with this field set. N is not rounded.
func (s ProportionPower) Solve() (ProportionPower, error) {
	const op = "ProportionPower.Solve"
	if !(s.P1 > 0 && s.P1 < 1 && s.P2 > 0 && s.P2 < 1) || s.P1 == s.P2 {
		return s, model.Errorf(op, "P1 and P2 must be two different probabilities between 0 and 1, got %v and %v", s.P1, s.P2)
	}
	s.Alpha = model.Or(s.Alpha, 0.05)
	h := math.Abs(2*math.Asin(math.Sqrt(s.P1)) - 2*math.Asin(math.Sqrt(s.P2)))
	err := solvePower(op, s.Alpha, &h, &s.N, &s.Power, math.Pi, 1, func() float64 {
		tail := s.Alpha / 2
		if s.OneSided {
			tail = s.Alpha
		}
		z, delta := tails.QuantileT(tail, math.Inf(1)), h*math.Sqrt(s.N/2)
		p := tails.Normal(z - delta)
		if !s.OneSided {
			p += tails.Normal(z + delta)
		}
		return p
	})
	return s, err
}

// ANOVAPower relates the size of groups to the power of a one-way analysis of variance. Set two of
// Effect, N and Power, and Solve returns all three.
//
// References: [Cohen1988].
type ANOVAPower struct {
	// Groups is the number of groups.
	Groups int
	// Effect is Cohen's f, the standard deviation of the group means divided by the standard
	// deviation within groups: 0.1 is called small, 0.25 medium and 0.4 large.
	Effect float64
	// N is the number of values of each group.
	N float64
	// Power is the probability of detecting the effect.
	Power float64
	// Alpha is the level of the test; 0 means 0.05. A larger level increases the power and the
	// probability of false positives.
	Alpha float64
}

// Solve computes the field that is 0 among Effect, N and Power, and returns s with this field set.
// N is not rounded.
func (s ANOVAPower) Solve() (ANOVAPower, error) {
	const op = "ANOVAPower.Solve"
	if s.Groups < 2 {
		return s, model.Errorf(op, "Groups must be at least 2, got %d", s.Groups)
	}
	s.Alpha = model.Or(s.Alpha, 0.05)
	err := solvePower(op, s.Alpha, &s.Effect, &s.N, &s.Power, 20, 2, func() float64 {
		k := float64(s.Groups)
		a, b := k-1, k*s.N-k
		return tails.NoncentralF(tails.QuantileF(s.Alpha, a, b), a, b, s.Effect*s.Effect*k*s.N)
	})
	return s, err
}

// solvePower computes by bisection the one of three values that is 0: power increases with the
// other two.
func solvePower(op string, alpha float64, effect, n, power *float64, mostEffect, leastN float64, at func() float64) error {
	zeros := 0
	for _, v := range []float64{*effect, *n, *power} {
		if v == 0 {
			zeros++
		}
	}
	if err := limits.Check(op, limits.Must("Alpha", alpha, alpha > 0 && alpha < 1, "be between 0 and 1"),
		limits.Must("Power", *power, *power == 0 || *power > alpha && *power < 1, "be above Alpha and below 1"),
		limits.Must("N", *n, *n == 0 || *n >= leastN, "be at least 2"),
		limits.Must("Effect", *effect, *effect >= 0, "be positive")); err != nil {
		return err
	}
	if zeros != 1 {
		return model.Errorf(op, "exactly two of the effect, N and Power must be set, got %d", 3-zeros).WithHint("set two of them, and leave the one to be computed at 0")
	}
	if *power == 0 {
		*power = at()
		return nil
	}
	to, lo, hi := effect, 1e-6, mostEffect
	if *n == 0 {
		to, lo, hi = n, leastN, 1e9
	}
	want := *power
	value := func(v float64) float64 { *to = v; return at() }
	if value(hi) < want {
		return model.Errorf(op, "no value up to %v has the power %v", hi, want)
	}
	if value(lo) >= want {
		*to = lo
		return nil
	}
	lo, hi = math.Log(lo), math.Log(hi)
	for range 100 {
		mid := (lo + hi) / 2
		if value(math.Exp(mid)) < want {
			lo = mid
		} else {
			hi = mid
		}
		if hi-lo < 1e-13 {
			break
		}
	}
	*to = math.Exp((lo + hi) / 2)
	return nil
}
