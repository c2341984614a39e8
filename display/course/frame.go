package course

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gokernel/gokernel/display/table"
	"github.com/gokernel/gokernel/mlstd/frame"
)

// If a frame has more than frameWhole rows, only the first frameFirst and the last frameLast rows
// are shown.
const (
	frameWhole = 20
	frameFirst = 7
	frameLast  = 5
)

// frameColumns makes a table of the columns of a frame.
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
	if c.Kind() == frame.CategoryKind {
		kind = fmt.Sprintf("%s, %d", kind, len(c.Levels()))
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
	t := frameColumns(f.Columns()).table(f.Tell()...)
	if f.Width() == 0 {
		return table.New(grid{}).Foot(fmt.Sprintf("%s without columns", count(f.Len(), "row")))
	}
	return t
}

func columnTable(c *frame.Column) *table.Table { return frameColumns{c}.table(c.Notes()...) }

// summaryOf shows the summary of a frame, one row per column.
func summaryOf(s *frame.Summary) *table.Table {
	stats := []string{"mean", "sd", "min", "25 %", "median", "75 %", "max"}
	g := grid{head: append(append([]string{"column", "kind", "distribution", "missing", "distinct"}, stats...), "commonest", "remarks")}
	for _, c := range s.Columns {
		name := c.Name
		if c.Unit != "" {
			name += " (" + c.Unit + ")"
		}
		row := []any{name, c.Kind.String(), table.Blocks(c.Bars), c.Missing, c.Distinct, c.Mean, c.SD, shortly(c.Min), c.Quartiles[0], c.Quartiles[1], c.Quartiles[2], shortly(c.Max)}
		var commonest any
		if c.CommonestCount > 1 {
			commonest = fmt.Sprintf("%v (%d)", shortly(c.Commonest), c.CommonestCount)
		}
		g.rows = append(g.rows, append(row, commonest, strings.Join(c.Remarks, "; ")))
	}
	shown := g.used("missing", "mean", "sd", "min", "25 %", "median", "75 %", "max", "remarks")
	t := table.New(shown).Rows(0).Caption(fmt.Sprintf("%s × %s", count(s.Rows, "row"), count(len(s.Columns), "column")))
	for _, name := range stats {
		if slices.Contains(shown.head, name) {
			t.Compact(name)
		}
	}
	return t.Foot(strings.Join(findings(s), "; "))
}

// findings lists facts about the whole frame.
func findings(s *frame.Summary) []string {
	var out []string
	if s.Duplicates > 0 {
		out = append(out, count(s.Duplicates, "row")+" equal to one above")
	}
	for _, c := range s.Correlations {
		out = append(out, fmt.Sprintf("%s and %s correlate with %.2f", c.A, c.B, c.R))
	}
	if len(s.Correlations) > 0 && s.CorrelationRows < s.Rows {
		out = append(out, fmt.Sprintf("correlations estimated from %d rows", s.CorrelationRows))
	}
	return out
}

// used returns the grid without those optional columns that are empty.
func (g grid) used(optional ...string) grid {
	var keep []int
	for j, name := range g.head {
		empty := slices.Contains(optional, name)
		for i := range g.rows {
			v := g.Cell(i, j)
			empty = empty && (v == nil || v == 0 || v == "")
		}
		if !empty {
			keep = append(keep, j)
		}
	}
	out := grid{rows: make([][]any, len(g.rows))}
	for _, j := range keep {
		out.head = append(out.head, g.head[j])
		for i, row := range g.rows {
			out.rows[i] = append(out.rows[i], row[j])
		}
	}
	return out
}

// shortly returns a value as it is shown in a table of mixed values.
func shortly(v any) any {
	switch v := v.(type) {
	case time.Time:
		return frame.TimeColumn("t", []time.Time{v}).Text(0)
	case string:
		if r := []rune(v); len(r) > 24 {
			return string(r[:23]) + "…"
		}
	case bool:
		return fmt.Sprint(v)
	}
	return v
}
