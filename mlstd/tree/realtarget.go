package tree

import "math"

// realTarget is a real-valued target; its statistic is the weight, the mean and
// the sum of squares about the mean.
type realTarget struct {
	y       []float64
	weights []float64 // nil means ones
}

func (t *realTarget) weightOf(id int32) float64 {
	if t.weights == nil {
		return 1
	}
	return t.weights[id]
}

func (t *realTarget) width() int { return 3 }

func (t *realTarget) add(stat []float64, id int32) {
	w := t.weightOf(id)
	if w == 0 {
		return
	}
	stat[0] += w
	d := t.y[id] - stat[1]
	stat[1] += d * w / stat[0]
	stat[2] += w * d * (t.y[id] - stat[1])
}

func (t *realTarget) addAll(stat []float64, ids []int32) {
	for _, id := range ids {
		t.add(stat, id)
	}
}

func (t *realTarget) merge(stat, other []float64) {
	w := stat[0] + other[0]
	if w == 0 {
		return
	}
	d := other[1] - stat[1]
	stat[2] += other[2] + d*d*stat[0]*other[0]/w
	stat[1] += d * other[0] / w
	stat[0] = w
}

func (t *realTarget) weight(stat []float64) float64 { return stat[0] }

func (t *realTarget) impurity(stat []float64) float64 {
	if stat[0] == 0 {
		return 0
	}
	return stat[2] / stat[0]
}

// size is the variance. It is larger if the mean is so large that its rounding error, the same in
// all deviations, is visible in differences of variances.
func (t *realTarget) size(stat []float64) float64 {
	v := t.impurity(stat)
	return v + 1e-3*math.Abs(stat[1])*math.Sqrt(v)
}

// pure allows for the rounding of the mean.
func (t *realTarget) pure(stat []float64) bool {
	return stat[2] <= stat[0]*stat[1]*stat[1]*1e-28
}

func (t *realTarget) orders(table [][]float64) [][]float64 {
	key := make([]float64, len(table))
	for l, stat := range table {
		key[l] = stat[1]
	}
	return [][]float64{key}
}

func (t *realTarget) duplicate(id int32, share float64) {
	t.y = append(t.y, t.y[id])
	t.weights = append(t.weights, t.weights[id]*share)
}

func (t *realTarget) describe(n *Node, stat []float64) { n.Value = stat[1] }

// cut maximizes s² / (wl·wr), where s is the sum of y − mean on the left. This maximizes the
// decrease of the variance.
func (t *realTarget) cut(_ *scratch, ids []int32, values, total []float64, minLeaf float64) (cut, bool) {
	n, mean := total[0], total[1]
	var s, wl float64
	best, at := math.Inf(-1), -1
	if t.weights == nil {
		for i, id := range ids[:len(ids)-1] {
			s += t.y[id] - mean
			wl++
			score := s * s / (wl * (n - wl))
			if score > best && values[id] != values[ids[i+1]] && wl >= minLeaf && n-wl >= minLeaf {
				best, at = score, i
			}
		}
	} else {
		for i, id := range ids[:len(ids)-1] {
			w := t.weights[id]
			s += w * (t.y[id] - mean)
			wl += w
			score := s * s / (wl * (n - wl))
			if score > best && values[id] != values[ids[i+1]] && wl >= minLeaf && n-wl >= minLeaf {
				best, at = score, i
			}
		}
	}
	if at < 0 {
		return cut{}, false
	}
	return cut{pos: at + 1, gain: best}, true
}
