package msg_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gokernel/gokernel/kernel/msg"
)

type inner struct {
	V float64 `json:"v"`
	W float64 `json:"w,omitempty"`
	x float64
}

type outer struct {
	inner
	Name  string
	Skip  int       `json:"-"`
	List  []float32 `json:"list"`
	Inner *inner    `json:"inner"`
	Nil   *inner    `json:"nil"`
	Raw   []byte    `json:"raw"`
	When  time.Time `json:"when"`
	Zero  int       `json:"zero,omitzero"`
}

func TestMarshal(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	when := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	tests := []struct {
		name string
		v    any
		want string
	}{
		{"html is not escaped", map[string]any{"a": "<b>&</b>"}, `{"a":"<b>&</b>"}`},
		{"nor in nested types", msg.Dict{"a": msg.Dict{"b": msg.List[string]{"<&>"}}}, `{"a":{"b":["<&>"]}}`},
		{"nil dict", struct{ D msg.Dict }{}, `{"D":{}}`},
		{"nil list", struct{ L msg.List[string] }{}, `{"L":[]}`},
		{"NaN", nan, `null`},
		{"infinities", []float64{1, inf, -inf}, `[1,null,null]`},
		{"nested", msg.Dict{"a": msg.List[any]{nan, map[string]float64{"x": inf, "y": 2}}}, `{"a":[null,{"x":null,"y":2}]}`},
		{"struct", outer{inner: inner{V: nan, x: nan}, Name: "n", Skip: 1, List: []float32{float32(inf)}, Inner: &inner{V: 1}, Raw: []byte("hi"), When: when},
			`{"Name":"n","inner":{"v":1},"list":[null],"nil":null,"raw":"aGk=","v":null,"when":"2026-01-02T03:04:05Z"}`},
		{"dict field beside NaN", struct {
			D msg.Dict `json:"d"`
			F float64  `json:"f"`
		}{F: nan}, `{"d":{},"f":null}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := msg.Marshal(tt.v)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestMarshalRefuses(t *testing.T) {
	cyclic := map[string]any{"nan": math.NaN()}
	cyclic["self"] = cyclic
	for name, v := range map[string]any{"channel": make(chan int), "cycle": cyclic, "function": []any{func() {}}} {
		if b, err := msg.Marshal(v); err == nil {
			t.Errorf("%s: got %s, want an error", name, b)
		}
	}
}

func TestData(t *testing.T) {
	got, err := msg.Data(map[string]any{
		"text/plain": []byte("a\xff"), "text/html": "<p>", "image/svg+xml": []byte("<svg/>"), "image/png": []byte{1, 2},
		"application/json": []byte(`{"a":1}`), "application/vnd.x+json": map[string]any{"v": math.NaN()}, "text/x": 5, "text/nil": nil,
	})
	if err != nil {
		t.Fatal(err)
	}
	b, err := msg.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"application/json":{"a":1},"application/vnd.x+json":{"v":null},"image/png":"AQI=","image/svg+xml":"<svg/>","text/html":"<p>","text/nil":"","text/plain":"a` + "\uFFFD" + `","text/x":"5"}`
	if string(b) != want {
		t.Errorf("got  %s\nwant %s", b, want)
	}
	if _, err := msg.Data(map[string]any{"application/json": make(chan int)}); err == nil || !strings.Contains(err.Error(), "application/json") {
		t.Errorf("error %v, want one that names the type", err)
	}
	if d, err := msg.Data(nil); err != nil || d == nil {
		t.Errorf("Data(nil) is %v, %v, want an empty Dict", d, err)
	}
}

func TestDecodeHeader(t *testing.T) {
	sub := "s1"
	h, err := msg.DecodeHeader([]byte(`{"msg_id":"1","session":"s","username":"u","date":"d","msg_type":"t","version":"5.5","subshell_id":"s1","more":[1]}`))
	if err != nil {
		t.Fatal(err)
	}
	want := msg.Header{ID: "1", Session: "s", Username: "u", Date: "d", Type: "t", Version: "5.5", SubshellID: &sub}
	if d := cmp.Diff(want, h); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	for _, bad := range []string{``, `{`, `[]`, `null`, `{"msg_id":"1"}`, `{"msg_type":"t"}`, `{"msg_id":1,"msg_type":"t"}`} {
		if _, err := msg.DecodeHeader([]byte(bad)); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}

func TestDateHasZone(t *testing.T) {
	got := msg.Date(time.Date(2026, 1, 2, 3, 4, 5, 6000, time.FixedZone("", 3600)))
	if want := "2026-01-02T02:04:05.000006Z"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// decoders has a decoder for each request type.
var decoders = map[string]func([]byte) error{
	"execute":     decoder[msg.ExecuteRequest],
	"inspect":     decoder[msg.InspectRequest],
	"complete":    decoder[msg.CompleteRequest],
	"is_complete": decoder[msg.IsCompleteRequest],
	"history":     decoder[msg.HistoryRequest],
	"comm_info":   decoder[msg.CommInfoRequest],
	"comm":        decoder[msg.Comm],
	"shutdown":    decoder[msg.ShutdownRequest],
	"debug":       decoder[msg.DebugRequest],
	"subshell":    decoder[msg.DeleteSubshellRequest],
	"input_reply": decoder[msg.InputReply],
}

func decoder[T any](b []byte) error {
	v, err := msg.Decode[T](b)
	if err != nil {
		return err
	}
	// A decoded request can be encoded again.
	_, err = json.Marshal(v)
	return err
}

// FuzzDecode checks that no content makes a decoder panic.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{`{}`, `{"code":"x","cursor_pos":3}`, `{"code":1}`, `{"hist_access_type":"tail","n":5}`,
		`{"comm_id":"c","data":null}`, `{"restart":true}`, `{"value":"\u0004"}`, `[`, `null`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		for name, decode := range decoders {
			if err := decode(content); err == nil && len(content) > 0 && !json.Valid(content) {
				t.Errorf("%s accepts %q, which is not JSON", name, content)
			}
		}
		_, _ = msg.DecodeHeader(content) // must not panic; most inputs are errors
	})
}
