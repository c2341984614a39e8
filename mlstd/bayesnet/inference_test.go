package bayesnet_test

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gokernel/gokernel/mlstd/bayesnet"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
)

// randomNet draws a network of d variables with two to four states.
func randomNet(t testing.TB, d, most int, seed uint64) *bayesnet.BayesNetwork {
	t.Helper()
	rng := model.Rand(seed, 9)
	var nodes []bayesnet.CPT
	for i := range d {
		c := bayesnet.CPT{Name: "x" + strconv.Itoa(i)}
		for k := range 2 + rng.IntN(3) {
			c.States = append(c.States, "s"+strconv.Itoa(k))
		}
		q := 1
		for _, p := range rng.Perm(i)[:rng.IntN(min(i, most)+1)] {
			c.Parents = append(c.Parents, nodes[p].Name)
			q *= len(nodes[p].States)
		}
		for range q {
			row := make([]float64, len(c.States))
			sum := 0.0
			for k := range row {
				row[k] = rng.ExpFloat64()
				sum += row[k]
			}
			for k := range row {
				row[k] /= sum
			}
			c.P = append(c.P, row)
		}
		nodes = append(nodes, c)
	}
	n, err := bayesnet.NewBayesNetwork("random", nodes...)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// mustPanic requires a panic with a *model.Error that contains want.
func mustPanic(t *testing.T, want string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		e, ok := recover().(*model.Error)
		if !ok || !strings.Contains(e.Error(), want) {
			t.Errorf("got panic %v, want a *model.Error that says %q", e, want)
		}
	}()
	f()
}

func TestBN01_Joint(t *testing.T) {
	alarm := bayesnet.Alarm()
	// Russell and Norvig, 4th edition, section 13.2.1: P(j, m, a, ¬b, ¬e) = 0.000628.
	p := alarm.Prob("John", true, "Mary", true, "Alarm", true, "Burglary", false, "Earthquake", false)
	mltest.Near(t, "P(j, m, a, not b, not e)", p, 0.90*0.70*0.001*0.999*0.998, 1e-15)
	for _, n := range []*bayesnet.BayesNetwork{alarm, bayesnet.Sprinkler(), bayesnet.Asia(), bayesnet.Student(), randomNet(t, 6, 3, 1)} {
		sum := 0.0
		names := n.Order()
		for _, v := range n.Query(names...).P {
			sum += v
		}
		mltest.Near(t, n.Name+": the joint distribution", sum, 1, 1e-12)
		// The product of the tables is the joint distribution.
		q := n.Query(names...)
		at := make([]int, len(names))
		for k := range q.P {
			pairs := []any{}
			for i, name := range names {
				pairs = append(pairs, name, q.States[i][at[i]])
			}
			mltest.Near(t, n.Name+": product of tables", n.Prob(pairs...), q.P[k], 1e-12)
			for i := len(at) - 1; i >= 0; i-- {
				if at[i]++; at[i] < len(q.States[i]) {
					break
				}
				at[i] = 0
			}
		}
	}
	// Koller and Friedman, section 3.2.1.2: P(i1, d0, g2, s1, l0) = 0.004608.
	mltest.Near(t, "student", bayesnet.Student().Prob("Intelligence", "i1", "Difficulty", "d0", "Grade", "g2", "SAT", "s1", "Letter", "l0"), 0.004608, 1e-15)
	if got := alarm.Parameters(); got != 10 {
		t.Errorf("the alarm network has %d free probabilities, want 10", got)
	}
	if got := bayesnet.AlarmMonitoring().Parameters(); got != 509 {
		t.Errorf("ALARM has %d free probabilities, want 509 (Beinlich 1989)", got)
	}
}

func TestBN02_SeparationAndBlankets(t *testing.T) {
	// d-separated variables are independent in the numbers, and with random tables others are
	// dependent.
	for seed := range uint64(6) {
		n := randomNet(t, 6, 3, seed)
		for i := range 6 {
			for j := range i {
				for mask := range 64 {
					if mask>>i&1 == 1 || mask>>j&1 == 1 {
						continue
					}
					var given []string
					for k := range 6 {
						if mask>>k&1 == 1 {
							given = append(given, "x"+strconv.Itoa(k))
						}
					}
					a, b := "x"+strconv.Itoa(i), "x"+strconv.Itoa(j)
					s := n.Separation(a, b, given...)
					if dependence(n, a, b, given) > 1e-9 == s.Separated {
						t.Errorf("seed %d: %v but dependence %v", seed, s, dependence(n, a, b, given))
					}
					open := slices.ContainsFunc(s.Trails, func(t bayesnet.Trail) bool { return t.Open })
					if open == s.Separated {
						t.Errorf("seed %d: trails contradict the verdict: %v", seed, s)
					}
				}
			}
		}
		for i := range 6 {
			a := "x" + strconv.Itoa(i)
			blanket := n.MarkovBlanket(a)
			for j := range 6 {
				b := "x" + strconv.Itoa(j)
				if i != j && !slices.Contains(blanket, b) && !n.Independent(a, b, blanket...) {
					t.Errorf("seed %d: %s depends on %s given the blanket %v", seed, a, b, blanket)
				}
			}
			for _, b := range n.NonDescendants(a) {
				if !n.Independent(a, b, n.Parents(a)...) {
					t.Errorf("seed %d: %s depends on %s given its parents", seed, a, b)
				}
			}
		}
	}
	got := bayesnet.Asia().MarkovBlanket("Either")
	if want := []string{"Tuberculosis", "LungCancer", "Bronchitis", "XRay", "Dyspnea"}; !slices.Equal(got, want) {
		t.Errorf("the blanket of Either is %v, want %v", got, want)
	}
	s := bayesnet.Asia().Separation("Asia", "Smoking")
	if !s.Separated || s.Trails[0].Why != "collider" || s.Trails[0].BlockedAt != "Either" {
		t.Errorf("got %v", s)
	}
	if got := bayesnet.Asia().Separation("XRay", "Dyspnea", "Either").Trails[0]; got.Open || got.Why != "fork" {
		t.Errorf("got %v", got)
	}
	mustPanic(t, "different", func() { bayesnet.Asia().Separation("Asia", "Asia") })
}

// dependence returns the largest |P(a,b|z) − P(a|z)·P(b|z)|.
func dependence(n *bayesnet.BayesNetwork, a, b string, given []string) float64 {
	q := n.Query(append([]string{a, b}, given...)...)
	ka, kb := len(q.States[0]), len(q.States[1])
	kz := len(q.P) / ka / kb
	most := 0.0
	for z := range kz {
		sum, pa, pb := 0.0, make([]float64, ka), make([]float64, kb)
		for i := range ka {
			for j := range kb {
				v := q.P[(i*kb+j)*kz+z]
				sum += v
				pa[i] += v
				pb[j] += v
			}
		}
		for i := range ka {
			for j := range kb {
				most = max(most, math.Abs(q.P[(i*kb+j)*kz+z]/sum-pa[i]*pb[j]/sum/sum))
			}
		}
	}
	return most
}

func TestBN03_Inference(t *testing.T) {
	alarm := bayesnet.Alarm()
	q := alarm.Query("Burglary").Given("John", true, "Mary", true)
	mltest.Near(t, "P(b | j, m)", q.Prob(true), 0.284171835364393, 1e-12)
	mltest.Near(t, "by enumeration", q.ByEnumeration().Prob(true), 0.284171835364393, 1e-12)
	mltest.Near(t, "by junction tree", alarm.Given("John", true, "Mary", true).JunctionTree().Query("Burglary").Prob(true), 0.284171835364393, 1e-12)
	// Explaining away: an earthquake makes a burglary less probable.
	mltest.Near(t, "P(b | a)", alarm.Given("Alarm", true).Query("Burglary").Prob(true), 0.373551228281836, 1e-12)
	mltest.Near(t, "P(b | a, e)", alarm.Given("Alarm", true, "Earthquake", true).Query("Burglary").Prob(true), 0.001*0.95/(0.001*0.95+0.999*0.29), 1e-12)
	// Russell and Norvig, section 13.4.2: P(Rain | Sprinkler = true) = (0.3, 0.7).
	mltest.Near(t, "sprinkler", bayesnet.Sprinkler().Query("Rain").Given("Sprinkler", true).Prob(true), 0.3, 1e-12)
	// Koller and Friedman, section 3.2.1.2, to the digits of the book.
	student := bayesnet.Student()
	for _, c := range []struct {
		name, state string
		given       []any
		want, tol   float64
	}{
		{"Letter", "l1", nil, 0.502, 6e-4},
		{"Letter", "l1", []any{"Intelligence", "i0"}, 0.389, 6e-4},
		{"Letter", "l1", []any{"Intelligence", "i0", "Difficulty", "d0"}, 0.513, 6e-4},
		{"Intelligence", "i1", []any{"Grade", "g3"}, 0.079, 6e-4},
		{"Difficulty", "d1", []any{"Grade", "g3"}, 0.629, 6e-4},
		{"Intelligence", "i1", []any{"Letter", "l0"}, 0.14, 6e-3},
		{"Intelligence", "i1", []any{"Grade", "g3", "SAT", "s1"}, 0.578, 6e-4},
		{"Intelligence", "i1", []any{"Grade", "g2"}, 0.175, 6e-4},
		{"Intelligence", "i1", []any{"Grade", "g2", "Difficulty", "d1"}, 0.34, 6e-3},
	} {
		if got := student.Given(c.given...).Query(c.name).Prob(c.state); math.Abs(got-c.want) > c.tol {
			t.Errorf("P(%s=%s | %v): got %v, the book has %v", c.name, c.state, c.given, got, c.want)
		}
	}
	mustPanic(t, "probability 0", func() { bayesnet.Asia().Given("Either", "no", "LungCancer", "yes").Query("Smoking") })
	mustPanic(t, "probability 0", func() { bayesnet.Asia().Given("Either", "no", "LungCancer", "yes").JunctionTree() })
	mustPanic(t, "Burglary must not be both queried and given", func() { alarm.Query("Burglary").Given("Burglary", true) })
	mustPanic(t, "no variable", func() { alarm.Query("Burglar") })
	mustPanic(t, "no state", func() { alarm.Given("Burglary", "maybe") })
	odd := []any{"Burglary"}
	mustPanic(t, "pairs", func() { alarm.Given(odd...) })
	mustPanic(t, "Burglary must be given once, got true and false", func() { alarm.Given("Burglary", true).Given("Burglary", false) })
}

// Enumeration, both orders of variable elimination and the junction tree agree.
func TestInferenceAgrees(t *testing.T) {
	for seed := range uint64(8) {
		n := randomNet(t, 8, 3, seed)
		row := n.Sample(1, seed).RawRowView(0)
		for _, known := range []int{0, 1, 3} {
			var pairs []any
			for i := range known {
				pairs = append(pairs, "x"+strconv.Itoa(7-i), int(row[7-i]))
			}
			e := n.Given(pairs...)
			tree := e.JunctionTree()
			mltest.Near(t, "P(evidence)", tree.PEvidence, e.Probability(), 1e-12)
			for _, names := range [][]string{{"x0"}, {"x3"}, {"x1", "x4"}, {"x2", "x0", "x3"}} {
				q := e.Query(names...)
				slow := q.ByEnumeration()
				mltest.NearAll(t, "variable elimination", q.P, slow.P, 1e-12)
				mltest.Near(t, "evidence", q.PEvidence, slow.PEvidence, 1e-12)
				mltest.NearAll(t, "junction tree", tree.Query(names...).P, slow.P, 1e-12)
				fill, degree := q.Factors(), q.Factors(bayesnet.MinDegree)
				if len(fill) == 0 || len(fill) != len(degree) {
					t.Errorf("%d and %d steps", len(fill), len(degree))
				}
			}
			best := e.MostProbable()
			joint := e.Query(best.Names...)
			if most := slices.Max(joint.P); math.Abs(best.Prob-most) > 1e-12 {
				t.Errorf("the most probable explanation has %v, the best combination %v", best.Prob, most)
			}
			two := e.MAP("x0", "x2")
			if most := slices.Max(e.Query("x0", "x2").P); math.Abs(two.Prob-most) > 1e-12 {
				t.Errorf("MAP has %v, the best combination %v", two.Prob, most)
			}
			for _, m := range e.Bars().Marginals {
				mltest.NearAll(t, "bars", m.P, e.Query(m.Names...).P, 1e-12)
			}
		}
	}
}

func TestMonitoringIsSmall(t *testing.T) {
	tree := bayesnet.AlarmMonitoring().JunctionTree()
	if got := tree.LargestClique(); got > 200 {
		t.Errorf("the largest clique of ALARM has %d entries", got)
	}
	// Each variable's cliques are connected: the running intersection property.
	for _, n := range bayesnet.AlarmMonitoring().Nodes {
		tops := 0
		for c, vars := range tree.Cliques {
			if slices.Contains(vars, n.Name) && (tree.Parent[c] < 0 || !slices.Contains(tree.Cliques[tree.Parent[c]], n.Name)) {
				tops++
			}
		}
		if tops != 1 {
			t.Errorf("the cliques of %s form %d pieces", n.Name, tops)
		}
	}
}

func TestBN21_Sampling(t *testing.T) {
	alarm := bayesnet.Alarm()
	order := alarm.Order()
	for k, name := range order {
		for _, p := range alarm.Parents(name) {
			if slices.Index(order, p) > k {
				t.Errorf("%s stands before its parent %s", name, p)
			}
		}
	}
	x := bayesnet.Student().Sample(50000, 3)
	share := 0.0
	for i := range 50000 {
		share += x.At(i, 4) / 50000
	}
	want := bayesnet.Student().Query("Letter").Prob("l1")
	if math.Abs(share-want) > 4*math.Sqrt(want*(1-want)/50000) {
		t.Errorf("l1 in %v of the samples, its probability is %v", share, want)
	}
	// All methods are within a few standard errors of the truth, and the standard errors shrink
	// with √n.
	e := bayesnet.Student().Given("Letter", "l0", "SAT", "s1")
	exact := e.Query("Intelligence").Prob("i0")
	for _, m := range []bayesnet.SamplingMethod{bayesnet.LikelihoodWeighting, bayesnet.GibbsSampling, bayesnet.RejectionSampling} {
		few, many := e.Sampled(m, "Intelligence", 2000, 1), e.Sampled(m, "Intelligence", 50000, 2)
		for _, q := range []*bayesnet.SampledQuery{few, many} {
			if d := math.Abs(q.P[0] - exact); d > 4*q.StdErr[0] {
				t.Errorf("%v: got %v ± %v, want %v", m, q.P[0], q.StdErr[0], exact)
			}
		}
		if r := few.StdErr[0] / many.StdErr[0]; r < 2.5 || r > 10 {
			t.Errorf("%v: the standard errors are %v and %v, a ratio of %v, not about 5", m, few.StdErr[0], many.StdErr[0], r)
		}
		again := e.Sampled(m, "Intelligence", 2000, 1)
		if !slices.Equal(again.P, few.P) {
			t.Errorf("%v: the same seed gives %v and %v", m, few.P, again.P)
		}
	}
	// Standard errors are correct: over many seeds, the mean squared error equals their square.
	for _, m := range []bayesnet.SamplingMethod{bayesnet.LikelihoodWeighting, bayesnet.GibbsSampling, bayesnet.RejectionSampling} {
		ratio := 0.0
		for seed := range uint64(60) {
			q := e.Sampled(m, "Intelligence", 1000, seed)
			d := (q.P[0] - exact) / q.StdErr[0]
			ratio += d * d / 60
		}
		if ratio < 0.4 || ratio > 2.2 {
			t.Errorf("%v: squared errors are %v of what the standard errors say", m, ratio)
		}
	}
	// Russell and Norvig, section 13.4.2, run Gibbs sampling on this query.
	rain := bayesnet.Sprinkler().Given("Sprinkler", true, "WetGrass", true).Sampled(bayesnet.GibbsSampling, "Rain", 20000, 1)
	want = bayesnet.Sprinkler().Query("Rain").Given("Sprinkler", true, "WetGrass", true).Prob(true)
	if math.Abs(rain.P[0]-want) > 4*rain.StdErr[0] {
		t.Errorf("Gibbs sampling: P(Rain) is %v ± %v, want %v", rain.P[0], rain.StdErr[0], want)
	}
	// A table that is an "or" keeps single changes from reaching all states.
	mustPanic(t, "may not reach", func() {
		bayesnet.Asia().Given("Dyspnea", "yes").Sampled(bayesnet.GibbsSampling, "Either", 1000, 1)
	})
	mustPanic(t, "agrees with the evidence", func() {
		bayesnet.Asia().Given("Asia", "yes", "Tuberculosis", "yes", "LungCancer", "yes", "Smoking", "no").Sampled(bayesnet.RejectionSampling, "XRay", 100, 1)
	})
}
