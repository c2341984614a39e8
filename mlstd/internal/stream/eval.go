package stream

import (
	"math"
	"slices"
	"time"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/frame/lazy"
	"github.com/gokernel/gokernel/mlstd/model"
)

// eval computes an expression for a batch. The result is a *frame.Column, or the value of a
// literal.
func eval(c *lazy.Column, b *frame.Frame) any {
	x := lazy.ExprOf(c)
	switch x.Op {
	case "column":
		return b.Col(x.Name)
	case "literal":
		return x.Value
	}
	if out, ok := choose(c, b); ok {
		return out
	}
	left := column(x.Args[0], b)
	if len(x.Args) == 1 {
		switch x.Op {
		case "not":
			return left.Not()
		case "isna":
			return left.IsNA()
		case "call":
			return lazy.Apply(x.Name, left, x.Value.([]any))
		case "float":
			return frame.FloatColumn(left.Name(), left.Floats()).WithUnit(left.Unit())
		}
	}
	right := eval(x.Args[1], b)
	if right == nil { // a literal that is missing
		right = column(x.Args[1], b)
		if k := left.Kind(); k != frame.FloatKind && k != frame.IntKind {
			right = take(frameOf([]*frame.Column{left}), slices.Repeat([]int32{-1}, b.Len())).Col(left.Name())
		}
	}
	switch x.Op {
	case "+", "concat":
		return left.Plus(right)
	case "-":
		return left.Minus(right)
	case "*":
		return left.Times(right)
	case "/":
		return left.Over(right)
	case "%":
		return left.Mod(right)
	case "<":
		return left.Less(right)
	case "<=":
		return left.LessEqual(right)
	case ">":
		return left.Greater(right)
	case ">=":
		return left.GreaterEqual(right)
	case "=":
		return left.Equal(right)
	case "<>":
		return left.NotEqual(right)
	case "and":
		return left.And(right)
	case "or":
		return left.Or(right)
	case "fill":
		return left.FillMissing(right)
	}
	misuse("Scan", "the operator %q is not known", x.Op)
	return nil
}

// column computes an expression as a column.
func column(c *lazy.Column, b *frame.Frame) *frame.Column {
	v := eval(c, b)
	if out, ok := v.(*frame.Column); ok {
		return out
	}
	if v == nil {
		gone := make([]float64, b.Len())
		for i := range gone {
			gone[i] = math.NaN()
		}
		return frame.FloatColumn("value", gone)
	}
	x := lazy.ExprOf(c)
	return repeated(x.Kind, v, b.Len())
}

// repeated returns a column of n equal values.
func repeated(kind frame.Kind, v any, n int) *frame.Column {
	switch v := v.(type) {
	case float64:
		return frame.FloatColumn("value", slices.Repeat([]float64{v}, n))
	case int64:
		return frame.IntColumn("value", slices.Repeat([]int64{v}, n))
	case bool:
		return frame.BoolColumn("value", slices.Repeat([]bool{v}, n))
	case string:
		return frame.StringCodes("value", make([]int32, n), []string{v})
	case time.Time:
		if n == 0 {
			return frame.NanoColumn("value", nil, v.Location())
		}
		return frame.TimeColumn("value", slices.Repeat([]time.Time{v}, n))
	}
	misuse("Scan", "a value of kind %v must be a number, string, bool or time, got %T", kind, v)
	return nil
}

func misuse(op, format string, args ...any) { panic(model.Errorf(op, format, args...)) }

// where returns the rows of a batch for which the mask is true.
func where(b *frame.Frame, mask *lazy.Column) *frame.Frame { return b.Where(column(mask, b)) }

// columnsOf adds the columns of an expression to a list.
func columnsOf(c *lazy.Column, list []string) []string {
	x := lazy.ExprOf(c)
	if x.Op == "column" && !slices.Contains(list, x.Name) {
		list = append(list, x.Name)
	}
	for _, a := range x.Args {
		list = columnsOf(a, list)
	}
	return list
}
