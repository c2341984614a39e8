package bayesnet

import "slices"

// Order lists the variables with parents before children: a topological order, in which you can
// sample.
//
// Course: BN-21.
func (n *BayesNetwork) Order() []string { n.must("BayesNetwork.Order"); return n.names(n.order) }

// Parents lists the parents of a variable.
func (n *BayesNetwork) Parents(name string) []string {
	return n.names(n.vars[n.find("BayesNetwork.Parents", name)].parents)
}

// Children lists the variables that have name as a parent.
func (n *BayesNetwork) Children(name string) []string {
	return n.names(n.children(n.find("BayesNetwork.Children", name)))
}

func (n *BayesNetwork) children(i int) []int {
	var out []int
	for j, v := range n.vars {
		if slices.Contains(v.parents, i) {
			out = append(out, j)
		}
	}
	return out
}

// MarkovBlanket lists the parents, the children and the children's other parents. Given these
// variables, the variable called name is independent of all other variables.
//
// References: [Pearl1988] §3.3. Course: BN-02.
func (n *BayesNetwork) MarkovBlanket(name string) []string {
	i := n.find("BayesNetwork.MarkovBlanket", name)
	in := make([]bool, len(n.vars))
	mark := func(at []int) {
		for _, j := range at {
			in[j] = true
		}
	}
	mark(n.vars[i].parents)
	for _, c := range n.children(i) {
		in[c] = true
		mark(n.vars[c].parents)
	}
	in[i] = false
	return n.names(positions(in))
}

// Descendants lists the variables that can be reached from name along arrows.
func (n *BayesNetwork) Descendants(name string) []string {
	i := n.find("BayesNetwork.Descendants", name)
	in := n.below(i)
	return n.names(positions(in))
}

// NonDescendants lists the variables that are neither descendants nor parents of name. Given its
// parents, the variable called name is independent of its nondescendants.
//
// Course: BN-02.
func (n *BayesNetwork) NonDescendants(name string) []string {
	i := n.find("BayesNetwork.NonDescendants", name)
	out := n.below(i)
	out[i] = true
	for _, p := range n.vars[i].parents {
		out[p] = true
	}
	for j := range out {
		out[j] = !out[j]
	}
	return n.names(positions(out))
}

func (n *BayesNetwork) below(i int) []bool {
	in := make([]bool, len(n.vars))
	for _, j := range n.order {
		in[j] = slices.ContainsFunc(n.vars[j].parents, func(p int) bool { return p == i || in[p] })
	}
	return in
}

// above marks the given variables and all their ancestors.
func (n *BayesNetwork) above(at []int) []bool {
	in := make([]bool, len(n.vars))
	for _, i := range at {
		in[i] = true
	}
	for k := len(n.order) - 1; k >= 0; k-- {
		if i := n.order[k]; in[i] {
			for _, p := range n.vars[i].parents {
				in[p] = true
			}
		}
	}
	return in
}

func positions(in []bool) []int {
	var out []int
	for i, yes := range in {
		if yes {
			out = append(out, i)
		}
	}
	return out
}
