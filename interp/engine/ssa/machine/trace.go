package machine

import (
	"fmt"
	"go/token"
	"go/types"
	"reflect"
	"runtime"
	"sort"
	"strings"
	"time"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/ssa/goroutine"
	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"golang.org/x/tools/go/ssa"
)

// traceMost is the maximum number of frames of a stack trace.
const traceMost = 64

// Traced is a call on a stack: its code, and the number of the running op.
type Traced struct {
	code  *Code
	pc    int32
	depth int32
	next  *Block // the block before which a poll found a stop request, or nil
}

// Trace returns the stack of the thread, innermost first.
func (th *Thread) Trace() []Traced { return th.trace(traceMost) }

// trace is like Trace, but returns at most the given number of frames.
func (th *Thread) trace(most int32) []Traced {
	var all []Traced
	floor := max(th.Depth-most, 0)
	th.alive(floor, func(fp layout.Frame) {
		h := Head(fp)
		if h.depth > th.Depth {
			return
		}
		t := Traced{code: h.stack.Code, pc: h.PC, depth: h.depth}
		if h.depth == th.Depth {
			t.next = th.next
		}
		if t.pc > 0 || t.next != nil {
			all = append(all, t)
		}
	})
	sort.Slice(all, func(i, j int) bool { return all[i].depth > all[j].depth })
	return all
}

// innermost returns the name of the function of the innermost call.
func (th *Thread) innermost() string {
	for _, t := range th.traceAll() {
		return FuncName(t.code.Fn.SSA)
	}
	return ""
}

// traceAll is like trace, but includes a call that has not begun.
func (th *Thread) traceAll() []Traced {
	var all []Traced
	th.alive(th.Depth-1, func(fp layout.Frame) {
		all = append(all, Traced{code: Head(fp).stack.Code, pc: Head(fp).PC, depth: Head(fp).depth})
	})
	return all
}

// Frames converts a trace to readable frames, without the wrappers that the compiler made.
func Frames(ts []Traced) []engine.Frame {
	var fs []engine.Frame
	for _, t := range ts {
		if t.code.Wrapper {
			continue
		}
		for _, call := range t.calls() {
			f := engine.Frame{Func: FuncName(call.Fn)}
			if fset := t.code.Fn.M.FsetOf(call.Fn); fset != nil && call.Pos.IsValid() {
				f.Pos = fset.Position(call.Pos)
			}
			fs = append(fs, f)
		}
	}
	return fs
}

// FuncName returns the name of a function as written in its source.
func FuncName(fn *ssa.Function) string {
	if p := fn.Parent(); p != nil {
		if fn.Synthetic != "" { // the body of a range-over-func loop
			return FuncName(p)
		}
		return "func literal in " + strings.TrimPrefix(FuncName(p), "func literal in ")
	}
	if recv := fn.Signature.Recv(); recv != nil {
		t := types.TypeString(recv.Type(), func(*types.Package) string { return "" })
		if strings.HasPrefix(t, "*") {
			t = "(" + t + ")"
		}
		return t + "." + fn.Name()
	}
	return fn.Name()
}

// PanicError describes the panic with the value r that has reached the root of a goroutine.
func (th *Thread) PanicError(r any) *engine.Panic {
	p := th.current(r)
	text, told := th.describe(p)
	e := &engine.Panic{Value: p.Argument(), Text: text, Stack: Frames(p.trace), Fatal: !told}
	switch r := r.(type) {
	case *overflow:
		e.Overflow, e.Depth, e.Stack = r.function, r.depth, Frames(r.trace)
	case FatalError, engine.NoRoom:
		e.Fatal = true
	}
	return e
}

// describe returns the text of a panic. The Error and String methods of its values may belong to
// the cell. They run on a separate goroutine, because the methods may themselves panic, or may
// never return. In these cases, describe returns what happened to them, and false.
func (th *Thread) describe(p *Panicking) (text string, told bool) {
	type answer struct {
		text string
		told bool
	}
	r := th.Run
	answers := make(chan answer, 1)
	go func() {
		own := r.NewThread()
		own.grace++ // like a deferred call: the cell may have been told to stop
		own.enterGoroutine()
		var a answer
		defer func() {
			if !a.told {
				a.text = own.untold(own.ending(recover()))
			}
			own.leaveGoroutine()
			r.dropThread(own)
			answers <- a
		}()
		a.text = panicText(p)
		a.told = true
	}()
	select {
	case a := <-answers:
		return a.text, a.told
	case <-r.closed:
	}
	select {
	case a := <-answers:
		return a.text, a.told
	case <-time.After(graceTime):
		return silent, false
	}
}

// silent is the text that the runtime prints for a panic whose value cannot be printed.
const silent = "panic while printing panic value"

// untold returns the reason why a panic has no text: the method that formats it has panicked with
// the value v or, if v is nil, called runtime.Goexit.
func (th *Thread) untold(v any) string {
	switch v := v.(type) {
	case nil:
		return silent + ": runtime.Goexit called"
	case StopSignal:
		return silent
	case ExitSignal:
		th.Run.GoroutineEnded(th, v)
		return silent + ": os.Exit called"
	case string:
		return silent + ": " + v
	case *overflow:
		return silent + ": " + v.Error()
	case FatalError:
		return silent + ": " + v.Error()
	}
	return silent + ": type " + reflect.TypeOf(v).String()
}

// panicText formats a panic as the runtime does after "panic: ".
func panicText(p *Panicking) string {
	if p.Goexit {
		return "runtime.Goexit called"
	}
	text := ""
	if e := p.earlier; e != nil {
		text = panicText(e)
		if e.Recovered && sameValue(e.Value, p.Value) {
			return strings.TrimSuffix(text, " [recovered]") + " [recovered, repanicked]"
		}
		text += "\n\tpanic: "
	}
	text += valueText(p.Argument())
	if p.Recovered {
		text += " [recovered]"
	}
	return text
}

// sameValue compares two panic values. Values that cannot be compared differ.
func sameValue(a, b any) bool {
	return reflect.ValueOf(a).Comparable() && reflect.ValueOf(b).Comparable() && a == b
}

func valueText(v any) string {
	switch v := v.(type) {
	case nil:
		return "nil"
	case error:
		return v.Error()
	case fmt.Stringer:
		return v.String()
	case string:
		return v
	}
	rv := reflect.ValueOf(v)
	t := rv.Type()
	basic := string(engine.AppendPrinted(nil, addressable(rv)))
	switch rv.Kind() {
	case reflect.String:
		return fmt.Sprintf("%s(%q)", t, rv.String())
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr,
		reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		if t.PkgPath() == "" {
			return basic
		}
		return fmt.Sprintf("%s(%s)", t, basic)
	}
	return fmt.Sprintf("(%s) %#x", t, wordOf(v))
}

func addressable(v reflect.Value) reflect.Value {
	p := reflect.New(v.Type()).Elem()
	p.Set(v)
	return p
}

var _ runtime.Error = PlainError("")

func wordOf(v any) uintptr { return uintptr((*layout.Iface)(unsafe.Pointer(&v)).Data) }

// FirstInlined is the smallest number of an inlined op.
const FirstInlined = 1 << 24

// InlinedOp is the position of an op of an inlined body.
type InlinedOp struct {
	Fn   *ssa.Function
	Pos  token.Pos
	Call token.Pos // position of the call
}

// Call is a call on a stack: a function and the current position in it.
type Call struct {
	Fn    *ssa.Function
	Pos   token.Pos
	Depth int32 // of the call, as Thread.Depth
}

// calls returns the calls that a frame represents, innermost first: the call of the inlined body
// that was running, if any, then the call of the function itself.
func (t Traced) calls() []Call {
	if t.next != nil {
		return t.stoppedIn()
	}
	return t.placed(known)
}

// placed returns the calls of a frame. Its argument, which is the function known or told, converts
// the positions of the calls.
func (t Traced) placed(known func(token.Pos, *ssa.Function) token.Pos) []Call {
	fn := t.code.SSA
	i := int(t.pc) - 1
	if n := i - FirstStop; n >= 0 {
		return []Call{{fn, known(Quiet(t.code.Debug.Sites[n].Pos), fn), t.depth}}
	}
	if n := i - FirstInlined; n >= 0 {
		in := t.code.Inlined[n]
		return []Call{{in.Fn, known(in.Pos, in.Fn), t.depth}, {fn, known(in.Call, fn), t.depth}}
	}
	pos := token.NoPos
	if i < len(t.code.pos) {
		pos = t.code.pos[i]
	}
	return []Call{{fn, known(pos, fn), t.depth}}
}

// known returns pos, or the position of the function if pos is not valid.
func known(pos token.Pos, fn *ssa.Function) token.Pos {
	if pos > token.NoPos {
		return pos
	}
	return fn.Pos()
}

// Quiet returns a position for an op that cannot fail. Traces omit this position; profiles use it.
func Quiet(pos token.Pos) token.Pos { return -pos }

// told is the counterpart of known for profiles.
func told(pos token.Pos, fn *ssa.Function) token.Pos { return known(max(pos, -pos), fn) }

// PlaceOf returns the position of an instruction. The call of a range-over-func loop has the
// position of the keyword range.
func PlaceOf(in ssa.Instruction) token.Pos {
	if call, ok := in.(*ssa.Call); ok && !in.Pos().IsValid() && len(call.Call.Args) == 1 {
		if body, ok := call.Call.Args[0].(*ssa.MakeClosure); ok && body.Fn.(*ssa.Function).Synthetic != "" {
			return body.Fn.Pos()
		}
	}
	return in.Pos()
}

// Callers returns the calls of the running goroutine's interpreted code, innermost first: at least
// the needed number, if there are as many. After a deferred call that a panic has caused come a
// call without a function, which stands for the panic, and the calls from which the panic came.
func (m *Machine) Callers(needed int) []Call {
	l := goroutine.GetLocal()
	if l == nil {
		return nil
	}
	th := threadOf(l)
	most := th.Depth
	if needed < int(most)-traceMost {
		most = int32(max(needed, 0) + traceMost)
	}
	all := th.callers(most)
	if len(all) < needed && most < th.Depth {
		return th.callers(th.Depth) // there were many wrappers
	}
	return all
}

func (th *Thread) callers(most int32) []Call {
	var all []Call
	add := func(t Traced) {
		if !t.code.Wrapper {
			all = append(all, t.calls()...)
		}
	}
	panics := map[int32]*Panicking{}
	th.alive(0, func(fp layout.Frame) {
		if h := Head(fp); h.Rec != nil {
			panics[h.depth] = h.Rec
		}
	})
	for _, t := range th.trace(most) {
		add(t)
		if p := panics[t.depth]; p != nil {
			all = append(all, Call{})
			for _, t := range p.trace {
				add(t)
			}
			break
		}
	}
	return all
}

// StackHere returns the calls of the running goroutine, or none if it does not run interpreted
// code.
func StackHere() []engine.Frame {
	if l := goroutine.GetLocal(); l != nil {
		if th := threadOf(l); th.g.Load() == goroutine.ID() {
			return Frames(th.Trace())
		}
	}
	return nil
}
