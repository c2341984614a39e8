//go:build linux && (amd64 || arm64)

package native

import (
	"cmp"
	"testing"
	"unicode/utf8"
	"unsafe"
)

// textFrame is the frame of code that calls helpers.
type textFrame struct {
	x, y    string
	at      int64
	results [3]int64
}

func TestHelpers(t *testing.T) {
	f := NewFunc()
	v := func(typ Type, off uintptr) Reg { return f.Var(Var{Type: typ, Placed: true, Home: int32(off)}) }
	x, n := v(Pointer, 0), v(Int64, 8)
	y, m := v(Pointer, unsafe.Offsetof(textFrame{}.y)), v(Int64, unsafe.Offsetof(textFrame{}.y)+8)
	i := v(Int64, unsafe.Offsetof(textFrame{}.at))
	for k, args := range [][]Reg{HelperEqual: {x, y, n}, HelperCompare: {x, n, y, m}, HelperRune: {x, n, i}} {
		d := v(Int64, unsafe.Offsetof(textFrame{}.results)+8*uintptr(k))
		f.Results = append(f.Results, d)
		f.Blocks = append(f.Blocks, Block{End: Jump, Next: [2]int{k + 1}, Instrs: []Instr{{Op: CallHelper, Type: Int64, D: d, Imm: int64(k), Args: args}}})
		f.Order = append(f.Order, k)
	}
	f.Blocks, f.Order, f.Entries = append(f.Blocks, Block{End: Return}), append(f.Order, len(f.Blocks)), []int{0}
	code, err := Compile(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx := NewContext(SmallStack)
	all := []string{"a", "b", "ab", "ä", "日本", "\xff", "\xe6\x97", "abcabcabcabcabcabcabc", "abcabcabcabcabcabcabd"}
	for _, x := range all {
		for _, y := range all {
			y = (y + "................................")[:len(y)] // HelperEqual reads as much as of x
			for at := range x {
				frame := &textFrame{x: x, y: y, at: int64(at)}
				if how, _, _ := code.Run(ctx, 0, unsafe.Pointer(frame)); how != Returned {
					t.Fatalf("the code ended with %d", how)
				}
				r, width := utf8.DecodeRuneInString(x[at:])
				want := [3]int64{0, int64(cmp.Compare(x, y)), int64(r) | int64(width)<<32}
				if len(x) != len(y) {
					frame.results[0] = 0 // the code compares the lengths before
				} else if x == y {
					want[0] = 1
				}
				if frame.results != want {
					t.Errorf("%q, %q at %d: got %v, want %v", x, y, at, frame.results, want)
				}
			}
		}
	}
}

// copyFrame is the frame of code that copies bytes.
type copyFrame struct {
	to, from unsafe.Pointer
	n        int64
}

// HelperCopy copies like the function copy, also if the ranges overlap, and writes nothing else.
func TestHelperCopy(t *testing.T) {
	f := NewFunc()
	v := func(typ Type, off uintptr) Reg { return f.Var(Var{Type: typ, Placed: true, Home: int32(off)}) }
	to, from := v(Pointer, 0), v(Pointer, unsafe.Offsetof(copyFrame{}.from))
	n := v(Int64, unsafe.Offsetof(copyFrame{}.n))
	copied := Instr{Op: CallHelper, Type: Int64, D: f.Var(Var{Type: Int64}), Imm: HelperCopy, Args: []Reg{to, from, n}}
	f.Blocks = []Block{{End: Jump, Next: [2]int{1}, Instrs: []Instr{copied}}, {End: Return}}
	f.Order, f.Entries = []int{0, 1}, []int{0}
	code, err := Compile(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx := NewContext(SmallStack)
	const size = 80
	for _, n := range []int{0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 64} {
		for _, at := range []int{0, 1, 5, 8, size - 64} { // the ranges overlap if n is larger than the distance
			for _, into := range []int{0, 3, 8, size - 64} {
				var got, want [size]byte
				for i := range size {
					got[i], want[i] = byte(i), byte(i)
				}
				copy(want[into:into+n], want[at:at+n])
				frame := &copyFrame{to: unsafe.Pointer(&got[into]), from: unsafe.Pointer(&got[at]), n: int64(n)}
				if how, _, _ := code.Run(ctx, 0, unsafe.Pointer(frame)); how != Returned {
					t.Fatalf("the code ended with %d", how)
				}
				if got != want {
					t.Errorf("%d bytes from %d to %d: got %v, want %v", n, at, into, got, want)
				}
			}
		}
	}
}
