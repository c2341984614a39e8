package execute

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/gokernel/gokernel/cmd/gokernel/internal/notebook"
)

// knob is a control of an Interact, with the values that it may have.
type knob struct {
	notebook.Control
	id     string // of its model
	trait  string // that moves
	values []any  // of the trait, one for each of Values
}

// newKnob reads the state of a control. One whose values are too many to name keeps the
// one that it has.
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

// mostSteps bounds the steps of a slider that are looked at.
const mostSteps = 100_000

// steps returns the values of a slider. Its state has the least and the largest step, of
// which value makes the number that is shown; step is the width of one that tells none.
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
	// The cell may begin between two steps.
	if v := state["value"]; nearest > 1e-9*math.Abs(start) {
		k.values[k.Start], k.Values[k.Start] = v, strconv.FormatFloat(start, 'g', 6, 64)
	}
}

// round takes away what sums of steps have too much: 0.30000000000000004 is 0.3.
func round(v float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 12, 64), 64)
	if err != nil {
		return v
	}
	return r
}

// options returns the values of a list.
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

// number reads a number of a state, or gives the one that is not told.
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

// thin leaves out values of sliders of numbers until all controls, moved one at a time,
// have at most so many positions; false means that it has left out some.
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
			return true // it is of no use
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

// positions counts those of all controls that are reached by moving one of them.
func positions(knobs []knob) int {
	n := 1
	for _, k := range knobs {
		n += len(k.values) - 1
	}
	return n
}

// keepEach keeps each so manieth value, counted from the one at the beginning.
func (k *knob) keepEach(step int) {
	var labels []string
	var values []any
	first := k.Start % step
	for i := first; i < len(k.values); i += step {
		labels, values = append(labels, k.Values[i]), append(values, k.values[i])
	}
	k.Values, k.values, k.Start = labels, values, k.Start/step
}
