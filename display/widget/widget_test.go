package widget

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gokernel/gokernel/display"
)

// frontEnd records the messages of the session.
type frontEnd struct {
	display.Sink
	mu       sync.Mutex
	messages []display.CommMessage
}

func (f *frontEnd) Comm(m display.CommMessage) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.messages = append(f.messages, m)
	return nil
}

// took returns the messages since the last call: kind, model and state.
func (f *frontEnd) took(t *testing.T) (out []sent) {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, m := range f.messages {
		s := sent{CommMessage: m}
		if len(m.Data) > 0 {
			if err := json.Unmarshal(m.Data, &s.body); err != nil {
				t.Fatal(err)
			}
		}
		out = append(out, s)
	}
	f.messages = nil
	return out
}

type sent struct {
	display.CommMessage
	body struct {
		Method  string
		State   map[string]any
		States  map[string]struct{ State map[string]any }
		Content any
		Paths   [][]any `json:"buffer_paths"`
	}
}

// connect connects the package to a frontend.
func connect(t *testing.T) *frontEnd {
	t.Helper()
	f := &frontEnd{}
	previous := display.SetSink(f)
	t.Cleanup(func() { display.SetSink(previous) })
	return f
}

// move changes a widget as the user does.
func move(t *testing.T, w Widget, state map[string]any, buffers ...[]byte) (answers []display.CommMessage) {
	t.Helper()
	paths := [][]any{}
	if p, ok := state["buffer_paths"]; ok {
		paths = p.([][]any)
		delete(state, "buffer_paths")
	}
	data, err := json.Marshal(map[string]any{"method": "update", "state": state, "buffer_paths": paths})
	if err != nil {
		t.Fatal(err)
	}
	answers, _, err = Receive(display.CommMessage{Kind: display.CommData, ID: w.model().id, Data: data, Buffers: buffers})
	if err != nil {
		t.Fatal(err)
	}
	if err := RunCallbacks(); err != nil {
		t.Fatal(err)
	}
	return answers
}

func show(t *testing.T, w Widget) display.Bundle {
	t.Helper()
	b, err := w.Display()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestMessages(t *testing.T) {
	f := connect(t)
	k := Slider(1, 30).Label("k").Start(5)
	k.Layout("width", "300px")
	b := show(t, k)
	if b.Data[display.MIMEText] != "k = 5 (IntSlider from 1 to 30)" {
		t.Errorf("the text is %q", b.Data[display.MIMEText])
	}
	view, _ := b.Data[MIMEView].(map[string]any)
	if view["model_id"] != k.id || view["version_major"] != 2 {
		t.Errorf("the view is %v", view)
	}
	opened := f.took(t)
	var names []string
	for _, m := range opened {
		if m.Kind != display.CommOpen || m.Target != "jupyter.widget" || m.Metadata["version"] != "2.1.0" {
			t.Errorf("opened by %+v", m.CommMessage)
		}
		names = append(names, fmt.Sprint(m.body.State["_model_name"]))
	}
	if !slices.Equal(names, []string{"LayoutModel", "SliderStyleModel", "IntSliderModel"}) {
		t.Fatalf("opened %v: a model must come after the models that it refers to", names)
	}
	state := opened[2].body.State
	for name, want := range map[string]any{
		"_model_module": "@jupyter-widgets/controls", "_model_module_version": "2.0.0", "_view_name": "IntSliderView",
		"value": 5.0, "min": 1.0, "max": 30.0, "description": "k",
		"layout": "IPY_MODEL_" + opened[0].ID, "style": "IPY_MODEL_" + opened[1].ID,
	} {
		if state[name] != want {
			t.Errorf("%s is %v, want %v", name, state[name], want)
		}
	}
	if opened[0].body.State["width"] != "300px" || opened[1].body.State["_view_module"] != "@jupyter-widgets/base" {
		t.Errorf("layout %v, style %v", opened[0].body.State, opened[1].body.State)
	}

	// The session changes the value.
	if err := k.Set(7); err != nil {
		t.Fatal(err)
	}
	up := f.took(t)
	if len(up) != 1 || up[0].ID != k.id || up[0].body.Method != "update" || !reflect.DeepEqual(up[0].body.State, map[string]any{"value": 7.0}) {
		t.Errorf("Set sent %+v", up)
	}
	if err := k.Set(7); err != nil || len(f.took(t)) != 0 {
		t.Errorf("the change was not reported: %v", err)
	}

	// The user moves the slider: Go sees the value, the function is called, and other views get
	// an echo.
	var seen []int
	k.OnChange(func(v int) { seen = append(seen, v) })
	echo := move(t, k, map[string]any{"value": 9})
	if k.Value() != 9 || !slices.Equal(seen, []int{9}) {
		t.Errorf("value %d, called with %v", k.Value(), seen)
	}
	if len(echo) != 1 || !strings.Contains(string(echo[0].Data), `"echo_update"`) || !strings.Contains(string(echo[0].Data), `"value":9`) {
		t.Errorf("the echo is %s", echo)
	}
	if len(f.took(t)) != 0 {
		t.Error("a change of the user was sent back")
	}
}

func TestLastValueWins(t *testing.T) {
	connect(t)
	k := Slider(0, 100)
	var seen []int
	k.OnChange(func(v int) { seen = append(seen, v) })
	show(t, k)
	for v := 1; v <= 50; v++ {
		data := fmt.Appendf(nil, `{"method":"update","state":{"value":%d}}`, v)
		if _, waiting, err := Receive(display.CommMessage{Kind: display.CommData, ID: k.id, Data: data}); err != nil || !waiting {
			t.Fatal(waiting, err)
		}
	}
	if err := RunCallbacks(); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(seen, []int{50}) {
		t.Errorf("called with %v, want only the last value", seen)
	}
	b := Button("go")
	clicks := 0
	b.OnClick(func() { clicks++ })
	show(t, b)
	for range 3 {
		if _, _, err := Receive(display.CommMessage{Kind: display.CommData, ID: b.id, Data: []byte(`{"method":"custom","content":{"event":"click"}}`)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := RunCallbacks(); err != nil || clicks != 3 {
		t.Errorf("%d clicks were counted of 3: %v", clicks, err)
	}
}

// TestStates checks the answer to a page that has been reloaded.
func TestStates(t *testing.T) {
	f := connect(t)
	img := Image([]byte("\x89PNG\r\n\x1a\n rest"))
	show(t, img)
	f.took(t)
	answers, _, err := Receive(display.CommMessage{Kind: display.CommData, ID: "control", Data: []byte(`{"method":"request_states"}`)})
	if err != nil || len(answers) != 1 {
		t.Fatal(answers, err)
	}
	var all struct {
		Method string
		States map[string]struct {
			Name  string `json:"model_name"`
			State map[string]any
		}
		Paths [][]any `json:"buffer_paths"`
	}
	if err := json.Unmarshal(answers[0].Data, &all); err != nil {
		t.Fatal(err)
	}
	if all.Method != "update_states" || all.States[img.id].Name != "ImageModel" || all.States[img.id].State["format"] != "png" {
		t.Errorf("the states are %+v", all.States[img.id])
	}
	i := slices.IndexFunc(all.Paths, func(p []any) bool { return p[0] == img.id })
	if i < 0 || !reflect.DeepEqual(all.Paths[i], []any{img.id, "state", "value"}) || string(answers[0].Buffers[i]) != "\x89PNG\r\n\x1a\n rest" {
		t.Errorf("buffers at %v", all.Paths)
	}
	one, _, err := Receive(display.CommMessage{Kind: display.CommData, ID: img.id, Data: []byte(`{"method":"request_state"}`)})
	if err != nil || len(one) != 1 || !strings.Contains(string(one[0].Data), `"buffer_paths":[["value"]]`) {
		t.Errorf("request_state gave %s, %v", one, err)
	}
	lost, _, err := Receive(display.CommMessage{Kind: display.CommData, ID: "gone", Data: []byte(`{"method":"update","state":{}}`)})
	if err != nil || len(lost) != 1 || lost[0].Kind != display.CommClose {
		t.Errorf("a widget of a lost session: %v, %v; want it closed", lost, err)
	}
}

// Values that frontends send become typed Go values.
func TestValues(t *testing.T) {
	connect(t)
	day := time.Date(2026, 2, 28, 0, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		w     Widget
		state map[string]any
		bufs  [][]byte
		value func(Widget) any
		want  any
	}{
		"slider":    {Slider(0, 9), map[string]any{"value": 4}, nil, func(w Widget) any { return w.(*Int).Value() }, 4},
		"float":     {FloatSlider(0, 1), map[string]any{"value": 0.25}, nil, func(w Widget) any { return w.(*Float).Value() }, 0.25},
		"log":       {LogSlider(1e-3, 10), map[string]any{"value": 0.1}, nil, func(w Widget) any { return w.(*Float).Value() }, 0.1},
		"whole":     {FloatSlider(0, 9), map[string]any{"value": 3}, nil, func(w Widget) any { return w.(*Float).Value() }, 3.0},
		"range":     {RangeSlider(0, 9), map[string]any{"value": []any{2, 5}}, nil, func(w Widget) any { lo, hi := w.(*IntRange).Value(); return [2]int{lo, hi} }, [2]int{2, 5}},
		"floats":    {FloatRangeSlider(0, 9), map[string]any{"value": []any{2, 5.5}}, nil, func(w Widget) any { lo, hi := w.(*FloatRange).Value(); return [2]float64{lo, hi} }, [2]float64{2, 5.5}},
		"checkbox":  {Checkbox(false), map[string]any{"value": true}, nil, func(w Widget) any { return w.(*Bool).Value() }, true},
		"text":      {Text(""), map[string]any{"value": "<é>"}, nil, func(w Widget) any { return w.(*String).Value() }, "<é>"},
		"dropdown":  {Dropdown("a", "b"), map[string]any{"index": 1}, nil, func(w Widget) any { return w.(*Choice).Value() }, "b"},
		"nothing":   {Dropdown("a", "b"), map[string]any{"index": nil}, nil, func(w Widget) any { return w.(*Choice).Index() }, -1},
		"multiple":  {SelectMultiple("a", "b", "c"), map[string]any{"index": []any{0, 2}}, nil, func(w Widget) any { return w.(*Choices).Value() }, []string{"a", "c"}},
		"from to":   {SelectionRange("a", "b", "c"), map[string]any{"index": []any{1, 2}}, nil, func(w Widget) any { return w.(*Choices).Value() }, []string{"b", "c"}},
		"tags":      {TagsInput(), map[string]any{"value": []any{"x", "y"}}, nil, func(w Widget) any { return w.(*Tags).Value() }, []string{"x", "y"}},
		"day":       {DatePicker(time.Time{}), map[string]any{"value": map[string]any{"year": 2026, "month": 1, "date": 28}}, nil, func(w Widget) any { return w.(*Date).Value() }, day},
		"clock":     {TimePicker(time.Time{}), map[string]any{"value": map[string]any{"hours": 13, "minutes": 5, "seconds": 0, "milliseconds": 0}}, nil, func(w Widget) any { return w.(*Date).Value().Format(time.TimeOnly) }, "13:05:00"},
		"no day":    {DatePicker(day), map[string]any{"value": nil}, nil, func(w Widget) any { return w.(*Date).Value().IsZero() }, true},
		"tab":       {Tabs(Label("1"), Label("2")), map[string]any{"selected_index": 1}, nil, func(w Widget) any { return w.(*Boxed).Selected() }, 1},
		"closed":    {Accordion(Label("1")), map[string]any{"selected_index": nil}, nil, func(w Widget) any { return w.(*Boxed).Selected() }, -1},
		"of others": {New("export default {}", "", map[string]any{"n": 0}), map[string]any{"n": 3}, nil, func(w Widget) any { return w.(*CustomWidget).Value("n") }, 3.0},
		"file": {Upload(".csv"), map[string]any{
			"value":        []any{map[string]any{"name": "a.csv", "type": "text/csv", "size": 3, "last_modified": 1000, "content": nil}},
			"buffer_paths": [][]any{{"value", 0, "content"}},
		}, [][]byte{[]byte("1,2")}, func(w Widget) any {
			f := w.(*Files).Value()[0]
			return f.Name + " " + string(f.Content) + f.Modified.Format(" 05")
		}, "a.csv 1,2 01"},
	} {
		show(t, c.w)
		move(t, c.w, c.state, c.bufs...)
		if got := c.value(c.w); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v (%T), want %v", name, got, got, c.want)
		}
	}
}

func TestSetTimes(t *testing.T) {
	at := time.Date(2024, 12, 31, 23, 59, 58, 7e6, time.UTC)
	for _, w := range []*Date{DatetimePicker(at), DatePicker(at), TimePicker(at)} {
		want := map[string]string{"Datetime": "2024-12-31 23:59:58.007", "DatePicker": "2024-12-31 00:00:00.000", "Time": "0000-01-01 23:59:58.007"}[w.class.name]
		if got := w.Value().Format("2006-01-02 15:04:05.000"); got != want {
			t.Errorf("%s: %s, want %s", w.class.name, got, want)
		}
	}
}

func TestLinks(t *testing.T) {
	f := connect(t)
	play, k := Play(0, 10), Slider(0, 10)
	if err := Link(play, k); err != nil {
		t.Fatal(err)
	}
	var seen []int
	k.OnChange(func(v int) { seen = append(seen, v) })
	show(t, HBox(play, k))
	opened := f.took(t)
	i := slices.IndexFunc(opened, func(m sent) bool { return m.body.State["_model_name"] == "LinkModel" })
	if i < 0 || !reflect.DeepEqual(opened[i].body.State["source"], []any{"IPY_MODEL_" + play.id, "value"}) {
		t.Fatalf("the link was not opened with its ends: %v", opened)
	}
	move(t, play, map[string]any{"value": 4})
	if k.Value() != 4 || !slices.Equal(seen, []int{4}) {
		t.Errorf("the slider is at %d, called with %v", k.Value(), seen)
	}
	if err := k.Set(6); err != nil || play.Value() != 6 {
		t.Errorf("back: %d, %v", play.Value(), err)
	}
	if err := Link(k, Text("")); err == nil || !strings.Contains(err.Error(), "a string") {
		t.Errorf("a number linked to a text: %v", err)
	}
	if err := Follow(k, Button("x")); err == nil {
		t.Error("a button has a value")
	}
}

// Errors name the mistake and the valid values.
func TestMistakes(t *testing.T) {
	connect(t)
	styled := Slider(0, 1)
	styled.Style("color", "red")
	odd := Slider(0, 1)
	odd.Layout("width")
	for name, c := range map[string]struct {
		err  func() error
		says string
	}{
		"below":      {func() error { return Slider(1, 30).Set(31) }, "this IntSlider must be between 1 and 30, got 31"},
		"NaN":        {func() error { return FloatSlider(0, 1).Set(math.NaN()) }, "finite"},
		"none":       {func() error { return Dropdown("a", "b").Set("c") }, `must be one of a, b, got "c"`},
		"trait":      {func() error { return Slider(0, 1).SetTrait("maximum", 3) }, "use one of behavior, continuous_update"},
		"type":       {func() error { return Slider(0, 1).SetTrait("max", "3") }, "must be an int, got"},
		"style":      {func() error { _, err := styled.Display(); return err }, "handle_color"},
		"pairs":      {func() error { _, err := odd.Display(); return err }, "pairs"},
		"turned":     {func() error { _, err := Slider(3, 1).Display(); return err }, "smaller number first"},
		"log":        {func() error { _, err := LogSlider(0, 1).Display(); return err }, "positive"},
		"options":    {func() error { _, err := Radio().Display(); return err }, "at least one"},
		"picture":    {func() error { _, err := Image([]byte("text")).Display(); return err }, "PNG"},
		"child":      {func() error { _, err := HBox(nil).Display(); return err }, "nil"},
		"tab":        {func() error { return Tabs(Label("a")).Select(1) }, "has no child 1"},
		"module":     {func() error { _, err := Custom("", "1", "Map", nil).Display(); return err }, "module"},
		"after end":  {func() error { k := Slider(0, 1); show(t, k); _ = k.Close(); _, err := k.Display(); return err }, "closed"},
		"wide range": {func() error { return RangeSlider(0, 5).Set(4, 3) }, "smaller number first"},
	} {
		if err := c.err(); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
}

// Without a frontend, a widget is shown as text and its value can be set.
func TestNoFrontEnd(t *testing.T) {
	theHub.mu.Lock()
	theHub.channel = nil
	theHub.mu.Unlock()
	k := Slider(0, 9)
	if err := k.Set(3); err != nil {
		t.Fatal(err)
	}
	b := show(t, VBox(k, Dropdown("a", "b").Label("kind")))
	if b.Data[MIMEView] != nil || b.Data[display.MIMEText] != "3 (IntSlider from 0 to 9)\nkind = a (Dropdown of a, b)" {
		t.Errorf("shown as %v", b.Data)
	}
}
