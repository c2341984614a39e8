package course

import (
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/table"
	"github.com/gokernel/gokernel/mlstd/data"
)

func init() {
	display.Register(func(v any) (display.Displayer, bool) {
		d, ok := v.(*data.Dataset)
		if !ok || d == nil || d.X == nil || d.X.Dense == nil || d.Len() == 0 {
			return nil, false
		}
		return Dataset(d), true
	})
}

// Dataset gives the rows of a data set as a table, levels and classes by their
// names, with its size and the counts of the classes as caption.
func Dataset(d *data.Dataset) *table.Table {
	labelled := d.Y != nil || d.Target != nil
	head := d.FeatureNames()
	if labelled {
		head = append(head, d.X.Target.Name)
	}
	rows := [][]string{head}
	for i := range d.Len() {
		var row []string
		for j := range d.X.Columns {
			row = append(row, d.Cell(i, j))
		}
		if labelled {
			row = append(row, d.Label(i))
		}
		rows = append(rows, row)
	}
	t := table.New(rows).Caption(caption(d))
	for _, c := range d.X.Columns {
		if c.Unit != "" {
			t.Unit(c.Name, c.Unit)
		}
	}
	return t
}

func caption(d *data.Dataset) string {
	text := d.Name + ": " + strconv.Itoa(d.Len()) + " rows × " + strconv.Itoa(len(d.X.Columns)) + " columns"
	if d.Y == nil {
		return text
	}
	var parts []string
	for k, n := range d.ClassCounts() {
		parts = append(parts, d.ClassNames()[k]+" "+strconv.Itoa(n))
	}
	return text + "; " + strings.Join(parts, ", ")
}
