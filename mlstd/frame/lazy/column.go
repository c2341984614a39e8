package lazy

import (
	"reflect"
	"time"

	"github.com/gokernel/gokernel/mlstd/frame"
)

// Column is an expression of the columns of a lazy frame. It has methods like the columns of
// frames and, in cells, the same operators.
type Column struct {
	op    string
	name  string // of a column
	value any    // of a literal
	args  []*Column
	kind  frame.Kind
	utc   bool
	of    *Frame
	null  bool
}

// Kind returns the kind of the values.
func (c *Column) Kind() frame.Kind { return c.kind }

// Expr is a view of a column for engines. Op is column, literal, an operator, concat, not, isna,
// fill, float or call.
type Expr struct {
	Op    string
	Name  string // of a column or a function
	Value any    // of a literal, nil if it is missing; of a call, its arguments, a []any
	Args  []*Column
	Kind  frame.Kind
}

// ExprOf returns the parts of a column.
func ExprOf(c *Column) Expr { return Expr{c.op, c.name, c.value, c.args, c.kind} }

// Substitute returns the column with each column of the input replaced.
func Substitute(c *Column, by func(name string) *Column) *Column {
	if c.op == "column" {
		return by(c.name)
	}
	if len(c.args) == 0 {
		return c
	}
	d := *c
	d.args = make([]*Column, len(c.args))
	for i, a := range c.args {
		d.args[i] = Substitute(a, by)
	}
	return &d
}

// operand makes an expression of a value.
func operand(op string, v any) *Column {
	switch v := v.(type) {
	case *Column:
		return v
	case nil:
		return &Column{op: "literal", null: true, kind: frame.FloatKind}
	case time.Time:
		return &Column{op: "literal", value: v, kind: frame.TimeKind}
	}
	x := reflect.ValueOf(v)
	switch {
	case x.CanInt():
		return &Column{op: "literal", value: x.Int(), kind: frame.IntKind}
	case x.CanUint() && x.Uint() < 1<<63:
		return &Column{op: "literal", value: int64(x.Uint()), kind: frame.IntKind}
	case x.CanFloat():
		return &Column{op: "literal", value: x.Float(), kind: frame.FloatKind}
	case x.Kind() == reflect.String:
		return &Column{op: "literal", value: x.String(), kind: frame.StringKind}
	case x.Kind() == reflect.Bool:
		return &Column{op: "literal", value: x.Bool(), kind: frame.BoolKind}
	}
	misuse(op, "call Collect first to combine it with a vector or with the column of a frame", "the value must be a lazy column, number, string, bool or time, got %T", v)
	return nil
}

func number(k frame.Kind) bool { return k == frame.IntKind || k == frame.FloatKind }

func (c *Column) arith(op, name string, a, b *Column) *Column {
	out := &Column{op: op, args: []*Column{a, b}, kind: frame.FloatKind}
	switch {
	case op == "+" && a.kind == frame.StringKind && b.kind == frame.StringKind:
		out.op, out.kind = "concat", frame.StringKind
	case !number(a.kind) || !number(b.kind):
		misuse("LazyColumn."+name, "choose other columns", "both sides must be numbers, got %v and %v", a.kind, b.kind)
	case op == "%" && (a.kind != frame.IntKind || b.kind != frame.IntKind):
		misuse("LazyColumn."+name, "call Collect first", "both sides must be integers, got %v and %v", a.kind, b.kind)
	case op != "/" && a.kind == frame.IntKind && b.kind == frame.IntKind:
		out.kind = frame.IntKind
	}
	return out
}

// Plus returns c + v; two strings are joined.
func (c *Column) Plus(v any) *Column { return c.arith("+", "Plus", c, operand("LazyColumn.Plus", v)) }

// Minus returns c - v.
func (c *Column) Minus(v any) *Column {
	return c.arith("-", "Minus", c, operand("LazyColumn.Minus", v))
}

// Times returns c * v.
func (c *Column) Times(v any) *Column {
	return c.arith("*", "Times", c, operand("LazyColumn.Times", v))
}

// Over returns c / v as a float, also for integers.
func (c *Column) Over(v any) *Column { return c.arith("/", "Over", c, operand("LazyColumn.Over", v)) }

// Mod returns the remainder of the division of integers. It has the sign of c.
func (c *Column) Mod(v any) *Column { return c.arith("%", "Mod", c, operand("LazyColumn.Mod", v)) }

// Rplus returns v + c.
func (c *Column) Rplus(v any) *Column { return c.arith("+", "Plus", operand("LazyColumn.Plus", v), c) }

// Rminus returns v - c.
func (c *Column) Rminus(v any) *Column {
	return c.arith("-", "Minus", operand("LazyColumn.Minus", v), c)
}

// Rover returns v / c.
func (c *Column) Rover(v any) *Column { return c.arith("/", "Over", operand("LazyColumn.Over", v), c) }

// Rmod returns the remainder of v / c.
func (c *Column) Rmod(v any) *Column { return c.arith("%", "Mod", operand("LazyColumn.Mod", v), c) }

// Neg returns -c.
func (c *Column) Neg() *Column { return c.Rminus(0) }

func (c *Column) compare(op, name string, v any) *Column {
	name = "LazyColumn." + name
	b := operand(name, v)
	if s, ok := b.value.(string); ok && c.kind == frame.TimeKind {
		b = operand(name, moment(name, s))
	}
	if class(c.kind) != class(b.kind) && !b.null {
		misuse(name, "convert one side first", "both sides must be of one kind (numbers, strings or times), got %v and %v", c.kind, b.kind)
	}
	return &Column{op: op, args: []*Column{c, b}, kind: frame.BoolKind}
}

// moment parses a time in UTC.
func moment(op, s string) time.Time {
	for _, layout := range []string{time.DateOnly, "2006-01-02 15:04", time.DateTime, "2006-01-02T15:04:05", time.RFC3339Nano, "2006-01", "2006"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t
		}
	}
	misuse(op, "write it as 2024-01-31 or 2024-01-31 18:30", "a string compared with times must be a time, got %q", s)
	return time.Time{}
}

// Less returns the mask of the rows in which c < v. This mask and those below are missing where a
// side is missing.
func (c *Column) Less(v any) *Column { return c.compare("<", "Less", v) }

// LessEqual returns the mask of the rows in which c <= v.
func (c *Column) LessEqual(v any) *Column { return c.compare("<=", "LessEqual", v) }

// Greater returns the mask of the rows in which c > v.
func (c *Column) Greater(v any) *Column { return c.compare(">", "Greater", v) }

// GreaterEqual returns the mask of the rows in which c >= v.
func (c *Column) GreaterEqual(v any) *Column { return c.compare(">=", "GreaterEqual", v) }

// Equal returns the mask of the rows in which c equals v.
func (c *Column) Equal(v any) *Column { return c.compare("=", "Equal", v) }

// NotEqual returns the mask of the rows in which c differs from v.
func (c *Column) NotEqual(v any) *Column { return c.compare("<>", "NotEqual", v) }

// Between returns the mask of the rows in which low <= c and c <= high.
func (c *Column) Between(low, high any) *Column { return c.GreaterEqual(low).And(c.LessEqual(high)) }

// OneOf returns the mask of the rows whose value is one of the values.
func (c *Column) OneOf(values ...any) *Column {
	if len(values) == 0 {
		misuse("LazyColumn.OneOf", "pass some values", "at least one value must be given")
	}
	out := c.Equal(values[0])
	for _, v := range values[1:] {
		out = out.Or(c.Equal(v))
	}
	return out
}

func (c *Column) logic(op, name string, v any) *Column {
	b := operand("LazyColumn."+name, v)
	if c.kind != frame.BoolKind || b.kind != frame.BoolKind {
		misuse("LazyColumn."+name, "use comparisons", "both sides must be of kind bool, got %v and %v", c.kind, b.kind)
	}
	return &Column{op: op, args: []*Column{c, b}, kind: frame.BoolKind}
}

// And returns the mask of the rows in which both masks are true. False and missing is false; true
// and missing is missing.
func (c *Column) And(v any) *Column { return c.logic("and", "And", v) }

// Or returns the mask of the rows in which at least one of the masks is true. True or missing is
// true; false or missing is missing.
func (c *Column) Or(v any) *Column { return c.logic("or", "Or", v) }

// Not returns the mask of the rows in which the mask is false; missing values stay missing.
func (c *Column) Not() *Column {
	if c.kind != frame.BoolKind {
		misuse("LazyColumn.Not", "use a comparison", "the mask must be of kind bool, got %v", c.kind)
	}
	return &Column{op: "not", args: []*Column{c}, kind: frame.BoolKind}
}

// IsNA returns the mask of the rows whose value is missing.
func (c *Column) IsNA() *Column { return &Column{op: "isna", args: []*Column{c}, kind: frame.BoolKind} }

// FillMissing returns c with missing values replaced.
func (c *Column) FillMissing(value any) *Column {
	v := operand("LazyColumn.FillMissing", value)
	if class(v.kind) != class(c.kind) {
		misuse("LazyColumn.FillMissing", "pass a value of the column's kind", "the value must be of kind %v, got %v", c.kind, v.kind)
	}
	out := &Column{op: "fill", args: []*Column{c, v}, kind: c.kind, utc: c.utc}
	if v.kind == frame.FloatKind {
		out.kind = frame.FloatKind
	}
	return out
}

// Float returns a column of numbers or bools as floats.
func (c *Column) Float() *Column {
	if c.kind == frame.StringKind || c.kind == frame.TimeKind {
		misuse("LazyColumn.Float", "choose another column", "the column must hold numbers or bools, got %v", c.kind)
	}
	return &Column{op: "float", args: []*Column{c}, kind: frame.FloatKind}
}
