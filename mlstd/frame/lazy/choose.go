package lazy

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/mlstd/frame"
)

// The operations of this file, in addition to those of [Expr]:
//
//	if        args[1] where the mask args[0] is true, args[2] where it is false
//	case      pairs of a mask and a value, and a value for all other rows if the number of args is
//	          odd; a missing mask counts as false
//	in        whether args[0] is one of the other args, which are literals
//	sum       the sum of floats, from left to right
//	exp, log  of a float, within the range of the function
//	infinity  +Inf, or a missing value where the dialect has no infinite numbers

// If returns a in the rows in which the mask c is true, and b in the rows in which it is false. The
// result is missing where the mask is missing. a and b are columns, single values, or nil for a
// missing value. If one of them is a float, integers in the other become floats; other kinds cannot
// be mixed.
//
//	rides.With("size", rides.Col("km").Greater(10).If("long", "short"))
func (c *Column) If(a, b any) *Column {
	const op = "LazyColumn.If"
	if c.kind != frame.BoolKind {
		misuse(op, `use a comparison, such as f.Col("fare").Greater(10)`, "the mask must be of kind bool, got %v", c.kind)
	}
	x, y := operand(op, a), operand(op, b)
	return chosen(op, "if", []*Column{c, x, y}, x, y)
}

// Case returns the value after the first mask that is true; a missing mask counts as false. Pass
// pairs of a mask and a value, and then the value for all other rows, which is missing if there is
// none.
func Case(args ...*Column) *Column {
	var values []*Column
	for i, a := range args {
		if i%2 == 1 || i == len(args)-1 {
			values = append(values, a)
		}
	}
	if len(args) == 1 {
		return args[0]
	}
	return chosen("LazyColumn.Case", "case", args, values...)
}

// chosen makes an expression whose result is one of the values.
func chosen(op, how string, args []*Column, values ...*Column) *Column {
	out := &Column{op: how, args: args}
	known := false
	for _, v := range values {
		switch {
		case v.null:
		case !known:
			out.kind, out.utc, known = v.kind, v.utc, true
		case class(v.kind) != class(out.kind):
			misuse(op, "convert one of them", "both values must be of one kind, got %v and %v", out.kind, v.kind)
		case v.kind == frame.FloatKind:
			out.kind = frame.FloatKind
		}
	}
	if !known {
		out.kind = frame.FloatKind
	}
	return out
}

// Literal returns the expression of a number, string, bool or time; nil is a missing value.
func Literal(v any) *Column { return operand("LazyColumn", v) }

// Named returns an expression for the column of that name of the frame that the expression is used
// with. The kind is float for numbers and bools, or string.
func Named(name string, kind frame.Kind) *Column {
	return &Column{op: "column", name: name, kind: kind}
}

// In returns the mask of the rows whose value is one of the strings.
func In(c *Column, values []string) *Column {
	args := []*Column{c}
	for _, v := range values {
		args = append(args, Literal(v))
	}
	return &Column{op: "in", args: args, kind: frame.BoolKind}
}

// sumWidth is the maximum number of terms that are added in one expression: parsers of SQL limit
// the depth of expressions.
const sumWidth = 400

// Sum returns the sum of floats, added from left to right. Many terms are added in groups.
func Sum(terms ...*Column) *Column {
	for len(terms) > sumWidth {
		var groups []*Column
		for part := range slices.Chunk(terms, sumWidth) {
			groups = append(groups, Sum(part...))
		}
		terms = groups
	}
	if len(terms) == 1 {
		return terms[0]
	}
	return &Column{op: "sum", args: terms, kind: frame.FloatKind}
}

// Function returns exp or log of a float. The values must be in its range, as those of
// [Column.Exp] and [Column.Log] are: some databases fail otherwise.
func Function(name string, c *Column) *Column {
	return &Column{op: name, args: []*Column{c}, kind: frame.FloatKind}
}

// The range of the exponential function: beyond the bounds, the result is infinite or 0.
const (
	maxExp = 709.782712893384
	minExp = -708.3964185322641
)

func (c *Column) numeric(op string) *Column {
	if !number(c.kind) {
		misuse(op, "choose another column", "the column must hold numbers, got %v", c.kind)
	}
	if c.kind == frame.IntKind {
		return c.Float()
	}
	return c
}

// Exp returns e to the power of c. It is 0 below −708.396, where a power has no longer the full
// precision of a float64, and infinite above 709.782; MySQL and MariaDB have no infinite numbers,
// so it is missing there.
func (c *Column) Exp() *Column {
	c = c.numeric("LazyColumn.Exp")
	high := &Column{op: "infinity", kind: frame.FloatKind}
	return Case(c.Greater(maxExp), high, c.Less(minExp), Literal(0.0), Function("exp", c))
}

// Log returns the natural logarithm of c. The logarithm of 0 is −∞, or missing in MySQL and
// MariaDB, which have no infinite numbers. The logarithm of a negative number is missing.
func (c *Column) Log() *Column {
	c = c.numeric("LazyColumn.Log")
	low := &Column{op: "infinity", kind: frame.FloatKind}
	return Case(c.Greater(0), Function("log", c), c.Equal(0), low.Neg())
}

// isDouble reports whether the value of an expression is a floating-point number in SQL. A column
// of floats can also hold decimals.
func isDouble(c *Column) bool {
	if c.kind != frame.FloatKind {
		return false
	}
	switch c.op {
	case "literal":
		return !c.null
	case "+", "-", "*", "/", "float", "sum", "exp", "log", "infinity":
		return true
	case "if", "case":
		for i, a := range c.args {
			value := i > 0
			if c.op == "case" {
				value = i%2 == 1 || i == len(c.args)-1
			}
			if value && !a.null && !isDouble(a) {
				return false
			}
		}
		return true
	}
	return false
}

// number converts an expression of a number to a floating-point number.
func (d *Dialect) number(text string, c *Column) string {
	if isDouble(c) {
		return text
	}
	return d.asFloat(text, c.kind)
}

// choice writes the operations of this file; known is false for other operations.
func (d *Dialect) choice(c *Column, name func(string) string) (text string, known bool, err error) {
	switch c.op {
	case "infinity":
		if d.infinity == "" {
			return "cast(null as " + d.double + ")", true, nil
		}
		return d.infinity, true, nil
	case "if", "case", "in", "sum", "exp", "log":
	default:
		return "", false, nil
	}
	a := make([]string, len(c.args))
	for i, x := range c.args {
		if a[i], err = d.expr(x, name); err != nil {
			return "", true, err
		}
	}
	value := func(i int) string {
		if c.kind == frame.FloatKind && !c.args[i].null {
			return d.number(a[i], c.args[i])
		}
		return a[i]
	}
	var b strings.Builder
	switch c.op {
	case "if":
		b.WriteString("case when " + a[0] + " then " + value(1) + " when not " + a[0] + " then " + value(2) + " end")
	case "case":
		b.WriteString("case")
		for i := 0; i+1 < len(a); i += 2 {
			b.WriteString(" when " + a[i] + " then " + value(i+1))
		}
		if n := len(a); n%2 == 1 {
			b.WriteString(" else " + value(n-1))
		}
		b.WriteString(" end")
	case "in":
		x := a[0]
		if d == MySQL {
			x = d.binary(x, c.args[0].kind)
		}
		b.WriteString("(" + x + " in (" + strings.Join(a[1:], ", ") + "))")
	case "sum":
		for i := range a {
			a[i] = value(i)
		}
		b.WriteString("(" + strings.Join(a, " + ") + ")")
	case "exp":
		b.WriteString("exp(" + value(0) + ")")
	case "log":
		if d == ClickHouse {
			b.WriteString("log(" + value(0) + ")")
		} else {
			b.WriteString("ln(" + value(0) + ")")
		}
	}
	return b.String(), true, nil
}

// repeated is the size of an expression that is computed once if it occurs several times.
const repeated = 12

// settle prepares an expression for a step of f. It looks up the columns of [Named], and adds steps
// that compute the parts that occur several times. It returns the frame with the columns of these
// steps after those of f, and the expression over that frame.
func (f *Frame) settle(op string, c *Column) (*Frame, *Column) {
	c = f.bind(op, c, map[*Column]*Column{})
	s := &sharing{size: map[*Column]int{}, level: map[*Column]int{}, used: map[*Column]int{}}
	s.count(c)
	delete(s.used, c)
	parts := s.parts()
	if len(parts) == 0 {
		return f, c
	}
	g, names := f, map[*Column]string{}
	var replaced map[*Column]*Column
	for from := 0; from < len(parts); {
		to := from
		fields, exprs := slices.Clone(g.fields), g.columns()
		for ; to < len(parts) && s.level[parts[to]] == s.level[parts[from]]; to++ {
			p := parts[to]
			name := "part " + strconv.Itoa(to+1)
			for g.Has(name) {
				name += "'"
			}
			names[p] = name
			fields, exprs = append(fields, Field{name, p.kind, p.utc}), append(exprs, inside(p, replaced))
		}
		g = g.project(fields, exprs)
		replaced = map[*Column]*Column{}
		for p, name := range names {
			replaced[p] = g.Col(name)
		}
		from = to
	}
	return g, replace(c, replaced, map[*Column]*Column{})
}

// bind returns the expression with the columns of [Named] replaced by those of f. It panics if an
// expression has columns of another frame.
func (f *Frame) bind(op string, c *Column, done map[*Column]*Column) *Column {
	if out, ok := done[c]; ok {
		return out
	}
	out := c
	switch {
	case c.op == "column" && c.of == nil:
		out = f.lookUp(op, c)
	case c.op == "column":
		f.check(op, c)
	default:
		out = c.withArgs(func(a *Column) *Column { return f.bind(op, a, done) })
	}
	done[c] = out
	return out
}

// lookUp returns the column of f for a column of [Named].
func (f *Frame) lookUp(op string, c *Column) *Column {
	x := f.field(op, c.name)
	out := f.Col(c.name)
	switch {
	case c.kind == frame.StringKind && x.Kind != frame.StringKind:
		misuse(op, "convert the column, or fit the model to columns of the kinds that the table has", "the column %q must hold strings, as when the model was fitted, got %v", c.name, x.Kind)
	case c.kind == frame.FloatKind && x.Kind == frame.BoolKind:
		return out.Float()
	case c.kind == frame.FloatKind && !number(x.Kind):
		misuse(op, "convert the column, or fit the model to columns of the kinds that the table has", "the column %q must hold numbers, as when the model was fitted, got %v", c.name, x.Kind)
	}
	return out
}

// sharing finds the parts of an expression that occur several times.
type sharing struct {
	size  map[*Column]int // of the expression, up to a limit
	level map[*Column]int // 1 + the highest level of the parts in it
	used  map[*Column]int // how often it occurs
	order []*Column       // parts after those in them
}

func (s *sharing) count(c *Column) {
	s.used[c]++
	if _, ok := s.size[c]; ok {
		return
	}
	size := 1
	for _, a := range c.args {
		s.count(a)
		size = min(size+s.size[a], repeated)
	}
	s.size[c] = size
	s.order = append(s.order, c)
}

// parts returns the parts by ascending level.
func (s *sharing) parts() []*Column {
	var list []*Column
	inner := map[*Column]int{}
	for _, c := range s.order {
		for _, a := range c.args {
			inner[c] = max(inner[c], inner[a], s.level[a])
		}
		if s.used[c] > 1 && s.size[c] >= repeated {
			s.level[c] = inner[c] + 1
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(a, b *Column) int { return s.level[a] - s.level[b] })
	return list
}

// inside replaces parts within a part, but not the part itself.
func inside(c *Column, by map[*Column]*Column) *Column {
	if by == nil {
		return c
	}
	rest := map[*Column]*Column{}
	out := *c
	out.args = make([]*Column, len(c.args))
	for i, a := range c.args {
		out.args[i] = replace(a, by, rest)
	}
	return &out
}

func replace(c *Column, by, done map[*Column]*Column) *Column {
	if out, ok := by[c]; ok {
		return out
	}
	if out, ok := done[c]; ok {
		return out
	}
	out := c.withArgs(func(a *Column) *Column { return replace(a, by, done) })
	done[c] = out
	return out
}

// withArgs returns the expression with other arguments: c itself if none of them changes, otherwise
// a copy, because c may be a part of other expressions.
func (c *Column) withArgs(other func(a *Column) *Column) *Column {
	out := c
	for i, a := range c.args {
		b := other(a)
		if b == a {
			continue
		}
		if out == c {
			copied := *c
			copied.args = slices.Clone(c.args)
			out = &copied
		}
		out.args[i] = b
	}
	return out
}
