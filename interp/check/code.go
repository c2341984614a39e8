package check

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"strings"
	"sync"
)

// Code is the kind of an error of the type checker. The numbers are the codes of go/types, which
// keeps them in an unexported field. 0 is an error from another source, or of a kind without
// special handling.
type Code int

// The kinds of errors with special handling.
const (
	InvalidPkgUse            Code = 4
	BrokenImport             Code = 6
	InvalidInitCycle         Code = 9
	DuplicateDecl            Code = 10
	InvalidConstInit         Code = 13
	InvalidConstVal          Code = 14
	UntypedNilUse            Code = 16
	WrongAssignCount         Code = 17
	UnassignableOperand      Code = 18
	NoNewVar                 Code = 19
	InvalidIfaceAssign       Code = 21
	IncompatibleAssign       Code = 23
	UnaddressableFieldAssign Code = 24
	NotAType                 Code = 25
	InvalidBlank             Code = 35
	TooManyValues            Code = 41
	NotAnExpr                Code = 42
	TruncatedFloat           Code = 43
	NumericOverflow          Code = 44
	UndefinedOp              Code = 45
	MismatchedTypes          Code = 46
	InvalidIndirection       Code = 50
	NonIndexableOperand      Code = 51
	InvalidIndex             Code = 52
	NonSliceableOperand      Code = 54
	InvalidStructLit         Code = 65
	MissingLitField          Code = 66
	InvalidLit               Code = 71
	UndeclaredImportedName   Code = 73
	UndeclaredName           Code = 75
	MissingFieldOrMethod     Code = 76
	InvalidLen               Code = 90
	InvalidConversion        Code = 96
	UnusedExpr               Code = 100
	UnusedVar                Code = 101
	MissingReturn            Code = 102
	WrongResultCount         Code = 103
	InvalidCond              Code = 105
	InvalidRangeExpr         Code = 109
	MisplacedBreak           Code = 110
	MisplacedContinue        Code = 111
	DuplicateCase            Code = 113
	UnusedLabel              Code = 122
	InvalidMethodExpr        Code = 125
	WrongArgCount            Code = 126
	InvalidCall              Code = 127
	InvalidMinMaxOperand     Code = 150
)

// codeOf returns the code of an error. It uses the code of go/types or, if its numbers differ from
// those above, the message.
func codeOf(e types.Error) Code {
	if numbersHold() {
		return number(e)
	}
	return codeOfText(e.Msg)
}

// number reads the field in which go/types stores the code.
func number(e types.Error) Code {
	if f := reflect.ValueOf(e).FieldByName("go116code"); f.IsValid() && f.CanInt() {
		return Code(f.Int())
	}
	return 0
}

// samples are cells with one error each. Their codes lie at both ends of the range and between, so
// that a code inserted anywhere changes one of them.
var samples = []struct {
	code Code
	src  string
}{
	{IncompatibleAssign, "var x, y = 1, 2.5; var _ int = y"},
	{MismatchedTypes, "var x, y = 1, 2.5; var _ = x + y"},
	{UndeclaredName, "var _ = x"},
	{MissingFieldOrMethod, "var x int; var _ = x.y"},
	{MissingReturn, "func f() int { }"},
	{WrongArgCount, "func f() int { return 1 }; var _ = f(2)"},
}

// numbersHold reports whether the codes of go/types match this file. The first error of a session
// triggers the check.
var numbersHold = sync.OnceValue(func() bool {
	for _, s := range samples {
		if e, ok := firstError(s.src); !ok || number(e) != s.code {
			return false
		}
	}
	return true
})

// firstError returns the first error of the declarations.
func firstError(src string) (first types.Error, ok bool) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", "package p; "+src, parser.SkipObjectResolution)
	if err != nil {
		return first, false
	}
	conf := types.Config{Importer: unsafeOnly{}, Error: func(err error) {
		if e, isType := err.(types.Error); isType && !ok {
			first, ok = e, true
		}
	}}
	// Check returns the first error again.
	_, _ = conf.Check("p", fset, []*ast.File{f}, nil)
	return first, ok
}

// unsafeOnly imports only package unsafe, which go/types provides.
type unsafeOnly struct{}

func (unsafeOnly) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	return nil, errors.New("there is no such package")
}

// words maps texts of messages to codes.
var words = []struct {
	code              Code
	begins, has, ends string
}{
	{BrokenImport, "could not import ", "", ""},
	{UnusedLabel, "label ", "", " declared and not used"},
	{UnusedVar, "declared and not used", "", ""},
	{InvalidInitCycle, "initialization cycle", "", ""},
	{DuplicateDecl, "", " redeclared in this block", ""},
	{InvalidBlank, "cannot use _ as value", "", ""},
	{MisplacedBreak, "break not in for", "", ""},
	{MisplacedContinue, "continue not in for", "", ""},
	{DuplicateCase, "duplicate case ", "", ""},
	{InvalidCall, "invalid operation: cannot call ", "", ""},
	{UntypedNilUse, "use of untyped nil", "", ""},
	{WrongAssignCount, "assignment mismatch", "", ""},
	{WrongAssignCount, "extra init expr", "", ""},
	{UnaddressableFieldAssign, "cannot assign to struct field", "", ""},
	{UnassignableOperand, "cannot assign to ", "", ""},
	{NoNewVar, "no new variables", "", ""},
	{TruncatedFloat, "cannot use ", "", "(truncated)"},
	{NumericOverflow, "cannot use ", "", "(overflows)"},
	{NumericOverflow, "cannot use ", " (overflows)", ""},
	{TruncatedFloat, "", " truncated to ", ""},
	{InvalidIfaceAssign, "cannot use ", " does not implement ", ""},
	{IncompatibleAssign, "cannot use ", " as ", ""},
	{InvalidConstInit, "", "", " is not constant"},
	{InvalidConversion, "cannot convert ", "", ""},
	{InvalidMethodExpr, "cannot call pointer method", "", ""},
	{NonIndexableOperand, "", "cannot index ", ""},
	{NonSliceableOperand, "cannot slice ", "", ""},
	{InvalidLen, "invalid argument: ", "", "for built-in len"},
	{InvalidIndex, "", "must not be negative", ""},
	{InvalidIndirection, "", "cannot indirect", ""},
	{InvalidMinMaxOperand, "", "", " cannot be ordered"},
	{InvalidRangeExpr, "cannot range over", "", ""},
	{InvalidCond, "non-boolean condition", "", ""},
	{InvalidStructLit, "too few values in struct literal", "", ""},
	{InvalidStructLit, "too many values in struct literal", "", ""},
	{MissingLitField, "unknown field ", "", ""},
	{InvalidLit, "invalid composite literal type", "", ""},
	{MismatchedTypes, "", "(mismatched types ", ""},
	{UndefinedOp, "", " not defined on ", ""},
	{UndefinedOp, "", " can only be compared to nil", ""},
	{MissingFieldOrMethod, "", " undefined (type ", ""},
	{MissingReturn, "missing return", "", ""},
	{NotAType, "", "", " is not a type"},
	{NotAnExpr, "", "", " is not an expression"},
	{InvalidPkgUse, "use of package", "", ""},
	{TooManyValues, "multiple-value", "", ""},
	{WrongArgCount, "too many arguments", "", ""},
	{WrongArgCount, "not enough arguments", "", ""},
	{WrongResultCount, "too many return values", "", ""},
	{WrongResultCount, "not enough return values", "", ""},
	{UnusedExpr, "", "", " is not used"},
}

func codeOfText(msg string) Code {
	if name, ok := strings.CutPrefix(msg, "undefined: "); ok {
		if strings.Contains(name, ".") {
			return UndeclaredImportedName
		}
		return UndeclaredName
	}
	first, _, _ := strings.Cut(msg, "\n")
	for _, w := range words {
		if strings.HasPrefix(first, w.begins) && strings.Contains(first, w.has) && strings.HasSuffix(first, w.ends) {
			return w.code
		}
	}
	return 0
}
