package compile

import (
	"go/token"
	"reflect"
	"unicode/utf8"

	"golang.org/x/tools/go/ssa"
)

// When a string is converted to a slice, the Go compiler chooses the capacity according to the
// slice's uses. Programs can see the capacity with cap, and by slicing past the length. If the
// string is a constant, the capacity is the string's length. A short slice that does not escape is
// in a buffer of the function. The buffer has 32 elements and is zero beyond the length of the
// slice. A slice of bytes uses the buffer only if the program changes the slice; otherwise the
// string is not copied. In all other cases, the capacity is the length, rounded up as the allocator
// does.

// bufferLen is the length of such a buffer.
const bufferLen = 32

// stringToSlice returns the op of a conversion of a string to a slice of bytes or runes.
func (c *body) stringToSlice(in *ssa.Convert, to, from uintptr, elem reflect.Kind) op {
	_, constant := in.X.(*ssa.Const)
	stays, changed := true, false
	if !constant {
		stays, changed = c.staysInside(in)
	}
	switch {
	case elem == reflect.Uint8 && constant:
		return func(fp frame) {
			b := []byte(*ref[string](fp, from))
			*ref[[]byte](fp, to) = b[:len(b):len(b)]
		}
	case elem == reflect.Uint8 && stays && changed:
		return func(fp frame) {
			s := *ref[string](fp, from)
			if len(s) > bufferLen {
				*ref[[]byte](fp, to) = []byte(s)
				return
			}
			b := make([]byte, bufferLen)
			*ref[[]byte](fp, to) = b[:copy(b, s)]
		}
	case elem == reflect.Uint8:
		return func(fp frame) { *ref[[]byte](fp, to) = []byte(*ref[string](fp, from)) }
	case constant:
		return func(fp frame) {
			r := []rune(*ref[string](fp, from))
			*ref[[]rune](fp, to) = r[:len(r):len(r)]
		}
	case stays:
		return func(fp frame) {
			s := *ref[string](fp, from)
			if len(s) > bufferLen && utf8.RuneCountInString(s) > bufferLen {
				*ref[[]rune](fp, to) = []rune(s)
				return
			}
			r, n := make([]rune, bufferLen), 0
			for _, x := range s {
				r[n] = x
				n++
			}
			*ref[[]rune](fp, to) = r[:n]
		}
	}
	return func(fp frame) { *ref[[]rune](fp, to) = []rune(*ref[string](fp, from)) }
}

// staysInside reports whether the Go compiler can tell that a slice does not escape, and whether
// the program may change its elements.
func (c *body) staysInside(v ssa.Value) (stays, changed bool) {
	f := following{seen: map[ssa.Value]bool{}}
	return f.slice(v, 0), f.changed
}

// following follows a slice through a function and the functions that it calls.
type following struct {
	seen    map[ssa.Value]bool
	changed bool
	local   bool // whether to consider a slice that is passed to a function as one that escapes
}

// deepest is the maximum depth of calls into which a slice is followed.
const deepest = 4

// slice reports whether a slice does not escape.
func (f *following) slice(v ssa.Value, depth int) bool {
	if f.seen[v] {
		return true
	}
	f.seen[v] = true
	for _, in := range *v.Referrers() {
		if !f.use(v, in, depth) {
			return false
		}
	}
	return true
}

// use reports whether a slice does not escape through an instruction that uses it.
func (f *following) use(v ssa.Value, in ssa.Instruction, depth int) bool {
	switch in := in.(type) {
	case *ssa.DebugRef, *ssa.If:
		return true
	case *ssa.BinOp: // a comparison with nil
		return true
	case *ssa.Phi:
		return f.slice(in, depth)
	case *ssa.Slice:
		return in.X != v || f.slice(in, depth)
	case *ssa.ChangeType:
		return f.slice(in, depth)
	case *ssa.Convert: // to a string, which copies
		return true
	case *ssa.Index:
		return true
	case *ssa.IndexAddr:
		return f.part(in)
	case *ssa.Store:
		variable, ok := in.Addr.(*ssa.Alloc)
		return ok && !variable.Heap && in.Val == v && f.variable(variable, depth)
	case *ssa.Call:
		return f.call(v, in, depth)
	}
	return false
}

// part reports whether the address of an element, or of a part of it, is only used to read or set
// the memory there.
func (f *following) part(addr ssa.Value) bool {
	for _, in := range *addr.Referrers() {
		switch in := in.(type) {
		case *ssa.DebugRef:
		case *ssa.UnOp:
			if in.Op != token.MUL {
				return false
			}
		case *ssa.FieldAddr:
			if !f.part(in) {
				return false
			}
		case *ssa.IndexAddr:
			if in.X != addr || !f.part(in) {
				return false
			}
		case *ssa.Store:
			if in.Addr != addr {
				return false
			}
			f.changed = true
		default:
			return false
		}
	}
	return true
}

// variable reports whether no slice that the variable has held escapes.
func (f *following) variable(v *ssa.Alloc, depth int) bool {
	if f.seen[v] {
		return true
	}
	f.seen[v] = true
	for _, in := range *v.Referrers() {
		switch in := in.(type) {
		case *ssa.DebugRef, *ssa.Store:
		case *ssa.UnOp:
			if !f.slice(in, depth) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// call reports whether a slice that is an argument of a call does not escape.
func (f *following) call(v ssa.Value, in *ssa.Call, depth int) bool {
	args := in.Call.Args
	if b, ok := in.Call.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "len", "cap", "print", "println":
			return true
		case "clear":
			f.changed = true
			return true
		case "copy":
			f.changed = f.changed || args[0] == v
			return true
		case "append":
			if args[0] != v {
				return true
			}
			f.changed = true
			return f.slice(in, depth)
		}
		return false
	}
	fn := in.Call.StaticCallee()
	if fn == nil || len(fn.Blocks) == 0 || len(fn.Params) != len(args) || depth == deepest || f.local {
		return false
	}
	for i, arg := range args {
		if arg == v && !f.slice(fn.Params[i], depth+1) {
			return false
		}
	}
	return true
}
