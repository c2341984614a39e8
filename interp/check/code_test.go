package check

import "testing"

// TestCodes causes an error of each kind, and checks that its number in go/types is the one here,
// and that its message leads to the same code.
func TestCodes(t *testing.T) {
	if !numbersHold() {
		t.Error("the samples have other numbers: cells get the codes by the words of their errors")
	}
	const vars = "var i, f, s, sl, p, m = 1, 2.5, \"\", []int{}, new(int), map[string]struct{ A int }{}; type T struct { A, B int }; func (t *T) M() { }; func two() (int, int) { return 1, 2 }; "
	for src, want := range map[string]Code{
		"var _ = int{1}":                            InvalidLit,
		"import \"no/such\"; var _ = such.A":        BrokenImport,
		"var _ int = f":                             IncompatibleAssign,
		"var _ interface{ M() } = T{}":              InvalidIfaceAssign,
		"func g() { if i { } }":                     InvalidCond,
		"const c = i":                               InvalidConstInit,
		"var _ = bool(1)":                           InvalidConversion,
		"var _ = int(s)":                            InvalidConversion,
		"var _ = sl[-1]":                            InvalidIndex,
		"var _ = *i":                                InvalidIndirection,
		"func g() { T{}.M() }":                      InvalidMethodExpr,
		"var _ = min(sl)":                           InvalidMinMaxOperand,
		"import \"unsafe\"; var _ = unsafe":         InvalidPkgUse,
		"func g() { for range f { } }":              InvalidRangeExpr,
		"var _ = T{1}":                              InvalidStructLit,
		"var _ = i + f":                             MismatchedTypes,
		"var _ = i.x":                               MissingFieldOrMethod,
		"var _ = T{C: 1}":                           MissingLitField,
		"func g() int { }":                          MissingReturn,
		"func g() { i := 1; i := 2; _ = i }":        NoNewVar,
		"var _ = i[0:1]":                            NonSliceableOperand,
		"var _ = len(i)":                            InvalidLen,
		"var _ = i[0]":                              NonIndexableOperand,
		"var _ i":                                   NotAType,
		"var _ = T":                                 NotAnExpr,
		"var _ uint8 = 256":                         NumericOverflow,
		"var _ = two() + 1":                         TooManyValues,
		"var _ int = 2.5":                           TruncatedFloat,
		"var _ = i + 2.5":                           TruncatedFloat,
		"func g() { m[s].A = 1 }":                   UnaddressableFieldAssign,
		"func g() { s[0] = 1 }":                     UnassignableOperand,
		"import \"unsafe\"; var _ = unsafe.X":       UndeclaredImportedName,
		"var _ = nowhere":                           UndeclaredName,
		"var _ = sl == sl":                          UndefinedOp,
		"var _ = nil":                               UntypedNilUse,
		"func g() { i }":                            UnusedExpr,
		"func g() { L: i++ }":                       UnusedLabel,
		"func g() { x := 1 }":                       UnusedVar,
		"func g() { two(1) }":                       WrongArgCount,
		"var a, b = two(), 1":                       TooManyValues,
		"var a, b, c = two()":                       WrongAssignCount,
		"func g() { return 1 }":                     WrongResultCount,
		"var x = y; var y = x":                      InvalidInitCycle,
		"func g() { }; func g() { }":                DuplicateDecl,
		"var _ = _ + 1":                             InvalidBlank,
		"func g() { break }":                        MisplacedBreak,
		"func g() { continue }":                     MisplacedContinue,
		"func g() { switch i { case 1: case 1: } }": DuplicateCase,
		"func g() { i(2) }":                         InvalidCall,
	} {
		decls := vars + src
		if src[0] == 'i' && src[1] == 'm' {
			decls = src
		}
		e, ok := firstError(decls)
		if !ok {
			t.Errorf("%s: no error", src)
			continue
		}
		if got := number(e); got != want {
			t.Errorf("%s: %s: code %d, want %d", src, e.Msg, got, want)
		}
		if got := codeOfText(e.Msg); got != want {
			t.Errorf("%s: %s: code %d by its words, want %d", src, e.Msg, got, want)
		}
	}
	// A constant that cannot be converted has two codes for the same message.
	if e, _ := firstError("func g() { switch 1 { case \"a\": } }"); number(e) != InvalidConstVal || codeOfText(e.Msg) != InvalidConversion {
		t.Errorf("%s: code %d", e.Msg, number(e))
	}
}
