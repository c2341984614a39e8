package display

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

type failing struct{}

func (failing) Display() (Bundle, error) { return Bundle{}, errors.New("x has 3 values, y has 4") }

type panicking struct{}

func (panicking) Display() (Bundle, error) { panic("boom") }

type pictureOnly struct{}

func (pictureOnly) Display() (Bundle, error) {
	return Bundle{Data: map[string]any{MIMEPNG: []byte{1}}}, nil
}

func TestOfAlwaysHoldsText(t *testing.T) {
	tests := []struct {
		name string
		in   any
		text string
		fail bool
	}{
		{"value", 1, "1", false},
		{"nil displayer pointer", (*Bundle)(nil), "nil", true},
		{"error", failing{}, "error: x has 3 values, y has 4", true},
		{"panic", panicking{}, "panicked: boom", true},
		{"no text", pictureOnly{}, "<display.pictureOnly>", false},
		{"image", image.NewGray(image.Rect(0, 0, 8, 4)), "<image 8×4>", false},
		{"image without pixels", image.NewGray(image.Rectangle{}), "no pixels", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b, err := Of(tt.in)
			if (err != nil) != tt.fail {
				t.Errorf("error %v, want one: %v", err, tt.fail)
			}
			if got, _ := b.Data[MIMEText].(string); !strings.Contains(got, tt.text) {
				t.Errorf("text %q does not contain %q", got, tt.text)
			}
		})
	}
}

type celsiusPair struct{ a, b celsius }

func TestRegisteredRendererIsUsed(t *testing.T) {
	Register(func(v any) (Displayer, bool) {
		p, ok := v.(celsiusPair)
		return Text("pair " + Number(float64(p.a)) + " " + Number(float64(p.b))), ok
	})
	b, err := Of(celsiusPair{1, 2})
	if err != nil || b.Data[MIMEText] != "pair 1 2" {
		t.Errorf("got %v, %v", b, err)
	}
}

type fragile struct{ N int }

// TestRendererThatPanics checks that the value is shown as plain text if its renderer panics.
func TestRendererThatPanics(t *testing.T) {
	Register(func(v any) (Displayer, bool) {
		f, ok := v.(fragile)
		if ok && f.N == 1 {
			panic("cannot decide")
		}
		return panicking{}, ok
	})
	for n, why := range []string{"boom", "cannot decide"} {
		b, err := Of(fragile{n})
		want := fmt.Sprintf("display.fragile{N: %d}\n(as plain text, because drawing it panicked: %s)", n, why)
		if err != nil || b.Data[MIMEText] != want {
			t.Errorf("got %q, %v, want %q", b.Data[MIMEText], err, want)
		}
	}
}

func TestContent(t *testing.T) {
	if got := HTML("<h1>A</h1><script>x()</script><p>b &amp; c</p>").Data[MIMEText]; got != "A\nb & c" {
		t.Errorf("text of HTML: %q", got)
	}
	if got := Math(" $$J = 1$$ ").Data[MIMELaTeX]; got != "$$J = 1$$" {
		t.Errorf("formula: %q", got)
	}
	if _, err := PNG([]byte("not an image")); err == nil {
		t.Error("PNG accepted text")
	}
	img, err := Image(image.NewGray(image.Rect(0, 0, 28, 28)))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]any{MIMEPNG: map[string]any{"width": 140, "height": 140}}, img.Metadata); diff != "" {
		t.Errorf("metadata of a small image (-want +got):\n%s", diff)
	}
	tree, err := JSON(struct {
		A int
		B []string
	}{1, []string{"<x>"}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]any{"A": json.Number("1"), "B": []any{"<x>"}}, tree.Data[MIMEJSON]); diff != "" {
		t.Errorf("JSON tree (-want +got):\n%s", diff)
	}
	if _, err := JSON(math.NaN()); err == nil {
		t.Error("JSON accepted NaN")
	}
	tone := make([]float64, 100)
	if b, err := Audio(tone, 8000); err != nil || !strings.Contains(b.Data[MIMEHTML].(string), "data:audio/wav;base64,UklGR") {
		t.Errorf("audio: %v, %v", b.Data[MIMEText], err)
	}
	for _, bad := range []func() error{
		func() error { _, err := Audio(nil, 8000); return err },
		func() error { _, err := Audio(tone, 0); return err },
		func() error { _, err := Audio([]float64{math.NaN()}, 8000); return err },
	} {
		if bad() == nil {
			t.Error("bad audio was accepted")
		}
	}
}

// recorder is a sink that records the calls of its methods.
type recorder struct{ log []string }

func (r *recorder) add(op string, b Bundle) error {
	id, _ := b.Transient["display_id"].(string)
	text, _ := b.Data[MIMEText].(string)
	r.log = append(r.log, strings.TrimSpace(op+" "+id+" "+text))
	return nil
}
func (r *recorder) Display(b Bundle) error          { return r.add("display", b) }
func (r *recorder) Update(b Bundle) error           { return r.add("update", b) }
func (r *recorder) Page(b Bundle) error             { return r.add("page", b) }
func (r *recorder) Clear(wait bool) error           { r.log = append(r.log, "clear"); return nil }
func (r *recorder) SetNextInput(string, bool) error { return nil }

func TestShowUpdateClear(t *testing.T) {
	r := &recorder{}
	defer SetSink(SetSink(r))
	if err := Show(1, failing{}, "b"); err == nil || !strings.Contains(err.Error(), "x has 3 values") {
		t.Errorf("Show does not report the value that failed: %v", err)
	}
	for i := range 2 {
		if err := Update("loss", i); err != nil {
			t.Fatal(err)
		}
	}
	if err := Clear(); err != nil {
		t.Fatal(err)
	}
	if err := Update("loss", 2); err != nil {
		t.Fatal(err)
	}
	want := []string{"display  1", `display  "b"`, "display loss 0", "update loss 1", "clear", "display loss 2"}
	if diff := cmp.Diff(want, r.log); diff != "" {
		t.Errorf("calls of the sink (-want +got):\n%s", diff)
	}
}

func TestTextSink(t *testing.T) {
	var buf bytes.Buffer
	s := TextSink(&buf)
	_ = s.Display(Text("a\n"))
	_ = s.Update(Text("b"))
	_ = s.Display(Text(""))
	if got := buf.String(); got != "a\nb\n" {
		t.Errorf("wrote %q", got)
	}
	if s.SetNextInput("x", false) == nil {
		t.Error("a text sink claims to have set a next cell")
	}
}

func TestProgressAppearsLateAndLeavesNothing(t *testing.T) {
	clock := time.Unix(0, 0)
	tick := func() time.Time { return clock }
	r := &recorder{}
	b := newBar(10, r, tick).Label("fit <b>")
	b.Step()
	if len(r.log) != 0 {
		t.Errorf("a bar appeared immediately: %v", r.log)
	}
	clock = clock.Add(time.Second)
	b.Note("loss 0.5").Step()
	clock = clock.Add(time.Millisecond)
	b.Step() // too early to be redrawn
	clock = clock.Add(time.Second)
	b.Set(5)
	b.Set(10)
	b.Step()
	if len(r.log) != 3 {
		t.Fatalf("want display, update, removal, got %q", r.log)
	}
	id := b.id
	want := []string{
		"display " + id + " fit <b> ██████░░░░░░░░░░░░░░░░░░░░░░░░ 20% 2/10, 4s left, loss 0.5",
		"update " + id + " fit <b> ███████████████░░░░░░░░░░░░░░░ 50% 5/10, 2s left, loss 0.5",
		"update " + id,
	}
	if diff := cmp.Diff(want, r.log); diff != "" {
		t.Errorf("calls of the sink (-want +got):\n%s", diff)
	}
	if h := b.bundle(clock).Data[MIMEHTML].(string); strings.Contains(h, "<b>") {
		t.Errorf("the label is not escaped: %s", h)
	}
}

func TestProgressEndsWithTheCell(t *testing.T) {
	clock := time.Unix(0, 0)
	r := &recorder{}
	previous := SetSink(r)
	b := newBar(0, r, func() time.Time { return clock })
	clock = clock.Add(time.Minute)
	b.Step()
	SetSink(previous)
	if len(r.log) != 2 || !strings.HasPrefix(r.log[1], "update "+b.id) {
		t.Errorf("an open bar outlived its cell: %q", r.log)
	}
}

func TestDiff(t *testing.T) {
	type s struct {
		Name string
		Tags []string
		M    map[string]int
	}
	a := s{"a", []string{"x", "y"}, map[string]int{"k": 1, "l": 2}}
	b := s{"<b>", []string{"x"}, map[string]int{"k": 1, "m": 3}}
	got := Diff(a, b)
	want := `.Name: "a" → "<b>"
.Tags[1]: "y" → absent
.M["l"]: 2 → absent
.M["m"]: absent → 3`
	if diff := cmp.Diff(want, got.Data[MIMEText]); diff != "" {
		t.Errorf("Diff (-want +got):\n%s", diff)
	}
	if strings.Contains(got.Data[MIMEHTML].(string), "<b>") {
		t.Error("markup in a value is not escaped")
	}
	if got := Diff(a, a).Data[MIMEText]; got != "no difference" {
		t.Errorf("Diff of equal values: %v", got)
	}
	if diff := cmp.Diff("  one\n- two\n+ zwei\n  three", Diff("one\ntwo\nthree", "one\nzwei\nthree").Data[MIMEText]); diff != "" {
		t.Errorf("Diff of lines (-want +got):\n%s", diff)
	}
}
