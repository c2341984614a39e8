package frame

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Sample returns n rows drawn at random without replacement, in the order of the frame. It panics
// with a [*model.Error] if the frame has fewer rows.
func (f *Frame) Sample(n int, seed uint64) *Frame {
	if n < 0 || n > f.n {
		misuse("Frame.Sample", "", "n must be between 0 and %d (the number of rows), got %d", f.n, n)
	}
	return f.sampled(upTo(f.n), n, model.Rand(seed, 0))
}

// sampled returns n of the rows, drawn without replacement, in ascending order.
func (f *Frame) sampled(rows []int32, n int, rng *rand.Rand) *Frame {
	rows = draw(rows, n, rng)
	slices.Sort(rows)
	return f.take(rows)
}

// draw moves n of the rows, drawn without replacement, to the front, and returns them.
func draw(rows []int32, n int, rng *rand.Rand) []int32 {
	for i := range n {
		j := i + rng.IntN(len(rows)-i)
		rows[i], rows[j] = rows[j], rows[i]
	}
	return rows[:n]
}

// SampleFraction returns a fraction of the rows, such as 0.1, drawn at random without replacement,
// in the order of the frame. The number of rows is rounded to the nearest integer; halves are
// rounded to the nearest even integer.
func (f *Frame) SampleFraction(q float64, seed uint64) *Frame {
	return f.sampled(upTo(f.n), fractionOf("Frame.SampleFraction", q, f.n), model.Rand(seed, 0))
}

// fractionOf returns the fraction q of n.
func fractionOf(op string, q float64, n int) int {
	if !(q >= 0 && q <= 1) {
		misuse(op, "use a fraction such as 0.1", "q must be between 0 and 1, got %v", q)
	}
	return int(math.RoundToEven(q * float64(n)))
}

// SampleWeighted returns n rows drawn one after the other without replacement, in the order of the
// frame. Each draw takes one of the remaining rows with a probability proportional to its weight.
// Pass the weights as a column of numbers, the name of a column, or a slice. No weight can be
// negative or missing; a row with weight 0 is never drawn.
//
//	f.SampleWeighted(100, "population", 1)
func (f *Frame) SampleWeighted(n int, weights any, seed uint64) *Frame {
	const op = "Frame.SampleWeighted"
	if name, ok := weights.(string); ok {
		weights = f.col(op, name)
	}
	w := f.fit(op, "weights", weights)
	w.need(op, FloatKind, IntKind, BoolKind)
	// The rows with the n largest u^(1/w), for u uniform in (0, 1], have the distribution of n
	// successive draws (Efraimidis and Spirakis 2006). Compare log(u)/w instead.
	rng := model.Rand(seed, 0)
	keys := make([]float64, f.n)
	rows := make([]int32, 0, f.n)
	for i, x := range w.numbers() {
		if !(x >= 0) || math.IsInf(x, 1) {
			misuse(op, "fill missing weights with FillMissing, and set negative ones to 0", "the weights must be finite and not negative, got %v in row %d", x, i)
		}
		if keys[i] = math.Log(1-rng.Float64()) / x; x > 0 {
			rows = append(rows, int32(i))
		}
	}
	if n < 0 || n > len(rows) {
		misuse(op, "", "n must be between 0 and %d (the number of rows with a positive weight), got %d", len(rows), n)
	}
	slices.SortFunc(rows, func(a, b int32) int { return cmp.Or(cmp.Compare(keys[b], keys[a]), cmp.Compare(a, b)) })
	rows = rows[:n]
	slices.Sort(rows)
	return f.take(rows)
}

// Sample returns n rows of each group drawn at random without replacement, in the order of the
// frame. It panics with a [*model.Error] if a group has fewer rows.
func (g *Groups) Sample(n int, seed uint64) *Frame {
	const op = "Groups.Sample"
	if n < 0 {
		misuse(op, "", "n must not be negative, got %d", n)
	}
	return g.sample(seed, func(k, size int) int {
		if n > size {
			misuse(op, "use SampleFraction, or a smaller n", "n must be at most %d, the number of rows of the group with %s, got %d", size, g.label(k), n)
		}
		return n
	})
}

// SampleFraction returns a fraction of the rows of each group, such as 0.1, drawn at random without
// replacement, in the order of the frame. See [Frame.SampleFraction].
func (g *Groups) SampleFraction(q float64, seed uint64) *Frame {
	return g.sample(seed, func(_, size int) int { return fractionOf("Groups.SampleFraction", q, size) })
}

// sample draws as many rows of each group as count returns for its number and size.
func (g *Groups) sample(seed uint64, count func(k, size int) int) *Frame {
	rng := model.Rand(seed, 0)
	rows, at := slices.Clone(g.members()), g.starts()
	var out []int32
	for k := range g.n {
		part := rows[at[k]:at[k+1]]
		out = append(out, draw(part, count(k, len(part)), rng)...)
	}
	slices.Sort(out)
	return g.frame.take(out)
}

// label returns the keys of a group, such as zone = "Soho".
func (g *Groups) label(k int) string {
	s := ""
	for j, key := range g.keys {
		if j > 0 {
			s += ", "
		}
		text := key.label(k)
		if key.kind.text() && !key.missing.has(k) {
			text = strconv.Quote(key.Text(k))
		}
		s += key.name + " = " + text
	}
	return s
}
