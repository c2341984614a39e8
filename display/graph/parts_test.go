package graph

import (
	"fmt"
	"strings"
	"testing"
)

// grown returns a tree with two children at each inner node, and its number of nodes.
func grown(depth int, name string) (*Node, int) {
	n := &Node{Title: "feature " + name + " ≤ 1.25"}
	if depth == 0 {
		n.Title = "leaf " + name
		return n, 1
	}
	count := 1
	for i := range 2 {
		c, k := grown(depth-1, fmt.Sprint(name, i))
		n.Children, count = append(n.Children, c), count+k
	}
	return n, count
}

func TestLargeTreesHaveParts(t *testing.T) {
	root, n := grown(5, "x") // 63 nodes
	f, err := NewTree(root).Figure()
	if err != nil {
		t.Fatal(err)
	}
	if f.W > widest+2*margin {
		t.Errorf("the tree of %d nodes is %.0f pixels wide", n, f.W)
	}
	svg := f.SVG()
	parts := strings.Count(svg, "continues in ")
	if parts < 2 {
		t.Fatalf("the tree has %d further parts", parts)
	}
	for k := 2; k <= parts+1; k++ {
		if strings.Count(svg, fmt.Sprintf(">continues in %d<", k)) != 1 || !strings.Contains(svg, fmt.Sprintf(">%d  feature", k)) {
			t.Errorf("part %d is not named exactly once at its start and where it is continued", k)
		}
	}
	// Every leaf is drawn exactly once.
	if got := strings.Count(svg, ">leaf x"); got != 32 {
		t.Errorf("%d leaves are drawn, want 32", got)
	}
	whole, err := NewTree(root).Whole().Figure()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(whole.SVG(), "goes on") || whole.W <= f.W {
		t.Errorf("the whole tree is %.0f wide", whole.W)
	}
	// Depth still counts the nodes below.
	cut, err := NewTree(root).Depth(2).Figure()
	if err != nil {
		t.Fatal(err)
	}
	if svg := cut.SVG(); strings.Contains(svg, "goes on") || strings.Count(svg, "… 14 below") != 4 {
		t.Error("a tree that is limited by Depth has parts, or does not count the nodes below")
	}
	small, _ := grown(2, "y")
	if f, err := NewTree(small).Figure(); err != nil || strings.Contains(f.SVG(), "goes on") {
		t.Errorf("a small tree has parts (%v)", err)
	}
}
