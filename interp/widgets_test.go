package interp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// screen is a recorder that widgets can send messages to.
type screen struct {
	recorder
	mu     sync.Mutex
	opened map[string]string         // ids by the name of the model; the last one for each name
	state  map[string]map[string]any // by id, with all updates
	begun  func()                    // if not nil, called at the update of a value to 1
}

func (s *screen) Comm(m display.CommMessage) error {
	var body struct{ State map[string]any }
	if err := json.Unmarshal(m.Data, &body); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if m.Kind == display.CommOpen {
		if s.opened == nil {
			s.opened, s.state = map[string]string{}, map[string]map[string]any{}
		}
		s.opened[fmt.Sprint(body.State["_model_name"])] = m.ID
		s.state[m.ID] = map[string]any{}
	}
	for k, v := range body.State {
		s.state[m.ID][k] = v
	}
	if s.begun != nil && m.Kind != display.CommOpen && body.State["value"] == 1.0 {
		s.begun()
	}
	return nil
}

// widgets is a notebook with what it shows.
type widgets struct {
	*notebook
	screen *screen
}

func (w *widgets) run(code string) string {
	w.tb.Helper()
	w.n++
	res, err := w.Eval(context.Background(), evaluator.Cell{Code: code, Number: w.n}, w.screen)
	if err != nil {
		w.tb.Fatalf("%v\n%s", err, code)
	}
	if res.Value == nil {
		return ""
	}
	text, _ := res.Value.Data[display.MIMEText].(string)
	return text
}

// update applies a change by the user and runs the callbacks.
func (w *widgets) update(ctx context.Context, model, state string) {
	w.tb.Helper()
	id := w.screen.opened[model]
	reply, err := w.Comm(ctx, display.CommMessage{Kind: display.CommData, ID: id, Data: json.RawMessage(`{"method":"update","state":` + state + `}`)})
	if err != nil {
		w.tb.Fatal(err)
	}
	if reply.Waiting {
		if err := w.Callbacks(ctx, w.screen); err != nil {
			w.tb.Fatal(err)
		}
	}
}

func openWidgets(t *testing.T) *widgets { return &widgets{open(t), &screen{}} }

func TestCallbacks(t *testing.T) {
	w := openWidgets(t)
	w.run("n := 0\nk := widget.Slider(1, 30).Label(\"k\")\nk.OnChange(func(v int) {\n\tn += v\n\tfmt.Println(\"k is\", v)\n})\nk")
	w.update(t.Context(), "IntSliderModel", `{"value":7}`)
	if got := w.run("n, k.Value()"); got != "7, 7" && !strings.Contains(got, "7") {
		t.Errorf("after the move n and k are %s", got)
	}
	if got := w.screen.stdout.String(); got != "k is 7\n" {
		t.Errorf("the callback printed %q below its widget", got)
	}
	w.run("k.Set(9)")
	if got := w.screen.state[w.screen.opened["IntSliderModel"]]["value"]; got != 9.0 {
		t.Errorf("the front end has %v", got)
	}
	// A variable with the name of the package does not affect callbacks, and callbacks don't affect
	// the variable.
	w.run("widget := 3")
	w.update(t.Context(), "IntSliderModel", `{"value":2}`)
	if got := w.run("widget + n"); got != "21" { // 7 + 9 + 2 and 3
		t.Errorf("the variable and n are %s", got)
	}
	if got := w.run("%who"); strings.Contains(got, "ǃ") {
		t.Errorf("the callback has declared names: %s", got)
	}
}

func TestCallbackFails(t *testing.T) {
	w := openWidgets(t)
	w.run("k := widget.Slider(0, 9)\nk.OnChange(func(v int) {\n\tvar a []int\n\t_ = a[v]\n})\nk")
	w.update(t.Context(), "IntSliderModel", `{"value":3}`)
	if got := ansi.ReplaceAllString(w.screen.stderr.String(), ""); !strings.Contains(got, "index out of range [3]") || !strings.Contains(got, "cell [1] line 4") {
		t.Errorf("below the widget stands %q", got)
	}
	if got := w.run("k.Value()"); got != "3" {
		t.Errorf("afterwards k is %s", got)
	}
}

func TestCallbackInterrupted(t *testing.T) {
	w := openWidgets(t)
	w.run("begun := widget.FloatSlider(0, 1)\nbegun")
	w.run("k := widget.Slider(0, 9)\nk.OnChange(func(int) { begun.Set(1); for {} })\nk")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	// If the interrupt came before the callback, the callback would wait for the next cell.
	w.screen.begun = cancel
	start := time.Now()
	w.update(ctx, "IntSliderModel", `{"value":3}`)
	if ctx.Err() == nil {
		t.Fatalf("the callback has not begun: %q", w.screen.stderr.String())
	}
	if took := time.Since(start); took > answer || !strings.Contains(w.screen.stderr.String(), "interrupted") {
		t.Errorf("after %v: %q", took, w.screen.stderr.String())
	}
}

// Interact knows the names of parameters. It shows the output and the errors of its function in the
// same place.
func TestInteractInCells(t *testing.T) {
	w := openWidgets(t)
	w.run("f := func(k int, metric string) any {\n\tfmt.Println(\"called\")\n\tif k == 3 {\n\t\tpanic(\"not three\")\n\t}\n\treturn fmt.Sprint(metric, k)\n}\n" +
		"Interact(f, Range(1, 30), Options(\"l1\", \"l2\"))")
	slider := w.screen.state[w.screen.opened["IntSliderModel"]]
	if slider["description"] != "k" || slider["max"] != 30.0 || w.screen.state[w.screen.opened["DropdownModel"]]["description"] != "metric" {
		t.Errorf("the slider is %v", slider)
	}
	area := func() string { return fmt.Sprint(w.screen.state[w.screen.opened["OutputModel"]]["outputs"]) }
	if got := area(); !strings.Contains(got, "called") || !strings.Contains(got, "l11") {
		t.Errorf("the area shows %s", got)
	}
	w.update(t.Context(), "IntSliderModel", `{"value":3}`)
	if got := area(); !strings.Contains(got, "not three") || !strings.Contains(got, "cell [1] line 4") || strings.Contains(got, "l11") {
		t.Errorf("the area shows %s", got)
	}
	w.update(t.Context(), "IntSliderModel", `{"value":4}`)
	if got := area(); !strings.Contains(got, "l14") || strings.Contains(got, "not three") {
		t.Errorf("the area shows %s", got)
	}
	if got := w.screen.stdout.String() + w.screen.stderr.String(); got != "" {
		t.Errorf("the cell shows %q beside the area", got)
	}
}

// BenchmarkInteract moves a slider whose function does nothing.
func BenchmarkInteract(b *testing.B) {
	w := &widgets{open(b), &screen{}}
	w.run("Interact(func(k int) any { return k }, Range(0, 1000000))")
	for i := 0; b.Loop(); i++ {
		w.update(b.Context(), "IntSliderModel", fmt.Sprintf(`{"value":%d}`, i%1000000))
	}
}
