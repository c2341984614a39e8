package rl_test

import (
	"math"
	"testing"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/rl"
)

// course is states that one of Gymnasium's environments went through.
type course struct {
	Start []float64
	Steps []struct {
		Action int
		State  []float64
		Reward float64
		Ended  bool
	}
}

// gymnasium is what testdata/oracles/rl.py recorded.
type gymnasium struct {
	Cliff, Lake4, Lake4dry, Lake8, Taxi [][]any
	Car, Cart                           []course
	Blackjack                           []struct {
		Cards []int
		Steps []struct {
			Action, Sum, Dealer, Ace int
			Reward                   float64
			Ended                    bool
		}
	}
}

func recorded(t *testing.T) (g gymnasium) {
	t.Helper()
	mltest.ReadOracle(t, "rl", &g)
	return g
}

// total adds up the probabilities of what an action leads to.
type key struct {
	state, action, next int
	reward              float64
	ended               bool
}

// sameDynamics compares a process with Gymnasium's table, in all states that the
// process has actions in.
func sameDynamics(t *testing.T, name string, m *rl.MDP, table [][]any) {
	t.Helper()
	if err := m.Check(); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	want, got := map[key]float64{}, map[key]float64{}
	states := 0
	for _, row := range table {
		k := key{int(row[0].(float64)), int(row[1].(float64)), int(row[3].(float64)), row[4].(float64), row[5].(bool)}
		states = max(states, k.state+1)
		if len(m.Outcomes[k.state][k.action]) > 0 {
			want[k] += row[2].(float64)
		}
	}
	if states != m.NumStates() {
		t.Fatalf("%s: %d states, want %d", name, m.NumStates(), states)
	}
	for s, actions := range m.Outcomes {
		for a, outcomes := range actions {
			for _, o := range outcomes {
				got[key{s, a, o.Next, o.Reward, o.Terminal}] += o.Prob
			}
		}
	}
	if len(got) != len(want) || len(want) == 0 {
		t.Errorf("%s: %d different outcomes, want %d", name, len(got), len(want))
	}
	for k, p := range want {
		if math.Abs(got[k]-p) > 1e-12 {
			t.Errorf("%s: %+v has probability %v, want %v", name, k, got[k], p)
		}
	}
}

func mdp(t *testing.T, w *rl.GridWorld) *rl.MDP {
	t.Helper()
	m, err := w.MDP()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestOracleTables(t *testing.T) {
	g := recorded(t)
	sameDynamics(t, "CliffWalking", mdp(t, rl.CliffWalking()), g.Cliff)
	sameDynamics(t, "FrozenLake 4x4", mdp(t, rl.FrozenLake(4, true)), g.Lake4)
	sameDynamics(t, "FrozenLake 4x4, not slippery", mdp(t, rl.FrozenLake(4, false)), g.Lake4dry)
	sameDynamics(t, "FrozenLake 8x8", mdp(t, rl.FrozenLake(8, true)), g.Lake8)
	sameDynamics(t, "Taxi", rl.Taxi(), g.Taxi)
}

func TestOracleCourses(t *testing.T) {
	g := recorded(t)
	follow := func(name string, c course, set func(), step func(int) (float64, bool), state func() []float64) {
		t.Helper()
		set()
		for i, s := range c.Steps {
			r, ended := step(s.Action)
			mltest.NearAll(t, name, state(), s.State, 1e-12)
			if r != s.Reward || ended != s.Ended {
				t.Fatalf("%s: step %d gives %v, %v; want %v, %v", name, i, r, ended, s.Reward, s.Ended)
			}
		}
	}
	for _, c := range g.Car {
		car := &rl.MountainCar{}
		follow("MountainCar", c, func() { car.SetState(c.Start[0], c.Start[1]) }, car.Step, func() []float64 { return []float64{car.X, car.V} })
	}
	for _, c := range g.Cart {
		cart := &rl.CartPole{}
		follow("CartPole", c, func() { cart.SetState([4]float64(c.Start)) }, cart.Step, func() []float64 { return cart.State[:] })
	}
}

func TestOracleBlackjack(t *testing.T) {
	for n, game := range recorded(t).Blackjack {
		next := 0
		b := &rl.Blackjack{Deck: func() int { next++; return game.Cards[next-1] }}
		b.Reset(0)
		for i, s := range game.Steps {
			r, ended := b.Step(s.Action)
			want := rl.BlackjackState{Sum: s.Sum, Dealer: s.Dealer, Ace: s.Ace == 1}
			if got := b.Table(); got != want || r != s.Reward || ended != s.Ended || rl.BlackjackStateOf(b.State()) != want {
				t.Fatalf("game %d, step %d: %+v, %v, %v; want %+v, %v, %v", n, i, got, r, ended, want, s.Reward, s.Ended)
			}
		}
		if next != len(game.Cards) {
			t.Fatalf("game %d: %d cards drawn, want %d", n, next, len(game.Cards))
		}
	}
}
