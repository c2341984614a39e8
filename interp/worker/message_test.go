package worker

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/kernel/msg"
)

// The bundle from the pipe is in the form of messages, so the kernel converts nothing. It equals
// the bundle of a kernel without a pipe.
func TestBundlesAreConvertedOnce(t *testing.T) {
	b := display.Bundle{Data: map[string]any{
		"text/plain":              42,
		"text/html":               []byte("<b>bold\xff</b>"),
		"image/png":               []byte{0x89, 'P', 'N', 'G'},
		"image/svg+xml":           []byte("<svg/>"),
		"application/json":        map[string]any{"a": math.NaN(), "b": []int{1}},
		"application/geo+json":    []byte(`{"type": "Point"}`),
		"application/x.null+json": nil,
		"text/latex":              nil,
		"text/markdown":           "*text*",
	}}
	want, err := msg.Data(b.Data)
	if err != nil {
		t.Fatal(err)
	}
	w, err := toWire(b)
	if err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(w)
	if err != nil {
		t.Fatal(err)
	}
	var came wireBundle
	if err := json.Unmarshal(body, &came); err != nil {
		t.Fatal(err)
	}
	data := came.bundle().Data
	got, err := msg.Data(data)
	if err != nil {
		t.Fatal(err)
	}
	text := func(v any) string {
		s, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(s)
	}
	if got, want := text(got), text(want); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for mime, v := range data {
		if reflect.TypeOf(got[mime]) != reflect.TypeOf(v) {
			t.Errorf("%s: %T becomes %T in the kernel", mime, v, got[mime])
		}
		if raw, ok := v.(json.RawMessage); ok && &raw[0] != &got[mime].(json.RawMessage)[0] {
			t.Errorf("%s is encoded again", mime)
		}
	}
}
