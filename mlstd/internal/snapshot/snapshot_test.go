package snapshot

import (
	"math"
	"reflect"
	"strings"
	"testing"
)

type shape interface{ area() float64 }

type square float64

func (s square) area() float64 { return float64(s * s) }

type disc struct{ r float64 }

func (d *disc) area() float64 { return math.Pi * d.r * d.r }

type unknown struct{}

func (unknown) area() float64 { return 0 }

type node struct {
	name   string
	parent *node
	kids   []*node
}

type whole struct {
	b      bool
	small  int8
	n      int
	u      uint64
	f      float32
	s      string
	values []float64
	same   []float64
	empty  []int
	none   []int
	pairs  [][2]int
	byName map[string]int
	byPair map[[2]int]shape
	shapes []shape
	root   *node
	call   func()
	hidden func()
}

func init() { Register(square(0), (*disc)(nil)) }

func keepAll(reflect.Type, reflect.StructField) bool { return false }

func withoutHidden(_ reflect.Type, f reflect.StructField) bool { return f.Name == "hidden" }

func sample() *whole {
	v := []float64{1, math.NaN(), math.Inf(-1), math.Copysign(0, -1)}
	root := &node{name: "root"}
	for range 3 {
		root.kids = append(root.kids, &node{name: "kid", parent: root})
	}
	d := &disc{2}
	return &whole{
		b: true, small: -128, n: math.MinInt, u: math.MaxUint64, f: 0.1, s: "Ünï\x00",
		values: v, same: v, empty: []int{}, none: nil, pairs: [][2]int{{1, 2}, {3, -4}},
		byName: map[string]int{"a": 1, "bb": 2, "": 3},
		byPair: map[[2]int]shape{{0, 1}: square(3), {-1, 0}: d},
		shapes: []shape{nil, d, square(1)}, root: root, hidden: func() {},
	}
}

func TestRoundTrip(t *testing.T) {
	in := sample()
	data, err := Encode(in, withoutHidden)
	if err != nil {
		t.Fatal(err)
	}
	v, err := Decode(data, reflect.TypeFor[*whole](), withoutHidden)
	if err != nil {
		t.Fatal(err)
	}
	out := v.(*whole)
	for i, want := range in.values {
		if got := out.values[i]; math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("values[%d]: got %v, want %v", i, got, want)
		}
	}
	if &out.values[0] != &out.same[0] {
		t.Error("a shared slice became two")
	}
	if out.shapes[1] != out.byPair[[2]int{-1, 0}] {
		t.Error("a shared pointer became two")
	}
	if out.root.kids[1].parent != out.root {
		t.Error("a cycle was lost")
	}
	if out.hidden != nil {
		t.Error("an omitted field was read")
	}
	in.hidden = nil
	for _, w := range []*whole{in, out} {
		w.values[1] = 0 // NaN is not equal to itself
	}
	if !reflect.DeepEqual(in, out) {
		t.Errorf("got %+v, want %+v", out, in)
	}
}

func TestSameBytes(t *testing.T) {
	first, err := Encode(sample(), withoutHidden)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		again, err := Encode(sample(), withoutHidden)
		if err != nil || string(again) != string(first) {
			t.Fatalf("other bytes for an equal value (%v)", err)
		}
	}
}

func TestEncodeRefuses(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		v          any
	}{
		{"no pointer", "not a pointer", whole{}},
		{"nil", "not a pointer", (*whole)(nil)},
		{"function", "snapshot.whole.call: functions cannot be saved", &whole{call: func() {}}},
		{"unknown type", "snapshot.whole.shapes[1]: the model has a snapshot.unknown",
			&whole{shapes: []shape{nil, unknown{}}}},
		{"channel", "struct { c chan int }.c: values of type chan int cannot be", &struct{ c chan int }{make(chan int)}},
		{"pointer keys", "struct { m map[*int]int }.m: maps with keys of type *int", &struct{ m map[*int]int }{map[*int]int{new(int): 1}}},
	} {
		_, err := Encode(tt.v, keepAll)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", tt.name, err, tt.want)
		}
	}
}

// A chain longer than maxDepth is an error in Encode and in Decode, not a stack overflow.
func TestDepth(t *testing.T) {
	chain := func(n int) *node {
		var top *node
		for range n {
			top = &node{parent: top}
		}
		return top
	}
	if _, err := Encode(chain(maxDepth), keepAll); err == nil || !strings.HasSuffix(err.Error(), "nested too deeply to be saved") {
		t.Errorf("got an error of another kind")
	}
	data, err := Encode(chain(maxDepth/4), keepAll)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Decode(data, reflect.TypeFor[*node](), keepAll); err != nil {
		t.Fatal(err)
	}
	data = data[:0]
	for range maxDepth {
		data = append(data, isNew)
	}
	if _, err := Decode(data, pointerChain(), keepAll); err == nil {
		t.Error("a forged chain was read")
	}
}

type chained *chained

func pointerChain() reflect.Type { return reflect.TypeFor[chained]() }

// Damaged data lead to an error or another value, never to a panic; truncated data are always an
// error.
func TestDecodeDamaged(t *testing.T) {
	data, err := Encode(sample(), withoutHidden)
	if err != nil {
		t.Fatal(err)
	}
	for i := range data {
		if _, err := Decode(data[:i], reflect.TypeFor[*whole](), withoutHidden); err == nil {
			t.Errorf("%d of %d bytes were enough", i, len(data))
		}
		for _, flip := range []byte{1, 0x80, 0xff} {
			bad := append([]byte(nil), data...)
			bad[i] ^= flip
			if v, err := Decode(bad, reflect.TypeFor[*whole](), withoutHidden); (v == nil) == (err == nil) {
				t.Errorf("byte %d: got %v, %v", i, v, err)
			}
		}
	}
	if _, err := Decode(append(data, 0), reflect.TypeFor[*whole](), withoutHidden); err == nil || !strings.Contains(err.Error(), "1 bytes of trailing data") {
		t.Errorf("got %v", err)
	}
}

// A change of a type's fields is detected by their names and types.
func TestChangedFields(t *testing.T) {
	type old struct {
		A int
		B string
	}
	type renamed struct {
		A int
		C string
	}
	type retyped struct {
		A int
		B float64
	}
	type grown struct {
		A int
		B string
		C bool
	}
	type shrunk struct{ A int }
	type tagged struct {
		First bool `snapshot:"added"`
		A     int
		Then  []int `snapshot:"added"`
		B     string
		Last  float64 `snapshot:"added"`
	}
	type embedded struct {
		_ struct{} `snapshot:"added"`
		N int
	}
	type embedding struct {
		A int
		B string
		E embedded
	}
	data, err := Encode(&old{1, "x"}, keepAll)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Decode(data, reflect.TypeFor[*embedding](), keepAll); err != nil || got.(*embedding).B != "x" || got.(*embedding).E.N != 0 {
		t.Errorf("a type that was added: got %+v, %v", got, err)
	}
	for _, tt := range []struct {
		to   reflect.Type
		want string
	}{
		{reflect.TypeFor[*renamed](), "the data have the field snapshot.renamed.B of type string where this program has C of type string"},
		{reflect.TypeFor[*retyped](), "has B of type float64"},
		{reflect.TypeFor[*grown](), "the data lack the field snapshot.grown.C"},
		{reflect.TypeFor[*shrunk](), "snapshot.shrunk: at byte 18: the data have the field"},
	} {
		if _, err := Decode(data, tt.to, keepAll); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: got %v, want %q", tt.to, err, tt.want)
		}
	}
	// Fields tagged as added are zero in a copy of old data, and are restored from data that have
	// them.
	copied, err := Decode(data, reflect.TypeFor[*tagged](), keepAll)
	if err != nil {
		t.Fatal(err)
	}
	if got := copied.(*tagged); got.First || got.A != 1 || got.Then != nil || got.B != "x" || got.Last != 0 {
		t.Errorf("old data: got %+v", got)
	}
	want := &tagged{First: true, A: 2, Then: []int{3}, B: "y", Last: 4}
	if data, err = Encode(want, keepAll); err != nil {
		t.Fatal(err)
	}
	if copied, err = Decode(data, reflect.TypeFor[*tagged](), keepAll); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(copied, want) {
		t.Errorf("new data: got %+v, want %+v", copied, want)
	}
}
