// Package table shows data as tables: in HTML that suits light and dark pages, in
// LaTeX for print and as aligned text.
//
//	table.New(results).Caption("Ten folds").Unit("time", "ms").Best("accuracy")
//
// [New] reads slices of structs or maps, maps (a map of maps makes rows and
// columns), matrices, the first 1000 rows of a database query, which it closes, rows
// of strings (the first row names the columns, unless Names does), slices of
// values, a [Source], and the types that were taught to it by [Adapt]; [Describe]
// summarizes the columns of the same kinds of data.
package table

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/gokernel/gokernel/display"
)

// Limits of a table that is shown.
const (
	defaultRows = 20
	manyRows    = 200 // are still a table that one reads
	maxColumns  = 24
)

// Table is data on its way to being shown. Its methods set options and return it;
// a name of a column that does not exist is reported by Display.
type Table struct {
	columns  []column
	rowNames []string
	caption  string
	foot     string
	bars     map[int]bool // columns with a bar beside each number
	limit    int
	chosen   bool  // the limit is that of the user, not of the kind of data
	last     int   // how many of the rows that are shown are the last ones
	order    []int // of the rows; nil leaves them
	sorted   int   // the column that the rows are sorted by, -1 for none
	falling  bool
	best     map[int]int // by column: +1 marks the largest number, -1 the smallest
	marked   map[[2]int]bool
	err      error
}

// adapters make tables of values that know nothing of this package.
var adapters struct {
	sync.RWMutex
	list []func(v any) (*Table, bool)
}

// Adapt adds a way to make a table of a value, such as the result of an
// algorithm; it reports false for values it does not know. The one added last is
// asked first.
func Adapt(adapter func(v any) (*Table, bool)) {
	adapters.Lock()
	defer adapters.Unlock()
	adapters.list = append(adapters.list, adapter)
}

// Fail makes a table that reports err instead of being shown, for functions that
// make tables.
func Fail(err error) *Table { return newTable(nil, err) }

// New makes a table of the data. A *Table is given back as it is.
func New(data any) *Table {
	if t, ok := data.(*Table); ok && t != nil {
		return t
	}
	adapters.RLock()
	list := adapters.list
	adapters.RUnlock()
	for i := len(list) - 1; i >= 0; i-- {
		if t, ok := list[i](data); ok {
			t.chosen = false
			return t
		}
	}
	if q, ok := data.(query); ok && !reflect.ValueOf(data).IsZero() {
		return queryTable(q)
	}
	cols, err := columnsOf(data)
	return newTable(cols, err)
}

func newTable(cols []column, err error) *Table {
	return &Table{columns: cols, limit: defaultRows, sorted: -1, bars: map[int]bool{}, best: map[int]int{}, marked: map[[2]int]bool{}, err: err}
}

// find returns the position of a column by its name.
func (t *Table) find(option, name string) int {
	var names []string
	for i, c := range t.columns {
		if c.name == name {
			return i
		}
		names = append(names, c.name)
	}
	if t.err == nil {
		t.err = fmt.Errorf("table.%s: there is no column %q; the columns are %s", option, name, strings.Join(names, ", "))
	}
	return -1
}

func (t *Table) rows() int {
	if len(t.columns) == 0 {
		return 0
	}
	return t.columns[0].n
}

// Caption sets the line above the table.
func (t *Table) Caption(s string) *Table { t.caption = s; return t }

// Foot sets the remark below the table.
func (t *Table) Foot(s string) *Table { t.foot = s; return t }

// Bars draws a small bar beside each number of the columns, the largest number of
// a column as the longest bar. Negative numbers get none.
func (t *Table) Bars(columns ...string) *Table {
	for _, name := range columns {
		if i := t.find("Bars", name); i >= 0 {
			t.bars[i] = true
		}
	}
	return t
}

// Rows sets how many rows are shown; the rest is counted. 0 shows all. Without it a table
// shows some rows and how to see more.
func (t *Table) Rows(n int) *Table {
	t.limit, t.last, t.chosen = max(n, 0), 0, true
	return t
}

// Ends sets how many of the first rows and of the last ones are shown; the rows
// between them are counted.
func (t *Table) Ends(first, last int) *Table {
	t.last, t.chosen = max(last, 0), true
	t.limit = max(first, 0) + t.last
	return t
}

// Names renames the columns, from the first on. Where the first row of the data had
// named them, it becomes a row like the others.
func (t *Table) Names(names ...string) *Table {
	t.unname()
	for i, name := range names {
		if i < len(t.columns) {
			t.columns[i].name = name
		} else if t.err == nil {
			t.err = fmt.Errorf("table.Names: %d names for %d columns", len(names), len(t.columns))
		}
	}
	return t
}

// unname makes the row that named the columns the first of the rows.
func (t *Table) unname() {
	if len(t.columns) == 0 || t.columns[0].naming == nil {
		return
	}
	for k, c := range t.columns {
		if c.naming == nil {
			continue
		}
		first := parsed(c.naming.text)
		t.columns[k].n, t.columns[k].naming = c.n+1, nil
		t.columns[k].at = func(i int) cell {
			if i == 0 {
				return first
			}
			return c.at(i - 1)
		}
	}
	marked := map[[2]int]bool{}
	for at := range t.marked {
		marked[[2]int{at[0] + 1, at[1]}] = true
	}
	t.marked = marked
	if t.sorted >= 0 {
		t.order = sortedRows(t.columns[t.sorted], t.falling)
	}
}

// RowNames writes a name in front of each row.
func (t *Table) RowNames(names ...string) *Table {
	if len(names) != t.rows() && t.err == nil {
		t.err = fmt.Errorf("table.RowNames: %d names for %d rows", len(names), t.rows())
	}
	t.rowNames = names
	return t
}

// Columns keeps the named columns only, in that order. Options about columns
// come after it.
func (t *Table) Columns(names ...string) *Table {
	var cols []column
	for _, name := range names {
		if i := t.find("Columns", name); i >= 0 {
			cols = append(cols, t.columns[i])
		}
	}
	if t.err == nil {
		t.columns = cols
		t.bars, t.best, t.marked = map[int]bool{}, map[int]int{}, map[[2]int]bool{}
		t.sorted = -1
	}
	return t
}

// Unit writes a unit behind the name of a column.
func (t *Table) Unit(column, unit string) *Table {
	if i := t.find("Unit", column); i >= 0 {
		t.columns[i].unit = unit
	}
	return t
}

// Digits sets how many digits behind the point the numbers of a column have.
func (t *Table) Digits(column string, n int) *Table {
	if i := t.find("Digits", column); i >= 0 {
		n = max(0, min(n, 20))
		t.columns[i].format = func(x float64) string { return fixed(x, n) }
	}
	return t
}

// Exact writes the numbers of the columns, of all when none is named, with the fewest
// digits that read back as the same number; without it a column is rounded to what its
// largest number needs.
func (t *Table) Exact(columns ...string) *Table {
	if len(columns) == 0 {
		t.columns = slices.Clone(t.columns)
		for i := range t.columns {
			t.columns[i].exact = true
		}
	}
	for _, name := range columns {
		if i := t.find("Exact", name); i >= 0 {
			t.columns[i].exact = true
		}
	}
	return t
}

// Compact writes each number of the columns for itself, with four significant digits:
// for columns whose rows have scales of their own.
func (t *Table) Compact(columns ...string) *Table {
	for _, name := range columns {
		if i := t.find("Compact", name); i >= 0 {
			t.columns[i].format = compact
		}
	}
	return t
}

// Percent writes the numbers of a column, which are shares, in percent with n
// digits behind the point.
func (t *Table) Percent(column string, n int) *Table {
	if i := t.find("Percent", column); i >= 0 {
		n = max(0, min(n, 20))
		t.columns[i].format = func(x float64) string { return fixed(100*x, n) + " %" }
	}
	return t
}

// Best marks the largest number of each of the columns.
func (t *Table) Best(columns ...string) *Table { return t.mark("Best", 1, columns) }

// Least marks the smallest number of each of the columns.
func (t *Table) Least(columns ...string) *Table { return t.mark("Least", -1, columns) }

func (t *Table) mark(option string, sign int, columns []string) *Table {
	for _, name := range columns {
		if i := t.find(option, name); i >= 0 {
			t.best[i] = sign
		}
	}
	return t
}

// Mark marks one cell, by the position of its row in the data and its column.
func (t *Table) Mark(row int, column string) *Table {
	if row < 0 || row >= t.rows() {
		if t.err == nil {
			t.err = fmt.Errorf("table.Mark: there is no row %d; the table has %d", row, t.rows())
		}
		return t
	}
	if i := t.find("Mark", column); i >= 0 {
		t.marked[[2]int{row, i}] = true
	}
	return t
}

// SortBy sorts the rows by a column, in ascending order; missing values go last.
func (t *Table) SortBy(column string) *Table { return t.sort("SortBy", column, false) }

// SortDown sorts the rows by a column, in descending order; missing values go last.
func (t *Table) SortDown(column string) *Table { return t.sort("SortDown", column, true) }

func (t *Table) sort(option, name string, falling bool) *Table {
	k := t.find(option, name)
	if k < 0 {
		return t
	}
	t.sorted, t.falling = k, falling
	t.order = sortedRows(t.columns[k], falling)
	return t
}

// sortedRows returns the positions of the rows in the order of a column.
func sortedRows(c column, falling bool) []int {
	cells, order := make([]cell, c.n), make([]int, c.n)
	for i := range cells {
		cells[i], order[i] = c.at(i), i
	}
	byCalendar(cells)
	sort.SliceStable(order, func(i, j int) bool {
		a, b := cells[order[i]], cells[order[j]]
		switch {
		case a.missing || b.missing:
			return !a.missing && b.missing
		case !a.moment.IsZero() && !b.moment.IsZero():
			if falling {
				a, b = b, a
			}
			return a.moment.Before(b.moment)
		case a.numeric && b.numeric || a.ranked && b.ranked:
			if falling {
				return a.number > b.number
			}
			return a.number < b.number
		case falling:
			return a.text > b.text
		}
		return a.text < b.text
	})
	return order
}

// shown is a table as it is written, whatever the format.
type shown struct {
	caption  string
	foot     string
	rowNames bool
	heads    []head
	rows     [][]entry
	moreRows int
	moreCols int
	total    [2]int
	how      string // how to see more rows, "" if the user has chosen how many there are
}

type head struct {
	name, unit, kind string
	right            bool // numbers stand at the right
	blocks           bool // the column is drawn with block characters
	sorted           int  // +1 ascending, -1 descending
}

type entry struct {
	text    string
	right   bool
	missing bool
	marked  bool
	name    bool    // of a row
	blocks  bool    // a drawing of block characters
	share   float64 // of the longest bar, if it is one
}

// shown chooses the rows and columns that are written and writes their cells.
func (t *Table) shown() (*shown, error) {
	if t.err != nil {
		return nil, t.err
	}
	n, cols := t.rows(), t.columns
	s := &shown{caption: t.caption, foot: t.foot, rowNames: t.rowNames != nil, total: [2]int{n, len(cols)}}
	count := n
	if t.limit > 0 && n > t.limit {
		count = t.limit
		s.moreRows = n - count
		switch {
		case t.chosen:
		case n <= manyRows:
			s.how = "Table(x).Rows(0) shows all rows"
		default:
			s.how = fmt.Sprintf("Table(x).Rows(%d) shows more rows", manyRows)
		}
	}
	if len(cols) > maxColumns {
		s.moreCols = len(cols) - maxColumns
		cols = cols[:maxColumns]
	}
	at := func(i int) int {
		if s.moreRows > 0 && i >= count-t.last {
			i += s.moreRows
		}
		if t.order != nil {
			return t.order[i]
		}
		return i
	}
	s.rows = make([][]entry, count)
	if s.rowNames {
		s.heads = append(s.heads, head{})
		for i := range s.rows {
			s.rows[i] = append(s.rows[i], entry{text: t.rowNames[at(i)], name: true})
		}
	}
	for k, c := range cols {
		cells := make([]cell, count)
		for i := range cells {
			cells[i] = c.at(at(i))
		}
		right, zone := c.write(cells)
		h := head{name: c.name, unit: c.unit, kind: c.kind, right: right, blocks: c.name == histogramColumn}
		if h.unit == "" {
			h.unit = zone
		}
		if k == t.sorted {
			h.sorted = 1
			if t.falling {
				h.sorted = -1
			}
		}
		s.heads = append(s.heads, h)
		best := t.extreme(k)
		for i, x := range cells {
			marked := t.marked[[2]int{at(i), k}] || x.numeric && !math.IsNaN(best) && x.number == best
			text := x.text
			if x.missing {
				text = "–"
			}
			s.rows[i] = append(s.rows[i], entry{text: minus(text, x.numeric), right: h.right, missing: x.missing, marked: marked, blocks: h.blocks})
		}
		if t.bars[k] {
			s.heads = append(s.heads, head{blocks: true})
			largest := t.largest(k)
			for i, x := range cells {
				s.rows[i] = append(s.rows[i], entry{text: bar(x.number / largest), blocks: true, share: math.Min(1, x.number/largest)})
			}
		}
	}
	if s.moreRows > 0 && t.last > 0 {
		s.rows = slices.Insert(s.rows, count-t.last, s.gap())
	}
	return s, nil
}

// gap is the row that stands for those between the first and the last.
func (s *shown) gap() []entry {
	row := make([]entry, len(s.heads))
	for k, h := range s.heads {
		row[k] = entry{text: "…", right: h.right, missing: true}
	}
	return row
}

// extreme is the best number of a column that is to be marked, or NaN.
func (t *Table) extreme(k int) float64 {
	sign := float64(t.best[k])
	best := math.NaN()
	if sign == 0 {
		return best
	}
	c := t.columns[k]
	for i := range c.n {
		if x := c.at(i); x.numeric && (math.IsNaN(best) || sign*x.number > sign*best) {
			best = x.number
		}
	}
	return best
}

// largest is the largest positive number of a column, or +Inf without any.
func (t *Table) largest(k int) float64 {
	c, most := t.columns[k], 0.0
	for i := range c.n {
		if x := c.at(i); x.numeric && x.number > most && !math.IsInf(x.number, 0) {
			most = x.number
		}
	}
	if most == 0 {
		return math.Inf(1)
	}
	return most
}

// bar draws a share with characters; the full bar is ten of them.
func bar(share float64) string {
	if !(share > 0) {
		return ""
	}
	eighths := int(math.Round(80 * math.Min(share, 1)))
	b := strings.Repeat("█", eighths/8)
	if r := eighths % 8; r > 0 {
		b += string([]rune(" ▏▎▍▌▋▊▉")[r])
	}
	return b
}

// minus returns a number its true minus sign.
func minus(s string, numeric bool) string {
	if numeric && strings.HasPrefix(s, "-") {
		return "−" + s[1:]
	}
	return s
}

// Display renders the table.
func (t *Table) Display() (display.Bundle, error) {
	s, err := t.shown()
	if err != nil {
		return display.Bundle{}, err
	}
	return display.Bundle{Data: map[string]any{
		display.MIMEHTML:  s.html(),
		display.MIMELaTeX: s.latex(),
		display.MIMEText:  s.text(),
	}}, nil
}
