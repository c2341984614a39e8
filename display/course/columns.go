package course

import (
	"github.com/gokernel/gokernel/display/chart"
	"github.com/gokernel/gokernel/mlstd/data"
)

// Table is a data set in the form of a table for charts.
type Table struct{ d *data.Dataset }

// Columns returns a data set as a table of named columns: its features and its target. The target
// column has the name of the target in the data set or, if the target has no name, the name "class"
// or "target".
func Columns(d *data.Dataset) *Table {
	if d == nil || d.X == nil || d.X.Dense == nil {
		return nil // charts report the nil table
	}
	return &Table{d}
}

var _ chart.Columns = (*Table)(nil)

// Len returns the number of rows.
func (c *Table) Len() int { return c.d.Len() }

// Names lists the features and then the target.
func (c *Table) Names() []string {
	names := c.d.FeatureNames()
	if c.d.Y != nil || c.d.Target != nil {
		names = append(names[:len(names):len(names)], c.target())
	}
	return names
}

func (c *Table) target() string {
	switch name := c.d.X.Target.Name; {
	case name != "":
		return name
	case c.d.Y != nil:
		return "class"
	}
	return "target"
}

// ColumnValues returns the column with the given name.
func (c *Table) ColumnValues(name string) (values any, ok bool) {
	for j, col := range c.d.X.Columns {
		if col.Name != name {
			continue
		}
		v := column(c.d, j)
		if len(col.Levels) == 0 {
			return v, true
		}
		codes := chart.Coded{Codes: make([]int32, len(v)), Levels: col.Levels}
		for i, x := range v {
			codes.Codes[i] = -1
			if k := int(x); x == float64(k) && k >= 0 && k < len(col.Levels) {
				codes.Codes[i] = int32(k)
			}
		}
		return codes, true
	}
	if name != c.target() {
		return nil, false
	}
	switch {
	case c.d.Y != nil && c.d.ClassNames() != nil:
		codes := chart.Coded{Codes: make([]int32, len(c.d.Y)), Levels: c.d.ClassNames()}
		for i, y := range c.d.Y {
			codes.Codes[i] = int32(y)
		}
		return codes, true
	case c.d.Y != nil:
		return c.d.Y, true
	case c.d.Target != nil:
		return c.d.Target, true
	}
	return nil, false
}
