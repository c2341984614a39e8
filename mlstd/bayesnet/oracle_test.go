package bayesnet_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/bayesnet"
	"github.com/gokernel/gokernel/mlstd/internal/mltest"
	"github.com/gokernel/gokernel/mlstd/model"
)

type query struct {
	Query    []string
	Evidence map[string]string
	P        []float64
	States   []string
}

func (q query) pairs() []any {
	var out []any
	for name, state := range q.Evidence {
		out = append(out, name, state)
	}
	return out
}

// oracle is testdata/oracles/bayesnet.json.
type oracle struct {
	Nets []struct {
		Nodes         []bayesnet.CPT
		Queries, Maps []query
		Dsep          []struct {
			A, B      string
			Given     []string
			Connected bool
		}
		Blankets map[string][]string
	}
	Monitoring []query
	Sets       []struct {
		X      [][]float64
		Graphs []struct {
			Parents            map[string][]string
			BIC, AIC, K2, BDeu float64
		}
		Tree, TAN         [][2]string
		ClimbBIC          float64 `json:"climb_bic"`
		ClimbAIC          float64 `json:"climb_aic"`
		ClimbBDeu         float64 `json:"climb_bdeu"`
		BestBIC           float64 `json:"best_bic"`
		BestAIC           float64 `json:"best_aic"`
		BestBDeu          float64 `json:"best_bdeu"`
		MLE, ESS, Laplace map[string][][]float64
	}
}

func readOracle(t *testing.T) *oracle {
	t.Helper()
	var o oracle
	mltest.ReadOracle(t, "bayesnet", &o)
	if len(o.Nets) < 5 || len(o.Sets) < 5 || len(o.Monitoring) < 5 {
		t.Fatal("the oracle is incomplete")
	}
	return &o
}

func TestOracleInference(t *testing.T) {
	o := readOracle(t)
	check := func(n *bayesnet.BayesNetwork, q query) {
		t.Helper()
		e := n.Given(q.pairs()...)
		mltest.NearAll(t, fmt.Sprint(n.Name, q.Query, q.Evidence), e.Query(q.Query...).P, q.P, 1e-9)
		mltest.NearAll(t, fmt.Sprint("junction tree ", q.Query, q.Evidence), e.JunctionTree().Query(q.Query...).P, q.P, 1e-9)
	}
	for _, c := range o.Nets {
		n, err := bayesnet.NewBayesNetwork("random", c.Nodes...)
		must(t, err)
		for _, q := range c.Queries {
			check(n, q)
		}
		for _, q := range c.Maps {
			got := n.Given(q.pairs()...).MAP(q.Query...)
			for k, name := range q.Query {
				if got.State(name) != q.States[k] {
					t.Errorf("MAP of %v given %v: got %v, pgmpy has %v", q.Query, q.Evidence, got, q.States)
					break
				}
			}
		}
		for _, s := range c.Dsep {
			if got := n.Independent(s.A, s.B, s.Given...); got == s.Connected {
				t.Errorf("%s and %s given %v: independent %v, pgmpy says connected %v", s.A, s.B, s.Given, got, s.Connected)
			}
		}
		for name, want := range c.Blankets {
			got := n.MarkovBlanket(name)
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("the blanket of %s: got %v, want %v", name, got, want)
			}
		}
	}
	for _, q := range o.Monitoring {
		check(bayesnet.AlarmMonitoring(), q)
	}
}

// examples returns a data set of the oracle as a table, and its variables.
func examples(x [][]float64) (*model.Table, []bayesnet.CPT) {
	d := mat.NewDense(len(x), len(x[0]), nil)
	for i, row := range x {
		d.SetRow(i, row)
	}
	t := &model.Table{Dense: d}
	var nodes []bayesnet.CPT
	for j := range x[0] {
		name := fmt.Sprint("x", j)
		most := 0.0
		for _, row := range x {
			most = max(most, row[j])
		}
		var states []string
		for k := range int(most) + 1 {
			states = append(states, fmt.Sprint(k))
		}
		t.Columns = append(t.Columns, model.Column{Name: name, Kind: model.Nominal, Levels: states})
		nodes = append(nodes, bayesnet.CPT{Name: name, States: states})
	}
	return t, nodes
}

func TestOracleScores(t *testing.T) {
	for k, s := range readOracle(t).Sets {
		x, nodes := examples(s.X)
		for g, graph := range s.Graphs {
			n := graphOf(t, nodes, graph.Parents)
			for score, want := range map[bayesnet.NetworkScore]float64{
				bayesnet.BICScore: graph.BIC, bayesnet.AICScore: graph.AIC, bayesnet.K2Score: graph.K2, bayesnet.BDeuScore: graph.BDeu,
			} {
				got, err := bayesnet.ScoreNetwork(n, x, score)
				must(t, err)
				mltest.Near(t, fmt.Sprint("set ", k, ", graph ", g, ", ", score), got, want, 1e-9)
			}
		}
		n := graphOf(t, nodes, s.Graphs[0].Parents)
		for _, c := range []struct {
			name  string
			prior bayesnet.CPTPrior
			want  map[string][][]float64
		}{
			{"counts", bayesnet.CPTPrior{}, s.MLE},
			{"BDeu prior", bayesnet.CPTPrior{Equivalent: 7}, s.ESS},
			{"Laplace", bayesnet.CPTPrior{Alpha: 1}, s.Laplace},
		} {
			got, err := bayesnet.LearnCPTs(n, x, c.prior)
			must(t, err)
			for _, node := range got.Nodes {
				for r, row := range node.P {
					mltest.NearAll(t, fmt.Sprint("set ", k, ", ", c.name, ", ", node.Name, ", row ", r), row, c.want[node.Name][r], 1e-9)
				}
			}
		}
	}
}

// arrows lists the arrows of a network in order.
func arrows(n *bayesnet.BayesNetwork) [][2]string {
	var out [][2]string
	for _, c := range n.Nodes {
		for _, p := range c.Parents {
			out = append(out, [2]string{p, c.Name})
		}
	}
	slices.SortFunc(out, func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	return out
}

func TestOracleTrees(t *testing.T) {
	for k, s := range readOracle(t).Sets {
		x, _ := examples(s.X)
		tree, err := bayesnet.ChowLiu(x, "x0")
		must(t, err)
		if got := arrows(tree.BayesNetwork); !slices.Equal(got, s.Tree) {
			t.Errorf("set %d: Chow-Liu gives %v, pgmpy %v", k, got, s.Tree)
		}
		// The last column is the class.
		n, d := x.Dims()
		y := make([]int, n)
		for i := range y {
			y[i] = int(x.At(i, d-1))
		}
		features := &model.Table{Dense: mat.DenseCopyOf(x.Slice(0, n, 0, d-1)), Columns: x.Columns[:d-1], Target: x.Columns[d-1]}
		tan := &bayesnet.TAN{}
		must(t, tan.Fit(features, y))
		if got := arrows(tan.Net); !slices.Equal(got, s.TAN) {
			t.Errorf("set %d: TAN gives %v, pgmpy %v", k, got, s.TAN)
		}
	}
}

// Ties between changes lead climbs to different graphs. The best of many climbs is at least as good
// as pgmpy's, and on four columns it is the best of all graphs.
func TestOracleHillClimbing(t *testing.T) {
	for k, s := range readOracle(t).Sets {
		x, _ := examples(s.X)
		n, _ := x.Dims()
		four := &model.Table{Dense: mat.DenseCopyOf(x.Slice(0, n, 0, 4)), Columns: x.Columns[:4]}
		for _, c := range []struct {
			score       bayesnet.NetworkScore
			climb, best float64
		}{
			{bayesnet.BICScore, s.ClimbBIC, s.BestBIC}, {bayesnet.AICScore, s.ClimbAIC, s.BestAIC}, {bayesnet.BDeuScore, s.ClimbBDeu, s.BestBDeu},
		} {
			h := bayesnet.StructureSearch{Score: c.score, Tabu: 10, Restarts: 20, Seed: 1}
			must(t, h.Learn(x))
			if h.Value < c.climb-1e-9*math.Abs(c.climb) {
				t.Errorf("set %d, %v: hill climbing ends at %v, pgmpy's at %v", k, c.score, h.Value, c.climb)
			}
			must(t, h.Learn(four))
			mltest.Near(t, fmt.Sprint("set ", k, ", ", c.score, " of four columns"), h.Value, c.best, 1e-9)
		}
	}
}
