package graph

import "math"

// contour is the outline of a subtree: at each level, its extent to the left and right of its
// root's center.
type contour struct{ left, right []float64 }

// place sets the x of every box, relative to an arbitrary origin, and returns the height of each
// level.
//
// Each subtree is laid out separately. Then the subtrees of one parent are moved together until
// their outlines touch at some level, and the parent is centered over its outermost children
// (Reingold and Tilford 1981). Small subtrees between large ones are spread evenly, as in J.
// Walker, "A Node-positioning Algorithm for General Trees" (1990), so that a tree and its mirror
// image look alike.
func place(root *box) (levels []float64) {
	layout(root)
	var shift func(b *box, x float64)
	shift = func(b *box, x float64) {
		b.x += x
		for len(levels) <= b.depth {
			levels = append(levels, 0)
		}
		levels[b.depth] = math.Max(levels[b.depth], b.h)
		for _, c := range b.children {
			shift(c, b.x)
		}
	}
	shift(root, 0)
	return levels
}

// layout sets the x of the boxes below b relative to their parents, and returns the outline of b.
func layout(b *box) contour {
	half := b.w / 2
	out := contour{[]float64{-half}, []float64{half}}
	if len(b.children) == 0 {
		return out
	}
	outlines := make([]contour, len(b.children))
	at := make([]float64, len(b.children))
	for i, c := range b.children {
		outlines[i] = layout(c)
		// The label of the edge needs space above the box.
		if w := math.Min(edgeFont.Width(c.node.Edge), math.Max(c.w, 60)) / 2; w > 0 {
			outlines[i].left[0] = math.Min(outlines[i].left[0], -w)
			outlines[i].right[0] = math.Max(outlines[i].right[0], w)
		}
		for k := range i {
			at[i] = math.Max(at[i], at[k]+apart(outlines[k], outlines[i]))
		}
		spread(at[:i+1], outlines)
	}
	middle := (at[0] + at[len(at)-1]) / 2
	for i, c := range b.children {
		c.x = at[i] - middle
		for d := range outlines[i].left {
			l, r := c.x+outlines[i].left[d], c.x+outlines[i].right[d]
			if d+1 < len(out.left) {
				out.left[d+1] = math.Min(out.left[d+1], l)
				out.right[d+1] = math.Max(out.right[d+1], r)
			} else {
				out.left, out.right = append(out.left, l), append(out.right, r)
			}
		}
	}
	return out
}

// apart returns the minimum distance between the roots of two adjacent subtrees.
func apart(a, b contour) float64 {
	d := math.Inf(-1)
	for k := 0; k < len(a.right) && k < len(b.left); k++ {
		d = math.Max(d, a.right[k]-b.left[k]+gapX)
	}
	return d
}

// spread evenly distributes the subtrees between the last one and the one that it touches, as far
// as their neighbors allow.
func spread(at []float64, outlines []contour) {
	last := len(at) - 1
	if last < 2 {
		return
	}
	holder := last - 1
	for k := last - 1; k >= 0; k-- {
		if at[k]+apart(outlines[k], outlines[last]) >= at[last]-1e-9 {
			holder = k
		}
	}
	n := last - holder
	if n < 2 {
		return
	}
	step := (at[last] - at[holder]) / float64(n)
	for k := holder + 1; k < last; k++ {
		want := at[holder] + step*float64(k-holder)
		for j := range k { // not closer to the left neighbor than allowed
			want = math.Max(want, at[j]+apart(outlines[j], outlines[k]))
		}
		if want+apart(outlines[k], outlines[last]) <= at[last]+1e-9 && want > at[k] {
			at[k] = want
		}
	}
	for k := holder + 1; k < last; k++ { // moving one can bring it too close to the next
		for j := range k {
			at[k] = math.Max(at[k], at[j]+apart(outlines[j], outlines[k]))
		}
	}
	for j := range last {
		at[last] = math.Max(at[last], at[j]+apart(outlines[j], outlines[last]))
	}
}

// extent returns the extent of a positioned tree to the left and to the right.
func extent(b *box) (left, right float64) {
	w := b.w / 2
	if e := math.Min(edgeFont.Width(b.node.Edge), math.Max(b.w, 60))/2 + 2; b.depth > 0 && e > w {
		w = e
	}
	left, right = b.x-w, b.x+w
	for _, c := range b.children {
		l, r := extent(c)
		left, right = math.Min(left, l), math.Max(right, r)
	}
	return left, right
}
