package chart

import (
	"fmt"

	"github.com/gokernel/gokernel/display/internal/variable"
)

// Columns is a table whose columns have names, such as a frame. The verbs accept such a table as
// their first argument and then accept names of columns instead of data.
//
// ColumnValues returns the column with the given name, or false if the table has no such column. A
// column is []float64 with NaN where a value is missing, []int64, []bool, []string, [Coded], or
// []time.Time with the zero time where a value is missing.
type Columns interface {
	Len() int
	ColumnValues(name string) (values any, ok bool)
}

// Coded is a column of repeated names: value i is Levels[Codes[i]], or missing if the code is -1.
// The axis and the legend show the names in the order of Levels.
type Coded = struct {
	Codes  []int32
	Levels []string
}

// oneColumn is a column that is passed by itself, without its table.
type oneColumn interface {
	Name() string
	Data() any
}

// dataOf starts a chart from the arguments of a verb. If the first argument is a table, the chart
// keeps it. dataOf returns the chart and the other arguments.
func dataOf(args []any) (*Chart, []any) {
	c := New()
	if len(args) > 0 {
		if d, ok := args[0].(Columns); ok && !isNil(args[0]) {
			c.data = d
			return c, args[1:]
		}
	}
	return c, args
}

// Of returns an empty chart of a table; the marks and options of the chart accept names of columns.
func Of(data Columns) *Chart {
	c := New()
	if data == nil || isNil(data) {
		c.setErr(fmt.Errorf("chart.Of: the table is nil"))
		return c
	}
	c.data = data
	return c
}

// column reads one variable: a slice or vector, a column, or the name of one.
func (c *Chart) column(verb, what string, data any) (column, error) {
	r := variable.Reader{Verb: "chart." + verb}
	if c.data != nil {
		r.Table = c.data
	}
	col, err := r.Column(what, data)
	return ofColumn(col), err
}
