package bayesnet_test

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/bayesnet"
	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/prob"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestBN04_Counts(t *testing.T) {
	student := bayesnet.Student()
	n, err := bayesnet.LearnCPTs(student, student.Sample(100000, 7))
	must(t, err)
	for i, c := range student.Nodes {
		for r, row := range c.P {
			for k, p := range row {
				if math.Abs(n.Nodes[i].P[r][k]-p) > 0.02 {
					t.Errorf("%s, row %d: learned %v, the truth is %v", c.Name, r, n.Nodes[i].P[r], row)
					break
				}
			}
		}
	}
	// No other tables make the examples more probable.
	x := student.Sample(300, 1)
	n, err = bayesnet.LearnCPTs(student, x)
	must(t, err)
	best, err := n.LogLikelihood(x)
	must(t, err)
	for seed := range uint64(20) {
		other, err := bayesnet.LearnCPTs(student, student.Sample(300, 100+seed))
		must(t, err)
		if l, err := other.LogLikelihood(x); err != nil || l > best {
			t.Errorf("counts have log likelihood %v, other tables %v (%v)", best, l, err)
		}
	}
}

func TestBN05_MEstimate(t *testing.T) {
	// n_x = 3 of n = 5, p = 0.25, m = 4: (3 + 0.25·4) / (5 + 4), the parentheses of E3-09.
	coin := bayesnet.CPT{Name: "X", P: [][]float64{{0.25, 0.75}}}
	n, err := bayesnet.NewBayesNetwork("coin", coin)
	must(t, err)
	x := mat.NewDense(5, 1, []float64{0, 0, 0, 1, 1})
	got, err := bayesnet.LearnCPTs(n, x, bayesnet.CPTPrior{M: 4, Mean: n})
	must(t, err)
	mltest.Near(t, "m-estimate", got.Nodes[0].P[0][0], 4.0/9, 1e-15)
	laplace, err := bayesnet.LearnCPTs(n, x, bayesnet.CPTPrior{Alpha: 1})
	must(t, err)
	mltest.Near(t, "Laplace", laplace.Nodes[0].P[0][0], 4.0/7, 1e-15)
	if _, err := bayesnet.LearnCPTs(n, x, bayesnet.CPTPrior{Alpha: -1}); err == nil {
		t.Error("a negative prior was accepted")
	}
	if _, err := bayesnet.LearnCPTs(n, x, bayesnet.CPTPrior{M: 1, Mean: bayesnet.Alarm()}); err == nil {
		t.Error("another network was accepted as the mean")
	}
	if _, err := bayesnet.LearnCPTs(n, mat.NewDense(1, 1, []float64{math.NaN()})); err == nil || !strings.Contains(err.Error(), "BayesEM") {
		t.Errorf("a missing value: got %v", err)
	}
	if _, err := bayesnet.LearnCPTs(n, mat.NewDense(1, 1, []float64{2})); err == nil || !strings.Contains(err.Error(), "must be a state of X, got 2") {
		t.Errorf("a state that does not exist: got %v", err)
	}
}

// holes makes a fraction of the values missing at random.
func holes(x *model.Table, share float64, seed uint64) *model.Table {
	rng := model.Rand(seed, 1)
	d := mat.DenseCopyOf(x.Dense)
	for i := range d.RawMatrix().Data {
		if rng.Float64() < share {
			d.RawMatrix().Data[i] = math.NaN()
		}
	}
	return model.Like(x, d)
}

func rises(t *testing.T, what string, loss []float64) {
	t.Helper()
	for k := 1; k < len(loss); k++ {
		if loss[k] > loss[k-1]+1e-9*math.Abs(loss[k]) {
			t.Errorf("%s: the objective falls from %v to %v", what, -loss[k-1], -loss[k])
		}
	}
}

func TestBN06_EM(t *testing.T) {
	student := bayesnet.Student()
	x := holes(student.Sample(600, 2), 0.2, 5)
	for _, prior := range []bayesnet.CPTPrior{{}, {Alpha: 1}, {M: 5, Mean: student}} {
		em := bayesnet.BayesEM{Structure: student, Prior: prior, Seed: 1, Tol: 1e-8}
		must(t, em.Learn(x))
		rises(t, "EM", em.Trace.Loss)
		if len(em.Trace.Loss) < 3 {
			t.Errorf("EM stopped after %d iterations", len(em.Trace.Loss))
		}
	}
	// Priors are not counted again in each iteration: with complete examples the
	// first iteration finds the m-estimate, and further ones change nothing.
	full := student.Sample(100, 3)
	want, err := bayesnet.LearnCPTs(student, full, bayesnet.CPTPrior{Alpha: 2})
	must(t, err)
	em := bayesnet.BayesEM{Structure: student, Prior: bayesnet.CPTPrior{Alpha: 2}, MaxIter: 30, Tol: model.Zero}
	must(t, em.Learn(full))
	for i := range want.Nodes {
		for r := range want.Nodes[i].P {
			mltest.NearAll(t, "EM of complete examples", em.Net.Nodes[i].P[r], want.Nodes[i].P[r], 1e-12)
		}
	}
	// One E step by hand: A → B, P(A=0) = 0.6, P(B=0|A) = 0.9, 0.2; rows (0,0), (1,1), (?,0).
	small, err := bayesnet.NewBayesNetwork("small", bayesnet.CPT{Name: "A", P: [][]float64{{0.6}}},
		bayesnet.CPT{Name: "B", Parents: []string{"A"}, P: [][]float64{{0.9}, {0.2}}})
	must(t, err)
	one := bayesnet.BayesEM{Structure: small, FromTables: true, MaxIter: 1}
	must(t, one.Learn(mat.NewDense(3, 2, []float64{0, 0, 1, 1, math.NaN(), 0})))
	w := 0.6 * 0.9 / (0.6*0.9 + 0.4*0.2)
	mltest.Near(t, "P(A=0)", one.Net.Nodes[0].P[0][0], (1+w)/3, 1e-12)
	mltest.Near(t, "P(B=0|A=1)", one.Net.Nodes[1].P[1][0], (1-w)/(2-w), 1e-12)
	mltest.Near(t, "−log likelihood", one.Trace.Loss[0], -math.Log(0.6*0.9)-math.Log(0.4*0.8)-math.Log(0.6*0.9+0.4*0.2), 1e-12)
	// With few missing values, EM is near the truth.
	em = bayesnet.BayesEM{Structure: student, Seed: 2}
	must(t, em.Learn(holes(student.Sample(20000, 4), 0.1, 6)))
	for i, c := range student.Nodes {
		for r := range c.P {
			for k, p := range c.P[r] {
				if math.Abs(em.Net.Nodes[i].P[r][k]-p) > 0.06 {
					t.Errorf("%s, row %d: learned %v, the truth is %v", c.Name, r, em.Net.Nodes[i].P[r], c.P[r])
					break
				}
			}
		}
	}
}

func TestBN07_HardEM(t *testing.T) {
	student := bayesnet.Student()
	x := holes(student.Sample(400, 2), 0.2, 5)
	em := bayesnet.BayesEM{Structure: student, FromTables: true, Hard: true, Tol: 1e-10}
	must(t, em.Learn(x))
	rises(t, "hard EM", em.Trace.Loss)
	if !em.Trace.Converged {
		t.Error("hard EM did not converge")
	}
	// At a fixed point the tables are the counts of the completed examples.
	filled, err := em.Net.Impute(x)
	must(t, err)
	again, err := bayesnet.LearnCPTs(student, filled)
	must(t, err)
	for i := range again.Nodes {
		for r := range again.Nodes[i].P {
			mltest.NearAll(t, "tables of the completed examples", again.Nodes[i].P[r], em.Net.Nodes[i].P[r], 1e-9)
		}
	}
}

func TestBN08_Impute(t *testing.T) {
	student := bayesnet.Student()
	full := student.Sample(400, 8)
	x := holes(full, 0.25, 9)
	filled, err := student.Impute(x)
	must(t, err)
	right, guessed, missing := 0, 0, 0
	for i := range 400 {
		for j := range 5 {
			switch v := x.At(i, j); {
			case !math.IsNaN(v) && v != filled.At(i, j):
				t.Fatalf("the known value %v became %v", v, filled.At(i, j))
			case math.IsNaN(v):
				missing++
				if filled.At(i, j) == full.At(i, j) {
					right++
				}
				if full.At(i, j) == 0 {
					guessed++
				}
			}
		}
	}
	if right <= guessed {
		t.Errorf("%d of %d missing values are right; always the first state would be right %d times", right, missing, guessed)
	}
	// The expectations are the posteriors.
	e, err := student.Expected("Grade", x)
	must(t, err)
	for i := range 40 {
		sum := 0.0
		for _, v := range e.RawRowView(i) {
			sum += v
		}
		mltest.Near(t, "sum", sum, 1, 1e-12)
		if v := x.At(i, 2); !math.IsNaN(v) && e.At(i, int(v)) != 1 {
			t.Errorf("row %d: the grade %v is known, but its expectation is %v", i, v, e.RawRowView(i))
		}
	}
	if e.Columns[0].Name != "g1" {
		t.Errorf("columns %v", e.Columns)
	}
}

func TestBN09_LocalOptima(t *testing.T) {
	// A hidden cause has three observed signs.
	signs := bayesnet.CPT{Name: "H", States: []string{"a", "b"}, P: [][]float64{{0.4}}}
	nodes := []bayesnet.CPT{signs}
	for i := range 3 {
		nodes = append(nodes, bayesnet.CPT{Name: "S" + strconv.Itoa(i), Parents: []string{"H"}, P: [][]float64{{0.9}, {0.2}}})
	}
	n, err := bayesnet.NewBayesNetwork("hidden cause", nodes...)
	must(t, err)
	x := n.Sample(800, 3)
	for i := range 800 {
		x.Set(i, 0, math.NaN())
	}
	still := bayesnet.BayesEM{Structure: n.Uniform(), FromTables: true, MaxIter: 50, Tol: model.Zero}
	must(t, still.Learn(x))
	if !slices.Equal(still.Symmetric, []string{"H"}) {
		t.Errorf("the start is symmetric in %v, want H", still.Symmetric)
	}
	h := still.Net.Nodes[0].P[0]
	if h[0] != 0.5 || math.Abs(still.Net.Nodes[1].P[0][0]-still.Net.Nodes[1].P[1][0]) > 1e-12 {
		t.Errorf("a symmetric start moved to P(H) = %v, P(S0|H) = %v", h, still.Net.Nodes[1].P)
	}
	moving := bayesnet.BayesEM{Structure: n, Starts: 5, Seed: 4, MaxIter: 300, Tol: 1e-9}
	must(t, moving.Learn(x))
	if len(moving.Symmetric) > 0 {
		t.Errorf("a random start is called symmetric in %v", moving.Symmetric)
	}
	if moving.LogLikelihood < still.LogLikelihood+50 {
		t.Errorf("random starts reach %v, the symmetric one %v", moving.LogLikelihood, still.LogLikelihood)
	}
	truth, err := n.LogLikelihood(x)
	must(t, err)
	if moving.LogLikelihood < truth-1 {
		t.Errorf("the best of five starts has %v, the truth %v", moving.LogLikelihood, truth)
	}
	if len(moving.StartLoss) != 5 || -slices.Min(moving.StartLoss) > moving.LogLikelihood+1e-3 {
		t.Errorf("losses of the starts %v, log likelihood %v", moving.StartLoss, moving.LogLikelihood)
	}
}

func TestBN10_ChowLiu(t *testing.T) {
	for seed := range uint64(4) {
		source := randomNet(t, 5, 2, seed)
		x := source.Sample(400, seed)
		tree, err := bayesnet.ChowLiu(x)
		must(t, err)
		best, err := tree.LogLikelihood(x)
		must(t, err)
		// The choice of the root makes no difference.
		for _, c := range source.Nodes {
			other, err := bayesnet.ChowLiu(x, c.Name)
			must(t, err)
			l, err := other.LogLikelihood(x)
			must(t, err)
			mltest.Near(t, "root "+c.Name, l, best, 1e-12)
		}
		// None of the 125 trees on five vertices, enumerated by Prüfer sequences, is better.
		trees := 0
		for code := range 125 {
			nodes := slices.Clone(source.Nodes)
			for i := range nodes {
				nodes[i] = bayesnet.CPT{Name: nodes[i].Name, States: nodes[i].States}
			}
			for _, e := range prufer([]int{code % 5, code / 5 % 5, code / 25}) {
				nodes[e[1]].Parents = append(nodes[e[1]].Parents, nodes[e[0]].Name)
			}
			for i := range nodes {
				q := 1
				for _, p := range nodes[i].Parents {
					q *= len(nodes[slices.IndexFunc(nodes, func(c bayesnet.CPT) bool { return c.Name == p })].States)
				}
				row := make([]float64, len(nodes[i].States))
				row[0] = 1
				for range q {
					nodes[i].P = append(nodes[i].P, row)
				}
			}
			n, err := bayesnet.NewBayesNetwork("tree", nodes...)
			must(t, err)
			n, err = bayesnet.LearnCPTs(n, x)
			must(t, err)
			l, err := n.LogLikelihood(x)
			must(t, err)
			trees++
			if l > best+1e-9*math.Abs(best) {
				t.Errorf("seed %d: tree %d has log likelihood %v, Chow-Liu %v", seed, code, l, best)
			}
		}
		if trees != 125 {
			t.Errorf("%d trees", trees)
		}
		// log P(D|tree) = n·ln 2·(Σ I over the edges − Σ H).
		sum := 0.0
		for _, e := range tree.Edges {
			sum += e.Weight
		}
		for i := range 5 {
			sum -= tree.Weights.At(i, i)
		}
		mltest.Near(t, "the identity of Chow and Liu", best, 400*math.Ln2*sum, 1e-9)
		mltest.Near(t, "weight", tree.Weights.At(0, 1), prob.MutualInformation(column(x, 0), column(x, 1)), 1e-9)
	}
}

func column(x *model.Table, j int) []int {
	n, _ := x.Dims()
	out := make([]int, n)
	for i := range out {
		out[i] = int(x.At(i, j))
	}
	return out
}

func counts(x *model.Table, i, j int) *mat.Dense {
	out := mat.NewDense(len(x.Columns[i].Levels), len(x.Columns[j].Levels), nil)
	n, _ := x.Dims()
	for r := range n {
		a, b := int(x.At(r, i)), int(x.At(r, j))
		out.Set(a, b, out.At(a, b)+1)
	}
	return out
}

// prufer returns the tree on five vertices that has the Prüfer sequence, as edges that lead away
// from vertex 4.
func prufer(code []int) [][2]int {
	degree := []int{1, 1, 1, 1, 1}
	for _, v := range code {
		degree[v]++
	}
	var edges [][2]int
	for _, v := range append(slices.Clone(code), 4) {
		for u := range degree {
			if degree[u] == 1 {
				edges = append(edges, [2]int{v, u})
				degree[u]--
				degree[v]--
				break
			}
		}
	}
	// Direct them from vertex 4.
	done := map[int]bool{4: true}
	var out [][2]int
	for len(out) < len(edges) {
		for _, e := range edges {
			if done[e[0]] && !done[e[1]] {
				out = append(out, e)
				done[e[1]] = true
			} else if done[e[1]] && !done[e[0]] {
				out = append(out, [2]int{e[1], e[0]})
				done[e[0]] = true
			}
		}
	}
	return out
}

func TestBN11_12_SpanningTrees(t *testing.T) {
	rng := model.Rand(3, 0)
	for n := 1; n < 12; n++ {
		w := mat.NewDense(n, n, nil)
		for i := range n {
			for j := range i {
				v := float64(rng.IntN(20))
				w.Set(i, j, v)
				w.Set(j, i, v)
			}
		}
		weight := func(edges []bayesnet.SpanningEdge) float64 {
			sum := 0.0
			joined := make([]int, n)
			for i := range joined {
				joined[i] = i
			}
			for _, e := range edges {
				sum += e.Weight
				a, b := joined[e.From], joined[e.To]
				if a == b || e.Weight != w.At(e.From, e.To) {
					t.Errorf("edge %v closes a cycle or has another weight", e)
				}
				for i := range joined {
					if joined[i] == a {
						joined[i] = b
					}
				}
			}
			if len(edges) != n-1 {
				t.Errorf("%d edges for %d vertices", len(edges), n)
			}
			return sum
		}
		want := weight(bayesnet.Kruskal(w))
		for start := range n {
			mltest.Near(t, "Prim", weight(bayesnet.Prim(w, start)), want, 0)
		}
	}
	// By hand: weights 5 (0-1), 4 (1-2), 3 (0-2), 2 (2-3), 1 (0-3, 1-3).
	w := mat.NewDense(4, 4, []float64{0, 5, 3, 1, 5, 0, 4, 1, 3, 4, 0, 2, 1, 1, 2, 0})
	if got := bayesnet.Prim(w, 3); !slices.Equal(got, []bayesnet.SpanningEdge{{From: 3, To: 2, Weight: 2}, {From: 2, To: 1, Weight: 4}, {From: 1, To: 0, Weight: 5}}) {
		t.Errorf("Prim from 3: %v", got)
	}
	if got := bayesnet.Kruskal(w); !slices.Equal(got, []bayesnet.SpanningEdge{{From: 0, To: 1, Weight: 5}, {From: 1, To: 2, Weight: 4}, {From: 2, To: 3, Weight: 2}}) {
		t.Errorf("Kruskal: %v", got)
	}
	mustPanic(t, "symmetric", func() { bayesnet.Kruskal(mat.NewDense(2, 2, []float64{0, 1, 2, 0})) })
}

func TestBN13_16_HillClimbing(t *testing.T) {
	x := bayesnet.Asia().Sample(2000, 1)
	start := bayesnet.StructureSearch{}
	must(t, start.Learn(x))
	if len(start.Moves) == 0 || start.Moves[0].Operator != "add" {
		t.Fatalf("moves %v", start.Moves)
	}
	rises(t, "hill climbing", start.Trace.Loss)
	full, err := bayesnet.ScoreNetwork(start.Net, x, bayesnet.BICScore)
	must(t, err)
	mltest.Near(t, "score", start.Value, full, 1e-12)
	// Replaying the moves yields the score of each step, the sum over families.
	parents := map[string][]string{}
	for _, m := range start.Moves {
		switch m.Operator {
		case "add":
			parents[m.To] = append(parents[m.To], m.From)
		default:
			parents[m.To] = slices.DeleteFunc(parents[m.To], func(s string) bool { return s == m.From })
			if m.Operator == "reverse" {
				parents[m.From] = append(parents[m.From], m.To)
			}
		}
		score, err := bayesnet.ScoreNetwork(graphOf(t, bayesnet.Asia().Nodes, parents), x, bayesnet.BICScore)
		must(t, err)
		mltest.Near(t, "full score after "+m.Operator, m.Score, score, 1e-12)
	}
	// No single change to the final graph raises the score.
	for _, from := range bayesnet.Asia().Nodes {
		for _, to := range bayesnet.Asia().Nodes {
			if from.Name == to.Name || slices.Contains(start.Net.Descendants(to.Name), from.Name) {
				continue
			}
			changed := map[string][]string{}
			for _, c := range start.Net.Nodes {
				changed[c.Name] = slices.Clone(c.Parents)
			}
			if slices.Contains(changed[to.Name], from.Name) {
				changed[to.Name] = slices.DeleteFunc(changed[to.Name], func(s string) bool { return s == from.Name })
			} else {
				changed[to.Name] = append(changed[to.Name], from.Name)
			}
			if score, err := bayesnet.ScoreNetwork(graphOf(t, bayesnet.Asia().Nodes, changed), x, bayesnet.BICScore); err != nil || score > start.Value+1e-6 {
				t.Errorf("with %s → %s changed the score is %v, not %v (%v)", from.Name, to.Name, score, start.Value, err)
			}
		}
	}
	// From a bad graph, arrows are deleted and reversed.
	bad := map[string][]string{"Asia": {"Smoking", "XRay"}, "Smoking": {"Bronchitis", "Dyspnea"}, "Tuberculosis": {"XRay", "Bronchitis"}}
	again := bayesnet.StructureSearch{Start: graphOf(t, bayesnet.Asia().Nodes, bad), Score: bayesnet.BDeuScore}
	must(t, again.Learn(x))
	var operators []string
	for _, m := range again.Moves {
		operators = append(operators, m.Operator)
	}
	if !slices.Contains(operators, "delete") {
		t.Errorf("operators %v", operators)
	}
	// Tabu and restarts are never worse, and MaxParents is respected.
	for _, s := range []*bayesnet.StructureSearch{{Tabu: 20}, {Restarts: 5, Seed: 1}} {
		must(t, s.Learn(x))
		if s.Value < start.Value {
			t.Errorf("Tabu %d, Restarts %d: %v is worse than %v", s.Tabu, s.Restarts, s.Value, start.Value)
		}
	}
	one := bayesnet.StructureSearch{MaxParents: 1}
	must(t, one.Learn(x))
	for _, c := range one.Net.Nodes {
		if len(c.Parents) > 1 {
			t.Errorf("%s has %v", c.Name, c.Parents)
		}
	}
	if err := (&bayesnet.StructureSearch{MaxParents: -1}).Learn(x); err == nil {
		t.Error("a negative limit was accepted")
	}
	if err := (&bayesnet.StructureSearch{}).Learn(mat.NewDense(1, 2, []float64{0.5, 1})); err == nil {
		t.Error("a fraction was accepted as a state")
	}
}

// graphOf makes a network with the given variables and parents.
func graphOf(t *testing.T, nodes []bayesnet.CPT, parents map[string][]string) *bayesnet.BayesNetwork {
	t.Helper()
	card := map[string]int{}
	for _, c := range nodes {
		card[c.Name] = len(c.States)
	}
	var out []bayesnet.CPT
	for _, c := range nodes {
		n := bayesnet.CPT{Name: c.Name, States: c.States, Parents: parents[c.Name]}
		q := 1
		for _, p := range n.Parents {
			q *= card[p]
		}
		row := make([]float64, len(c.States))
		row[0] = 1
		for range q {
			n.P = append(n.P, row)
		}
		out = append(out, n)
	}
	net, err := bayesnet.NewBayesNetwork("graph", out...)
	must(t, err)
	return net
}

func TestBN14_15_Scores(t *testing.T) {
	if got := bayesnet.BICScore.Penalty(100); math.Abs(got-2.302585) > 1e-6 {
		t.Errorf("with 100 examples BIC takes %v for each parameter, want 2.303", got)
	}
	student := bayesnet.Student()
	x := student.Sample(100, 1)
	fit, err := bayesnet.LearnCPTs(student, x)
	must(t, err)
	l, err := fit.LogLikelihood(x)
	must(t, err)
	for score, want := range map[bayesnet.NetworkScore]float64{
		bayesnet.LikelihoodScore: l,
		bayesnet.AICScore:        l - 15,
		bayesnet.BICScore:        l - 15*math.Log(100)/2,
	} {
		got, err := bayesnet.ScoreNetwork(student, x, score)
		must(t, err)
		mltest.Near(t, score.String(), got, want, 1e-12)
	}
	// Equivalent graphs have the same BDeu: A → B and B → A.
	a, err := bayesnet.ScoreNetwork(graphOf(t, student.Nodes, map[string][]string{"SAT": {"Intelligence"}}), x, bayesnet.BDeuScore, 5)
	must(t, err)
	b, err := bayesnet.ScoreNetwork(graphOf(t, student.Nodes, map[string][]string{"Intelligence": {"SAT"}}), x, bayesnet.BDeuScore, 5)
	must(t, err)
	mltest.Near(t, "BDeu of equivalent graphs", a, b, 1e-12)
	local, err := bayesnet.LocalScores(student, x, bayesnet.K2Score)
	must(t, err)
	sum := 0.0
	for _, s := range local {
		sum += s
	}
	full, err := bayesnet.ScoreNetwork(student, x, bayesnet.K2Score)
	must(t, err)
	mltest.Near(t, "sum of the local scores", sum, full, 1e-12)
}

func TestBN17_SparseCandidate(t *testing.T) {
	x := bayesnet.Asia().Sample(1000, 4)
	hill := bayesnet.StructureSearch{}
	must(t, hill.Learn(x))
	all := bayesnet.SparseCandidate{K: 7}
	must(t, all.Learn(x))
	mltest.Near(t, "with all candidates", all.Value, hill.Value, 1e-12)
	few := bayesnet.SparseCandidate{K: 2}
	must(t, few.Learn(x))
	rises(t, "sparse candidates", few.Trace.Loss)
	for _, round := range few.Candidates {
		for v, c := range round {
			if len(c) > 2 { // |Cⱼ| ≤ k, E3-10
				t.Errorf("variable %d has the candidates %v", v, c)
			}
		}
	}
	if few.Families >= hill.Families {
		t.Errorf("%d families with two candidates, %d with all", few.Families, hill.Families)
	}
}

func TestBN18_Discrepancy(t *testing.T) {
	student := bayesnet.Student()
	x := student.Sample(3000, 5)
	tree, err := bayesnet.ChowLiu(x)
	must(t, err)
	m, err := tree.Discrepancies(x)
	must(t, err)
	// Pairs that the tree joins have the same distribution as in the examples.
	for _, e := range tree.Edges {
		mltest.Near(t, "M of an edge of the tree", m.At(e.From, e.To), 0, 1e-9)
	}
	if m.At(0, 1) < 1e-5 {
		t.Errorf("M(Difficulty, Intelligence) is %v in a tree that makes them depend through Grade", m.At(0, 1))
	}
	// Without arrows M is the mutual information: E3-11, D_KL(P‖Q).
	empty, err := bayesnet.LearnCPTs(graphOf(t, student.Nodes, nil), x)
	must(t, err)
	m, err = empty.Discrepancies(x)
	must(t, err)
	for i := range 5 {
		for j := range i {
			mltest.Near(t, "M without arrows", m.At(i, j), prob.MutualInformation(column(x, i), column(x, j)), 1e-9)
			mltest.Near(t, "symmetry", m.At(j, i), m.At(i, j), 0)
		}
	}
	// By hand for one pair: E3-12, M(X_j, X_l) for X_l ≠ X_j.
	c := counts(x, 0, 1)
	p, q := make([]float64, 4), make([]float64, 4)
	joint := empty.Query("Difficulty", "Intelligence")
	for k := range 4 {
		p[k], q[k] = c.At(k/2, k%2), joint.P[k]
	}
	mltest.Near(t, "D_KL(P‖P_net)", m.At(0, 1), prob.KLDivergence(p, q), 1e-9)
}

func TestBN19_NaiveNetwork(t *testing.T) {
	d := data.PlayTennis()
	network, naive := &bayesnet.NaiveNetwork{}, &prob.CategoricalNB{}
	must(t, network.Fit(d.X, d.Y))
	must(t, naive.Fit(d.X, d.Y))
	got, want := network.PredictProba(d.X), naive.PredictProba(d.X)
	for i := range d.Len() {
		mltest.NearAll(t, "P(y|x)", got.RawRowView(i), want.RawRowView(i), 1e-12)
	}
	// A query to the network itself returns the same.
	for i := range d.Len() {
		mltest.NearAll(t, "query", askRow(network.Net, d, i).P, got.RawRowView(i), 1e-12)
	}
}

// askRow queries a network of features and class for the class of a row.
func askRow(n *bayesnet.BayesNetwork, d *data.Dataset, i int) *bayesnet.BayesQuery {
	var pairs []any
	for j, c := range d.X.Columns {
		pairs = append(pairs, c.Name, d.Cell(i, j))
	}
	return n.Query(d.X.Target.Name).Given(pairs...)
}

func TestBN20_TAN(t *testing.T) {
	// The class is the noisy exclusive or of two features; two more features are irrelevant.
	rng := model.Rand(8, 0)
	x, y := mat.NewDense(400, 4, nil), make([]int, 400)
	for i := range y {
		for j := range 4 {
			x.Set(i, j, float64(rng.IntN(2)))
		}
		y[i] = int(x.At(i, 0)) ^ int(x.At(i, 1))
		if rng.Float64() < 0.05 {
			y[i] = 1 - y[i]
		}
	}
	right := func(m model.Classifier) float64 {
		must(t, m.Fit(x, y))
		n := 0.0
		for i, c := range m.Predict(x) {
			if c == y[i] {
				n++
			}
		}
		return n / 400
	}
	tan := &bayesnet.TAN{}
	naive, tree := right(&bayesnet.NaiveNetwork{}), right(&bayesnet.ChowLiuClassifier{})
	if got := right(tan); got < 0.9 || naive > 0.65 || tree < 0.9 {
		t.Errorf("TAN is right in %v, a tree a class in %v, naive Bayes in %v", got, tree, naive)
	}
	if !slices.Contains(tan.Net.Parents("x2"), "x1") {
		t.Errorf("x2 has the parents %v", tan.Net.Parents("x2"))
	}
	// I(Xᵢ;Xⱼ|Y) equals the value from package prob.
	d := data.PlayTennis()
	must(t, tan.Fit(d.X, d.Y))
	check, err := prob.CheckIndependence(d.X, d.Y)
	must(t, err)
	if !mat.EqualApprox(tan.Weights, check.Conditional, 1e-9) {
		t.Errorf("weights\n%v\nwant\n%v", mat.Formatted(tan.Weights), mat.Formatted(check.Conditional))
	}
	// P(y|x) is what a query to the network returns.
	p := tan.PredictProba(d.X)
	for i := range d.Len() {
		mltest.NearAll(t, "query", askRow(tan.Net, d, i).P, p.RawRowView(i), 1e-12)
	}
	if err := (&bayesnet.TAN{Root: 9}).Fit(d.X, d.Y); err == nil {
		t.Error("a root that does not exist was accepted")
	}
}

func TestNewBayesNetworkRefuses(t *testing.T) {
	coin := bayesnet.CPT{Name: "A", P: [][]float64{{0.5}}}
	for want, nodes := range map[string][]bayesnet.CPT{
		"the network must have at least one variable":               nil,
		"variable 0 must have a name":                               {{}},
		`variable names must be distinct, got "A" twice`:            {coin, coin},
		"the network must not have a directed cycle, got one among": {{Name: "A", Parents: []string{"B"}, P: [][]float64{{1}, {0}}}, {Name: "B", Parents: []string{"A"}, P: [][]float64{{1}, {0}}}},
		"not a variable": {{Name: "A", Parents: []string{"B"}, P: [][]float64{{1}, {0}}}},
		"rows":           {{Name: "A"}},
		"the probabilities of A in row 0 must sum to 1, got 1.1":      {{Name: "A", P: [][]float64{{0.5, 0.6}}}},
		"the probabilities of A must be between 0 and 1, got -1 in":   {{Name: "A", P: [][]float64{{-1, 2}}}},
		`the states of A must have distinct, nonempty names, got "a"`: {{Name: "A", States: []string{"a", "a"}, P: [][]float64{{1, 0}}}},
		"twice": {coin, {Name: "B", Parents: []string{"A", "A"}, P: [][]float64{{1}, {0}, {1}, {0}}}},
	} {
		if _, err := bayesnet.NewBayesNetwork("", nodes...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error that says %q", err, want)
		}
	}
}

func TestBIF(t *testing.T) {
	for _, n := range []*bayesnet.BayesNetwork{bayesnet.Alarm(), bayesnet.Asia(), bayesnet.AlarmMonitoring(), randomNet(t, 8, 3, 2)} {
		got, err := bayesnet.ParseBIF(n.BIF())
		must(t, err)
		if got.BIF() != n.BIF() {
			t.Errorf("%s: written and read, it is another network", n.Name)
		}
		path := t.TempDir() + "/n.bif"
		must(t, n.WriteBIF(path))
		got, err = bayesnet.ReadBIF(path)
		must(t, err)
		if got.BIF() != n.BIF() {
			t.Errorf("%s: saved and loaded, it is another network", n.Name)
		}
	}
	n, err := bayesnet.ParseBIF(`// a comment
network "two words" { property x = 1; }
variable "A b" { type discrete [ 2 ] { yes, "no way" }; property position = (1, 2); }
variable C { type discrete[3] { c0 c1 c2 }; } /* another
comment */
probability ( "A b" ) { table 0.25 0.75; }
probability ( C | "A b" ) { default 0.2, 0.3, 0.5; ("no way") 1.0 0 0; }`)
	must(t, err)
	if n.Name != "two words" || n.Query("C").Given("A b", "yes").Prob("c2") != 0.5 || n.Query("C").Given("A b", "no way").Prob("c0") != 1 {
		t.Errorf("got %s", n.BIF())
	}
	a := "variable A { type discrete [ 2 ] { a, b }; }\n"
	for want, text := range map[string]string{
		"the file must declare at least one variable":               "",
		`expected network, variable or probability, got "nonsense"`: "nonsense",
		"line 2":                         a + "probability ( B ) { table 1, 0; }",
		"A must have one table, got two": a + "probability ( A ) { table 1, 0; } probability ( A ) { table 1, 0; }",
		"the table of B must name the states of its parents":          a + "variable B { type discrete [ 2 ] { a, b }; } probability ( B | A ) { table 1, 0, 1, 0; }",
		"the table of B must have 2 rows":                             a + "variable B { type discrete [ 2 ] { a, b }; } probability ( B | A ) { (a) 1, 0; }",
		"no state":                                                    a + "variable B { type discrete [ 2 ] { a, b }; } probability ( B | A ) { (z) 1, 0; }",
		"each row of A must sum to 1, got 0.9":                        a + "probability ( A ) { table 0.5, 0.4; }",
		`A must have numbers between 0 and 1, got "x"`:                a + "probability ( A ) { table x, 0.4; }",
		"must have the 2 states it declares, got 1":                   "variable A { type discrete [ 2 ] { a }; }",
		"A must be a discrete variable, got continuous":               "variable A { type continuous; }",
		"the network block is not closed":                             "network x { ",
		"each row of A must have one number per state, got 1 numbers": a + "probability ( A ) { table 1; }",
		"A must have 1 rows of probabilities (the combinations of":    a,
		`variable "A" is declared twice`:                              a + a,
		"in the table of A":                                           a + "probability ( A ) { tabel 1, 0; }",
		"variable A must have a type":                                 "variable A { }",
		`A has the parent "Z", which is not a declared variable`:      a + "probability ( A | Z ) { table 1, 0; }",
		"A must have at least one state":                              "variable A { type discrete [ x ] { a }; }",
		"for 1 parents":                                               a + "variable B { type discrete [ 2 ] { a, b }; } probability ( B | A ) { (a, a) 1, 0; }",
		`unexpected "" in a list`:                                     "variable A { type discrete [ 2 ] { a, b ",
		"in variable A":                                               "variable A { kind }",
		`expected "(", got "A"`:                                       a + "probability A",
		"a property is not closed by a semicolon":                     "variable A { property x",
	} {
		if _, err := bayesnet.ParseBIF(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want an error that says %q", text, err, want)
		}
	}
}

func FuzzParseBIF(f *testing.F) {
	f.Add(bayesnet.Alarm().BIF())
	f.Add("variable A { type discrete [ 2 ] { a, b }; } probability ( A ) { table 1, 0; }")
	f.Add(`network "x { /* `)
	f.Fuzz(func(t *testing.T, text string) {
		n, err := bayesnet.ParseBIF(text)
		if err != nil {
			return
		}
		if _, err := bayesnet.ParseBIF(n.BIF()); err != nil && !strings.Contains(text, `"`) {
			t.Errorf("what was written cannot be read: %v\n%s", err, n.BIF())
		}
	})
}
