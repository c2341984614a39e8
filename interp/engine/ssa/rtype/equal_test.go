package rtype

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"math/rand/v2"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"
)

// compiledTwins are the compiled types of twins_test.go.
var compiledTwins = []reflect.Type{
	reflect.TypeFor[TwinInt](), reflect.TypeFor[twinFloat](), reflect.TypeFor[TwinString](),
	reflect.TypeFor[TwinBytes](), reflect.TypeFor[TwinArray](), reflect.TypeFor[TwinNested](),
	reflect.TypeFor[TwinMap](), reflect.TypeFor[TwinChan](), reflect.TypeFor[TwinChans](),
	reflect.TypeFor[TwinFunc](), reflect.TypeFor[TwinPointer](), reflect.TypeFor[TwinEmpty](),
	reflect.TypeFor[TwinAny](), reflect.TypeFor[TwinComplex](), reflect.TypeFor[TwinNode](),
	reflect.TypeFor[TwinKey](), reflect.TypeFor[TwinTags](), reflect.TypeFor[TwinEmbed](),
	reflect.TypeFor[TwinStd](), reflect.TypeFor[TwinOne](), reflect.TypeFor[TwinWord](),
	reflect.TypeFor[TwinFloats](), reflect.TypeFor[TwinPadded](), reflect.TypeFor[TwinBig](),
	reflect.TypeFor[TwinInterface](), reflect.TypeFor[TwinBlank](), reflect.TypeFor[TwinBlankWord](),
	reflect.TypeFor[TwinPoint](), reflect.TypeFor[TwinPath](), reflect.TypeFor[TwinMixed](),
	reflect.TypeFor[TwinHole](), reflect.TypeFor[TwinInner](),
}

func init() {
	known[fmt.Stringer]()
	known[io.Reader]()
	known[io.Writer]()
	known[http.Handler]()
	known[http.Request]()
	known[http.ResponseWriter]()
	known[http.Header]()
	known[bytes.Buffer]()
	known[sync.Mutex]()
	known[sync.WaitGroup]()
	known[time.Time]()
	known[time.Duration]()
	known[time.Month]()
	known[time.Weekday]()
	known[time.Location]()
}

// twinPackage builds the types of twins_test.go in a package with the same path as the compiled
// ones.
func twinPackage(t *testing.T) *world {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "twins_test.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	path := reflect.TypeFor[TwinInt]().PkgPath()
	pkg, err := (&types.Config{Importer: sharedImporter}).Check(path, fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	w := declare(t, "", nil)
	w.pkg = pkg
	return w
}

func TestTwins(t *testing.T) {
	w := twinPackage(t)
	for _, want := range compiledTwins {
		t.Run(want.Name(), func(t *testing.T) {
			got := w.typ(want.Name())
			if got == want {
				t.Fatal("the built type is the compiled one")
			}
			c := comparison{t, make(map[[2]reflect.Type]bool)}
			c.compare(want.Name(), want, got)
		})
	}
	vars, want := w.typ("twinVars"), reflect.TypeOf(twinVars)
	for i := range want.NumField() {
		t.Run(want.Field(i).Name, func(t *testing.T) {
			c := comparison{t, make(map[[2]reflect.Type]bool)}
			c.compare(want.Field(i).Type.String(), want.Field(i).Type, vars.Field(i).Type)
		})
	}
}

// comparison compares built types with compiled ones as package reflect and the runtime see them.
type comparison struct {
	*testing.T
	seen map[[2]reflect.Type]bool
}

func (c *comparison) same(at, what string, want, got any) {
	if !reflect.DeepEqual(want, got) {
		c.Errorf("%s: %s is %v, want %v", at, what, got, want)
	}
}

func (c *comparison) compare(at string, want, got reflect.Type) {
	if want == got || c.seen[[2]reflect.Type{want, got}] || len(c.seen) > 3000 {
		return
	}
	c.seen[[2]reflect.Type{want, got}] = true
	c.same(at, "String", want.String(), got.String())
	c.same(at, "Name", want.Name(), got.Name())
	c.same(at, "PkgPath", want.PkgPath(), got.PkgPath())
	c.same(at, "Kind", want.Kind(), got.Kind())
	c.same(at, "Size", want.Size(), got.Size())
	c.same(at, "Align", want.Align(), got.Align())
	c.same(at, "FieldAlign", want.FieldAlign(), got.FieldAlign())
	c.same(at, "Comparable", want.Comparable(), got.Comparable())
	c.same(at, "NumMethod", want.NumMethod(), got.NumMethod())
	c.descriptor(at, TypeOf(want), TypeOf(got))
	if c.Failed() {
		return
	}
	switch want.Kind() {
	case reflect.Pointer, reflect.Slice:
		c.compare(at+".Elem", want.Elem(), got.Elem())
	case reflect.Array:
		c.same(at, "Len", want.Len(), got.Len())
		c.compare(at+".Elem", want.Elem(), got.Elem())
	case reflect.Chan:
		c.same(at, "ChanDir", want.ChanDir(), got.ChanDir())
		c.compare(at+".Elem", want.Elem(), got.Elem())
	case reflect.Map:
		c.compare(at+".Key", want.Key(), got.Key())
		c.compare(at+".Elem", want.Elem(), got.Elem())
		c.mapType(at, want, got)
	case reflect.Func:
		c.function(at, want, got)
	case reflect.Struct:
		c.same(at, "NumField", want.NumField(), got.NumField())
		for i := range want.NumField() {
			wf, gf := want.Field(i), got.Field(i)
			c.compare(at+"."+wf.Name, wf.Type, gf.Type)
			wf.Type, gf.Type = nil, nil
			c.same(at, "Field "+wf.Name, wf, gf)
		}
	}
	if want.Kind() == reflect.Interface {
		for i := range want.NumMethod() {
			wm, gm := want.Method(i), got.Method(i)
			c.same(at, "Method", wm.Name+" "+wm.PkgPath, gm.Name+" "+gm.PkgPath)
			c.compare(at+"."+wm.Name, wm.Type, gm.Type)
		}
	} else {
		for i := range want.NumMethod() {
			wm, gm := want.Method(i), got.Method(i)
			c.same(at, "Method", wm.Name, gm.Name)
			c.compare(at+"."+wm.Name, wm.Type, gm.Type)
		}
		if want.Name() != "" {
			c.compare("*"+at, reflect.PointerTo(want), reflect.PointerTo(got))
		}
	}
}

func (c *comparison) function(at string, want, got reflect.Type) {
	c.same(at, "NumIn", want.NumIn(), got.NumIn())
	c.same(at, "NumOut", want.NumOut(), got.NumOut())
	c.same(at, "IsVariadic", want.IsVariadic(), got.IsVariadic())
	for i := range want.NumIn() {
		c.compare(at+".In", want.In(i), got.In(i))
	}
	for i := range want.NumOut() {
		c.compare(at+".Out", want.Out(i), got.Out(i))
	}
}

func (c *comparison) mapType(at string, want, got reflect.Type) {
	w, g := (*mapType)(unsafe.Pointer(TypeOf(want))), (*mapType)(unsafe.Pointer(TypeOf(got)))
	c.same(at, "map group", w.group.Size(), g.group.Size())
	c.same(at, "map group layout", w.mapGroups, g.mapGroups)
	c.same(at, "map flags", w.flags, g.flags)
}

// descriptor compares the fields that only the runtime uses. A type without a name, which package
// reflect made, may lack the flag for regular memory, which only costs time.
func (c *comparison) descriptor(at string, want, got *Type) {
	c.same(at, "pointer bytes", want.ptrBytes, got.ptrBytes)
	ignore := tflagExtraStar | tflagRegularMemory | 1<<4
	if want.tflag&tflagNamed != 0 || want.Kind() != reflect.Struct && want.Kind() != reflect.Array {
		ignore &^= tflagRegularMemory
	}
	c.same(at, "flags", want.tflag&^ignore, got.tflag&^ignore)
	if got.tflag&tflagRegularMemory != 0 && want.tflag&tflagRegularMemory == 0 {
		c.Errorf("%s: marked as regular memory", at)
	}
	if want.tflag&tflagUncommon != 0 {
		wu, gu := uncommonOf(want), uncommonOf(got)
		c.same(at, "methods", wu.mcount, gu.mcount)
		c.same(at, "exported methods", wu.xcount, gu.xcount)
		for i := range wu.methods() {
			c.same(at, "method name", nameText(resolveNameOff(want, wu.methods()[i].name)),
				nameText(resolveNameOff(got, gu.methods()[i].name)))
		}
	}
	const onDemand = 1 << 4
	if want.tflag&onDemand == 0 && got.tflag&onDemand == 0 {
		for w := range want.ptrBytes / 8 {
			bit := func(t *Type) byte { return *(*byte)(unsafe.Add(unsafe.Pointer(t.gcData), w/8)) >> (w % 8) & 1 }
			// Only package reflect marks the first word of an interface as a pointer.
			if bit(got) < bit(want) {
				c.Errorf("%s: word %d is not marked as a pointer", at, w)
			}
		}
	}
}

// nameText returns an encoded name without its tag flags.
func nameText(p *byte) string {
	n := int(*(*byte)(unsafe.Add(unsafe.Pointer(p), 1)))
	return unsafe.String((*byte)(unsafe.Add(unsafe.Pointer(p), 2)), n&0x7f)
}

// TestStringsOfLocalTypes checks the names of types declared in functions.
func TestStringsOfLocalTypes(t *testing.T) {
	pkg := checkSource(t, `
func f() { type local struct{ _ int }; var v []local; _ = v }`)
	var found types.Type
	var visit func(s *types.Scope)
	visit = func(s *types.Scope) {
		if o := s.Lookup("local"); o != nil {
			found = o.Type()
		}
		for c := range s.Children() {
			visit(c)
		}
	}
	for s := range pkg.Scope().Children() {
		visit(s)
	}
	visit(pkg.Scope().Lookup("f").(*types.Func).Scope())
	rt, err := declare(t, "", nil).types.Of(types.NewSlice(found))
	if err != nil {
		t.Fatal(err)
	}
	type local struct{ _ int }
	want := strings.ReplaceAll(reflect.TypeFor[[]local]().String(), "rtype.", "main.")
	if rt.String() != want {
		t.Errorf("the type is written %s, want %s", rt, want)
	}
}

// TestEqual compares values of compiled types and of built types: random memory, in which half of
// the words are equal.
func TestEqual(t *testing.T) {
	w := twinPackage(t)
	rng := rand.New(rand.NewPCG(1, 2))
	for _, want := range []reflect.Type{
		reflect.TypeFor[TwinPoint](), reflect.TypeFor[TwinPath](), reflect.TypeFor[TwinMixed](), reflect.TypeFor[TwinHole](),
		reflect.TypeFor[TwinInner](), reflect.TypeFor[TwinBlankWord](), reflect.TypeFor[TwinPadded](), reflect.TypeFor[TwinNested](),
	} {
		got := w.typ(want.Name())
		equal := 0
		for range 1000 {
			p, q := make([]uint64, want.Size()/8+1), make([]uint64, want.Size()/8+1)
			for i := range p {
				p[i] = rng.Uint64()
				if q[i] = p[i]; rng.IntN(4) == 0 {
					q[i] ^= 1 << rng.IntN(64)
				}
			}
			x, y := unsafe.Pointer(&p[0]), unsafe.Pointer(&q[0])
			same := TypeOf(want).equal(x, y)
			if same != TypeOf(got).equal(x, y) {
				t.Fatalf("%s: the built type disagrees: %x %x", want.Name(), p, q)
			}
			m := reflect.MakeMap(reflect.MapOf(got, reflect.TypeFor[bool]()))
			m.SetMapIndex(reflect.NewAt(got, x).Elem(), reflect.ValueOf(true))
			if m.MapIndex(reflect.NewAt(got, y).Elem()).IsValid() != same {
				t.Fatalf("%s: a map disagrees: %x %x", want.Name(), p, q)
			}
			if same {
				equal++
			}
		}
		if equal < 50 || equal > 950 {
			t.Errorf("%s: %d of 1000 pairs are equal", want.Name(), equal)
		}
	}
}
