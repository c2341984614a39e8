// Package data provides the data that algorithms learn from: data sets with names, types and a
// source (including classic ones), readers for files, and seeded generators and splits.
package data

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Dataset is a table of examples with the classes or the target to predict. Y is set if the target
// is a class, and Target if it is a real number. Neither is set if there is nothing to predict.
type Dataset struct {
	Name        string
	Description string
	Source      string // where the data come from
	License     string // the terms of use

	X      *model.Table // one row per example; X.Target describes the target
	Y      []int        // the class of each row, an index into ClassNames
	Target []float64    // the real-valued target of each row

	// Notes lists decisions made while the data were read, such as an encoding, rows that were left
	// out, or a column that mixes numbers and names.
	Notes []string
}

// Len returns the number of examples.
func (d *Dataset) Len() int {
	r, _ := d.X.Dims()
	return r
}

// ClassNames returns the names of the classes 0, 1, 2 ..., or nil for a data set
// with a real-valued target.
func (d *Dataset) ClassNames() []string { return d.X.Target.Levels }

// FeatureNames returns the names of the columns of X.
func (d *Dataset) FeatureNames() []string {
	names := make([]string, len(d.X.Columns))
	for j, c := range d.X.Columns {
		names[j] = c.Name
	}
	return names
}

// ClassCounts returns the number of examples of each class.
func (d *Dataset) ClassCounts() []int {
	counts := make([]int, len(d.ClassNames()))
	for _, y := range d.Y {
		counts[y]++
	}
	return counts
}

// Signs returns the classes of a two-class data set as -1 (the first of ClassNames) and +1 (the
// second), as the update rules of classifiers such as the perceptron need them. It panics with a
// [*model.Error] when there are not exactly two classes.
func (d *Dataset) Signs() []float64 {
	if len(d.ClassNames()) != 2 {
		panic(model.Errorf("Dataset.Signs", "%s must have exactly two classes, got %d", d.Name, len(d.ClassNames())).
			WithHint("select two classes with Only"))
	}
	s := make([]float64, len(d.Y))
	for i, y := range d.Y {
		s[i] = float64(2*y - 1)
	}
	return s
}

// Subset returns a data set of the given rows, in that order; a row may occur
// more than once. It panics with a [*model.Error] on a row that does not exist.
func (d *Dataset) Subset(rows []int) *Dataset {
	n, cols := d.X.Dims()
	s := *d
	s.X = &model.Table{Columns: d.X.Columns, Target: d.X.Target}
	s.X.Dense = new(mat.Dense)
	s.Y, s.Target = nil, nil
	if len(rows) == 0 {
		return &s
	}
	s.X.Dense = mat.NewDense(len(rows), cols, nil)
	for i, r := range rows {
		if r < 0 || r >= n {
			panic(model.Errorf("Dataset.Subset", "the rows of %s must be between 0 and %d, got %d", d.Name, n-1, r))
		}
		copy(s.X.RawRowView(i), d.X.RawRowView(r))
		if d.Y != nil {
			s.Y = append(s.Y, d.Y[r])
		}
		if d.Target != nil {
			s.Target = append(s.Target, d.Target[r])
		}
	}
	return &s
}

// Features returns the data set with the named columns only, in that order. It
// panics with a [*model.Error] on a name that does not exist.
func (d *Dataset) Features(names ...string) *Dataset {
	if len(names) == 0 {
		panic(model.Errorf("Dataset.Features", "at least one feature must be named").WithHint("use some of %s", quoted(d.FeatureNames())))
	}
	have := d.FeatureNames()
	n := d.Len()
	s := *d
	s.X = &model.Table{Target: d.X.Target, Dense: new(mat.Dense)}
	if n > 0 {
		s.X.Dense = mat.NewDense(n, len(names), nil)
	}
	for j, name := range names {
		k := slices.Index(have, name)
		if k < 0 {
			panic(model.Errorf("Dataset.Features", "%s has no feature %q", d.Name, name).
				WithHint("use one of %s", quoted(have)))
		}
		s.X.Columns = append(s.X.Columns, d.X.Columns[k])
		for i := range n {
			s.X.Set(i, j, d.X.At(i, k))
		}
	}
	s.Y, s.Target = slices.Clone(d.Y), slices.Clone(d.Target)
	return &s
}

// Append returns a data set with the columns of d followed by the columns of x. If you pass no
// names, the new columns have the names in x, or x1, x2 ... for a plain matrix. It panics with a
// [*model.Error] if the number of rows or names does not match.
func (d *Dataset) Append(x mat.Matrix, names ...string) *Dataset {
	const op = "Dataset.Append"
	n, c := x.Dims()
	if n != d.Len() {
		panic(model.Errorf(op, "x must have %d rows, as %s has, got %d", d.Len(), d.Name, n))
	}
	cols := slices.Clone(model.ColumnsOf(x))
	if len(names) > 0 && len(names) != c {
		panic(model.Errorf(op, "the number of names must be %d (the number of columns), got %d", c, len(names)))
	}
	for j, name := range names {
		cols[j].Name = name
	}
	wide := new(mat.Dense)
	wide.Augment(d.X.Dense, x)
	out := *d
	out.X = &model.Table{Dense: wide, Columns: slices.Concat(d.X.Columns, cols), Target: d.X.Target}
	return &out
}

// Only returns the examples of the named classes, numbered 0, 1 ... in the order
// of the names. It panics with a [*model.Error] on a name that does not exist.
func (d *Dataset) Only(classes ...string) *Dataset {
	number := make(map[int]int)
	for c, name := range classes {
		k := slices.Index(d.ClassNames(), name)
		if k < 0 && len(d.ClassNames()) == 0 {
			panic(model.Errorf("Dataset.Only", "%s has no class %q: it has no classes", d.Name, name).
				WithHint("call AsClasses first, which turns a numeric target into classes"))
		}
		if k < 0 {
			panic(model.Errorf("Dataset.Only", "%s has no class %q", d.Name, name).
				WithHint("use one of %s", quoted(d.ClassNames())))
		}
		number[k] = c
	}
	var rows []int
	for i, y := range d.Y {
		if _, ok := number[y]; ok {
			rows = append(rows, i)
		}
	}
	s := d.Subset(rows)
	s.X.Target.Levels = slices.Clone(classes)
	for i, y := range s.Y {
		s.Y[i] = number[y]
	}
	return s
}

// mostClasses is the maximum number of distinct values that AsClasses converts to classes.
const mostClasses = 100

// AsClasses returns the data set with the values of its numeric target, such as 0 and 1, as
// classes. The classes are in ascending order and named after the values. It panics with a
// [*model.Error] if there is no numeric target, or if it has more than 100 distinct values.
func (d *Dataset) AsClasses() *Dataset {
	const op = "Dataset.AsClasses"
	if d.Target == nil {
		panic(model.Errorf(op, "%s must have a numeric target", d.Name).WithHint("use Y for the classes"))
	}
	values := slices.Clone(d.Target)
	slices.Sort(values)
	values = slices.Compact(values)
	if len(values) > mostClasses {
		panic(model.Errorf(op, "the target of %s must have at most %d distinct values for classes, got %d", d.Name, mostClasses, len(values)).WithHint("bin the target first"))
	}
	s := *d
	s.X = &model.Table{Dense: d.X.Dense, Columns: d.X.Columns, Target: model.Column{Name: d.X.Target.Name, Kind: model.Nominal}}
	s.Target, s.Y = nil, make([]int, len(d.Target))
	for i, v := range d.Target {
		s.Y[i], _ = slices.BinarySearch(values, v)
	}
	for _, v := range values {
		s.X.Target.Levels = append(s.X.Target.Levels, strconv.FormatFloat(v, 'g', -1, 64))
	}
	return &s
}

// Cell returns the value in row i and column j as a string: the name of the level in a nominal or
// ordinal column, or "?" for a missing value.
func (d *Dataset) Cell(i, j int) string { return cell(d.X.At(i, j), d.X.Columns[j]) }

// Label returns the class or the target of row i as a string.
func (d *Dataset) Label(i int) string {
	if d.Y != nil {
		return cell(float64(d.Y[i]), d.X.Target)
	}
	if d.Target != nil {
		return cell(d.Target[i], d.X.Target)
	}
	return ""
}

func cell(v float64, c model.Column) string {
	if math.IsNaN(v) {
		return "?"
	}
	if k := int(v); c.Kind != model.Numeric && k >= 0 && k < len(c.Levels) && float64(k) == v {
		return c.Levels[k]
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

const shownRows = 5

// String returns the size of the data set, its classes and its first rows as text.
func (d *Dataset) String() string {
	var b strings.Builder
	n, cols := d.Len(), len(d.X.Columns)
	fmt.Fprintf(&b, "%s: %d rows x %d columns", d.Name, n, cols)
	if names := d.ClassNames(); d.Y != nil && len(names) > 0 {
		b.WriteString("; ")
		for c, k := range d.ClassCounts() {
			if c > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "%s %d", names[c], k)
		}
	}
	b.WriteByte('\n')

	shown := min(n, shownRows)
	grid := make([][]string, shown+1)
	grid[0] = d.FeatureNames()
	labelled := d.Y != nil || d.Target != nil
	if labelled {
		grid[0] = append(grid[0], d.X.Target.Name)
	}
	for i := range shown {
		for j := range cols {
			grid[i+1] = append(grid[i+1], d.Cell(i, j))
		}
		if labelled {
			grid[i+1] = append(grid[i+1], d.Label(i))
		}
	}
	width := make([]int, len(grid[0]))
	for _, row := range grid {
		for j, s := range row {
			width[j] = max(width[j], len([]rune(s)))
		}
	}
	for _, row := range grid {
		for j, s := range row {
			if j > 0 {
				b.WriteString("  ")
			}
			pad := strings.Repeat(" ", width[j]-len([]rune(s)))
			if j < cols && d.X.Columns[j].Kind == model.Numeric {
				b.WriteString(pad + s)
			} else if j < len(row)-1 {
				b.WriteString(s + pad)
			} else {
				b.WriteString(s)
			}
		}
		b.WriteByte('\n')
	}
	if n > shown {
		fmt.Fprintf(&b, "... %d more\n", n-shown)
	}
	for _, note := range d.Notes {
		fmt.Fprintf(&b, "note: %s\n", note)
	}
	return b.String()
}

func quoted(names []string) string {
	q := make([]string, len(names))
	for i, s := range names {
		q[i] = strconv.Quote(s)
	}
	return strings.Join(q, ", ")
}

// Rows returns the matrix of the given rows. It panics with a [*model.Error] when the rows are
// empty or differ in length.
func Rows(rows [][]float64) *mat.Dense {
	if len(rows) == 0 || len(rows[0]) == 0 {
		panic(model.Errorf("Rows", "rows must not be empty").WithHint("pass at least one row of at least one value"))
	}
	x := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, row := range rows {
		if len(row) != len(rows[0]) {
			panic(model.Errorf("Rows", "all rows must have the same length, but row %d has %d values and row 0 has %d", i, len(row), len(rows[0])).WithHint("give all rows the same number of values"))
		}
		x.SetRow(i, row)
	}
	return x
}
