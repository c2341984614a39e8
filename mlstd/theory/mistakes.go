package theory

import (
	"fmt"
	"math/bits"

	"github.com/gokernel/gokernel/mlstd/model"
)

// FiniteClass is a class as a table: a row of labels for each concept, a column for
// each instance. Points of this class are single numbers, those of the instances.
//
// Course: COLT-11.
type FiniteClass struct {
	Concepts [][]bool
}

// TableOf is the concepts of a class on the points, each labeling once.
func TableOf(class Class, points [][]float64) *FiniteClass {
	f := &FiniteClass{}
	for i, c := range Shatter(class, points).Concepts {
		if c != nil {
			f.Concepts = append(f.Concepts, labeling(i, len(points)))
		}
	}
	return f
}

// String returns the size.
func (f *FiniteClass) String() string { return fmt.Sprintf("%d concepts", len(f.Concepts)) }

// row is a concept of the table.
type row struct {
	labels []bool
	name   int
}

func (r row) Contains(x []float64) bool { return r.labels[int(x[0])] }
func (r row) String() string            { return fmt.Sprintf("concept %d", r.name+1) }

// Realize finds the first concept with the labels.
func (f *FiniteClass) Realize(points [][]float64, labels []bool) (Concept, bool) {
	for i, c := range f.Concepts {
		if r := (row{c, i}); fits(r, points, labels) {
			return r, true
		}
	}
	return nil, false
}

// Points are the numbers of the instances, as points.
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

// MistakeBoundsOf are the numbers of mistakes that a finite class allows, as found by
// search:
//
//	VC(C) ≤ Opt(C) ≤ M_Halving(C) ≤ log₂|C|
type MistakeBoundsOf struct {
	VC      int
	Opt     int // of the best learner, against the worst sequence
	Halving int // of the majority of the concepts that are left, which predicts false when both are equally many
	Size    int // different concepts
	Tree    *MistakeTree
}

// MistakeTree is the game behind Opt: the adversary asks Instance and calls every
// answer wrong. Below are what is left when the label is false and when it is true;
// nil where one concept is left.
type MistakeTree struct {
	Instance int
	Concepts []int // that are left, by their numbers in the class
	False    *MistakeTree
	True     *MistakeTree
}

// mostConcepts is how many the sets of the search have room for.
const mostConcepts = 64

// Mistakes plays the game of mistakes on a finite class of at most 64 concepts.
//
// Opt is the depth of the deepest complete tree of instances all of whose paths some
// concept agrees with. The cost is exponential in the worst case; sets that were
// met are remembered.
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
	says    []uint64 // by instance: the concepts that say true
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

// opt is the number of mistakes that the best learner makes when the concept is one
// of the set.
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

// halve is the maximum number of mistakes of the majority.
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
