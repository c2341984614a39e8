package execute

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

// knob is a control of an Interact, with its possible values.
type knob struct {
	notebook.Control
	id     string // id of its model
	trait  string // the trait that changes
	values []any  // values of the trait, one for each of Values
}

// newKnob parses the state of a control. A control with too many values keeps its current one.
func newKnob(id string, state map[string]any) knob {
	k := knob{id: id, trait: "value"}
	k.Name, _ = state["description"].(string)
	switch state["_model_name"] {
	case "IntSliderModel", "BoundedIntTextModel":
		k.steps(state, 1, func(v float64) float64 { return v })
	case "FloatSliderModel":
		k.steps(state, 0.1, func(v float64) float64 { return v })
	case "FloatLogSliderModel":
		base := number(state["base"], 10)
		k.steps(state, 0.1, func(v float64) float64 { return math.Pow(base, v) })
	case "DropdownModel", "SelectModel", "RadioButtonsModel", "ToggleButtonsModel", "SelectionSliderModel":
		k.options(state)
	case "CheckboxModel", "ToggleButtonModel":
		on, _ := state["value"].(bool)
		k.Kind, k.Values, k.values = notebook.BoxControl, []string{"false", "true"}, []any{false, true}
		if on {
			k.Start = 1
		}
	}
	if len(k.values) == 0 {
		k.Kind, k.Start = notebook.FixedControl, 0
		k.Values, k.values = []string{"none"}, []any{state["value"]}
		if v := state["value"]; v != nil {
			k.Values[0] = fmt.Sprint(v)
		}
	}
	return k
}

// mostSteps is the maximum number of a slider's steps to list.
const mostSteps = 100_000

// steps lists the values of a slider. They go from the minimum to the maximum in the state, and
// value converts each of them to the number shown. The argument step is the default step size.
func (k *knob) steps(state map[string]any, step float64, value func(float64) float64) {
	lo, hi := number(state["min"], 0), number(state["max"], math.NaN())
	step = number(state["step"], step)
	n := math.Floor((hi-lo)/step + 1e-6)
	if !(n >= 0 && n < mostSteps) {
		return
	}
	start := number(state["value"], math.NaN())
	nearest := math.Inf(1)
	for i := range int(n) + 1 {
		v := round(value(lo + float64(i)*step))
		if d := math.Abs(v - start); d < nearest {
			nearest, k.Start = d, i
		}
		k.values = append(k.values, json.Number(strconv.FormatFloat(v, 'g', -1, 64)))
		k.Values = append(k.Values, strconv.FormatFloat(v, 'g', 6, 64))
	}
	k.Kind = notebook.SliderControl
	// The initial value may be between two steps.
	if v := state["value"]; nearest > 1e-9*math.Abs(start) {
		k.values[k.Start], k.Values[k.Start] = v, strconv.FormatFloat(start, 'g', 6, 64)
	}
}

// round removes rounding errors of sums of steps: 0.30000000000000004 is 0.3.
func round(v float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 12, 64), 64)
	if err != nil {
		return v
	}
	return r
}

// options lists the values among which a control selects, such as a dropdown list.
func (k *knob) options(state map[string]any) {
	labels, _ := state["_options_labels"].([]any)
	at := number(state["index"], -1)
	if at < 0 || int(at) >= len(labels) {
		return // nothing is chosen
	}
	k.trait, k.Kind, k.Start = "index", notebook.ListControl, int(at)
	if state["_model_name"] == "SelectionSliderModel" {
		k.Kind = notebook.SliderControl
	}
	for i, l := range labels {
		text, _ := l.(string)
		k.Values, k.values = append(k.Values, text), append(k.values, i)
	}
}

// number returns a number of a state, or the default.
func number(v any, otherwise float64) float64 {
	n, ok := v.(json.Number)
	if !ok {
		return otherwise
	}
	x, err := n.Float64()
	if err != nil {
		return otherwise
	}
	return x
}

// thin drops values of numeric sliders until all controls, moved one at a time, have at most the
// given number of positions. It returns false if it has dropped some.
func thin(knobs []knob, most int) (whole bool) {
	others, sliders := 1, 0
	for _, k := range knobs {
		if k.Kind == notebook.SliderControl && k.trait == "value" {
			sliders++
		} else {
			others += len(k.values) - 1
		}
	}
	whole = true
	for sliders > 0 && positions(knobs) > most {
		room := (most-others)/sliders + 1
		if room < 2 {
			return true // it would not help
		}
		whole = false
		for i := range knobs {
			if k := &knobs[i]; k.Kind == notebook.SliderControl && k.trait == "value" && len(k.values) > room {
				k.keepEach((len(k.values) + room - 3) / (room - 1)) // the ceiling of (n-1)/(room-1)
			}
		}
	}
	return whole
}

// positions returns the number of positions reached by moving one control at a time.
func positions(knobs []knob) int {
	n := 1
	for _, k := range knobs {
		n += len(k.values) - 1
	}
	return n
}

// keepEach keeps every step-th value, counted from the initial one.
func (k *knob) keepEach(step int) {
	var labels []string
	var values []any
	first := k.Start % step
	for i := first; i < len(k.values); i += step {
		labels, values = append(labels, k.Values[i]), append(values, k.values[i])
	}
	k.Values, k.values, k.Start = labels, values, k.Start/step
}
