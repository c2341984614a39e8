package course

import (
	"fmt"
	"math"
	"strings"

	"github.com/gokernel/gokernel/display/table"
	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/model"
)

// If a data set has more than wholeRows rows, only the first datasetRows rows are shown.
const (
	datasetRows = 10
	wholeRows   = 15
)

// examples makes a table of a data set, or of a table without targets.
type examples struct {
	x      *model.Table
	y      []int
	target []float64
}

func (e examples) Dims() (rows, columns int) {
	if e.x.Dense != nil {
		rows, _ = e.x.Dims()
	}
	columns = len(e.x.Columns)
	if e.labelled() {
		columns++
	}
	return rows, columns
}

func (e examples) labelled() bool { return e.y != nil || e.target != nil }

func (e examples) column(j int) model.Column {
	if j < len(e.x.Columns) {
		return e.x.Columns[j]
	}
	return e.x.Target
}

func (e examples) Head(j int) (name, unit, kind string) {
	c := e.column(j)
	kind = c.Kind.String()
	if len(c.Levels) > 0 {
		kind = fmt.Sprintf("%s, %d", kind, len(c.Levels))
	}
	if j == len(e.x.Columns) {
		kind = "target: " + kind
		if c.Name == "" {
			c.Name = "target"
		}
	}
	return c.Name, c.Unit, kind
}

func (e examples) Cell(i, j int) any {
	var v float64
	switch {
	case j < len(e.x.Columns):
		v = e.x.At(i, j)
	case e.y != nil:
		v = float64(e.y[i])
	default:
		v = e.target[i]
	}
	c := e.column(j)
	if k := int(v); c.Kind != model.Numeric && k >= 0 && k < len(c.Levels) && float64(k) == v {
		return c.Levels[k]
	}
	if math.IsNaN(v) {
		return nil
	}
	return v
}

func (e examples) table(caption string, notes ...string) *table.Table {
	rows, columns := e.Dims()
	limit := datasetRows
	if rows <= wholeRows {
		limit = wholeRows
	}
	return table.New(e).Caption(caption).Rows(limit).Foot(strings.Join(append([]string{count(rows, "row") + " × " + count(columns, "column")}, notes...), "; "))
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func datasetTable(d *data.Dataset) *table.Table {
	caption := d.Name
	if names := d.ClassNames(); d.Y != nil && len(names) > 0 && len(names) <= 12 {
		parts := make([]string, len(names))
		for k, n := range d.ClassCounts() {
			parts[k] = fmt.Sprintf("%s %d", names[k], n)
		}
		caption += ": " + strings.Join(parts, ", ")
	}
	return examples{d.X, d.Y, d.Target}.table(caption, d.Notes...)
}

func textTable(s *data.TextSet) *table.Table {
	rows := make([][2]string, len(s.Texts))
	for i, t := range s.Texts {
		rows[i][1] = t
		if i < len(s.Y) && s.Y[i] >= 0 && s.Y[i] < len(s.Classes) {
			rows[i][0] = s.Classes[s.Y[i]]
		}
	}
	return table.New(texts(rows)).Caption(s.Name).Rows(datasetRows).Foot(count(len(rows), "text"))
}

// texts are pairs of a class and a text.
type texts [][2]string

func (t texts) Dims() (rows, columns int) { return len(t), 2 }

func (t texts) Head(j int) (name, unit, kind string) { return []string{"class", "text"}[j], "", "" }

func (t texts) Cell(i, j int) any { return t[i][j] }
