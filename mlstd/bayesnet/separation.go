package bayesnet

import (
	"slices"
	"strings"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Trail is a path between two variables along arrows of either direction.
type Trail struct {
	Names []string
	Open  bool
	// BlockedAt is the first variable that blocks the trail. Why is the reason: "chain" or "fork"
	// (the variable is given), or "collider" (neither the variable nor a descendant is given).
	BlockedAt, Why string

	forward []bool // of each step, whether the arrow points ahead
}

// String writes the trail with its arrows.
func (t Trail) String() string {
	var b strings.Builder
	for k, name := range t.Names {
		if k > 0 {
			if t.forward[k-1] {
				b.WriteString(" → ")
			} else {
				b.WriteString(" ← ")
			}
		}
		b.WriteString(name)
	}
	if t.Open {
		return b.String() + ": open"
	}
	return b.String() + ": blocked at " + t.BlockedAt + " (" + t.Why + ")"
}

// Separation reports whether two variables are d-separated and shows the trails
// between them, the shortest first.
type Separation struct {
	Net       *BayesNetwork
	A, B      string
	Given     []string
	Separated bool
	Trails    []Trail // at most 50, with an open trail among them if there is one
}

// mostTrails is the maximum number of trails that are shown.
const mostTrails = 50

// Separation decides whether the graph makes a and b independent given other variables, that is,
// whether every trail between them is blocked. A chain a → m → b and a fork a ← m → b are blocked
// when m is given; a collider a → m ← b is blocked unless m or a descendant of m is given.
//
//	a ⊥ b | Z  in each distribution of the graph  ⇔  no trail from a to b is open
//
// The decision takes O(arrows), by the Bayes ball algorithm.
//
// References: [Pearl1988] §3.3, [Shachter1998]. Course: BN-02.
func (n *BayesNetwork) Separation(a, b string, given ...string) *Separation {
	const op = "BayesNetwork.Separation"
	i, j := n.find(op, a), n.find(op, b)
	z := n.findAll(op, given)
	if i == j || slices.Contains(z, i) || slices.Contains(z, j) {
		panic(model.Errorf(op, "%s and %s must be different and not given", a, b))
	}
	s := &Separation{Net: n, A: a, B: b, Given: given, Separated: !n.reaches(i, z)[j]}
	w := &walk{n: n, to: j, given: make([]bool, len(n.vars)), active: n.above(z)}
	for _, k := range z {
		w.given[k] = true
	}
	w.children = make([][]int, len(n.vars))
	for k := range n.vars {
		w.children[k] = n.children(k)
	}
	if !s.Separated {
		s.Trails = append(s.Trails, w.trails(i, 1, true)...)
	}
	for _, t := range w.trails(i, mostTrails, false) {
		if len(s.Trails) < mostTrails && !(len(s.Trails) > 0 && slices.Equal(s.Trails[0].Names, t.Names)) {
			s.Trails = append(s.Trails, t)
		}
	}
	return s
}

// Independent reports whether a and b are d-separated given other variables.
func (n *BayesNetwork) Independent(a, b string, given ...string) bool {
	return n.Separation(a, b, given...).Separated
}

// reaches marks the variables that are not d-separated from i given z, by the Bayes ball algorithm.
func (n *BayesNetwork) reaches(i int, z []int) []bool {
	type visit struct {
		at int
		up bool // came from a child
	}
	given, active := make([]bool, len(n.vars)), n.above(z)
	for _, k := range z {
		given[k] = true
	}
	seen := map[visit]bool{}
	out := make([]bool, len(n.vars))
	queue := []visit{{i, true}}
	for len(queue) > 0 {
		v := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if seen[v] {
			continue
		}
		seen[v] = true
		if !given[v.at] {
			out[v.at] = true
		}
		if v.up && !given[v.at] || !v.up && active[v.at] {
			for _, p := range n.vars[v.at].parents {
				queue = append(queue, visit{p, true})
			}
		}
		if !given[v.at] {
			for _, c := range n.children(v.at) {
				queue = append(queue, visit{c, false})
			}
		}
	}
	return out
}

// walk enumerates the simple trails to a variable, the shortest first.
type walk struct {
	n             *BayesNetwork
	to            int
	given, active []bool // active: given, or an ancestor of a given variable
	children      [][]int
}

type partial struct {
	at      []int
	forward []bool
}

// mostPartial bounds the search for trails in dense graphs.
const mostPartial = 200000

func (w *walk) trails(from, most int, open bool) []Trail {
	queue := []partial{{at: []int{from}}}
	var out []Trail
	for q := 0; q < len(queue) && len(out) < most; q++ {
		p := queue[q]
		last := p.at[len(p.at)-1]
		if last == w.to {
			out = append(out, w.judge(p))
			continue
		}
		if len(queue) > mostPartial {
			continue
		}
		step := func(next []int, forward bool) {
			for _, k := range next {
				if slices.Contains(p.at, k) {
					continue
				}
				e := partial{append(slices.Clone(p.at), k), append(slices.Clone(p.forward), forward)}
				if m := len(e.at) - 2; open && m > 0 && w.blocked(e, m) != "" {
					continue
				}
				queue = append(queue, e)
			}
		}
		step(w.children[last], true)
		step(w.n.vars[last].parents, false)
	}
	return out
}

// blocked returns the reason why the trail is blocked at position m, or "" if it is not.
func (w *walk) blocked(p partial, m int) string {
	i := p.at[m]
	switch {
	case p.forward[m-1] && !p.forward[m]:
		if !w.active[i] {
			return "collider"
		}
	case w.given[i] && !p.forward[m-1] && p.forward[m]:
		return "fork"
	case w.given[i]:
		return "chain"
	}
	return ""
}

func (w *walk) judge(p partial) Trail {
	t := Trail{Names: w.n.names(p.at), Open: true, forward: p.forward}
	for m := 1; m < len(p.at)-1; m++ {
		if why := w.blocked(p, m); why != "" {
			t.Open, t.BlockedAt, t.Why = false, w.n.Nodes[p.at[m]].Name, why
			break
		}
	}
	return t
}

// String returns the verdict and the trails, one per line.
func (s *Separation) String() string {
	verdict := "dependent"
	if s.Separated {
		verdict = "independent"
	}
	out := s.A + " and " + s.B + " are " + verdict
	if len(s.Given) > 0 {
		out += " given " + strings.Join(s.Given, ", ")
	}
	for _, t := range s.Trails {
		out += "\n" + t.String()
	}
	return out
}
