package rl

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/nn"
	"github.com/gokernel/gokernel/mlstd/optim"
)

// DQN is a deep Q-network: Q-learning whose values are the outputs of a neural network, one per
// action.
//
//	y = r + γ·max over a′ of Q⁻(x′, a′)                   (r alone at the end of an episode)
//	y = r + γ·Q⁻(x′, argmax over a′ of Q(x′, a′))         with Double
//	J = mean over a batch of ½(Q(x, a) − y)²,   a step of the optimizer on J
//
// For two reasons, DQN diverges less often than plain Q-learning with a network. The batches are
// drawn from a memory of the last Memory steps, since consecutive steps are strongly correlated.
// The targets y come from Q⁻, a copy of the network that stays fixed for Sync updates. The maximum
// of noisy estimates is biased upward. With Double, one network chooses the action and the other
// network estimates the action's value; this removes most of the bias.
//
// Each coordinate with finite bounds is scaled to [−1, 1] for the network. An episode that MaxSteps
// cuts short has not ended: its last target includes the value of the next state.
//
// Unlike in Mnih's paper, the error is not clipped to ±1. With clipping, large errors in the few
// final steps of episodes would count no more than small errors in other steps, and diverged values
// would not recover.
//
// The returns vary from episode to episode; set StopAt to end learning when the returns are good.
// Values above the largest possible return are a sign of divergence: take a smaller Rate or a
// larger Sync. With [OneHot] features and no hidden units, the network is equivalent to the table
// of [QLearning].
//
// Cost: three forward passes and one backward pass of a batch through the network per update. Every
// is the number of steps between updates.
//
// References: [Mnih2015]; [VanHasselt2016] for Double; [Lin1992] for the memory.
//
// Course: RL-13, RL-14.
type DQN struct {
	Features Features // nil means the coordinates themselves
	// Hidden lists the number of units of each hidden layer. Nil means 64, 64; an empty slice means
	// no hidden layers.
	Hidden    []int
	Optimizer nn.Optimizer // nil means Adam{}
	// Rate is the learning rate α; nil means the optimizer's default rate. With a larger value,
	// learning is faster but noisier.
	Rate optim.Schedule
	// Discount is the discount factor γ of future rewards; 0 means the environment's own discount,
	// or 0.99 if it has none. With a larger value, the agent looks further ahead.
	Discount float64
	// Explore is the exploration strategy; nil means EpsilonGreedy{Epsilon: 1,
	// Decay: 0.97, Least: 0.02}.
	Explore Exploration
	Double  bool // chooses by one network and values by the other
	// Memory is the number of steps in the replay memory; 0 means 20000.
	Memory int
	// Batch is the number of replayed steps per update; 0 means 48.
	Batch int
	Every int // steps from one update to the next; 0 means 1
	Sync  int // updates from one copy of the network to the next; 0 means 25
	// Episodes is the number of training episodes; 0 means 300.
	Episodes int
	// MaxSteps is the maximum number of steps of an episode; 0 means 1000.
	MaxSteps int
	StopAt   float64 // ends when the mean of the last 20 Returns reaches it; 0 means never
	Seed     uint64
	model.Control

	Coef      []*mat.Dense // set by Learn: a matrix a layer, a row an input, a column a unit
	Intercept [][]float64  // set by Learn: a list a layer
	Returns   []float64    // set by Learn: the sum of the rewards of each episode
	Lengths   []int        // set by Learn: the steps of each episode

	scale inputScale
}

// inputScale makes of what the agent sees the inputs of a network.
type inputScale struct {
	Features       Features
	Middle, Factor []float64
	active         []int
}

func newInputScale(f Features, env Continuous) inputScale {
	low, high := env.Bounds()
	s := inputScale{Features: f, Middle: make([]float64, len(low)), Factor: make([]float64, len(low))}
	for j, lo := range low {
		s.Factor[j] = 1
		if width := high[j] - lo; width > 0 && !math.IsInf(width, 1) {
			s.Middle[j], s.Factor[j] = lo+width/2, 2/width
		}
	}
	return s
}

func (s *inputScale) len() int {
	if s.Features != nil {
		return s.Features.Len()
	}
	return len(s.Middle)
}

func (s *inputScale) inputs(x, into []float64) {
	if s.Features == nil {
		for j, v := range x {
			into[j] = (v - s.Middle[j]) * s.Factor[j]
		}
		return
	}
	clear(into)
	s.active = s.Features.Active(x, s.active[:0])
	for _, i := range s.active {
		into[i] = 1
	}
}

// dqnRun is the state of a run.
type dqnRun struct {
	l           *DQN
	env         Continuous
	mask        Masked
	explore     Exploration
	choice      Choice
	gamma       float64
	most, every int
	sync        int
	x           []float64
	now, next   *mat.Dense // a row: what the network sees
	nows, nexts *mat.Dense // of a batch
	slope       *mat.Dense // of the loss by the outputs
	chosen      []int      // the actions that Double chooses
	picks       []int
	memory      *replay
	online      *nn.Network
	target      *nn.Network
	trainer     nn.Trainer
	draws       *rand.Rand
	steps       int
	updates     int
}

// Learn plays the episodes.
func (l *DQN) Learn(env Continuous) error {
	const op = "DQN.Learn"
	l.Coef, l.Intercept, l.Returns, l.Lengths, l.scale = nil, nil, nil, nil, inputScale{}
	r, err := l.begin(op, env)
	if err != nil {
		return err
	}
	n, err := model.Iterations(op, "Episodes", l.Episodes, 300)
	if err != nil {
		return err
	}
	run := l.Begin("DQN", n)
	defer run.End()
	seeds := model.Rand(l.Seed, 1)
	var returns []float64
	var lengths []int
	for e := range n {
		r.choice.Episode = e
		env.Reset(seeds.Uint64())
		g, steps, err := r.episode()
		if err != nil {
			return err
		}
		returns, lengths = append(returns, g), append(lengths, steps)
		if err := run.Step(e+1, -g); err != nil {
			return err
		}
		if l.StopAt != 0 && len(returns) >= 20 && stat.Mean(returns[len(returns)-20:], nil) >= l.StopAt {
			break
		}
	}
	l.Coef, l.Intercept, l.Returns, l.Lengths = r.online.Weights(), r.online.Intercepts(), returns, lengths
	return nil
}

func (l *DQN) begin(op string, env Continuous) (*dqnRun, error) {
	if env == nil {
		return nil, model.Errorf(op, "the environment must not be nil")
	}
	r := &dqnRun{l: l, env: env, mask: maskOf(env), explore: l.Explore}
	if r.explore == nil {
		r.explore = EpsilonGreedy{Epsilon: 1, Decay: 0.97, Least: 0.02}
	}
	if _, ok := r.explore.(UCB); ok {
		return nil, model.Errorf(op, "Explore must not be UCB, which counts visits of discrete states").WithHint("set Explore to EpsilonGreedy or PowerChoice")
	}
	err := r.explore.Check()
	if err != nil {
		return nil, err
	}
	if r.gamma, err = discountOf(op, l.Discount, env); err != nil {
		return nil, err
	}
	var memory, batch int
	for _, p := range []struct {
		to           *int
		name         string
		given, usual int
	}{
		{&r.most, "MaxSteps", l.MaxSteps, 1000}, {&memory, "Memory", l.Memory, 20000}, {&batch, "Batch", l.Batch, 48},
		{&r.every, "Every", l.Every, 1}, {&r.sync, "Sync", l.Sync, 25},
	} {
		if *p.to, err = model.Iterations(op, p.name, p.given, p.usual); err != nil {
			return nil, err
		}
	}
	if batch > memory {
		return nil, model.Errorf(op, "Batch must be at most %d (the size of Memory), got %d", memory, batch)
	}
	if l.Features != nil {
		if _, err := featuresOf(op, l.Features, env); err != nil {
			return nil, err
		}
	}
	l.scale = newInputScale(l.Features, env)
	d, k := l.scale.len(), env.NumActions()
	r.x = make([]float64, len(l.scale.Middle))
	r.now, r.next, r.nows, r.nexts = mat.NewDense(1, d, nil), mat.NewDense(1, d, nil), mat.NewDense(batch, d, nil), mat.NewDense(batch, d, nil)
	r.slope, r.picks, r.chosen = mat.NewDense(batch, k, nil), make([]int, batch), make([]int, batch)
	r.memory = newReplay(memory, d, k, r.mask != nil)
	r.choice.Rand, r.choice.Q, r.draws = model.Rand(l.Seed, 0), make([]float64, k), model.Rand(l.Seed, 2)
	r.trainer = nn.Trainer{Optimizer: l.Optimizer, Rate: l.Rate}
	return r, r.networks(op, d, k)
}

// networks makes two identical networks.
func (r *dqnRun) networks(op string, inputs, actions int) error {
	sizes := []int{64, 64}
	if r.l.Hidden != nil {
		sizes = r.l.Hidden
	}
	if len(sizes) > 0 && slices.Min(sizes) < 1 {
		return model.Errorf(op, "each layer of Hidden must have at least 1 unit, got %v", sizes)
	}
	sizes = append(append([]int{inputs}, sizes...), actions)
	r.online, r.target = nn.MLP(sizes...).ReLU(), nn.MLP(sizes...).ReLU()
	r.online.Seed, r.target.Seed = r.l.Seed, r.l.Seed
	if err := r.online.Build(); err != nil {
		return err
	}
	return r.target.Build()
}

// look fills in the current input of the network.
func (r *dqnRun) look(into *mat.Dense) {
	r.env.Observe(r.x)
	r.l.scale.inputs(r.x, into.RawRowView(0))
}

// choose returns the action that is tried next.
func (r *dqnRun) choose() int {
	copy(r.choice.Q, r.online.Forward(r.now).RawRowView(0))
	if r.mask != nil {
		for a := range r.choice.Q {
			if !r.mask.Allowed(a) {
				r.choice.Q[a] = math.Inf(-1)
			}
		}
	}
	return r.explore.Choose(&r.choice)
}

// episode plays one, and learns as it goes.
func (r *dqnRun) episode() (total float64, steps int, err error) {
	r.look(r.now)
	for ended := false; !ended && steps < r.most; steps++ {
		a := r.choose()
		var reward float64
		reward, ended = r.env.Step(a)
		r.look(r.next)
		r.memory.add(r.now.RawRowView(0), a, reward, r.next.RawRowView(0), ended, r.mask)
		r.now, r.next = r.next, r.now
		total += reward
		if r.steps++; r.steps%r.every == 0 && r.memory.len >= len(r.picks) {
			if err := r.update(); err != nil {
				return 0, 0, err
			}
		}
	}
	return total, steps, nil
}

// update makes a step of learning from a batch of the memory.
func (r *dqnRun) update() error {
	r.memory.draw(r.draws, r.picks, r.nows.RawMatrix().Data, r.nexts.RawMatrix().Data)
	if r.l.Double {
		q := r.online.Forward(r.nexts)
		for b, i := range r.picks {
			r.chosen[b] = r.memory.best(i, q.RawRowView(b))
		}
	}
	then, q := r.target.Forward(r.nexts), r.online.Forward(r.nows)
	r.slope.Zero()
	over := 1 / float64(len(r.picks))
	for b, i := range r.picks {
		y := r.memory.reward[i]
		if !r.memory.ended[i] {
			ahead := then.RawRowView(b)
			if !r.l.Double {
				r.chosen[b] = r.memory.best(i, ahead)
			}
			y += r.gamma * ahead[r.chosen[b]]
		}
		a := r.memory.action[i]
		delta := q.At(b, a) - y
		if math.IsNaN(delta) || math.IsInf(delta, 0) {
			return model.Errorf("DQN.Learn", "the values diverged after %d updates", r.updates).WithHint("set a smaller Rate")
		}
		r.slope.Set(b, a, delta*over)
	}
	r.trainer.Descend(r.online, r.slope)
	if r.updates++; r.updates%r.sync == 0 {
		for i, p := range r.online.Params() {
			copy(r.target.Params()[i].Value, p.Value)
		}
	}
	return nil
}

// Network returns a copy of the network. Its inputs are the scaled coordinates or the features.
func (l *DQN) Network() *nn.Network {
	l.learned("DQN.Network")
	net := &nn.Network{}
	for i, w := range l.Coef {
		d, units := w.Dims()
		if i == 0 {
			net.Shape = []int{d}
		}
		net.Layers = append(net.Layers, &nn.Dense{Units: units, Coef: mat.DenseCopyOf(w), Intercept: slices.Clone(l.Intercept[i])})
	}
	return net.ReLU()
}

func (l *DQN) learned(op string) {
	if l.Coef == nil {
		panic(model.Errorf(op, "the learner has not learned yet").WithHint("call Learn first"))
	}
}

// Values returns the estimated value of each action at x.
func (l *DQN) Values(x []float64) []float64 {
	const op = "DQN.Values"
	l.learned(op)
	if len(x) != len(l.scale.Middle) {
		panic(model.Errorf(op, "x must be an observation of %d numbers, got %d", len(l.scale.Middle), len(x)))
	}
	a := make([]float64, l.scale.len())
	l.scale.inputs(x, a)
	for i, w := range l.Coef {
		z := slices.Clone(l.Intercept[i])
		for j, v := range a {
			if v != 0 {
				floats.AddScaled(z, v, w.RawRowView(j))
			}
		}
		if i < len(l.Coef)-1 {
			for u := range z {
				z[u] = max(0, z[u])
			}
		}
		a = z
	}
	return a
}

// Act returns the best action at x; ties go to the first action.
func (l *DQN) Act(x []float64) int { return floats.MaxIdx(l.Values(x)) }
