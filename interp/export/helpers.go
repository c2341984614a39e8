package export

import (
	"maps"
	"slices"
	"strings"
)

// helper is a function that a program declares to implement a feature of the cell language.
type helper struct {
	text  string // uses $name for other helpers and %path% for packages
	needs []string
	paths []string
}

// helper returns the name of a helper and adds it to the file.
func (w *writer) helper(name string) string { return w.out.helper(name) }

func (f *file) helper(name string) string {
	if final, ok := f.x.helpers[name]; ok {
		return final
	}
	final := f.x.unique(name, f.x.helperNames)
	f.x.helpers[name] = final
	for _, n := range helpers[name].needs {
		f.helper(n)
	}
	for _, p := range helpers[name].paths {
		f.importName(p, p[strings.LastIndexByte(p, '/')+1:])
	}
	return final
}

// helperTexts returns the declarations of the helpers that are used.
func (f *file) helperTexts() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(f.x.helpers)) {
		h := helpers[name]
		text := strings.ReplaceAll(h.text, "$"+name+"$", f.x.helpers[name])
		for _, n := range h.needs {
			text = strings.ReplaceAll(text, "$"+n+"$", f.x.helpers[n])
		}
		for _, p := range h.paths {
			base := p[strings.LastIndexByte(p, '/')+1:]
			text = strings.ReplaceAll(text, "%"+base+"%", f.importName(p, base))
		}
		b.WriteString("\n" + text)
	}
	return b.String()
}

var helpers = map[string]helper{
	"check": {paths: []string{"log"}, text: `// $check$ ends the program if there is an error.
func $check$(err error) {
	if err != nil {
		%log%.Fatal(err)
	}
}
`},
	"must": {needs: []string{"check"}, text: `// $must$ returns v, and ends the program if there is an error.
func $must$[T any](v T, err error) T {
	$check$(err)
	return v
}
`},
	"must2": {needs: []string{"check"}, text: `// $must2$ returns a and b, and ends the program if there is an error.
func $must2$[A, B any](a A, b B, err error) (A, B) {
	$check$(err)
	return a, b
}
`},
	"must3": {needs: []string{"check"}, text: `// $must3$ returns a, b and c, and ends the program if there is an error.
func $must3$[A, B, C any](a A, b B, c C, err error) (A, B, C) {
	$check$(err)
	return a, b, c
}
`},
	"shell": {needs: []string{"check"}, paths: []string{"os", "os/exec"}, text: `// $shell$ runs a command.
func $shell$(name string, args ...string) {
	cmd := %exec%.Command(name, args...)
	cmd.Stdout, cmd.Stderr = %os%.Stdout, %os%.Stderr
	$check$(cmd.Run())
}
`},
	"input": {paths: []string{"fmt"}, needs: []string{"stdin"}, text: `// $input$ asks for a line of text.
func $input$(prompt string) (string, error) {
	%fmt%.Print(prompt)
	if !$stdin$.Scan() {
		return "", $stdin$.Err()
	}
	return $stdin$.Text(), nil
}
`},
	"password": {needs: []string{"input"}, text: `// $password$ asks for a line, which is visible while the user types.
func $password$(prompt string) (string, error) { return $input$(prompt) }
`},
	"stdin": {paths: []string{"bufio", "os"}, text: `var $stdin$ = %bufio%.NewScanner(%os%.Stdin)
`},
	"number": {text: `type $number$ interface{ int | float64 }
`},
	"sameLength": {paths: []string{"fmt"}, text: `func $sameLength$(a, b int) {
	if a != b {
		panic(%fmt%.Sprintf("vectors of %d and %d elements", a, b))
	}
}
`},
	"pairwise": {needs: []string{"sameLength"}, text: `// $pairwise$ returns f of each pair of elements of a and b with the same index.
func $pairwise$[T, R any](a, b []T, f func(x, y T) R) []R {
	$sameLength$(len(a), len(b))
	out := make([]R, len(a))
	for i, x := range a {
		out[i] = f(x, b[i])
	}
	return out
}
`},
	"each": {text: `// $each$ returns f of each element.
func $each$[T, R any](v []T, f func(x T) R) []R {
	out := make([]R, len(v))
	for i, x := range v {
		out[i] = f(x)
	}
	return out
}
`},
	"add": {needs: []string{"number", "pairwise"}, text: `// $add$ returns a + b, element by element.
func $add$[T $number$](a, b []T) []T {
	return $pairwise$(a, b, func(x, y T) T { return x + y })
}
`},
	"subtract": {needs: []string{"number", "pairwise"}, text: `// $subtract$ returns a - b, element by element.
func $subtract$[T $number$](a, b []T) []T {
	return $pairwise$(a, b, func(x, y T) T { return x - y })
}
`},
	"scale": {needs: []string{"number", "each"}, text: `// $scale$ returns s·v.
func $scale$[T $number$](s T, v []T) []T {
	return $each$(v, func(x T) T { return s * x })
}
`},
	"divide": {needs: []string{"each"}, text: `// $divide$ returns v/s.
func $divide$(v []float64, s float64) []float64 {
	return $each$(v, func(x float64) float64 { return x / s })
}
`},
	"divideBy": {needs: []string{"each"}, text: `// $divideBy$ divides s by each element of v.
func $divideBy$(s float64, v []float64) []float64 {
	return $each$(v, func(x float64) float64 { return s / x })
}
`},
	"remainder": {needs: []string{"each"}, text: `// $remainder$ returns the remainders of the division of v by n.
func $remainder$(v []int, n int) []int {
	return $each$(v, func(x int) int { return x % n })
}
`},
	"shift": {needs: []string{"number", "each"}, text: `// $shift$ adds s to each element of v.
func $shift$[T $number$](v []T, s T) []T {
	return $each$(v, func(x T) T { return x + s })
}
`},
	"subtractFrom": {needs: []string{"number", "each"}, text: `// $subtractFrom$ subtracts each element of v from s.
func $subtractFrom$[T $number$](s T, v []T) []T {
	return $each$(v, func(x T) T { return s - x })
}
`},
	"swapped": {text: `// $swapped$ returns f(b, a). The operands are evaluated in the order a, b.
func $swapped$[A, B, R any](f func(b B, a A) R, a A, b B) R { return f(b, a) }
`},
	"both": {needs: []string{"pairwise"}, text: `// $both$ returns a && b, element by element.
func $both$(a, b []bool) []bool {
	return $pairwise$(a, b, func(x, y bool) bool { return x && y })
}
`},
	"either": {needs: []string{"pairwise"}, text: `// $either$ returns a || b, element by element.
func $either$(a, b []bool) []bool {
	return $pairwise$(a, b, func(x, y bool) bool { return x || y })
}
`},
	"not": {needs: []string{"each"}, text: `// $not$ returns !a, element by element.
func $not$(a []bool) []bool {
	return $each$(a, func(x bool) bool { return !x })
}
`},
	"apply": {needs: []string{"each"}, text: `// $apply$ returns f of each element.
func $apply$(f func(float64) float64, v []float64) []float64 { return $each$(v, f) }
`},
	"applyBoth": {needs: []string{"pairwise"}, text: `// $applyBoth$ returns f of each pair of elements of a and b with the same index.
func $applyBoth$(f func(a, b float64) float64, a, b []float64) []float64 {
	return $pairwise$(a, b, f)
}
`},
	"fixFirst": {text: `// $fixFirst$ returns f with its first argument set.
func $fixFirst$(f func(a, b float64) float64, a float64) func(float64) float64 {
	return func(b float64) float64 { return f(a, b) }
}
`},
	"fixSecond": {text: `// $fixSecond$ returns f with its second argument set.
func $fixSecond$(f func(a, b float64) float64, b float64) func(float64) float64 {
	return func(a float64) float64 { return f(a, b) }
}
`},
	"floatsOf": {needs: []string{"each"}, text: `// $floatsOf$ returns the numbers of v as float64.
func $floatsOf$(v []int) []float64 {
	return $each$(v, func(x int) float64 { return float64(x) })
}
`},
}

const matPath = "gonum.org/v1/gonum/mat"

func init() {
	for op, name := range comparisons {
		helpers[name] = helper{needs: []string{"each"}, paths: []string{"cmp"}, text: `// $` + name + `$ reports for each element x whether x ` + op + ` than holds.
func $` + name + `$[T %cmp%.Ordered](v []T, than T) []bool {
	return $each$(v, func(x T) bool { return x ` + op + ` than })
}
`}
		each := name + "Each"
		helpers[each] = helper{needs: []string{"pairwise"}, paths: []string{"cmp"}, text: `// $` + each + `$ returns a ` + op + ` b, element by element.
func $` + each + `$[T %cmp%.Ordered](a, b []T) []bool {
	return $pairwise$(a, b, func(x, y T) bool { return x ` + op + ` y })
}
`}
	}
	matrix := func(name, doc, params, body string, needs ...string) {
		helpers[name] = helper{needs: needs, paths: []string{matPath}, text: "// $" + name + "$ " + doc + "\nfunc $" + name + "$(" + params + ") *%mat%.Dense {\n" + body + "}\n"}
	}
	result := func(call string) string { return "\tvar r %mat%.Dense\n\tr." + call + "\n\treturn &r\n" }
	matrix("addMatrix", "returns a + b.", "a, b %mat%.Matrix", result("Add(a, b)"))
	matrix("subtractMatrix", "returns a - b.", "a, b %mat%.Matrix", result("Sub(a, b)"))
	matrix("multiply", "returns the matrix product.", "a, b %mat%.Matrix", result("Mul(a, b)"))
	matrix("scaleMatrix", "returns s·a.", "s float64, a %mat%.Matrix", result("Scale(s, a)"))
	matrix("applyMatrix", "returns f of each element.", "f func(float64) float64, a %mat%.Matrix",
		result("Apply(func(_, _ int, x float64) float64 { return f(x) }, a)"))
	applied := func(value string) string {
		return "\treturn $applyMatrix$(func(x float64) float64 { return " + value + " }, a)\n"
	}
	matrix("divideMatrix", "returns a/s.", "a %mat%.Matrix, s float64", applied("x / s"), "applyMatrix")
	matrix("shiftMatrix", "adds s to each element of a.", "a %mat%.Matrix, s float64", applied("x + s"), "applyMatrix")
	matrix("matrixFrom", "subtracts each element of a from s.", "s float64, a %mat%.Matrix", applied("s - x"), "applyMatrix")
	helpers["multiplyVector"] = helper{paths: []string{matPath}, text: `// $multiplyVector$ returns the product of a matrix and a column vector.
func $multiplyVector$(a %mat%.Matrix, v []float64) []float64 {
	r, c := a.Dims()
	if c != len(v) {
		panic("the matrix must have as many columns as the vector has elements")
	}
	out := make([]float64, r)
	if r > 0 && c > 0 {
		%mat%.NewVecDense(r, out).MulVec(a, %mat%.NewVecDense(c, v))
	}
	return out
}
`}
	vectorHelpers()
}

// vectorHelpers adds helpers for the vectors of gonum.
func vectorHelpers() {
	vector := func(name, doc, params, body string, needs ...string) {
		helpers[name] = helper{needs: needs, paths: []string{matPath}, text: "// $" + name + "$ " + doc + "\nfunc $" + name + "$(" + params + ") *%mat%.VecDense {\n" + body + "}\n"}
	}
	result := func(call string) string { return "\tvar r %mat%.VecDense\n\tr." + call + "\n\treturn &r\n" }
	vector("addVector", "returns a + b.", "a, b %mat%.Vector", result("AddVec(a, b)"))
	vector("subtractVector", "returns a - b.", "a, b %mat%.Vector", result("SubVec(a, b)"))
	vector("multiplyVecDense", "returns the product of a matrix and a column vector.", "a %mat%.Matrix, v %mat%.Vector", result("MulVec(a, v)"))
	vector("scaleVector", "returns s·v.", "s float64, v %mat%.Vector", result("ScaleVec(s, v)"))
	vector("applyVector", "returns f of each element.", "f func(float64) float64, v %mat%.Vector",
		"\tr := %mat%.NewVecDense(v.Len(), nil)\n\tfor i := range v.Len() {\n\t\tr.SetVec(i, f(v.AtVec(i)))\n\t}\n\treturn r\n")
	applied := func(value string) string {
		return "\treturn $applyVector$(func(x float64) float64 { return " + value + " }, v)\n"
	}
	vector("divideVector", "returns v/s.", "v %mat%.Vector, s float64", applied("x / s"), "applyVector")
	vector("shiftVector", "adds s to each element of v.", "v %mat%.Vector, s float64", applied("x + s"), "applyVector")
	vector("vectorFrom", "subtracts each element of v from s.", "s float64, v %mat%.Vector", applied("s - x"), "applyVector")
}
