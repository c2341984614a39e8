package widget

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"strings"
	"time"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/figure"
)

// Interactive is a function with a control for each of its parameters. Its result is shown below
// the controls.
type Interactive struct {
	*Model // the box that contains everything
	f      reflect.Value
	params []param
	out    *Area
	calls  int            // that have returned a result
	frame  display.Bundle // the last result, for frontends without widgets
	err    error
}

// param is one parameter of the function.
type param struct {
	name    string
	control Widget
	value   func() (reflect.Value, error)
}

// span describes a slider with equal steps or equal factors.
type span struct {
	lo, hi, step float64
	factors      bool
}

// spanOf returns the ends and the step of the slider for a slice of numbers, such as Range(1,
// 30), Linspace(0, 1, 11) or Logspace(1e-4, 1, 9). It returns false if the numbers are not
// equally spaced.
func spanOf(x []float64) (span, bool) {
	n := len(x)
	if n < 2 || !(x[0] < x[n-1]) {
		return span{}, false
	}
	equal := func(y func(float64) float64) bool {
		step := (y(x[n-1]) - y(x[0])) / float64(n-1)
		for i := 1; i < n; i++ {
			if !(math.Abs(y(x[i])-y(x[i-1])-step) <= 1e-9*step) {
				return false
			}
		}
		return true
	}
	if equal(func(v float64) float64 { return v }) {
		return span{lo: x[0], hi: x[n-1], step: (x[n-1] - x[0]) / float64(n-1)}, true
	}
	if x[0] > 0 && equal(math.Log10) {
		return span{lo: x[0], hi: x[n-1], step: (math.Log10(x[n-1]) - math.Log10(x[0])) / float64(n-1), factors: true}, true
	}
	return span{}, false
}

// Values is the result of [Options].
type Values struct {
	values []any
	labels []string
	start  int
}

// Options lets the user choose a parameter of [Interact] from the values, which can have any type.
// The list shows them as a cell does.
func Options(values ...any) Values {
	v := Values{values: values}
	for _, x := range values {
		label, ok := x.(string)
		if !ok {
			label = display.Format(x)
		}
		v.labels = append(v.labels, label)
	}
	return v
}

// Names sets the labels of the values in the list.
func (v Values) Names(labels ...string) Values { v.labels = labels; return v }

// Start sets the initial value by its position, counted from 0.
func (v Values) Start(i int) Values { v.start = i; return v }

// ParameterNames are the names of the parameters. A cell passes them to [Interact] automatically.
type ParameterNames []string

// Interact creates controls for the parameters of f, calls f with their values and shows its
// result. It calls f again after each change:
//
//	Interact(func(k int, metric string) any {
//		return Regions(fit(k, metric), data)
//	}, Range(1, 30), Options("euclidean", "manhattan"))
//
// Each argument after f describes a parameter. Equally spaced numbers, from Range, Linspace or
// Logspace, make a slider; [Options] and other slices make a list. A single value makes a field or
// a checkbox with this initial value. You can also pass a control, such as widget.Slider(1,
// 30).Start(5). A parameter without an argument gets a field that suits its type.
//
// The area below the controls also shows what f prints, and the error that f returns or panics
// with; such an error does not fail the cell. Only an error of the first call, which Interact
// makes immediately, fails the cell.
//
// While the user moves a control, intermediate values are skipped: when a call of f ends, f is
// called again with the latest value.
func Interact(f any, controls ...any) *Interactive {
	i := &Interactive{Model: newModel("VBox"), out: Output(), f: reflect.ValueOf(f)}
	i.state["_dom_classes"] = []any{"widget-interact"}
	if err := i.build(controls); err != nil {
		i.err = fmt.Errorf("Interact: %w", err)
		return i
	}
	var children []Widget
	h := &handler{model: i.Model, area: i.out, f: func(any) error { return i.show() }}
	for _, p := range i.params {
		children = append(children, p.control)
		m := p.control.model()
		m.handlers[m.valueTrait()] = append(m.handlers[m.valueTrait()], h)
	}
	i.state["children"] = append(children, i.out)
	i.out.during(func() { i.err = i.show() })
	return i
}

// build makes the controls.
func (i *Interactive) build(specs []any) error {
	if !i.f.IsValid() || i.f.Kind() != reflect.Func || i.f.IsNil() {
		return fmt.Errorf("the first argument must be a function, got a %v", typeName(i.f))
	}
	t := i.f.Type()
	if t.IsVariadic() {
		return fmt.Errorf("the function must have a fixed number of parameters, got %v", t)
	}
	if n := t.NumOut(); n > 2 || n == 2 && t.Out(1) != errorType {
		return fmt.Errorf("the function must return nothing, a value, or a value and an error, got %v", t)
	}
	var names ParameterNames
	if len(specs) > 0 {
		if n, ok := specs[0].(ParameterNames); ok {
			names, specs = n, specs[1:]
		}
	}
	if len(specs) > t.NumIn() {
		return fmt.Errorf("got %d controls for %d parameters", len(specs), t.NumIn())
	}
	for k := range t.NumIn() {
		name := fmt.Sprintf("parameter %d", k+1)
		if k < len(names) && names[k] != "" && names[k] != "_" {
			name = names[k]
		}
		var spec any
		if k < len(specs) {
			spec = specs[k]
		}
		p, err := control(name, t.In(k), spec)
		if err != nil {
			return fmt.Errorf("%s (%v): %w", name, t.In(k), err)
		}
		i.params = append(i.params, p)
	}
	return nil
}

var errorType = reflect.TypeFor[error]()

func typeName(v reflect.Value) string {
	if !v.IsValid() {
		return "nil"
	}
	return v.Type().String()
}

// control returns the control of one parameter.
func control(name string, t reflect.Type, spec any) (param, error) {
	switch s := spec.(type) {
	case nil:
		return field(name, t, reflect.Zero(t))
	case Values:
		return list(name, t, s)
	case Widget:
		return given(name, t, s)
	}
	v := reflect.ValueOf(spec)
	if v.Kind() == reflect.Slice && t.Kind() != reflect.Slice {
		return several(name, t, v)
	}
	if !v.CanConvert(t) || v.Kind() != t.Kind() && t.Kind() == reflect.String || v.Kind() == reflect.Float64 && t.Kind() == reflect.Int && v.Float() != float64(int(v.Float())) {
		return param{}, fmt.Errorf("the initial value must have the type of the parameter, got %v, a %T", spec, spec)
	}
	return field(name, t, v.Convert(t))
}

// field returns a control that suits a type.
func field(name string, t reflect.Type, start reflect.Value) (param, error) {
	if day, ok := start.Interface().(time.Time); ok {
		w := DatePicker(day).Label(name)
		return param{name, w, func() (reflect.Value, error) { return reflect.ValueOf(w.Value()).Convert(t), nil }}, nil
	}
	switch {
	case t.Kind() == reflect.Bool:
		w := Checkbox(start.Bool()).Label(name)
		return converted(name, t, w, func() any { return w.Value() }), nil
	case t.Kind() == reflect.String:
		w := Text(start.String()).Label(name)
		return converted(name, t, w, func() any { return w.Value() }), nil
	case start.CanInt():
		w := Number(int(start.Int())).Label(name)
		return converted(name, t, w, func() any { return w.Value() }), nil
	case start.CanUint():
		w := BoundedNumber(0, 1<<31-1).Label(name).Start(int(start.Uint()))
		return converted(name, t, w, func() any { return w.Value() }), nil
	case start.CanFloat():
		w := FloatNumber(start.Float()).Label(name)
		return converted(name, t, w, func() any { return w.Value() }), nil
	}
	return param{}, fmt.Errorf("no control has values of this type: pass Options(...)")
}

// converted returns a parameter whose control has values of a different type of the same kind.
func converted(name string, t reflect.Type, w Widget, value func() any) param {
	return param{name, w, func() (reflect.Value, error) { return reflect.ValueOf(value()).Convert(t), nil }}
}

// several returns the control for a slice of values: a slider for equally spaced numbers,
// otherwise a list.
func several(name string, t reflect.Type, v reflect.Value) (param, error) {
	numbers := make([]float64, v.Len())
	all := Values{}
	for i := range numbers {
		e := v.Index(i)
		switch {
		case e.CanInt():
			numbers[i] = float64(e.Int())
		case e.CanFloat():
			numbers[i] = e.Float()
		}
		all.values = append(all.values, e.Interface())
	}
	zero := reflect.Zero(t)
	if s, ok := spanOf(numbers); ok {
		switch {
		case s.factors && zero.CanFloat():
			w := LogSlider(s.lo, s.hi).Label(name).Step(s.step)
			return converted(name, t, w, func() any { return w.Value() }), nil
		case s.factors:
		case zero.CanFloat() && v.Type().Elem().Kind() == reflect.Int:
			w := FloatSlider(s.lo, s.hi).Label(name)
			return converted(name, t, w, func() any { return w.Value() }), nil
		case zero.CanFloat():
			w := FloatSlider(s.lo, s.hi).Label(name).Step(s.step)
			return converted(name, t, w, func() any { return w.Value() }), nil
		case (zero.CanInt() || zero.CanUint() && s.lo >= 0) && s.lo == math.Trunc(s.lo) && s.step == math.Trunc(s.step):
			w := Slider(int(s.lo), int(s.hi)).Label(name).Step(int(s.step))
			return converted(name, t, w, func() any { return w.Value() }), nil
		}
	}
	return list(name, t, Options(all.values...))
}

// list returns the control for Options.
func list(name string, t reflect.Type, s Values) (param, error) {
	if len(s.values) == 0 || len(s.labels) != len(s.values) || s.start < 0 || s.start >= len(s.values) {
		return param{}, fmt.Errorf("each option must have a name, and Start must be one of them, got %d options, %d names and start %d",
			len(s.values), len(s.labels), s.start)
	}
	values := make([]reflect.Value, len(s.values))
	for i, x := range s.values {
		v := reflect.ValueOf(x)
		switch {
		case x == nil:
			v = reflect.Zero(t)
		case v.Type().AssignableTo(t):
		case v.CanConvert(t) && (v.Kind() == t.Kind() || v.CanInt() && reflect.Zero(t).CanFloat()):
			v = v.Convert(t)
		default:
			return param{}, fmt.Errorf("option %d is %v, a %T", i, s.labels[i], x)
		}
		values[i] = v
	}
	w := Dropdown(s.labels...).Label(name)
	w.state["index"] = s.start
	return param{name, w, func() (reflect.Value, error) {
		if i := w.Index(); i >= 0 {
			return values[i], nil
		}
		return reflect.Value{}, fmt.Errorf("no value is selected for %s", name)
	}}, nil
}

// given uses a control that the cell has made.
func given(name string, t reflect.Type, w Widget) (param, error) {
	m := w.model()
	if text, ok := m.Trait("description").(string); ok && text == "" {
		m.must(m.SetTrait("description", name))
	}
	m.hub.mu.Lock()
	err := m.err
	m.hub.mu.Unlock()
	if err != nil {
		return param{}, err
	}
	var value func() any
	switch w := w.(type) {
	case *Int:
		value = func() any { return w.Value() }
	case *Float:
		value = func() any { return w.Value() }
	case *Bool:
		value = func() any { return w.Value() }
	case *String:
		value = func() any { return w.Value() }
	case *Choice:
		value = func() any { return w.Value() }
	case *Choices:
		value = func() any { return w.Value() }
	case *Tags:
		value = func() any { return w.Value() }
	case *Date:
		value = func() any { return w.Value() }
	case *Files:
		value = func() any { return w.Value() }
	default:
		return param{}, fmt.Errorf("a %s has no value", m.class.name)
	}
	if v := reflect.ValueOf(value()); !v.CanConvert(t) || t.Kind() == reflect.String && v.Kind() != reflect.String {
		return param{}, fmt.Errorf("the value of the %s is a %v", m.class.name, v.Type())
	}
	return converted(name, t, w, value), nil
}

// Manual adds a button to the controls. The function is called again only when the user clicks
// it.
func (i *Interactive) Manual() *Interactive {
	if i.err != nil {
		return i
	}
	for _, p := range i.params {
		m := p.control.model()
		m.handlers[m.valueTrait()] = nil
	}
	run := Button("Run")
	run.onCustom(func(any) error { return i.show() }).area = i.out
	children, _ := i.state["children"].([]Widget)
	i.state["children"] = append(children[:len(children)-1:len(children)-1], run, i.out)
	return i
}

// show calls the function and shows its result.
func (i *Interactive) show() error {
	args := make([]reflect.Value, len(i.params))
	for k, p := range i.params {
		v, err := p.value()
		if err != nil {
			return err
		}
		args[k] = v
	}
	results := i.f.Call(args)
	i.frame = display.Bundle{}
	if n := len(results); n > 0 && i.f.Type().Out(n-1) == errorType {
		if err, _ := results[n-1].Interface().(error); err != nil {
			return err
		}
		results = results[:n-1]
	}
	if len(results) == 0 {
		return nil
	}
	v := results[0].Interface()
	if v == nil {
		return nil
	}
	b, err := i.render(v)
	if err != nil {
		return err
	}
	i.frame = b
	return i.out.add(bundleOutput(b))
}

// render converts a result to a bundle. The first result may be saved and printed. Figures that
// follow while the user moves a control are drawn for the screen only, which is faster.
func (i *Interactive) render(v any) (display.Bundle, error) {
	i.calls++
	d, ok := v.(interface {
		Figure() (*figure.Figure, error)
	})
	if !ok || i.calls == 1 {
		return display.Of(v)
	}
	f, err := d.Figure()
	if err != nil {
		return display.Bundle{}, err
	}
	return f.Vector()
}

// Display shows the controls and the area. A frontend that does not support widgets shows the
// values of the controls and the last result of the function instead.
func (i *Interactive) Display() (display.Bundle, error) {
	if i.err != nil {
		return display.Bundle{}, i.err
	}
	var lines []string
	for _, p := range i.params {
		b, err := p.control.Display()
		if err != nil {
			return display.Bundle{}, err
		}
		text, _ := b.Data[display.MIMEText].(string)
		lines = append(lines, text)
	}
	i.out.drawing.Lock()
	for _, o := range i.out.outputs {
		if o, ok := o.(map[string]any); ok && o["output_type"] == "stream" {
			text, _ := o["text"].(string)
			lines = append(lines, strings.TrimSuffix(text, "\n"))
		}
	}
	i.out.drawing.Unlock()
	if text, ok := i.frame.Data[display.MIMEText].(string); ok {
		lines = append(lines, text)
	}
	b, err := i.view(strings.Join(lines, "\n"))
	if err != nil {
		return b, err
	}
	data := maps.Clone(i.frame.Data)
	if data == nil {
		data = map[string]any{}
	}
	delete(data, display.MIMEVegaLite) // the widget provides the interaction here
	if b.Data[MIMEView] != nil {
		text, _ := b.Data[display.MIMEText].(string)
		if rich(i.frame.Data) {
			text = strings.Join(lines[:len(i.params)], "\n")
		}
		b.Data[display.MIMEHTML] = withoutWidgets(text, i.frame.Data)
	}
	maps.Copy(data, b.Data)
	return display.Bundle{Data: data, Metadata: i.frame.Metadata}, nil
}
