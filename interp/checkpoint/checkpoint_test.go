package checkpoint

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"
)

// node contains the kinds of values that sessions have.
type node struct {
	name   string
	x      float64
	next   *node
	field  *float64
	list   []node
	ptrs   []*node
	shared []float64
	byName map[string]*node
	byNum  map[float64]any
	any    any
	when   time.Time
	big    *big.Int
	pair   [2]inner
}

type inner struct {
	s string
	n *int
}

// world knows the types of the tests, and io.EOF.
type world struct{ types map[string]reflect.Type }

func newWorld() *world { return &world{map[string]reflect.Type{}} }

func (w *world) Express(t reflect.Type) (string, error) {
	if t.PkgPath() != "" && t.PkgPath() != reflect.TypeFor[node]().PkgPath() && t.Name() != strings.ToUpper(t.Name()[:1])+t.Name()[1:] {
		return "", fmt.Errorf("%s is not exported", t)
	}
	w.types[t.String()] = t
	return t.String(), nil
}

func (w *world) Global(p unsafe.Pointer, _ reflect.Type) (string, bool) {
	return "io.EOF", p == reflect.ValueOf(io.EOF).UnsafePointer()
}

// into sets variables.
type into struct {
	*world
	vars map[string]reflect.Value
}

func (r into) Variable(name string) (reflect.Value, error) { return r.vars[name], nil }
func (r into) Resolve(expr string) (reflect.Type, error)   { return r.types[expr], nil }
func (r into) Global(string) (reflect.Value, error)        { return reflect.ValueOf(io.EOF), nil }

// roundTrip returns copies of the variables that the pointers refer to.
func roundTrip(t *testing.T, pointers ...any) []reflect.Value {
	t.Helper()
	w := newWorld()
	var list []Variable
	fresh := into{w, map[string]reflect.Value{}}
	var copies []reflect.Value
	for i, p := range pointers {
		v := reflect.ValueOf(p).Elem()
		name := fmt.Sprint("v", i)
		list = append(list, Variable{name, v})
		c := reflect.New(v.Type()).Elem()
		fresh.vars[name] = c
		copies = append(copies, c)
	}
	values, err := Collect(list, w, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(values.Lost) > 0 {
		t.Fatalf("lost: %v", values.Lost)
	}
	file := filepath.Join(t.TempDir(), "s")
	if err := (&Session{Values: *values}).Write(file); err != nil {
		t.Fatal(err)
	}
	s, err := Read(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Restore(fresh); err != nil {
		t.Fatal(err)
	}
	return copies
}

// comparer compares two graphs: their values, and which pointers refer to the same memory.
type comparer struct {
	there, back map[unsafe.Pointer]unsafe.Pointer
	seen        map[[2]unsafe.Pointer]map[reflect.Type]bool
}

func newComparer() *comparer {
	return &comparer{map[unsafe.Pointer]unsafe.Pointer{}, map[unsafe.Pointer]unsafe.Pointer{}, map[[2]unsafe.Pointer]map[reflect.Type]bool{}}
}

// address records that a and b correspond. It returns false if one of them already corresponds to
// another address.
func (c *comparer) address(a, b unsafe.Pointer) bool {
	x, ok := c.there[a]
	y, ok2 := c.back[b]
	c.there[a], c.back[b] = b, a
	return (!ok || x == b) && (!ok2 || y == a)
}

func (c *comparer) same(t reflect.Type, a, b unsafe.Pointer) error {
	if t.Size() > 0 && !c.address(a, b) {
		return errors.New("other aliases")
	}
	key := [2]unsafe.Pointer{a, b}
	if c.seen[key][t] {
		return nil
	}
	if c.seen[key] == nil {
		c.seen[key] = map[reflect.Type]bool{}
	}
	c.seen[key][t] = true
	return c.value(t, a, b)
}

func (c *comparer) value(t reflect.Type, a, b unsafe.Pointer) error {
	switch t.Kind() {
	case reflect.Float64:
		if x, y := *(*uint64)(a), *(*uint64)(b); x != y {
			return fmt.Errorf("%x and %x", x, y)
		}
	case reflect.Pointer:
		x, y := *(*unsafe.Pointer)(a), *(*unsafe.Pointer)(b)
		if (x == nil) != (y == nil) {
			return errors.New("nil")
		}
		if x != nil && x != y {
			return c.same(t.Elem(), x, y)
		}
	case reflect.Slice:
		x, y := *(*slice)(a), *(*slice)(b)
		if (x.data == nil) != (y.data == nil) || x.len != y.len || x.cap != y.cap {
			return fmt.Errorf("%v and %v", x, y)
		}
		for i := range x.cap {
			if err := c.same(t.Elem(), unsafe.Add(x.data, uintptr(i)*t.Elem().Size()), unsafe.Add(y.data, uintptr(i)*t.Elem().Size())); err != nil {
				return fmt.Errorf("[%d]: %w", i, err)
			}
		}
	case reflect.Struct:
		if t == timeType {
			if x, y := (*time.Time)(a), (*time.Time)(b); !x.Equal(*y) || x.Location() != y.Location() {
				return fmt.Errorf("%v and %v", x, y)
			}
			return nil
		}
		for i := range t.NumField() {
			f := t.Field(i)
			if err := c.value(f.Type, unsafe.Add(a, f.Offset), unsafe.Add(b, f.Offset)); err != nil {
				return fmt.Errorf(".%s: %w", f.Name, err)
			}
			if f.Type.Size() > 0 && !c.address(unsafe.Add(a, f.Offset), unsafe.Add(b, f.Offset)) {
				return fmt.Errorf(".%s: other aliases", f.Name)
			}
		}
	case reflect.Array:
		for i := range t.Len() {
			if err := c.same(t.Elem(), unsafe.Add(a, uintptr(i)*t.Elem().Size()), unsafe.Add(b, uintptr(i)*t.Elem().Size())); err != nil {
				return err
			}
		}
	case reflect.Interface:
		x, y := at(t, a), at(t, b)
		if x.IsNil() != y.IsNil() {
			return errors.New("nil")
		}
		if x.IsNil() {
			return nil
		}
		if x.Elem().Type() != y.Elem().Type() {
			return fmt.Errorf("%s and %s", x.Elem().Type(), y.Elem().Type())
		}
		return c.value(x.Elem().Type(), boxed(x.Elem()), boxed(y.Elem()))
	case reflect.Map:
		x, y := at(t, a), at(t, b)
		if x.IsNil() != y.IsNil() || x.Len() != y.Len() {
			return errors.New("other maps")
		}
		if x.IsNil() || !c.address(x.UnsafePointer(), y.UnsafePointer()) {
			if x.IsNil() {
				return nil
			}
			return errors.New("other aliases of a map")
		}
		nan := 0
		for it := x.MapRange(); it.Next(); {
			v := y.MapIndex(it.Key())
			if it.Key().Kind() == reflect.Float64 && math.IsNaN(it.Key().Float()) {
				nan++
				continue
			}
			if !v.IsValid() {
				return fmt.Errorf("no key %v", it.Key())
			}
			if err := c.value(t.Elem(), boxed(it.Value()), boxed(v)); err != nil {
				return fmt.Errorf("[%v]: %w", it.Key(), err)
			}
		}
		for it := y.MapRange(); it.Next(); {
			if it.Key().Kind() == reflect.Float64 && math.IsNaN(it.Key().Float()) {
				nan--
			}
		}
		if nan != 0 {
			return errors.New("other NaN keys")
		}
	default:
		if x, y := at(t, a), at(t, b); !reflect.DeepEqual(fmt.Sprint(x), fmt.Sprint(y)) {
			return fmt.Errorf("%v and %v", x, y)
		}
	}
	return nil
}

// graph creates nodes that refer to each other at random.
func graph(r *rand.Rand) []*node {
	zone := time.FixedZone("here", 3600)
	numbers := make([]float64, 12)
	special := []float64{0, math.Copysign(0, -1), math.NaN(), math.Float64frombits(0x7ff8000000000123), math.Inf(-1), 1.5}
	for i := range numbers {
		numbers[i] = special[r.IntN(len(special))]
	}
	blocks := make([]node, 4) // adjacent nodes
	nodes := []*node{{}, {}, {}}
	for i := range blocks {
		nodes = append(nodes, &blocks[i])
	}
	pick := func() *node { return nodes[r.IntN(len(nodes))] }
	count := new(int)
	*count = r.IntN(100)
	maps := map[string]*node{"self": pick(), "": nil}
	for i, n := range nodes {
		n.name = fmt.Sprint("node ", i)
		n.x = special[r.IntN(len(special))]
		n.pair[1] = inner{"s", count}
		if r.IntN(2) == 0 {
			n.next = pick()
		}
		if r.IntN(2) == 0 {
			n.field = &pick().x
		} else if r.IntN(2) == 0 {
			n.field = &numbers[r.IntN(len(numbers))]
		}
		lo := r.IntN(8)
		hi := lo + r.IntN(4)
		most := hi + r.IntN(len(numbers)-hi)
		n.shared = numbers[lo:hi:most]
		switch r.IntN(4) {
		case 0:
			n.list = blocks[r.IntN(3):]
		case 1:
			n.list = []node{}
		}
		if r.IntN(2) == 0 {
			n.ptrs = []*node{pick(), nil, pick()}
			n.byName = maps
		}
		switch r.IntN(7) {
		case 0:
			n.any = pick()
		case 1:
			n.any = inner{"boxed", count}
		case 2:
			n.any = []any{1, "two", nil, 3.5, pick()}
		case 3:
			n.any = maps
		case 4:
			n.any = io.EOF
		case 5:
			n.any = &n.pair[1]
		}
		if r.IntN(2) == 0 {
			n.byNum = map[float64]any{math.NaN(): i, 2: pick(), 3: nil}
			n.byNum[math.NaN()] = "another"
		}
		switch r.IntN(4) {
		case 0:
			n.when = time.Now()
		case 1:
			n.when = time.Now().UTC()
		case 2:
			n.when = time.Unix(int64(r.IntN(1e9)), 5).In(zone)
		}
		if r.IntN(2) == 0 {
			n.big = new(big.Int).Lsh(big.NewInt(int64(i)-2), uint(r.IntN(200)))
		}
	}
	return nodes
}

// location compares by value: a zone is made again.
func zones(nodes []*node) {
	for _, n := range nodes {
		if l := n.when.Location(); l != time.Local && l != time.UTC {
			n.when = n.when.UTC()
		}
	}
}

func TestRandomGraphs(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		nodes := graph(r)
		for _, n := range nodes {
			if n.when.Location().String() == "here" {
				c := *roundTrip(t, &n.when)[0].Addr().Interface().(*time.Time)
				if _, off := c.Zone(); off != 3600 || !c.Equal(n.when) {
					t.Fatalf("%v became %v", n.when, c)
				}
			}
		}
		zones(nodes)
		x, y := nodes[r.IntN(len(nodes))], nodes
		z := *nodes[0]
		into := &z.x // a pointer into another variable
		copies := roundTrip(t, &x, &y, &z, &into)
		c := newComparer()
		for i, p := range []any{&x, &y, &z, &into} {
			v := reflect.ValueOf(p).Elem()
			if err := c.same(v.Type(), v.Addr().UnsafePointer(), copies[i].Addr().UnsafePointer()); err != nil {
				t.Fatalf("seed %d, variable %d: %v", seed, i, err)
			}
		}
	}
}

// TestComparerSees checks that the comparison of these tests can fail.
func TestComparerSees(t *testing.T) {
	type pair struct{ a, b []int }
	s := []int{1, 2}
	one, two := pair{s, s}, pair{[]int{1, 2}, []int{1, 2}}
	if err := newComparer().same(reflect.TypeFor[pair](), unsafe.Pointer(&one), unsafe.Pointer(&two)); err == nil {
		t.Error("slices that are not shared pass for shared ones")
	}
	zero, minus := 0.0, math.Copysign(0, -1)
	if err := newComparer().same(reflect.TypeFor[float64](), unsafe.Pointer(&zero), unsafe.Pointer(&minus)); err == nil {
		t.Error("-0 passes for 0")
	}
}

func TestLongList(t *testing.T) {
	var first *node
	for range 200_000 {
		first = &node{next: first}
	}
	c := roundTrip(t, &first)[0].Interface().(*node)
	n := 0
	for ; c != nil; c = c.next {
		n++
	}
	if n != 200_000 {
		t.Errorf("the list has %d nodes, want 200000", n)
	}
}

func TestRefused(t *testing.T) {
	file, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var locked struct{ mu sync.Mutex }
	locked.mu.Lock()
	ch, fn := make(chan int), func() {}
	deep := []any{1, map[string]any{"f": fn}}
	var okChan chan int
	for _, tt := range []struct {
		name string
		p    any
		want string // "" if it is kept
	}{
		{"channel", &ch, "a channel cannot be saved"},
		{"nil channel", &okChan, ""},
		{"function", &fn, "a function value cannot be saved"},
		{"locked mutex", &locked, "the mutex is locked (v.mu)"},
		{"file", &file, "it is an open file"},
		{"deep function", &deep, "a function value cannot be saved (v[1][value])"},
		{"timer", &[]*time.Timer{time.NewTimer(time.Hour)}, "it is a running timer"},
	} {
		v, err := Collect([]Variable{{"v", reflect.ValueOf(tt.p).Elem()}}, newWorld(), 0, nil)
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		got := ""
		if len(v.Lost) > 0 {
			got = v.Lost[0].Why
		}
		if !strings.HasPrefix(got, tt.want) || (got == "") != (tt.want == "") {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestLimit(t *testing.T) {
	large := make([]float64, 1000)
	if _, err := Collect([]Variable{{"v", reflect.ValueOf(&large).Elem()}}, newWorld(), 7000, nil); err == nil {
		v, _ := Collect([]Variable{{"v", reflect.ValueOf(&large).Elem()}}, newWorld(), 7000, nil)
		if len(v.Lost) != 1 || !strings.Contains(v.Lost[0].Why, "limit") {
			t.Errorf("8000 bytes under a limit of 7000: %v", v.Lost)
		}
	}
	many := make([]*int, 1000)
	for i := range many {
		many[i] = new(int)
	}
	if _, err := Collect([]Variable{{"v", reflect.ValueOf(&many).Elem()}}, newWorld(), 0, func() bool { return true }); !errors.Is(err, ErrCanceled) {
		t.Errorf("a canceled checkpoint: %v", err)
	}
}

func TestDamaged(t *testing.T) {
	x := []int{1, 2, 3}
	w := newWorld()
	v, err := Collect([]Variable{{"x", reflect.ValueOf(&x).Elem()}}, w, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "s")
	if err := (&Session{Values: *v}).Write(file); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		bad := append([]byte{}, whole...)
		bad[i] ^= 1
		if err := os.WriteFile(file, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(file); err == nil {
			t.Errorf("a file with another byte %d is read", i)
		}
	}
}
