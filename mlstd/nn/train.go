package nn

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/limits"
	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/optim"
)

// Trainer fits the weights of a [Network] to examples, batch by batch.
//
//	J = (1/n) Σᵢ loss(f(xᵢ), yᵢ) + (λ/2)·Σ w²,   w ← w − η·∂J_B/∂w
//
// J_B is J on the batch B. If Batch is the number of examples, each step uses all examples (batch
// training). If Batch is 1, each step uses one example (online training), which needs a small rate.
// In both cases, the weights start at random values, and the examples are shuffled in each epoch.
// With validation data, Train keeps the weights of the epoch with the smallest validation loss, and
// stops after Patience epochs without a smaller loss.
//
// Cost: about three products of the batch and the weights per step.
//
// References: [LeCunBottouOrrMueller1998], [Prechelt1998]. Course: NET-10, NET-11,
// NET-12, NET-14.
type Trainer struct {
	Loss      NetworkLoss    // empty means squared
	Optimizer Optimizer      // nil means Adam{}
	Rate      optim.Schedule // per step; nil means the optimizer's usual rate, constant
	Batch     int            // examples per step; 0 means 32. A larger value makes steps less noisy, and fewer per epoch
	// Epochs is the number of passes over the training examples; 0 means 200. More passes fit the
	// examples more closely.
	Epochs    int
	Lambda    float64 // λ of the weight decay
	Clip      float64 // maximum norm of the gradient, to which longer ones are scaled; 0 means none
	NoShuffle bool
	Seed      uint64
	Tol       float64 // stop if 10 successive epochs each lower the loss by less; 0 means never

	ValidationX, ValidationY mat.Matrix // nil means no early stopping
	Patience                 int        // 0 means 10
	model.Control

	order  []int
	xb, yb mat.Dense
	memory [][][]float64
	steps  int
	// descends is the network of the last call of Descend.
	descends *Network
	// gradients, if set, replaces the gradients of the loss.
	gradients func(net *Network, x, y *mat.Dense) float64
}

// TrainingRun is the record of one call of Train.
type TrainingRun struct {
	model.Trace           // Loss is the mean over the batches of each epoch, Step the rate
	Validation  []float64 // the validation loss after each epoch
	BestEpoch   int       // epoch of the weights kept, counted from 1
}

// Train fits the weights, starting from the current weights of the network. If the context is done,
// Train returns the error of the context.
func (t *Trainer) Train(net *Network, x, y mat.Matrix) (*TrainingRun, error) {
	const op = "Trainer.Train"
	in, target, err := net.pair(op, x, y, t.Loss)
	if err != nil {
		return nil, err
	}
	epochs, err := model.Iterations(op, "Epochs", t.Epochs, 200)
	if err != nil {
		return nil, err
	}
	if err := t.check(op); err != nil {
		return nil, err
	}
	var vx, vy *mat.Dense
	if t.ValidationX != nil {
		if vx, vy, err = net.pair(op, t.ValidationX, t.ValidationY, t.Loss); err != nil {
			return nil, err
		}
	}
	run := t.Begin("Trainer", epochs)
	defer run.End()
	t.start(net)
	res := &TrainingRun{BestEpoch: epochs}
	best, waited, still := math.Inf(1), 0, 0
	var kept [][]float64
	rng := model.Rand(t.Seed, 1)
	n, _ := in.Dims()
	t.order = t.order[:0]
	for i := range n {
		t.order = append(t.order, i)
	}
	for epoch := 1; epoch <= epochs; epoch++ {
		if !t.NoShuffle {
			rng.Shuffle(n, func(i, j int) { t.order[i], t.order[j] = t.order[j], t.order[i] })
		}
		loss, err := t.epoch(net, in, target, run)
		if err != nil {
			return nil, err
		}
		if math.IsNaN(loss) || math.IsInf(loss, 0) {
			return nil, model.Errorf(op, "the loss must be finite, got %v after %d epochs", loss, epoch).WithHint("set a smaller Rate, scale the columns, or set Clip")
		}
		if k := len(res.Loss); t.Tol > 0 {
			if still++; k == 0 || loss < res.Loss[k-1]-t.Tol {
				still = 0
			}
		}
		res.Loss, res.Step = append(res.Loss, loss), append(res.Step, t.rate())
		held := math.NaN()
		if vx != nil {
			v := t.Loss.gradient(nil, net.forward(vx, false), vy)
			held, res.Validation = v, append(res.Validation, v)
			if waited++; v < best {
				best, waited, kept, res.BestEpoch = v, 0, net.copyOut(kept), epoch
			}
		}
		if err := run.StepValidated(epoch, loss, held); err != nil {
			return nil, err
		}
		if vx != nil && waited >= orInt(t.Patience, 10) || still >= 10 {
			res.Converged = true
			break
		}
	}
	if kept != nil {
		net.copyIn(kept)
	} else {
		res.BestEpoch = len(res.Loss)
	}
	return res, nil
}

// check returns an error for invalid parameters.
func (t *Trainer) check(op string) error {
	if err := limits.Check(op,
		limits.NotNegative("Batch", t.Batch),
		limits.NotNegative("Lambda", t.Lambda),
		limits.NotNegative("Clip", t.Clip),
		limits.NotNegative("Patience", t.Patience)); err != nil {
		return err
	}
	return nil
}

// start resets the state of the optimizer.
func (t *Trainer) start(net *Network) {
	t.memory, t.steps, t.descends = nil, 0, nil
	for _, p := range net.params {
		var m [][]float64
		for range t.optimizer().Memory() {
			m = append(m, make([]float64, len(p.Value)))
		}
		t.memory = append(t.memory, m)
	}
}

func (t *Trainer) optimizer() Optimizer {
	if t.Optimizer == nil {
		return Adam{}
	}
	return t.Optimizer
}

func (t *Trainer) rate() float64 {
	if t.Rate == nil {
		return t.optimizer().UsualRate()
	}
	return t.Rate.Rate(max(t.steps, 1))
}

// epoch makes a pass over the examples and returns the mean loss of the batches.
func (t *Trainer) epoch(net *Network, x, y *mat.Dense, run *model.Run) (float64, error) {
	n := len(t.order)
	_, d := x.Dims()
	_, k := y.Dims()
	batch, sum := min(orInt(t.Batch, 32), n), 0.0
	for at := 0; at < n; at += batch {
		rows := t.order[at:min(at+batch, n)]
		shaped(&t.xb, len(rows), d)
		shaped(&t.yb, len(rows), k)
		if len(rows)*d > many {
			t.gatherAll(x, y, rows)
		} else {
			t.gather(x, y, rows, 0)
		}
		sum += t.step(net, &t.xb, &t.yb) * float64(len(rows))
		if err := run.Err(); err != nil {
			return 0, err
		}
	}
	return sum / float64(n), nil
}

// many is the number of values in a batch above which several goroutines gather it.
const many = 1 << 15

// gather copies rows of the examples into the batch, starting at its row at.
func (t *Trainer) gather(x, y *mat.Dense, rows []int, at int) {
	for i, r := range rows {
		copy(t.xb.RawRowView(at+i), x.RawRowView(r))
		copy(t.yb.RawRowView(at+i), y.RawRowView(r))
	}
}

// gatherAll is gather for a whole batch, on all processors.
func (t *Trainer) gatherAll(x, y *mat.Dense, rows []int) {
	par.Range(len(rows), 16, func(lo, hi int) { t.gather(x, y, rows[lo:hi], lo) })
}

// step makes a training step on one batch and returns its loss.
func (t *Trainer) step(net *Network, x, y *mat.Dense) float64 {
	if t.gradients != nil {
		return t.gradients(net, x, y) + t.descend(net)
	}
	return net.gradients(x, y, t.Loss) + t.descend(net)
}

// Descend takes a step for the rows of the last call of [Network.Forward]. slope is the gradient of
// the loss with respect to the outputs. Use it for learners whose loss is not a [NetworkLoss]. A
// call with another network resets the optimizer's state.
func (t *Trainer) Descend(net *Network, slope *mat.Dense) {
	if t.descends != net {
		net.Params()
		t.start(net)
		t.descends = net
	}
	net.zeroGrad()
	net.backward(slope, false)
	t.descend(net)
}

// descend makes the step for the gradients of net and returns the penalty.
func (t *Trainer) descend(net *Network) float64 {
	t.steps++
	loss, squares := 0.0, 0.0
	for _, p := range net.params {
		if t.Lambda > 0 && p.Penalized {
			floats.AddScaled(p.Grad, t.Lambda, p.Value)
			loss += t.Lambda / 2 * floats.Dot(p.Value, p.Value)
		}
		if t.Clip > 0 {
			squares += floats.Dot(p.Grad, p.Grad)
		}
	}
	rule, rate := t.optimizer(), t.rate()
	for i, p := range net.params {
		if length := math.Sqrt(squares); length > t.Clip {
			floats.Scale(t.Clip/length, p.Grad)
		}
		rule.Update(p.Value, p.Grad, t.memory[i], rate, t.steps)
	}
	return loss
}

func orInt(n, usual int) int {
	if n == 0 {
		return usual
	}
	return n
}

// copyOut copies the weights into v.
func (n *Network) copyOut(v [][]float64) [][]float64 {
	if v == nil {
		v = make([][]float64, len(n.params))
	}
	for i, p := range n.params {
		v[i] = append(v[i][:0], p.Value...)
	}
	return v
}

// copyIn sets the weights to v.
func (n *Network) copyIn(v [][]float64) {
	for i, p := range n.params {
		copy(p.Value, v[i])
	}
}
