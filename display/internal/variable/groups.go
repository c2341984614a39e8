package variable

import "fmt"

// MostPanels is the maximum number of panels in one figure.
const MostPanels = 36

// Groups contains groups of the rows of a table. Each group is shown in a panel of its own.
type Groups struct {
	Rows, Columns []string // classes of two labels; nil for one label
	Panels        []Group  // row by row; without Rows, one per class
	Labels        int      // number of labels
	Missing       int      // number of rows with a missing label, which are in no group
}

// Group is a class of rows, or a combination of classes of two labels.
type Group struct {
	Name string
	Keep func(row int) bool
}

// Split groups rows by the classes of one label or of two. With two labels, there is a group for
// each combination of classes.
func (r Reader) Split(labels []any) (Groups, error) {
	if len(labels) < 1 || len(labels) > 2 {
		return Groups{}, fmt.Errorf("%s: %d labels; give one, or one for the rows and one for the columns", r.Verb, len(labels))
	}
	var class [2][]int
	var names [2][]string
	for k, l := range labels {
		col, err := r.Column("labels", l)
		if err != nil {
			return Groups{}, err
		}
		var ok bool
		if class[k], names[k], ok = col.Classes(); !ok {
			return Groups{}, fmt.Errorf("%s: the labels must be names or whole numbers, got other numbers or times", r.Verb)
		}
	}
	if len(labels) == 2 && len(class[0]) != len(class[1]) {
		return Groups{}, fmt.Errorf("%s: there are %d labels for rows and %d for columns", r.Verb, len(class[0]), len(class[1]))
	}
	g := Groups{Labels: len(class[0])}
	if len(labels) == 1 {
		g.one(class[0], names[0])
	} else {
		g.two(class, names)
	}
	if len(g.Panels) > MostPanels {
		what := fmt.Sprintf("the labels have %d classes", len(g.Panels))
		if len(labels) == 2 {
			what = fmt.Sprintf("the labels have %d and %d classes", len(g.Rows), len(g.Columns))
		}
		return Groups{}, fmt.Errorf("%s: %s; at most %d panels can be read", r.Verb, what, MostPanels)
	}
	if len(g.Panels) == 0 {
		g.Rows, g.Columns = nil, nil
		g.Panels = []Group{{Keep: func(int) bool { return true }}}
	}
	return g, nil
}

func (g *Groups) one(class []int, names []string) {
	for _, k := range class {
		if k < 0 {
			g.Missing++
		}
	}
	for k, name := range names {
		g.Panels = append(g.Panels, Group{name, func(i int) bool { return class[i] == k }})
	}
}

func (g *Groups) two(class [2][]int, names [2][]string) {
	rows, columns := class[0], class[1]
	for i := range rows {
		if rows[i] < 0 || columns[i] < 0 {
			g.Missing++
		}
	}
	g.Rows, g.Columns = names[0], names[1]
	for a, row := range names[0] {
		for b, column := range names[1] {
			g.Panels = append(g.Panels, Group{row + ", " + column, func(i int) bool { return rows[i] == a && columns[i] == b }})
		}
	}
}

// Kept returns the values of the rows for which keep returns true; a nil slice stays nil.
func Kept[T any](values []T, keep func(row int) bool) []T {
	if values == nil {
		return nil
	}
	out := make([]T, 0, len(values))
	for i, v := range values {
		if keep(i) {
			out = append(out, v)
		}
	}
	return out
}
