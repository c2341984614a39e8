package bayesnet

import "slices"

// factor is a table over some variables, the last one changing fastest.
type factor struct {
	vars []int
	val  []float64
}

// family returns the table of a variable, restricted to the evidence.
func (n *BayesNetwork) family(i int, ev []int) factor {
	v := n.vars[i]
	f := factor{append(slices.Clone(v.parents), i), v.table}
	if !slices.ContainsFunc(f.vars, func(j int) bool { return ev[j] >= 0 }) {
		return f
	}
	var live []int
	at, size := 0, 1
	for _, j := range f.vars {
		at *= n.vars[j].card
		if ev[j] >= 0 {
			at += ev[j]
		} else {
			live = append(live, j)
			size *= n.vars[j].card
		}
	}
	strides := n.strides(f, live)
	out := factor{live, make([]float64, size)}
	count := make([]int, len(live))
	for o := range out.val {
		out.val[o] = f.val[at]
		for d := len(live) - 1; d >= 0; d-- {
			count[d]++
			at += strides[d]
			if count[d] < n.vars[live[d]].card {
				break
			}
			at -= strides[d] * count[d]
			count[d] = 0
		}
	}
	return out
}

// strides returns the stride in f of each of vars, 0 for a variable that is not in f.
func (n *BayesNetwork) strides(f factor, vars []int) []int {
	out := make([]int, len(vars))
	step := 1
	for k := len(f.vars) - 1; k >= 0; k-- {
		if d := slices.Index(vars, f.vars[k]); d >= 0 {
			out[d] = step
		}
		step *= n.vars[f.vars[k]].card
	}
	return out
}

// size returns the number of entries of a table over vars.
func (n *BayesNetwork) size(vars []int) int {
	size := 1
	for _, i := range vars {
		size *= n.vars[i].card
	}
	return size
}

// combine multiplies factors and sums over the variables gone. With largest, it takes the maximum
// over these variables instead, and also returns the combination at which the maximum is reached.
func (n *BayesNetwork) combine(fs []factor, keep, gone []int, largest bool) (factor, []int32) {
	all := append(slices.Clone(keep), gone...)
	strides := make([]int, len(all)*len(fs)) // of each variable, in each factor
	for k, f := range fs {
		for d, s := range n.strides(f, all) {
			strides[d*len(fs)+k] = s
		}
	}
	out := factor{keep, make([]float64, n.size(keep))}
	inner := n.size(gone)
	var arg []int32
	if largest {
		arg = make([]int32, len(out.val))
	}
	cards := make([]int, len(all))
	for d, i := range all {
		cards[d] = n.vars[i].card
	}
	count, at := make([]int, len(all)), make([]int, len(fs))
	for o := range out.val {
		acc := 0.0
		for in := range inner {
			p := 1.0
			for k := range fs {
				p *= fs[k].val[at[k]]
			}
			switch {
			case !largest:
				acc += p
			case p > acc:
				acc, arg[o] = p, int32(in)
			}
			for d := len(all) - 1; d >= 0; d-- {
				count[d]++
				s := strides[d*len(fs) : (d+1)*len(fs)]
				if count[d] < cards[d] {
					for k := range at {
						at[k] += s[k]
					}
					break
				}
				count[d] = 0
				for k := range at {
					at[k] -= s[k] * (cards[d] - 1)
				}
			}
		}
		out.val[o] = acc
	}
	return out, arg
}

// scale divides a table by its largest entry and returns that entry, so that products of many small
// numbers stay in range. It leaves a table of zeros unchanged.
func scale(val []float64) float64 {
	most := slices.Max(val)
	if most > 0 {
		for k := range val {
			val[k] /= most
		}
	}
	return most
}
