package frame

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/mlstd/model"
)

// Frame is a table of named columns of equal length.
type Frame struct {
	cols  []*Column
	index map[string]int
	n     int
	notes []note
	own   int // how many of the last notes belong to the step that made the frame
	id    *identity
}

// New makes a frame from the columns. It returns an error if their lengths differ, or a name
// is empty or occurs twice.
func New(cols ...*Column) (*Frame, error) {
	f := &Frame{index: make(map[string]int, len(cols)), id: new(identity)}
	for j, c := range cols {
		if c == nil {
			return nil, model.Errorf("frame.New", "column %d must not be nil", j)
		}
		if c.name == "" {
			return nil, model.Errorf("frame.New", "column %d must have a name", j).WithHint("name it with Named")
		}
		if _, taken := f.index[c.name]; taken {
			return nil, model.Errorf("frame.New", "column names must be distinct, got %q twice", c.name).WithHint("rename one with Named")
		}
		if j > 0 && c.n != f.n {
			return nil, model.Errorf("frame.New", "all columns must have the same number of rows, got %[2]d in %[1]q and %[4]d in %[3]q", c.name, c.n, cols[0].name, f.n)
		}
		if c.n > math.MaxInt32 {
			return nil, model.Errorf("frame.New", "column %q must have at most %d rows, got %d", c.name, math.MaxInt32, c.n)
		}
		f.n = c.n
		f.index[c.name] = j
		f.cols = append(f.cols, c)
	}
	return f, nil
}

// of makes a frame from columns that are known to be valid, with the notes.
func of(op string, cols []*Column, notes ...string) *Frame {
	f, err := New(cols...)
	if err != nil {
		e := err.(*model.Error)
		e.Op = op
		panic(e)
	}
	return f.say(notes...)
}

// like makes a frame from columns with distinct names and n rows.
func like(n int, cols []*Column) *Frame {
	f := &Frame{n: n, cols: cols, index: make(map[string]int, len(cols)), id: new(identity)}
	for j, c := range cols {
		f.index[c.name] = j
	}
	return f
}

// Len returns the number of rows.
func (f *Frame) Len() int { return f.n }

// Width returns the number of columns.
func (f *Frame) Width() int { return len(f.cols) }

// Names returns the names of the columns.
func (f *Frame) Names() []string {
	names := make([]string, len(f.cols))
	for j, c := range f.cols {
		names[j] = c.name
	}
	return names
}

// Columns returns the columns.
func (f *Frame) Columns() []*Column { return slices.Clone(f.cols) }

// Has reports whether the frame has a column with this name.
func (f *Frame) Has(name string) bool {
	_, ok := f.index[name]
	return ok
}

// Col returns the named column. It panics with a [*model.Error] when there is no such column.
func (f *Frame) Col(name string) *Column { return f.col("Frame.Col", name) }

func (f *Frame) col(op, name string) *Column {
	j, ok := f.index[name]
	if !ok {
		panic(f.noColumn(op, name))
	}
	return f.cols[j]
}

// Set replaces the named column, or adds it as the last column if there is none with this name. The
// value is a column, a slice, or one value for all rows. It panics with a [*model.Error] when the
// column or slice is not as long as the frame. Other frames that share the old column keep it.
func (f *Frame) Set(name string, value any) {
	const op = "Frame.Set"
	if name == "" {
		misuse(op, "give the column a name", "the name must not be empty")
	}
	c := f.fit(op, name, value)
	if f.changed(); len(c.notes) > 0 {
		f.say(c.notes...)
		c = c.Named(name)
		c.notes = nil
	}
	if j, ok := f.index[name]; ok {
		f.cols = slices.Clone(f.cols)
		f.cols[j] = c
		return
	}
	if f.index == nil {
		f.index = map[string]int{}
	}
	f.index[name] = len(f.cols)
	f.cols = append(slices.Clip(f.cols), c)
	f.n = c.n
}

// fit makes a column with that name and the length of the frame from a value.
func (f *Frame) fit(op, name string, value any) *Column {
	value = f.computed(value)
	c, single := columnOf(op, name, value)
	if single {
		if len(f.cols) > 0 {
			return c.repeat(f.n)
		}
		return c
	}
	if len(f.cols) > 0 && c.n != f.n {
		misuse(op, "", "column %q must have %d values (the rows of the frame), got %d", name, f.n, c.n)
	}
	return c.Named(name)
}

// With returns the frame with a column replaced or added, as [Frame.Set] does.
func (f *Frame) With(name string, value any) *Frame {
	g := f.heir(f.n, slices.Clone(f.cols))
	g.Set(name, value)
	return g
}

const shownRows = 10

// String returns the size of the frame and its first rows as text.
func (f *Frame) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d rows x %d columns\n", f.n, len(f.cols))
	shown := min(f.n, shownRows)
	width := make([]int, len(f.cols))
	grid := make([][]string, shown+1)
	for i := range grid {
		grid[i] = make([]string, len(f.cols))
		for j, c := range f.cols {
			s := c.name
			if i > 0 {
				if s = c.Text(i - 1); c.IsMissing(i - 1) {
					s = "?"
				}
			}
			grid[i][j] = s
			width[j] = max(width[j], len([]rune(s)))
		}
	}
	for _, row := range grid {
		var line strings.Builder
		for j, s := range row {
			pad := strings.Repeat(" ", width[j]-len([]rune(s)))
			if j > 0 {
				line.WriteString("  ")
			}
			if f.cols[j].kind.numeric() {
				line.WriteString(pad + s)
			} else {
				line.WriteString(s + pad)
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	if f.n > shown {
		fmt.Fprintf(&b, "... %d more\n", f.n-shown)
	}
	for _, note := range f.Notes() {
		fmt.Fprintf(&b, "note: %s\n", note)
	}
	return b.String()
}

// String returns the column as text, in the form of a frame with one column.
func (c *Column) String() string { return like(c.n, []*Column{c}).say(c.notes...).String() }
