package frame

import (
	"slices"
	"strconv"
	"strings"
)

// WideToLong reshapes columns whose names have a common part and a varying part, such as
// height_2020, height_2021, weight_2020 and weight_2021. The result has a column for each common
// part. For each row of f, the result has one row per varying part. A new column, whose name is the
// argument name, holds the varying part. A star in a pattern stands for the varying part. The
// values of all other columns repeat.
//
//	f.WideToLong("year", "height_*", "weight_*")
//
// The result has the columns height and weight: the patterns without the star and the separator
// next to it. If all varying parts are integers, the new column holds integers, in ascending order
// for each row of f. Otherwise, the new column holds categories, with levels in the order of the
// columns. If f has no column for a pair of a common part and a varying part, the values are
// missing.
func (f *Frame) WideToLong(name string, patterns ...string) *Frame {
	const op = "Frame.WideToLong"
	if len(patterns) == 0 {
		misuse(op, `pass patterns such as "height_*"`, "at least one pattern must be passed")
	}
	type gathered struct {
		name string
		of   map[string]*Column // by the varying part
	}
	var all []gathered
	var parts []string
	by := map[string]string{} // of each gathered column, its pattern
	for _, pattern := range patterns {
		before, after, ok := strings.Cut(pattern, "*")
		if !ok || strings.Contains(after, "*") {
			misuse(op, `write the varying part as a star, as in "height_*"`, "a pattern must have one star, got %q", pattern)
		}
		g := gathered{strings.TrimRight(before, "_-. ") + strings.TrimLeft(after, "_-. "), map[string]*Column{}}
		if before == "" {
			g.name = strings.TrimLeft(after, "_-. ")
		}
		if g.name == "" {
			misuse(op, `write the common part too, as in "height_*"`, "a pattern must have more than a star, got %q", pattern)
		}
		for _, c := range f.cols {
			if len(c.name) <= len(before)+len(after) || !strings.HasPrefix(c.name, before) || !strings.HasSuffix(c.name, after) {
				continue
			}
			if by[c.name] != "" {
				misuse(op, "make the patterns longer", "column %q must match one pattern, got %q and %q", c.name, by[c.name], pattern)
			}
			by[c.name] = pattern
			part := c.name[len(before) : len(c.name)-len(after)]
			if g.of[part] = c; !slices.Contains(parts, part) {
				parts = append(parts, part)
			}
		}
		if len(g.of) == 0 {
			misuse(op, "the columns are "+list(f.Names()), "no column matches %q", pattern)
		}
		all = append(all, g)
	}
	label := partsColumn(name, parts)
	var kept []*Column
	for _, c := range f.cols {
		if by[c.name] == "" {
			kept = append(kept, c)
		}
	}
	k := len(parts)
	rows, codes, order := make([]int32, 0, f.n*k), make([]int32, 0, f.n*k), make([]int32, 0, f.n*k)
	for i := range f.n {
		for p := range k {
			rows, codes = append(rows, int32(i)), append(codes, int32(p))
			order = append(order, int32(p*f.n+i))
		}
	}
	cols := append(like(f.n, kept).take(rows).cols, label.take(codes))
	for _, g := range all {
		below := make([]*Frame, k)
		for p, part := range parts {
			c := g.of[part]
			if c == nil {
				for _, some := range g.of {
					c = some.take(none(f.n))
				}
			}
			if c.kind == CategoryKind {
				c = StringColumn(c.name, c.Strings()).MarkMissing(c.missingBits())
			}
			below[p] = like(f.n, []*Column{c.Named(g.name)})
		}
		cols = append(cols, Concat(below...).cols[0].take(order))
	}
	return of(op, cols).inherit(f)
}

// partsColumn sorts the varying parts if all are integers, and returns them as a column.
func partsColumn(name string, parts []string) *Column {
	numbers := map[string]int64{}
	for _, part := range parts {
		n, err := strconv.ParseInt(part, 10, 64)
		if err != nil {
			return CategoryColumn(name, upTo(len(parts)), slices.Clone(parts))
		}
		numbers[part] = n
	}
	slices.SortStableFunc(parts, func(a, b string) int { return int(min(max(numbers[a]-numbers[b], -1), 1)) })
	out := make([]int64, len(parts))
	for i, part := range parts {
		out[i] = numbers[part]
	}
	return IntColumn(name, out)
}
