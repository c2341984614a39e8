package rtype

import (
	"fmt"
	"go/token"
	"go/types"
	"reflect"
	"runtime"
	"unsafe"
)

// checkStubs compares the code of method stubs with the expected code, and their distance with
// stubSize.
func checkStubs() error {
	for n := uintptr(1); n < numStubs; n += 1 + n/2 {
		if !isStub(stubsPC+n*stubSize, n) {
			return fmt.Errorf("stub %d: %w", n, errDiffers)
		}
	}
	if last := uintptr(numStubs - 1); !isStub(stubsPC+last*stubSize, last) {
		return fmt.Errorf("stub %d: %w", last, errDiffers)
	}
	return nil
}

func checkOperations() error {
	intType, mapOf := TypeOf(reflect.TypeFor[int]()), TypeOf(reflect.TypeFor[map[string]int]())
	m := MakeMap(mapOf, 4)
	for i, key := range []string{"one", "two", "three"} {
		*(*int)(MapSlot(mapOf, m, unsafe.Pointer(&key))) = i + 1
	}
	key := "two"
	MapDelete(mapOf, m, unsafe.Pointer(&key))
	key = "three"
	p, ok := MapGet(mapOf, m, unsafe.Pointer(&key))
	sum, it := 0, new(MapIter)
	for it.Start(mapOf, m); it.Key != nil; it.Next() {
		sum += *(*int)(it.Elem) * len(*(*string)(it.Key))
	}
	if real := *(*map[string]int)(unsafe.Pointer(&m)); !ok || *(*int)(p) != 3 || sum != 18 || MapLen(m) != 2 || len(real) != 2 || real["one"] != 1 {
		return fmt.Errorf("maps: %w", errDiffers)
	}
	if err := checkFastMaps(mapOf, m); err != nil {
		return err
	}
	s := MakeSlice(intType, 2, 2)
	*(*int)(s.Data) = 7
	s = Grow(intType, s, 3)
	if real := *(*[]int)(unsafe.Pointer(&s)); len(real) != 5 || cap(real) < 5 || real[0] != 7 {
		return fmt.Errorf("slices: %w", errDiffers)
	}
	if err := checkChanMark(); err != nil {
		return err
	}
	c := MakeChan(TypeOf(reflect.TypeFor[chan int]()), 1)
	out, in := 42, 0
	sent, full := Send(c, unsafe.Pointer(&out), false), !Send(c, unsafe.Pointer(&out), false)
	got, more := Recv(c, unsafe.Pointer(&in), true)
	Close(c)
	_, closed := Recv(c, unsafe.Pointer(&out), true)
	stopped, _ := Transfer(true, nil, unsafe.Pointer(&out), c)
	d := MakeChan(TypeOf(reflect.TypeFor[chan int]()), 1)
	out = 43
	again, _ := Transfer(true, d, unsafe.Pointer(&out), nil)
	out = 0
	_, received := Transfer(false, d, unsafe.Pointer(&out), nil)
	if !stopped || again || !received || out != 43 || !sent || !full || !got || !more || in != 42 || closed || ChanCap(c) != 1 || ChanLen(c) != 0 {
		return fmt.Errorf("channels: %w", errDiffers)
	}
	return nil
}

// checkFastMaps checks the functions for maps with keys of one kind. The map has the key "one" with
// the element 1.
func checkFastMaps(mapOf *Type, m unsafe.Pointer) error {
	p, ok := MapGetString(mapOf, m, "one")
	fine := FastMap(mapOf) && ok && *(*int)(p) == 1 && MapSlotString(mapOf, m, "one") == p
	fine = fine && !FastMap(TypeOf(reflect.TypeFor[map[int][maxFastElem + 1]byte]()))
	wide, narrow := map[uint64][3]byte{7: {1, 2, 3}}, map[int32]string{-1: "x"}
	of64, of32 := TypeOf(reflect.TypeOf(wide)), TypeOf(reflect.TypeOf(narrow))
	m64, m32 := reflect.ValueOf(wide).UnsafePointer(), reflect.ValueOf(narrow).UnsafePointer()
	p, ok = MapGet64(of64, m64, 7)
	fine = fine && ok && *(*[3]byte)(p) == [3]byte{1, 2, 3}
	_, ok = MapGet64(of64, nil, 7)
	*(*[3]byte)(MapSlot64(of64, m64, 8)) = [3]byte{4, 5, 6}
	fine = fine && !ok && wide[8] == [3]byte{4, 5, 6} && len(wide) == 2
	minus := int32(-1)
	p, ok = MapGet32(of32, m32, uint32(minus))
	*(*string)(MapSlot32(of32, m32, 2)) = "y"
	if fine = fine && ok && *(*string)(p) == "x" && narrow[2] == "y"; !fine {
		return fmt.Errorf("maps with fast keys: %w", errDiffers)
	}
	return nil
}

// checkCalls makes func values and lets compiled code call them: parameters and results in every
// kind of register must be in the registers that their Signature lists.
func checkCalls() error {
	var got []any
	ts := New(Config{Enter: func(c *Call) {
		growStack(64)
		got = got[:0]
		for i := range c.NumArgs() {
			t := c.closure.sig.params[i].typ
			v := reflect.New(t.Reflect())
			c.Arg(i, v.UnsafePointer())
			got = append(got, v.Elem().Interface())
		}
		for i := range c.NumResults() { // the last arguments, last first
			p := reflect.New(c.closure.sig.results[i].typ.Reflect())
			p.Elem().Set(reflect.ValueOf(got[len(got)-1-i]))
			c.SetResult(i, p.UnsafePointer())
		}
	}})
	number, text := 42, "text"
	whole := func(want ...any) error {
		if !reflect.DeepEqual(got, want) {
			return fmt.Errorf("%v for %v: %w", got, want, errDiffers)
		}
		return nil
	}
	words := funcOf[func(int8, *int, []string, any, uint16) (uint16, any, []string, *int)](ts)
	a, b, c, d := words(-1, &number, []string{text}, number, 65535)
	if err := whole(int8(-1), &number, []string{text}, number, uint16(65535)); err != nil {
		return err
	}
	if a != 65535 || b != any(number) || len(c) != 1 || c[0] != text || d != &number {
		return fmt.Errorf("results in integer registers: %w", errDiffers)
	}
	floats := funcOf[func(float64, int32, float32, string, complex128) (complex128, string, float32)](ts)
	e, f, g := floats(1.5, 7, -0.25, text, 3i)
	if err := whole(1.5, int32(7), float32(-0.25), text, 3i); err != nil {
		return err
	}
	if e != 3i || f != text || g != -0.25 {
		return fmt.Errorf("results in floating-point registers: %w", errDiffers)
	}
	type large [5]int
	stack := funcOf[func(string, large) (large, string)](ts)
	h, i := stack(text, large{1, 2, 3, 4, 5})
	if h != (large{1, 2, 3, 4, 5}) || i != text {
		return fmt.Errorf("results on the stack: %w", errDiffers)
	}
	return nil
}

// checkPointerMap calls a func value with pointers to a variable on the stack, which moves during
// the call. The runtime adjusts the pointers that it knows; the garbage collector sees exactly
// these pointers.
func checkPointerMap() error {
	var err error
	done := make(chan bool)
	go func() { // with a small stack of its own
		defer close(done)
		err = assumption{test: callWithStack}.hold()
	}()
	<-done
	return err
}

func callWithStack() error {
	var got [intRegs]uintptr
	moved := false
	ts := New(Config{Enter: func(c *Call) {
		before := uintptr(unsafe.Pointer(c))
		for depth := 64; !moved && depth < 1<<12; depth *= 2 {
			growStack(depth)
			moved = uintptr(unsafe.Pointer(c)) != before
		}
		for i := range got {
			got[i] = uintptr(c.pointers[i])
		}
	}})
	type p = *byte
	var here byte
	at := func() p { // hides the pointer from the compiler, so the variable stays on the stack
		address := uintptr(unsafe.Pointer(&here))
		return *(*p)(unsafe.Pointer(&address))
	}
	// Pass as many pointers as the processor has registers for them.
	switch nine := funcOf[func(a, b, c, d, e, f, g, h, i p)](ts); intRegs {
	case 9:
		nine(at(), at(), at(), at(), at(), at(), at(), at(), at())
	default:
		all := funcOf[func(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, q p)](ts)
		all(at(), at(), at(), at(), at(), at(), at(), at(), at(), at(), at(), at(), at(), at(), at(), at())
	}
	if !moved {
		return fmt.Errorf("the stack of a goroutine does not move: %w", errDiffers)
	}
	for i := range got {
		if got[i] != uintptr(unsafe.Pointer(&here)) {
			return fmt.Errorf("register %d: %w", i, errDiffers)
		}
	}
	return nil
}

// funcOf returns a func value of the type F that enters ts.
func funcOf[F any](ts *Types) (f F) {
	c := ts.Signature(TypeOf(reflect.TypeFor[F]())).Closure(nil, nil)
	*(*unsafe.Pointer)(unsafe.Pointer(&f)) = unsafe.Pointer(c)
	return f
}

// checkBuiltMap builds
//
//	type M map[string]int
//	func (m M) String() string
//
// and uses the type M, because its descriptor is the longest descriptor that the engine copies.
func checkBuiltMap() error {
	pkg := types.NewPackage("main", "main")
	named := types.NewNamed(types.NewTypeName(token.NoPos, pkg, "M", nil), types.NewMap(types.Typ[types.String], types.Typ[types.Int]), nil)
	result := types.NewTuple(types.NewVar(token.NoPos, pkg, "", types.Typ[types.String]))
	named.AddMethod(types.NewFunc(token.NoPos, pkg, "String",
		types.NewSignatureType(types.NewVar(token.NoPos, pkg, "m", named), nil, nil, nil, result, false)))
	ts := New(Config{
		Method: func(*Method) unsafe.Pointer { return nil },
		Enter: func(c *Call) {
			var m map[string]int
			c.Arg(0, unsafe.Pointer(&m))
			s := fmt.Sprint("M", len(m))
			c.SetResult(0, unsafe.Pointer(&s))
		},
	})
	t, err := ts.Of(named)
	if err != nil {
		return err
	}
	m := reflect.MakeMap(t.Reflect())
	for i := range 20 { // more entries than one group holds
		m.SetMapIndex(reflect.ValueOf(fmt.Sprint(i)), reflect.ValueOf(i))
	}
	sum := 0
	for _, v := range m.Seq2() {
		sum += int(v.Int())
	}
	w := m.Interface()
	if s, ok := w.(fmt.Stringer); !ok || s.String() != "M20" || sum != 190 || fmt.Sprintf("%T", w) != "main.M" || m.MapIndex(reflect.ValueOf("7")).Int() != 7 {
		return errDiffers
	}
	return nil
}

// checkBuilt builds
//
//	type T struct { n int; Name string `json:"name"` }
//	func (t T) String() string
//	func (t *T) Add(x int, y float64) *T
//
// and uses it as compiled code would.
func checkBuilt() error {
	pkg := types.NewPackage("main", "main")
	named := types.NewNamed(types.NewTypeName(token.NoPos, pkg, "T", nil), nil, nil)
	variable := func(name string, t types.Type) *types.Var { return types.NewVar(token.NoPos, pkg, name, t) }
	named.SetUnderlying(types.NewStruct([]*types.Var{
		types.NewField(token.NoPos, pkg, "n", types.Typ[types.Int], false),
		types.NewField(token.NoPos, pkg, "Name", types.Typ[types.String], false),
	}, []string{"", `json:"name"`}))
	addMethod := func(name string, recv types.Type, params []*types.Var, result types.Type) {
		sig := types.NewSignatureType(variable("t", recv), nil, nil, types.NewTuple(params...), types.NewTuple(variable("", result)), false)
		named.AddMethod(types.NewFunc(token.NoPos, pkg, name, sig))
	}
	pointer := types.NewPointer(named)
	addMethod("String", named, nil, types.Typ[types.String])
	addMethod("Add", pointer, []*types.Var{variable("x", types.Typ[types.Int]), variable("y", types.Typ[types.Float64])}, pointer)

	type twin struct {
		n    int
		Name string
	}
	ts := New(Config{
		Method: func(*Method) unsafe.Pointer { return nil },
		Enter: func(c *Call) {
			if c.Method().Sel.Obj().Name() == "String" {
				var t twin
				c.Arg(0, unsafe.Pointer(&t))
				s := fmt.Sprint(t.Name, "=", t.n)
				c.SetResult(0, unsafe.Pointer(&s))
				return
			}
			var p *twin
			x, y := 0, 0.0
			c.Arg(0, unsafe.Pointer(&p))
			c.Arg(1, unsafe.Pointer(&x))
			c.Arg(2, unsafe.Pointer(&y))
			growStack(64)
			p.n += int(float64(x) * y)
			c.SetResult(0, unsafe.Pointer(&p))
		},
	})
	t, err := ts.Of(named)
	if err != nil {
		return err
	}
	rt := t.Reflect()
	v := reflect.New(rt)
	v.Elem().Field(1).SetString("n")
	adder := reflect.FuncOf([]reflect.Type{reflect.TypeFor[int](), reflect.TypeFor[float64]()}, []reflect.Type{v.Type()}, false)
	if m := v.MethodByName("Add"); m.Type() != adder {
		return fmt.Errorf("the type of a method: %w", errDiffers)
	} else if out := m.Call([]reflect.Value{reflect.ValueOf(6), reflect.ValueOf(7.0)}); out[0].UnsafePointer() != v.UnsafePointer() {
		return fmt.Errorf("a call by package reflect: %w", errDiffers)
	}
	for _, x := range []any{v.Interface(), v.Elem().Interface()} {
		if s, ok := x.(fmt.Stringer); !ok || s.String() != "n=42" || fmt.Sprint([]any{x}) != "[n=42]" {
			return fmt.Errorf("a call through an interface: %w", errDiffers)
		}
	}
	if f, ok := rt.FieldByName("Name"); !ok || f.Tag.Get("json") != "name" || rt.String() != "main.T" || rt.PkgPath() != "main" || fmt.Sprintf("%T", v.Interface()) != "*main.T" {
		return fmt.Errorf("names: %w", errDiffers)
	}
	set := map[any]int{v.Elem().Interface(): 1}
	if w := v.Elem().Interface(); set[w] != 1 || w != v.Elem().Interface() {
		return fmt.Errorf("comparison: %w", errDiffers)
	}
	return nil
}

// growStack makes the runtime copy the stack.
//
//go:noinline
func growStack(n int) int {
	var pad [128]int
	if n == 0 {
		return runtime.NumGoroutine()
	}
	pad[n&127] = growStack(n - 1)
	return pad[n&127]
}

// checkChanMark inspects the bytes next to the mark of a channel.
func checkChanMark() error {
	c := MakeChan(TypeOf(reflect.TypeFor[chan [3]byte]()), 2)
	at := func(off uintptr) uint16 { return *(*uint16)(unsafe.Add(c, off)) }
	unmarked := at(chanElemSize) == 3 && at(chanMark) == 0 && at(chanClosed) == 0 && !ChanMarked(c)
	MarkChan(c)
	elem, got := [3]byte{1, 2, 3}, [3]byte{}
	Send(c, unsafe.Pointer(&elem), false)
	Recv(c, unsafe.Pointer(&got), false)
	Close(c)
	if !unmarked || got != elem || at(chanElemSize) != 3 || at(chanClosed) != 1 || !ChanMarked(c) {
		return fmt.Errorf("the header of channels: %w", errDiffers)
	}
	return nil
}
