// Package lazy has frames whose rows stay where they are, such as in a database. Their verbs only
// build a query. Collect has the database run it, and brings the result as a frame.
package lazy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Engine runs the queries of lazy frames.
type Engine interface {
	// Dialect returns the SQL dialect of the engine.
	Dialect() (*Dialect, error)
	// Collect runs a query, and returns its rows.
	Collect(query string) (*frame.Frame, error)
	// String describes the engine in messages, without a password.
	String() string
}

// Field is a column of a lazy frame: its name and kind.
type Field struct {
	Name string
	Kind frame.Kind
	utc  bool // for times, whether the zone is UTC
}

// Frame is a frame whose rows are in an engine. It has the verbs of a frame.
type Frame struct {
	engine Engine
	node   any // a step of the plan
	fields []Field
}

// Plan returns the step that makes the rows of a lazy frame, for engines that run the steps
// themselves: a [*Table], [*Source], [*Filter], [*Project], [*Grouped], [*Joined], [*Sorted],
// [*Limited], [*Distinct] or [*Concatenated]. It must not be changed.
func Plan(f *Frame) any { return f.node }

// Fields returns the columns of a lazy frame.
func Fields(f *Frame) []Field { return slices.Clone(f.fields) }

// The steps of a plan.
type (
	// Table is a table or query of a database.
	Table struct{ From string } // SQL text after FROM
	// Source is anything else that has rows.
	Source struct{ Origin any }
	// Filter keeps the rows for which the mask is true.
	Filter struct {
		In   *Frame
		Mask *Column
	}
	// Project computes columns.
	Project struct {
		In    *Frame
		Exprs []*Column // of each field
	}
	// Grouped aggregates groups of rows.
	Grouped struct {
		In    *Frame
		Keys  []string
		Aggs  []frame.Agg
		Share bool // adds the fraction of all rows, and sorts by the count
	}
	// Joined joins two frames. Kind is join, left join, exists or not exists.
	Joined struct {
		Left, Right *Frame
		Kind        string
		On, Others  []string // key columns on the left and on the right
		// AsOf is set for a join in which the first key need not be equal; Kind is then left join.
		AsOf *frame.AsOf
	}
	// Sorted sorts the rows by columns, in descending order if a minus sign is in front.
	Sorted struct {
		In *Frame
		By []string
	}
	// Limited keeps the first rows.
	Limited struct {
		In *Frame
		N  int
	}
	// Distinct keeps the first row of each set of rows that are equal in the columns.
	Distinct struct {
		In    *Frame
		Names []string
	}
)

// Runner is an engine that runs the steps of a plan itself.
type Runner interface {
	Engine
	// Run calls yield with the rows, piece by piece and in order.
	Run(f *Frame, yield func(*frame.Frame) error) error
	// All returns all rows.
	All(f *Frame) (*frame.Frame, error)
	// Explain describes how the engine would run the steps.
	Explain(f *Frame) (string, error)
}

// FromSource returns the lazy frame of a source that the engine knows. The frame sample has the
// source's columns; its rows are ignored.
func FromSource(engine Runner, origin any, sample *frame.Frame) *Frame {
	f := New(engine, "", sample)
	f.node = &Source{origin}
	return f
}

// New returns the lazy frame of an SQL source: the quoted name of a table, or a query in
// parentheses. The frame sample has the source's columns; its rows are ignored.
func New(engine Engine, from string, sample *frame.Frame) *Frame {
	f := &Frame{engine: engine, node: &Table{from}}
	for _, c := range sample.Columns() {
		kind := c.Kind()
		if kind == frame.CategoryKind {
			kind = frame.StringKind
		}
		f.fields = append(f.fields, Field{Name: c.Name(), Kind: kind, utc: kind == frame.TimeKind && c.Zone().String() == "UTC"})
	}
	return f
}

func misuse(op, hint, format string, args ...any) {
	panic(model.Errorf(op, format, args...).WithHint("%s", hint))
}

// Names returns the names of the columns.
func (f *Frame) Names() []string {
	names := make([]string, len(f.fields))
	for j, x := range f.fields {
		names[j] = x.Name
	}
	return names
}

// Has reports whether there is a column of that name.
func (f *Frame) Has(name string) bool { return f.at(name) >= 0 }

func (f *Frame) at(name string) int {
	return slices.IndexFunc(f.fields, func(x Field) bool { return x.Name == name })
}

func (f *Frame) field(op, name string) Field {
	j := f.at(name)
	if j < 0 {
		quoted := make([]string, len(f.fields))
		for i, x := range f.fields {
			quoted[i] = strconv.Quote(x.Name)
		}
		misuse(op, "the columns are "+strings.Join(quoted, ", "), "there is no column %q", name)
	}
	return f.fields[j]
}

func (f *Frame) next(n any, fields []Field) *Frame {
	seen := map[string]bool{}
	for _, x := range fields {
		if seen[x.Name] {
			misuse("LazyFrame", "rename a column first", "each column must have its own name, got %q twice", x.Name)
		}
		seen[x.Name] = true
	}
	return &Frame{engine: f.engine, node: n, fields: fields}
}

// Col returns an expression for the named column. In cells, write f["name"].
func (f *Frame) Col(name string) *Column {
	x := f.field("LazyFrame.Col", name)
	return &Column{op: "column", name: x.Name, kind: x.Kind, utc: x.utc, of: f}
}

// Where returns the rows for which mask is true; a missing value in it selects nothing.
func (f *Frame) Where(mask *Column) *Frame {
	const op = "LazyFrame.Where"
	if mask.kind != frame.BoolKind {
		misuse(op, `use a comparison, such as f.Col("fare").Greater(10)`, "the mask must be of kind bool, got %v", mask.kind)
	}
	g, mask := f.settle(op, mask)
	out := g.next(&Filter{g, mask}, g.fields)
	if g != f {
		return out.Select(f.Names()...)
	}
	return out
}

// check panics if an expression has columns of another frame.
func (f *Frame) check(op string, c *Column) {
	if c.op == "column" && c.of != f {
		for _, x := range f.fields {
			if x.Name == c.name && x.Kind == c.kind {
				return
			}
		}
		misuse(op, "use a column of the frame whose method you call", "the column %q must be a column of this frame", c.name)
	}
	for _, a := range c.args {
		f.check(op, a)
	}
}

func (f *Frame) project(fields []Field, exprs []*Column) *Frame {
	return f.next(&Project{f, exprs}, fields)
}

func (f *Frame) columns() []*Column {
	list := make([]*Column, len(f.fields))
	for j, x := range f.fields {
		list[j] = f.Col(x.Name)
	}
	return list
}

// Select returns the named columns, in that order.
func (f *Frame) Select(names ...string) *Frame {
	fields, exprs := make([]Field, len(names)), make([]*Column, len(names))
	for j, name := range names {
		fields[j], exprs[j] = f.field("LazyFrame.Select", name), f.Col(name)
	}
	return f.project(fields, exprs)
}

// Drop returns the frame without the named columns.
func (f *Frame) Drop(names ...string) *Frame {
	for _, name := range names {
		f.field("LazyFrame.Drop", name)
	}
	return f.Select(slices.DeleteFunc(f.Names(), func(s string) bool { return slices.Contains(names, s) })...)
}

// Rename returns the frame with columns renamed. Pass pairs of an old and a new name.
func (f *Frame) Rename(pairs ...string) *Frame {
	const op = "LazyFrame.Rename"
	if len(pairs)%2 != 0 {
		misuse(op, "pass pairs of an old and a new name", "the number of names must be even, got %d", len(pairs))
	}
	fields := slices.Clone(f.fields)
	for i := 0; i < len(pairs); i += 2 {
		f.field(op, pairs[i])
		fields[f.at(pairs[i])].Name = pairs[i+1]
	}
	return f.project(fields, f.columns())
}

// With returns the frame with a column added or replaced. The value is an expression, or one value
// for all rows.
func (f *Frame) With(name string, value any) *Frame {
	const op = "LazyFrame.With"
	g, c := f.settle(op, operand(op, value))
	fields, exprs := slices.Clone(f.fields), g.columns()[:len(f.fields)]
	x := Field{name, c.kind, c.utc}
	if j := f.at(name); j >= 0 {
		fields[j], exprs[j] = x, c
	} else {
		fields, exprs = append(fields, x), append(exprs, c)
	}
	return g.project(fields, exprs)
}

// Set adds or replaces a column of f. In cells, write f["name"] = value.
func (f *Frame) Set(name string, value any) {
	from := *f
	c := operand("LazyFrame.Set", value)
	*f = *from.With(name, c)
}

// Sort returns the rows in ascending order of the first named column; each further column breaks
// ties. A name with a leading minus sign, such as "-fare", sorts in descending order. Missing
// values come last in both orders. Strings are sorted by their bytes.
func (f *Frame) Sort(by ...string) *Frame {
	if len(by) == 0 {
		misuse("LazyFrame.Sort", "name a column of the frame", "at least one column must be named")
	}
	for _, name := range by {
		f.direction("LazyFrame.Sort", name)
	}
	return f.next(&Sorted{f, by}, f.fields)
}

// direction returns the field of a name that can have a minus in front, and whether it has.
func (f *Frame) direction(op, name string) (Field, bool) {
	if rest, ok := strings.CutPrefix(name, "-"); ok && !f.Has(name) {
		return f.field(op, rest), true
	}
	return f.field(op, name), false
}

// Head returns the first n rows. Without Sort, the engine chooses the rows.
func (f *Frame) Head(n int) *Frame { return f.next(&Limited{f, max(n, 0)}, f.fields) }

// Distinct returns one row of each set of rows that are equal in the named columns, or in all
// columns if no columns are named. It is the first row in the order of Sort. Missing values are
// equal to each other.
func (f *Frame) Distinct(names ...string) *Frame {
	for _, name := range names {
		f.field("LazyFrame.Distinct", name)
	}
	return f.next(&Distinct{f, names}, f.fields)
}

// Groups are the groups of rows that are equal in some columns.
type Groups struct {
	frame *Frame
	keys  []string
}

// By groups the rows by the named columns.
func (f *Frame) By(names ...string) *Groups {
	if len(names) == 0 {
		misuse("LazyFrame.By", "use Agg of the frame for one group of all rows", "at least one column must be named")
	}
	for _, name := range names {
		f.field("LazyFrame.By", name)
	}
	return &Groups{f, names}
}

// Agg returns one row per group, in ascending order of the keys: the keys and the aggregates. These
// are Count, Sum, Mean, Median, Quantile, SD, Variance, Min, Max and Unique. Files also have First,
// Last, Corr and AggColumn, whose function must return numbers.
func (g *Groups) Agg(aggs ...frame.Agg) *Frame {
	return g.frame.aggregate("LazyGroups.Agg", g.keys, aggs, false)
}

// Agg returns one row with the aggregates of all rows.
func (f *Frame) Agg(aggs ...frame.Agg) *Frame { return f.aggregate("LazyFrame.Agg", nil, aggs, false) }

// Counts returns how often each combination of values of the named columns occurs, and its fraction
// of all rows, most frequent first.
func (f *Frame) Counts(names ...string) *Frame {
	g := f.By(names...)
	return f.aggregate("LazyFrame.Counts", g.keys, []frame.Agg{frame.Count()}, true)
}

func (f *Frame) aggregate(op string, keys []string, aggs []frame.Agg, share bool) *Frame {
	var fields []Field
	for _, name := range keys {
		fields = append(fields, f.field(op, name))
	}
	if len(aggs) == 0 {
		misuse(op, `pass aggregates, such as Mean("fare")`, "at least one aggregate must be given")
	}
	_, runs := f.engine.(Runner)
	for _, a := range aggs {
		p := a.Parts()
		x := Field{Name: p.Name, Kind: frame.FloatKind}
		var of Field
		if p.Column != "" {
			of = f.field(op, p.Column)
		}
		numeric := of.Kind == frame.FloatKind || of.Kind == frame.IntKind || of.Kind == frame.BoolKind
		switch p.Op {
		case "count", "unique":
			x.Kind = frame.IntKind
		case "sum":
			if of.Kind != frame.FloatKind {
				x.Kind = frame.IntKind
			}
		case "min", "max":
			x.Kind, x.utc = of.Kind, of.utc
		case "mean", "median", "quantile", "sd", "variance":
		default:
			if !runs || p.Op == "" {
				misuse(op, "call Collect first, and then Agg of the frame", "an engine cannot compute the aggregate %q", p.Op)
			}
			switch p.Op {
			case "first", "last":
				x.Kind, x.utc = of.Kind, of.utc
			case "corr":
				if second := f.field(op, p.Second); !number(second.Kind) && second.Kind != frame.BoolKind {
					misuse(op, "choose another column", "the column %q must hold numbers, got %v", p.Second, second.Kind)
				}
			}
		}
		if !numeric && !slices.Contains([]string{"count", "unique", "min", "max", "first", "last", "own"}, p.Op) {
			misuse(op, "choose another column", "the column %q must hold numbers, got %v", p.Column, of.Kind)
		}
		if p.Totals {
			misuse(op, "leave Totals out", "a lazy frame has no totals")
		}
		fields = append(fields, x)
	}
	if share {
		fields = append(fields, Field{Name: "share", Kind: frame.FloatKind})
	}
	return f.next(&Grouped{f, keys, aggs, share}, fields)
}

// Join pairs each row of f with each row of other that is equal to it in the named columns. If a
// key has another name on the right, write "left=right". A row with a missing key has no partner.
// If f has a column of the same name, the one from other gets the suffix "_right".
func (f *Frame) Join(other *Frame, on ...string) *Frame {
	return f.join("LazyFrame.Join", "join", other, on)
}

// LeftJoin is [Frame.Join], but keeps the rows of f without a partner. In these rows, the columns
// of other are missing.
func (f *Frame) LeftJoin(other *Frame, on ...string) *Frame {
	return f.join("LazyFrame.LeftJoin", "left join", other, on)
}

// SemiJoin returns the rows of f that have a partner in other, each once.
func (f *Frame) SemiJoin(other *Frame, on ...string) *Frame {
	return f.join("LazyFrame.SemiJoin", "exists", other, on)
}

// AntiJoin returns the rows of f that have no partner in other.
func (f *Frame) AntiJoin(other *Frame, on ...string) *Frame {
	return f.join("LazyFrame.AntiJoin", "not exists", other, on)
}

func (f *Frame) join(op, kind string, other *Frame, on []string) *Frame {
	switch {
	case len(on) == 0:
		misuse(op, "name a column of both frames", "at least one column to join on must be named")
	case other.engine != f.engine:
		misuse(op, "write one side to the database of the other with Write", "both frames must be in the same database, got %s and %s", f.engine, other.engine)
	}
	j := &Joined{Left: f, Right: other, Kind: kind}
	for _, key := range on {
		left, right, ok := strings.Cut(key, "=")
		if !ok || f.Has(key) && other.Has(key) {
			left, right = key, key
		}
		a, b := f.field(op, left), other.field(op, right)
		if class(a.Kind) != class(b.Kind) {
			misuse(op, "convert one of the columns", "the keys must be of one kind, got %q of kind %v and %q of kind %v", left, a.Kind, right, b.Kind)
		}
		j.On, j.Others = append(j.On, left), append(j.Others, right)
	}
	fields := slices.Clone(f.fields)
	if kind == "join" || kind == "left join" {
		for _, x := range other.fields {
			if slices.Contains(j.Others, x.Name) {
				continue
			}
			if f.Has(x.Name) {
				x.Name += "_right"
			}
			fields = append(fields, x)
		}
	}
	return f.next(j, fields)
}

// class is a kind, with one class for all numbers.
func class(k frame.Kind) frame.Kind {
	if k == frame.IntKind {
		return frame.FloatKind
	}
	return k
}

// Collect runs the query, and returns its rows as a frame.
func (f *Frame) Collect() (*frame.Frame, error) {
	if r, ok := f.engine.(Runner); ok {
		return r.All(f)
	}
	text, err := f.SQL()
	if err != nil {
		return nil, err
	}
	out, err := f.engine.Collect(text)
	if err != nil {
		return nil, err
	}
	for _, x := range f.fields { // some databases have no booleans
		if x.Kind == frame.BoolKind && out.Has(x.Name) && out.Col(x.Name).Kind() == frame.IntKind {
			out = out.With(x.Name, out.Col(x.Name).NotEqual(0))
		}
	}
	return out, nil
}

// Stream runs the query, and calls yield with its rows, piece by piece and in order. It stops when
// yield returns an error. Rows of files are never in memory together; a database sends its result
// as one piece.
func (f *Frame) Stream(yield func(*frame.Frame) error) error {
	if r, ok := f.engine.(Runner); ok {
		return r.Run(f, yield)
	}
	out, err := f.Collect()
	if err != nil {
		return err
	}
	return yield(out)
}

// Explain returns how Collect would run: the steps for files, or the query for a database.
func (f *Frame) Explain() (string, error) {
	if r, ok := f.engine.(Runner); ok {
		return r.Explain(f)
	}
	return f.SQL()
}

// SQL returns the query in the dialect of the engine.
func (f *Frame) SQL() (string, error) {
	d, err := f.engine.Dialect()
	if err != nil {
		return "", err
	}
	return f.render(d)
}

// String describes the frame, without running a query.
func (f *Frame) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "lazy frame in %s; Collect brings its rows\n", f.engine)
	for _, x := range f.fields {
		fmt.Fprintf(&b, "  %s  %v\n", x.Name, x.Kind)
	}
	return b.String()
}
