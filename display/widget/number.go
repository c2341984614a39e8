package widget

import (
	"fmt"
	"math"

	"github.com/gokernel/gokernel/display"
)

// Int is a control for an integer.
type Int struct{ *Model }

// Slider returns a slider over the integers from lo to hi.
func Slider(lo, hi int) *Int { return bounded("IntSlider", lo, hi) }

// Number returns a field for any integer.
func Number(value int) *Int {
	w := &Int{newModel("IntText")}
	w.must(w.Set(value))
	return w
}

// BoundedNumber returns a field for the integers from lo to hi.
func BoundedNumber(lo, hi int) *Int { return bounded("BoundedIntText", lo, hi) }

// Progress returns a progress bar that is full at n.
func Progress(n int) *Int { return bounded("IntProgress", 0, n) }

// Play returns a control that counts from lo to hi by itself, ten steps per second.
// SetTrait("interval", 500) makes a step take 500 milliseconds. To see the position, [Link] it
// with a slider.
func Play(lo, hi int) *Int { return bounded("Play", lo, hi) }

func bounded(name string, lo, hi int) *Int {
	w := &Int{newModel(name)}
	if lo > hi {
		w.fail(fmt.Errorf("widget: the range of the %s must not be empty, got %d to %d: pass the smaller number first", name, lo, hi))
		return w
	}
	w.state["min"], w.state["max"], w.state["value"] = lo, hi, lo
	return w
}

// Label sets the text before the control.
func (w *Int) Label(text string) *Int { w.must(w.SetTrait("description", text)); return w }

// Step sets the size of one step.
func (w *Int) Step(step int) *Int { w.must(w.SetTrait("step", step)); return w }

// Start sets the initial value.
func (w *Int) Start(value int) *Int { w.must(w.Set(value)); return w }

// Value returns the current number.
func (w *Int) Value() int { v, _ := w.Trait("value").(int); return v }

// Set changes the number in the session and in the frontend.
func (w *Int) Set(value int) error {
	if err := w.within(float64(value)); err != nil {
		return err
	}
	return w.SetTrait("value", value)
}

// OnChange registers f, which is called with the new number after each change.
func (w *Int) OnChange(f func(value int)) *Int { w.on("value", func() { f(w.Value()) }); return w }

// Display shows the control.
func (w *Int) Display() (display.Bundle, error) {
	return w.view(w.text(fmt.Sprint(w.Value()), w.span()))
}

// Float is a control for a real number.
type Float struct{ *Model }

// FloatSlider returns a slider over the numbers from lo to hi, in a hundred steps.
func FloatSlider(lo, hi float64) *Float {
	w := boundedFloat("FloatSlider", lo, hi)
	return w.Step((hi - lo) / 100)
}

// LogSlider returns a slider from lo to hi with a logarithmic scale, such as LogSlider(1e-4, 1).
// Both ends must be positive.
func LogSlider(lo, hi float64) *Float {
	w := &Float{newModel("FloatLogSlider")}
	if !(lo > 0 && hi >= lo) || math.IsInf(hi, 0) {
		w.fail(fmt.Errorf("widget: the range of a LogSlider must be positive, got %v to %v: pass the smaller number first", lo, hi))
		return w
	}
	w.state["min"], w.state["max"], w.state["value"] = math.Log10(lo), math.Log10(hi), lo
	return w
}

// FloatNumber returns a field for any number.
func FloatNumber(value float64) *Float {
	w := &Float{newModel("FloatText")}
	w.must(w.Set(value))
	return w
}

// BoundedFloat returns a field for the numbers from lo to hi.
func BoundedFloat(lo, hi float64) *Float { return boundedFloat("BoundedFloatText", lo, hi) }

// FloatProgress returns a progress bar that is full at the given number.
func FloatProgress(full float64) *Float { return boundedFloat("FloatProgress", 0, full) }

func boundedFloat(name string, lo, hi float64) *Float {
	w := &Float{newModel(name)}
	if !(lo <= hi) || math.IsInf(lo, 0) || math.IsInf(hi, 0) {
		w.fail(fmt.Errorf("widget: the range of the %s must be finite and not empty, got %v to %v: pass the smaller number first", name, lo, hi))
		return w
	}
	w.state["min"], w.state["max"], w.state["value"] = lo, hi, lo
	return w
}

// Label sets the text before the control.
func (w *Float) Label(text string) *Float { w.must(w.SetTrait("description", text)); return w }

// Step sets the size of one step; the step of a LogSlider is a difference of base-10 logarithms.
func (w *Float) Step(step float64) *Float { w.must(w.SetTrait("step", step)); return w }

// Start sets the initial value.
func (w *Float) Start(value float64) *Float { w.must(w.Set(value)); return w }

// Value returns the current number.
func (w *Float) Value() float64 { return number(w.Trait("value")) }

// Set changes the number in the session and in the frontend.
func (w *Float) Set(value float64) error {
	v := value
	if w.class.name == "FloatLogSlider" {
		v = math.Log10(value)
	}
	if err := w.within(v); err != nil {
		return err
	}
	return w.SetTrait("value", value)
}

// OnChange registers f, which is called with the new number after each change.
func (w *Float) OnChange(f func(value float64)) *Float {
	w.on("value", func() { f(w.Value()) })
	return w
}

// Display shows the control.
func (w *Float) Display() (display.Bundle, error) {
	return w.view(w.text(fmt.Sprintf("%.6g", w.Value()), w.span()))
}

// IntRange is a control for a range between two integers.
type IntRange struct{ *Model }

// RangeSlider returns a slider for a range within the integers from lo to hi. At first, the whole
// range is selected.
func RangeSlider(lo, hi int) *IntRange {
	w := &IntRange{bounded("IntRangeSlider", lo, hi).Model}
	w.state["value"] = []any{lo, hi}
	return w
}

// Label sets the text before the control.
func (w *IntRange) Label(text string) *IntRange {
	w.must(w.SetTrait("description", text))
	return w
}

// Value returns the ends of the range.
func (w *IntRange) Value() (lo, hi int) {
	v, _ := w.Trait("value").([]any)
	if len(v) != 2 {
		return 0, 0
	}
	return int(number(v[0])), int(number(v[1]))
}

// Set changes the selected range in the session and in the frontend.
func (w *IntRange) Set(lo, hi int) error {
	if err := w.withinRange(float64(lo), float64(hi)); err != nil {
		return err
	}
	return w.SetTrait("value", []any{lo, hi})
}

// OnChange registers f, which is called with the new ends after each change.
func (w *IntRange) OnChange(f func(lo, hi int)) *IntRange {
	w.on("value", func() { f(w.Value()) })
	return w
}

// Display shows the control.
func (w *IntRange) Display() (display.Bundle, error) {
	lo, hi := w.Value()
	return w.view(w.text(fmt.Sprintf("%d to %d", lo, hi), w.span()))
}

// FloatRange is a control for a range between two numbers.
type FloatRange struct{ *Model }

// FloatRangeSlider returns a slider for a range within the numbers from lo to hi. At first, the
// whole range is selected.
func FloatRangeSlider(lo, hi float64) *FloatRange {
	w := &FloatRange{boundedFloat("FloatRangeSlider", lo, hi).Model}
	w.state["value"], w.state["step"] = []any{lo, hi}, (hi-lo)/100
	return w
}

// Label sets the text before the control.
func (w *FloatRange) Label(text string) *FloatRange {
	w.must(w.SetTrait("description", text))
	return w
}

// Value returns the ends of the range.
func (w *FloatRange) Value() (lo, hi float64) {
	v, _ := w.Trait("value").([]any)
	if len(v) != 2 {
		return 0, 0
	}
	return number(v[0]), number(v[1])
}

// Set changes the selected range in the session and in the frontend.
func (w *FloatRange) Set(lo, hi float64) error {
	if err := w.withinRange(lo, hi); err != nil {
		return err
	}
	return w.SetTrait("value", []any{lo, hi})
}

// OnChange registers f, which is called with the new ends after each change.
func (w *FloatRange) OnChange(f func(lo, hi float64)) *FloatRange {
	w.on("value", func() { f(w.Value()) })
	return w
}

// Display shows the control.
func (w *FloatRange) Display() (display.Bundle, error) {
	lo, hi := w.Value()
	return w.view(w.text(fmt.Sprintf("%.6g to %.6g", lo, hi), w.span()))
}

// number converts the value of a trait to a number.
func number(v any) float64 {
	switch v := v.(type) {
	case int:
		return float64(v)
	case float64:
		return v
	}
	return 0
}

// within returns an error if a bounded control cannot have the value v.
func (m *Model) within(v float64) error {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Errorf("widget: the value of the %s must be finite, got %v", m.class.name, v)
	}
	lo, hi := m.Trait("min"), m.Trait("max")
	if lo == nil || hi == nil {
		return nil
	}
	const slack = 1e-9 // tolerance of the logarithms
	if v < number(lo)-slack || v > number(hi)+slack {
		return fmt.Errorf("widget: the value of this %s must be between %v and %v, got %v", m.class.name, lo, hi, v)
	}
	return nil
}

func (m *Model) withinRange(lo, hi float64) error {
	if lo > hi {
		return fmt.Errorf("widget: the range must not be empty, got %v to %v: pass the smaller number first", lo, hi)
	}
	if err := m.within(lo); err != nil {
		return err
	}
	return m.within(hi)
}

// span returns the text for the range of a control.
func (m *Model) span() string {
	lo, hi := m.Trait("min"), m.Trait("max")
	if lo == nil || hi == nil {
		return ""
	}
	if m.class.name == "FloatLogSlider" {
		return fmt.Sprintf("from %.6g to %.6g", math.Pow(10, number(lo)), math.Pow(10, number(hi)))
	}
	return fmt.Sprintf("from %.6g to %.6g", number(lo), number(hi))
}

// text returns the text for frontends without widgets: "k = 5 (IntSlider from 1 to 30)".
func (m *Model) text(value, more string) string {
	label, _ := m.Trait("description").(string)
	if label != "" {
		label += " = "
	}
	if more != "" {
		more = " " + more
	}
	return label + value + " (" + m.class.name + more + ")"
}
