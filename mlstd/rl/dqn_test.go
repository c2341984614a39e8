package rl_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/nn"
	"github.com/gokernel/gokernel/mlstd/optim"
	"github.com/gokernel/gokernel/mlstd/rl"
)

// In a world whose Q is known, a network without hidden units on one-hot features is
// the table, and one with hidden units comes near it.
func TestRL13_DQNFindsTheTable(t *testing.T) {
	want := solved(t, mdp(t, notes())).Q
	for name, c := range map[string]struct {
		learner *rl.DQN
		tol     float64
	}{
		"table":        {&rl.DQN{Hidden: []int{}, Rate: optim.ConstantRate(0.3), Optimizer: nn.Momentum{}, Batch: 16, Episodes: 300}, 0.5},
		"table double": {&rl.DQN{Hidden: []int{}, Rate: optim.ConstantRate(0.3), Optimizer: nn.Momentum{}, Batch: 16, Double: true, Episodes: 300}, 0.5},
		"hidden":       {&rl.DQN{Hidden: []int{24}, Rate: optim.ConstantRate(0.01), Batch: 16, Episodes: 600}, 2},
	} {
		env, err := notes().Env()
		if err != nil {
			t.Fatal(err)
		}
		l := c.learner
		l.Features, l.Explore = rl.OneHot{N: 6}, rl.EpsilonGreedy{Epsilon: 1}
		if err := l.Learn(rl.Indexed(env)); err != nil {
			t.Fatal(err)
		}
		for s := range 6 {
			got := l.Values([]float64{float64(s)})
			for a, v := range want.RawRowView(s) {
				if !math.IsInf(v, -1) && s != 2 && math.Abs(got[a]-v) > c.tol {
					t.Errorf("%s: Q(%d, %d) = %v, want %v", name, s, a, got[a], v)
				}
			}
		}
	}
}

// CartPole-v0 of Gymnasium counts as solved at a mean return of 195 in episodes of 200 steps.
func TestRL14_DQNCartPole(t *testing.T) {
	l := &rl.DQN{MaxSteps: 500, StopAt: 250, Seed: 3}
	if err := l.Learn(&rl.CartPole{}); err != nil {
		t.Fatal(err)
	}
	if n := len(l.Returns); n == 300 || mean(l.Returns[n-20:]) < 250 || mean(l.Returns[n-21:n-1]) >= 250 {
		t.Errorf("StopAt 250 ended after %d episodes", n)
	}
	if got := mean(l.Returns[:20]); got > 60 {
		t.Errorf("the first episodes give %v: nothing was to be learned", got)
	}
	sum := 0.0
	for seed := range uint64(100) {
		g, _ := rl.PlayEpisode(&rl.CartPole{}, 1000+seed, 200, l.Act)
		sum += g / 100
	}
	if sum < 195 {
		t.Errorf("the mean return of 100 new episodes is %v, want 195", sum)
	}
}

// Two runs are alike.
func TestDQNSeed(t *testing.T) {
	var runs [2][]float64
	for i := range runs {
		l := small()
		if err := l.Learn(&rl.CartPole{}); err != nil {
			t.Fatal(err)
		}
		runs[i] = l.Values([]float64{0, 0, 0.1, 0})
		// The pole leans by 0.1 rad of the 0.4189 that can be seen.
		mltest.NearAll(t, "values of the network", l.Network().Eval(0, 0, 0.1/(24*2*math.Pi/360), 0), runs[i], 1e-12)
	}
	if runs[0][0] != runs[1][0] || runs[0][1] != runs[1][1] {
		t.Errorf("two runs with one seed give %v and %v", runs[0], runs[1])
	}
}

// small is a network that learns in no time.
func small() *rl.DQN {
	return &rl.DQN{Hidden: []int{8}, Batch: 8, Memory: 100, Episodes: 30, MaxSteps: 50, Seed: 5, Double: true}
}

func TestDQNRefuses(t *testing.T) {
	pole := &rl.CartPole{}
	for name, learn := range map[string]func() error{
		"no environment": func() error { return (&rl.DQN{}).Learn(nil) },
		"batch":          func() error { return (&rl.DQN{Batch: 10, Memory: 5}).Learn(pole) },
		"hidden":         func() error { return (&rl.DQN{Hidden: []int{3, 0}}).Learn(pole) },
		"sync":           func() error { return (&rl.DQN{Sync: -1}).Learn(pole) },
		"ucb":            func() error { return (&rl.DQN{Explore: rl.UCB{}}).Learn(pole) },
		"discount":       func() error { return (&rl.DQN{Discount: 2}).Learn(pole) },
		"divergence": func() error {
			return (&rl.DQN{Optimizer: nn.Momentum{}, Rate: optim.ConstantRate(1e6), Episodes: 50, Batch: 4}).Learn(pole)
		},
		"tiles": func() error { return (&rl.DQN{Features: &rl.Tiles{}}).Learn(pole) },
	} {
		var e *model.Error
		if err := learn(); !errors.As(err, &e) {
			t.Errorf("%s: got %v, want a *model.Error", name, err)
		}
	}
}

func BenchmarkDQN(b *testing.B) {
	steps := 0
	for b.Loop() {
		l := &rl.DQN{Episodes: 60, MaxSteps: 100, Seed: 3}
		if err := l.Learn(&rl.CartPole{}); err != nil {
			b.Fatal(err)
		}
		for _, n := range l.Lengths {
			steps += n
		}
	}
	b.ReportMetric(float64(steps)/b.Elapsed().Seconds(), "steps/s")
	b.ReportAllocs()
}

// The agent learns in which direction the goal lies.
func ExampleDQN() {
	world := &rl.GridWorld{Map: []string{"S...G"}, Goal: 1}
	env, _ := world.Env()
	l := &rl.DQN{Features: rl.OneHot{N: 5}, Hidden: []int{16}, Episodes: 100}
	l.Learn(rl.Indexed(env))
	right := 0
	for s := range 4 {
		if l.Act([]float64{float64(s)}) == l.Act([]float64{0}) {
			right++
		}
	}
	fmt.Println(right, "of 4 states have the same best action")
	// Output:
	// 4 of 4 states have the same best action
}
