//go:build linux && (amd64 || arm64)

package native

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"runtime"
	"slices"
	"testing"
	"unsafe"
)

func TestCheck(t *testing.T) {
	if err := Check(); err != nil {
		t.Error(err)
	}
}

func BenchmarkCheck(b *testing.B) {
	for b.Loop() {
		if err := errors.Join(checkLoop(), checkBodies()); err != nil {
			b.Fatal(err)
		}
	}
}

// Instructions compute the same results as compiled code on the processor that runs the test.

// Frame offsets of the operands, the result and the variables that occupy the registers.
const (
	atX, atY, atD, atSum, atCrowd = 0, 8, 16, 24, 64
	crowd                         = 40
)

type testFrame [atCrowd/8 + 2*crowd]uint64

// program is an instruction on variables of the frame, in a separate function.
type program struct {
	f       *Func
	x, y, d Reg
	block   Block
	alone   bool // it is not run among other variables
}

// newProgram makes a program whose operands and result are of some types.
func newProgram(x, y, d Type) *program {
	p := &program{f: NewFunc()}
	p.x = p.f.Var(Var{Type: x, Placed: true, Home: atX})
	p.y = p.f.Var(Var{Type: y, Placed: true, Home: atY})
	p.d = p.f.Var(Var{Type: d, Placed: true, Home: atD})
	return p
}

func (p *program) do(in Instr) { p.block.Instrs = append(p.block.Instrs, in) }

// run compiles the program twice; the second time, it has so many other variables that the
// program's own variables are spilled. It calls set before each run and check after it, until set
// returns false.
func (p *program) run(t *testing.T, name string, set func(n int, frame unsafe.Pointer) bool, check func(n int, frame unsafe.Pointer) error) {
	t.Helper()
	for _, crowded := range []bool{false, true} {
		if crowded && p.alone {
			break
		}
		f := *p.f
		f.Vars = slices.Clone(p.f.Vars)
		b := Block{End: Return, Instrs: slices.Clone(p.block.Instrs)}
		f.Results = []Reg{p.d}
		if crowded {
			crowded := crowdOf(&f)
			b.Instrs = slices.Concat(crowded, b.Instrs, crowded)
			f.Results = append(f.Results, f.homed(atSum))
		}
		f.Blocks, f.Order, f.Entries = []Block{b}, []int{0}, []int{0}
		code, err := Compile(&f, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		ctx, frame := NewContext(stackSize), new(testFrame)
		for n := 0; ; n++ {
			*frame = testFrame{}
			for i := range crowd {
				frame[atCrowd/8+i] = uint64(i)
				frame[atCrowd/8+crowd+i] = math.Float64bits(float64(i))
			}
			if !set(n, unsafe.Pointer(frame)) {
				break
			}
			if how, _, _ := code.Run(ctx, 0, unsafe.Pointer(frame)); how != Returned {
				t.Fatalf("%s: it has not returned", name)
			}
			err := check(n, unsafe.Pointer(frame))
			if sum := frame[atSum/8]; crowded && err == nil && sum != 6*crowd*(crowd-1)/2 {
				err = fmt.Errorf("the others are %d", sum)
			}
			if err != nil {
				t.Errorf("%s, crowded %t: %v", name, crowded, err)
			}
		}
	}
}

// homed returns the variable with a home.
func (f *Func) homed(home int32) Reg {
	return Reg(slices.IndexFunc(f.Vars, func(v Var) bool { return v.Placed && v.Home == home }))
}

// crowdOf returns instructions that use many variables.
func crowdOf(f *Func) []Instr {
	sum := f.Var(Var{Type: Int64, Placed: true, Home: atSum})
	var list []Instr
	for i := range int32(crowd) {
		v := f.Var(Var{Type: Int64, Placed: true, Home: atCrowd + 8*i})
		w := f.Var(Var{Type: Float64, Placed: true, Home: atCrowd + 8*(crowd+i)})
		for range 2 {
			list = append(list, Instr{Op: Add, Type: Int64, D: sum, X: sum, Y: v})
			list = append(list, Instr{Op: FAdd, Type: Float64, D: w, X: w, Y: w}, Instr{Op: FDiv, Type: Float64, D: w, X: w, Y: w}, Instr{Op: FSub, Type: Float64, D: w, X: w, Y: w})
		}
		list = append(list, Instr{Op: Add, Type: Int64, D: sum, X: sum, Y: v})
	}
	return list
}

// cell returns the value in the frame at an offset.
func cell[T any](frame unsafe.Pointer, at int) *T { return (*T)(unsafe.Add(frame, at)) }

// same reports whether two numbers have the same bits.
func same[T comparable](x, y T) bool {
	if x == *new(T) {
		return y == x && fmt.Sprint(x) == fmt.Sprint(y) // 0 and -0
	}
	return x == y || x != x && y != y
}

// pairs runs a program on all pairs of numbers.
func pairs[X, Y any, D comparable](t *testing.T, name string, p *program, xs []X, ys []Y, want func(x X, y Y) D) {
	t.Helper()
	at := func(n int) (X, Y) { return xs[n/len(ys)], ys[n%len(ys)] }
	p.run(t, name, func(n int, frame unsafe.Pointer) bool {
		if n == len(xs)*len(ys) {
			return false
		}
		*cell[X](frame, atX), *cell[Y](frame, atY) = at(n)
		return true
	}, func(n int, frame unsafe.Pointer) error {
		x, y := at(n)
		if got, want := *cell[D](frame, atD), want(x, y); !same(got, want) {
			return fmt.Errorf("of %v and %v it is %v, want %v", x, y, got, want)
		}
		return nil
	})
}

type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

func bit(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

// some returns numbers of a type.
func some[T integer]() []T {
	var list []T
	for _, v := range []uint64{0, 1, 2, 3, 5, 8, 100, 127, 128, 255, 4095, 1<<15 - 1, 1 << 15, 0xfff000, 1<<31 - 1, 1 << 31, 1 << 32, 1 << 63, 0x123456789abcdef0} {
		for _, x := range []T{T(v), -T(v)} {
			if !slices.Contains(list, x) {
				list = append(list, x)
			}
		}
	}
	return list
}

func TestIntegers(t *testing.T) {
	ofIntegers[int8](t, Int8)
	ofIntegers[int16](t, Int16)
	ofIntegers[int32](t, Int32)
	ofIntegers[int64](t, Int64)
	ofIntegers[uint8](t, Uint8)
	ofIntegers[uint16](t, Uint16)
	ofIntegers[uint32](t, Uint32)
	ofIntegers[uint64](t, Uint64)
}

func ofIntegers[T integer](t *testing.T, typ Type) {
	name := fmt.Sprintf("%T", T(0))
	xs := some[T]()
	nonzero := slices.DeleteFunc(slices.Clone(xs), func(x T) bool { return x == 0 })
	for op, want := range map[Op]func(x, y T) T{
		Add: func(x, y T) T { return x + y }, Sub: func(x, y T) T { return x - y }, Mul: func(x, y T) T { return x * y },
		And: func(x, y T) T { return x & y }, Or: func(x, y T) T { return x | y }, Xor: func(x, y T) T { return x ^ y }, AndNot: func(x, y T) T { return x &^ y },
		Div: func(x, y T) T { return x / y }, Rem: func(x, y T) T { return x % y },
	} {
		ys := xs
		if op == Div || op == Rem {
			ys = nonzero
		}
		name := fmt.Sprintf("%s, operation %d", name, op)
		for _, d := range []string{"d", "x", "y"} {
			p := newProgram(typ, typ, typ)
			to := map[string]Reg{"d": p.d, "x": p.x, "y": p.y}[d]
			p.do(Instr{Op: op, Type: typ, D: to, X: p.x, Y: p.y})
			if to != p.d {
				p.do(Instr{Op: Move, D: p.d, X: to})
			}
			pairs(t, name+", to "+d, p, xs, ys, want)
		}
		for _, y := range ys {
			p := newProgram(typ, typ, typ)
			p.alone = true
			p.do(Instr{Op: op, Type: typ, D: p.d, X: p.x, Imm: int64(y)})
			pairs(t, fmt.Sprintf("%s by %v", name, y), p, xs, []T{0}, func(x, _ T) T { return want(x, y) })
		}
	}
	for op, want := range map[Op]func(x T) T{Neg: func(x T) T { return -x }, Not: func(x T) T { return ^x }} {
		p := newProgram(typ, typ, typ)
		p.do(Instr{Op: op, Type: typ, D: p.d, X: p.x})
		pairs(t, name, p, xs, []T{0}, func(x, _ T) T { return want(x) })
	}
	shifts(t, name, typ, xs)
	p := newProgram(typ, typ, typ)
	p.do(Instr{Op: Pick, Type: typ, Cond: Less, D: p.d, X: p.x, Y: p.y})
	pairs(t, name+", the least", p, xs, xs, func(x, y T) T { return min(x, y) })
	p = newProgram(typ, typ, typ)
	p.do(Instr{Op: Pick, Type: typ, Cond: Greater, D: p.d, X: p.x, Y: p.y})
	pairs(t, name+", the most", p, xs, xs, func(x, y T) T { return max(x, y) })
	comparisons(t, name, typ, xs, true)
	extended[T, int8](t, typ, Int8, xs)
	extended[T, uint16](t, typ, Uint16, xs)
	extended[T, int32](t, typ, Int32, xs)
	extended[T, uint32](t, typ, Uint32, xs)
	extended[T, int64](t, typ, Int64, xs)
	memory(t, name, typ, xs)
	floatOf[T, float32](t, typ, Float32, xs)
	floatOf[T, float64](t, typ, Float64, xs)
}

func shifts[T integer](t *testing.T, name string, typ Type, xs []T) {
	counts := []uint64{0, 1, 7, 8, 31, 32, 62, 63, 64, 65, 255, 1 << 40, 1<<64 - 1}
	for op, want := range map[Op]func(x T, n uint64) T{Shl: func(x T, n uint64) T { return x << n }, Shr: func(x T, n uint64) T { return x >> n }} {
		name := fmt.Sprintf("%s, operation %d", name, op)
		p := newProgram(typ, Uint64, typ)
		p.do(Instr{Op: op, Type: typ, D: p.d, X: p.x, Y: p.y})
		pairs(t, name, p, xs, counts, want)
		for _, n := range counts {
			p := newProgram(typ, Uint64, typ)
			p.do(Instr{Op: op, Type: typ, D: p.d, X: p.x, Imm: int64(min(n, 64))})
			pairs(t, fmt.Sprintf("%s by %d", name, n), p, xs, []uint64{0}, func(x T, _ uint64) T { return want(x, n) })
		}
	}
}

// comparisons tests comparisons and branches on them.
func comparisons[T integer | float32 | float64](t *testing.T, name string, typ Type, xs []T, constants bool) {
	for cond, want := range map[Cond]func(x, y T) bool{
		Equal: func(x, y T) bool { return x == y }, NotEqual: func(x, y T) bool { return x != y }, Less: func(x, y T) bool { return x < y },
		LessEqual: func(x, y T) bool { return x <= y }, Greater: func(x, y T) bool { return x > y }, GreaterEqual: func(x, y T) bool { return x >= y },
	} {
		name := fmt.Sprintf("%s, comparison %d", name, cond)
		p := newProgram(typ, typ, Uint8)
		p.do(Instr{Op: Set, Type: typ, Cond: cond, D: p.d, X: p.x, Y: p.y})
		pairs(t, name, p, xs, xs, func(x, y T) uint8 { return bit(want(x, y)) })
		for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}} {
			branches(t, name, Test{Type: typ, Cond: cond}, order, xs, want)
		}
		for _, y := range xs {
			if !constants {
				break
			}
			p := newProgram(typ, typ, Uint8)
			p.alone = true
			p.do(Instr{Op: Set, Type: typ, Cond: cond, D: p.d, X: p.x, Imm: int64(y)})
			pairs(t, fmt.Sprintf("%s with %v", name, y), p, xs, []T{0}, func(x, _ T) uint8 { return bit(want(x, y)) })
		}
	}
}

func branches[T integer | float32 | float64](t *testing.T, name string, test Test, order []int, xs []T, want func(x, y T) bool) {
	p := newProgram(test.Type, test.Type, Uint8)
	f := p.f
	test.X, test.Y = p.x, p.y
	f.Blocks = []Block{
		{End: Branch, Test: test, Next: [2]int{1, 2}},
		{End: Return, Instrs: []Instr{{Op: Const, Type: Uint8, D: p.d, Imm: 1}}},
		{End: Return, Instrs: []Instr{{Op: Const, Type: Uint8, D: p.d, Imm: 0}}},
	}
	f.Order, f.Entries, f.Results = order, []int{0}, []Reg{p.d}
	code, err := Compile(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx := NewContext(stackSize)
	for _, x := range xs {
		for _, y := range xs {
			frame := new(testFrame)
			*cell[T](unsafe.Pointer(frame), atX), *cell[T](unsafe.Pointer(frame), atY) = x, y
			code.Run(ctx, 0, unsafe.Pointer(frame))
			if got := frame[atD/8] != 0; got != want(x, y) {
				t.Errorf("%s: a branch on %v and %v is %t", name, x, y, got)
			}
		}
	}
}

func extended[F, T integer](t *testing.T, from, to Type, xs []F) {
	p := newProgram(from, from, to)
	p.do(Instr{Op: Extend, Type: from, To: to, D: p.d, X: p.x})
	pairs(t, fmt.Sprintf("%T of %T", T(0), F(0)), p, xs, []F{0}, func(x, _ F) T { return T(x) })
}

// room is memory that does not move.
var room [1 << 16]byte

// memory stores a number and loads it, at addresses of all kinds.
func memory[T integer | float32 | float64](t *testing.T, name string, typ Type, xs []T) {
	base := int64(uintptr(unsafe.Pointer(&room[1<<15])))
	for _, disp := range []int32{0, 8, -8, 3, 255, -256, -257, 4095, 4096, 1<<15 - 800} {
		for _, scale := range []uint8{0, 1, 2, 4, 8} {
			p := newProgram(typ, Int64, typ)
			at := p.f.Var(Var{Type: Pointer, Const: true, Value: base})
			m := Mem{Base: at, Disp: disp}
			if scale != 0 {
				m.Index, m.Scale = p.y, scale
			}
			p.do(Instr{Op: Store, Type: typ, Z: p.x, Mem: m})
			there := p.f.Var(Var{Type: Pointer})
			p.do(Instr{Op: Address, D: there, Mem: m})
			again := p.f.Var(Var{Type: typ})
			p.do(Instr{Op: Load, Type: typ, D: again, Mem: m})
			p.do(Instr{Op: Store, Type: typ, Z: again, Mem: Mem{Base: there, Disp: 16}})
			p.do(Instr{Op: Load, Type: typ, D: p.d, Mem: Mem{Base: there, Disp: 16}})
			pairs(t, fmt.Sprintf("%s at %+v", name, m), p, xs, []int64{0, 1, 77, -3}, func(x T, i int64) T {
				place := 1<<15 + int(disp) + int(scale)*int(i)
				if got := *(*T)(unsafe.Pointer(&room[place])); !same(got, x) {
					t.Errorf("%s at %+v: %v is stored, not %v", name, m, got, x)
				}
				return x
			})
		}
	}
	if typ.Float() {
		return
	}
	for _, v := range xs {
		p := newProgram(typ, typ, typ)
		p.alone = true
		p.do(Instr{Op: Store, Type: typ, Imm: int64(v), Mem: Mem{Base: Frame, Disp: atCrowd - 8}})
		p.do(Instr{Op: Load, Type: typ, D: p.d, Mem: Mem{Base: Frame, Disp: atCrowd - 8}})
		pairs(t, name+", stored", p, []T{0}, []T{0}, func(T, T) T { return v })
	}
}

func floatOf[F integer, T float32 | float64](t *testing.T, from, to Type, xs []F) {
	op := IntFloat
	if from == Uint64 {
		op = UintFloat
	}
	p := newProgram(from, from, to)
	p.do(Instr{Op: op, Type: from, To: to, D: p.d, X: p.x})
	pairs(t, fmt.Sprintf("%T of %T", T(0), F(0)), p, xs, []F{0}, func(x, _ F) T { return T(x) })
}

func TestBits(t *testing.T) {
	for op, want := range map[Op]func(x, _ uint64) int64{
		Ones:     func(x, _ uint64) int64 { return int64(bits.OnesCount64(x)) },
		LowZeros: func(x, _ uint64) int64 { return int64(bits.TrailingZeros64(x)) },
		BitLen:   func(x, _ uint64) int64 { return int64(bits.Len64(x)) },
	} {
		if op == Ones && !CountsOnes() {
			continue
		}
		for _, d := range []string{"d", "x"} {
			p := newProgram(Uint64, Uint64, Int64)
			to := map[string]Reg{"d": p.d, "x": p.x}[d]
			p.do(Instr{Op: op, Type: Uint64, D: to, X: p.x})
			if to != p.d {
				p.do(Instr{Op: Move, D: p.d, X: to})
			}
			pairs(t, fmt.Sprintf("operation %d, to %s", op, d), p, some[uint64](), []uint64{0}, want)
		}
	}
}

func TestFloats(t *testing.T) {
	zero := 0.0
	numbers := []float64{
		0, -zero, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 1e-310, 1e-40, 0.1, 3, 127.9, 128, 255.9, 256, -129, 32768, 65535.9, 65536, 1e9, 2147483647, 2147483648, -2147483648, -2147483649,
		4294967295, 4294967296, 1e10, -1e10, 1 << 53, 9.2e18, 1 << 63, -1 << 63, 1.8e19, 1 << 64, 1e30, -1e30, 1e300, math.Inf(1), math.Inf(-1), math.NaN(), math.Pi,
	}
	ofFloats(t, Float64, numbers)
	var singles []float32
	for _, x := range numbers {
		singles = append(singles, float32(x))
	}
	ofFloats(t, Float32, singles)
	p := newProgram(Float64, Float64, Float32)
	p.do(Instr{Op: FloatFloat, Type: Float64, To: Float32, D: p.d, X: p.x})
	pairs(t, "a Float32", p, numbers, numbers[:1], func(x, _ float64) float32 { return float32(x) })
	p = newProgram(Float32, Float32, Float64)
	p.do(Instr{Op: FloatFloat, Type: Float32, To: Float64, D: p.d, X: p.x})
	pairs(t, "a Float64", p, singles, singles[:1], func(x, _ float32) float64 { return float64(x) })
	for mode, want := range map[int64]func(float64) float64{8: math.RoundToEven, 9: math.Floor, 10: math.Ceil, 11: math.Trunc} {
		if !Rounds() {
			break
		}
		p := newProgram(Float64, Float64, Float64)
		p.do(Instr{Op: FRound, Type: Float64, Imm: mode, D: p.d, X: p.x})
		pairs(t, fmt.Sprintf("rounded, %d", mode), p, numbers, numbers[:1], func(x, _ float64) float64 { return want(x) })
	}
	p = newProgram(Float64, Float64, Uint64)
	p.do(Instr{Op: FMin, Type: Float64, D: p.x, X: p.x, Y: p.y})
	p.do(Instr{Op: FBits, Type: Float64, To: Uint64, D: p.d, X: p.x})
	nans := append(numbers, -math.NaN(), math.Float64frombits(0xfff8000000000123), math.Float64frombits(0x7ff0000000000001))
	pairs(t, "bits of the minimum", p, nans, nans, func(x, y float64) uint64 { return math.Float64bits(min(x, y)) })
	p = newProgram(Float32, Float32, Uint32)
	p.do(Instr{Op: FBits, Type: Float32, To: Uint32, D: p.d, X: p.x})
	pairs(t, "bits", p, singles, singles[:1], func(x, _ float32) uint32 { return math.Float32bits(x) })
	p = newProgram(Uint64, Uint64, Float64)
	p.do(Instr{Op: FromBits, Type: Float64, D: p.d, X: p.x})
	pairs(t, "of bits", p, some[uint64](), []uint64{0}, func(x, _ uint64) float64 { return math.Float64frombits(x) })
}

func ofFloats[T float32 | float64](t *testing.T, typ Type, xs []T) {
	name := fmt.Sprintf("%T", T(0))
	binary := map[Op]func(x, y T) T{
		FAdd: func(x, y T) T { return x + y }, FSub: func(x, y T) T { return x - y }, FMul: func(x, y T) T { return x * y }, FDiv: func(x, y T) T { return x / y },
		FMin: func(x, y T) T { return min(x, y) },
	}
	if runtime.GOARCH != "amd64" {
		binary[FMax] = func(x, y T) T { return max(x, y) }
	}
	for op, want := range binary {
		for _, d := range []string{"d", "x", "y"} {
			p := newProgram(typ, typ, typ)
			to := map[string]Reg{"d": p.d, "x": p.x, "y": p.y}[d]
			p.do(Instr{Op: op, Type: typ, D: to, X: p.x, Y: p.y})
			if to != p.d {
				p.do(Instr{Op: Move, D: p.d, X: to})
			}
			pairs(t, fmt.Sprintf("%s, operation %d, to %s", name, op, d), p, xs, xs, want)
		}
	}
	for op, want := range map[Op]func(x T) T{
		FNeg: func(x T) T { return -x }, FAbs: func(x T) T { return T(math.Abs(float64(x))) }, FSqrt: func(x T) T { return T(math.Sqrt(float64(x))) },
	} {
		p := newProgram(typ, typ, typ)
		p.do(Instr{Op: op, Type: typ, D: p.d, X: p.x})
		pairs(t, fmt.Sprintf("%s, operation %d", name, op), p, xs, xs[:1], func(x, _ T) T { return want(x) })
	}
	// a product is rounded before it is added to
	p := newProgram(typ, typ, typ)
	product := p.f.Var(Var{Type: typ})
	p.do(Instr{Op: FMul, Type: typ, D: product, X: p.x, Y: p.y})
	p.do(Instr{Op: FAdd, Type: typ, D: p.d, X: product, Y: p.x})
	pairs(t, name+", product and sum", p, xs, xs, func(x, y T) T { return T(x*y) + x })
	comparisons(t, name, typ, xs, false)
	memory(t, name, typ, xs)
	integerOf[T, int8](t, typ, Int8, xs)
	integerOf[T, int16](t, typ, Int16, xs)
	integerOf[T, int32](t, typ, Int32, xs)
	integerOf[T, int64](t, typ, Int64, xs)
	integerOf[T, uint8](t, typ, Uint8, xs)
	integerOf[T, uint16](t, typ, Uint16, xs)
	integerOf[T, uint32](t, typ, Uint32, xs)
	integerOf[T, uint64](t, typ, Uint64, xs)
}

func integerOf[F float32 | float64, T integer](t *testing.T, from, to Type, xs []F) {
	op := FloatInt
	if to == Uint64 {
		op = FloatUint
	}
	p := newProgram(from, from, to)
	p.do(Instr{Op: op, Type: from, To: to, D: p.d, X: p.x})
	pairs(t, fmt.Sprintf("%T of %T", T(0), F(0)), p, xs, xs[:1], func(x, _ F) T { return T(x) })
}
