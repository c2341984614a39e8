package rl

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// UniformPolicy returns the policy that takes each allowed action with the same probability, as a
// row of probabilities for each state.
func UniformPolicy(m *MDP) *mat.Dense {
	p := mat.NewDense(m.NumStates(), m.NumActions(), nil)
	for s := range m.Outcomes {
		n := 0
		for a := range m.Outcomes[s] {
			if m.allowed(s, a) {
				n++
			}
		}
		for a := range m.Outcomes[s] {
			if m.allowed(s, a) {
				p.Set(s, a, 1/float64(n))
			}
		}
	}
	return p
}

// FixedPolicy returns the policy that takes the given action in each state, as a row of
// probabilities for each state; -1 means no action.
func FixedPolicy(policy []int, actions int) *mat.Dense {
	p := mat.NewDense(len(policy), actions, nil)
	for s, a := range policy {
		if a >= 0 {
			p.Set(s, a, 1)
		}
	}
	return p
}

// checkPolicy refuses probabilities that are not policy of m.
func checkPolicy(op string, m *MDP, policy mat.Matrix) error {
	if policy == nil {
		return model.Errorf(op, "the policy must not be nil").WithHint("create one with UniformPolicy(m) or FixedPolicy(actions, k)")
	}
	if r, c := policy.Dims(); r != m.NumStates() || c != m.NumActions() {
		return model.Errorf(op, "the policy must be %dx%d (states, actions), got %dx%d", m.NumStates(), m.NumActions(), r, c)
	}
	for s := range m.Outcomes {
		sum, any := 0.0, false
		for a := range m.Outcomes[s] {
			p := policy.At(s, a)
			if !(p >= 0) || (p > 0 && !m.allowed(s, a)) {
				return model.Errorf(op, "the probability of action %s in state %s must be between 0 and 1, and 0 if not allowed, got %v", m.action(a), m.state(s), p).
					WithHint("correct the policy")
			}
			sum += p
			any = any || m.allowed(s, a)
		}
		if any && math.Abs(sum-1) > slack {
			return model.Errorf(op, "the probabilities of state %s must sum to 1, got %v", m.state(s), sum)
		}
	}
	return nil
}

// EvaluatePolicy returns the value of each state under a policy. The policy must have a row of
// action probabilities for each state.
//
//	V^π = r^π + γ·P^π·V^π,  so that  (I − γ·P^π)·V^π = r^π
//
// The equations are solved directly, in O(n³) time and O(n²) memory; beyond 2000 states, prefer
// [PolicyEvaluation]. EvaluatePolicy returns an error if γ = 1 and episodes do not end under the
// policy, because the values are then not finite.
//
// References: [Sutton2018], 4.1.
//
// Course: RL-03.
func EvaluatePolicy(m *MDP, policy mat.Matrix) ([]float64, error) {
	const op = "EvaluatePolicy"
	if err := m.Check(); err != nil {
		return nil, err
	}
	if err := checkPolicy(op, m, policy); err != nil {
		return nil, err
	}
	return solvePolicy(op, flatten(m), policy)
}

func solvePolicy(op string, f *flat, policy mat.Matrix) ([]float64, error) {
	a, b := mat.NewDense(f.n, f.n, nil), mat.NewVecDense(f.n, nil)
	for s := range f.n {
		row := a.RawRowView(s)
		row[s] = 1
		for k := range f.k {
			p, i := policy.At(s, k), s*f.k+k
			if p == 0 {
				continue
			}
			b.SetVec(s, b.AtVec(s)+p*f.reward[i])
			for j := f.first[i]; j < f.first[i+1]; j++ {
				row[f.next[j]] -= f.gamma * p * f.prob[j]
			}
		}
	}
	var v mat.VecDense
	if err := v.SolveVec(a, b); err != nil {
		return nil, model.Errorf(op, "the values of the policy are undetermined: %v", err).
			WithHint("set Discount below 1, or use a policy that ends from every state")
	}
	return v.RawVector().Data, nil
}

// PolicyEvaluation computes the values of a policy by repeated sweeps. A sweep costs one
// multiplication per outcome.
//
//	V(s) ← Σₐ π(a | s)·(r(s, a) + γ·Σₛ′ P(s′ | s, a)·V(s′))
//
// References: [Sutton2018], 4.1.
//
// Course: RL-03.
type PolicyEvaluation struct {
	// Tol is the tolerance: the largest error of a value; 0 means 1e-9. With a larger value, the
	// sweeps stop earlier.
	Tol float64
	// MaxIter is the maximum number of sweeps; 0 means 10000.
	MaxIter int
	model.Control

	V     []float64   // set by Solve
	Trace model.Trace // set by Solve: Loss is the largest change of each sweep
}

// Solve computes the values of the states of m under the policy.
func (e *PolicyEvaluation) Solve(m *MDP, policy mat.Matrix) error {
	const op = "PolicyEvaluation.Solve"
	e.V, e.Trace = nil, model.Trace{}
	if err := m.Check(); err != nil {
		return err
	}
	if err := checkPolicy(op, m, policy); err != nil {
		return err
	}
	tol, most, err := iteration(op, e.Tol, e.MaxIter)
	if err != nil {
		return err
	}
	f := flatten(m)
	now, next := make([]float64, f.n), make([]float64, f.n)
	run := e.Begin("PolicyEvaluation", most)
	defer run.End()
	var trace model.Trace
	for iter := 1; iter <= most && !trace.Converged; iter++ {
		change := 0.0
		for s := range f.n {
			sum := 0.0
			for a := range f.k {
				if p := policy.At(s, a); p > 0 {
					sum += p * f.backup(s*f.k+a, now)
				}
			}
			next[s] = sum
			change = max(change, math.Abs(sum-now[s]))
		}
		now, next = next, now
		trace.Loss = append(trace.Loss, change)
		trace.Converged = stillOff(change, f.gamma) <= tol
		if err := run.Step(iter, change); err != nil {
			return err
		}
	}
	e.V, e.Trace = now, trace
	return nil
}

// PolicyIteration finds an optimal policy of a known process. It alternates between computing the
// values of the policy and making the policy greedy with respect to these values.
//
//	V ← V^π;  π(s) ← argmax over a of  r(s, a) + γ·Σ P(s′ | s, a)·V(s′)
//
// No round makes the policy worse. The iteration ends when no action changes, usually after a few
// rounds. An action changes only if another action is better by more than the rounding error. With
// up to 1000 states, each round solves for the values directly; with more states, it uses sweeps.
//
// References: [Sutton2018], 4.3; [Howard1960].
//
// Course: RL-06.
type PolicyIteration struct {
	// MaxIter is the maximum number of rounds; 0 means 1000.
	MaxIter int
	// Initial is the initial policy; nil means the first allowed action in each state.
	Initial []int
	model.Control

	V        []float64   // set by Solve
	Q        *mat.Dense  // set by Solve
	Policy   []int       // set by Solve
	Policies [][]int     // set by Solve: the policy before the first and after each round, of processes of at most 1000 states
	Values   [][]float64 // set by Solve: the worth of each of Policies
	Trace    model.Trace // set by Solve: Loss is the number of actions that each round changed
}

// Solve finds an optimal policy of m.
func (p *PolicyIteration) Solve(m *MDP) error {
	const op = "PolicyIteration.Solve"
	initial := p.Initial
	p.V, p.Q, p.Policy, p.Policies, p.Values, p.Trace = nil, nil, nil, nil, nil, model.Trace{}
	if err := m.Check(); err != nil {
		return err
	}
	most, err := model.Iterations(op, "MaxIter", p.MaxIter, 1000)
	if err != nil {
		return err
	}
	policy, err := firstPolicy(op, m, initial)
	if err != nil {
		return err
	}
	f := flatten(m)
	run := p.Begin("PolicyIteration", most)
	defer run.End()
	var (
		trace    model.Trace
		policies [][]int
		values   [][]float64
		v        []float64
	)
	for iter := 1; iter <= most && !trace.Converged; iter++ {
		if v, err = worth(op, m, f, policy); err != nil {
			return err
		}
		if f.n <= mostKept {
			policies, values = append(policies, append([]int(nil), policy...)), append(values, v)
		}
		changed := improve(f, policy, v)
		trace.Loss = append(trace.Loss, float64(changed))
		trace.Converged = changed == 0
		if err := run.Step(iter, float64(changed)); err != nil {
			return err
		}
	}
	p.V, p.Q, p.Policy, p.Policies, p.Values, p.Trace = v, f.q(v), policy, policies, values, trace
	return nil
}

// firstPolicy returns a policy to begin with, the user's or one that is allowed.
func firstPolicy(op string, m *MDP, initial []int) ([]int, error) {
	n := m.NumStates()
	if initial != nil && len(initial) != n {
		return nil, model.Errorf(op, "Initial must have %d actions (the number of states), got %d", n, len(initial))
	}
	policy := make([]int, n)
	for s := range policy {
		policy[s] = -1
		for a := m.NumActions() - 1; a >= 0; a-- {
			if m.allowed(s, a) {
				policy[s] = a
			}
		}
		if initial == nil || policy[s] < 0 {
			continue
		}
		if a := initial[s]; a < 0 || a >= m.NumActions() || !m.allowed(s, a) {
			return nil, model.Errorf(op, "Initial must take allowed actions, got %d in state %s", a, m.state(s))
		}
		policy[s] = initial[s]
	}
	return policy, nil
}

// worth returns the values of a policy of single actions.
func worth(op string, m *MDP, f *flat, policy []int) ([]float64, error) {
	p := FixedPolicy(policy, f.k)
	if f.n <= mostKept {
		return solvePolicy(op, f, p)
	}
	e := &PolicyEvaluation{Tol: 1e-10}
	if err := e.Solve(m, p); err != nil {
		return nil, err
	}
	return e.V, nil
}

// improve makes the policy greedy by the values v and returns the number of actions
// that it changed.
func improve(f *flat, policy []int, v []float64) int {
	changed := 0
	for s, old := range policy {
		if old < 0 {
			continue
		}
		action, value := f.best(s, v)
		if was := f.backup(s*f.k+old, v); value > was+1e-9*max(1, math.Abs(was)) {
			policy[s] = action
			changed++
		}
	}
	return changed
}
