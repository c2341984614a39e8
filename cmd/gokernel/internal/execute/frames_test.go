package execute

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/widget"
	"github.com/gokernel/gokernel/kernel/evaluator"
	"github.com/google/go-cmp/cmp"
)

// session runs the widgets of package display in this process. Its cells contain the names of what
// they show.
type session struct {
	cells map[string]func() display.Displayer
	calls int
	slow  time.Duration
	lost  bool
}

func (s *session) Eval(_ context.Context, cell evaluator.Cell, out evaluator.Output) (res evaluator.Result, err error) {
	make := s.cells[cell.Code]
	if make == nil {
		return res, &evaluator.Error{Name: "error", Value: "no such cell", Traceback: []string{"no such cell"}}
	}
	display.Lend(out, func() {
		b, e := make().Display()
		res.Value, err = &b, e
	})
	return res, err
}

func (s *session) Comm(_ context.Context, m display.CommMessage) (evaluator.CommReply, error) {
	if s.lost {
		return evaluator.CommReply{Messages: []display.CommMessage{{Kind: display.CommClose, ID: m.ID}}}, nil
	}
	answers, waiting, err := widget.Receive(m)
	return evaluator.CommReply{Messages: answers, Waiting: waiting}, err
}

func (s *session) Callbacks(ctx context.Context, out evaluator.Output) (err error) {
	s.calls++
	select {
	case <-ctx.Done():
	case <-time.After(s.slow):
	}
	display.Lend(out, func() { err = widget.RunCallbacks() })
	return err
}

// moved runs cells and returns the frames of their outputs, in order.
func moved(t *testing.T, s *session, opt Options, cells ...string) []*notebook.Frames {
	t.Helper()
	nb := book(cells...)
	opt.Frames = true
	if _, err := Notebook(context.Background(), nb, s, opt); err != nil {
		t.Fatal(err)
	}
	// As read from a file.
	b, err := nb.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if nb, err = notebook.Decode(b); err != nil {
		t.Fatal(err)
	}
	var list []*notebook.Frames
	frames := nb.Frames()
	for _, c := range nb.Cells {
		for _, o := range c.Outputs {
			view, _ := o.Data[mimeView].(map[string]any)
			if f := frames[fmt.Sprint(view["model_id"])]; f != nil {
				list = append(list, f)
			}
		}
	}
	if len(list) != len(frames) {
		t.Errorf("there are frames of %v, which no cell shows", slices.Collect(maps.Keys(frames)))
	}
	return list
}

// text returns the text of one frame.
func text(frame []*notebook.Output) string {
	var all []string
	for _, o := range frame {
		s := o.Text + o.ErrorValue
		if plain, ok := o.Data["text/plain"].(string); ok {
			s += plain
		}
		all = append(all, s)
	}
	return strings.Join(all, " ")
}

// at returns the text of the frame for positions of the controls, or "" if there is none.
func at(f *notebook.Frames, positions ...int) string {
	n := 0
	for i, c := range f.Controls {
		n = n*len(c.Values) + positions[i]
	}
	if f.Table[n] < 0 {
		return ""
	}
	return text(f.List[f.Table[n]])
}

// whole is printed completely, however long.
type whole string

func (w whole) Display() (display.Bundle, error) { return display.Text(string(w)), nil }

func TestFrames(t *testing.T) {
	s := &session{cells: map[string]func() display.Displayer{
		"two": func() display.Displayer {
			return widget.Interact(func(k int, metric string, deep bool) any { return fmt.Sprint(k, metric, deep) },
				widget.ParameterNames{"k", "metric", "deep"}, widget.Slider(1, 9).Step(2).Start(5), widget.Options("l1", "l2"), true)
		},
		"same": func() display.Displayer {
			return widget.Interact(func(k int) any { return k / 10 }, widget.ParameterNames{"k"}, widget.Slider(0, 19))
		},
		"numbers": func() display.Displayer {
			return widget.Interact(func(a, b float64, n int) any { return fmt.Sprint(a, b, n) }, widget.ParameterNames{"a", "b", "n"},
				[]float64{0, 0.1, 0.2, 0.3}, []float64{0.01, 0.1, 1}, 7)
		},
	}}
	list := moved(t, s, Options{}, "two", "same", "numbers")
	if len(list) != 3 {
		t.Fatalf("there are %d frames", len(list))
	}
	two, same, numbers := list[0], list[1], list[2]
	want := []notebook.Control{
		{Name: "k", Kind: notebook.SliderControl, Values: []string{"1", "3", "5", "7", "9"}, Start: 2},
		{Name: "metric", Kind: notebook.ListControl, Values: []string{"l1", "l2"}},
		{Name: "deep", Kind: notebook.BoxControl, Values: []string{"false", "true"}, Start: 1},
	}
	if d := cmp.Diff(want, two.Controls); d != "" {
		t.Errorf("controls (-want +got):\n%s", d)
	}
	for k := range 5 {
		for m := range 2 {
			for deep := range 2 {
				want := fmt.Sprintf("%q", fmt.Sprint(1+2*k, []string{"l1", "l2"}[m], deep == 1))
				if got := at(two, k, m, deep); got != want {
					t.Errorf("at %d, %d, %d stands %s, want %s", k, m, deep, got, want)
				}
			}
		}
	}
	if two.Note != "" || len(two.List) != 20 || two.Start() != 9 {
		t.Errorf("%q, %d frames, begins at %d", two.Note, len(two.List), two.Start())
	}
	if len(same.List) != 2 || len(same.Table) != 20 || at(same, 19) != "1" {
		t.Errorf("%d frames are kept of two", len(same.List))
	}
	want = []notebook.Control{
		{Name: "a", Kind: notebook.SliderControl, Values: []string{"0", "0.1", "0.2", "0.3"}},
		{Name: "b", Kind: notebook.SliderControl, Values: []string{"0.01", "0.1", "1"}},
		{Name: "n", Kind: notebook.FixedControl, Values: []string{"7"}},
	}
	if d := cmp.Diff(want, numbers.Controls); d != "" {
		t.Errorf("controls (-want +got):\n%s", d)
	}
	if got := at(numbers, 3, 1, 0); got != `"0.3 0.1 7"` || !strings.Contains(numbers.Note, "fields keep their values") {
		t.Errorf("%s: %s", got, numbers.Note)
	}
}

// An Interact that can't be moved explains why, and shows its original output.
func TestNoFrames(t *testing.T) {
	n := 0
	large := strings.Repeat("x", maxFrameBytes/20)
	s := &session{cells: map[string]func() display.Displayer{
		"counts": func() display.Displayer {
			return widget.Interact(func(int) any { n++; return n }, widget.Slider(1, 3))
		},
		"field": func() display.Displayer { return widget.Interact(func(k int) any { return k }, 7) },
		"manual": func() display.Displayer {
			return widget.Interact(func(k int) any { return k }, widget.Slider(1, 3)).Manual()
		},
		"list": func() display.Displayer {
			var options []any
			for i := range maxFrames + 1 {
				options = append(options, fmt.Sprint("option ", i))
			}
			return widget.Interact(func(string) any { return nil }, widget.Options(options...))
		},
		"large": func() display.Displayer {
			return widget.Interact(func(k int) any { return whole(fmt.Sprint(k, large)) }, widget.Slider(1, 30))
		},
		"plain": func() display.Displayer { return widget.Slider(1, 3) },
	}}
	for cell, want := range map[string]string{
		"counts": "depend on their values alone", "field": "have any value", "manual": "a click on Run", "list": "200 positions", "large": "4 MB",
	} {
		list := moved(t, s, Options{}, cell)
		if len(list) != 1 || len(list[0].Table)+len(list[0].List) != 0 || !strings.Contains(list[0].Note, want) {
			t.Errorf("%s: %+v", cell, list)
		}
	}
	if list := moved(t, s, Options{}, "plain"); len(list) != 0 {
		t.Errorf("a control alone has frames: %+v", list)
	}
	s.slow = time.Hour
	if list := moved(t, s, Options{Timeout: 10 * time.Millisecond}, "large"); len(list) != 1 || !strings.Contains(list[0].Note, "longer than 10ms") {
		t.Errorf("a slow function: %+v", list)
	}
	s.lost = true
	if list := moved(t, s, Options{}, "large"); len(list) != 1 || !strings.Contains(list[0].Note, "has ended") {
		t.Errorf("a lost session: %+v", list)
	}
	s.calls, s.lost, s.slow = 0, false, 0
	nb := book("large", "no such cell")
	if _, err := Notebook(context.Background(), nb, s, Options{Frames: true}); err != nil || s.calls > 0 {
		t.Errorf("of a notebook that fails, functions were called %d times, %v", s.calls, err)
	}
	nb = book("large")
	if _, err := Notebook(context.Background(), nb, s, Options{}); err != nil || s.calls > 0 || nb.Frames() != nil {
		t.Errorf("where nobody asked, functions were called %d times, %v", s.calls, err)
	}
}

// If there are many positions, only those of one control at a time are kept, and only some of long
// sliders.
func TestFramesOneAtATime(t *testing.T) {
	large := strings.Repeat("x", maxFrameBytes/100)
	s := &session{cells: map[string]func() display.Displayer{
		"many": func() display.Displayer {
			return widget.Interact(func(a, b int) any { return fmt.Sprint(a, b) }, widget.Slider(0, 29), widget.Slider(0, 19).Start(4))
		},
		"long": func() display.Displayer {
			return widget.Interact(func(a int) any { return a }, widget.Slider(0, 5000).Start(2503))
		},
		"large": func() display.Displayer {
			return widget.Interact(func(a, b int) any { return whole(fmt.Sprint(a, b, large)) }, widget.Slider(0, 13), widget.Slider(0, 13))
		},
	}}
	for _, cell := range []string{"many", "large"} {
		f := moved(t, s, Options{}, cell)[0]
		a, b := len(f.Controls[0].Values), len(f.Controls[1].Values)
		if len(f.List) != a+b-1 || !strings.Contains(f.Note, "one control moves at a time") {
			t.Errorf("%s: %d frames, %s", cell, len(f.List), f.Note)
		}
		for i := range a {
			for j := range b {
				alone := i == f.Controls[0].Start || j == f.Controls[1].Start
				if got := at(f, i, j); alone != (got != "") || alone && !strings.HasPrefix(strings.Trim(got, `"`), fmt.Sprintf("%d %d", i, j)) {
					t.Fatalf("%s: at %d, %d stands %.20s", cell, i, j, got)
				}
			}
		}
	}
	f := moved(t, s, Options{}, "long")[0]
	c := f.Controls[0]
	if len(f.Table) > maxFrames || len(f.Table) < maxFrames/2 || c.Values[c.Start] != "2503" || at(f, c.Start) != "2503" || at(f, 0) != c.Values[0] ||
		!strings.Contains(f.Note, "some of its values") {
		t.Errorf("%d positions, begins with %s, %s", len(f.Table), c.Values[c.Start], f.Note)
	}
}

func TestKnobs(t *testing.T) {
	for _, c := range []struct {
		state string
		want  knob
	}{
		{`{"_model_name":"FloatLogSliderModel","min":-2,"max":0,"step":1,"value":0.1}`,
			knob{Control: notebook.Control{Kind: "slider", Values: []string{"0.01", "0.1", "1"}, Start: 1}, trait: "value", values: []any{json.Number("0.01"), json.Number("0.1"), json.Number("1")}}},
		{`{"_model_name":"FloatSliderModel","min":0,"max":0.3,"step":0.1,"value":0.15}`, // between two steps
			knob{Control: notebook.Control{Kind: "slider", Values: []string{"0", "0.15", "0.2", "0.3"}, Start: 1}, trait: "value",
				values: []any{json.Number("0"), json.Number("0.15"), json.Number("0.2"), json.Number("0.3")}}},
		{`{"_model_name":"SelectionSliderModel","_options_labels":["a","b"],"index":1}`,
			knob{Control: notebook.Control{Kind: "slider", Values: []string{"a", "b"}, Start: 1}, trait: "index", values: []any{0, 1}}},
		{`{"_model_name":"RadioButtonsModel","_options_labels":["a","b"],"index":null}`,
			knob{Control: notebook.Control{Kind: "fixed", Values: []string{"none"}}, trait: "value", values: []any{nil}}},
		{`{"_model_name":"IntSliderModel","min":0,"max":1000000000,"value":3}`,
			knob{Control: notebook.Control{Kind: "fixed", Values: []string{"3"}}, trait: "value", values: []any{json.Number("3")}}},
	} {
		d := json.NewDecoder(strings.NewReader(c.state))
		d.UseNumber()
		var state map[string]any
		if err := d.Decode(&state); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, newKnob("", state), cmp.AllowUnexported(knob{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.state, diff)
		}
	}
}
