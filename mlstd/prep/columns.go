package prep

import (
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/internal/pick"
	"github.com/gokernel/gokernel/mlstd/model"
)

// ColumnStep is a group of columns for [Columns], together with the steps that transform these
// columns. The columns are the union of Names, Indices and Kinds, in the order of the table.
type ColumnStep struct {
	Names   []string     // columns by name
	Indices []int        // columns by position, from 0
	Kinds   []model.Kind // all columns of these kinds
	// Steps are fitted one after the other, each to the result of the previous step. If there are
	// no steps, the columns remain unchanged.
	Steps []model.Transformer
}

// Columns transforms each group of columns with the group's own steps and puts the results side by
// side. For example, it encodes columns of strings, scales columns of numbers, and imputes missing
// values in both.
//
//	z = ( step₁(x[columns₁]), step₂(x[columns₂]), …, x[the rest] )
//
// When a Pipeline is cross-validated, all steps are fitted within each fold. A column may be in
// several groups. Columns that are in no group come last, unchanged; with Drop, they are left out.
// The result keeps the column names.
//
// Cost: the sum of the costs of the steps.
//
// References: [Hastie2009].
// Course: CORE-17, CORE-19.
type Columns struct {
	Steps []ColumnStep
	// Drop leaves out the columns that are in no group.
	Drop bool

	// Columns are the columns of the result. Set by Fit.
	Columns []model.Column
	// Taken lists the columns of x that each step takes and, last, the remaining columns. Set by
	// Fit.
	Taken [][]int

	width int

	model.Fitted // set by Fit: the columns that it was given
}

// Takes reports that Columns accepts missing values and nominal columns. A step that cannot handle
// them returns an error.
func (c *Columns) Takes() model.Takes { return model.Takes{Missing: true, Nominal: true} }

// Leaves reports which kinds of columns the result may have. It assumes that columns in no group
// are numbers. If one step fills missing values, Leaves assumes that the other columns have no
// missing values. If one of the other columns has missing values, a later step or model returns an
// error that names this column.
func (c *Columns) Leaves() model.Takes {
	left := model.Takes{Missing: len(c.Steps) > 0}
	for _, s := range c.Steps {
		one := model.LeavesOfSteps(s.Steps)
		left.Missing, left.Nominal = left.Missing && one.Missing, left.Nominal || one.Nominal
	}
	return left
}

// Fit fits the steps, each on its columns of x.
func (c *Columns) Fit(x mat.Matrix) error {
	model.NoteOuter(&c.Fitted, x)
	_, err := c.fit("Columns.Fit", x, model.Targets{})
	return err
}

// FitTransform is like Fit, but passes the targets to steps that learn from targets. It returns the
// transformed rows, to which the next step or model is fitted.
func (c *Columns) FitTransform(x mat.Matrix, y model.Targets) (*model.Table, error) {
	model.NoteOuter(&c.Fitted, x)
	return c.fit("Columns.FitTransform", x, y)
}

func (c *Columns) fit(op string, x mat.Matrix, y model.Targets) (*model.Table, error) {
	c.Columns, c.Taken, c.width = nil, nil, 0
	if len(c.Steps) == 0 {
		return nil, model.Errorf(op, "there must be at least one step").WithHint("list the columns of each transformer")
	}
	checked, err := c.Takes().CheckX(op, x)
	if err != nil {
		return nil, err
	}
	x = pick.As(x, checked)
	in := model.ColumnsOf(x)
	var parts []*mat.Dense
	var taken [][]int
	var columns []model.Column
	used := make([]bool, len(in))
	for k, s := range c.Steps {
		cols, err := s.columns(op, k, in)
		if err != nil {
			return nil, err
		}
		for _, j := range cols {
			used[j] = true
		}
		taken = append(taken, cols)
		if len(cols) == 0 {
			continue
		}
		part, err := s.fit(op, k, pick.Columns(x, cols), y)
		if err != nil {
			return nil, err
		}
		columns, parts = append(columns, model.ColumnsOf(part)...), append(parts, part.Dense)
	}
	var rest []int
	for j := range in {
		if !used[j] && !c.Drop {
			rest = append(rest, j)
			columns = append(columns, in[j])
		}
	}
	if len(columns) == 0 {
		return nil, model.Errorf(op, "the steps must take at least one column, but take none").WithHint("name at least one of %s", nameList(in))
	}
	c.Columns, c.Taken, c.width = columns, append(taken, rest), len(in)
	if len(rest) > 0 {
		parts = append(parts, pick.Columns(x, rest).Dense)
	}
	return model.Named(x, beside(parts, len(columns)), columns), nil
}

// columns finds the positions of the columns of step k.
func (s *ColumnStep) columns(op string, k int, in []model.Column) ([]int, error) {
	if len(s.Names)+len(s.Indices)+len(s.Kinds) == 0 {
		return nil, model.Errorf(op, "step %d must name at least one column", k).WithHint("set Names, Indices or Kinds")
	}
	var cols []int
	for _, name := range s.Names {
		j := slices.IndexFunc(in, func(c model.Column) bool { return c.Name == name })
		if j < 0 {
			return nil, model.Errorf(op, "step %d: there is no column %q", k, name).WithHint("use one of %s", nameList(in))
		}
		cols = append(cols, j)
	}
	for _, j := range s.Indices {
		if j < 0 || j >= len(in) {
			return nil, model.Errorf(op, "step %d: columns must be between 0 and %d, got %d", k, len(in)-1, j)
		}
		cols = append(cols, j)
	}
	for j, c := range in {
		if slices.Contains(s.Kinds, c.Kind) {
			cols = append(cols, j)
		}
	}
	slices.Sort(cols)
	return slices.Compact(cols), nil
}

// nameList lists the names of columns, at most the first twenty.
func nameList(in []model.Column) string {
	var names []string
	for _, c := range in[:min(len(in), 20)] {
		names = append(names, strconv.Quote(c.Name))
	}
	if len(in) > len(names) {
		names = append(names, "…")
	}
	return strings.Join(names, ", ")
}

// fit fits the chain of step k and returns its result.
func (s *ColumnStep) fit(op string, k int, part *model.Table, y model.Targets) (*model.Table, error) {
	for _, t := range s.Steps {
		if t == nil {
			return nil, model.Errorf(op, "the transformer of step %d must not be nil", k)
		}
		var err error
		if part, err = model.FitTransform(t, part, y); err != nil {
			return nil, err
		}
	}
	return part, nil
}

// Transform returns the results of the steps side by side, followed by the remaining columns.
func (c *Columns) Transform(x mat.Matrix) *model.Table {
	const op = "Columns.Transform"
	x = model.MustRead(op, &c.Fitted, x)
	if c.Taken == nil {
		panic(model.NotFitted(op))
	}
	x = pick.As(x, c.Takes().MustRows(op, x, c.width))
	var parts []*model.Table
	for k, s := range c.Steps {
		if len(c.Taken[k]) == 0 {
			continue
		}
		part := pick.Columns(x, c.Taken[k])
		for _, t := range s.Steps {
			part = t.Transform(part)
		}
		parts = append(parts, part)
	}
	if rest := c.Taken[len(c.Steps)]; len(rest) > 0 {
		part := pick.Columns(x, rest)
		if model.Described(part) && c.Schema().Features != nil {
			was := model.Schema{Features: c.Columns[len(c.Columns)-len(rest):]}
			var err error
			if part, err = was.Arrange(op, part, true); err != nil {
				panic(err)
			}
		}
		parts = append(parts, part)
	}
	return joined(x, parts, c.Columns)
}

// joined puts tables side by side under the given columns. The levels are from the tables, since a
// step may know more levels than in Fit.
func joined(x mat.Matrix, parts []*model.Table, columns []model.Column) *model.Table {
	columns = slices.Clone(columns)
	var dense []*mat.Dense
	at := 0
	for _, p := range parts {
		_, width := p.Dims()
		if model.Described(p) {
			for k, c := range p.Columns {
				columns[at+k].Levels = c.Levels
			}
		}
		dense, at = append(dense, p.Dense), at+width
	}
	return model.Named(x, beside(dense, len(columns)), columns)
}

// beside puts matrices with the same number of rows side by side.
func beside(parts []*mat.Dense, cols int) *mat.Dense {
	n, _ := parts[0].Dims()
	out := mat.NewDense(n, cols, nil)
	for i := range n {
		row := out.RawRowView(i)
		for _, p := range parts {
			row = row[copy(row, p.RawRowView(i)):]
		}
	}
	return out
}

// Union applies several transformers to the same columns and puts the results side by side.
//
//	z = ( step₁(x), step₂(x), … )
//
// If columns of two steps have the same name, the number of the step becomes a prefix of the name.
//
// Cost: the sum of the costs of the steps.
//
// References: [Hastie2009].
// Course: CORE-23.
type Union struct {
	Steps []model.Transformer

	// Columns are the columns of the result. Set by Fit.
	Columns []model.Column

	width int

	model.Fitted // set by Fit: the columns that it was given
}

// Takes reports the kinds of columns that all steps take.
func (u *Union) Takes() model.Takes {
	all := model.Takes{Missing: true, Nominal: true}
	for _, s := range u.Steps {
		t := model.TakesOf(s)
		all = model.Takes{Missing: all.Missing && t.Missing, Nominal: all.Nominal && t.Nominal}
	}
	return all
}

// Leaves reports the kinds of columns that at least one step leaves.
func (u *Union) Leaves() model.Takes {
	var left model.Takes
	for _, s := range u.Steps {
		one := model.LeavesOfSteps([]model.Transformer{s})
		left = model.Takes{Missing: left.Missing || one.Missing, Nominal: left.Nominal || one.Nominal}
	}
	return left
}

// Fit fits each step on x.
func (u *Union) Fit(x mat.Matrix) error {
	model.NoteOuter(&u.Fitted, x)
	_, err := u.fit("Union.Fit", x, model.Targets{})
	return err
}

// FitTransform is like Fit, but passes the targets to steps that learn from targets. It returns the
// transformed rows, to which the next step or model is fitted.
func (u *Union) FitTransform(x mat.Matrix, y model.Targets) (*model.Table, error) {
	model.NoteOuter(&u.Fitted, x)
	return u.fit("Union.FitTransform", x, y)
}

func (u *Union) fit(op string, x mat.Matrix, y model.Targets) (*model.Table, error) {
	u.Columns, u.width = nil, 0
	if len(u.Steps) == 0 {
		return nil, model.Errorf(op, "there must be at least one step")
	}
	if _, err := u.Takes().CheckX(op, x); err != nil {
		return nil, err
	}
	var columns []model.Column
	var parts []*mat.Dense
	of := []int{} // the step of each column
	for k, s := range u.Steps {
		if s == nil {
			return nil, model.Errorf(op, "step %d must not be nil", k)
		}
		part, err := model.FitTransform(s, x, y)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part.Dense)
		for _, c := range model.ColumnsOf(part) {
			columns, of = append(columns, c), append(of, k)
		}
	}
	times := map[string]int{}
	for _, c := range columns {
		times[c.Name]++
	}
	for j, c := range columns {
		if times[c.Name] > 1 {
			columns[j].Name = strconv.Itoa(of[j]+1) + " " + c.Name
		}
	}
	u.Columns = columns
	_, u.width = x.Dims()
	return model.Named(x, beside(parts, len(columns)), columns), nil
}

// Transform returns the results of all steps side by side.
func (u *Union) Transform(x mat.Matrix) *model.Table {
	const op = "Union.Transform"
	x = model.MustRead(op, &u.Fitted, x)
	if u.Columns == nil {
		panic(model.NotFitted(op))
	}
	model.MustWidth(op, x, u.width)
	var parts []*model.Table
	for _, s := range u.Steps {
		parts = append(parts, s.Transform(x))
	}
	return joined(x, parts, u.Columns)
}
