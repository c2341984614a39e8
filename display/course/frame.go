package course

import (
	"fmt"
	"strings"

	"github.com/gokernel/gokernel/display/table"
	"github.com/gokernel/gokernel/mlstd/frame"
)

// Of a frame with more than frameWhole rows the first frameFirst and the last
// frameLast are shown.
const (
	frameWhole = 20
	frameFirst = 7
	frameLast  = 5
)

// frameColumns are the columns of a frame as the source of a table.
type frameColumns []*frame.Column

func (s frameColumns) Dims() (rows, columns int) {
	if len(s) == 0 {
		return 0, 0
	}
	return s[0].Len(), len(s)
}

func (s frameColumns) Head(j int) (name, unit, kind string) {
	c := s[j]
	kind = c.Kind().String()
	if levels := c.Levels(); levels != nil {
		kind = fmt.Sprintf("%s, %d", kind, len(levels))
	}
	if c.Missing() > 0 {
		kind += fmt.Sprintf(", %d missing", c.Missing())
	}
	return c.Name(), c.Unit(), kind
}

func (s frameColumns) Cell(i, j int) any {
	if s[j].Kind() == frame.TimeKind && !s[j].IsMissing(i) {
		return s[j].Text(i)
	}
	return s[j].At(i)
}

func (s frameColumns) table(notes ...string) *table.Table {
	t := table.New(s)
	rows, width := s.Dims()
	if rows > frameWhole {
		t.Ends(frameFirst, frameLast)
	}
	return t.Foot(strings.Join(append([]string{count(rows, "row") + " × " + count(width, "column")}, notes...), "; "))
}

func frameTable(f *frame.Frame) *table.Table {
	t := frameColumns(f.Columns()).table(f.Notes()...)
	if f.Width() == 0 {
		return table.New(grid{}).Foot(fmt.Sprintf("%s without columns", count(f.Len(), "row")))
	}
	return t
}

func columnTable(c *frame.Column) *table.Table { return frameColumns{c}.table() }
