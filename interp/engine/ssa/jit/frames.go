package jit

import (
	"slices"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
	"github.com/gokernel/gokernel/interp/engine/ssa/native"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
	"golang.org/x/tools/go/ssa"
)

// maxClears is the maximum number of words that a function clears when it returns to JIT-compiled
// code.
const maxClears = 64

// callable makes the function callable from JIT-compiled code, in a frame of its own.
func (l *lowering) callable() {
	code := l.view.Code()
	var results []layout.Span
	for _, s := range l.view.Results() {
		results = append(results, layout.Span{From: s.Off, To: s.Off + s.Type.Size()})
	}
	for _, s := range layout.Without(code.Clears, results) {
		for off := s.From; off < s.To; off += 8 {
			l.f.Clears = append(l.f.Clears, int32(off))
		}
	}
	if len(l.f.Clears) > maxClears {
		return
	}
	for _, c := range code.Captured {
		for _, p := range pieces(c.To.Type) {
			l.f.Captured = append(l.f.Captured, native.Word{Type: p.t, From: int32(c.From) + p.off, To: int32(c.To.Off) + p.off})
		}
	}
	l.f.Start = slices.Index(l.f.Entries, 0)
	if l.f.Start < 0 {
		l.f.Start = len(l.f.Entries)
		l.f.Entries = append(l.f.Entries, 0)
	}
	l.f.Exits = append(l.f.Exits, native.Exit{Next: 0})
	l.f.StartExit = int32(len(l.f.Exits) - 1)
	l.f.Callable = true
}

// frameCall returns the description of a call in a frame of its own, and the registers of the
// arguments. If the callee is not known, it also returns the registers of the func value or
// interface value. It returns nil if only the interpreter can make the call.
func (l *lowering) frameCall(in *ssa.Call, x *native.Exit) (c *native.FrameCall, fv [2]native.Reg, args []native.Reg) {
	call := &in.Call
	if _, builtin := call.Value.(*ssa.Builtin); builtin || l.hasUnable(in) || l.op+l.ops > l.view.Ops(l.block) || l.ops != 1 {
		return nil, fv, nil
	}
	c = &native.FrameCall{PC: l.view.First(l.block) + int32(l.op) + 1}
	fn := call.StaticCallee()
	_, closure := call.Value.(*ssa.MakeClosure)
	switch {
	case fn != nil && (len(fn.Blocks) == 0 || fn.Parent() == nil && fn.Origin() != nil && fn.Origin().String() == "slices.Sort"):
		return nil, fv, nil
	case fn != nil && !closure:
		f := l.view.Function(fn)
		has := f.Code.Load()
		c.Function, c.Code = unsafe.Pointer(f), unsafe.Pointer(has)
		l.keep = append(l.keep, c.Function, c.Code)
		x.Called = func(unsafe.Pointer) unsafe.Pointer { return unsafe.Pointer(f.Code.Load().Warm()) }
	case call.IsInvoke():
		s, ok := l.view.Slot(call.Value)
		if !ok || len(l.homes(call.Value)) != 2 {
			return nil, fv, nil
		}
		c.Targets = &native.Targets{}
		l.keep = append(l.keep, unsafe.Pointer(c.Targets))
		x.Called = l.methodCalled(s, c.Targets, l.view.MethodIndex(call))
		fv = [2]native.Reg(l.words(call.Value))
	default:
		s, ok := l.view.Slot(call.Value)
		if !ok {
			return nil, fv, nil
		}
		x.Called = func(fp unsafe.Pointer) unsafe.Pointer {
			cl := rtype.ClosureOf(*(*unsafe.Pointer)(unsafe.Add(fp, s.Off)))
			if cl == nil {
				return nil
			}
			return unsafe.Pointer((*machine.Function)(cl.Func()).Code.Load().Warm())
		}
		fv[0] = l.reg(call.Value)
	}
	params, results := l.view.Signature(call.Signature())
	if c.Function != nil {
		sig := (*machine.Function)(c.Function).Sig
		params, results = sig.Params, sig.Results
	}
	c.Leaf = c.Function == nil
	for i, arg := range call.Args {
		to := params[i]
		switch {
		case to.Rep == layout.Zero:
		case to.Rep == layout.Memory:
			s, ok := l.view.Slot(arg)
			if !ok || to.Type.Size() > maxCopy {
				return nil, fv, nil
			}
			all := l.parts(arg.Type())
			if all == nil {
				c.Leaf, all = false, pieces(to.Type)
			}
			for _, p := range all {
				c.Args = append(c.Args, native.Word{Type: p.t, From: int32(s.Off) + p.off, To: int32(to.Off) + p.off})
				args = append(args, native.None)
			}
		default:
			off := int32(to.Off)
			for _, r := range l.words(arg) {
				t := l.f.Vars[r].Type
				c.Args = append(c.Args, native.Word{Type: t, To: off})
				args = append(args, r)
				off += int32(t.Size())
			}
		}
	}
	for i, s := range results {
		for _, p := range pieces(s.Type) {
			if p.t == native.Pointer {
				c.Clears = append(c.Clears, int32(s.Off)+p.off)
			}
		}
		to, ok := l.resultSlot(in, i, len(results))
		all, fits := partsOf(nil, s.Type.Reflect(), 0)
		for _, p := range all {
			if ok {
				c.LeafResults = append(c.LeafResults, native.LeafResult{Type: p.t, Number: c.LeafWords, To: int32(to.Off) + p.off})
			}
			c.LeafWords++
		}
		c.Leaf = c.Leaf && fits
		if !ok || s.Rep == layout.Zero {
			continue
		}
		if s.Type.Size() > maxCopy {
			return nil, fv, nil
		}
		for _, p := range pieces(s.Type) {
			c.Results = append(c.Results, native.Word{Type: p.t, From: int32(s.Off) + p.off, To: int32(to.Off) + p.off})
		}
		x.Results = append(x.Results, native.Result{From: s.Off, To: len(l.slots)})
		l.slots = append(l.slots, to)
	}
	c.Leaf = c.Leaf && len(args) <= maxCalleeWords && c.LeafWords <= maxCalleeWords
	return c, fv, args
}

// methodCalled returns a function that finds and caches the target of a method call. The slot s
// holds the interface value.
func (l *lowering) methodCalled(s layout.Slot, targets *native.Targets, method int) func(fp unsafe.Pointer) unsafe.Pointer {
	target := l.view.Targets()
	return func(fp unsafe.Pointer) unsafe.Pointer {
		table := *(*unsafe.Pointer)(unsafe.Add(fp, s.Off))
		if table == nil {
			return nil
		}
		fn, direct, receiver := target(table, method)
		if fn == nil {
			return nil
		}
		if !direct && receiver.Rep == layout.Pointer {
			fn.Code.Load().NoteViaPointer()
		}
		targets.Put(table, unsafe.Pointer(fn), direct, receiver.Type.Size(), receiver.Off)
		return unsafe.Pointer(fn.Code.Load().Warm())
	}
}

// resultSlot returns the frame slot of result i of a call.
func (l *lowering) resultSlot(in *ssa.Call, i, n int) (layout.Slot, bool) {
	if n == 1 {
		if len(*in.Referrers()) == 0 {
			return layout.Slot{}, false
		}
		return l.view.Slot(in)
	}
	parts := l.view.Tuple(in)
	if i >= len(parts) || parts[i].Type == nil {
		return layout.Slot{}, false
	}
	return parts[i], true
}
