package tree

import (
	"math"
	"slices"
)

// classTarget is a target of classes; its statistic is the weight of each class.
type classTarget struct {
	criterion Criterion
	classes   int
	class     []int32
	weights   []float64
	// packed holds weight<<1 | class of each example if there are two classes and the weights are
	// whole numbers. whole holds the weights if they are whole numbers.
	packed []uint32
	whole  []int32
	// nlog[n] is n log₂ n as a whole multiple of a small unit. Sums of it are exact, so equally
	// good splits have equal scores in any order of the examples.
	nlog []int64
}

// maxTable is the largest total weight for which n log₂ n is tabulated.
const maxTable = 1 << 22

func newClassTarget(criterion Criterion, classes int, class []int32, weights []float64, divides bool) *classTarget {
	t := &classTarget{criterion: criterion, classes: classes, class: class, weights: weights}
	if divides {
		// Both grow when examples are divided.
		t.class = slices.Clone(class)
		if weights == nil {
			t.weights = make([]float64, len(class))
			for i := range t.weights {
				t.weights[i] = 1
			}
		} else {
			t.weights = slices.Clone(weights)
		}
		return t
	}
	total := 0.0
	for i := range class {
		w := t.weightOf(int32(i))
		if w != math.Trunc(w) {
			return t
		}
		total += w
	}
	if total > maxTable {
		return t
	}
	t.whole = make([]int32, len(class))
	for i := range t.whole {
		t.whole[i] = int32(t.weightOf(int32(i)))
	}
	if classes == 2 {
		t.packed = make([]uint32, len(class))
		for i, w := range t.whole {
			t.packed[i] = uint32(w)<<1 | uint32(class[i])
		}
	}
	if criterion == InformationGain || criterion == GainRatio {
		// The unit is as small as sums of four entries allow.
		unit := math.Ldexp(1, 60-math.Ilogb(total*math.Log2(total+1)+1))
		t.nlog = make([]int64, int(total)+1)
		for n := 2; n < len(t.nlog); n++ {
			t.nlog[n] = int64(math.Round(float64(n) * math.Log2(float64(n)) * unit))
		}
	}
	return t
}

func (t *classTarget) weightOf(id int32) float64 {
	if t.weights == nil {
		return 1
	}
	return t.weights[id]
}

func (t *classTarget) width() int { return t.classes }

func (t *classTarget) add(stat []float64, id int32) { stat[t.class[id]] += t.weightOf(id) }

func (t *classTarget) addAll(stat []float64, ids []int32) {
	if t.packed != nil {
		var w0, w1 uint64
		for _, id := range ids {
			e := uint64(t.packed[id])
			w := e >> 1 * (e & 1)
			w1 += w
			w0 += e>>1 - w
		}
		stat[0] += float64(w0)
		stat[1] += float64(w1)
		return
	}
	for _, id := range ids {
		t.add(stat, id)
	}
}

func (t *classTarget) merge(stat, other []float64) {
	for k, v := range other {
		stat[k] += v
	}
}

func (t *classTarget) weight(stat []float64) float64 { return sum(stat) }

func (t *classTarget) impurity(stat []float64) float64 { return t.criterion.impurity(stat) }

// size is 1, since impurities of class fractions are of order 1.
func (t *classTarget) size([]float64) float64 { return 1 }

func (t *classTarget) pure(stat []float64) bool {
	present := 0
	for _, v := range stat {
		if v > 0 {
			present++
		}
	}
	return present < 2
}

// orders sorts by the fraction of each class; for two classes, one order is enough.
func (t *classTarget) orders(table [][]float64) [][]float64 {
	first := 0
	if t.classes == 2 {
		first = 1
	}
	var keys [][]float64
	for k := first; k < t.classes; k++ {
		key := make([]float64, len(table))
		for l, stat := range table {
			if w := sum(stat); w > 0 {
				key[l] = stat[k] / w
			}
		}
		keys = append(keys, key)
	}
	return keys
}

func (t *classTarget) duplicate(id int32, share float64) {
	t.class = append(t.class, t.class[id])
	t.weights = append(t.weights, t.weights[id]*share)
}

func (t *classTarget) describe(n *Node, stat []float64) {
	n.Counts, n.Class = stat, 0 // stat is not changed after this
	for k, v := range stat {
		if v > stat[n.Class] {
			n.Class = k
		}
	}
}

func (t *classTarget) cut(sc *scratch, ids []int32, values, total []float64, minLeaf float64) (cut, bool) {
	least := int64(math.Ceil(min(minLeaf, 1<<53))) // the bound is above any whole weight
	at := -1
	switch {
	case t.packed != nil && t.nlog != nil:
		at = t.cutTwoEntropy(ids, values, total, least)
	case t.packed != nil && t.criterion == Gini:
		at = t.cutTwoGini(ids, values, total, least)
	case t.nlog != nil:
		at = t.cutEntropy(sc, ids, values, total, least)
	case t.whole != nil && t.criterion == Gini:
		at = t.cutGini(sc, ids, values, total, least)
	case t.classes == 2 && t.criterion == TrainingAccuracy:
		at = t.cutTwoAccuracy(ids, values, total, minLeaf)
	default:
		at = t.cutAny(sc, ids, values, total, minLeaf)
	}
	if at < 0 {
		return cut{}, false
	}
	// Recompute the gain from the counts, which have no rounding error.
	left, right := sc.left, sc.right
	clear(left)
	t.addAll(left, ids[:at+1])
	for k, v := range total {
		right[k] = max(0, v-left[k])
	}
	wl, wr := sum(left), sum(right)
	gain := t.impurity(total) - (wl*t.impurity(left)+wr*t.impurity(right))/(wl+wr)
	return cut{pos: at + 1, gain: max(0, gain)}, true
}

// cutTwoEntropy minimizes the weighted entropy for two classes: it maximizes Σ n log n over the
// four cells minus Σ n log n over the two sides.
func (t *classTarget) cutTwoEntropy(ids []int32, values, total []float64, minLeaf int64) int {
	f, packed := t.nlog, t.packed
	n0, n1 := int64(total[0]), int64(total[1])
	var l0, l1 int64
	best, at := int64(math.MinInt64), -1
	for i, id := range ids[:len(ids)-1] {
		e := int64(packed[id])
		w1 := e >> 1 * (e & 1)
		l1 += w1
		l0 += e>>1 - w1
		r0, r1 := n0-l0, n1-l1
		score := f[l0] + f[l1] - f[l0+l1] + f[r0] + f[r1] - f[r0+r1]
		if score > best && values[id] != values[ids[i+1]] && l0+l1 >= minLeaf && r0+r1 >= minLeaf {
			best, at = score, i
		}
	}
	return at
}

// cutTwoGini maximizes Σ l² / wl + Σ r² / wr for two classes, written as one fraction because
// divisions are slow.
func (t *classTarget) cutTwoGini(ids []int32, values, total []float64, minLeaf int64) int {
	packed := t.packed
	n0, n1 := int64(total[0]), int64(total[1])
	var l0, l1 int64
	best, at := math.Inf(-1), -1
	for i, id := range ids[:len(ids)-1] {
		e := int64(packed[id])
		w1 := e >> 1 * (e & 1)
		l1 += w1
		l0 += e>>1 - w1
		r0, r1 := n0-l0, n1-l1
		wl, wr := l0+l1, r0+r1
		score := (float64(l0*l0+l1*l1)*float64(wr) + float64(r0*r0+r1*r1)*float64(wl)) / float64(wl*wr)
		if score > best && values[id] != values[ids[i+1]] && wl >= minLeaf && wr >= minLeaf {
			best, at = score, i
		}
	}
	return at
}

// cutTwoAccuracy maximizes max l + max r for two classes.
func (t *classTarget) cutTwoAccuracy(ids []int32, values, total []float64, minLeaf float64) int {
	n0, n1 := total[0], total[1]
	least := slack * (n0 + n1) // sums of weights that differ by less are equal
	var l0, l1 float64
	best, at := math.Inf(-1), -1
	for i, id := range ids[:len(ids)-1] {
		w := t.weightOf(id)
		w1 := w * float64(t.class[id])
		l1 += w1
		l0 += w - w1
		score := max(l0, l1) + max(n0-l0, n1-l1)
		if score > best+least && values[id] != values[ids[i+1]] && l0+l1 >= minLeaf && n0+n1-l0-l1 >= minLeaf {
			best, at = score, i
		}
	}
	return at
}

// cutEntropy is cutTwoEntropy for any number of classes.
func (t *classTarget) cutEntropy(sc *scratch, ids []int32, values, total []float64, minLeaf int64) int {
	f := t.nlog
	n := sc.begin(total)
	var parts int64 // Σ f over the cells
	for _, r := range sc.ri {
		parts += f[r]
	}
	var wl int64
	best, at := int64(math.MinInt64), -1
	for i, id := range ids[:len(ids)-1] {
		k, w := t.class[id], int64(t.whole[id])
		l, r := sc.li[k], sc.ri[k]
		parts += f[l+w] - f[l] + f[r-w] - f[r]
		sc.li[k], sc.ri[k] = l+w, r-w
		wl += w
		score := parts - f[wl] - f[n-wl]
		if score > best && values[id] != values[ids[i+1]] && wl >= minLeaf && n-wl >= minLeaf {
			best, at = score, i
		}
	}
	return at
}

// cutGini is cutTwoGini for any number of classes.
func (t *classTarget) cutGini(sc *scratch, ids []int32, values, total []float64, minLeaf int64) int {
	n := sc.begin(total)
	var sl, sr int64 // Σ l², Σ r²
	for _, r := range sc.ri {
		sr += r * r
	}
	var wl int64
	best, at := math.Inf(-1), -1
	for i, id := range ids[:len(ids)-1] {
		k, w := t.class[id], int64(t.whole[id])
		l, r := sc.li[k], sc.ri[k]
		sl += w * (2*l + w)
		sr -= w * (2*r - w)
		sc.li[k], sc.ri[k] = l+w, r-w
		wl += w
		score := float64(sl)/float64(wl) + float64(sr)/float64(n-wl)
		if score > best && values[id] != values[ids[i+1]] && wl >= minLeaf && n-wl >= minLeaf {
			best, at = score, i
		}
	}
	return at
}

// begin moves the whole total to the right side.
func (sc *scratch) begin(total []float64) (n int64) {
	for k, v := range total {
		sc.li[k], sc.ri[k] = 0, int64(v)
		n += int64(v)
	}
	return n
}

// cutAny is used for fractional weights, and for training accuracy with many classes.
func (t *classTarget) cutAny(sc *scratch, ids []int32, values, total []float64, minLeaf float64) int {
	left, right := sc.left, sc.right
	clear(left)
	copy(right, total)
	n := sum(total)
	wl := 0.0
	least, at := math.Inf(1), -1
	for i, id := range ids[:len(ids)-1] {
		k, w := t.class[id], t.weightOf(id)
		left[k] += w
		right[k] = max(0, right[k]-w)
		wl += w
		if values[id] == values[ids[i+1]] || wl < minLeaf || n-wl < minLeaf {
			continue
		}
		if rest := (wl*t.impurity(left) + (n-wl)*t.impurity(right)) / n; rest < least-slack {
			least, at = rest, i
		}
	}
	return at
}
