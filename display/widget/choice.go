package widget

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gokernel/gokernel/display"
)

// Bool is a control that is on or off.
type Bool struct{ *Model }

// Checkbox returns a checkbox.
func Checkbox(on bool) *Bool { return newBool("Checkbox", on) }

// Toggle returns a button that stays pressed.
func Toggle(on bool) *Bool { return newBool("ToggleButton", on) }

// Valid returns a widget that shows a tick or a cross.
func Valid(on bool) *Bool { return newBool("Valid", on) }

func newBool(name string, on bool) *Bool {
	w := &Bool{newModel(name)}
	w.state["value"] = on
	return w
}

// Label sets the text next to the control.
func (w *Bool) Label(text string) *Bool { w.must(w.SetTrait("description", text)); return w }

// Value reports whether the control is on.
func (w *Bool) Value() bool { v, _ := w.Trait("value").(bool); return v }

// Set switches the control in the session and in the frontend.
func (w *Bool) Set(on bool) error { return w.SetTrait("value", on) }

// OnChange registers f, which is called after each change.
func (w *Bool) OnChange(f func(on bool)) *Bool { w.on("value", func() { f(w.Value()) }); return w }

// Display shows the control.
func (w *Bool) Display() (display.Bundle, error) {
	return w.view(w.text(fmt.Sprint(w.Value()), ""))
}

// String is a control that edits or shows text.
type String struct{ *Model }

// Text returns a field for one line of text.
func Text(value string) *String { return newString("Text", value) }

// Textarea returns a field for several lines of text.
func Textarea(value string) *String { return newString("Textarea", value) }

// Password returns a field that hides its text. A saved notebook contains the text in the clear.
func Password() *String { return newString("Password", "") }

// Combobox returns a text field with suggestions.
func Combobox(proposed ...string) *String {
	w := newString("Combobox", "")
	w.state["options"] = proposed
	return w
}

// Label returns a line of text. Formulas are written between dollar signs.
func Label(text string) *String { return newString("Label", text) }

// HTML returns a widget that shows HTML. The caller must escape markup in data.
func HTML(text string) *String { return newString("HTML", text) }

// HTMLMath returns a widget that shows HTML with formulas between dollar signs.
func HTMLMath(text string) *String { return newString("HTMLMath", text) }

// ColorPicker returns a control for a color in CSS notation: "#ff8800" or "teal".
func ColorPicker(color string) *String { return newString("ColorPicker", color) }

func newString(name, value string) *String {
	w := &String{newModel(name)}
	w.state["value"] = value
	return w
}

// Label sets the text before the control.
func (w *String) Label(text string) *String { w.must(w.SetTrait("description", text)); return w }

// Placeholder sets the text that an empty field shows.
func (w *String) Placeholder(text string) *String {
	w.must(w.SetTrait("placeholder", text))
	return w
}

// Value returns the current text.
func (w *String) Value() string { v, _ := w.Trait("value").(string); return v }

// Set changes the text in the session and in the frontend.
func (w *String) Set(text string) error { return w.SetTrait("value", text) }

// OnChange registers f, which is called with the new text after each change.
func (w *String) OnChange(f func(text string)) *String {
	w.on("value", func() { f(w.Value()) })
	return w
}

// Display shows the control.
func (w *String) Display() (display.Bundle, error) {
	value := w.Value()
	switch w.class.name {
	case "Password":
		value = "a password"
	case "HTML", "HTMLMath":
		value, _ = display.HTML(value).Data[display.MIMEText].(string)
	}
	return w.view(w.text(value, ""))
}

// Choice is a control that selects one of several options.
type Choice struct{ *Model }

// Dropdown returns a drop-down list. Its first option is selected.
func Dropdown(options ...string) *Choice { return newChoice("Dropdown", options) }

// Select returns a list that shows several options at once.
func Select(options ...string) *Choice { return newChoice("Select", options) }

// Radio returns a list with a radio button before each option.
func Radio(options ...string) *Choice { return newChoice("RadioButtons", options) }

// ToggleButtons returns a row of buttons, of which one is pressed.
func ToggleButtons(options ...string) *Choice { return newChoice("ToggleButtons", options) }

// SelectionSlider returns a slider over the options.
func SelectionSlider(options ...string) *Choice { return newChoice("SelectionSlider", options) }

func newChoice(name string, options []string) *Choice {
	w := &Choice{newModel(name)}
	if len(options) == 0 {
		w.fail(fmt.Errorf("widget: a %s must have at least one option", name))
	}
	w.state["_options_labels"], w.state["index"] = texts(options), 0
	return w
}

// texts converts a list of strings to the value of a trait.
func texts(s []string) []any {
	out := make([]any, len(s))
	for i, x := range s {
		out[i] = x
	}
	return out
}

// Options returns the options of the control.
func (m *Model) Options() []string {
	name := "_options_labels"
	if _, ok := m.class.traits["options"]; ok {
		name = "options"
	}
	v, _ := m.Trait(name).([]any)
	out := make([]string, len(v))
	for i, x := range v {
		out[i], _ = x.(string)
	}
	return out
}

// Label sets the text before the control.
func (w *Choice) Label(text string) *Choice { w.must(w.SetTrait("description", text)); return w }

// Start sets the initially selected option.
func (w *Choice) Start(text string) *Choice { w.must(w.Set(text)); return w }

// Index returns the position of the selected option, or -1 if none is selected.
func (w *Choice) Index() int {
	if i, ok := w.Trait("index").(int); ok && i < len(w.Options()) {
		return i
	}
	return -1
}

// Value returns the selected option, or "" if none is selected.
func (w *Choice) Value() string {
	if i := w.Index(); i >= 0 {
		return w.Options()[i]
	}
	return ""
}

// Set selects an option in the session and in the frontend.
func (w *Choice) Set(text string) error {
	i := slices.Index(w.Options(), text)
	if i < 0 {
		return fmt.Errorf("widget: the option must be one of %[2]s, got %[1]q", text, strings.Join(w.Options(), ", "))
	}
	return w.SetTrait("index", i)
}

// OnChange registers f, which is called with the selected option after each change.
func (w *Choice) OnChange(f func(text string)) *Choice {
	w.on("index", func() { f(w.Value()) })
	return w
}

// Display shows the control.
func (w *Choice) Display() (display.Bundle, error) {
	return w.view(w.text(w.Value(), "of "+strings.Join(w.Options(), ", ")))
}

// Choices is a control that selects any number of options, or a range of adjacent options.
type Choices struct{ *Model }

// SelectMultiple returns a list in which several options can be selected.
func SelectMultiple(options ...string) *Choices {
	w := &Choices{newChoice("SelectMultiple", options).Model}
	w.state["index"] = []any{}
	return w
}

// SelectionRange returns a slider with two handles; the options between them are selected. At
// first all options are selected.
func SelectionRange(options ...string) *Choices {
	w := &Choices{newChoice("SelectionRangeSlider", options).Model}
	w.state["index"] = []any{0, max(len(options)-1, 0)}
	return w
}

// Label sets the text before the control.
func (w *Choices) Label(text string) *Choices { w.must(w.SetTrait("description", text)); return w }

// Indices returns the positions of the selected options.
func (w *Choices) Indices() []int {
	v, _ := w.Trait("index").([]any)
	if w.class.name == "SelectionRangeSlider" && len(v) == 2 {
		var all []int
		for i := int(number(v[0])); i <= int(number(v[1])); i++ {
			all = append(all, i)
		}
		return all
	}
	out := make([]int, len(v))
	for i, x := range v {
		out[i] = int(number(x))
	}
	return out
}

// Value returns the selected options.
func (w *Choices) Value() []string {
	options, out := w.Options(), []string{}
	for _, i := range w.Indices() {
		if i >= 0 && i < len(options) {
			out = append(out, options[i])
		}
	}
	return out
}

// Set selects options in the session and in the frontend. For a SelectionRange, pass the first and
// the last option.
func (w *Choices) Set(chosen ...string) error {
	index := []any{}
	for _, text := range chosen {
		i := slices.Index(w.Options(), text)
		if i < 0 {
			return fmt.Errorf("widget: the option must be one of %[2]s, got %[1]q", text, strings.Join(w.Options(), ", "))
		}
		index = append(index, i)
	}
	if w.class.name == "SelectionRangeSlider" && (len(index) != 2 || number(index[0]) > number(index[1])) {
		return fmt.Errorf("widget: SelectionRange.Set: pass two options, the earlier one first")
	}
	return w.SetTrait("index", index)
}

// OnChange registers f, which is called with the selected options after each change.
func (w *Choices) OnChange(f func(chosen []string)) *Choices {
	w.on("index", func() { f(w.Value()) })
	return w
}

// Display shows the control.
func (w *Choices) Display() (display.Bundle, error) {
	return w.view(w.text("["+strings.Join(w.Value(), ", ")+"]", "of "+strings.Join(w.Options(), ", ")))
}

// Tags is a control for a list of strings that the user writes.
type Tags struct{ *Model }

// TagsInput returns a control for a list of any strings.
func TagsInput(tags ...string) *Tags { return newTags("TagsInput", tags) }

// ColorsInput returns a control for a list of colors.
func ColorsInput(colors ...string) *Tags { return newTags("ColorsInput", colors) }

func newTags(name string, tags []string) *Tags {
	w := &Tags{newModel(name)}
	w.state["value"], w.state["allowed_tags"] = texts(tags), []any{} // the frontend's default is null, with which it fails
	return w
}

// Label sets the text before the control.
func (w *Tags) Label(text string) *Tags { w.must(w.SetTrait("description", text)); return w }

// Value returns the strings.
func (w *Tags) Value() []string {
	v, _ := w.Trait("value").([]any)
	out := make([]string, len(v))
	for i, x := range v {
		out[i], _ = x.(string)
	}
	return out
}

// Set changes the strings in the session and in the frontend.
func (w *Tags) Set(tags ...string) error { return w.SetTrait("value", texts(tags)) }

// OnChange registers f, which is called with the strings after each change.
func (w *Tags) OnChange(f func(tags []string)) *Tags {
	w.on("value", func() { f(w.Value()) })
	return w
}

// Display shows the control.
func (w *Tags) Display() (display.Bundle, error) {
	return w.view(w.text("["+strings.Join(w.Value(), ", ")+"]", ""))
}

// Date is a control for a day, a time of day, or both.
type Date struct{ *Model }

// DatePicker returns a control for a day.
func DatePicker(day time.Time) *Date { return newDate("DatePicker", day) }

// DatetimePicker returns a control for a date and a time of day.
func DatetimePicker(moment time.Time) *Date { return newDate("Datetime", moment) }

// TimePicker returns a control for a time of day.
func TimePicker(clock time.Time) *Date { return newDate("Time", clock) }

func newDate(name string, t time.Time) *Date {
	w := &Date{newModel(name)}
	w.must(w.Set(t))
	return w
}

// Label sets the text before the control.
func (w *Date) Label(text string) *Date { w.must(w.SetTrait("description", text)); return w }

// Value returns the day at 0:00 UTC, the date and time in UTC, or the time of day on January 1 of
// year 0. It returns the zero time if nothing is selected.
func (w *Date) Value() time.Time {
	v, ok := w.Trait("value").(map[string]any)
	if !ok {
		return time.Time{}
	}
	at := func(k string) int { return int(number(v[k])) }
	return time.Date(at("year"), time.Month(at("month")+1), max(at("date"), 1), at("hours"), at("minutes"), at("seconds"), at("milliseconds")*1e6, time.UTC)
}

// Set selects a time in the session and in the frontend. The zero time clears the selection.
func (w *Date) Set(t time.Time) error {
	if t.IsZero() {
		return w.SetTrait("value", nil)
	}
	if w.class.name == "Datetime" {
		t = t.UTC()
	}
	value := map[string]any{}
	if w.class.name != "Time" {
		value["year"], value["month"], value["date"] = t.Year(), int(t.Month())-1, t.Day()
	}
	if w.class.name != "DatePicker" {
		value["hours"], value["minutes"], value["seconds"], value["milliseconds"] = t.Hour(), t.Minute(), t.Second(), t.Nanosecond()/1e6
	}
	return w.SetTrait("value", value)
}

// OnChange registers f, which is called with the new time after each change.
func (w *Date) OnChange(f func(t time.Time)) *Date {
	w.on("value", func() { f(w.Value()) })
	return w
}

// Display shows the control.
func (w *Date) Display() (display.Bundle, error) {
	layout := map[string]string{"Time": "15:04:05", "Datetime": time.RFC3339}[w.class.name]
	if layout == "" {
		layout = time.DateOnly
	}
	value := "no date"
	if t := w.Value(); !t.IsZero() {
		value = t.Format(layout)
	}
	return w.view(w.text(value, ""))
}
