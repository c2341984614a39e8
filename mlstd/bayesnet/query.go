package bayesnet

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/mlstd/model"
)

// BayesQuery is the distribution of one or more variables given the evidence.
//
//	P(q | e) = α Σ over hidden h of Πᵢ P(xᵢ | parents of xᵢ)
//
// It is computed by variable elimination. Cost: exponential in the size of the largest
// factor only; see [BayesQuery.Factors].
//
// References: [ZhangPoole1994], [RussellNorvig2021] §13.3. Course: BN-03.
type BayesQuery struct {
	Names     []string
	States    [][]string // of each of Names
	P         []float64  // of each combination of states, the last variable changing fastest
	Evidence  []string   // the evidence, as "John=true"
	PEvidence float64    // the probability of the evidence

	net       *BayesNetwork
	query, ev []int
}

// Query returns the distribution of the named variables, jointly:
// alarm.Query("Burglary").Given("John", true, "Mary", true).
func (n *BayesNetwork) Query(names ...string) *BayesQuery {
	return n.Given().Query(names...)
}

// Given returns the distribution of the same variables given more evidence, as pairs of a name and
// a state. It panics with a [*model.Error] on names that do not exist and on impossible evidence.
func (q *BayesQuery) Given(pairs ...any) *BayesQuery {
	const op = "BayesQuery.Given"
	return q.net.query(op, q.query, q.net.assignment(op, q.ev, pairs))
}

func (n *BayesNetwork) query(op string, query, ev []int) *BayesQuery {
	n.checkQuery(op, query, ev)
	p, log, _ := n.posterior(query, ev, MinFill, false)
	return n.answer(op, query, ev, p, math.Exp(log))
}

func (n *BayesNetwork) checkQuery(op string, query, ev []int) {
	if len(query) == 0 {
		panic(model.Errorf(op, "at least one variable must be named").WithHint("the variables are %s", n.list()))
	}
	size := 1.0
	for _, i := range query {
		if ev[i] >= 0 {
			panic(model.Errorf(op, "%s must not be both queried and given", n.Nodes[i].Name).WithHint("query another variable"))
		}
		size *= float64(n.vars[i].card)
	}
	if size > 1<<26 {
		panic(model.Errorf(op, "the joint distribution is too large: it has %.3g entries", size).WithHint("query fewer variables at a time"))
	}
}

func (n *BayesNetwork) answer(op string, query, ev []int, p []float64, evidence float64) *BayesQuery {
	if p == nil {
		panic(impossible(op, n, ev))
	}
	q := &BayesQuery{Names: n.names(query), P: p, Evidence: n.phrases(ev), PEvidence: evidence, net: n, query: query, ev: ev}
	for _, i := range query {
		q.States = append(q.States, n.Nodes[i].States)
	}
	return q
}

func impossible(op string, n *BayesNetwork, ev []int) *model.Error {
	return model.Errorf(op, "%s has probability 0", strings.Join(n.phrases(ev), ", ")).WithHint("check the evidence, or smooth the tables")
}

// Prob returns the probability of one combination of states, one for each of Names.
func (q *BayesQuery) Prob(states ...any) float64 {
	const op = "BayesQuery.Prob"
	if len(states) != len(q.query) {
		panic(model.Errorf(op, "the number of states must be %d (the number of queried variables), got %d", len(q.query), len(states)))
	}
	at := 0
	for k, i := range q.query {
		at = at*q.net.vars[i].card + q.net.state(op, i, states[k])
	}
	return q.P[at]
}

// Factors reports the steps of variable elimination: which factors were multiplied, how large the
// product was, and which factor resulted. The rule is min-fill unless you pass another rule.
//
// References: [KollerFriedman2009] §9.4.3. Course: BN-03.
func (q *BayesQuery) Factors(rule ...EliminationOrder) []EliminationStep {
	_, _, steps := q.net.posterior(q.query, q.ev, ruleOf(rule), true)
	return steps
}

func ruleOf(rule []EliminationOrder) EliminationOrder {
	if len(rule) > 0 {
		return rule[0]
	}
	return MinFill
}

// mostEnumerated is the maximum number of products that enumeration computes.
const mostEnumerated = 1 << 28

// ByEnumeration computes the same distribution in a slow, direct way: it adds up the joint
// distribution over all combinations of the hidden variables. It panics if there are more than 2²⁸
// combinations.
//
//	P(q | e) = Σₕ P(q, h, e) / Σ over q, h of P(q, h, e)
//
// References: [RussellNorvig2021] §13.3.1. Course: BN-03.
func (q *BayesQuery) ByEnumeration() *BayesQuery {
	const op = "BayesQuery.ByEnumeration"
	terms := 1.0
	for i, s := range q.ev {
		if s < 0 {
			terms *= float64(q.net.vars[i].card)
		}
	}
	if terms > mostEnumerated {
		panic(model.Errorf(op, "enumeration is too slow: there are %.3g combinations of states", terms).WithHint("use the answer of the query, which comes from variable elimination"))
	}
	p, evidence := q.net.enumerated(q.query, q.ev)
	return q.net.answer(op, q.query, q.ev, p, evidence)
}

// Labels returns a name for each entry of P: the states of its combination.
func (q *BayesQuery) Labels() []string {
	out := []string{""}
	for _, states := range q.States {
		var next []string
		for _, o := range out {
			for _, s := range states {
				if o != "" {
					s = o + ", " + s
				}
				next = append(next, s)
			}
		}
		out = next
	}
	return out
}

// String returns the distribution on one line.
func (q *BayesQuery) String() string {
	var b strings.Builder
	b.WriteString(q.title())
	for k, l := range q.Labels() {
		if k == 16 {
			b.WriteString(" ...")
			break
		}
		b.WriteString("  " + l + " " + strconv.FormatFloat(q.P[k], 'g', 4, 64))
	}
	return b.String()
}

func (q *BayesQuery) title() string {
	s := "P(" + strings.Join(q.Names, ", ")
	if len(q.Evidence) > 0 {
		s += " | " + strings.Join(q.Evidence, ", ")
	}
	return s + ")"
}

// BayesEvidence holds the known values of some variables of a network, for queries about the other
// variables.
type BayesEvidence struct {
	Net *BayesNetwork
	ev  []int
}

// Given sets the known values: pairs of a name and a state, as in alarm.Given("Alarm",
// true).Bars("Burglary", "Earthquake").
func (n *BayesNetwork) Given(pairs ...any) *BayesEvidence {
	return &BayesEvidence{n, n.assignment("BayesNetwork.Given", nil, pairs)}
}

// Given adds known values.
func (e *BayesEvidence) Given(pairs ...any) *BayesEvidence {
	return &BayesEvidence{e.Net, e.Net.assignment("BayesEvidence.Given", e.ev, pairs)}
}

// Known lists the known values, as "Alarm=true".
func (e *BayesEvidence) Known() []string { return e.Net.phrases(e.ev) }

// Query returns the joint distribution of the named variables.
func (e *BayesEvidence) Query(names ...string) *BayesQuery {
	const op = "BayesNetwork.Query"
	return e.Net.query(op, e.Net.findAll(op, names), e.ev)
}

// Probability returns the probability of the evidence.
func (e *BayesEvidence) Probability() float64 {
	_, log, _ := e.Net.posterior(nil, e.ev, MinFill, false)
	return math.Exp(log)
}

// BayesBars are the distributions of single variables given the same evidence.
type BayesBars struct {
	Evidence  *BayesEvidence
	Marginals []*BayesQuery // one per variable
}

// Bars returns the marginal distribution of each named variable or, without names, of each
// unobserved variable. One junction tree computes all these distributions.
func (e *BayesEvidence) Bars(names ...string) *BayesBars {
	const op = "BayesEvidence.Bars"
	at := e.Net.findAll(op, names)
	if len(names) == 0 {
		for i, s := range e.ev {
			if s < 0 {
				at = append(at, i)
			}
		}
	}
	t := e.JunctionTree()
	b := &BayesBars{Evidence: e}
	for _, i := range at {
		e.Net.checkQuery(op, []int{i}, e.ev)
		b.Marginals = append(b.Marginals, e.Net.answer(op, []int{i}, e.ev, t.marginal(i), t.PEvidence))
	}
	return b
}

// Completion is an assignment of states to variables.
type Completion struct {
	Names  []string
	States []string
	// Prob is the probability of the states given the evidence.
	Prob float64
}

// MostProbable returns the most probable explanation: the jointly most probable states of all
// unobserved variables.
//
//	argmaxₕ P(h | e)
//
// MostProbable uses variable elimination with maxima instead of sums. Pitfalls: the result need not
// contain the most probable state of each variable.
//
// References: [KollerFriedman2009] §13.2. Course: BN-03, BN-07.
func (e *BayesEvidence) MostProbable() *Completion {
	var query []int
	for i, s := range e.ev {
		if s < 0 {
			query = append(query, i)
		}
	}
	return e.best("BayesEvidence.MostProbable", query)
}

// MAP returns the jointly most probable states of the named variables, with the others summed out.
// Without names, it returns [BayesEvidence.MostProbable].
//
// References: [KollerFriedman2009] §13.2.2. Course: BN-03.
func (e *BayesEvidence) MAP(names ...string) *Completion {
	const op = "BayesEvidence.MAP"
	if len(names) == 0 {
		return e.MostProbable()
	}
	return e.best(op, e.Net.findAll(op, names))
}

func (e *BayesEvidence) best(op string, query []int) *Completion {
	for _, i := range query {
		if e.ev[i] >= 0 {
			panic(model.Errorf(op, "%s must not be both queried and given", e.Net.Nodes[i].Name))
		}
	}
	states, log := e.Net.maximize(query, e.ev)
	_, evidence, _ := e.Net.posterior(nil, e.ev, MinFill, false)
	if math.IsInf(log, -1) {
		panic(impossible(op, e.Net, e.ev))
	}
	c := &Completion{Names: e.Net.names(query), Prob: math.Exp(log - evidence)}
	for _, i := range query {
		c.States = append(c.States, e.Net.Nodes[i].States[states[i]])
	}
	return c
}

// maximize returns the most probable states of query with the other variables summed out, and the
// logarithm of the joint probability of these states and the evidence.
func (n *BayesNetwork) maximize(query, ev []int) (states []int, log float64) {
	e := n.relevant(query, ev)
	e.out(e.others(query), MinFill, false)
	choices := e.out(query, MinFill, true)
	left := 1.0
	for _, f := range e.fs {
		left *= f.val[0]
	}
	states = slices.Clone(ev)
	for k := len(choices) - 1; k >= 0; k-- {
		c := choices[k]
		at := 0
		for _, i := range c.given {
			at = at*n.vars[i].card + states[i]
		}
		states[c.variable] = int(c.arg[at])
	}
	return states, e.log + math.Log(left)
}

// State returns the state of a variable in the assignment, or "" if the assignment does not contain
// it.
func (c *Completion) State(name string) string {
	if k := slices.Index(c.Names, name); k >= 0 {
		return c.States[k]
	}
	return ""
}

// String returns the assignment on one line.
func (c *Completion) String() string {
	parts := make([]string, len(c.Names))
	for k, name := range c.Names {
		parts[k] = name + "=" + c.States[k]
	}
	return strings.Join(parts, ", ") + "  (probability " + strconv.FormatFloat(c.Prob, 'g', 4, 64) + ")"
}
