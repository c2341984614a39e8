package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// kind classifies an operand for vector arithmetic. Its value is the letter in the names of the
// functions of cellrt.
type kind byte

const (
	other  kind = 0
	scalar kind = 'S' // any real number
	whole  kind = 'N' // a number that fits in an int
	text   kind = 'T' // a string
	slice  kind = 'V' // []float64
	ints   kind = 'I' // []int
	texts  kind = 'W' // []string
	mask   kind = 'B' // []bool
	vector kind = 'D' // mat.Vector
	matrix kind = 'M' // mat.Matrix
	column kind = 'C' // a column of a frame
	frame  kind = 'F' // a frame
)

var kindNames = map[kind]string{
	scalar: "a number", whole: "a number", text: "a string", slice: "a vector", ints: "a vector of whole numbers",
	texts: "a []string", mask: "a mask", vector: "a mat.Vector", matrix: "a matrix",
	column: "a column", frame: "a frame",
}

func (k kind) String() string {
	if name, ok := kindNames[k]; ok {
		return name
	}
	return "something else"
}

// number reports whether values of the kind are single numbers.
func (k kind) number() bool { return k == scalar || k == whole }

// several reports whether values of the kind have elements, for which Go has no operators.
func (k kind) several() bool {
	return k == slice || k == ints || k == texts || k == mask || k == vector || k == matrix || k == column
}

// kindOf returns the kind of values of the type.
func kindOf(t types.Type) kind {
	if t == nil {
		return other
	}
	switch b := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case b.Info()&types.IsString != 0:
			return text
		case b.Info()&types.IsInteger != 0 && b.Kind() != types.Uint && b.Kind() != types.Uint64 && b.Kind() != types.Uintptr:
			return whole
		case b.Info()&(types.IsInteger|types.IsFloat) != 0:
			return scalar
		}
		return other
	case *types.Slice:
		if e, ok := types.Unalias(b.Elem()).(*types.Basic); ok {
			return map[types.BasicKind]kind{types.Float64: slice, types.Int: ints, types.String: texts, types.Bool: mask}[e.Kind()]
		}
		return other
	}
	// The values of a type parameter have no known kind.
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return other
	}
	if k := frameKind(t); k != other {
		return k
	}
	switch {
	case hasMethods(t, "Dims", "At", "T", "AtVec", "Len"):
		return vector
	case hasMethods(t, "Dims", "At", "T"):
		return matrix
	}
	return other
}

func hasMethods(t types.Type, names ...string) bool {
	for _, name := range names {
		obj, _, _ := types.LookupFieldOrMethod(t, false, nil, name)
		fn, ok := obj.(*types.Func)
		if !ok {
			return false
		}
		if name == "T" {
			res := fn.Signature().Results()
			if res.Len() != 1 || !strings.HasSuffix(res.At(0).Type().String(), "gonum/mat.Matrix") {
				return false
			}
		}
	}
	return true
}

// numberIn maps a kind to the kind of the numbers that combine with it without a conversion.
var numberIn = map[kind]kind{slice: scalar, ints: whole, vector: scalar, matrix: scalar}

// meet returns the kinds to which two operands are converted. Integers stay integers among
// themselves, and become real numbers beside others. A matrix does not combine with []int, which
// usually contains classes.
func meet(a, b kind) (kind, kind) {
	switch {
	case (a == ints || a == whole) && (b == ints || b == whole),
		a == ints && (b == matrix || b == vector), b == ints && (a == matrix || a == vector):
		return a, b
	}
	return realKind(a), realKind(b)
}

func realKind(k kind) kind {
	switch k {
	case ints:
		return slice
	case whole:
		return scalar
	}
	return k
}

// resultKind returns the kind of the result of an operation on converted operands, or a message
// that explains why there is none. The message is empty if go/types should report the error.
func resultKind(op token.Token, a, b kind) (k kind, what, hint string) {
	switch {
	case isComparison(op):
		return comparisonKind(a, b), "", ""
	case op == token.LAND || op == token.LOR:
		if a == mask && b == mask {
			return mask, "", ""
		}
		return other, "", ""
	case a == mask && b == mask && (op == token.AND || op == token.OR || op == token.AND_NOT):
		return other, op.String() + " is for the bits of numbers", "join masks with && and ||, and negate them with !"
	case !arithmetic(a) || !arithmetic(b), a == ints && !(b == ints || b == whole), b == ints && !(a == ints || a == whole):
		return other, "", ""
	}
	switch op {
	case token.ADD, token.SUB:
		return sumKind(op, a, b)
	case token.MUL:
		return productKind(a, b)
	case token.QUO:
		return quotientKind(a, b)
	case token.REM:
		if a == ints && b == whole {
			return ints, "", ""
		}
	}
	return other, "", ""
}

// arithmetic reports whether operands of the kind can be added and multiplied.
func arithmetic(k kind) bool {
	return k.number() || k == slice || k == ints || k == vector || k == matrix
}

func isComparison(op token.Token) bool {
	switch op {
	case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
		return true
	}
	return false
}

func comparisonKind(a, b kind) kind {
	for _, vec := range []kind{slice, ints, texts} {
		one := vec.one()
		if a == vec && (b == vec || b == one) || a == one && b == vec {
			return mask
		}
	}
	return other
}

// one returns the kind of the elements.
func (k kind) one() kind {
	if k == texts {
		return text
	}
	return numberIn[k]
}

func sumKind(op token.Token, a, b kind) (k kind, what, hint string) {
	switch {
	case a == b:
		return a, "", ""
	case a.number():
		return b, "", ""
	case b.number():
		return a, "", ""
	}
	return other, a.String() + " " + op.String() + " " + b.String() + " is not defined", toSameKind(a, b)
}

func productKind(a, b kind) (k kind, what, hint string) {
	switch {
	case a.number():
		return b, "", ""
	case b.number():
		return a, "", ""
	case a == matrix:
		return b, "", ""
	case b == matrix:
		return other, a.String() + " * a matrix is not defined", "a vector is a column: write A.T() * v for vᵀA"
	}
	return other, "the product of two vectors can mean two things", "write ml.Dot(a, b) for the sum of products, ml.Hadamard(a, b) for the products one by one"
}

func quotientKind(a, b kind) (k kind, what, hint string) {
	switch {
	case a == ints && b == whole || a == whole && b == ints:
		return other, "the quotient of whole numbers can mean two things", "write / 2.0 to keep the fractions, or x / 2 in a loop over the elements to drop them"
	case b.number():
		return a, "", ""
	case a == scalar && b == slice:
		return slice, "", ""
	case (a == slice || a == ints) && b == a:
		return other, "division by a vector is not defined", "divide one by one in a loop, or multiply by a number"
	}
	return other, "division by " + b.String() + " is not defined", "solve the system instead: x.SolveVec(A, b) finds x with A x = b"
}

func toSameKind(a, b kind) string {
	if a == vector && b == slice || a == slice && b == vector {
		return "mat.NewVecDense(len(v), v) makes a mat.Vector of a []float64"
	}
	return "bring both to the same shape first"
}

// kinds determines the kinds of a unit's expressions, including expressions that go/types could not
// type.
type kinds struct {
	info *types.Info
	made map[ast.Expr]kind     // the calls that replace operations
	vars map[types.Object]kind // variables whose type comes from operations
	memo map[ast.Expr]kind
}

// newKinds finds the variables of the files that are defined by operations. A definition may depend
// on a later one.
func newKinds(info *types.Info, files []*ast.File) *kinds {
	k := &kinds{info: info, made: map[ast.Expr]kind{}, vars: map[types.Object]kind{}, memo: map[ast.Expr]kind{}}
	for more := true; more; {
		more = false
		for _, f := range files {
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.AssignStmt:
					if n.Tok == token.DEFINE {
						more = k.note(n.Lhs, n.Rhs) || more
					}
				case *ast.ValueSpec:
					if n.Type == nil {
						names := make([]ast.Expr, len(n.Names))
						for i, id := range n.Names {
							names[i] = id
						}
						more = k.note(names, n.Values) || more
					}
				}
				return true
			})
		}
		clear(k.memo)
	}
	return k
}

// note records the kinds of variables that are defined by operations, and reports whether one is
// new.
func (k *kinds) note(names, values []ast.Expr) bool {
	found := false
	if len(names) != len(values) {
		return false
	}
	for i, x := range values {
		id, ok := names[i].(*ast.Ident)
		if !ok {
			continue
		}
		obj := k.info.Defs[id]
		if obj == nil || k.vars[obj] != other {
			continue
		}
		if is := k.of(x); is.several() && is != kindOf(obj.Type()) {
			k.vars[obj] = is
			found = true
		}
	}
	return found
}

// of returns the kind of an expression.
func (k *kinds) of(e ast.Expr) kind {
	e = ast.Unparen(e)
	if is, ok := k.made[e]; ok {
		return is
	}
	if is, ok := k.memo[e]; ok {
		return is
	}
	is := k.find(e)
	k.memo[e] = is
	return is
}

func (k *kinds) find(e ast.Expr) kind {
	switch e := e.(type) {
	case *ast.Ident:
		if is, ok := k.vars[k.info.Uses[e]]; ok {
			return is
		}
	case *ast.BinaryExpr:
		a, b := k.of(e.X), k.of(e.Y)
		if a == column || b == column {
			if is := k.columnKind(e); is != other {
				return is
			}
			break
		}
		if a.several() || b.several() {
			is, _, _ := resultKind(e.Op, metLeft(a, b), metRight(a, b))
			return is
		}
	case *ast.UnaryExpr:
		if is := k.of(e.X); is.several() {
			return unaryKind(e.Op, is)
		}
	case *ast.IndexExpr:
		if k.of(e.X) == frame {
			return column
		}
	case *ast.CallExpr:
		if _, is := k.applied(e); is != other {
			return is
		}
	}
	if t := k.info.TypeOf(e); t != nil && t != types.Typ[types.Invalid] {
		return kindOf(t)
	}
	return other
}

func metLeft(a, b kind) kind  { a, _ = meet(a, b); return a }
func metRight(a, b kind) kind { _, b = meet(a, b); return b }

// unaryKind returns the kind of -x and !x for an operand with elements.
func unaryKind(op token.Token, k kind) kind {
	switch {
	case op == token.SUB && (arithmetic(k) || k == column), op == token.NOT && (k == mask || k == column):
		return k
	}
	return other
}
