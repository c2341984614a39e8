// Package table shows data as tables: in HTML that suits light and dark pages, in LaTeX for
// print, and as aligned text.
//
//	table.New(results).Caption("Ten folds").Unit("time", "ms").Best("accuracy")
//
// [New] accepts slices of structs or maps, maps (a map of maps has rows and columns), matrices,
// slices of values, a [Source], and the types added with [Adapt]. It also accepts rows of strings,
// whose first row names the columns unless you call Names. From a database query it reads the first
// 1000 rows, and closes the query. [Describe] summarizes the columns of the same kinds of data.
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

// Limits of a table.
const (
	defaultRows = 20
	manyRows    = 200 // rows that are still shown in full
	maxColumns  = 24
)

// Table is data to be shown. Its methods set options and return the table. If a column name does
// not exist, Display reports it.
type Table struct {
	columns  []column
	rowNames []string
	caption  string
	foot     string
	bars     map[int]bool // columns with a bar beside each number
	shades   map[int]bool // columns whose numbers have colors
	limit    int
	chosen   bool  // the user has set the limit
	last     int   // number of last rows among the rows shown
	order    []int // order of the rows; nil keeps theirs
	sorted   int   // column by which the rows are sorted, -1 for none
	falling  bool
	best     map[int]int // per column: +1 marks the largest number, -1 the smallest
	marked   map[[2]int]bool
	err      error
}

// adapters make tables of types that do not import this package.
var adapters struct {
	sync.RWMutex
	list []func(v any) (*Table, bool)
}

// Adapt adds an adapter, which makes a table of a value, such as the result of an algorithm. The
// adapter returns false for values that it does not handle. The adapter that was added last is
// tried first.
func Adapt(adapter func(v any) (*Table, bool)) {
	adapters.Lock()
	defer adapters.Unlock()
	adapters.list = append(adapters.list, adapter)
}

// Fail returns a table whose Display returns err. Functions that return tables use it to report
// errors.
func Fail(err error) *Table { return newTable(nil, err) }

// New makes a table of the data. A *Table is returned unchanged.
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
	return &Table{columns: cols, limit: defaultRows, sorted: -1, bars: map[int]bool{}, shades: map[int]bool{}, best: map[int]int{}, marked: map[[2]int]bool{}, err: err}
}

// find returns the position of the column with the given name.
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

// Caption sets the text above the table.
func (t *Table) Caption(s string) *Table { t.caption = s; return t }

// Foot sets the text below the table.
func (t *Table) Foot(s string) *Table { t.foot = s; return t }

// Bars draws a small bar next to each number of the columns. The largest number of a column has the
// longest bar. Negative numbers have no bar.
func (t *Table) Bars(columns ...string) *Table {
	for _, name := range columns {
		if i := t.find("Bars", name); i >= 0 {
			t.bars[i] = true
		}
	}
	return t
}

// Gradient colors the background of each number in the named columns or, without names, in all
// numeric columns: the larger the number within its column, the stronger the blue. If a column has
// negative and positive numbers, negative numbers are orange, and colors are stronger farther from
// zero. Colors are in HTML and LaTeX, not in text.
func (t *Table) Gradient(columns ...string) *Table {
	if len(columns) == 0 {
		for i, c := range t.columns {
			if lo, _ := c.extent(); !math.IsNaN(lo) {
				t.shades[i] = true
			}
		}
	}
	for _, name := range columns {
		if i := t.find("Gradient", name); i >= 0 {
			t.shades[i] = true
		}
	}
	return t
}

// extent returns the smallest and the largest finite number of a column, or NaN if there is none.
func (c column) extent() (lo, hi float64) {
	lo, hi = math.NaN(), math.NaN()
	for i := range c.n {
		if x := c.at(i); x.numeric && !x.missing && !math.IsInf(x.number, 0) {
			lo, hi = math.Min(x.number, orSelf(lo, x.number)), math.Max(x.number, orSelf(hi, x.number))
		}
	}
	return lo, hi
}

// orSelf returns x, or y if x is NaN.
func orSelf(x, y float64) float64 {
	if math.IsNaN(x) {
		return y
	}
	return x
}

// shade returns how strong the color of a number is, between -1 (orange) and 1 (blue).
func shade(x, lo, hi float64) float64 {
	switch {
	case math.IsNaN(x) || math.IsNaN(lo):
		return 0
	case lo < 0 && hi > 0:
		return max(-1, min(1, x/math.Max(-lo, hi)))
	case hi == lo:
		return 0
	}
	return max(0, min(1, (x-lo)/(hi-lo)))
}

// Rows sets how many rows are shown; the other rows are only counted. Rows(0) shows all rows. By
// default, a table shows some rows and explains how to see more.
func (t *Table) Rows(n int) *Table {
	t.limit, t.last, t.chosen = max(n, 0), 0, true
	return t
}

// Ends sets how many of the first rows and how many of the last rows are shown. The rows between
// them are only counted.
func (t *Table) Ends(first, last int) *Table {
	t.last, t.chosen = max(last, 0), true
	t.limit = max(first, 0) + t.last
	return t
}

// Names renames the columns, starting with the first. If the first row of the data named the
// columns, it becomes a normal row.
func (t *Table) Names(names ...string) *Table {
	t.unname()
	for i, name := range names {
		if i < len(t.columns) {
			t.columns[i].name = name
		} else if t.err == nil {
			t.err = fmt.Errorf("table.Names: there are %d names for %d columns", len(names), len(t.columns))
		}
	}
	return t
}

// unname turns the row that named the columns back into the first row.
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

// RowNames sets the names that are shown before the rows.
func (t *Table) RowNames(names ...string) *Table {
	if len(names) != t.rows() && t.err == nil {
		t.err = fmt.Errorf("table.RowNames: there are %d names for %d rows", len(names), t.rows())
	}
	t.rowNames = names
	return t
}

// Columns keeps only the named columns, in the given order. Call it before options that refer to
// columns.
func (t *Table) Columns(names ...string) *Table {
	var cols []column
	for _, name := range names {
		if i := t.find("Columns", name); i >= 0 {
			cols = append(cols, t.columns[i])
		}
	}
	if t.err == nil {
		t.columns = cols
		t.bars, t.shades, t.best, t.marked = map[int]bool{}, map[int]bool{}, map[int]int{}, map[[2]int]bool{}
		t.sorted = -1
	}
	return t
}

// Unit sets the unit that is shown after the name of a column.
func (t *Table) Unit(column, unit string) *Table {
	if i := t.find("Unit", column); i >= 0 {
		t.columns[i].unit = unit
	}
	return t
}

// Digits sets the number of decimals of a column.
func (t *Table) Digits(column string, n int) *Table {
	if i := t.find("Digits", column); i >= 0 {
		n = max(0, min(n, 20))
		t.columns[i].format = func(x float64) string { return fixed(x, n) }
	}
	return t
}

// Exact shows each number with the fewest digits that parse as the same number. It applies to the
// named columns or, without names, to all columns. By default, a column is rounded to the precision
// that its largest number needs.
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

// Compact formats each number of the columns separately, with four significant digits. Use it for
// columns whose rows have different magnitudes.
func (t *Table) Compact(columns ...string) *Table {
	for _, name := range columns {
		if i := t.find("Compact", name); i >= 0 {
			t.columns[i].format = compact
		}
	}
	return t
}

// Percent shows the fractions in a column as percentages with n decimals.
func (t *Table) Percent(column string, n int) *Table {
	if i := t.find("Percent", column); i >= 0 {
		n = max(0, min(n, 20))
		t.columns[i].format = func(x float64) string { return fixed(100*x, n) + " %" }
	}
	return t
}

// Best marks the largest number in each of the columns.
func (t *Table) Best(columns ...string) *Table { return t.mark("Best", 1, columns) }

// Least marks the smallest number in each of the columns.
func (t *Table) Least(columns ...string) *Table { return t.mark("Least", -1, columns) }

func (t *Table) mark(option string, sign int, columns []string) *Table {
	for _, name := range columns {
		if i := t.find(option, name); i >= 0 {
			t.best[i] = sign
		}
	}
	return t
}

// Mark marks the cell in the given column and row; row is the position of the row in the data.
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

// SortBy sorts the rows by a column in ascending order. Missing values come last.
func (t *Table) SortBy(column string) *Table { return t.sort("SortBy", column, false) }

// SortDown sorts the rows by a column in descending order. Missing values come last.
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

// shown is a table with formatted cells, independent of the output format.
type shown struct {
	caption  string
	foot     string
	rowNames bool
	heads    []head
	rows     [][]entry
	moreRows int
	moreCols int
	total    [2]int
	how      string // how to see more rows, "" if the user has set their number
	whole    bool   // no column is left out, also if a row is too long for a page
}

type head struct {
	name, unit, kind string
	right            bool // numbers, aligned right
	blocks           bool // the column is drawn with block characters
	sorted           int  // +1 ascending, -1 descending
}

type entry struct {
	text    string
	right   bool
	missing bool
	marked  bool
	name    bool    // the name of a row
	blocks  bool    // drawn with block characters
	share   float64 // length relative to the longest bar, if it is a bar
	shade   float64 // color of the background: from -1, orange, to 1, blue
}

// shown chooses the rows and columns to show and formats their cells.
func (t *Table) shown() (*shown, error) { return t.shownColumns(maxColumns) }

// shownColumns is shown with up to most columns.
func (t *Table) shownColumns(most int) (*shown, error) {
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
	if len(cols) > most {
		s.moreCols = len(cols) - most
		cols = cols[:most]
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
		lo, hi := math.NaN(), math.NaN()
		if t.shades[k] {
			lo, hi = c.extent()
		}
		for i, x := range cells {
			marked := t.marked[[2]int{at(i), k}] || x.numeric && !math.IsNaN(best) && x.number == best
			text := x.text
			if x.missing {
				text = "–"
			}
			s.rows[i] = append(s.rows[i], entry{text: minus(text, x.numeric), right: h.right, missing: x.missing, marked: marked, blocks: h.blocks})
			if x.numeric && !x.missing {
				s.rows[i][len(s.rows[i])-1].shade = shade(x.number, lo, hi)
			}
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

// gap returns the row that is shown instead of the omitted ones.
func (s *shown) gap() []entry {
	row := make([]entry, len(s.heads))
	for k, h := range s.heads {
		row[k] = entry{text: "…", right: h.right, missing: true}
	}
	return row
}

// extreme returns the number of column k to mark as best, or NaN.
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

// largest returns the largest positive number of a column, or +Inf if there is none.
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

// bar draws the fraction share as a bar of characters; a full bar has ten characters.
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

// minus replaces the hyphen of a negative number by a minus sign.
func minus(s string, numeric bool) string {
	if numeric && strings.HasPrefix(s, "-") {
		return "−" + s[1:]
	}
	return s
}

// Display returns the bundle that shows the table.
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
