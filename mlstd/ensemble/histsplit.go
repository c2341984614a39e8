package ensemble

import (
	"cmp"
	"math"
	"slices"
)

const (
	minHessian = 1e-3 // the smallest sum of second derivatives of a leaf
	// minSupport is the minimum number of examples of a level that can be split off at a node. It
	// is also the number of pseudo-examples with gradient 0 added to each level when the levels are
	// sorted.
	minSupport = 10
)

// histSplit is a split on one column, with its gain.
type histSplit struct {
	column       int
	gain         float64 // −1 if there is no split
	bin          int     // bins up to it go left
	set          levels  // of a nominal column: the bins that go left
	missingLeft  bool
	gLeft, hLeft float64
}

// goesLeft has 1 for each bin that goes left.
func (s *histSplit) goesLeft(bins int) *[256]uint8 {
	var goes [256]uint8
	if s.set != (levels{}) {
		for b := range goes {
			if s.set.has(uint8(b)) {
				goes[b] = 1
			}
		}
		return &goes
	}
	for b := range min(s.bin+1, bins) {
		goes[b] = 1
	}
	if s.missingLeft {
		goes[missingBin] = 1
	}
	return &goes
}

// best finds the best split of column j at n.
func (w *histGrower) best(n *growing, j int) histSplit {
	s := histSplit{column: j, gain: -1}
	if w.seen[j] != nil {
		w.scanNames(n, &s)
		return s
	}
	w.scanUp(n, &s)
	if w.missing[j] {
		w.scanDown(n, &s)
	}
	return s
}

// gainOf returns the decrease of the loss, to second order, if the examples of n whose derivatives
// sum to g and h go left. It returns −1 if the split violates a constraint.
//
//	G·v − (G_l·v_l + G_r·v_r),   v = −G/(H + λ)
func (w *histGrower) gainOf(n *growing, s *histSplit, g, h float64) float64 {
	gr, hr := n.g-g, n.h-h
	if w.monotone == nil {
		return n.g*n.value + g*(g/(h+w.lambda+1e-15)) + gr*(gr/(hr+w.lambda+1e-15))
	}
	left, right := w.valueOf(g, h, n.low, n.high), w.valueOf(gr, hr, n.low, n.high)
	if m := float64(w.monotone[s.column]); (right-left)*m < 0 {
		return -1
	}
	return n.g*n.value - g*left - gr*right
}

// scanUp tries the edges between the bins from the smallest value up; missing values go right.
func (w *histGrower) scanUp(n *growing, s *histSplit) {
	bins, total := &(*n.hist)[s.column], int64(n.hi-n.lo)
	end := w.bins[s.column] - 1
	if w.missing[s.column] {
		end++ // all that is not missing may go left
	}
	var g, h float64
	var count int64
	least := int64(w.minLeaf)
	for b := range end {
		bin := &bins[b]
		count += bin.n
		g += bin.g
		if w.h == nil {
			h += float64(bin.n)
		} else {
			h += bin.h
		}
		if bin.n == 0 && b > 0 || count < least || h < minHessian {
			continue
		}
		if total-count < least || n.h-h < minHessian {
			break
		}
		if gain := w.gainOf(n, s, g, h); gain > s.gain && gain > 0 {
			s.gain, s.bin, s.missingLeft, s.gLeft, s.hLeft = gain, b, false, g, h
		}
	}
}

// scanDown tries the edges from the largest value down; missing values go left.
func (w *histGrower) scanDown(n *growing, s *histSplit) {
	bins, total := &(*n.hist)[s.column], int64(n.hi-n.lo)
	var g, h float64
	var count int64
	least := int64(w.minLeaf)
	for b := w.bins[s.column] - 1; b > 0; b-- {
		bin := &bins[b]
		count += bin.n
		g += bin.g
		if w.h == nil {
			h += float64(bin.n)
		} else {
			h += bin.h
		}
		if bin.n == 0 || count < least || h < minHessian {
			continue
		}
		if total-count < least || n.h-h < minHessian {
			break
		}
		if gain := w.gainOf(n, s, n.g-g, n.h-h); gain > s.gain && gain > 0 {
			s.gain, s.bin, s.missingLeft, s.gLeft, s.hLeft = gain, b-1, true, n.g-g, n.h-h
		}
	}
}

// scanNames sorts the levels by their mean derivatives, so that the best set is a prefix or suffix,
// and tries both up to the middle. Levels with few examples always go right; missing values count
// as a level.
func (w *histGrower) scanNames(n *growing, s *histSplit) {
	bins, total := &(*n.hist)[s.column], n.hi-n.lo
	weightOf := func(b int) float64 {
		if w.h == nil {
			return float64(bins[b].n)
		}
		return bins[b].h
	}
	type name struct {
		bin   int
		slope float64
	}
	var names []name
	support := float64(total) / n.h // examples per unit of second derivative
	for b := range 256 {
		if b >= w.bins[s.column] && b != missingBin || bins[b].n == 0 {
			continue
		}
		if h := weightOf(b); h*support >= minSupport {
			names = append(names, name{b, bins[b].g / (h + minSupport)})
		}
	}
	if len(names) < 2 {
		return
	}
	slices.SortStableFunc(names, func(a, b name) int { return cmp.Compare(a.slope, b.slope) })
	middle := (len(names) + 1) / 2
	for _, down := range []bool{false, true} {
		if down {
			slices.Reverse(names)
			middle--
		}
		var set levels
		g, h, count := 0.0, 0.0, 0
		for _, one := range names[:middle] {
			b := &bins[one.bin]
			g, h, count = g+b.g, h+weightOf(one.bin), count+int(b.n)
			set.add(uint8(one.bin))
			if count < w.minLeaf || h < minHessian {
				continue
			}
			if total-count < w.minLeaf || n.h-h < minHessian {
				break
			}
			if gain := w.gainOf(n, s, g, h); gain > s.gain && gain > 0 {
				s.gain, s.set, s.gLeft, s.hLeft, s.missingLeft = gain, set, g, h, set.has(missingBin)
			}
		}
	}
	if math.IsNaN(s.gain) {
		s.gain = -1
	}
}
