//go:build (linux || darwin) && (amd64 || arm64)

package ssa

import (
	"fmt"
	"reflect"
	"strings"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
)

// current gives the run that the running goroutine belongs to.
func (e *Engine) current() *cellRun {
	if l := rtype.GetLocal(); l != nil {
		return threadOf(l).run
	}
	return e.background
}

// makeOverrides gives the functions of the compiled world that interpreted code
// gets others for: those that print, end the process, or wait.
func (e *Engine) makeOverrides() map[string]reflect.Value {
	all := map[string]any{
		"fmt.Print":   func(a ...any) (int, error) { return e.print(fmt.Append(nil, a...)) },
		"fmt.Println": func(a ...any) (int, error) { return e.print(fmt.Appendln(nil, a...)) },
		"fmt.Printf":  func(f string, a ...any) (int, error) { return e.print(fmt.Appendf(nil, f, a...)) },
		"os.Exit":     func(code int) { panic(exitSignal{code}) },
		"time.Sleep":  e.sleep,
		"log.Fatal":   func(a ...any) { e.fatal(fmt.Sprint(a...)) },
		"log.Fatalf":  func(f string, a ...any) { e.fatal(fmt.Sprintf(f, a...)) },
		"log.Fatalln": func(a ...any) { e.fatal(fmt.Sprintln(a...)) },
	}
	m := make(map[string]reflect.Value, len(all))
	for name, f := range all {
		m[name] = reflect.ValueOf(f)
	}
	return m
}

func (e *Engine) print(b []byte) (int, error) {
	e.current().stdout(b)
	return len(b), nil
}

func (e *Engine) fatal(s string) {
	if !strings.HasSuffix(s, "\n") {
		s += "\n"
	}
	e.current().stderr([]byte(time.Now().Format("2006/01/02 15:04:05 ") + s))
	panic(exitSignal{1})
}

func (e *Engine) sleep(d time.Duration) {
	r := e.current()
	if r.cell == nil || d <= 0 {
		time.Sleep(d)
		return
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-r.closed:
		panic(stopSignal{})
	}
}

// generic gives a compiled stand-in for an instance of a generic function or
// method that has no source to interpret.
func (e *Engine) generic(fn *ssa.Function) (reflect.Value, bool) {
	name := fn.String()
	if o := fn.Origin(); o != nil {
		name = o.String()
	}
	make := func(f func(t reflect.Type, args []reflect.Value) []reflect.Value) (reflect.Value, bool) {
		t := e.funcType(fn).Reflect()
		return reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value { return f(t, args) }), true
	}
	cell := func(v reflect.Value) *unsafe.Pointer { return (*unsafe.Pointer)(v.UnsafePointer()) }
	pointer := func(t reflect.Type, p unsafe.Pointer) []reflect.Value {
		return []reflect.Value{reflect.NewAt(t, unsafe.Pointer(&p)).Elem()}
	}
	switch name {
	case "(*sync/atomic.Pointer[T]).Load":
		return make(func(t reflect.Type, a []reflect.Value) []reflect.Value {
			return pointer(t.Out(0), atomic.LoadPointer(cell(a[0])))
		})
	case "(*sync/atomic.Pointer[T]).Store":
		return make(func(t reflect.Type, a []reflect.Value) []reflect.Value {
			atomic.StorePointer(cell(a[0]), a[1].UnsafePointer())
			return nil
		})
	case "(*sync/atomic.Pointer[T]).Swap":
		return make(func(t reflect.Type, a []reflect.Value) []reflect.Value {
			return pointer(t.Out(0), atomic.SwapPointer(cell(a[0]), a[1].UnsafePointer()))
		})
	case "(*sync/atomic.Pointer[T]).CompareAndSwap":
		return make(func(t reflect.Type, a []reflect.Value) []reflect.Value {
			ok := atomic.CompareAndSwapPointer(cell(a[0]), a[1].UnsafePointer(), a[2].UnsafePointer())
			return []reflect.Value{reflect.ValueOf(ok)}
		})
	case "maps.Clone":
		return make(func(t reflect.Type, a []reflect.Value) []reflect.Value {
			if a[0].IsNil() {
				return a
			}
			m := reflect.MakeMapWithSize(t.Out(0), a[0].Len())
			for it := a[0].MapRange(); it.Next(); {
				m.SetMapIndex(it.Key(), it.Value())
			}
			return []reflect.Value{m}
		})
	case "reflect.TypeFor":
		t := e.typ(fn.TypeArgs()[0]).Reflect()
		return make(func(reflect.Type, []reflect.Value) []reflect.Value {
			return []reflect.Value{reflect.ValueOf(&t).Elem()}
		})
	}
	return reflect.Value{}, false
}
