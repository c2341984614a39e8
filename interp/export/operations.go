package export

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"

	"github.com/gokernel/gokernel/interp/rewrite"
)

// operation writes a call of a cellrt function, which replaced an operator or an unchecked error.
func (w *writer) operation(call *ast.CallExpr, name string) string {
	args := call.Args
	name = strings.TrimSuffix(name, "In") // the values are the same, in place or not
	switch {
	case name == "Check":
		return w.checked(args[0])
	case name == "Floats":
		return w.helper("floatsOf") + "(" + w.write(args[0]) + ")"
	case predeclared[name] != "":
		return predeclared[name] + "(" + w.write(args[0]) + ")"
	case strings.HasPrefix(name, "Neg"), name == "NotB":
	case strings.HasPrefix(name, "Compare"):
		op, err := strconv.Unquote(args[1].(*ast.BasicLit).Value)
		if err != nil {
			w.x.fail(call, "its operator is unknown")
			return ""
		}
		return w.comparison(op, strings.TrimPrefix(name, "Compare"), args[2:])
	case name == "FixFirst":
		return w.helper("fixFirst") + "(" + w.list(args) + ")"
	case name == "FixSecond":
		return w.helper("fixSecond") + "(" + w.list(args) + ")"
	case strings.HasPrefix(name, "Map"):
		return w.helper(map[string]string{"MapV": "apply", "MapVV": "applyBoth", "MapM": "applyMatrix", "MapD": "applyVector"}[name]) +
			"(" + w.list(args[1:]) + ")"
	default:
		args = args[1:] // skip the position
	}
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i] = w.write(a)
	}
	o, ok := operations[name]
	if !ok {
		w.x.fail(call, "there is no Go for "+name)
		return ""
	}
	if o.swap {
		return w.swapped(o.helper, args, texts)
	}
	if o.negate {
		last := len(texts) - 1
		texts[last] = negative(args[last], texts[last])
	}
	if o.scaled {
		return w.helper(o.helper) + "(" + texts[0] + ", " + w.helper("scale") + "(" + texts[1] + ", " + texts[2] + "))"
	}
	if o.first != "" {
		texts = append([]string{o.first}, texts...)
	}
	return w.helper(o.helper) + "(" + strings.Join(texts, ", ") + ")"
}

// operator names the helper for an operation.
type operator struct {
	helper string
	swap   bool   // swap the operands
	negate bool   // negate the last operand
	scaled bool   // the second operand is the product of the last two
	first  string // an additional first operand
}

var operations = map[string]operator{
	"AddVV": {helper: "add"}, "AddII": {helper: "add"}, "SubVV": {helper: "subtract"}, "SubII": {helper: "subtract"},
	"AddScaled": {helper: "add", scaled: true}, "SubScaled": {helper: "subtract", scaled: true},
	"MulSV": {helper: "scale"}, "MulNI": {helper: "scale"}, "MulVS": {helper: "scale", swap: true}, "MulIN": {helper: "scale", swap: true},
	"NegV": {helper: "scale", first: "-1"}, "NegI": {helper: "scale", first: "-1"},
	"DivVS": {helper: "divide"}, "DivSV": {helper: "divideBy"}, "RemIN": {helper: "remainder"},
	"AddVS": {helper: "shift"}, "AddIN": {helper: "shift"}, "AddSV": {helper: "shift", swap: true}, "AddNI": {helper: "shift", swap: true},
	"SubVS": {helper: "shift", negate: true}, "SubIN": {helper: "shift", negate: true},
	"SubSV": {helper: "subtractFrom"}, "SubNI": {helper: "subtractFrom"},
	"AndBB": {helper: "both"}, "OrBB": {helper: "either"}, "NotB": {helper: "not"},

	"AddMM": {helper: "addMatrix"}, "SubMM": {helper: "subtractMatrix"}, "MulMM": {helper: "multiply"}, "MulMV": {helper: "multiplyVector"},
	"MulSM": {helper: "scaleMatrix"}, "MulMS": {helper: "scaleMatrix", swap: true}, "NegM": {helper: "scaleMatrix", first: "-1"},
	"DivMS": {helper: "divideMatrix"}, "AddMS": {helper: "shiftMatrix"}, "AddSM": {helper: "shiftMatrix", swap: true},
	"SubMS": {helper: "shiftMatrix", negate: true}, "SubSM": {helper: "matrixFrom"},

	"AddDD": {helper: "addVector"}, "SubDD": {helper: "subtractVector"}, "MulMD": {helper: "multiplyVecDense"},
	"MulSD": {helper: "scaleVector"}, "MulDS": {helper: "scaleVector", swap: true}, "NegD": {helper: "scaleVector", first: "-1"},
	"DivDS": {helper: "divideVector"}, "AddDS": {helper: "shiftVector"}, "AddSD": {helper: "shiftVector", swap: true},
	"SubDS": {helper: "shiftVector", negate: true}, "SubSD": {helper: "vectorFrom"},
}

// swapped writes a call of a helper with its two operands in reverse order. The program still
// evaluates them in the original order if that can matter.
func (w *writer) swapped(name string, args []ast.Expr, texts []string) string {
	if w.acts(args[0]) && w.acts(args[1]) {
		return w.helper("swapped") + "(" + w.helper(name) + ", " + texts[0] + ", " + texts[1] + ")"
	}
	return w.helper(name) + "(" + texts[1] + ", " + texts[0] + ")"
}

// acts reports whether evaluating an expression may have an effect, such as drawing a random
// number. It does if the expression receives from a channel, or calls more than operators and
// functions of package math.
func (w *writer) acts(x ast.Expr) bool {
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.CallExpr:
			f := w.callee(n)
			t := w.info.Types[n.Fun]
			found = found || !(t.IsType() || t.IsBuiltin() || rewrite.RuntimeName(n.Fun) != "" || f != nil && f.Pkg() != nil && f.Pkg().Path() == "math")
		}
		return !found
	})
	return found
}

// negative writes -x.
func negative(x ast.Expr, text string) string {
	switch ast.Unparen(x).(type) {
	case *ast.Ident, *ast.BasicLit, *ast.SelectorExpr, *ast.IndexExpr, *ast.CallExpr:
		return "-" + text
	}
	return "-(" + text + ")"
}

var comparisons = map[string]string{"<": "less", "<=": "lessEqual", ">": "greater", ">=": "greaterEqual", "==": "equal", "!=": "notEqual"}

var mirrored = map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}

// comparison writes a comparison of vectors, or of a vector with a number or string.
func (w *writer) comparison(op, kinds string, args []ast.Expr) string {
	texts := []string{w.write(args[0]), w.write(args[1])}
	name := comparisons[op]
	switch kinds {
	case "VV", "II", "WW":
		name += "Each"
	case "SV", "NI", "TW":
		return w.swapped(comparisons[mirrored[op]], args, texts)
	}
	return w.helper(name) + "(" + strings.Join(texts, ", ") + ")"
}

// checked writes a call whose error ends the program.
func (w *writer) checked(e ast.Expr) string {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if ok {
		if o := w.callee(call); o != nil && o.Pkg() != nil && o.Pkg().Path() == displayPath && o.Name() == "Show" && o.Signature().Recv() == nil {
			return w.importName(programPath, "program") + ".Show(" + w.list(call.Args) + ")"
		}
	}
	return w.helper("check") + "(" + w.write(e) + ")"
}
