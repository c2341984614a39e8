package interp_test

import (
	"context"
	"strings"
	"testing"
)

// TestRedeclarationMatrix declares each kind of name again for each kind of use: once so that
// existing uses still fit, and once as something else. Functions and methods see the new
// declaration. A variable or a goroutine keeps the old one, unless the new declaration has the same
// type.
func TestRedeclarationMatrix(t *testing.T) {
	const ( // the uses, in the order of the values
		function = iota
		method
		closure  // held in a variable
		literal  // in a function that a variable holds
		stored   // a value made before
		running  // a goroutine
		directly // the name itself
	)
	tests := []struct {
		name, old, same, other, use string
		wantSame, wantOther         string // the values of the uses, separated by spaces
		note                        string // a part of the note if the type differs
		noteSame                    string // the note if the type is the same
	}{
		{name: "variable", old: "v := 1", same: "v := 2", other: `v := "two"`, use: "v",
			wantSame: "2 2 2 2 1 2 2", wantOther: `"two" "two" 1 "two" 1 1 "two"`},
		{name: "two variables", old: "v, w := 1, 2", same: "v, w := 3, 4", other: "v, w := 1.5, 2.5", use: "float64(v) + float64(w)",
			wantSame: "7 7 7 7 3 7 7", wantOther: "4 4 3 4 3 3 4"},
		{name: "function", old: "func v() int { return 1 }", same: "func v() int { return 2 }", other: `func v() string { return "two" }`, use: "v()",
			wantSame: "2 2 2 2 1 2 2", wantOther: `"two" "two" 1 "two" 1 1 "two"`},
		{name: "constant", old: "const v = 1", same: "const v = 2", other: `const v = "two"`, use: "v",
			wantSame: "2 2 1 2 1 1 2", wantOther: `"two" "two" 1 "two" 1 1 "two"`},
		{name: "typed constant", old: "const v int = 1", same: "const v int = 2", other: "const v float64 = 2.5", use: "v",
			wantSame: "2 2 1 2 1 1 2", wantOther: "2.5 2.5 1 2.5 1 1 2.5"},
		{name: "struct", old: "type V struct{ A int }", same: "type V struct{ A int }", other: "type V struct{ A, B int }", use: "V{A: 1}",
			wantSame:  "V{A:1} V{A:1} V{A:1} V{A:1} V{A:1} V{A:1} V{A:1}",
			wantOther: "V{A:1,B:0} V{A:1,B:0} V{A:1} V{A:1,B:0} V{A:1} V{A:1} V{A:1,B:0}"},
		{name: "method", old: "type V struct{ A int }\nfunc (V) M() int { return 1 }", same: "func (V) M() int { return 2 }",
			other: `func (V) M() string { return "two" }`, use: "V{}.M()",
			wantSame: "2 2 2 2 1 2 2", wantOther: `"two" "two" 1 "two" 1 1 "two"`, note: "keep the older methods"},
		{name: "generic function", old: "func v[T any](x T) int { return 1 }", same: "func v[T any](x T) int { return 2 }",
			other: "func v[T any](x T) []T { return []T{x} }", use: "v(7)",
			wantSame: "2 2 1 2 1 1 2", wantOther: "[]int{7} []int{7} 1 []int{7} 1 1 []int{7}"},
		{name: "generic type", old: "type V[T any] struct{ A T }\nfunc (V[T]) M() int { return 1 }",
			same:  "type V[T any] struct{ A T }\nfunc (V[T]) M() int { return 2 }",
			other: "type V[T any] struct{ A, B T }\nfunc (V[T]) M() string { return \"two\" }", use: "V[int]{A: 3}.M()",
			wantSame: "2 2 1 2 1 1 2", wantOther: `"two" "two" 1 "two" 1 1 "two"`, noteSame: "keep the older methods"},
		{name: "interface", old: "type V interface{ M() int }\ntype impl struct{}\nfunc (impl) M() int { return 1 }",
			same: "type V interface{ M() int }", other: "type V interface{ M() int; N() int }", use: "V(impl{}).M()",
			wantSame: "1 1 1 1 1 1 1", wantOther: "1 1 1 1 1 1 error", note: "Caller.Call (cell [3]) continues to use the previous declaration"},
		{name: "embedded struct", old: "type E struct{ X int }\nfunc (E) M() int { return 1 }\ntype V struct{ E }", same: "func (E) M() int { return 2 }",
			other: "type E struct{ X string }\nfunc (E) M() string { return \"two\" }", use: "V{}.M()",
			wantSame: "2 2 2 2 1 2 2", wantOther: `"two" "two" 1 "two" 1 1 "two"`},
		{name: "alias", old: "type V = int", same: "type V = int", other: "type V = string", use: "any(*new(V))",
			wantSame: "0 0 0 0 0 0 0", wantOther: `"" "" 0 "" 0 0 ""`},
		{name: "variable that becomes a function", old: "v := 1", same: "v := 2", other: "func v() int { return 3 }", use: "v",
			wantSame: "2 2 2 2 1 2 2", wantOther: "func()int func()int 1 func()int 1 1 func()int"},
		{name: "function that becomes a variable", old: "func v() int { return 1 }", same: "func v() int { return 2 }",
			other: "v := func() int { return 3 }", use: "v()", wantSame: "2 2 2 2 1 2 2", wantOther: "3 3 1 3 1 1 3"},
		{name: "type that becomes a function", old: "type V int", same: "type V int", other: "func V(x int) string { return \"f\" }", use: "V(1)",
			wantSame: "V(1) V(1) V(1) V(1) V(1) V(1) V(1)", wantOther: `"f" "f" V(1) "f" V(1) V(1) "f"`},
		{name: "function with other parameters", old: "func v(n int) int { return n }", same: "func v(n int) int { return n + 1 }",
			other: "func v(n, m int) int { return n + m }", use: "v(1)",
			wantSame: "2 2 2 2 1 2 2", wantOther: "1 1 1 1 1 1 error", note: "not enough arguments in call to v"},
		{name: "field that goes away", old: "type V struct{ A int }", same: "type V struct{ A int }", other: "type V struct{ B int }", use: "V{A: 1}.A",
			wantSame: "1 1 1 1 1 1 1", wantOther: "1 1 1 1 1 1 error", note: "unknown field A"},
	}
	for _, tt := range tests {
		for _, again := range []struct{ kind, code, want, note string }{{"same", tt.same, tt.wantSame, tt.noteSame}, {"other", tt.other, tt.wantOther, tt.note}} {
			t.Run(tt.name+"/"+again.kind, func(t *testing.T) {
				n := open(t)
				n.must(tt.old)
				n.must("func caller() any { return " + tt.use + " }")
				n.must("type Caller struct{}\nfunc (Caller) Call() any { return " + tt.use + " }")
				n.must("held := func() any { return " + tt.use + " };")
				n.must("func outer() any { return func() any { return " + tt.use + " }() }\nouter2 := outer;")
				n.must("kept := any(" + tt.use + ");")
				n.must("in, res := make(chan bool), make(chan any)\ngo func() {\n\tfor range in {\n\t\tres <- any(" + tt.use + ")\n\t}\n}()")
				_, out, err := n.eval(context.Background(), again.code)
				if err != nil {
					t.Fatal(err)
				}
				if told := out.stderr.String(); !strings.Contains(told, again.note) || (again.note == "") != (told == "") {
					t.Errorf("the user is told %q, want %q in it", told, again.note)
				}
				var got []string
				for user, call := range [...]string{
					function: "caller()", method: "Caller{}.Call()", closure: "held()", literal: "outer2()",
					stored: "kept", running: "in <- true\n<-res", directly: tt.use,
				} {
					text, _, err := n.eval(context.Background(), call)
					if err != nil {
						text = "error"
						if user != directly {
							t.Errorf("%s: %v", call, err)
						}
					}
					got = append(got, strings.ReplaceAll(text, " ", ""))
				}
				if have := strings.Join(got, " "); have != again.want {
					t.Errorf("after %s:\n got %s\nwant %s", again.code, have, again.want)
				}
			})
		}
	}
}
