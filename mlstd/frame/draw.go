package frame

// Data returns the values in the form that charts read. It returns numbers as []float64 with NaN
// for a missing value, but integers and bools without missing values as []int64 and []bool. It
// returns times as []time.Time with the zero time for a missing value. It returns strings and
// categories as codes, with -1 for a missing value, and the name of each code. The names are in
// order of appearance for strings, and in the order of the levels for categories. The caller must
// not change the elements of the slices.
func (c *Column) Data() any {
	switch c.kind {
	case TimeKind:
		return c.Moments()
	case StringKind:
		codes, words := c.coded()
		return inOrder(codes, words.list)
	case CategoryKind:
		codes, words := c.coded()
		return coded{codes, words.list}
	}
	switch {
	case c.kind == IntKind && c.gaps == 0:
		return c.ints
	case c.kind == BoolKind && c.gaps == 0:
		return c.bools
	case c.kind == BoolKind:
		codes := make([]int32, c.n)
		for i, yes := range c.bools {
			switch {
			case c.missing.has(i):
				codes[i] = -1
			case yes:
				codes[i] = 1
			}
		}
		return coded{codes, []string{"false", "true"}}
	}
	return c.numbers()
}

// coded is a type of codes and names that package display/chart has too.
type coded = struct {
	Codes  []int32
	Levels []string
}

// inOrder numbers the names that occur, in the order of their appearance.
func inOrder(codes []int32, names []string) coded {
	place := make([]int32, len(names))
	out := coded{Codes: make([]int32, len(codes)), Levels: []string{}}
	for i, k := range codes {
		if k < 0 {
			out.Codes[i] = -1
			continue
		}
		if place[k] == 0 {
			out.Levels = append(out.Levels, names[k])
			place[k] = int32(len(out.Levels))
		}
		out.Codes[i] = place[k] - 1
	}
	return out
}

// ColumnValues returns the values of the named column, as [Column.Data] does; ok reports whether
// the column exists.
func (f *Frame) ColumnValues(name string) (values any, ok bool) {
	j, ok := f.index[name]
	if !ok {
		return nil, false
	}
	return f.cols[j].Data(), true
}
