package standin

import (
	"bytes"
	"math/big"
	"math/rand"
	randv2 "math/rand/v2"
	"reflect"
	"strings"

	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
)

// roomy returns replacements of the compiled functions whose arguments determine how much they
// allocate. The replacements first check whether there is enough memory.
func roomy() map[string]any {
	const word = 8
	return map[string]any{
		"strings.Repeat":          func(s string, n int) string { machine.Room(n, uintptr(len(s))); return strings.Repeat(s, n) },
		"bytes.Repeat":            func(b []byte, n int) []byte { machine.Room(n, uintptr(len(b))); return bytes.Repeat(b, n) },
		"(*strings.Builder).Grow": func(b *strings.Builder, n int) { machine.Room(n, 1); b.Grow(n) },
		"(*bytes.Buffer).Grow":    func(b *bytes.Buffer, n int) { machine.Room(n, 1); b.Grow(n) },
		"math/rand.Perm":          func(n int) []int { machine.Room(n, word); return rand.Perm(n) },
		"(*math/rand.Rand).Perm":  func(r *rand.Rand, n int) []int { machine.Room(n, word); return r.Perm(n) },
		"math/rand/v2.Perm":       func(n int) []int { machine.Room(n, word); return randv2.Perm(n) },
		"(*math/rand/v2.Rand).Perm": func(r *randv2.Rand, n int) []int {
			machine.Room(n, word)
			return r.Perm(n)
		},
		"(*math/big.Int).Lsh": func(z, x *big.Int, n uint) *big.Int {
			if x.Sign() != 0 {
				machine.Room(int(n/8), 1)
			}
			return z.Lsh(x, n)
		},
		"(*math/big.Int).SetBit": func(z, x *big.Int, i int, b uint) *big.Int {
			if b != 0 {
				machine.Room(i/8, 1)
			}
			return z.SetBit(x, i, b)
		},
		"reflect.MakeSlice": func(t reflect.Type, length, capacity int) reflect.Value {
			if t.Kind() == reflect.Slice {
				machine.Room(capacity, t.Elem().Size())
			}
			return reflect.MakeSlice(t, length, capacity)
		},
		"reflect.MakeMapWithSize": func(t reflect.Type, n int) reflect.Value {
			if t.Kind() == reflect.Map {
				machine.Room(n, t.Key().Size()+t.Elem().Size())
			}
			return reflect.MakeMapWithSize(t, n)
		},
		"reflect.MakeChan": func(t reflect.Type, n int) reflect.Value {
			if t.Kind() == reflect.Chan {
				machine.Room(n, t.Elem().Size())
			}
			return reflect.MakeChan(t, n)
		},
		"reflect.New": func(t reflect.Type) reflect.Value {
			if t != nil {
				machine.Room(1, t.Size())
			}
			return reflect.New(t)
		},
		"(reflect.Value).Grow": func(v reflect.Value, n int) {
			if v.Kind() == reflect.Slice {
				machine.Room(n, v.Type().Elem().Size())
			}
			v.Grow(n)
		},
	}
}
