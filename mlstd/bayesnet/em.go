package bayesnet

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/par"
	"github.com/gokernel/gokernel/mlstd/model"
)

// BayesEM learns the tables of a network from examples with missing values and hidden
// variables by expectation maximization.
//
//	L(θ) = Σᵣ log P(observed part of row r | θ) + Σ α·log θ
//
// E step: count each completion of each row, weighted by its probability from a junction tree. With
// Hard, count only the most probable completion, so the counts are whole numbers. M step: normalize
// the counts plus the virtual examples of the prior. Counts start at zero in every E step, so
// neither the prior nor a row counts twice.
//
// L never falls; with Hard, the probability of the completed rows never falls. Cost: one
// calibration of the junction tree per distinct incomplete row and iteration.
//
// Pitfalls: EM finds a local optimum that depends on the start. If the start treats the states of a
// hidden variable alike, all later steps treat them alike too, and EM learns nothing about the
// variable; Symmetric lists such variables. Values must be missing at random.
//
// References: [Dempster1977], [Lauritzen1995], [KollerFriedman2009] §19.2. Course: BN-06,
// BN-07, BN-08, BN-09.
type BayesEM struct {
	Structure *BayesNetwork // the graph, and the start if FromTables
	// FromTables starts EM from the tables of Structure; otherwise the rows of the tables are drawn
	// at random.
	FromTables bool
	Hard       bool     // count the most probable completion only
	Prior      CPTPrior // virtual examples; they add the term Σ α·log θ to L
	// Starts is the number of random starts; Learn keeps the best result. 0 means 1. More starts
	// take longer and end less often in a poor local maximum.
	Starts int
	// MaxIter is the maximum number of steps from one start; 0 means 100.
	MaxIter int
	// Tol is the relative tolerance: EM stops when a step raises the objective by less than Tol
	// times the size of the objective. 0 means 1e-6, and model.Zero disables this check. A larger
	// value stops EM earlier.
	Tol  float64
	Seed uint64
	model.Control

	Net           *BayesNetwork // set by Learn
	LogLikelihood float64       // set by Learn: log likelihood of the observed values
	Trace         model.Trace   // set by Learn: Loss is −L before each update, or of the completed rows with Hard
	// Symmetric lists the hidden variables whose states the start treated alike.
	Symmetric []string  // set by Learn
	StartLoss []float64 // set by Learn: the final loss of each start
}

// Learn fits the tables by EM. Columns of a table are matched by name. A variable without a column,
// or with a column of NaN, is hidden.
func (m *BayesEM) Learn(x mat.Matrix) error {
	const op = "BayesEM.Learn"
	m.Net, m.LogLikelihood, m.Trace, m.Symmetric, m.StartLoss = nil, 0, model.Trace{}, nil, nil
	rows, err := m.Structure.read(op, x)
	if err != nil {
		return err
	}
	iters, err := model.Iterations(op, "MaxIter", m.MaxIter, 100)
	if err != nil {
		return err
	}
	starts, err := model.Iterations(op, "Starts", m.Starts, 1)
	if err != nil {
		return err
	}
	if m.FromTables {
		starts = 1
	}
	tol := model.Or(m.Tol, 1e-6)
	if !(tol >= 0) {
		return model.Errorf(op, "Tol must not be negative (0 means 1e-6), got %v", m.Tol)
	}
	pseudo, err := m.Prior.pseudo(op, m.Structure)
	if err != nil {
		return err
	}
	run := m.Begin("BayesEM", iters*starts)
	defer run.End()
	job := &emJob{m: m, rows: rows.distinct(), pseudo: pseudo, tol: tol, iters: iters, run: run, tree: m.Structure.cliques()}
	var best *emResult
	var losses []float64
	for s := range starts {
		net := m.Structure
		if !m.FromTables {
			net = m.Structure.random(m.Seed, uint64(s))
		}
		r, err := job.climb(op, net, s*iters)
		if err != nil {
			return err
		}
		losses = append(losses, r.trace.Loss[len(r.trace.Loss)-1])
		if best == nil || losses[s] < best.trace.Loss[len(best.trace.Loss)-1] {
			best = r
			best.symmetric = symmetric(net, rows)
		}
	}
	m.Net, m.Trace, m.Symmetric, m.StartLoss = best.net, best.trace, best.symmetric, losses
	m.Net.Name = m.Structure.Name
	m.LogLikelihood = job.observed(m.Net)
	return nil
}

type emJob struct {
	m      *BayesEM
	rows   []pattern
	pseudo [][]float64
	tol    float64
	iters  int
	run    *model.Run
	tree   *cliques
}

type emResult struct {
	net       *BayesNetwork
	trace     model.Trace
	symmetric []string
}

// climb iterates from one start.
func (j *emJob) climb(op string, net *BayesNetwork, before int) (*emResult, error) {
	r := &emResult{}
	for it := range j.iters {
		counts, log := j.expect(net)
		if math.IsInf(log, -1) {
			return nil, model.Errorf(op, "the starting tables must give every example a positive probability").WithHint("start from tables without zeros, or leave Start out for random ones")
		}
		loss := -(log + prior(net, j.pseudo))
		r.trace.Loss = append(r.trace.Loss, loss)
		if err := j.run.Step(before+it+1, loss); err != nil {
			return nil, err
		}
		last := len(r.trace.Loss) - 2
		if last >= 0 && r.trace.Loss[last]-loss <= j.tol*math.Abs(loss) && j.tol > 0 {
			r.trace.Converged = true
			break
		}
		net = net.with(net.tables(counts, j.pseudo))
	}
	r.net = net
	return r, nil
}

// prior returns Σ α·log θ.
func prior(net *BayesNetwork, pseudo [][]float64) float64 {
	sum := 0.0
	for i, v := range net.vars {
		for k, a := range pseudo[i] {
			if a > 0 {
				sum += a * math.Log(v.table[k])
			}
		}
	}
	return sum
}

// emGrain is the number of rows that one goroutine processes at a time.
const emGrain = 16

// expect computes the expected counts and the log likelihood; with Hard, those of the most probable
// completions.
func (j *emJob) expect(net *BayesNetwork) (counts [][]float64, log float64) {
	tree := *j.tree
	tree.n = net
	chunks := (len(j.rows) + emGrain - 1) / emGrain
	parts, logs := make([][][]float64, chunks), make([]float64, chunks)
	par.Range(len(j.rows), emGrain, func(lo, hi int) {
		c := make([][]float64, len(net.vars))
		for i, v := range net.vars {
			c[i] = make([]float64, len(v.table))
		}
		for _, row := range j.rows[lo:hi] {
			logs[lo/emGrain] += row.weight * tree.count(row, c, j.m.Hard)
		}
		parts[lo/emGrain] = c
	})
	for p, c := range parts {
		log += logs[p]
		if p == 0 {
			counts = c
			continue
		}
		for i := range c {
			for k, v := range c[i] {
				counts[i][k] += v
			}
		}
	}
	return counts, log
}

// count adds the expected counts of a row and returns its log probability.
func (c *cliques) count(row pattern, into [][]float64, hard bool) float64 {
	n := c.n
	states := row.states
	log := 0.0
	if !row.complete() {
		if !hard {
			return c.fraction(row, into)
		}
		var hidden []int
		for i, s := range states {
			if s < 0 {
				hidden = append(hidden, i)
			}
		}
		states, log = n.maximize(hidden, states)
	} else {
		log = n.logProb(states)
	}
	for i, v := range n.vars {
		at := 0
		for _, p := range v.parents {
			at = at*n.vars[p].card + states[p]
		}
		into[i][at*v.card+states[i]] += row.weight
	}
	return log
}

func (c *cliques) fraction(row pattern, into [][]float64) float64 {
	n := c.n
	t := c.calibrate(row.states)
	if math.IsInf(t.logEvidence, -1) {
		return t.logEvidence
	}
	for i := range n.vars {
		whole := append(slices.Clone(n.vars[i].parents), i)
		f := t.familyGiven(i)
		table := factor{whole, into[i]}
		strides := n.strides(table, f.vars)
		at, step := 0, 1
		for k := len(whole) - 1; k >= 0; k-- {
			if s := row.states[whole[k]]; s >= 0 {
				at += s * step
			}
			step *= n.vars[whole[k]].card
		}
		count := make([]int, len(f.vars))
		for _, p := range f.val {
			into[i][at] += row.weight * p
			for d := len(count) - 1; d >= 0; d-- {
				count[d]++
				at += strides[d]
				if count[d] < n.vars[f.vars[d]].card {
					break
				}
				at -= strides[d] * count[d]
				count[d] = 0
			}
		}
	}
	return t.logEvidence
}

func (j *emJob) observed(net *BayesNetwork) float64 {
	tree := *j.tree
	tree.n = net
	sum := 0.0
	for _, row := range j.rows {
		if row.complete() {
			sum += row.weight * net.logProb(row.states)
		} else {
			sum += row.weight * tree.calibrate(row.states).logEvidence
		}
	}
	return sum
}

// random draws each row of each table uniformly from all distributions.
func (n *BayesNetwork) random(seed, stream uint64) *BayesNetwork {
	rng := model.Rand(seed, stream)
	tables := make([][]float64, len(n.vars))
	for i, v := range n.vars {
		tables[i] = make([]float64, len(v.table))
		for at := 0; at < len(v.table); at += v.card {
			row := tables[i][at : at+v.card]
			for k := range row {
				row[k] = rng.ExpFloat64() + 1e-3
			}
			normalize(row)
		}
	}
	return n.with(tables)
}

// symmetric returns the names of the variables that are never observed and whose
// states the tables do not distinguish. As a child, such a variable has equally
// probable states; as a parent, its children's rows are the same for each of them.
func symmetric(n *BayesNetwork, rows *rows) []string {
	var out []string
	for i, c := range rows.cols {
		if slices.ContainsFunc(c, func(s int32) bool { return s >= 0 }) {
			continue
		}
		alike := true
		for _, p := range n.vars[i].table {
			alike = alike && math.Abs(p*float64(n.vars[i].card)-1) < 1e-12
		}
		for _, ch := range n.children(i) {
			alike = alike && n.rowsAlike(ch, i)
		}
		if alike {
			out = append(out, n.Nodes[i].Name)
		}
	}
	return out
}

// rowsAlike reports whether the table of ch is the same for each state of its parent.
func (n *BayesNetwork) rowsAlike(ch, parent int) bool {
	v := n.vars[ch]
	stride := v.card
	for k := len(v.parents) - 1; v.parents[k] != parent; k-- {
		stride *= n.vars[v.parents[k]].card
	}
	for at, p := range v.table {
		if at/stride%n.vars[parent].card > 0 && math.Abs(p-v.table[at-stride]) > 1e-12 {
			return false
		}
	}
	return true
}

// Impute returns the examples with their missing values filled in. In each row, it replaces the
// missing values with their jointly most probable values.
//
//	argmaxₕ P(h | observed part of the row)
//
// Course: BN-07, BN-08.
func (n *BayesNetwork) Impute(x mat.Matrix) (*model.Table, error) {
	rows, err := n.read("BayesNetwork.Impute", x)
	if err != nil {
		return nil, err
	}
	out := mat.NewDense(rows.n, len(n.vars), nil)
	for r := range rows.n {
		states := make([]int, len(n.vars))
		var hidden []int
		for i, c := range rows.cols {
			if states[i] = int(c[r]); states[i] < 0 {
				hidden = append(hidden, i)
			}
		}
		if len(hidden) > 0 {
			var log float64
			known := states
			if states, log = n.maximize(hidden, known); math.IsInf(log, -1) {
				return nil, impossible("BayesNetwork.Impute", n, known).WithHint("check the evidence in row %d, or learn the tables with a prior", r)
			}
		}
		for i, s := range states {
			out.Set(r, i, float64(s))
		}
	}
	return &model.Table{Dense: out, Columns: n.columns()}, nil
}

// Expected returns the distribution of one variable in each row, given the other values of the row.
// EM uses these probabilities as fractional counts. If the variable is observed, its state has
// probability 1. The columns are the variable's states.
//
// Course: BN-06, BN-08.
func (n *BayesNetwork) Expected(name string, x mat.Matrix) (*model.Table, error) {
	const op = "BayesNetwork.Expected"
	i := n.find(op, name)
	rows, err := n.read(op, x)
	if err != nil {
		return nil, err
	}
	out := mat.NewDense(rows.n, n.vars[i].card, nil)
	for r := range rows.n {
		ev := make([]int, len(n.vars))
		for k, c := range rows.cols {
			ev[k] = int(c[r])
		}
		if ev[i] >= 0 {
			out.Set(r, ev[i], 1)
			continue
		}
		p, _, _ := n.posterior([]int{i}, ev, MinFill, false)
		if p == nil {
			return nil, impossible(op, n, ev).WithHint("check the evidence in row %d, or learn the tables with a prior", r)
		}
		out.SetRow(r, p)
	}
	var columns []model.Column
	for _, s := range n.Nodes[i].States {
		columns = append(columns, model.Column{Name: s})
	}
	return &model.Table{Dense: out, Columns: columns}, nil
}
