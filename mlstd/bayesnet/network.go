package bayesnet

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/mlstd/model"
)

// CPT is a variable of a network with its conditional probability table.
//
// Course: BN-01.
type CPT struct {
	Name    string
	States  []string // nil means "true" and "false"
	Parents []string // names of the parents
	// P has one row per combination of the parents' states, the last parent changing fastest. A row
	// has a probability for each state; you can leave out the last probability.
	P [][]float64
}

// BayesNetwork is a directed acyclic graph of discrete variables, each with the table
// of its probabilities given its parents.
//
//	P(x₁, ..., xₙ) = Πᵢ P(xᵢ | parents of xᵢ)
//
// You make a network with [NewBayesNetwork], read it with [ReadBIF], or learn it from examples. It
// never changes afterwards.
//
// Pitfalls: an arrow need not be a cause; several graphs can express the same
// independences.
//
// References: [Pearl1988], [KollerFriedman2009] ch. 3. Course: BN-01.
type BayesNetwork struct {
	Name   string
	Source string // where the numbers come from; may be empty
	Nodes  []CPT

	at    map[string]int // the position of each name in Nodes
	vars  []variable
	order []int // positions, parents first
}

// variable is a node with names replaced by numbers. table is the concatenation of the rows of P.
type variable struct {
	card    int
	parents []int
	table   []float64
}

// sumTolerance is how far the probabilities of a row may be from 1: tables in books
// are rounded.
const sumTolerance = 1e-6

// NewBayesNetwork creates a network from tables, which can be in any order. It returns an error for
// cycles, unknown parents, and rows that do not add up to 1.
func NewBayesNetwork(name string, nodes ...CPT) (*BayesNetwork, error) {
	const op = "NewBayesNetwork"
	if len(nodes) == 0 {
		return nil, model.Errorf(op, "the network must have at least one variable").WithHint("pass a CPT for each variable")
	}
	n := &BayesNetwork{Name: name, at: make(map[string]int, len(nodes)), vars: make([]variable, len(nodes))}
	for i, c := range nodes {
		if c.Name == "" {
			return nil, model.Errorf(op, "variable %d must have a name", i)
		}
		if _, twice := n.at[c.Name]; twice {
			return nil, model.Errorf(op, "variable names must be distinct, got %q twice", c.Name)
		}
		n.at[c.Name] = i
		if c.States == nil {
			c.States = []string{"true", "false"}
		}
		if err := checkStates(op, c); err != nil {
			return nil, err
		}
		n.Nodes = append(n.Nodes, CPT{Name: c.Name, States: slices.Clone(c.States), Parents: slices.Clone(c.Parents)})
		n.vars[i].card = len(c.States)
	}
	for i, c := range nodes {
		if err := n.connect(op, i, c); err != nil {
			return nil, err
		}
		if err := n.fill(op, i, c.P); err != nil {
			return nil, err
		}
	}
	return n, n.sort(op)
}

func checkStates(op string, c CPT) error {
	if len(c.States) == 0 {
		return model.Errorf(op, "%s must have at least one state", c.Name)
	}
	for k, s := range c.States {
		if s == "" || slices.Index(c.States, s) < k {
			return model.Errorf(op, "the states of %[2]s must have distinct, nonempty names, got %[3]q for state %[1]d", k, c.Name, s)
		}
	}
	return nil
}

func (n *BayesNetwork) connect(op string, i int, c CPT) error {
	for k, p := range c.Parents {
		j, ok := n.at[p]
		if !ok {
			return model.Errorf(op, "%s has the parent %q, which is not a variable", c.Name, p).WithHint("the variables are %s", n.list())
		}
		if slices.Index(c.Parents, p) < k {
			return model.Errorf(op, "%s must name each parent once, got %q twice", c.Name, p)
		}
		n.vars[i].parents = append(n.vars[i].parents, j)
	}
	return nil
}

// fill checks the rows of a table and stores them in the network.
func (n *BayesNetwork) fill(op string, i int, rows [][]float64) error {
	v := &n.vars[i]
	want := n.configurations(i)
	name := n.Nodes[i].Name
	if len(rows) != want {
		return model.Errorf(op, "%s must have %d rows of probabilities (the combinations of its parents' states), got %d", name, want, len(rows))
	}
	v.table = make([]float64, 0, want*v.card)
	for r, row := range rows {
		if len(row) != v.card && len(row) != v.card-1 {
			return model.Errorf(op, "%s must have %d probabilities (one per state) in row %d, got %d", name, v.card, r, len(row))
		}
		sum := 0.0
		for _, p := range row {
			if !(p >= 0 && p <= 1+sumTolerance) {
				return model.Errorf(op, "the probabilities of %s must be between 0 and 1, got %v in row %d", name, p, r)
			}
			sum += p
		}
		if len(row) == v.card && math.Abs(sum-1) > sumTolerance || sum > 1+sumTolerance {
			return model.Errorf(op, "the probabilities of %s in row %d must sum to 1, got %v", name, r, sum)
		}
		v.table = append(v.table, row...)
		if len(row) < v.card {
			v.table = append(v.table, max(0, math.Round((1-sum)*1e15)/1e15))
		}
	}
	n.share(i)
	return nil
}

// share makes the rows of P slices of the table.
func (n *BayesNetwork) share(i int) {
	v := n.vars[i]
	n.Nodes[i].P = make([][]float64, len(v.table)/v.card)
	for r := range n.Nodes[i].P {
		n.Nodes[i].P[r] = v.table[r*v.card : (r+1)*v.card : (r+1)*v.card]
	}
}

// configurations returns the number of combinations of the parents' states.
func (n *BayesNetwork) configurations(i int) int {
	q := 1
	for _, p := range n.vars[i].parents {
		q *= n.vars[p].card
	}
	return q
}

// sort puts parents before children, otherwise in the given order. It returns an error for cycles.
func (n *BayesNetwork) sort(op string) error {
	done := make([]bool, len(n.vars))
	n.order = n.order[:0]
	for len(n.order) < len(n.vars) {
		before := len(n.order)
		for i, v := range n.vars {
			if !done[i] && !slices.ContainsFunc(v.parents, func(p int) bool { return !done[p] }) {
				done[i] = true
				n.order = append(n.order, i)
			}
		}
		if len(n.order) == before {
			var ring []string
			for i := range n.vars {
				if !done[i] {
					ring = append(ring, n.Nodes[i].Name)
				}
			}
			return model.Errorf(op, "the network must not have a directed cycle, got one among %s", strings.Join(ring, ", ")).
				WithHint("remove one of the arrows")
		}
	}
	return nil
}

// with returns a network of the same variables with other tables, each the concatenation of its
// rows.
func (n *BayesNetwork) with(tables [][]float64) *BayesNetwork {
	m := &BayesNetwork{Name: n.Name, at: n.at, order: n.order, Nodes: slices.Clone(n.Nodes), vars: slices.Clone(n.vars)}
	for i := range m.vars {
		m.vars[i].table = tables[i]
		m.share(i)
	}
	return m
}

// structure makes a network with uniform tables from variables and the positions of their parents.
func structure(op, name string, vars []CPT, parents [][]int) (*BayesNetwork, error) {
	nodes := make([]CPT, len(vars))
	for i, v := range vars {
		nodes[i] = CPT{Name: v.Name, States: v.States}
		q := 1
		for _, p := range parents[i] {
			nodes[i].Parents = append(nodes[i].Parents, vars[p].Name)
			q *= len(vars[p].States)
		}
		row := make([]float64, len(v.States))
		for k := range row {
			row[k] = 1 / float64(len(row))
		}
		for range q {
			nodes[i].P = append(nodes[i].P, row)
		}
	}
	n, err := NewBayesNetwork(name, nodes...)
	if e, ok := err.(*model.Error); ok {
		e.Op = op
	}
	return n, err
}

// Uniform returns a network with the same graph in which all states are equally probable.
func (n *BayesNetwork) Uniform() *BayesNetwork {
	n.must("BayesNetwork.Uniform")
	tables := make([][]float64, len(n.vars))
	for i, v := range n.vars {
		tables[i] = slices.Repeat([]float64{1 / float64(v.card)}, len(v.table))
	}
	return n.with(tables)
}

// must panics if the network was not made by NewBayesNetwork.
func (n *BayesNetwork) must(op string) {
	if n == nil || len(n.vars) == 0 {
		panic(model.Errorf(op, "the network must not be empty").WithHint("create one with ml.NewBayesNetwork"))
	}
}

func (n *BayesNetwork) list() string {
	names := make([]string, len(n.Nodes))
	for i, c := range n.Nodes {
		names[i] = c.Name
	}
	if len(names) > 12 {
		names = append(names[:12], "...")
	}
	return strings.Join(names, ", ")
}

// find returns the position of a variable, and panics if there is none with that name.
func (n *BayesNetwork) find(op, name string) int {
	n.must(op)
	i, ok := n.at[name]
	if !ok {
		panic(model.Errorf(op, "there is no variable %q", name).WithHint("the variables are %s", n.list()))
	}
	return i
}

func (n *BayesNetwork) findAll(op string, names []string) []int {
	at := make([]int, len(names))
	for k, name := range names {
		at[k] = n.find(op, name)
		if slices.Contains(at[:k], at[k]) {
			panic(model.Errorf(op, "each variable must be named once, got %s twice", name))
		}
	}
	return at
}

func (n *BayesNetwork) names(at []int) []string {
	names := make([]string, len(at))
	for k, i := range at {
		names[k] = n.Nodes[i].Name
	}
	return names
}

var (
	yes = []string{"true", "yes", "present", "on", "1"}
	no  = []string{"false", "no", "absent", "off", "0"}
)

// state returns the position of a state, specified by its name, by true or false, or by its
// position unless a name is that number.
func (n *BayesNetwork) state(op string, i int, value any) int {
	c := n.Nodes[i]
	bad := func() *model.Error {
		return model.Errorf(op, "%s has no state %v", c.Name, value).WithHint("its states are %s", strings.Join(c.States, ", "))
	}
	switch v := value.(type) {
	case string:
		if k := slices.Index(c.States, v); k >= 0 {
			return k
		}
		if k := slices.IndexFunc(c.States, func(s string) bool { return strings.EqualFold(s, v) }); k >= 0 {
			return k
		}
	case bool:
		words := no
		if v {
			words = yes
		}
		for k, s := range c.States {
			if slices.Contains(words, strings.ToLower(s)) {
				return k
			}
		}
	case int:
		if k := slices.Index(c.States, strconv.Itoa(v)); k >= 0 {
			return k
		}
		if v >= 0 && v < len(c.States) {
			return v
		}
	}
	panic(bad())
}

// assignment reads pairs of a name and a state.
func (n *BayesNetwork) assignment(op string, into []int, pairs []any) []int {
	n.must(op)
	ev := slices.Clone(into)
	if ev == nil {
		ev = slices.Repeat([]int{-1}, len(n.vars))
	}
	if len(pairs)%2 != 0 {
		panic(model.Errorf(op, "the number of arguments must be even, got %d", len(pairs)).WithHint(`pass pairs of a name and a state, such as "Rain", true`))
	}
	for k := 0; k < len(pairs); k += 2 {
		name, ok := pairs[k].(string)
		if !ok {
			panic(model.Errorf(op, "argument %d must be a name, got %v", k, pairs[k]).WithHint(`pass pairs of a name and a state, such as "Rain", true`))
		}
		i := n.find(op, name)
		s := n.state(op, i, pairs[k+1])
		if ev[i] >= 0 && ev[i] != s {
			panic(model.Errorf(op, "%s must be given once, got %s and %s", name, n.Nodes[i].States[ev[i]], n.Nodes[i].States[s]))
		}
		ev[i] = s
	}
	return ev
}

// phrases formats the evidence, as "Rain=true".
func (n *BayesNetwork) phrases(ev []int) []string {
	var out []string
	for i, s := range ev {
		if s >= 0 {
			out = append(out, n.Nodes[i].Name+"="+n.Nodes[i].States[s])
		}
	}
	return out
}

// Prob returns the probability of a complete assignment, the product of one entry of each table:
// alarm.Prob("Burglary", false, "Earthquake", false, "Alarm", true, "John", true, "Mary", true). It
// panics if a variable is missing. For a partial assignment, use [BayesEvidence.Probability].
func (n *BayesNetwork) Prob(pairs ...any) float64 {
	const op = "BayesNetwork.Prob"
	ev := n.assignment(op, nil, pairs)
	for i, s := range ev {
		if s < 0 {
			panic(model.Errorf(op, "%s must be given, since all variables must be", n.Nodes[i].Name).WithHint("for some of the variables, use Given(...).Probability()"))
		}
	}
	return math.Exp(n.logProb(ev))
}

// row returns the row of the table of variable i that states select.
func (n *BayesNetwork) row(i int, states []int) []float64 {
	v := &n.vars[i]
	r := 0
	for _, p := range v.parents {
		r = r*n.vars[p].card + states[p]
	}
	return v.table[r*v.card : (r+1)*v.card]
}

func (n *BayesNetwork) logProb(states []int) float64 {
	sum := 0.0
	for i := range n.vars {
		sum += math.Log(n.row(i, states)[states[i]])
	}
	return sum
}

// Parameters returns the number of free parameters in the tables.
func (n *BayesNetwork) Parameters() int {
	n.must("BayesNetwork.Parameters")
	sum := 0
	for _, v := range n.vars {
		sum += len(v.table) / v.card * (v.card - 1)
	}
	return sum
}

// String returns the name and the size of the network.
func (n *BayesNetwork) String() string {
	edges := 0
	for _, v := range n.vars {
		edges += len(v.parents)
	}
	name := n.Name
	if name == "" {
		name = "BayesNetwork"
	}
	return name + ": " + strconv.Itoa(len(n.vars)) + " variables, " + strconv.Itoa(edges) + " arrows"
}
