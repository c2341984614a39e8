package machine

import (
	"iter"
	"maps"
	"runtime"
	"slices"
	"weak"

	"golang.org/x/tools/go/ssa"
)

// A home holds the interpreted functions of a cell's package. A home is a member of the package, so
// the home's functions can be collected when no name, goroutine or func value refers to them. A
// table of the machine would keep it alive.
type home struct {
	*ssa.Function // the package's init, which has the methods of an ssa.Member
	functions     map[*ssa.Function]*Function
}

// homeName is not a valid Go identifier, so it can't collide with a declaration.
const homeName = "functions of the machine"

// Adopt makes a home for a package, so that its functions are collected with it. It must be called
// before any of these functions is requested.
func (m *Machine) Adopt(pkg *ssa.Package) {
	h := &home{Function: pkg.Func("init"), functions: map[*ssa.Function]*Function{}}
	pkg.Members[homeName] = h
	w := weak.Make(h)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.homes[w] = true
	session := weak.Make(m) // the homes of other packages must not keep the session alive
	runtime.AddCleanup(h, func(w weak.Pointer[home]) {
		if m := session.Value(); m != nil {
			m.mu.Lock()
			defer m.mu.Unlock()
			delete(m.homes, w)
		}
	}, w)
}

// homeOf returns the home of a function, or nil if it has none. The caller must hold mu.
func homeOf(fn *ssa.Function) *home {
	if fn.Pkg == nil {
		return nil
	}
	h, _ := fn.Pkg.Members[homeName].(*home)
	return h
}

// find returns the interpreted function of an ssa function, or nil if there is none yet. The caller
// holds mu.
func (m *Machine) find(fn *ssa.Function) *Function {
	if h := homeOf(fn); h != nil {
		return h.functions[fn]
	}
	if f := m.functions[fn]; f != nil || len(m.fading) == 0 {
		return f
	}
	return m.fading[weak.Make(fn)].Value()
}

// keep records the interpreted function of an ssa function. The caller must hold mu.
func (m *Machine) keep(fn *ssa.Function, f *Function) {
	switch h := homeOf(fn); {
	case h != nil:
		h.functions[fn] = f
	case fn.Pkg != nil && fn.Pkg.Members == nil:
		m.fading[weak.Make(fn)] = weak.Make(f) // a function literal in a retired package
	default:
		m.functions[fn] = f
	}
}

// all returns the interpreted functions. The caller must hold mu.
func (m *Machine) all() iter.Seq[*Function] {
	return func(yield func(*Function) bool) {
		for _, f := range m.functions {
			if !yield(f) {
				return
			}
		}
		for w := range m.homes {
			h := w.Value()
			if h == nil {
				continue
			}
			for _, f := range h.functions {
				if !yield(f) {
					return
				}
			}
		}
		for _, w := range m.fading {
			if f := w.Value(); f != nil && !yield(f) {
				return
			}
		}
	}
}

// list returns the interpreted functions that exist now.
func (m *Machine) list() []*Function {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return slices.Collect(m.all())
}

// Retire empties the members of a package. It keeps the interpreted functions of the members in
// kept. All others are collected when no goroutine, func value or other code refers to them any
// more. The caller must prevent other changes of the package.
func (m *Machine) Retire(pkg *ssa.Package, kept map[*ssa.Function]bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	maps.DeleteFunc(m.fading, func(_ weak.Pointer[ssa.Function], f weak.Pointer[Function]) bool { return f.Value() == nil })
	h, ok := pkg.Members[homeName].(*home)
	if !ok {
		return
	}
	pkg.Members = nil
	for fn, f := range h.functions {
		if kept[fn] {
			if c := f.Code.Load(); c.done.Load() {
				f.Code.Store(&Code{Fn: c.Fn, ID: m.codes.Add(1)}) // compiled again if it is called
			}
			m.functions[fn] = f
		} else {
			m.fading[weak.Make(fn)] = weak.Make(f)
		}
	}
}
