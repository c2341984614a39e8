package rtype

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"go/types"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unsafe"
)

// student is the built type as the tests' methods see it.
type student struct {
	Name   string
	Grades []float64
	_      *student
}

const studentSource = `
type Student struct {
	Name   string    "json:\"name\" xml:\"name,attr\""
	Grades []float64 "json:\"grades\""
	best   *Student
}
func (s Student) Error() string
func (s Student) Is(target error) bool
type Level int
func (l Level) String() string
func (l Level) MarshalText() ([]byte, error)
func (l *Level) UnmarshalText(text []byte) error
type Course struct {
	Student
	Level Level
	By    map[Level]*Student
	any   any
}
type Plain struct { A int; B []string; C map[string]Level; D *Plain; e error }
`

var studentMethods = map[string]func(*Call){
	"Error": func(c *Call) { result(c, 0, "student "+arg[student](c, 0).Name) },
	"Is": func(c *Call) {
		s, target := arg[student](c, 0), arg[error](c, 1)
		result(c, 0, target.Error() == "student "+s.Name)
	},
	"String": func(c *Call) { result(c, 0, fmt.Sprintf("L%d", arg[int](c, 0))) },
	"MarshalText": func(c *Call) {
		l := arg[int](c, 0)
		result(c, 0, fmt.Appendf(nil, "level-%d", l))
		result(c, 1, error(nil))
	},
	"UnmarshalText": func(c *Call) {
		l, text := arg[*int](c, 0), arg[[]byte](c, 1)
		_, err := fmt.Sscanf(string(text), "level-%d", l)
		result(c, 0, err)
	},
}

func TestFormat(t *testing.T) {
	w := declare(t, studentSource, studentMethods)
	level := reflect.New(w.typ("Level")).Elem()
	level.SetInt(3)
	plain := reflect.New(w.typ("Plain"))
	e := plain.Elem()
	e.FieldByName("A").SetInt(7)
	e.FieldByName("B").Set(reflect.ValueOf([]string{"x", "y"}))
	e.FieldByName("C").Set(reflect.MakeMap(e.FieldByName("C").Type()))
	e.FieldByName("C").SetMapIndex(reflect.ValueOf("k"), level)
	for verb, want := range map[string]string{
		"%v":  "{7 [x y] map[k:L3] <nil> <nil>}",
		"%+v": "{A:7 B:[x y] C:map[k:L3] D:<nil> e:<nil>}",
		"%#v": `main.Plain{A:7, B:[]string{"x", "y"}, C:map[string]main.Level{"k":3}, D:(*main.Plain)(nil), e:error(nil)}`,
		"%T":  "main.Plain",
	} {
		if got := fmt.Sprintf(verb, e.Interface()); got != want {
			t.Errorf("%s gives %s, want %s", verb, got, want)
		}
	}
	if got := fmt.Sprintf("%d %v %s %T", level.Interface(), level.Interface(), level.Interface(), level.Interface()); got != "3 L3 L3 main.Level" {
		t.Errorf("a level is %s", got)
	}
	if got := fmt.Sprintf("%v %T", plain.Interface(), plain.Interface()); got != "&{7 [x y] map[k:L3] <nil> <nil>} *main.Plain" {
		t.Errorf("a pointer is %s", got)
	}
}

func TestErrors(t *testing.T) {
	w := declare(t, studentSource, studentMethods)
	v := reflect.New(w.typ("Student"))
	v.Elem().Field(0).SetString("Ada")
	err := v.Elem().Interface().(error)
	wrapped := fmt.Errorf("grading: %w", err)
	if wrapped.Error() != "grading: student Ada" {
		t.Errorf("got %q", wrapped)
	}
	target := reflect.New(w.typ("Student"))
	if !errors.As(wrapped, target.Interface()) || target.Elem().Field(0).String() != "Ada" {
		t.Errorf("errors.As found %v", target.Elem())
	}
	if !errors.Is(wrapped, errors.New("student Ada")) || errors.Is(wrapped, errors.New("student Bob")) {
		t.Error("errors.Is does not ask the method Is")
	}
}

func TestEncodings(t *testing.T) {
	w := declare(t, studentSource, studentMethods)
	v := reflect.New(w.typ("Course"))
	c := v.Elem()
	c.FieldByName("Name").SetString("Ada")
	c.FieldByName("Grades").Set(reflect.ValueOf([]float64{1, 2.5}))
	c.FieldByName("Level").SetInt(2)
	by := reflect.MakeMap(c.FieldByName("By").Type())
	by.SetMapIndex(c.FieldByName("Level"), reflect.New(w.typ("Student")))
	c.FieldByName("By").Set(by)

	j, err := json.Marshal(v.Interface())
	if want := `{"name":"Ada","grades":[1,2.5],"Level":"level-2","By":{"level-2":{"name":"","grades":null}}}`; err != nil || string(j) != want {
		t.Errorf("json is %s, %v, want %s", j, err, want)
	}
	back := reflect.New(w.typ("Course"))
	if err := json.Unmarshal(j, back.Interface()); err != nil || !reflect.DeepEqual(back.Interface(), v.Interface()) {
		t.Errorf("json gives back %+v, %v", back, err)
	}

	student := c.Field(0)
	x, err := xml.Marshal(student.Interface())
	if want := `<Student name="Ada"><Grades>1</Grades><Grades>2.5</Grades></Student>`; err != nil || string(x) != want {
		t.Errorf("xml is %s, %v, want %s", x, err, want)
	}
	copied := reflect.New(w.typ("Student"))
	if err := xml.Unmarshal(x, copied.Interface()); err != nil || !reflect.DeepEqual(copied.Elem().Interface(), student.Interface()) {
		t.Errorf("xml gives back %+v, %v", copied, err)
	}

	var buf bytes.Buffer
	decoded := reflect.New(w.typ("Student"))
	if err := gob.NewEncoder(&buf).Encode(student.Interface()); err != nil {
		t.Error(err)
	}
	if err := gob.NewDecoder(&buf).Decode(decoded.Interface()); err != nil || !reflect.DeepEqual(decoded.Elem().Interface(), student.Interface()) {
		t.Errorf("gob gives back %+v, %v", decoded, err)
	}
}

func TestMapKeysAndComparison(t *testing.T) {
	w := declare(t, `
type Key struct { a int; b string; c any; _ float64 }
type Un struct { f []int }
type ID string
`, nil)
	key := func(a int, c any) any {
		v := reflect.New(w.typ("Key"))
		k := (*struct {
			a int
			b string
			c any
			d float64
		})(v.UnsafePointer())
		k.a, k.b, k.c, k.d = a, strings.Repeat("b", a), c, float64(a)*3.5
		return v.Elem().Interface()
	}
	m := make(map[any]int)
	for i := range 1000 {
		m[key(i%10, i%3)]++
	}
	if len(m) != 30 || key(3, 1) != key(3, 1) || key(3, 1) == key(3, 2) {
		t.Errorf("%d keys in the map", len(m))
	}
	id := reflect.New(w.typ("ID")).Elem()
	id.SetString("x")
	m[id.Interface()], m["x"] = 1, 2
	if m[id.Interface()] != 1 || m["x"] != 2 {
		t.Error("types of one kind are mixed up as keys")
	}
	defer func() {
		if err, ok := recover().(runtime.Error); !ok || err.Error() != "runtime error: hash of unhashable type main.Un" {
			t.Errorf("a slice as a key panics with %v", err)
		}
	}()
	m[reflect.New(w.typ("Un")).Elem().Interface()] = 1
}

func TestReflection(t *testing.T) {
	w := declare(t, studentSource+"type Namer interface { Error() string; hidden() }", studentMethods)
	s := w.typ("Student")
	if !s.Implements(errorType) || s.Implements(w.typ("Namer")) || !reflect.PointerTo(s).AssignableTo(errorType) {
		t.Error("Implements or AssignableTo is wrong")
	}
	if f, ok := w.typ("Course").FieldByName("best"); !ok || fmt.Sprint(f.Index) != "[0 2]" || f.PkgPath != "main" {
		t.Errorf("promoted field is %+v", f)
	}
	if m, ok := w.typ("Course").MethodByName("Error"); !ok || m.Type.String() != "func(main.Course) string" {
		t.Errorf("promoted method is %+v", m)
	}
	if !w.typ("Level").ConvertibleTo(reflect.TypeFor[int]()) || w.typ("Level").AssignableTo(reflect.TypeFor[int]()) {
		t.Error("conversion of a named type is wrong")
	}
	if reflect.SliceOf(s) != reflect.SliceOf(w.typ("Student")) || reflect.PointerTo(s).Elem() != s {
		t.Error("types that package reflect derives are not the same twice")
	}
}

// TestGenerationsOfOneName redeclares one name many times, as a notebook does, and limits the cost
// of a declared type.
func TestGenerationsOfOneName(t *testing.T) {
	const generations = 200
	pkgs := make([]*types.Package, generations)
	for i := range pkgs {
		pkgs[i] = checkSource(t, studentSource)
	}
	ts := New(Config{Lookup: func(string, string) reflect.Type { return nil }})
	seen := make(map[*Type]bool)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for _, pkg := range pkgs {
		for _, name := range []string{"Student", "Level", "Course", "Plain"} {
			rt, err := ts.Of(pkg.Scope().Lookup(name).Type())
			if err != nil {
				t.Fatal(err)
			}
			if seen[rt] {
				t.Fatalf("two declarations of %s share a type", name)
			}
			seen[rt] = true
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	per := int(after.HeapAlloc-before.HeapAlloc) / (4 * generations)
	t.Logf("%d bytes per declared type", per)
	if per > 8<<10 {
		t.Errorf("a declared type costs %d bytes", per)
	}
	runtime.KeepAlive(ts)
}

func TestRefusals(t *testing.T) {
	pkg := checkSource(t, `
type Huge [1<<60]struct{ a, b, c, d int64 }
type Fine struct{ a *Huge; b int }
func generic[T any](x []T) {}`)
	ts := New(Config{})
	for _, typ := range []types.Type{
		pkg.Scope().Lookup("Huge").Type(),
		pkg.Scope().Lookup("Fine").Type(),
		pkg.Scope().Lookup("generic").Type().(*types.Signature).Params().At(0).Type(),
		types.NewTuple(),
	} {
		if rt, err := ts.Of(typ); err == nil {
			t.Errorf("%s became %v", typ, rt)
		} else if !strings.HasPrefix(err.Error(), "rtype: ") {
			t.Errorf("the error does not say where it is from: %v", err)
		}
	}
	if n := ts.canon.Len(); n != 0 {
		t.Errorf("%d types are left of builds that failed", n)
	}
}

func TestStubsRunOut(t *testing.T) {
	inUse.Lock()
	saved := inUse.table
	inUse.table = append(make([]*Closure, 0, numStubs), saved...)
	for len(inUse.table) < numStubs-1 {
		inUse.table = append(inUse.table, nil)
	}
	inUse.Unlock()
	defer func() {
		inUse.Lock()
		inUse.table = saved
		inUse.Unlock()
	}()
	pkg := checkSource(t, studentSource)
	if _, err := New(Config{}).Of(pkg.Scope().Lookup("Student").Type()); err == nil || !strings.Contains(err.Error(), "stubs are in use") {
		t.Errorf("got %v", err)
	}
}

func TestConcurrentUse(t *testing.T) {
	w := declare(t, studentSource, studentMethods)
	var wg sync.WaitGroup
	results := make([]reflect.Type, 8)
	for i := range results {
		wg.Go(func() {
			for range 50 {
				c, err := w.types.Of(w.pkg.Scope().Lookup("Course").Type())
				if err != nil {
					t.Error(err)
					return
				}
				results[i] = c.Reflect()
				v := reflect.New(c.Reflect())
				_ = fmt.Sprint(v.Interface(), v.Elem().FieldByName("Level").Interface())
			}
		})
	}
	wg.Wait()
	for _, r := range results {
		if r != results[0] {
			t.Fatal("goroutines got different types")
		}
	}
}

// TestGarbageCollection fills values of built types with pointers to garbage, collects, and checks
// them again. With GOGC=3 and clobberfree=1 it finds wrong pointer masks.
func TestGarbageCollection(t *testing.T) {
	w := declare(t, `
type List struct { next *List; pad [3]int; text []string; f func() int; m map[[2]string]*List; i interface{ String() string }; e any }
`, nil)
	rt, err := w.types.Of(w.pkg.Scope().Lookup("List").Type())
	if err != nil {
		t.Fatal(err)
	}
	type list struct {
		next *list
		pad  [3]int
		text []string
		f    func() int
		m    map[[2]string]*list
		i    fmt.Stringer
		e    any
	}
	grow := func(prev *list, n int) *list {
		l := (*list)(Alloc(rt))
		l.next, l.text, l.f = prev, []string{fmt.Sprint("text ", n)}, func() int { return n }
		m := MakeMap(TypeOf(rt.Reflect().Field(4).Type), 0)
		l.m = *(*map[[2]string]*list)(unsafe.Pointer(&m))
		l.m[[2]string{fmt.Sprint(n), "key"}] = prev
		var b strings.Builder
		fmt.Fprint(&b, "builder ", n)
		l.i = &b
		l.e = [3]string{fmt.Sprint("any ", n)}
		return l
	}
	var head *list
	for n := range 2000 {
		head = grow(head, n)
		if n%500 == 0 {
			runtime.GC()
		}
	}
	for n, l := 1999, head; l != nil; n, l = n-1, l.next {
		want := fmt.Sprint(n)
		if l.text[0] != "text "+want || l.f() != n || l.m[[2]string{want, "key"}] != l.next ||
			l.i.String() != "builder "+want || l.e != any([3]string{"any " + want}) {
			t.Fatalf("value %d has been overwritten", n)
		}
	}
}
