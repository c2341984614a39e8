package formula

import (
	"math"
	"slices"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/model"
)

// functions are the functions of numbers that a formula can call.
var functions = map[string]func(float64) float64{
	"log": math.Log, "log2": math.Log2, "log10": math.Log10, "log1p": math.Log1p, "exp": math.Exp, "expm1": math.Expm1,
	"sqrt": math.Sqrt, "cbrt": math.Cbrt, "abs": math.Abs, "sin": math.Sin, "cos": math.Cos, "tan": math.Tan, "tanh": math.Tanh,
	"floor": math.Floor, "ceil": math.Ceil,
}

// Numbers returns the value of an expression for each row, or NaN if a value that the expression
// needs is missing.
func Numbers(op string, n *Node, f *frame.Frame) ([]float64, error) {
	return (&evaluator{op: op, f: f}).numbers(n)
}

// evaluator computes expressions. state holds the state of stateful transforms, keyed by their
// text; if learn is set, they learn it.
type evaluator struct {
	op    string
	f     *frame.Frame
	state map[string][]float64
	learn bool
}

func (e *evaluator) column(n *Node) (*frame.Column, error) {
	if !e.f.Has(n.Text) {
		return nil, model.Errorf(e.op, "the frame has no column %q", n.Text).WithHint("its columns are %s", list(e.f.Names()))
	}
	return e.f.Col(n.Text), nil
}

func (e *evaluator) numbers(n *Node) ([]float64, error) {
	switch n.Op {
	case "name":
		c, err := e.column(n)
		if err != nil {
			return nil, err
		}
		switch c.Kind() {
		case frame.FloatKind, frame.IntKind, frame.BoolKind:
			return c.Floats(), nil
		}
		return nil, model.Errorf(e.op, "column %q must be numeric, got kind %v", n.Text, c.Kind()).WithHint("write C(%s) as a term of its own to use its categories", n)
	case "number":
		return slices.Repeat([]float64{n.Num}, e.f.Len()), nil
	case "neg":
		v, err := e.numbers(n.Args[0])
		for i := range v {
			v[i] = -v[i]
		}
		return v, err
	case "call":
		return e.call(n)
	case "+", "-", "*", "/", "^":
		return e.both(n, map[string]func(a, b float64) float64{
			"+": func(a, b float64) float64 { return a + b }, "-": func(a, b float64) float64 { return a - b },
			"*": func(a, b float64) float64 { return a * b }, "/": func(a, b float64) float64 { return a / b }, "^": math.Pow,
		}[n.Op])
	case "<", "<=", ">", ">=", "==", "!=":
		return e.compare(n)
	}
	return nil, model.Errorf(e.op, "I(...) must contain only arithmetic, got %s", n).WithHint("move the interaction out of I(...)")
}

func (e *evaluator) both(n *Node, do func(a, b float64) float64) ([]float64, error) {
	a, err := e.numbers(n.Args[0])
	if err != nil {
		return nil, err
	}
	b, err := e.numbers(n.Args[1])
	if err != nil {
		return nil, err
	}
	for i := range a {
		a[i] = do(a[i], b[i])
	}
	return a, nil
}

// compare returns 1 for each row in which the comparison is true, and 0 otherwise.
func (e *evaluator) compare(n *Node) ([]float64, error) {
	if s := n.Args[1]; s.Op == "string" && n.Args[0].Op == "name" && (n.Op == "==" || n.Op == "!=") {
		c, err := e.column(n.Args[0])
		if err != nil {
			return nil, err
		}
		out := make([]float64, c.Len())
		for i := range out {
			switch {
			case c.IsMissing(i):
				out[i] = math.NaN()
			case (c.Text(i) == s.Text) == (n.Op == "=="):
				out[i] = 1
			}
		}
		return out, nil
	}
	holds := map[string]func(a, b float64) bool{
		"<": func(a, b float64) bool { return a < b }, "<=": func(a, b float64) bool { return a <= b },
		">": func(a, b float64) bool { return a > b }, ">=": func(a, b float64) bool { return a >= b },
		"==": func(a, b float64) bool { return a == b }, "!=": func(a, b float64) bool { return a != b },
	}[n.Op]
	return e.both(n, func(a, b float64) float64 {
		switch {
		case math.IsNaN(a) || math.IsNaN(b):
			return math.NaN()
		case holds(a, b):
			return 1
		}
		return 0
	})
}

func (e *evaluator) call(n *Node) ([]float64, error) {
	do, known := functions[n.Text]
	stateful := n.Text == "center" || n.Text == "scale"
	if !known && !stateful && n.Text != "I" && n.Text != "pow" {
		return nil, model.Errorf(e.op, "there is no function %s(...) in formulas", n.Text).
			WithHint("use C, I, center, scale, pow, offset or one of %s; or compute a column first: f[\"new\"] = ...", list(names()))
	}
	want := 1
	if n.Text == "pow" {
		want = 2
	}
	if len(n.Args) != want {
		return nil, model.Errorf(e.op, "%s takes %d arguments, got %d in %s", n.Text, want, len(n.Args), n)
	}
	if want == 2 {
		return e.both(n, math.Pow)
	}
	v, err := e.numbers(n.Args[0])
	if err != nil || n.Text == "I" {
		return v, err
	}
	if stateful {
		return e.centered(n, v)
	}
	for i, a := range v {
		if v[i] = do(a); !math.IsNaN(a) && (math.IsNaN(v[i]) || math.IsInf(v[i], 0)) {
			return nil, model.Errorf(e.op, "%s must be finite, got %v in row %d, where its argument is %v", n, v[i], i, a).WithHint("leave such rows out with Where")
		}
	}
	return v, nil
}

// centered subtracts the mean and, for scale, divides by the standard deviation of the rows that
// the model was fitted to.
func (e *evaluator) centered(n *Node, v []float64) ([]float64, error) {
	state, ok := e.state[n.String()]
	if !ok {
		if !e.learn {
			return nil, model.Errorf(e.op, "%s must not be used here, because the fit did not compute it", n).WithHint("compute the column first: f[\"new\"] = ...")
		}
		mean, m2, k := 0.0, 0.0, 0.0
		for _, a := range v {
			if !math.IsNaN(a) {
				k++
				d := a - mean
				mean += d / k
				m2 += d * (a - mean)
			}
		}
		sd := 1.0
		if n.Text == "scale" {
			if sd = math.Sqrt(m2 / (k - 1)); !(sd > 0) {
				return nil, model.Errorf(e.op, "the standard deviation in %s must be positive, got %v", n, sd).WithHint("leave out columns that do not vary")
			}
		}
		state = []float64{mean, sd}
		e.state[n.String()] = state
	}
	for i := range v {
		v[i] = (v[i] - state[0]) / state[1]
	}
	return v, nil
}

func names() []string {
	var out []string
	for k := range functions {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// list formats at most a dozen names.
func list(names []string) string {
	s := ""
	for i, n := range names {
		switch {
		case i == 12 && len(names) > 13:
			return s + ", ..."
		case i > 0:
			s += ", "
		}
		s += n
	}
	return s
}
