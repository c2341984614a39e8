package standin

import (
	"crypto/hkdf"
	"crypto/pbkdf2"
	"hash"
	"hash/maphash"
	"iter"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"
	"weak"

	"golang.org/x/tools/go/ssa"
)

// Generic functions and methods that the runtime implements have no source to interpret. Each of
// them has a stand-in here, which package reflect calls with the types of the instance.

// standIn returns the results of a call of an instance whose type is t.
type standIn func(t reflect.Type, args []reflect.Value) []reflect.Value

// Generic returns the stand-in for an instance of a generic function or method.
func (s *Set) Generic(fn *ssa.Function) (reflect.Value, bool) {
	name := fn.String()
	if o := fn.Origin(); o != nil {
		name = o.String()
	}
	if name == "reflect.TypeFor" {
		rt := s.m.Typ(fn.TypeArgs()[0]).Reflect()
		return reflect.MakeFunc(s.m.FuncType(fn).Reflect(), func([]reflect.Value) []reflect.Value {
			return []reflect.Value{reflect.ValueOf(&rt).Elem()}
		}), true
	}
	f, ok := generics[name]
	if !ok {
		return reflect.Value{}, false
	}
	if name == "runtime.AddCleanup" {
		s.later.finalizers.Store(true)
	}
	t := s.m.FuncType(fn).Reflect()
	return reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value { return f(t, args) }), true
}

var generics = map[string]standIn{
	"(*sync/atomic.Pointer[T]).Load": func(t reflect.Type, a []reflect.Value) []reflect.Value {
		return one(pointerAt(t.Out(0), atomic.LoadPointer(wordAt(a[0]))))
	},
	"(*sync/atomic.Pointer[T]).Store": func(_ reflect.Type, a []reflect.Value) []reflect.Value {
		atomic.StorePointer(wordAt(a[0]), a[1].UnsafePointer())
		return nil
	},
	"(*sync/atomic.Pointer[T]).Swap": func(t reflect.Type, a []reflect.Value) []reflect.Value {
		return one(pointerAt(t.Out(0), atomic.SwapPointer(wordAt(a[0]), a[1].UnsafePointer())))
	},
	"(*sync/atomic.Pointer[T]).CompareAndSwap": func(_ reflect.Type, a []reflect.Value) []reflect.Value {
		ok := atomic.CompareAndSwapPointer(wordAt(a[0]), a[1].UnsafePointer(), a[2].UnsafePointer())
		return one(reflect.ValueOf(ok))
	},
	"crypto/hkdf.Expand": func(t reflect.Type, a []reflect.Value) []reflect.Value {
		return orError(t)(hkdf.Expand(hashes(a[0]), a[1].Bytes(), a[2].String(), int(a[3].Int())))
	},
	"crypto/hkdf.Extract": func(t reflect.Type, a []reflect.Value) []reflect.Value {
		return orError(t)(hkdf.Extract(hashes(a[0]), a[1].Bytes(), a[2].Bytes()))
	},
	"crypto/hkdf.Key": func(t reflect.Type, a []reflect.Value) []reflect.Value {
		return orError(t)(hkdf.Key(hashes(a[0]), a[1].Bytes(), a[2].Bytes(), a[3].String(), int(a[4].Int())))
	},
	"crypto/pbkdf2.Key": func(t reflect.Type, a []reflect.Value) []reflect.Value {
		return orError(t)(pbkdf2.Key(hashes(a[0]), a[1].String(), a[2].Bytes(), int(a[3].Int()), int(a[4].Int())))
	},
	"hash/maphash.Comparable": func(_ reflect.Type, a []reflect.Value) []reflect.Value {
		return one(reflect.ValueOf(maphash.Comparable(a[0].Interface().(maphash.Seed), a[1].Interface())))
	},
	"hash/maphash.WriteComparable": func(_ reflect.Type, a []reflect.Value) []reflect.Value {
		maphash.WriteComparable(a[0].Interface().(*maphash.Hash), a[1].Interface())
		return nil
	},
	"iter.Pull":  pull,
	"iter.Pull2": pull,
	"math/rand/v2.N": func(t reflect.Type, a []reflect.Value) []reflect.Value {
		n := reflect.New(t.In(0)).Elem()
		if a[0].CanUint() && a[0].Uint() > 0 {
			n.SetUint(rand.Uint64N(a[0].Uint()))
		} else if a[0].CanInt() && a[0].Int() > 0 {
			n.SetInt(rand.Int64N(a[0].Int()))
		} else {
			panic("invalid argument to N")
		}
		return one(n)
	},
	"maps.Clone": func(t reflect.Type, a []reflect.Value) []reflect.Value {
		if a[0].IsNil() {
			return a
		}
		m := reflect.MakeMapWithSize(t.Out(0), a[0].Len())
		for it := a[0].MapRange(); it.Next(); {
			m.SetMapIndex(it.Key(), it.Value())
		}
		return one(m)
	},
	"reflect.TypeAssert": func(t reflect.Type, a []reflect.Value) []reflect.Value {
		v := a[0].Interface().(reflect.Value)
		to := t.Out(0)
		x := reflect.ValueOf(v.Interface())
		if !x.IsValid() || x.Type() != to && !(to.Kind() == reflect.Interface && x.Type().Implements(to)) {
			return []reflect.Value{reflect.Zero(to), reflect.ValueOf(false)}
		}
		out := reflect.New(to).Elem()
		out.Set(x)
		return []reflect.Value{out, reflect.ValueOf(true)}
	},
	"runtime.AddCleanup": func(t reflect.Type, a []reflect.Value) []reflect.Value {
		call := slices.Clone(a[1:]) // a copy, because the array of a also holds the object
		c := runtime.AddCleanup((*byte)(a[0].UnsafePointer()), func(args []reflect.Value) { args[0].Call(args[1:]) }, call)
		return one(reflect.ValueOf(c))
	},
	"unique.Make": func(t reflect.Type, a []reflect.Value) []reflect.Value {
		h := reflect.New(t.Out(0))
		*wordAt(h) = uniques.handle(a[0])
		return one(h.Elem())
	},
	"(unique.Handle[T]).Value": func(t reflect.Type, a []reflect.Value) []reflect.Value {
		h := reflect.New(a[0].Type())
		h.Elem().Set(a[0])
		return one(reflect.NewAt(t.Out(0), *wordAt(h)).Elem())
	},
	"weak.Make": func(t reflect.Type, a []reflect.Value) []reflect.Value {
		w := reflect.New(t.Out(0))
		*(*weak.Pointer[byte])(w.UnsafePointer()) = weak.Make((*byte)(a[0].UnsafePointer()))
		return one(w.Elem())
	},
	"(weak.Pointer[T]).Value": func(t reflect.Type, a []reflect.Value) []reflect.Value {
		w := reflect.New(a[0].Type())
		w.Elem().Set(a[0])
		p := (*weak.Pointer[byte])(w.UnsafePointer()).Value()
		return one(pointerAt(t.Out(0), unsafe.Pointer(p)))
	},
}

// hashes converts a function that makes hashes of any type to a function that makes a [hash.Hash].
func hashes(f reflect.Value) func() hash.Hash {
	return func() hash.Hash { return f.Call(nil)[0].Interface().(hash.Hash) }
}

// orError returns a function that makes the results of a function of type t, which returns bytes or
// an error.
func orError(t reflect.Type) func(b []byte, err error) []reflect.Value {
	return func(b []byte, err error) []reflect.Value {
		e := reflect.New(t.Out(1)).Elem()
		if err != nil {
			e.Set(reflect.ValueOf(err))
		}
		return []reflect.Value{reflect.ValueOf(b), e}
	}
}

func one(v reflect.Value) []reflect.Value { return []reflect.Value{v} }

// wordAt returns the word to which the pointer v points.
func wordAt(v reflect.Value) *unsafe.Pointer { return (*unsafe.Pointer)(v.UnsafePointer()) }

// pointerAt returns p as a value of the pointer type t.
func pointerAt(t reflect.Type, p unsafe.Pointer) reflect.Value {
	return reflect.NewAt(t, unsafe.Pointer(&p)).Elem()
}

// pull implements iter.Pull and iter.Pull2. The sequence runs as a coroutine that passes on the
// arguments of yield.
func pull(t reflect.Type, a []reflect.Value) []reflect.Value {
	seq := a[0]
	yield, next := seq.Type().In(0), t.Out(0)
	advance, stop := iter.Pull(func(give func([]reflect.Value) bool) {
		seq.Call(one(reflect.MakeFunc(yield, func(vs []reflect.Value) []reflect.Value {
			return one(reflect.ValueOf(give(vs)))
		})))
	})
	return []reflect.Value{
		reflect.MakeFunc(next, func([]reflect.Value) []reflect.Value {
			vs, ok := advance()
			if !ok {
				for i := range next.NumOut() - 1 {
					vs = append(vs, reflect.Zero(next.Out(i)))
				}
			}
			return append(vs[:len(vs):len(vs)], reflect.ValueOf(ok))
		}),
		reflect.ValueOf(stop),
	}
}

// uniqueValues has a copy of each value that was passed to unique.Make, as long as there is a
// handle for the value.
type uniqueValues struct {
	mu     sync.Mutex
	copies map[any]weak.Pointer[byte]
}

var uniques uniqueValues

func (u *uniqueValues) handle(v reflect.Value) unsafe.Pointer {
	key := v.Interface()
	if v.Kind() == reflect.Interface {
		key = [2]any{v.Type(), key} // an interface value is distinct from the same value of a concrete type
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if p := u.copies[key].Value(); p != nil {
		return unsafe.Pointer(p)
	}
	c := reflect.New(v.Type())
	c.Elem().Set(v)
	p := (*byte)(c.UnsafePointer())
	if u.copies == nil {
		u.copies = map[any]weak.Pointer[byte]{}
	}
	u.copies[key] = weak.Make(p)
	runtime.AddCleanup(p, u.forget, key)
	return unsafe.Pointer(p)
}

// forget drops a value that has no handle any more.
func (u *uniqueValues) forget(key any) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.copies[key].Value() == nil {
		delete(u.copies, key)
	}
}
