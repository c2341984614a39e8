package theory

import (
	"fmt"
	"math/bits"

	"github.com/gokernel/gokernel/mlstd/model"
)

// FiniteClass is a class as a table, with a row of labels for each concept and a column for each
// instance. A point of this class has one coordinate: the index of an instance.
//
// Course: COLT-11.
type FiniteClass struct {
	Concepts [][]bool
}

// TableOf returns a table of all labelings that a class can realize on the points. Each labeling
// occurs once in the table.
func TableOf(class Class, points [][]float64) *FiniteClass {
	f := &FiniteClass{}
	for i, c := range Shatter(class, points).Concepts {
		if c != nil {
			f.Concepts = append(f.Concepts, labeling(i, len(points)))
		}
	}
	return f
}

// String returns the size of the table as text.
func (f *FiniteClass) String() string { return fmt.Sprintf("%d concepts", len(f.Concepts)) }

// row is a concept, as a row of the table.
type row struct {
	labels []bool
	name   int
}

func (r row) Contains(x []float64) bool { return r.labels[int(x[0])] }
func (r row) String() string            { return fmt.Sprintf("concept %d", r.name+1) }

// Realize returns the first concept that assigns the labels to the points.
func (f *FiniteClass) Realize(points [][]float64, labels []bool) (Concept, bool) {
	for i, c := range f.Concepts {
		if r := (row{c, i}); fits(r, points, labels) {
			return r, true
		}
	}
	return nil, false
}

// Points returns the indices of the instances as points.
func (f *FiniteClass) Points() [][]float64 {
	if len(f.Concepts) == 0 {
		return nil
	}
	points := make([][]float64, len(f.Concepts[0]))
	for i := range points {
		points[i] = []float64{float64(i)}
	}
	return points
}

// MistakeBoundsOf holds the mistake bounds of a finite class, found by search:
//
//	VC(C) ≤ Opt(C) ≤ M_Halving(C) ≤ log₂|C|
type MistakeBoundsOf struct {
	VC      int
	Opt     int // of the best learner, against the worst sequence
	Halving int // of the halving algorithm, which predicts false on a tie
	Size    int // different concepts
	Tree    *MistakeTree
}

// MistakeTree is the game tree of Opt: the adversary asks for the label of Instance and declares
// every answer wrong. The subtrees are for the label false and the label true; they are nil if only
// one concept is left.
type MistakeTree struct {
	Instance int
	Concepts []int // the remaining concepts, by index in the class
	False    *MistakeTree
	True     *MistakeTree
}

// mostConcepts is the maximum number of concepts in a set of the search.
const mostConcepts = 64

// Mistakes computes the mistake bounds of a finite class of at most 64 concepts, by search over the
// game of learner and adversary.
//
// Opt is the depth of the deepest complete tree of instances in which every path agrees with at
// least one concept. The cost is exponential in the worst case; results for sets of concepts are
// cached.
//
// References: [Littlestone1988]. Course: COLT-11.
func Mistakes(class *FiniteClass) (*MistakeBoundsOf, error) {
	g, err := newGame(class)
	if err != nil {
		return nil, err
	}
	m := &MistakeBoundsOf{Size: len(g.members)}
	all := uint64(1)<<len(g.members) - 1
	if len(g.members) == mostConcepts {
		all = ^uint64(0)
	}
	m.VC, _ = VCDimension(class, class.Points())
	m.Opt, m.Halving, m.Tree = g.opt(all), g.halve(all), g.tree(all, g.opt(all))
	return m, nil
}

// game is a class of different concepts, as sets of bits.
type game struct {
	members []int    // the number of each concept in the class
	says    []uint64 // by instance: the concepts that label it true
	opts    map[uint64]int
	halves  map[uint64]int
}

func newGame(class *FiniteClass) (*game, error) {
	const op = "Mistakes"
	if class == nil || len(class.Concepts) == 0 {
		return nil, model.Errorf(op, "the class must not be empty")
	}
	n := len(class.Concepts[0])
	g := &game{says: make([]uint64, n), opts: map[uint64]int{}, halves: map[uint64]int{}}
	seen := map[string]bool{}
	for i, c := range class.Concepts {
		if len(c) != n {
			return nil, model.Errorf(op, "all concepts must have the same number of labels, but concept %d has %d and concept 0 has %d", i, len(c), n)
		}
		if key := fmt.Sprint(c); seen[key] {
			continue
		} else {
			seen[key] = true
		}
		if len(g.members) == mostConcepts {
			return nil, model.Errorf(op, "there must be at most %d concepts, got %d", mostConcepts, len(class.Concepts))
		}
		for x, label := range c {
			if label {
				g.says[x] |= 1 << len(g.members)
			}
		}
		g.members = append(g.members, i)
	}
	return g, nil
}

// opt returns the maximum number of mistakes of the best learner if the target is in the set.
func (g *game) opt(set uint64) int {
	if bits.OnesCount64(set) <= 1 {
		return 0
	}
	if known, ok := g.opts[set]; ok {
		return known
	}
	best := 0
	for _, says := range g.says {
		yes, no := set&says, set&^says
		if yes != 0 && no != 0 {
			best = max(best, 1+min(g.opt(yes), g.opt(no)))
		}
	}
	g.opts[set] = best
	return best
}

// halve returns the maximum number of mistakes of the halving algorithm.
func (g *game) halve(set uint64) int {
	if bits.OnesCount64(set) <= 1 {
		return 0
	}
	if known, ok := g.halves[set]; ok {
		return known
	}
	most := 0
	for _, says := range g.says {
		yes, no := set&says, set&^says
		if yes == 0 || no == 0 {
			continue
		}
		wrong, right := yes, no // the majority says false
		if bits.OnesCount64(yes) > bits.OnesCount64(no) {
			wrong, right = no, yes
		}
		most = max(most, 1+g.halve(wrong), g.halve(right))
	}
	g.halves[set] = most
	return most
}

// tree returns a complete tree of the given depth.
func (g *game) tree(set uint64, depth int) *MistakeTree {
	t := &MistakeTree{Instance: -1}
	for i, number := range g.members {
		if set>>i&1 == 1 {
			t.Concepts = append(t.Concepts, number)
		}
	}
	if depth == 0 {
		return t
	}
	for x, says := range g.says {
		yes, no := set&says, set&^says
		if yes != 0 && no != 0 && min(g.opt(yes), g.opt(no)) >= depth-1 {
			t.Instance, t.False, t.True = x, g.tree(no, depth-1), g.tree(yes, depth-1)
			return t
		}
	}
	return t
}
