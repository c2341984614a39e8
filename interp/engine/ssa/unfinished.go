//go:build (linux || darwin || windows) && (amd64 || arm64)

package ssa

import (
	"go/types"
	"reflect"
	"unsafe"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"
)

// go/ssa makes instances of generic functions, wrappers and methods when they are
// first asked for, and whoever asks for one that is being made waits for it. When
// the maker panics they are never finished, and the next cell that needs one of
// them would wait for ever. So they are forgotten, to be made again. The tables
// are not exported; fields that are not what they were are left alone, and a test
// notices.

// make calls f, which lets go/ssa make functions. The lock building is held.
func (e *Engine) make(f func()) {
	if e.building.TryLock() {
		panic("ssa: the program is changed without the lock building")
	}
	done := false
	defer func() {
		if !done {
			e.dropUnfinished()
		}
	}()
	f()
	done = true
}

// dropUnfinished forgets the functions that go/ssa has begun to make.
func (e *Engine) dropUnfinished() {
	prog := reflect.ValueOf(e.prog).Elem()
	dropFrom(unexported(prog, "objectMethods"))
	if sets := unexported(prog, "methodSets"); sets.IsValid() && sets.Type() == reflect.TypeFor[typeutil.Map]() {
		sets.Addr().Interface().(*typeutil.Map).Iterate(func(_ types.Type, set any) {
			dropFrom(unexported(reflect.ValueOf(set).Elem(), "mapping"))
		})
	}
	for _, pkg := range e.prog.AllPackages() {
		dropFrom(unexported(reflect.ValueOf(pkg).Elem(), "objects"))
	}
}

// dropFrom removes the unfinished functions from a table, and from those of the
// instances of the others.
func dropFrom(functions reflect.Value) {
	if functions.Kind() != reflect.Map {
		return
	}
	for it := functions.MapRange(); it.Next(); {
		fn, ok := it.Value().Interface().(*ssa.Function)
		if !ok || fn == nil {
			continue
		}
		f := reflect.ValueOf(fn).Elem()
		if unfinished(unexported(f, "buildshared")) {
			functions.SetMapIndex(it.Key(), reflect.Value{})
		} else if g := unexported(f, "generic"); g.Kind() == reflect.Pointer && !g.IsNil() {
			dropFrom(unexported(g.Elem(), "instances"))
		}
	}
}

// unfinished reports whether a task of go/ssa has not come to its end.
func unfinished(task reflect.Value) bool {
	if task.Kind() != reflect.Pointer || task.IsNil() {
		return false
	}
	done := unexported(task.Elem(), "done")
	if done.Kind() != reflect.Chan || done.IsNil() {
		return false
	}
	zero, _ := done.TryRecv()
	return !zero.IsValid() // it is not closed
}

// unexported gives a field of an addressable struct; the zero Value if there is
// none.
func unexported(v reflect.Value, name string) reflect.Value {
	f := v.FieldByName(name)
	if !f.IsValid() {
		return f
	}
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
}
