package tree

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/radix"
	"github.com/gokernel/gokernel/mlstd/model"
)

// FeatureGain rates the best split on one feature by every criterion.
type FeatureGain struct {
	Feature   string  // the name of the column
	Question  string  // the question, such as "petal length ≤ 2.45"
	Gain      float64 // information gain in bits
	SplitInfo float64 // entropy in bits of the answer
	GainRatio float64 // Gain / SplitInfo
	Gini      float64 // decrease of the Gini impurity
	Accuracy  float64 // fraction of examples that the majority classes predict correctly
}

// ScoreFeatures returns the best split on each feature of x for the classes y, sorted by descending
// information gain. The gains of a feature are computed from the examples in which the feature is
// not missing, and are multiplied by the fraction of these examples.
//
// Course: TREE-02, TREE-04, TREE-05, TREE-06.
func ScoreFeatures(x mat.Matrix, y []int) ([]FeatureGain, error) {
	const op = "ScoreFeatures"
	s, err := sortColumns(op, x, true)
	if err != nil {
		return nil, err
	}
	if err := model.CheckLength(op, s.rows, len(y)); err != nil {
		return nil, err
	}
	classes, index := model.Classes(y)
	class := make([]int32, len(y))
	for i, k := range index {
		class[i] = int32(k)
	}
	return rootGains(s, len(classes), class, nil, InformationGain, Multiway, nil), nil
}

// rootGains scores the splits at the root. A numeric column is cut where the
// criterion is best.
func rootGains(s *SortedColumns, classes int, class []int32, weights []float64, by Criterion, nominal NominalSplit, keep func(int32) bool) []FeatureGain {
	t := newClassTarget(by, classes, class, weights, false)
	g := &grower{growth: growth{nominal: nominal}, t: t, columns: s.columns, values: s.values, hasNaN: s.missing, n: s.rows}
	sc := g.scratch()
	table := make([]FeatureGain, len(s.columns))
	ids := make([]int32, 0, s.rows)
	for j := range table {
		ids = ids[:0]
		all := 0.0
		stat := make([]float64, classes)
		for _, id := range s.order[j] {
			if keep != nil && !keep(id) {
				continue
			}
			all += t.weightOf(id)
			if v := s.values[j][id]; v == v {
				ids = append(ids, id)
				t.add(stat, id)
			}
		}
		table[j] = g.score(int32(j), ids, stat, all, sc)
	}
	slices.SortStableFunc(table, func(a, b FeatureGain) int {
		switch x, y := a.by(by), b.by(by); {
		case x > y+slack:
			return -1
		case y > x+slack:
			return 1
		}
		return 0
	})
	return table
}

func (f FeatureGain) by(c Criterion) float64 {
	switch c {
	case GainRatio:
		return f.GainRatio
	case Gini:
		return f.Gini
	case TrainingAccuracy:
		return f.Accuracy
	}
	return f.Gain
}

// score rates the best split on column j among the known ids.
func (g *grower) score(j int32, ids []int32, stat []float64, all float64, sc *scratch) FeatureGain {
	f := FeatureGain{Feature: g.columns[j].Name, Question: g.columns[j].Name, Accuracy: 1 - MajorityError(stat...)}
	values := g.values[j]
	if len(ids) == 0 || values[ids[0]] == values[ids[len(ids)-1]] {
		return f
	}
	c := candidate{feature: j}
	if g.nominalColumn(j) {
		g.nominalSplit(&c, ids, values, stat, sc)
	} else {
		g.numericSplit(&c, ids, values, stat, sc)
	}
	if !c.ok {
		return f
	}
	counts := make([][]float64, c.children)
	for k, part := range g.parts(&c, ids, values) {
		counts[k] = make([]float64, len(stat))
		for _, id := range part {
			g.t.add(counts[k], id)
		}
	}
	if c.numeric || g.nominal != Multiway {
		n := &Node{Numeric: c.numeric, Threshold: c.threshold}
		if !c.numeric {
			n.Levels = make([][]int, c.children)
			for l, k := range c.branch {
				if k >= 0 {
					n.Levels[k] = append(n.Levels[k], l)
				}
			}
		}
		n.describe(g.columns[j], g.answers, nil)
		f.Question = n.Question
		if !c.numeric {
			f.Question += " = " + n.Answers[0]
		}
	}
	known := sum(stat)
	share := known / all
	f.Gain, f.Gini, f.Accuracy = ClassEntropy(stat...), GiniImpurity(stat...), 0
	weights := make([]float64, len(counts))
	for k, part := range counts {
		w := sum(part)
		weights[k] = w
		f.Gain -= w / known * ClassEntropy(part...)
		f.Gini -= w / known * GiniImpurity(part...)
		f.Accuracy += w / known * (1 - MajorityError(part...))
	}
	f.Gain, f.Gini = max(0, f.Gain)*share, max(0, f.Gini)*share
	f.SplitInfo = ClassEntropy(append(weights, all-known)...)
	if f.SplitInfo > 0 {
		f.GainRatio = f.Gain / f.SplitInfo
	}
	return f
}

// CandidateThresholds returns the candidate thresholds of a numeric feature:
// halfway between neighboring values whose examples differ in class. The best
// threshold by any of the criteria is among them.
//
// Cost: O(n log n).
//
// References: [Mitchell1997] §3.7.2. Course: TREE-11.
func CandidateThresholds(values []float64, y []int) []float64 {
	if len(values) != len(y) {
		panic(model.Errorf("CandidateThresholds", "values and y must have the same length, got %d and %d", len(values), len(y)))
	}
	ids := radix.NewSorter(len(values)).Order(values)
	var cuts []float64
	for lo := 0; lo < len(ids); {
		hi := lo // examples lo to hi have the same value
		for hi < len(ids) && values[ids[hi]] == values[ids[lo]] {
			hi++
		}
		next := hi
		for next < len(ids) && values[ids[next]] == values[ids[hi]] {
			next++
		}
		if hi == len(ids) || hi == lo {
			break
		}
		same := true
		for _, id := range ids[lo:next] {
			same = same && y[id] == y[ids[lo]]
		}
		if !same {
			cuts = append(cuts, middle(values[ids[lo]], values[ids[hi]]))
		}
		lo = hi
	}
	return cuts
}

// GainTable returns a table of gains as text.
func GainTable(gains []FeatureGain) string {
	var b strings.Builder
	width := len("question")
	for _, f := range gains {
		width = max(width, len([]rune(f.Question)))
	}
	fmt.Fprintf(&b, "%-*s  gain    split   ratio   Gini    accuracy\n", width, "question")
	for _, f := range gains {
		fmt.Fprintf(&b, "%-*s  %.4f  %.4f  %.4f  %.4f  %.4f\n", width+len(f.Question)-len([]rune(f.Question)), f.Question,
			f.Gain, f.SplitInfo, f.GainRatio, f.Gini, f.Accuracy)
	}
	return b.String()
}
