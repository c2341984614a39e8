package engine_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"go/token"
	"io"
	"reflect"
	"testing"
	"time"

	"github.com/gokernel/gokernel/interp/engine"
)

// field is a field of an encoded protocol buffer.
type field struct {
	number int
	value  uint64 // of a number
	bytes  []byte // of another
}

func fields(t *testing.T, b []byte) (list []field) {
	t.Helper()
	number := func() uint64 {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			t.Fatal("a number is cut off")
		}
		b = b[n:]
		return v
	}
	for len(b) > 0 {
		key := number()
		f := field{number: int(key >> 3)}
		switch key & 7 {
		case 0:
			f.value = number()
		case 2:
			n := number()
			f.bytes, b = b[:n], b[n:]
		default:
			t.Fatalf("wire type %d", key&7)
		}
		list = append(list, f)
	}
	return list
}

// numbers returns the numbers of a message by field.
func numbers(t *testing.T, b []byte) map[int]uint64 {
	m := map[int]uint64{}
	for _, f := range fields(t, b) {
		m[f.number] = f.value
	}
	return m
}

func packed(b []byte) (list []uint64) {
	for len(b) > 0 {
		v, n := binary.Uvarint(b)
		list, b = append(list, v), b[n:]
	}
	return list
}

// The fields are those of profile.proto in github.com/google/pprof.
func TestProfilesInTheFormatOfPprof(t *testing.T) {
	call := func(symbol, file string, line int) engine.Call {
		return engine.Call{Frame: engine.Frame{Func: symbol, Pos: token.Position{Filename: file, Line: line}}, Symbol: symbol}
	}
	inner, outer := call("main.f", "cell [1]", 3), call("main.ǃcell", "cell [1]", 7)
	p := &engine.Profile{Start: time.Unix(100, 5), Elapsed: 2 * time.Second, Samples: []engine.Sample{
		{Calls: []engine.Call{inner, outer}, Count: 300, Time: 310 * time.Millisecond},
		{Calls: []engine.Call{call("math.Exp", "", 0), inner, outer}, Count: 2, Time: time.Millisecond},
	}}
	var out bytes.Buffer
	if err := p.Write(&out); err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(&out)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	all := map[int][]field{}
	for _, f := range fields(t, raw) {
		all[f.number] = append(all[f.number], f)
	}
	text := func(i uint64) string { return string(all[6][i].bytes) }
	type location struct {
		function, file string
		line           uint64
	}
	functions, locations := map[uint64]location{}, map[uint64]location{}
	for _, f := range all[5] {
		n := numbers(t, f.bytes)
		functions[n[1]] = location{function: text(n[2]), file: text(n[4])}
	}
	for _, f := range all[4] {
		var id uint64
		var at location
		for _, g := range fields(t, f.bytes) {
			if g.number == 1 {
				id = g.value
			} else if g.number == 4 {
				n := numbers(t, g.bytes)
				at = functions[n[1]]
				at.line = n[2]
			}
		}
		locations[id] = at
	}
	type sample struct {
		calls  []location
		values []uint64
	}
	var got []sample
	for _, f := range all[2] {
		var s sample
		for _, g := range fields(t, f.bytes) {
			if g.number == 1 {
				for _, id := range packed(g.bytes) {
					s.calls = append(s.calls, locations[id])
				}
			} else {
				s.values = packed(g.bytes)
			}
		}
		got = append(got, s)
	}
	f, cell := location{"main.f", "cell [1]", 3}, location{"main.ǃcell", "cell [1]", 7}
	want := []sample{{[]location{f, cell}, []uint64{300, 310e6}}, {[]location{{"math.Exp", "", 0}, f, cell}, []uint64{2, 1e6}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("samples %v, want %v", got, want)
	}
	var kinds []string
	for _, f := range append(all[1], all[11]...) {
		n := numbers(t, f.bytes)
		kinds = append(kinds, text(n[1])+"/"+text(n[2]))
	}
	if want := []string{"samples/count", "cpu/nanoseconds", "cpu/nanoseconds"}; !reflect.DeepEqual(kinds, want) {
		t.Errorf("kinds of values %v, want %v", kinds, want)
	}
	if text(0) != "" || all[9][0].value != 100e9+5 || all[10][0].value != 2e9 || all[12][0].value != 1e6 {
		t.Errorf("times %v %v %v", all[9], all[10], all[12])
	}
}
