package course

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/display/graph"
	"github.com/gokernel/gokernel/display/internal/guide"
	"github.com/gokernel/gokernel/mlstd/online"
)

// ItemsetLattice draws the sets of items that occur in the transactions, each with the number of
// transactions that contain it; the empty set is at the top. Sets with at least minSupport
// transactions are colored. No set below an infrequent set is frequent. There can be at most six
// items.
func ItemsetLattice(transactions [][]string, minSupport int) *graph.Graph {
	var items []string
	for _, t := range transactions {
		items = append(items, t...)
	}
	slices.Sort(items)
	items = slices.Compact(items)
	if len(items) == 0 {
		return graph.Fail(errors.New("ItemsetLattice: there are no transactions with items"))
	}
	if len(items) > 6 {
		return graph.Fail(fmt.Errorf("ItemsetLattice: there are %d items, which make 2^%d sets: choose at most 6", len(items), len(items)))
	}
	masks := make([]int, len(transactions))
	for i, t := range transactions {
		for _, item := range t {
			k, _ := slices.BinarySearch(items, item)
			masks[i] |= 1 << k
		}
	}
	g := graph.New().Undirected().Title("Itemsets in at least " + count(minSupport, "transaction"))
	id := func(set int) string { return strconv.Itoa(set) }
	for set := range 1 << len(items) {
		var names []string
		size := 0
		for k, item := range items {
			if set&(1<<k) != 0 {
				names = append(names, item)
				size++
			}
		}
		support := 0
		for _, m := range masks {
			if m&set == set {
				support++
			}
		}
		text := "∅"
		if len(names) > 0 {
			text = strings.Join(names, " ")
		}
		g.Node(id(set), text, strconv.Itoa(support)).Layer(size, id(set))
		if support >= minSupport {
			g.Class(id(set), 0)
		}
		for k := range items {
			if set&(1<<k) != 0 {
				g.Edge(id(set&^(1<<k)), id(set))
			}
		}
	}
	return g
}

// mostHypotheses is the maximum number of hypotheses of a version space that are drawn.
const mostHypotheses = 60

// VersionSpace draws the hypotheses that are consistent with the examples so far, with the most
// general hypotheses at the top. A line joins two hypotheses if one is directly more specific: it
// has the literals of the other hypothesis and additional literals, with no hypothesis in between.
// The boundary sets, the most general and the most specific hypotheses, are colored.
func VersionSpace(v *online.VersionSpace) *graph.Graph {
	if v == nil || len(v.Left) == 0 {
		return graph.Fail(errors.New("VersionSpace: no hypothesis is left; the examples contradict the hypothesis class"))
	}
	if len(v.Left) > mostHypotheses {
		return graph.Fail(fmt.Errorf("VersionSpace: %d hypotheses are left; at most %d can be drawn: learn from more examples first", len(v.Left), mostHypotheses))
	}
	g := graph.New().Undirected().Title("Version space: " + count(len(v.Left), "hypothesis"))
	if len(v.Left) > 1 {
		g.Title(fmt.Sprintf("Version space: %d hypotheses", len(v.Left)))
	}
	id := func(i int) string { return strconv.Itoa(i) }
	fewest := math.MaxInt
	for _, c := range v.Left {
		fewest = min(fewest, literals(c))
	}
	for i, c := range v.Left {
		g.Node(id(i), guide.Columns(strings.ReplaceAll(c.String(), "∧", " and "))).Layer(literals(c)-fewest, id(i))
	}
	for i, a := range v.Left {
		general, special := true, true
		for j, b := range v.Left {
			if i == j {
				continue
			}
			if below(a, b) {
				general = false
			}
			if !below(b, a) {
				continue
			}
			special = false
			if !slices.ContainsFunc(v.Left, func(c online.Conjunction) bool { return below(b, c) && below(c, a) }) {
				g.Edge(id(i), id(j))
			}
		}
		switch {
		case special:
			g.Class(id(i), 1)
		case general:
			g.Class(id(i), 0)
		}
	}
	return g
}

func literals(c online.Conjunction) int { return len(c.Positive) + len(c.Negative) }

// below reports whether a is more specific than b: it has all literals of b and more.
func below(a, b online.Conjunction) bool {
	has := func(all, some []int) bool {
		for _, k := range some {
			if !slices.Contains(all, k) {
				return false
			}
		}
		return true
	}
	return literals(a) > literals(b) && has(a.Positive, b.Positive) && has(a.Negative, b.Negative)
}

// BayesNode is a variable of a Bayesian network with its conditional probability table.
type BayesNode struct {
	Name    string
	Values  []string // values of the variable; nil means "true" and "false"
	Parents []string // names of the parents
	// P has a row for each combination of the parents' values, with the last parent changing
	// fastest. A row has a probability for each value; the last probability can be omitted.
	P [][]float64
}

// BayesNet draws a Bayesian network: arrows from parents to children, and in each box the table of
// its variable. The arguments are a network of the course library, a model that has learned a
// network, or variables of type [BayesNode]. For a large network, only the arrows are drawn. If an
// argument is an error, such as an error from ml.ChowLiu, BayesNet reports it.
func BayesNet(net ...any) *graph.Graph {
	var nodes []BayesNode
	var g *graph.Graph
	for _, a := range net {
		switch a := a.(type) {
		case nil:
		case error:
			return graph.Fail(a)
		case BayesNode:
			nodes = append(nodes, a)
		case []BayesNode:
			nodes = append(nodes, a...)
		default:
			if n := netWithin(a); n != nil {
				g = netGraph(n)
			} else if g = netOf(a); g == nil {
				return graph.Fail(fmt.Errorf("BayesNet: %T must be a network, or a model that has learned one", a))
			}
		}
	}
	if g != nil {
		return g
	}
	return bayesNet(nodes)
}

func bayesNet(nodes []BayesNode) *graph.Graph {
	index := map[string]BayesNode{}
	for i, n := range nodes {
		if n.Name == "" {
			return graph.Fail(fmt.Errorf("BayesNet: variable %d has no name", i))
		}
		if _, twice := index[n.Name]; twice {
			return graph.Fail(fmt.Errorf("BayesNet: there are two variables %q", n.Name))
		}
		index[n.Name] = n
	}
	if len(nodes) == 0 {
		return graph.Fail(errors.New("BayesNet: there are no variables"))
	}
	g := graph.New()
	for _, n := range nodes {
		lines, err := conditionals(n, index)
		if err != nil {
			return graph.Fail(fmt.Errorf("BayesNet: %w", err))
		}
		g.Node(n.Name, n.Name, lines...)
		for _, p := range n.Parents {
			g.Edge(p, n.Name)
		}
	}
	return g
}

func (n BayesNode) values() []string {
	if n.Values == nil {
		return []string{"true", "false"}
	}
	return n.Values
}

// conditionals formats the table of a variable, one line per case. For two values, the
// probability of the first one is sufficient.
func conditionals(n BayesNode, index map[string]BayesNode) ([]string, error) {
	combinations := []string{""}
	for _, p := range n.Parents {
		parent, ok := index[p]
		if !ok {
			return nil, fmt.Errorf("%s has the parent %q, which is not a variable", n.Name, p)
		}
		var next []string
		for _, c := range combinations {
			for _, v := range parent.values() {
				if c != "" {
					v = c + ", " + v
				}
				next = append(next, v)
			}
		}
		combinations = next
	}
	if len(n.P) != len(combinations) {
		return nil, fmt.Errorf("%s has %d rows of probabilities; its parents have %d combinations of values", n.Name, len(n.P), len(combinations))
	}
	values := n.values()
	var lines []string
	if len(n.Parents) > 0 {
		lines = append(lines, "given "+strings.Join(n.Parents, ", "))
	}
	for i, row := range n.P {
		if len(row) != len(values) && len(row) != len(values)-1 {
			return nil, fmt.Errorf("%s has %d probabilities in row %d for %d values", n.Name, len(row), i, len(values))
		}
		sum := 0.0
		for _, p := range row {
			if !(p >= 0 && p <= 1) {
				return nil, fmt.Errorf("%s has the probability %v in row %d", n.Name, p, i)
			}
			sum += p
		}
		if len(row) == len(values) && math.Abs(sum-1) > 1e-6 || sum > 1+1e-6 {
			return nil, fmt.Errorf("the probabilities of %s in row %d add up to %v, not 1", n.Name, i, sum)
		}
		if len(row) < len(values) {
			row = append(slices.Clone(row), math.Round((1-sum)*1e12)/1e12)
		}
		var parts []string
		for k, v := range values {
			part := strconv.FormatFloat(row[k], 'g', 4, 64)
			if len(values) != 2 || n.Values != nil {
				part = v + " " + part
			}
			if parts = append(parts, part); len(values) == 2 {
				break
			}
		}
		line := strings.Join(parts, ", ")
		switch {
		case combinations[i] != "":
			line = combinations[i] + ": " + line
		case len(values) == 2 && n.Values == nil:
			line = "true: " + line
		}
		lines = append(lines, line)
	}
	return lines, nil
}
