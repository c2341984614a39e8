package rtype

import (
	"fmt"
	"go/types"
	"reflect"
	"sync"
	"unsafe"

	"golang.org/x/tools/go/types/typeutil"
)

// Config holds the functions that a set of types calls in the engine.
type Config struct {
	// Lookup returns the compiled type with a package path and a name, or nil if there is none. In
	// that case, the type is built. It is called with exported and unexported names of
	// package-level types without type arguments.
	Lookup func(path, name string) reflect.Type
	// A struct type of the checker may stand for a compiled type. Hidden finds this compiled type,
	// which is the type of a field of another compiled struct type. The results are the package's
	// path, the struct type's name and the field's index. Hidden may be nil.
	Hidden func(*types.Struct) (path, name string, field int, ok bool)
	// Roots returns the types of a compiled package's exported symbols. Types that Lookup does not
	// know (unexported types and instances of generic types) are searched for in these types. It
	// may be nil.
	Roots func(path string) []reflect.Type
	// Enclosing returns the type arguments of the function instance that declares a type, or nil if
	// the function is not generic. Enclosing may be nil.
	Enclosing func(*types.TypeName) []types.Type
	// FromSource reports whether a package is interpreted, even if a compiled package has the same
	// path. FromSource may be nil.
	FromSource func(*types.Package) bool
	// Enter runs the interpreted function that compiled code has called, on the goroutine of the
	// caller. It reads the arguments from the call and stores the results in it. It must not keep
	// the call; see Call.
	Enter func(*Call)
	// Method returns the engine's own pointer for the function that implements a method. It is
	// called once, when the method is first called. Call.Func then returns the pointer.
	Method func(*Method) unsafe.Pointer
}

// Types makes runtime types from checked types: one runtime type for each set of types that are
// identical in go/types. Several goroutines may call its methods at the same time.
type Types struct {
	cfg Config

	mu    sync.RWMutex
	canon typeutil.Map            // types.Type -> *Type, complete if no build is in progress
	back  map[*Type]types.Type    // the built types' origins
	sigs  map[sigKey]*Signature   // calling conventions
	found map[string]reflect.Type // compiled types reached from roots, by path and string
	walks map[string]bool         // packages whose roots have been walked
	stubs map[stubKey]textOff

	successors map[*types.Named]*types.Named // see Succeed
	renewed    sync.Map                      // types that have been replaced: *Type -> epoch
	epoch      int                           // counts the calls of Migrate

	serial uint32 // distinguishes named types with the same name
	build  *build // the build in progress
}

// New returns an empty set of types. Call New only if Check has succeeded.
func New(cfg Config) *Types {
	return &Types{
		cfg:   cfg,
		back:  make(map[*Type]types.Type),
		sigs:  make(map[sigKey]*Signature),
		found: make(map[string]reflect.Type),
		walks: make(map[string]bool),
		stubs: make(map[stubKey]textOff),

		successors: make(map[*types.Named]*types.Named),
	}
}

// Of returns the runtime type of t. It returns an error for type parameters and tuples, for types
// that are too large for the runtime, and if there are no method stubs left. If Of returns an
// error, it keeps nothing of t.
func (ts *Types) Of(t types.Type) (*Type, error) {
	ts.mu.RLock()
	rt, _ := ts.canon.At(t).(*Type)
	ts.mu.RUnlock()
	if rt != nil {
		return rt, nil
	}
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return ts.buildType(t)
}

// Origin returns the type from which a built runtime type was made. It returns false for compiled
// types and for unnamed types that package reflect made.
func (ts *Types) Origin(t *Type) (types.Type, bool) {
	ts.mu.RLock()
	defer ts.mu.RUnlock()
	o, ok := ts.back[t]
	return o, ok
}

// build is the construction of one type and of all types to which it refers. Named types are laid
// out when they are first met and completed from a queue, so that recursive types find each other.
type build struct {
	made  []types.Type // types to remove if the build fails
	queue []func()     // completes types that have been laid out
	final []func()     // runs when all types are complete
}

// unbuildable is the panic that ends a build that cannot succeed.
type unbuildable struct{ err error }

func fail(format string, args ...any) {
	panic(unbuildable{fmt.Errorf("rtype: "+format, args...)})
}

func (ts *Types) buildType(t types.Type) (rt *Type, err error) {
	b := &build{}
	ts.build = b
	defer func() {
		ts.build = nil
		r := recover()
		if r == nil {
			return
		}
		for _, m := range b.made {
			if d, ok := ts.canon.At(m).(*Type); ok {
				delete(ts.back, d)
			}
			ts.canon.Delete(m)
		}
		switch r := r.(type) {
		case unbuildable:
			rt, err = nil, r.err
		case string: // package reflect refuses a type with such a panic
			rt, err = nil, fmt.Errorf("rtype: %s: %s", t, r)
		default:
			panic(r)
		}
	}()
	rt = ts.of(t)
	for len(b.queue) > 0 {
		next := b.queue[0]
		b.queue = b.queue[1:]
		next()
	}
	for _, f := range b.final {
		f()
	}
	return rt, nil
}

// set records the type made for t.
func (ts *Types) set(t types.Type, rt *Type) {
	ts.canon.Set(t, rt)
	ts.build.made = append(ts.build.made, t)
}

// later defers work until the types that caused the work are laid out.
func (ts *Types) later(f func()) { ts.build.queue = append(ts.build.queue, f) }

// last defers work until all types are complete.
func (ts *Types) last(f func()) { ts.build.final = append(ts.build.final, f) }

// of returns the type for t. The type may be incomplete, but its size, string and comparison are
// final.
func (ts *Types) of(t types.Type) *Type {
	t = types.Unalias(t)
	if rt, ok := ts.canon.At(t).(*Type); ok {
		return rt
	}
	if n, ok := t.(*types.Named); ok {
		if now := ts.successor(n); now != nil {
			rt := ts.of(now)
			ts.set(t, rt)
			return rt
		}
		return ts.named(n)
	}
	rt := ts.unnamed(t)
	if have, ok := ts.canon.At(t).(*Type); ok {
		return have // already made, because the type refers to itself
	}
	ts.set(t, rt)
	return rt
}

func (ts *Types) reflectOf(t types.Type) reflect.Type { return ts.of(t).Reflect() }

func (ts *Types) unnamed(t types.Type) *Type {
	switch t := t.(type) {
	case *types.Basic:
		if rt := basicTypes[t.Kind()]; rt != nil {
			return TypeOf(rt)
		}
	case *types.Pointer:
		return TypeOf(reflect.PointerTo(ts.reflectOf(t.Elem())))
	case *types.Slice:
		return TypeOf(reflect.SliceOf(ts.reflectOf(t.Elem())))
	case *types.Array:
		if int64(int(t.Len())) != t.Len() {
			fail("%s is too large", t)
		}
		return TypeOf(reflect.ArrayOf(int(t.Len()), ts.reflectOf(t.Elem())))
	case *types.Map:
		return TypeOf(reflect.MapOf(ts.reflectOf(t.Key()), ts.reflectOf(t.Elem())))
	case *types.Chan:
		return TypeOf(reflect.ChanOf(chanDir(t.Dir()), ts.reflectOf(t.Elem())))
	case *types.Signature:
		return TypeOf(reflect.FuncOf(ts.tuple(t.Params()), ts.tuple(t.Results()), t.Variadic()))
	case *types.Interface:
		return ts.interfaceType(t)
	case *types.Struct:
		return ts.structType(t)
	}
	fail("%s has no run-time type", t)
	return nil
}

func (ts *Types) tuple(t *types.Tuple) []reflect.Type {
	rts := make([]reflect.Type, t.Len())
	for i := range rts {
		rts[i] = ts.reflectOf(t.At(i).Type())
	}
	return rts
}

func chanDir(d types.ChanDir) reflect.ChanDir {
	switch d {
	case types.SendOnly:
		return reflect.SendDir
	case types.RecvOnly:
		return reflect.RecvDir
	}
	return reflect.BothDir
}

var basicTypes = [...]reflect.Type{
	types.Bool:          reflect.TypeFor[bool](),
	types.Int:           reflect.TypeFor[int](),
	types.Int8:          reflect.TypeFor[int8](),
	types.Int16:         reflect.TypeFor[int16](),
	types.Int32:         reflect.TypeFor[int32](),
	types.Int64:         reflect.TypeFor[int64](),
	types.Uint:          reflect.TypeFor[uint](),
	types.Uint8:         reflect.TypeFor[uint8](),
	types.Uint16:        reflect.TypeFor[uint16](),
	types.Uint32:        reflect.TypeFor[uint32](),
	types.Uint64:        reflect.TypeFor[uint64](),
	types.Uintptr:       reflect.TypeFor[uintptr](),
	types.Float32:       reflect.TypeFor[float32](),
	types.Float64:       reflect.TypeFor[float64](),
	types.Complex64:     reflect.TypeFor[complex64](),
	types.Complex128:    reflect.TypeFor[complex128](),
	types.String:        reflect.TypeFor[string](),
	types.UnsafePointer: reflect.TypeFor[unsafe.Pointer](),
	// An untyped constant that gets no type from its context has its default type; nil has none.
	types.UntypedBool:    reflect.TypeFor[bool](),
	types.UntypedInt:     reflect.TypeFor[int](),
	types.UntypedRune:    reflect.TypeFor[rune](),
	types.UntypedFloat:   reflect.TypeFor[float64](),
	types.UntypedComplex: reflect.TypeFor[complex128](),
	types.UntypedString:  reflect.TypeFor[string](),
	types.UntypedNil:     reflect.TypeFor[unsafe.Pointer](),
}
