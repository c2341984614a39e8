package rl_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/neighbors"
	"github.com/gokernel/gokernel/mlstd/rl"
)

// notes is the world of the notes: Mitchell's figure 13.2.
func notes() *rl.GridWorld {
	return &rl.GridWorld{Map: []string{"..G", "S.."}, Goal: 100, Discount: 0.9}
}

var notesValues = []float64{90, 100, 0, 81, 90, 100}

func solved(t *testing.T, m *rl.MDP) *rl.ValueIteration {
	t.Helper()
	v := &rl.ValueIteration{}
	if err := v.Solve(m); err != nil {
		t.Fatal(err)
	}
	return v
}

// random makes a process of chance with some actions not allowed.
func random(seed uint64, n, k int, discount float64) *rl.MDP {
	rng := model.Rand(seed, 0)
	m := rl.NewMDP(n, k, func(s, a int) []rl.Outcome {
		if a > 0 && rng.IntN(4) == 0 {
			return nil
		}
		out := make([]rl.Outcome, 3)
		sum := 0.0
		for i := range out {
			out[i] = rl.Outcome{Prob: rng.ExpFloat64(), Next: rng.IntN(n), Reward: rng.NormFloat64(), Terminal: rng.IntN(20) == 0}
			sum += out[i].Prob
		}
		for i := range out {
			out[i].Prob /= sum
		}
		return out
	})
	m.Discount = discount
	return m
}

func TestRL01_MDP(t *testing.T) {
	m := mdp(t, &rl.GridWorld{Map: []string{"..G", "S#X"}, Slip: 0.2})
	for s, actions := range m.Outcomes {
		for a, outcomes := range actions {
			sum := 0.0
			for _, o := range outcomes {
				sum += o.Prob
			}
			if len(outcomes) > 0 {
				mltest.Near(t, fmt.Sprint("probabilities of ", s, a), sum, 1, 1e-12)
			}
		}
	}
	for what, spoil := range map[string]func(*rl.MDP){
		"sum":      func(m *rl.MDP) { m.Outcomes[0][0][0].Prob = 0.7 },
		"next":     func(m *rl.MDP) { m.Outcomes[0][0][0].Next = 6 },
		"reward":   func(m *rl.MDP) { m.Outcomes[0][0][0].Reward = math.NaN() },
		"discount": func(m *rl.MDP) { m.Discount = 1.5 },
		"names":    func(m *rl.MDP) { m.ActionNames = []string{"up"} },
		"start":    func(m *rl.MDP) { m.Start = make([]float64, 6) },
		"actions":  func(m *rl.MDP) { m.Outcomes[1] = m.Outcomes[1][:2] },
	} {
		bad := mdp(t, notes())
		spoil(bad)
		var e *model.Error
		if err := bad.Check(); !errors.As(err, &e) {
			t.Errorf("%s: got %v, want a *model.Error", what, err)
		}
		if err := (&rl.ValueIteration{}).Solve(bad); err == nil {
			t.Errorf("%s: a process that is wrong was solved", what)
		}
	}
	if err := (&rl.MDP{}).Check(); err == nil {
		t.Error("a process without states passed")
	}
}

func TestRL02_Return(t *testing.T) {
	ones := make([]float64, 1000)
	for i := range ones {
		ones[i] = 1
	}
	mltest.Near(t, "return of 1 for ever with γ = 0.9", rl.Return(ones, 0.9), 10, 1e-12)
	mltest.Near(t, "return", rl.Return([]float64{1, 2, 3}, 0.5), 1+1+0.75, 1e-15)
}

func TestRL03_PolicyEvaluation(t *testing.T) {
	for seed := range uint64(5) {
		m := random(seed, 30, 4, 0.95)
		p := rl.UniformPolicy(m)
		exact, err := rl.EvaluatePolicy(m, p)
		if err != nil {
			t.Fatal(err)
		}
		e := &rl.PolicyEvaluation{}
		if err := e.Solve(m, p); err != nil {
			t.Fatal(err)
		}
		mltest.NearAll(t, "swept values", e.V, exact, 1e-8)
		if !e.Trace.Converged {
			t.Error("not converged")
		}
	}
	// With γ = 1 a policy that never ends is worth nothing that is finite.
	loop := rl.NewMDP(1, 1, func(int, int) []rl.Outcome { return []rl.Outcome{{Prob: 1, Reward: 1}} })
	loop.Discount = 1
	if _, err := rl.EvaluatePolicy(loop, rl.UniformPolicy(loop)); err == nil {
		t.Error("an endless policy was given a value")
	}
	if _, err := rl.EvaluatePolicy(mdp(t, notes()), mat.NewDense(2, 2, nil)); err == nil {
		t.Error("a policy of another process was evaluated")
	}
}

// E3-50: the mean of Q(s, a) is over what follows from a.
func TestRL04_05_07_ValueIteration(t *testing.T) {
	m := mdp(t, notes())
	v := solved(t, m)
	mltest.NearAll(t, "values of the notes", v.V, notesValues, 1e-9)
	// Lower left is state 3; up is 0 and right is 1.
	mltest.Near(t, "Q(lower left, up)", v.Q.At(3, 0), 81, 1e-9)
	mltest.Near(t, "Q(lower left, right)", v.Q.At(3, 1), 81, 1e-9)
	if got, want := notes().Arrows(v.Policy), []string{"→→G", "↑↑↑"}; !slices.Equal(got, want) {
		t.Errorf("policy %q, want %q", got, want)
	}
	// Each sweep shrinks the error by γ at least, whatever the process.
	for seed := range uint64(5) {
		m := random(seed, 40, 3, 0.9)
		v := solved(t, m)
		for i := 1; i < len(v.Sweeps); i++ {
			if before, after := distance(v.Sweeps[i-1], v.V), distance(v.Sweeps[i], v.V); after > 0.9*before+1e-9 {
				t.Fatalf("seed %d: sweep %d leaves the error %v of %v", seed, i, after, before)
			}
		}
		// The solution solves the equations of the optimum.
		for s := range m.Outcomes {
			best := math.Inf(-1)
			for a, outcomes := range m.Outcomes[s] {
				q := math.Inf(-1)
				if len(outcomes) > 0 {
					q = 0
				}
				for _, o := range outcomes {
					q += o.Prob * o.Reward
					if !o.Terminal {
						q += 0.9 * o.Prob * v.V[o.Next]
					}
				}
				if got := v.Q.At(s, a); math.Abs(got-q) > 1e-9 && !(math.IsInf(got, -1) && math.IsInf(q, -1)) {
					t.Errorf("Q(%d, %d) = %v, want %v", s, a, got, q)
				}
				best = max(best, q)
			}
			mltest.Near(t, "V", v.V[s], best, 1e-8)
		}
	}
}

func distance(a, b []float64) float64 {
	most := 0.0
	for i := range a {
		most = max(most, math.Abs(a[i]-b[i]))
	}
	return most
}

func TestRL06_PolicyIteration(t *testing.T) {
	for seed := range uint64(8) {
		m := random(seed, 40, 4, 0.9)
		v := solved(t, m)
		p := &rl.PolicyIteration{}
		if err := p.Solve(m); err != nil {
			t.Fatal(err)
		}
		mltest.NearAll(t, "values", p.V, v.V, 1e-7)
		if !slices.Equal(p.Policy, v.Policy) || !p.Trace.Converged {
			t.Errorf("seed %d: policy %v, want %v", seed, p.Policy, v.Policy)
		}
		for i := 1; i < len(p.Values); i++ {
			for s := range p.Values[i] {
				if p.Values[i][s] < p.Values[i-1][s]-1e-9 {
					t.Fatalf("seed %d: round %d made state %d worse", seed, i, s)
				}
			}
		}
	}
	m := mdp(t, notes())
	p := &rl.PolicyIteration{Initial: []int{2, 2, 0, 2, 2, 2}}
	if err := p.Solve(m); err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "values of the notes", p.V, notesValues, 1e-9)
	// Howard's example has few rounds; so has this one: the worst start needs four.
	if len(p.Policies) > 5 {
		t.Errorf("%d rounds", len(p.Policies))
	}
}

func TestRL08_QLearningDeterministic(t *testing.T) {
	env, err := notes().Env()
	if err != nil {
		t.Fatal(err)
	}
	q := &rl.QLearning{Rate: 1, Explore: rl.EpsilonGreedy{Epsilon: 1}, Episodes: 300}
	if err := q.Learn(env); err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "learned values", q.Values(), notesValues, 1e-12)
	want := solved(t, mdp(t, notes())).Q
	for s := range 6 {
		for a := range 4 {
			if got := q.Q.At(s, a); got != want.At(s, a) && math.Abs(got-want.At(s, a)) > 1e-9 {
				t.Errorf("Q(%d, %d) = %v, want %v", s, a, got, want.At(s, a))
			}
		}
	}
	if q.Returns[len(q.Returns)-1] != 100 {
		t.Errorf("the last episode gave %v, want 100", q.Returns[len(q.Returns)-1])
	}
}

// E3-51: the update with its brackets closed.
func TestRL09_QLearningNondeterministic(t *testing.T) {
	w := &rl.GridWorld{Map: []string{"..G", "S.X"}, Goal: 1, Pit: -1, Slip: 0.3, Discount: 0.8}
	env, err := w.Env()
	if err != nil {
		t.Fatal(err)
	}
	// Rates of 1/(1 + visits) are slow where values travel far; this world is small.
	q := &rl.QLearning{Explore: rl.EpsilonGreedy{Epsilon: 1}, Episodes: 20000}
	if err := q.Learn(env); err != nil {
		t.Fatal(err)
	}
	v := solved(t, mdp(t, w))
	if d := distance(q.Values(), v.V); d > 0.02 {
		t.Errorf("largest error of a value %v, want at most 0.02", d)
	}
	if !slices.Equal(q.Policy(), v.Policy) {
		t.Errorf("policy %v, want %v", q.Policy(), v.Policy)
	}
}

// E3-53: c to the power Q, and what c below 1 does.
func TestRL10_PowerChoice(t *testing.T) {
	q := []float64{1, 2, 0, math.Inf(-1)}
	sum := math.E + math.E*math.E + 1
	mltest.NearAll(t, "c = e is softmax", rl.PowerChoice{}.Probabilities(q), []float64{math.E / sum, math.E * math.E / sum, 1 / sum, 0}, 1e-12)
	mltest.NearAll(t, "c = 1 is uniform", rl.PowerChoice{C: 1}.Probabilities(q), []float64{1. / 3, 1. / 3, 1. / 3, 0}, 1e-12)
	// The notes ask for c > 0; below 1 what is worse is favored.
	p := rl.PowerChoice{C: 0.5}.Probabilities(q)
	mltest.NearAll(t, "c = 1/2", p, []float64{2. / 7, 1. / 7, 4. / 7, 0}, 1e-12)
	// The draws have these probabilities.
	for _, e := range []rl.PowerChoice{{}, {C: 1}, {C: 0.5}, {C: 10}} {
		c := &rl.Choice{Q: q, Rand: model.Rand(1, 0)}
		counts := make([]float64, 4)
		const n = 40000
		for range n {
			counts[e.Choose(c)] += 1. / n
		}
		for a, p := range e.Probabilities(q) {
			if math.Abs(counts[a]-p) > 5*math.Sqrt(p*(1-p)/n)+1e-9 {
				t.Errorf("C %v: action %d in a share of %v, want %v", e.C, a, counts[a], p)
			}
		}
	}
	if err := (rl.PowerChoice{C: -1}).Check(); err == nil {
		t.Error("a negative base passed")
	}
}

func TestRL11_Bandits(t *testing.T) {
	play := func(e rl.Exploration, start, rate float64) *rl.BanditLearner {
		l := &rl.BanditLearner{Explore: e, Start: start, Rate: rate, Steps: 1000, Runs: 500}
		if err := l.LearnMany(rl.TenArmed); err != nil {
			t.Fatal(err)
		}
		return l
	}
	greedy, tenth, hundredth := play(rl.Greedy{}, 0, 0), play(rl.EpsilonGreedy{}, 0, 0), play(rl.EpsilonGreedy{Epsilon: 0.01}, 0, 0)
	ucb, optimist := play(rl.UCB{}, 0, 0), play(rl.Greedy{}, 5, 0.1)
	// Sutton and Barto, figure 2.2: ε = 0.1 finds the best arm in about 80 % of the
	// last steps, greedy in a third; ε = 0.01 learns more slowly. Figure 2.3:
	// optimism ends at about 80 %.
	end := func(l *rl.BanditLearner) float64 { return mean(l.Optimal[900:]) }
	for what, c := range map[string]struct{ got, low, high float64 }{
		"greedy":     {end(greedy), 0.25, 0.45},
		"ε = 0.1":    {end(tenth), 0.74, 0.86},
		"ε = 0.01":   {end(hundredth), 0.45, 0.68},
		"optimistic": {end(optimist), 0.74, 0.92},
		"UCB":        {end(ucb), 0.75, 1},
	} {
		if c.got < c.low || c.got > c.high {
			t.Errorf("%s takes the best arm in %v of the last steps, want %v to %v", what, c.got, c.low, c.high)
		}
	}
	last := func(l *rl.BanditLearner) float64 { return l.Regret[len(l.Regret)-1] }
	if !(last(ucb) < last(tenth) && last(tenth) < last(greedy)) {
		t.Errorf("regret: UCB %v, ε-greedy %v, greedy %v", last(ucb), last(tenth), last(greedy))
	}
	for i := 1; i < len(ucb.Regret); i++ {
		if ucb.Regret[i] < ucb.Regret[i-1]-1e-9 {
			t.Fatal("regret fell")
		}
	}
	coin := &rl.BanditLearner{Steps: 3000}
	if err := coin.Learn(&rl.Bandit{Means: []float64{0.2, 0.7}, Bernoulli: true}); err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "worth of the better coin", coin.Q[1], 0.7, 0.05)
	for _, bad := range []*rl.Bandit{nil, {}, {Means: []float64{2}, Bernoulli: true}, {Means: []float64{1}, SD: -1}} {
		if err := coin.Learn(bad); err == nil {
			t.Errorf("%+v was played", bad)
		}
	}
}

func mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x / float64(len(v))
	}
	return sum
}

// E3-52: the action with the largest Q is chosen.
func TestRL12_ModelFreeAndModelBased(t *testing.T) {
	// Q alone is enough to act; V needs to know where actions lead. Both act alike.
	m := mdp(t, notes())
	v := solved(t, m)
	env, err := m.Env()
	if err != nil {
		t.Fatal(err)
	}
	q := &rl.QLearning{Rate: 1, Explore: rl.EpsilonGreedy{Epsilon: 1}, Episodes: 300}
	if err := q.Learn(env); err != nil {
		t.Fatal(err)
	}
	for s, want := range v.Policy {
		if want < 0 {
			continue
		}
		best, most := -1, math.Inf(-1)
		for a, outcomes := range m.Outcomes[s] {
			if x := outcomes[0].Reward + 0.9*v.V[outcomes[0].Next]; x > most+1e-9 {
				best, most = a, x
			}
		}
		if best != want || q.Policy()[s] != want {
			t.Errorf("state %d: with the model %d, by Q %d, want %d", s, best, q.Policy()[s], want)
		}
	}
}

func TestRL13_FunctionApproximation(t *testing.T) {
	// With one feature for each state the updates are those of the table, one by one.
	for _, onPolicy := range []bool{false, true} {
		env, err := (&rl.GridWorld{Map: []string{"....", ".#.X", "S..G"}, Slip: 0.2, Pit: -1}).Env()
		if err != nil {
			t.Fatal(err)
		}
		l := &rl.LinearQ{Features: rl.OneHot{N: 12}, Rate: 0.3, Episodes: 40, Explore: rl.EpsilonGreedy{Epsilon: 0.3}, OnPolicy: onPolicy, Seed: 7}
		if err := l.Learn(rl.Indexed(env)); err != nil {
			t.Fatal(err)
		}
		var q *mat.Dense
		if onPolicy {
			s := &rl.SARSA{Rate: 0.3, Episodes: 40, Explore: rl.EpsilonGreedy{Epsilon: 0.3}, Seed: 7}
			if err := s.Learn(env); err != nil {
				t.Fatal(err)
			}
			q = s.Q
		} else {
			s := &rl.QLearning{Rate: 0.3, Episodes: 40, Explore: rl.EpsilonGreedy{Epsilon: 0.3}, Seed: 7}
			if err := s.Learn(env); err != nil {
				t.Fatal(err)
			}
			q = s.Q
		}
		for s := range 12 {
			for a := range 4 {
				if want := q.At(s, a); !math.IsInf(want, -1) && l.Coef[a][s] != want {
					t.Fatalf("on policy %v: state %d, action %d: %v, want %v", onPolicy, s, a, l.Coef[a][s], want)
				}
			}
		}
	}
}

func TestRL13_Tiles(t *testing.T) {
	tiles := &rl.Tiles{Low: []float64{0, 0}, High: []float64{1, 1}, Grids: 4, Bins: 5}
	rng := model.Rand(1, 0)
	for range 1000 {
		x := []float64{1.4*rng.Float64() - 0.2, 1.4*rng.Float64() - 0.2}
		active := tiles.Active(x, nil)
		if len(active) != 4 {
			t.Fatalf("%v: %d active tiles", x, len(active))
		}
		for g, i := range active {
			if i < g*36 || i >= (g+1)*36 {
				t.Fatalf("%v: tile %d is not of grid %d", x, i, g)
			}
		}
	}
	near, far := 0, 0
	a, b, c := tiles.Active([]float64{0.5, 0.5}, nil), tiles.Active([]float64{0.53, 0.5}, nil), tiles.Active([]float64{0.9, 0.1}, nil)
	for g := range a {
		if a[g] == b[g] {
			near++
		}
		if a[g] == c[g] {
			far++
		}
	}
	if near < 3 || far != 0 {
		t.Errorf("%d tiles shared with a near point, %d with a far one", near, far)
	}
}

// corridor is example 13.1 of Sutton and Barto: three cells that look alike, in the
// second of which left and right are exchanged; each step costs 1.
type corridor struct{ at int }

func (c *corridor) NumActions() int               { return 2 }
func (c *corridor) Gamma() float64                { return 1 }
func (c *corridor) Bounds() (low, high []float64) { return []float64{0}, []float64{1} }
func (c *corridor) Observe(x []float64)           { x[0] = 0 }
func (c *corridor) Reset(uint64)                  { c.at = 0 }
func (c *corridor) Step(action int) (float64, bool) {
	move := 2*action - 1
	if c.at == 1 {
		move = -move
	}
	c.at = max(c.at+move, 0)
	return -1, c.at == 3
}

func TestRL13_PolicyGradient(t *testing.T) {
	// The best policy goes right with probability 2 − √2 = 0.586 and is worth
	// −2(√2 + 1)² ≈ −11.66 (Sutton and Barto, example 13.1: about 0.59 and −11.6);
	// every policy without chance never ends, or is far worse.
	for name, learn := range map[string]func(*corridor) ([]float64, error){
		"without baseline": func(c *corridor) ([]float64, error) {
			l := &rl.Reinforce{Features: rl.OneHot{N: 1}, Rate: 2e-4, Episodes: 4000, Seed: 3}
			err := l.Learn(c)
			return l.Probabilities([]float64{0}), err
		},
		"with baseline": func(c *corridor) ([]float64, error) {
			l := &rl.Reinforce{Features: rl.OneHot{N: 1}, Rate: 5e-4, Baseline: true, BaselineRate: 0.05, Episodes: 8000, Seed: 3}
			err := l.Learn(c)
			return l.Probabilities([]float64{0}), err
		},
	} {
		p, err := learn(&corridor{})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(p[1]-(2-math.Sqrt2)) > 0.08 {
			t.Errorf("%s: right with probability %v, want %v", name, p[1], 2-math.Sqrt2)
		}
	}
	// The actor and the critic find the way through the notes' world.
	env, err := notes().Env()
	if err != nil {
		t.Fatal(err)
	}
	l := &rl.ActorCritic{Features: rl.OneHot{N: 6}, Rate: 0.01, Episodes: 2000, Seed: 1}
	if err := l.Learn(rl.Indexed(env)); err != nil {
		t.Fatal(err)
	}
	if got := l.Value([]float64{3}); math.Abs(got-81) > 4 {
		t.Errorf("the critic gives the start %v, want about 81", got)
	}
	if got := mean(lengths(l.Lengths[1900:])); got > 3.2 {
		t.Errorf("the actor takes %v steps to the goal, want 3", got)
	}
}

func lengths(n []int) []float64 {
	out := make([]float64, len(n))
	for i, v := range n {
		out[i] = float64(v)
	}
	return out
}

func TestRL14_MountainCar(t *testing.T) {
	// On a grid of 60 x 60 corners the process is solved, and drives out of the valley.
	car := &rl.MountainCar{}
	m, grid, err := rl.InterpolatedMDP(car, 1, nil, nil, 60, 60)
	if err != nil {
		t.Fatal(err)
	}
	v := &rl.ValueIteration{Tol: 1e-3}
	if err := v.Solve(m); err != nil {
		t.Fatal(err)
	}
	act := func(x []float64) int {
		return rl.GreedyAction(car, 1, x, func(y []float64) float64 { return grid.At(v.V, y) })
	}
	worst := 0
	for seed := range uint64(20) {
		_, steps := rl.PlayEpisode(&rl.MountainCar{}, seed, 1000, act)
		worst = max(worst, steps)
	}
	// The best way out takes 83 to 122 steps, by where the car begins.
	if worst > 140 {
		t.Errorf("the worst way out takes %d steps", worst)
	}
	// SARSA with tiles gets near that by itself (Sutton and Barto, figure 10.1: below
	// 200 steps an episode after some hundred episodes).
	l := &rl.LinearQ{OnPolicy: true, Rate: 0.5, Explore: rl.Greedy{}, Episodes: 300, MaxSteps: 5000, Seed: 1}
	if err := l.Learn(&rl.MountainCar{}); err != nil {
		t.Fatal(err)
	}
	if got := -mean(l.Returns[250:]); got > 200 {
		t.Errorf("after 250 episodes an episode takes %v steps", got)
	}
	if got := -mean(l.Returns[:5]); got < 300 {
		t.Errorf("the first episodes take %v steps: nothing was to be learned", got)
	}
	traces := &rl.LinearQ{OnPolicy: true, Lambda: 0.9, Rate: 0.3, Explore: rl.Greedy{}, Episodes: 100, MaxSteps: 5000, Seed: 1}
	if err := traces.Learn(&rl.MountainCar{}); err != nil {
		t.Fatal(err)
	}
	if got := -mean(traces.Returns[80:]); got > 220 {
		t.Errorf("with traces an episode takes %v steps", got)
	}
}

func TestRL14_CartPole(t *testing.T) {
	// Boxes as Barto, Sutton and Anderson cut them, more or less.
	d := &rl.Discretized{
		Continuous: &rl.CartPole{}, Bins: []int{1, 3, 8, 6},
		Low: []float64{-2.4, -1, -0.21, -2}, High: []float64{2.4, 1, 0.21, 2},
	}
	if err := d.Check(); err != nil {
		t.Fatal(err)
	}
	q := &rl.QLearning{Rate: 0.2, Discount: 0.99, Explore: rl.EpsilonGreedy{Epsilon: 0.5, Decay: 0.98, Least: 0.01}, Episodes: 600, MaxSteps: 500, Seed: 1}
	if err := q.Learn(d); err != nil {
		t.Fatal(err)
	}
	if first, last := mean(q.Returns[:20]), mean(q.Returns[550:]); last < 150 || last < 4*first {
		t.Errorf("episodes of %v steps at first, of %v in the end", first, last)
	}
	if _, err := rl.Discretize(&rl.CartPole{}, 5); err == nil {
		t.Error("infinite bounds were cut")
	}
}

func TestRL14_FittedValueIteration(t *testing.T) {
	f := &rl.FittedValueIteration{Regressor: &neighbors.KNNRegressor{K: 4}, Samples: 3000, Discount: model.Zero, MaxIter: 3}
	if err := f.Solve(&rl.MountainCar{}); err != nil {
		t.Fatal(err)
	}
	mltest.Near(t, "without a future a step costs", f.Value([]float64{0, 0}), -1, 1e-12)
	f = &rl.FittedValueIteration{Regressor: &neighbors.KNNRegressor{K: 3, Weights: neighbors.InverseSquare}, Samples: 3000, Discount: 0.99, MaxIter: 150}
	if err := f.Solve(&rl.MountainCar{}); err != nil {
		t.Fatal(err)
	}
	total, steps := rl.PlayEpisode(&rl.MountainCar{}, 1, 1000, f.Act)
	if steps > 250 || total != -float64(steps) {
		t.Errorf("out of the valley in %d steps", steps)
	}
	if err := (&rl.FittedValueIteration{}).Solve(&rl.MountainCar{}); err == nil {
		t.Error("values were fitted without a regressor")
	}
}

func TestRL15_Loop(t *testing.T) {
	env, err := notes().Env()
	if err != nil {
		t.Fatal(err)
	}
	env.Reset(1)
	if env.State() != 3 || !env.Allowed(0) || env.Gamma() != 0.9 {
		t.Fatalf("starts in %d", env.State())
	}
	for i, want := range []struct {
		action, state int
		reward        float64
		ended         bool
	}{{3, 3, 0, false}, {0, 0, 0, false}, {1, 1, 0, false}, {1, 2, 100, true}} {
		r, ended := env.Step(want.action)
		if env.State() != want.state || r != want.reward || ended != want.ended {
			t.Errorf("step %d: state %d, reward %v, ended %v", i, env.State(), r, ended)
		}
	}
	other, err := notes().Env()
	if err != nil {
		t.Fatal(err)
	}
	for what, f := range map[string]func(){
		"a step after the end": func() { env.Step(0) },
		"an action too many":   func() { other.Reset(1); other.Step(4) },
		"a car at rest":        func() { (&rl.MountainCar{}).Step(0) },
		"cards before dealing": func() { (&rl.Blackjack{}).Step(0) },
		"no policy":            func() { (&rl.QLearning{}).Policy() },
	} {
		func() {
			defer func() {
				if e, ok := recover().(*model.Error); !ok {
					t.Errorf("%s: no *model.Error", what)
				} else if e.Hint == "" {
					t.Errorf("%s: no hint", what)
				}
			}()
			f()
		}()
	}
}

// walk is the random walk of Sutton and Barto, example 6.2: five states, left and
// right alike, a reward of 1 at the right end.
func walk() *rl.MDP {
	m := rl.NewMDP(5, 2, func(s, a int) []rl.Outcome {
		next := s + 2*a - 1
		switch next {
		case -1:
			return []rl.Outcome{{Prob: 1, Next: 0, Terminal: true}}
		case 5:
			return []rl.Outcome{{Prob: 1, Next: 4, Reward: 1, Terminal: true}}
		}
		return []rl.Outcome{{Prob: 1, Next: next}}
	})
	m.Discount, m.Start = 1, []float64{0, 0, 1, 0, 0}
	return m
}

func TestRandomWalk(t *testing.T) {
	m := walk()
	want := []float64{1. / 6, 2. / 6, 3. / 6, 4. / 6, 5. / 6}
	exact, err := rl.EvaluatePolicy(m, rl.UniformPolicy(m))
	if err != nil {
		t.Fatal(err)
	}
	mltest.NearAll(t, "exact values", exact, want, 1e-12)
	env, err := m.Env()
	if err != nil {
		t.Fatal(err)
	}
	for _, lambda := range []float64{0, 0.8, 1} {
		td := &rl.TD{Rate: 0.01, Lambda: lambda, Start: 0.5, Episodes: 5000}
		if err := td.Learn(env, rl.UniformPolicy(m)); err != nil {
			t.Fatal(err)
		}
		if d := distance(td.V, want); d > 0.06 {
			t.Errorf("λ = %v: largest error %v, values %v", lambda, d, td.V)
		}
	}
	// The first episode of TD(0) moves one state only, one at an end: figure 6.2.
	td := &rl.TD{Start: 0.5, Episodes: 1}
	if err := td.Learn(env, rl.UniformPolicy(m)); err != nil {
		t.Fatal(err)
	}
	moved := 0
	for s, v := range td.V {
		if v != 0.5 {
			moved++
			if (s != 0 || math.Abs(v-0.45) > 1e-12) && (s != 4 || math.Abs(v-0.55) > 1e-12) {
				t.Errorf("state %d moved to %v", s, v)
			}
		}
	}
	if moved != 1 {
		t.Errorf("%d states moved", moved)
	}
}

// TestCliff is example 6.6 of Sutton and Barto: Q-learning finds the way along the
// cliff and falls while it explores; SARSA keeps away and earns more.
func TestCliff(t *testing.T) {
	env, err := rl.CliffWalking().Env()
	if err != nil {
		t.Fatal(err)
	}
	q := &rl.QLearning{Rate: 0.5, Episodes: 1000, Seed: 1}
	s := &rl.SARSA{Rate: 0.5, Episodes: 1000, Seed: 1}
	e := &rl.SARSA{Rate: 0.5, Expected: true, Episodes: 1000, Seed: 1}
	for _, err := range []error{q.Learn(env), s.Learn(env), e.Learn(env)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	online := func(r []float64) float64 { return mean(r[500:]) }
	if !(online(s.Returns) > online(q.Returns)+10 && online(e.Returns) > online(q.Returns)) {
		t.Errorf("while exploring SARSA earns %v, expected SARSA %v, Q-learning %v", online(s.Returns), online(e.Returns), online(q.Returns))
	}
	if got := along(t, q.Policy()); got != -13 {
		t.Errorf("the way that Q-learning found earns %v, want -13", got)
	}
	slow := &rl.SARSA{Rate: 0.1, Episodes: 5000, Seed: 1}
	if err := slow.Learn(env); err != nil {
		t.Fatal(err)
	}
	if got := along(t, slow.Policy()); got >= -13 {
		t.Errorf("the way that SARSA found earns %v, want less than -13: it keeps a distance", got)
	}
	v := solved(t, mdp(t, rl.CliffWalking()))
	mltest.Near(t, "worth of the start", v.V[36], -13, 1e-9)
}

// along follows a policy over the cliff world.
func along(t *testing.T, policy []int) (total float64) {
	t.Helper()
	env, err := rl.CliffWalking().Env()
	if err != nil {
		t.Fatal(err)
	}
	env.Reset(1)
	for range 200 {
		r, ended := env.Step(policy[env.State()])
		total += r
		if ended {
			return total
		}
	}
	t.Error("the policy does not end")
	return total
}

func TestSARSAMethods(t *testing.T) {
	env, err := notes().Env()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*rl.SARSA{{}, {N: 3}, {Lambda: 0.8}, {Lambda: 0.8, Replacing: true}, {Expected: true}, {Expected: true, Explore: rl.PowerChoice{C: 1.2}}} {
		s.Episodes, s.Start = 3000, 50
		if err := s.Learn(env); err != nil {
			t.Fatal(err)
		}
		if got := notes().Arrows(s.Policy()); got[0] != "→→G" || []rune(got[1])[2] != '↑' {
			t.Errorf("%+v: policy %q", *s, got)
		}
	}
	// One step of n-step SARSA is SARSA, and traces that die at once are too.
	one, n := &rl.SARSA{Seed: 5}, &rl.SARSA{N: 1, Seed: 5}
	tiny := &rl.SARSA{Lambda: 1e-15, Seed: 5}
	for _, s := range []*rl.SARSA{one, n, tiny} {
		if err := s.Learn(env); err != nil {
			t.Fatal(err)
		}
	}
	if !mat.Equal(one.Q, n.Q) || !mat.EqualApprox(one.Q, tiny.Q, 1e-9) {
		t.Error("one step differs from SARSA")
	}
	for _, bad := range []*rl.SARSA{
		{Lambda: 2}, {Lambda: 0.5, N: 3}, {Expected: true, N: 2}, {Expected: true, Explore: rl.UCB{}}, {N: -1}, {Rate: 2}, {Discount: -1},
		{Episodes: -1}, {MaxSteps: -1}, {Explore: rl.EpsilonGreedy{Epsilon: 2}}, {Start: math.NaN()},
	} {
		var e *model.Error
		if err := bad.Learn(env); !errors.As(err, &e) {
			t.Errorf("%+v: got %v, want a *model.Error", *bad, err)
		}
	}
}

// TestBlackjackPolicy compares the best policy with figure 5.2 of Sutton and Barto.
func TestBlackjackPolicy(t *testing.T) {
	m := rl.BlackjackMDP()
	v := solved(t, m)
	// The least sum at which to stick, by the dealer's card from the ace to the ten.
	hard := []int{17, 13, 13, 12, 12, 12, 17, 17, 17, 17}
	soft := []int{19, 18, 18, 18, 18, 18, 18, 18, 19, 19}
	for card := 1; card <= 10; card++ {
		for sum := 12; sum <= 21; sum++ {
			for _, ace := range []bool{false, true} {
				least := hard[card-1]
				if ace {
					least = soft[card-1]
				}
				got := v.Policy[rl.BlackjackState{Sum: sum, Dealer: card, Ace: ace}.Number()]
				if want := map[bool]int{true: rl.Stick, false: rl.Hit}[sum >= least]; got != want {
					t.Errorf("%d against %d, usable ace %v: %d, want %d", sum, card, ace, got, want)
				}
			}
		}
	}
	// Played by this policy the game earns what the values say.
	want, got := 0.0, 0.0
	for s, p := range m.Start {
		want += p * v.V[s]
	}
	b := &rl.Blackjack{PlainNaturals: true}
	const games = 200000
	for g := range uint64(games) {
		b.Reset(g)
		for {
			r, ended := b.Step(v.Policy[b.State()])
			if got += r; ended {
				break
			}
		}
	}
	if math.Abs(got/games-want) > 0.01 {
		t.Errorf("a game earns %v, want %v", got/games, want)
	}
}

func TestTaxi(t *testing.T) {
	m := rl.Taxi()
	v := solved(t, m)
	env, err := m.Env()
	if err != nil {
		t.Fatal(err)
	}
	q := &rl.QLearning{Rate: 1, Episodes: 20000, MaxSteps: 200, Explore: rl.EpsilonGreedy{Epsilon: 0.3}, Seed: 1}
	if err := q.Learn(env); err != nil {
		t.Fatal(err)
	}
	for s, p := range m.Start {
		if p == 0 {
			continue
		}
		ways := [2]float64{}
		for i, policy := range [][]int{q.Policy(), v.Policy} {
			env.SetState(s)
			for range 60 {
				r, ended := env.Step(policy[env.State()])
				if ways[i] += r; ended {
					break
				}
			}
		}
		if ways[0] != ways[1] {
			t.Errorf("%s: earns %v, want %v", m.StateNames[s], ways[0], ways[1])
		}
	}
}

func TestSeedsAndContext(t *testing.T) {
	env, err := (&rl.GridWorld{Map: []string{"...G", "S.X."}, Slip: 0.4}).Env()
	if err != nil {
		t.Fatal(err)
	}
	a, b, c := &rl.QLearning{Seed: 1}, &rl.QLearning{Seed: 1}, &rl.QLearning{Seed: 2}
	for _, l := range []*rl.QLearning{a, b, c} {
		if err := l.Learn(env); err != nil {
			t.Fatal(err)
		}
	}
	if !mat.Equal(a.Q, b.Q) || !reflect.DeepEqual(a.Returns, b.Returns) || mat.Equal(a.Q, c.Q) {
		t.Error("the seed does not decide what happens")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	stop := model.Control{Context: ctx}
	m := mdp(t, notes())
	car := &rl.MountainCar{}
	for name, err := range map[string]error{
		"ValueIteration":       (&rl.ValueIteration{Control: stop}).Solve(m),
		"PolicyIteration":      (&rl.PolicyIteration{Control: stop}).Solve(m),
		"PolicyEvaluation":     (&rl.PolicyEvaluation{Control: stop}).Solve(m, rl.UniformPolicy(m)),
		"QLearning":            (&rl.QLearning{Control: stop}).Learn(env),
		"SARSA":                (&rl.SARSA{Control: stop}).Learn(env),
		"TD":                   (&rl.TD{Control: stop}).Learn(env, mat.NewDense(8, 4, slices.Repeat([]float64{0.25}, 32))),
		"LinearQ":              (&rl.LinearQ{Control: stop}).Learn(car),
		"Reinforce":            (&rl.Reinforce{Control: stop, MaxSteps: 10}).Learn(car),
		"ActorCritic":          (&rl.ActorCritic{Control: stop, MaxSteps: 10}).Learn(car),
		"FittedValueIteration": (&rl.FittedValueIteration{Control: stop, Regressor: &neighbors.KNNRegressor{}, Samples: 50}).Solve(car),
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v, want that it was canceled", name, err)
		}
	}
}

func TestGridWorldRefuses(t *testing.T) {
	for _, w := range []*rl.GridWorld{
		{}, {Map: []string{"..", "."}}, {Map: []string{""}}, {Map: []string{".G"}, Slip: 2}, {Map: []string{".G"}, Moves: "ab"}, {Map: []string{"C.G"}},
	} {
		var e *model.Error
		if _, err := w.MDP(); !errors.As(err, &e) {
			t.Errorf("%+v: got %v, want a *model.Error", *w, err)
		}
	}
	if _, err := (&rl.GridWorld{Map: []string{"GX"}}).Env(); err == nil {
		t.Error("a world without a place to begin was entered")
	}
}

func BenchmarkQLearning(b *testing.B) {
	env, err := (&rl.GridWorld{Map: []string{"..........", "..........", "....##....", "....##....", "S........G"}}).Env()
	if err != nil {
		b.Fatal(err)
	}
	steps := 0
	b.ReportAllocs()
	for b.Loop() {
		l := &rl.QLearning{Rate: 0.5, Episodes: 20000, Explore: rl.EpsilonGreedy{}}
		if err := l.Learn(env); err != nil {
			b.Fatal(err)
		}
		for _, n := range l.Lengths {
			steps += n
		}
	}
	b.ReportMetric(float64(steps)/b.Elapsed().Seconds(), "steps/s")
}

func BenchmarkValueIteration(b *testing.B) {
	m := random(1, 100000, 4, 0.9)
	b.ReportAllocs()
	for b.Loop() {
		if err := (&rl.ValueIteration{Tol: 1e-3}).Solve(m); err != nil {
			b.Fatal(err)
		}
	}
}

func ExampleValueIteration() {
	world := &rl.GridWorld{Map: []string{"..G", "S.."}, Goal: 100}
	m, _ := world.MDP()
	v := &rl.ValueIteration{}
	v.Solve(m)
	fmt.Println(world.Values(v.V))
	fmt.Println(world.Arrows(v.Policy))
	// Output:
	// [[90 100 0] [81 90 100]]
	// [→→G ↑↑↑]
}
