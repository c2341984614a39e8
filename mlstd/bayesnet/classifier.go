package bayesnet

import (
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// The examples for a classifier have the features as variables, and the class as the last variable.
type labelled struct {
	vars    []CPT // the class is the last variable
	rows    *rows
	classes []int
	index   []int // the class of each row, by position
	alpha   float64
}

func readLabelled(op string, x mat.Matrix, y []int, alpha float64) (*labelled, error) {
	alpha = model.Or(alpha, 1)
	if !(alpha >= 0) || math.IsInf(alpha, 0) {
		return nil, model.Errorf(op, "Alpha must not be negative (0 means 1, model.Zero means none), got %v", alpha)
	}
	if _, err := (model.Takes{Nominal: true}).CheckXY(op, x, y); err != nil {
		return nil, err
	}
	vars, rows, err := variables(op, x)
	if err != nil {
		return nil, err
	}
	e := &labelled{vars: vars, rows: rows, alpha: alpha}
	e.classes, e.index = model.Classes(y)
	class := CPT{Name: "class"}
	var levels []string
	if t, ok := x.(*model.Table); ok && t.Target.Name != "" {
		class.Name, levels = t.Target.Name, t.Target.Levels
	}
	for slices.ContainsFunc(vars, func(c CPT) bool { return c.Name == class.Name }) {
		class.Name += " (class)"
	}
	col := make([]int32, len(y))
	for r, k := range e.index {
		col[r] = int32(k)
	}
	for _, c := range e.classes {
		name := strconv.Itoa(c)
		if c >= 0 && c < len(levels) {
			name = levels[c]
		}
		class.States = append(class.States, name)
	}
	e.vars = append(e.vars, class)
	e.rows.cols = append(e.rows.cols, col)
	return e, nil
}

// learn makes the network of a graph whose root is the class. The class has its observed
// frequencies, and the features have smoothed tables.
func (e *labelled) learn(op, name string, parents [][]int) (*BayesNetwork, error) {
	n, err := structure(op, name, e.vars, parents)
	if err != nil {
		return nil, err
	}
	pseudo := zeros(n)
	for i := range len(e.vars) - 1 {
		for k := range pseudo[i] {
			pseudo[i][k] = e.alpha
		}
	}
	return n.with(n.tables(n.counts(e.rows), pseudo)), nil
}

// classed is a network that predicts the class of a row. Its last variable is the class.
type classed struct {
	classes []int
}

// joint computes log P(class, row), with one column per class. A value that occurred in no example
// is left out, as are the tables that depend on it.
func (c classed) joint(op string, net *BayesNetwork, x mat.Matrix) *mat.Dense {
	if net == nil {
		panic(model.NotFitted(op))
	}
	d := model.Takes{Nominal: true}.MustRows(op, x, len(net.vars)-1)
	n, features := d.Dims()
	k := len(c.classes)
	out := mat.NewDense(n, k, nil)
	states := make([]int, features+1)
	for r := range n {
		read(d.RawRowView(r), net, states)
		row := out.RawRowView(r)
		for s := range k {
			states[features] = s
			row[s] = math.Log(net.vars[features].table[s]) + net.logFirst(states, features)
		}
	}
	return out
}

// read converts a row to states, -1 for a value that occurred in no example.
func read(row []float64, net *BayesNetwork, states []int) {
	for i, v := range row {
		states[i] = int(v)
		if v < 0 || float64(states[i]) != v || states[i] >= net.vars[i].card {
			states[i] = -1
		}
	}
}

// logFirst returns the log probability of the first k variables given their parents.
func (n *BayesNetwork) logFirst(states []int, k int) float64 {
	sum := 0.0
	for i := range k {
		if states[i] < 0 || slices.ContainsFunc(n.vars[i].parents, func(p int) bool { return states[p] < 0 }) {
			continue
		}
		sum += math.Log(n.row(i, states)[states[i]])
	}
	return sum
}

// best returns the class with the largest log joint probability; ties go to the first.
func (c classed) best(joint *mat.Dense) []int {
	n, _ := joint.Dims()
	out := make([]int, n)
	for r := range out {
		row := joint.RawRowView(r)
		at := 0
		for k, v := range row {
			if v > row[at] {
				at = k
			}
		}
		out[r] = c.classes[at]
	}
	return out
}

// proba converts log joint probabilities to class probabilities. A row that is impossible in every
// class gets the prior probabilities of the classes.
func proba(joint *mat.Dense, prior []float64) *mat.Dense {
	n, _ := joint.Dims()
	for r := range n {
		row := joint.RawRowView(r)
		most := slices.Max(row)
		if math.IsInf(most, -1) {
			copy(row, prior)
			continue
		}
		for k := range row {
			row[k] = math.Exp(row[k] - most)
		}
		normalize(row)
	}
	return joint
}
