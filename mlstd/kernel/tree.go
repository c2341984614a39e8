package kernel

import (
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// ParseTree is an ordered tree with labels, such as the parse of a sentence. A
// leaf is a word.
type ParseTree struct {
	Label    string
	Children []*ParseTree
}

// ReadParseTree reads a tree in brackets, "(S (NP (D the) (N dog)) (VP (V barks)))": an opening
// bracket, the label, the children, a closing bracket. A word has no brackets.
//
// Course: KER-31.
func ReadParseTree(text string) (*ParseTree, error) {
	const op = "ReadParseTree"
	tokens := strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(text))
	at := 0
	var read func() (*ParseTree, error)
	read = func() (*ParseTree, error) {
		if at >= len(tokens) {
			return nil, model.Errorf(op, "the text ends inside a tree").WithHint("add a closing bracket")
		}
		token := tokens[at]
		at++
		switch token {
		case ")":
			return nil, model.Errorf(op, "token %d must begin a tree, got a closing bracket", at)
		case "(":
		default:
			return &ParseTree{Label: token}, nil
		}
		if at >= len(tokens) || tokens[at] == "(" || tokens[at] == ")" {
			return nil, model.Errorf(op, "token %d must be a label", at+1)
		}
		t := &ParseTree{Label: tokens[at]}
		at++
		for at < len(tokens) && tokens[at] != ")" {
			child, err := read()
			if err != nil {
				return nil, err
			}
			t.Children = append(t.Children, child)
		}
		if at >= len(tokens) {
			return nil, model.Errorf(op, "the text ends inside %s", t.Label).WithHint("add a closing bracket")
		}
		at++
		if len(t.Children) == 0 {
			return nil, model.Errorf(op, "%s must have children inside its brackets", t.Label).WithHint("write a word without brackets")
		}
		return t, nil
	}
	tree, err := read()
	if err != nil {
		return nil, err
	}
	if at != len(tokens) {
		return nil, model.Errorf(op, "trailing text after the tree, from token %d", at+1)
	}
	return tree, nil
}

// String returns the tree in bracket notation.
func (t *ParseTree) String() string {
	if len(t.Children) == 0 {
		return t.Label
	}
	var b strings.Builder
	b.WriteString("(" + t.Label)
	for _, c := range t.Children {
		b.WriteString(" " + c.String())
	}
	b.WriteString(")")
	return b.String()
}

// production is the rule that a node uses: its label and its children's.
func (t *ParseTree) production() string {
	parts := []string{t.Label}
	for _, c := range t.Children {
		kind := "\x01" // a word
		if len(c.Children) > 0 {
			kind = "\x02"
		}
		parts = append(parts, kind+c.Label)
	}
	return strings.Join(parts, "\x00")
}

// inner returns the nodes that are not words.
func (t *ParseTree) inner() []*ParseTree {
	if len(t.Children) == 0 {
		return nil
	}
	nodes := []*ParseTree{t}
	for _, c := range t.Children {
		nodes = append(nodes, c.inner()...)
	}
	return nodes
}

// TreeKernel compares parse trees by the fragments that they share. A fragment is a connected part
// with more than one node; for each of its nodes, it contains either all children or none.
//
//	K(T₁, T₂) = Σ_{n₁ ∈ T₁} Σ_{n₂ ∈ T₂} Δ(n₁, n₂)
//	Δ(n₁, n₂) = 0 if their productions differ
//	            Decay·∏ⱼ (1 + Δ(childⱼ(n₁), childⱼ(n₂))) otherwise
//
// With Decay = 1, it is the number of pairs of equal fragments, which is the dot product of the
// counts of all fragments. The number of fragments grows exponentially with the tree, but K costs
// only O(|T₁|·|T₂|). With a smaller Decay, a fragment of p productions has the weight Decay^p;
// without this, large fragments dominate. [TreeFragments] lists the features.
//
// References: [CollinsDuffy2001]. Course: KER-31.
type TreeKernel struct {
	Decay     float64 // in (0, 1]; 0 means 1
	Normalize bool    // K(a, b)/√(K(a, a)·K(b, b))
}

func (k TreeKernel) decay() float64 {
	d := orOne(k.Decay)
	if !(d > 0 && d <= 1) {
		panic(model.Errorf("TreeKernel", "Decay must be above 0 and at most 1, got %v", k.Decay))
	}
	return d
}

// Eval returns K(a, b).
func (k TreeKernel) Eval(a, b *ParseTree) float64 {
	v := k.plain(a, b)
	if !k.Normalize || v == 0 {
		return v
	}
	return v / math.Sqrt(k.plain(a, a)*k.plain(b, b))
}

func (k TreeKernel) plain(a, b *ParseTree) float64 {
	decay := k.decay()
	rules := map[*ParseTree]string{}
	as, bs := a.inner(), b.inner()
	for _, n := range slices.Concat(as, bs) {
		rules[n] = n.production()
	}
	memo := map[[2]*ParseTree]float64{}
	var delta func(m, n *ParseTree) float64
	delta = func(m, n *ParseTree) float64 {
		if len(m.Children) == 0 || len(n.Children) == 0 || rules[m] != rules[n] {
			return 0
		}
		if v, ok := memo[[2]*ParseTree{m, n}]; ok {
			return v
		}
		v := decay
		for j, c := range m.Children {
			v *= 1 + delta(c, n.Children[j])
		}
		memo[[2]*ParseTree{m, n}] = v
		return v
	}
	sum := 0.0
	for _, m := range as {
		for _, n := range bs {
			sum += delta(m, n)
		}
	}
	return sum
}

// Gram returns the similarities of all pairs of trees, for [IndexedKernel].
func (k TreeKernel) Gram(trees []*ParseTree) *mat.SymDense {
	if len(trees) == 0 {
		panic(model.Errorf("TreeKernel.Gram", "trees must not be empty"))
	}
	g := mat.NewSymDense(len(trees), nil)
	for i, a := range trees {
		for j := i; j < len(trees); j++ {
			g.SetSym(i, j, k.Eval(a, trees[j]))
		}
	}
	return g
}

// TreeFragments counts the fragments of a tree: the explicit features of [TreeKernel]. Fragments
// are in bracket notation; where a fragment stops, it has a label without children, such as "(NP)".
// The number of fragments grows exponentially: for a tree with more than maxFragments fragments (0
// means 100000), TreeFragments returns an error.
//
// Course: KER-31.
func TreeFragments(t *ParseTree, maxFragments int) (map[string]int, error) {
	if maxFragments == 0 {
		maxFragments = 100000
	}
	// Their number follows the recursion of the kernel, before any is written.
	total := 0.0
	var count func(n *ParseTree) float64
	count = func(n *ParseTree) float64 {
		if len(n.Children) == 0 {
			return 0
		}
		v := 1.0
		for _, c := range n.Children {
			v *= 1 + count(c)
		}
		total += v
		return v
	}
	count(t)
	if total > float64(maxFragments) {
		return nil, model.Errorf("TreeFragments", "the tree must have at most %d fragments, got %.0f", maxFragments, total).
			WithHint("use TreeKernel, which does not enumerate them")
	}
	fragments := map[string]int{}
	var rooted func(n *ParseTree) []string
	rooted = func(n *ParseTree) []string {
		heads := []string{"(" + n.Label}
		for _, c := range n.Children {
			ends := []string{" " + c.Label}
			if len(c.Children) > 0 {
				ends = []string{" (" + c.Label + ")"}
				for _, f := range rooted(c) {
					ends = append(ends, " "+f)
				}
			}
			var next []string
			for _, h := range heads {
				for _, e := range ends {
					next = append(next, h+e)
				}
			}
			heads = next
		}
		for i := range heads {
			heads[i] += ")"
			fragments[heads[i]]++
		}
		return heads
	}
	if len(t.Children) > 0 {
		rooted(t)
	}
	return fragments, nil
}

// SharedFragments lists the fragments that two trees have in common, in alphabetical order, with
// the product of their counts. This product is the fragment's contribution to the [TreeKernel] with
// a Decay of 1.
//
// Course: KER-31.
func SharedFragments(a, b *ParseTree) (fragments []string, pairs []int, err error) {
	fa, err := TreeFragments(a, 0)
	if err != nil {
		return nil, nil, err
	}
	fb, err := TreeFragments(b, 0)
	if err != nil {
		return nil, nil, err
	}
	for _, f := range slices.Sorted(maps.Keys(fa)) {
		if fb[f] > 0 {
			fragments, pairs = append(fragments, f), append(pairs, fa[f]*fb[f])
		}
	}
	return fragments, pairs, nil
}
