package widget

import (
	"fmt"
	"math"

	"github.com/gokernel/gokernel/display"
)

// Int is a control for a whole number.
type Int struct{ *Model }

// Slider goes over the whole numbers from lo to hi.
func Slider(lo, hi int) *Int { return bounded("IntSlider", lo, hi) }

// Number is a field for any whole number.
func Number(value int) *Int {
	w := &Int{newModel("IntText")}
	w.must(w.Set(value))
	return w
}

// BoundedNumber is a field for the whole numbers from lo to hi.
func BoundedNumber(lo, hi int) *Int { return bounded("BoundedIntText", lo, hi) }

// Progress is a bar that is full at n.
func Progress(n int) *Int { return bounded("IntProgress", 0, n) }

// Play counts from lo to hi by itself, ten steps a second; SetTrait("interval", 500)
// makes a step take 500 milliseconds. [Link] it with a slider to see where it is.
func Play(lo, hi int) *Int { return bounded("Play", lo, hi) }

func bounded(name string, lo, hi int) *Int {
	w := &Int{newModel(name)}
	if lo > hi {
		w.fail(fmt.Errorf("widget: the %s from %d to %d has nothing in it; give the smaller number first", name, lo, hi))
		return w
	}
	w.state["min"], w.state["max"], w.state["value"] = lo, hi, lo
	return w
}

// Label sets what stands before the control.
func (w *Int) Label(text string) *Int { w.must(w.SetTrait("description", text)); return w }

// Step sets how far a move goes.
func (w *Int) Step(step int) *Int { w.must(w.SetTrait("step", step)); return w }

// Start sets the value with which the control begins.
func (w *Int) Start(value int) *Int { w.must(w.Set(value)); return w }

// Value is the number at present.
func (w *Int) Value() int { v, _ := w.Trait("value").(int); return v }

// Set changes the number, here and in the frontend.
func (w *Int) Set(value int) error {
	if err := w.within(float64(value)); err != nil {
		return err
	}
	return w.SetTrait("value", value)
}

// OnChange has f called with the new number after each change.
func (w *Int) OnChange(f func(value int)) *Int { w.on("value", func() { f(w.Value()) }); return w }

// Display shows the control.
func (w *Int) Display() (display.Bundle, error) {
	return w.view(w.text(fmt.Sprint(w.Value()), w.span()))
}

// Float is a control for a real number.
type Float struct{ *Model }

// FloatSlider goes over the numbers from lo to hi, in a hundred steps.
func FloatSlider(lo, hi float64) *Float {
	w := boundedFloat("FloatSlider", lo, hi)
	return w.Step((hi - lo) / 100)
}

// LogSlider goes from lo to hi, both above zero, by equal factors: LogSlider(1e-4, 1).
func LogSlider(lo, hi float64) *Float {
	w := &Float{newModel("FloatLogSlider")}
	if !(lo > 0 && hi >= lo) || math.IsInf(hi, 0) {
		w.fail(fmt.Errorf("widget: a LogSlider from %v to %v: give positive numbers, the smaller first", lo, hi))
		return w
	}
	w.state["min"], w.state["max"], w.state["value"] = math.Log10(lo), math.Log10(hi), lo
	return w
}

// FloatNumber is a field for any number.
func FloatNumber(value float64) *Float {
	w := &Float{newModel("FloatText")}
	w.must(w.Set(value))
	return w
}

// BoundedFloat is a field for the numbers from lo to hi.
func BoundedFloat(lo, hi float64) *Float { return boundedFloat("BoundedFloatText", lo, hi) }

// FloatProgress is a bar that is full at the number given.
func FloatProgress(full float64) *Float { return boundedFloat("FloatProgress", 0, full) }

func boundedFloat(name string, lo, hi float64) *Float {
	w := &Float{newModel(name)}
	if !(lo <= hi) || math.IsInf(lo, 0) || math.IsInf(hi, 0) {
		w.fail(fmt.Errorf("widget: the %s from %v to %v: give two finite numbers, the smaller first", name, lo, hi))
		return w
	}
	w.state["min"], w.state["max"], w.state["value"] = lo, hi, lo
	return w
}

// Label sets what stands before the control.
func (w *Float) Label(text string) *Float { w.must(w.SetTrait("description", text)); return w }

// Step sets how far a move goes; for a LogSlider, of the logarithm to base 10.
func (w *Float) Step(step float64) *Float { w.must(w.SetTrait("step", step)); return w }

// Start sets the value with which the control begins.
func (w *Float) Start(value float64) *Float { w.must(w.Set(value)); return w }

// Value is the number at present.
func (w *Float) Value() float64 { return number(w.Trait("value")) }

// Set changes the number, here and in the frontend.
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

// OnChange has f called with the new number after each change.
func (w *Float) OnChange(f func(value float64)) *Float {
	w.on("value", func() { f(w.Value()) })
	return w
}

// Display shows the control.
func (w *Float) Display() (display.Bundle, error) {
	return w.view(w.text(fmt.Sprintf("%.6g", w.Value()), w.span()))
}

// IntRange is a control for two whole numbers, the lower and the upper end of a range.
type IntRange struct{ *Model }

// RangeSlider picks a range within the whole numbers from lo to hi. It begins with all
// of it.
func RangeSlider(lo, hi int) *IntRange {
	w := &IntRange{bounded("IntRangeSlider", lo, hi).Model}
	w.state["value"] = []any{lo, hi}
	return w
}

// Label sets what stands before the control.
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

// Set changes the range, here and in the frontend.
func (w *IntRange) Set(lo, hi int) error {
	if err := w.withinRange(float64(lo), float64(hi)); err != nil {
		return err
	}
	return w.SetTrait("value", []any{lo, hi})
}

// OnChange has f called with the new ends after each change.
func (w *IntRange) OnChange(f func(lo, hi int)) *IntRange {
	w.on("value", func() { f(w.Value()) })
	return w
}

// Display shows the control.
func (w *IntRange) Display() (display.Bundle, error) {
	lo, hi := w.Value()
	return w.view(w.text(fmt.Sprintf("%d to %d", lo, hi), w.span()))
}

// FloatRange is a control for two numbers, the lower and the upper end of a range.
type FloatRange struct{ *Model }

// FloatRangeSlider picks a range within the numbers from lo to hi. It begins with all
// of it.
func FloatRangeSlider(lo, hi float64) *FloatRange {
	w := &FloatRange{boundedFloat("FloatRangeSlider", lo, hi).Model}
	w.state["value"], w.state["step"] = []any{lo, hi}, (hi-lo)/100
	return w
}

// Label sets what stands before the control.
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

// Set changes the range, here and in the frontend.
func (w *FloatRange) Set(lo, hi float64) error {
	if err := w.withinRange(lo, hi); err != nil {
		return err
	}
	return w.SetTrait("value", []any{lo, hi})
}

// OnChange has f called with the new ends after each change.
func (w *FloatRange) OnChange(f func(lo, hi float64)) *FloatRange {
	w.on("value", func() { f(w.Value()) })
	return w
}

// Display shows the control.
func (w *FloatRange) Display() (display.Bundle, error) {
	lo, hi := w.Value()
	return w.view(w.text(fmt.Sprintf("%.6g to %.6g", lo, hi), w.span()))
}

// number reads a number of a trait.
func number(v any) float64 {
	switch v := v.(type) {
	case int:
		return float64(v)
	case float64:
		return v
	}
	return 0
}

// within reports what is wrong with a value of a control that has a least and a largest
// one.
func (m *Model) within(v float64) error {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Errorf("widget: the %s cannot be set to %v; give a finite number", m.class.name, v)
	}
	lo, hi := m.Trait("min"), m.Trait("max")
	if lo == nil || hi == nil {
		return nil
	}
	const slack = 1e-9 // of logarithms
	if v < number(lo)-slack || v > number(hi)+slack {
		return fmt.Errorf("widget: %v is outside of the %s, which goes from %v to %v", v, m.class.name, lo, hi)
	}
	return nil
}

func (m *Model) withinRange(lo, hi float64) error {
	if lo > hi {
		return fmt.Errorf("widget: the range from %v to %v has nothing in it; give the smaller number first", lo, hi)
	}
	if err := m.within(lo); err != nil {
		return err
	}
	return m.within(hi)
}

// span says from where to where a control goes.
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

// text says what stands where there are no widgets: "k = 5 (IntSlider from 1 to 30)".
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
