package graph

import (
	"fmt"
	"math"
	"strings"

	"github.com/gokernel/gokernel/display"
)

// edgesSaid is the maximum number of edges in a description.
const edgesSaid = 12

// Alt sets the sentence that describes the tree for readers who cannot see it. By default it is
// generated from the tree.
func (t *Tree) Alt(sentence string) *Tree { t.alt = sentence; return t }

// Alt sets the sentence that describes the graph for readers who cannot see it. By default it is
// generated from the graph.
func (g *Graph) Alt(sentence string) *Graph { g.alt = sentence; return g }

// describe returns the title and the description of the drawing: the size of the tree, its first
// splits and their branches.
func (t *Tree) describe() (title, desc string) {
	if t.alt != "" {
		return "", t.alt
	}
	nodes, leaves, depth := 0, 0, 0
	marked := []string{}
	var walk func(n *Node, d int)
	walk = func(n *Node, d int) {
		nodes++
		depth = max(depth, d)
		if n.Marked {
			marked = append(marked, oneLine(n.Title))
		}
		if len(n.Children) == 0 {
			leaves++
		}
		for _, c := range n.Children {
			walk(c, d+1)
		}
	}
	walk(t.root, 0)
	parts := []string{fmt.Sprintf("Tree of %s, %s and depth %d", plural(nodes, "node"), plural(leaves, "leaf"), depth)}
	if t.depth >= 0 && t.depth < depth {
		parts[0] += fmt.Sprintf(", drawn to depth %d", t.depth)
	}
	parts = append(parts, "root: "+said(t.root))
	for i, c := range t.root.Children {
		if i == 6 {
			parts = append(parts, fmt.Sprintf("and %d more branches", len(t.root.Children)-i))
			break
		}
		edge := c.Edge
		if edge == "" {
			edge = fmt.Sprintf("branch %d", i+1)
		}
		parts = append(parts, edge+": "+said(c))
	}
	if len(marked) > 0 && len(marked) <= edgesSaid {
		parts = append(parts, "marked: "+strings.Join(marked, ", "))
	}
	if len(t.classes) > 0 {
		parts = append(parts, "classes: "+strings.Join(t.classes, ", "))
	}
	return t.title, strings.Join(parts, "; ") + "."
}

// said returns the description of a node.
func said(n *Node) string {
	s := oneLine(n.Title)
	if n.Faded {
		s += " (pruned)"
	}
	return s
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func plural(n int, what string) string {
	switch {
	case n == 1:
		return "1 " + what
	case what == "leaf":
		return fmt.Sprintf("%d leaves", n)
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// describe returns the title and the description of the drawing: the size of the graph and its
// edges.
func (g *Graph) describe() (title, desc string) {
	if g.alt != "" {
		return "", g.alt
	}
	kind, to := "Directed graph", " to "
	if g.undirected {
		kind, to = "Graph", " and "
	}
	s := fmt.Sprintf("%s of %s and %s", kind, plural(len(g.nodes), "node"), plural(len(g.edges), "edge"))
	var edges []string
	for i, e := range g.edges {
		if i == edgesSaid {
			edges = append(edges, fmt.Sprintf("and %d more", len(g.edges)-i))
			break
		}
		line := oneLine(e.from.text) + to + oneLine(e.to.text)
		switch {
		case e.label != "":
			line += " (" + e.label + ")"
		case !math.IsNaN(e.weight):
			line += " (" + display.Number(e.weight) + ")"
		}
		edges = append(edges, line)
	}
	if len(edges) == 0 {
		return g.title, s + "."
	}
	return g.title, s + ": " + strings.Join(edges, ", ") + "."
}
