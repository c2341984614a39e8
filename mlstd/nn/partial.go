package nn

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

var (
	_ model.PartialFitter    = (*MLPClassifier)(nil)
	_ model.PartialRegressor = (*MLPRegressor)(nil)
)

// remembered is the state that an optimizer needs to continue: the state variables of each
// parameter, and the number of steps made.
type remembered struct {
	Memory [][][]float64
	Steps  int
}

// remembered returns the state of the optimizer after the last step.
func (t *Trainer) remembered() remembered { return remembered{t.memory, t.steps} }

// resume restores the remembered state, if it fits the optimizer.
func (t *Trainer) resume(net *Network, r remembered) {
	t.start(net)
	if len(r.Memory) != len(t.memory) {
		return
	}
	for i, m := range r.Memory {
		if len(m) != len(t.memory[i]) {
			return
		}
	}
	for i, m := range r.Memory {
		for j := range m {
			copy(t.memory[i][j], m[j])
		}
	}
	t.steps = r.Steps
}

// partial makes one pass over a batch, from the weights if there are any, and
// returns the network and the mean loss.
func (p *perceptron) partial(x, y *mat.Dense, coef []*mat.Dense, intercept [][]float64, before remembered) (net *Network, loss float64, err error) {
	if coef == nil {
		net, err = p.network(x, y)
	} else {
		_, d := x.Dims()
		if want, _ := coef[0].Dims(); d != want {
			return nil, 0, model.Errorf(p.op, "x must have %d columns, as in the earlier batches, got %d", want, d)
		}
		net = fittedNetwork(p.op, coef, intercept, p.activation)
		net.Single = p.single
	}
	if err != nil {
		return nil, 0, err
	}
	t := &p.trainer
	in, target, err := net.pair(p.op, x, y, t.Loss)
	if err != nil {
		return nil, 0, err
	}
	if err := t.check(p.op); err != nil {
		return nil, 0, err
	}
	run := t.Begin("Trainer", 1)
	defer run.End()
	t.resume(net, before)
	n, _ := in.Dims()
	t.order = t.order[:0]
	for i := range n {
		t.order = append(t.order, i)
	}
	if loss, err = t.epoch(net, in, target, run); err != nil {
		return nil, 0, err
	}
	if math.IsNaN(loss) || math.IsInf(loss, 0) || slices.ContainsFunc(net.params, broken) {
		return nil, 0, model.Errorf(p.op, "the loss must be finite, got %v", loss).WithHint("set a smaller Rate, scale the columns, or set Clip")
	}
	return net, loss, run.Step(1, loss)
}

// broken reports whether some weights are not finite.
func broken(p *Param) bool {
	return slices.ContainsFunc(p.Value, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
}
