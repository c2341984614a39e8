package widget

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/display"
)

// recorded is what testdata/record.py has recorded from ipywidgets in an ipykernel.
type recorded struct {
	States   map[string]map[string]any
	Exchange []struct {
		Type, Model, Target, Version, Method, Of string
		State                                    map[string]any
	}
}

func readRecorded(t *testing.T) (r recorded) {
	t.Helper()
	b, err := os.ReadFile("testdata/ipywidgets.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// same replaces references to models by one value, and converts numbers to those of JSON.
func same(t *testing.T, v any) any {
	t.Helper()
	b, err := json.Marshal(separate(v, nil, &[]any{}, &[][]byte{}))
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(b, &out); err != nil {
		t.Fatal(err)
	}
	return shortened(out)
}

func shortened(v any) any {
	switch x := v.(type) {
	case string:
		if strings.HasPrefix(x, reference) {
			return reference
		}
	case map[string]any:
		for k := range x {
			x[k] = shortened(x[k])
		}
	case []any:
		for i := range x {
			x[i] = shortened(x[i])
		}
	}
	return v
}

// TestLikeIpywidgets makes the controls of record.py. The state of each must equal the state in
// ipywidgets, trait by trait, and must omit the same default values.
func TestLikeIpywidgets(t *testing.T) {
	connect(t)
	at := time.Date(2026, 2, 28, 13, 5, 7, 25e7, time.UTC)
	real := FloatSlider(0, 2).Start(1.5)
	floats := FloatRangeSlider(0, 1)
	chosen := SelectMultiple("a", "b", "c")
	between := SelectionRange("a", "b", "c")
	ends := RangeSlider(0, 10)
	for _, err := range []error{floats.Set(0.25, 0.5), chosen.Set("a", "c"), between.Set("b", "c"), ends.Set(2, 7)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	ours := map[string]Widget{
		"Slider": Slider(1, 30).Start(5).Label("k"), "FloatSlider": real, "LogSlider": LogSlider(0.01, 100).Start(10),
		"RangeSlider": ends, "FloatRangeSlider": floats, "Number": Number(3), "BoundedNumber": BoundedNumber(0, 9).Start(4),
		"FloatNumber": FloatNumber(2.5), "Progress": Progress(20).Start(7), "Play": Play(0, 9).Start(2),
		"Checkbox": Checkbox(true).Label("on"), "Toggle": Toggle(true), "Valid": Valid(true),
		"Dropdown": Dropdown("a", "b").Start("b"), "Select": Select("a", "b").Start("b"), "Radio": Radio("a", "b").Start("b"),
		"ToggleButtons": ToggleButtons("a", "b").Start("b"), "SelectionSlider": SelectionSlider("a", "b").Start("b"),
		"SelectMultiple": chosen, "SelectionRange": between,
		"Text": Text("x").Placeholder("p"), "Textarea": Textarea("x"), "Password": Password(), "Combobox": Combobox("a", "b"),
		"Label": Label("$x$"), "HTML": HTML("<b>x</b>"), "HTMLMath": HTMLMath("$x$"), "ColorPicker": ColorPicker("#ff8800"),
		"TagsInput": TagsInput("a"), "DatePicker": DatePicker(at), "DatetimePicker": DatetimePicker(at), "TimePicker": TimePicker(at),
		"Button": Button("go"), "Upload": Upload(".csv", "image/*").Multiple(), "Output": Output(),
	}
	states := readRecorded(t).States
	if len(states) != len(ours) {
		t.Errorf("got %d recorded controls and %d controls of this package", len(states), len(ours))
	}
	for name, w := range ours {
		show(t, w)
		m := w.model()
		state := m.whole()
		for trait, want := range states[name] {
			got, ok := state[trait]
			if !ok && trait == "_dom_classes" {
				continue // none
			}
			if !ok {
				if _, known := m.class.traits[trait]; !known {
					t.Errorf("%s has no %s", name, trait)
					continue
				}
				got = m.Trait(trait)
			}
			if got := same(t, got); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %s is %v, with ipywidgets %v", name, trait, got, want)
			}
		}
		for trait := range state {
			if _, ok := states[name][trait]; !ok {
				t.Errorf("%s: ipywidgets has no %s", name, trait)
			}
		}
	}
}

// TestExchange repeats the recorded session: a slider is shown, moved by the user, asked for its
// state, and set by a cell.
func TestExchange(t *testing.T) {
	f := connect(t)
	want := readRecorded(t).Exchange
	k := Slider(1, 30).Start(5).Label("k")
	show(t, k)
	messages := f.took(t)
	answer := func(data string) {
		answers, _, err := Receive(display.CommMessage{Kind: display.CommData, ID: k.id, Data: []byte(data)})
		if err != nil {
			t.Fatal(err)
		}
		f.messages = answers
		messages = append(messages, f.took(t)...)
	}
	answer(`{"method":"update","state":{"value":9},"buffer_paths":[]}`)
	answer(`{"method":"request_state"}`)
	if err := k.Set(12); err != nil {
		t.Fatal(err)
	}
	messages = append(messages, f.took(t)...)
	if len(messages) != len(want) {
		t.Fatalf("%d messages, ipykernel sends %d", len(messages), len(want))
	}
	for i, m := range messages {
		w := want[i]
		kind := map[string]string{display.CommOpen: "comm_open", display.CommData: "comm_msg"}[m.Kind]
		version, _ := m.Metadata["version"].(string)
		if kind != w.Type || m.Target != w.Target || version != w.Version || m.body.Method != w.Method || (m.ID == k.id) != (w.Of == "slider") {
			t.Errorf("message %d is %s %s %s %s, ipykernel's is %s %s %s %s", i, kind, m.Target, version, m.body.Method, w.Type, w.Target, w.Version, w.Method)
		}
		for trait, got := range m.body.State {
			if got := shortened(got); !reflect.DeepEqual(got, w.State[trait]) {
				t.Errorf("message %d: %s is %v, ipykernel's is %v", i, trait, got, w.State[trait])
			}
		}
		for trait, v := range w.State { // default values are omitted
			if _, ok := m.body.State[trait]; !ok && w.Model == "IntSliderModel" && trait != "_dom_classes" && !reflect.DeepEqual(v, classes()["IntSlider"].traits[trait].init) {
				t.Errorf("message %d lacks %s", i, trait)
			}
		}
	}
}
