package rtype

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/gokernel/gokernel/interp/engine/ssa/goroutine"
)

// Check returns an error if built types cannot be trusted in this binary. The error names the
// assumption about the runtime that does not hold, and nothing else of this package may be used
// then. The first call does the work, in about a millisecond.
func Check() error { return checkOnce() }

var checkOnce = sync.OnceValue(func() error {
	if err := checkVersion(runtime.Version()); err != nil {
		return err
	}
	for _, a := range assumptions {
		if err := a.hold(); err != nil {
			return fmt.Errorf("rtype: %s: %w: see docs/explanation/engine-porting.md", a.name, err)
		}
	}
	return nil
})

// checkVersion refuses a Go version to which this package has not been ported. The build tags in
// runtime.go exclude such a version.
func checkVersion(v string) error {
	if !linked {
		return fmt.Errorf("rtype: built with %s, which the default engine was not ported to: see docs/explanation/engine-porting.md", v)
	}
	if v, experiments := experimentsOf(v); experiments != "" {
		return fmt.Errorf("rtype: built with %s and GOEXPERIMENT=%s, which may change any layout: see docs/explanation/engine-porting.md", v, experiments)
	}
	return nil
}

// experimentsOf splits a Go version into the version itself and the experiments that were enabled
// when Go was built. The linker writes the experiments after a space or, since Go 1.26, after a
// hyphen.
func experimentsOf(v string) (version, experiments string) {
	for _, sep := range []string{" X:", "-X:"} {
		if version, experiments, ok := strings.Cut(v, sep); ok {
			return version, experiments
		}
	}
	return v, ""
}

// assumption is a property of the runtime on which this package relies.
type assumption struct {
	name string
	test func() error
}

var errDiffers = errors.New("it differs from what is expected")

// hold runs the test. A panic counts as a failure.
func (a assumption) hold() (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the test panicked: %v", r)
		}
	}()
	return a.test()
}

var assumptions = []assumption{
	{"the layout of type descriptors", checkDescriptors},
	{"the code of the method stubs", checkStubs},
	{"operations on maps, slices and channels", checkOperations},
	{"calls by compiled code", checkCalls},
	{"the pointers of a call, as the runtime finds them", checkPointerMap},
	{"built types with methods", checkBuilt},
	{"built maps", checkBuiltMap},
	{"the stack of a goroutine", goroutine.CheckStack},
}

// sample has fields with descriptors of many kinds.
type sample struct {
	A int8 `key:"value"`
	_ *sample
	C map[string]sample
	D [3]func(int, ...string) error
	E chan<- []any
}

func (sample) First(x int, y float64) string { return "" }
func (*sample) second()                      {}

// Types of every kind, each with a method, because the data after a descriptor show the
// descriptor's size.
type (
	sampleInt   int
	sampleArray [2]string
	sampleChan  chan int
	sampleFunc  func(int, string) error
	sampleMap   map[string]int
	sampleSlice []int
)

func (sampleInt) First()   {}
func (sampleArray) First() {}
func (sampleChan) First()  {}
func (sampleFunc) First()  {}
func (sampleMap) First()   {}
func (sampleSlice) First() {}

type sampleInterface interface {
	First(x int, y float64) string
	second()
}

// checkDescriptors reads descriptors that the compiler made and compares them with the results of
// package reflect.
func checkDescriptors() error {
	seen := make(map[*Type]bool)
	var visit func(t reflect.Type) error
	visit = func(t reflect.Type) error {
		d := TypeOf(t)
		if seen[d] {
			return nil
		}
		seen[d] = true
		if d.Reflect() != t || d.size != t.Size() || d.Kind() != t.Kind() || int(d.align) != t.Align() ||
			int(d.fieldAlign) != t.FieldAlign() || (d.equal != nil) != t.Comparable() ||
			(d.tflag&tflagNamed != 0) != (t.Name() != "") {
			return fmt.Errorf("%v: %w", t, errDiffers)
		}
		if err := checkMethods(d, t); err != nil {
			return fmt.Errorf("methods of %v: %w", t, err)
		}
		return eachElem(d, t, visit)
	}
	for _, t := range []reflect.Type{
		reflect.TypeFor[sample](), reflect.TypeFor[*sample](), reflect.TypeFor[sampleInt](), reflect.TypeFor[sampleArray](),
		reflect.TypeFor[sampleChan](), reflect.TypeFor[sampleFunc](), reflect.TypeFor[sampleInterface](),
		reflect.TypeFor[sampleMap](), reflect.TypeFor[sampleSlice](),
	} {
		if err := visit(t); err != nil {
			return err
		}
	}
	return nil
}

// checkMethods reads the method table of a descriptor. The table's address depends on the size of
// the parts before it. The first method is First; unexported methods follow.
func checkMethods(d *Type, t reflect.Type) error {
	if d.tflag&tflagUncommon == 0 {
		if t.Kind() != reflect.Interface && t.NumMethod() != 0 {
			return errDiffers
		}
		return nil
	}
	u := uncommonOf(d)
	table := u.methods()
	if t.Kind() == reflect.Interface {
		if len(table) != 0 {
			return errDiffers
		}
		return nil
	}
	if int(u.xcount) != t.NumMethod() || len(table) < t.NumMethod() || len(table) > t.NumMethod()+1 {
		return errDiffers
	}
	for i := range t.NumMethod() {
		m := t.Method(i)
		name := nameKey{name: m.Name, flags: nameExported}.encode()
		if !sameName(resolveNameOff(d, table[i].name), name) {
			return errDiffers
		}
		// The method's type is -1 if the linker has found that the method is not used.
		if mt := table[i].mtyp; mt != -1 && mt != 0 && resolveTypeOff(d, mt).Reflect().NumIn() != m.Type.NumIn()-1 {
			return errDiffers
		}
	}
	return nil
}

// eachElem compares the types of which t consists with the types in the descriptor, and then calls
// visit for each of them.
func eachElem(d *Type, t reflect.Type, visit func(reflect.Type) error) error {
	var parts []*Type
	var want []reflect.Type
	switch t.Kind() {
	case reflect.Pointer:
		parts, want = []*Type{as[ptrType](d).elem}, []reflect.Type{t.Elem()}
	case reflect.Slice:
		parts, want = []*Type{as[sliceType](d).elem}, []reflect.Type{t.Elem()}
	case reflect.Chan:
		parts, want = []*Type{as[chanType](d).elem}, []reflect.Type{t.Elem()}
		if as[chanType](d).dir != int(t.ChanDir()) {
			return fmt.Errorf("%v: %w", t, errDiffers)
		}
	case reflect.Array:
		parts, want = []*Type{as[arrayType](d).elem}, []reflect.Type{t.Elem()}
		if int(as[arrayType](d).len) != t.Len() {
			return fmt.Errorf("%v: %w", t, errDiffers)
		}
	case reflect.Map:
		parts, want = []*Type{as[mapType](d).key, as[mapType](d).elem}, []reflect.Type{t.Key(), t.Elem()}
	case reflect.Func:
		parts = funcParams(d)
		for in := range t.Ins() {
			want = append(want, in)
		}
		for out := range t.Outs() {
			want = append(want, out)
		}
	case reflect.Interface:
		if len(as[interfaceType](d).methods) != t.NumMethod() {
			return fmt.Errorf("%v: %w", t, errDiffers)
		}
		for i, m := range as[interfaceType](d).methods {
			parts, want = append(parts, resolveTypeOff(d, m.typ)), append(want, t.Method(i).Type)
		}
	case reflect.Struct:
		for i, f := range as[structType](d).fields {
			rf := t.Field(i)
			if key := (nameKey{name: rf.Name, tag: string(rf.Tag), flags: exportedFlag(rf.IsExported())}); !sameName(f.name, key.encode()) || f.offset != rf.Offset {
				return fmt.Errorf("field %s of %v: %w", rf.Name, t, errDiffers)
			}
			parts, want = append(parts, f.typ), append(want, rf.Type)
		}
	}
	if len(parts) != len(want) {
		return fmt.Errorf("%v: %w", t, errDiffers)
	}
	for i, p := range parts {
		if p.Reflect() != want[i] {
			return fmt.Errorf("%v: %w", t, errDiffers)
		}
		if err := visit(want[i]); err != nil {
			return err
		}
	}
	return nil
}
