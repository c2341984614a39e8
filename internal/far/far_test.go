package far

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"
)

type inner struct {
	Name string
	size int
}

type node struct {
	value int
	next  *node
}

// sent returns a value after encoding and decoding.
func sent(t *testing.T, v any, as reflect.Type) any {
	t.Helper()
	b, err := Encode(reflect.ValueOf(v), "the value")
	if err != nil {
		t.Fatalf("%#v: %v", v, err)
	}
	got, err := Decode(b, as)
	if err != nil {
		t.Fatalf("%#v: %v", v, err)
	}
	return got.Interface()
}

func TestValues(t *testing.T) {
	for _, v := range []any{
		true, false, 0, -7, int8(-8), uint64(math.MaxUint64), 1.5, math.Inf(-1), float32(0.1), complex(1, -2), "héllo\x00", []float64{}, []float64(nil), []float64{1, 2},
		[]int{-1, 0, 1 << 62}, [][]float64{{1}, nil, {2, 3}}, [3]bool{true}, map[string][]int{"a": {1}, "b": nil}, map[int]bool(nil),
		inner{"x", 3}, &inner{"y", 4}, []inner{{"z", 5}}, struct{ A, b any }{1, "two"}, time.Date(2020, 1, 2, 3, 4, 5, 6, time.UTC), []byte("bytes"), []any{1, "two", nil, 3.0},
	} {
		if got := sent(t, v, reflect.TypeOf(v)); !reflect.DeepEqual(got, v) {
			t.Errorf("%#v arrives as %#v", v, got)
		}
	}
	if got := sent(t, mat.NewDense(2, 2, []float64{1, 2, 3, 4}), reflect.TypeFor[*mat.Dense]()).(*mat.Dense); !mat.Equal(got, mat.NewDense(2, 2, []float64{1, 2, 3, 4})) {
		t.Errorf("a matrix arrives as %v", got)
	}
	if got := sent(t, math.NaN(), nil).(float64); !math.IsNaN(got) {
		t.Errorf("NaN arrives as %v", got)
	}
	ring := &node{value: 1}
	ring.next = &node{2, ring}
	if got := sent(t, ring, reflect.TypeFor[*node]()).(*node); got.next.next != got || got.next.value != 2 {
		t.Errorf("a ring arrives as %v", got)
	}
	wrapped := errors.Join(errors.New("outer"), io.EOF)
	if got := sent(t, &wrapped, reflect.TypeFor[*error]()).(*error); (*got).Error() != wrapped.Error() || !errors.Is(*got, io.EOF) {
		t.Errorf("an error arrives as %v", *got)
	}
	// If the receiver has no type, a type that only the sender knows is represented by its
	// structure.
	if got := sent(t, []inner{{"x", 3}}, nil); reflect.TypeOf(got).Elem().NumField() != 2 || reflect.ValueOf(got).Index(0).Field(0).String() != "x" {
		t.Errorf("a struct arrives as %#v", got)
	}
}

func TestCannotPass(t *testing.T) {
	loop := &node{}
	for range 100_000 {
		loop = &node{next: loop}
	}
	for want, v := range map[string]any{"(chan int): a chan int belongs to one process": make(chan int), "nested too deep": loop, "MB": make([]float64, 9<<20), "has unexported fields": strings.NewReader("x")} {
		var cannot *CannotPass
		if _, err := Encode(reflect.ValueOf(v), "argument 1 of f"); !errors.As(err, &cannot) || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "cannot be passed between the processes: argument 1 of f") {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// TestTypesOfTheReceiver checks that a value arrives with the receiver's type for it, or not at
// all.
func TestTypesOfTheReceiver(t *testing.T) {
	type other struct {
		Name string
		size int
	}
	_ = other{}.size // Fit sets it by reflection
	type number float64
	fits := []struct{ v, as any }{{inner{"x", 1}, other{}}, {1.5, number(0)}, {3, 0.0}, {[]float64{1}, []number{}}, {2.0, 2.0}}
	for _, f := range fits {
		b, _ := Encode(reflect.ValueOf(f.v), "")
		if got, err := Fit(b, reflect.TypeOf(f.as)); err != nil || got.Type() != reflect.TypeOf(f.as) {
			t.Errorf("%#v does not fit %T: %v", f.v, f.as, err)
		}
	}
	for _, f := range []struct{ v, as any }{{1.5, 0}, {"1", 1}, {[]int{1}, []float64{}}, {inner{}, struct{ Name string }{}}, {300, int8(0)}, {1, ""}, {nil, 1}, {[]float64{1, 2}, [3]float64{}}} {
		b, _ := Encode(reflect.ValueOf(f.v), "")
		if got, err := Fit(b, reflect.TypeOf(f.as)); err == nil {
			t.Errorf("%#v becomes %#v", f.v, got)
		}
	}
}

func TestDescriptions(t *testing.T) {
	for _, v := range []any{0, "", []float64{}, map[string][]*int{}, func(a int, more ...string) (float64, error) { return 0, nil }, struct{ A []any }{}, [4]bool{}} {
		rt := reflect.TypeOf(v)
		if got, err := Parse(Describe(rt)); err != nil || got != rt {
			t.Errorf("%s is read as %v (%v)", Describe(rt), got, err)
		}
		if text, err := GoText(Describe(rt), nil); err != nil || text == "" {
			t.Errorf("%s has no text: %v", Describe(rt), err)
		}
	}
	if text, _ := GoText(`[]"main".point=struct{x float64;y float64}`, map[string]bool{"point": true}); text != "[]point" {
		t.Errorf("got %s", text)
	}
	for _, bad := range []string{"", "[]", "int int", "map[int", "[99999999999]int", "[1000000][1000000][1000000]int", strings.Repeat("[]", 100) + "int", `"a".b`, "func(", "struct{a}", "map[func()()]int", `struct{a int;a int}`, "os.Exit(1)", `"main".x;y=int`} {
		if got, err := Parse(bad); err == nil {
			t.Errorf("%q is read as %v", bad, got)
		}
		if bad != "[1000000][1000000][1000000]int" && !strings.HasPrefix(bad, "map[func") && !strings.HasPrefix(bad, "struct{a int;") {
			if got, err := GoText(bad, nil); err == nil {
				t.Errorf("%q has the text %s", bad, got)
			}
		}
	}
}

// TestForged checks that bytes that no encoder wrote are rejected, and allocate no memory.
func TestForged(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	values := []any{[]float64{1, 2, 3}, map[string]any{"a": []int{1}}, &node{1, &node{}}, []inner{{"x", 1}}, errors.New("x"), mat.NewDense(1, 2, nil), []any{1, "x"}}
	for range 20_000 {
		v := values[rng.IntN(len(values))]
		b, err := Encode(reflect.ValueOf(v), "")
		if err != nil {
			t.Fatal(err)
		}
		b = bytes.Clone(b)
		for range 1 + rng.IntN(4) {
			b[rng.IntN(len(b))] = byte(rng.UintN(256))
		}
		if rng.IntN(3) == 0 {
			b = b[:rng.IntN(len(b))]
		}
		_, _ = Decode(b, reflect.TypeOf(v))
		_, _ = Decode(b, nil)
	}
}

// TestCalls runs a service and a caller in one process, with a function that is called back.
func TestCalls(t *testing.T) {
	started := make(chan bool)
	Send = func(ctx context.Context, m []byte) ([]byte, error) {
		if bytes.Contains(m, []byte(KindHello)) {
			close(started)
			return []byte("{}"), nil
		}
		return Receive(ctx, m)
	}
	defer func() { Send = nil }()
	sum := func(values []float64, f func(float64) float64) (s float64) {
		for i, v := range values {
			s += f(v)
			values[i] = 0
		}
		return s
	}
	s := NewService([]Offer{{Name: "sum", Value: reflect.ValueOf(sum)}, {Name: "bad", Value: reflect.ValueOf(func() { panic("boom") })}})
	end := make(chan error)
	go func() {
		end <- s.Run(nil, func(_ time.Duration, f func()) (failed string, err error) {
			defer func() {
				if r := recover(); r != nil {
					failed = "panics"
				}
			}()
			f()
			return "", nil
		})
	}()
	<-started
	stand := Func("sum", reflect.TypeOf(sum)).Interface().(func([]float64, func(float64) float64) float64)
	values := []float64{1, 2}
	if got := stand(values, func(x float64) float64 { return 10 * x }); got != 30 || values[0] != 0 {
		t.Errorf("got %v, and the argument is %v", got, values)
	}
	if !StandIn("sum", stand) || StandIn("sum", sum) {
		t.Error("a stand-in is not known as one")
	}
	failure := func() (text string) {
		defer func() { text = recover().(*Failure).Text }()
		Func("bad", reflect.TypeFor[func()]()).Interface().(func())()
		return ""
	}
	if got := failure(); got != "bad panics" {
		t.Errorf("got %q", got)
	}
	r, err := Call(Message{Kind: KindCall, Name: "sum", Args: nil}, nil)
	if err != nil || r.Misfit != "sum takes ([]float64, func(float64) float64), but the task calls it with ()" {
		t.Errorf("got %q %v", r.Misfit, err)
	}
	if _, err := Receive(t.Context(), []byte(`{"Kind":"end"}`)); err != nil || <-end != nil {
		t.Errorf("the service does not end: %v", err)
	}
	if r, _ := Call(Message{Kind: KindCall, Name: "sum"}, nil); !r.Nowhere {
		t.Error("a call is answered by nobody")
	}
}
