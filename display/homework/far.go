package homework

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/chart"
	"github.com/gokernel/gokernel/internal/far"
)

// drawn holds the titles and series of a chart in another process.
type drawn struct {
	Texts chart.Titles
	Marks []chart.Series
}

func (d *drawn) Titles() chart.Titles   { return d.Texts }
func (d *drawn) Series() []chart.Series { return d.Marks }

// drawing is the interface that checks use for charts of this process and of another one.
type drawing interface {
	Titles() chart.Titles
	Series() []chart.Series
}

func init() {
	far.Simplify(func(c *chart.Chart) any { return drawn{c.Titles(), c.Series()} })
}

// Far returns a stand-in for the function with the given name in the grader's other process; the
// stand-in has the type of typ. A call of the stand-in runs the function in the other process. The
// grading program inserts calls to Far into cells.
func Far(name string, typ any) any {
	return far.Func(name, reflect.TypeOf(typ)).Interface()
}

// FarValue returns a copy of the variable with the given name in the grader's other process. The
// result has the type of like, which is a pointer; if like is nil, the result can have any type.
// FarValue panics if the process has no such value. The grading program inserts calls to FarValue
// into cells.
func FarValue(name string, like any) any {
	r, err := far.Call(far.Message{Kind: far.KindValue, Name: name}, nil)
	switch {
	case err != nil:
		panic(&far.Failure{Text: name + ": " + err.Error()})
	case r.Failed != "":
		panic(&far.Failure{Text: r.Failed})
	case len(r.Results) != 1:
		panic(&far.Failure{Text: name + " has no value"})
	}
	var v reflect.Value
	if like == nil {
		if d, err := far.Decode(r.Results[0], reflect.TypeFor[drawn]()); err == nil {
			c := d.Interface().(drawn)
			return &c
		}
		v, err = far.Decode(r.Results[0], nil)
	} else {
		v, err = far.Decode(r.Results[0], reflect.TypeOf(like).Elem())
	}
	if err != nil {
		panic(&far.Failure{Text: name + " cannot be passed between the processes: " + err.Error()})
	}
	if like == nil {
		return v.Interface()
	}
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p.Interface()
}

// Service answers the calls of checks that run in another process.
type Service struct{ offers []Function }

// Serve returns a service for functions and other values. The cell language adds their names, and
// omits values that do not exist. The grading program inserts calls to Serve into cells.
func Serve(values ...any) *Service {
	s := &Service{}
	for _, v := range values {
		if f, ok := v.(Function); ok {
			s.offers = append(s.offers, f)
		}
	}
	return s
}

// Offer registers functions that the other process can call by name while it handles a call from
// this process. The grading program inserts calls to Offer into cells.
func Offer(values ...any) {
	for _, v := range values {
		if f, ok := v.(Function); ok && !f.missing {
			far.Register(f.name, reflect.ValueOf(f.value))
		}
	}
}

// Run answers calls until the grader ends it. See [Item].
func (s *Service) Run(in Session) error {
	var offers []far.Offer
	for _, f := range s.offers {
		o := far.Offer{Name: f.name, Value: reflect.ValueOf(f.value), Missing: f.missing}
		if !f.missing && o.Value.Kind() == reflect.Func {
			o.Uses = in.Uses(f.name)
		}
		offers = append(offers, o)
	}
	return far.NewService(offers).Run(in.Done(), in.Call)
}

func (s *Service) cards() []*card { return nil }

// Display shows that the service has ended.
func (s *Service) Display() (display.Bundle, error) {
	return display.Bundle{Data: map[string]any{display.MIMEText: "answered"}}, nil
}

// remote is a function of another process, as a check sees it.
type remote struct{ far.Answer }

// asked returns the function of another process if f is a stand-in for it, and nil otherwise.
func asked(f Function) (*remote, error) {
	if f.missing || !far.StandIn(f.name, f.value) {
		return nil, nil
	}
	r, err := far.Call(far.Message{Kind: far.KindDescribe, Name: f.name}, nil)
	if err != nil {
		return nil, err
	}
	if r.Answer == nil {
		return nil, errors.New(f.name + " " + r.Failed)
	}
	return &remote{*r.Answer}, nil
}

// uses returns the names and keywords in the text of the function, or nil if the text is not known.
func (r *remote) uses() map[string]bool {
	if r.NoText {
		return nil
	}
	used := map[string]bool{}
	for _, name := range r.Uses {
		used[name] = true
	}
	return used
}

// invokeRemote calls the function in the other process. It returns the results and the
// arguments that the call has changed, by their index.
func (t *Task) invokeRemote(in Session, c *call) (got []reflect.Value, after map[int]reflect.Value, problem string, err error) {
	m := far.Message{Kind: far.KindCall, Name: t.name, Limit: t.limit}
	for i, a := range c.args {
		b, err := far.Encode(reflect.ValueOf(a), fmt.Sprintf("argument %d of %s", i+1, t.name))
		if err != nil {
			return nil, nil, "", fmt.Errorf("check of %s: %w", t.name, err)
		}
		m.Args = append(m.Args, b)
	}
	r, err := far.Call(m, in.Done())
	switch {
	case err != nil:
		return nil, nil, "", fmt.Errorf("check of %s: %w", t.name, err)
	case r.Misfit != "":
		return nil, nil, r.Misfit, nil
	case r.Failed != "":
		return nil, nil, t.name + " " + r.Failed, nil
	}
	hints := t.hints(c)
	for i, b := range r.Results {
		v, err := reflect.Value{}, errors.New("")
		if i < len(hints) && hints[i] != nil {
			v, err = far.Decode(b, hints[i])
		}
		if err != nil {
			if v, err = far.Decode(b, nil); err != nil {
				return nil, nil, fmt.Sprintf("result %d of %s cannot be passed between the processes: %v", i+1, t.name, err), nil
			}
		}
		got = append(got, v)
	}
	after = map[int]reflect.Value{}
	for i, b := range r.After {
		if i < 0 || i >= len(c.args) {
			continue
		}
		v, err := far.Decode(b, reflect.TypeOf(c.args[i]))
		if err != nil {
			v, err = far.Decode(b, nil)
		}
		if err == nil {
			after[i] = v
		}
	}
	return got, after, "", nil
}

// hints returns the types that the results should have, as far as the check states them.
func (t *Task) hints(c *call) (types []reflect.Type) {
	switch {
	case c.like.IsValid():
		for i := range c.like.Type().NumOut() {
			types = append(types, c.like.Type().Out(i))
		}
	case c.is:
		for _, w := range c.want {
			types = append(types, reflect.TypeOf(w))
		}
	case len(c.that) > 0:
		for i := range c.that[0].ok.Type().NumIn() {
			types = append(types, c.that[0].ok.Type().In(i))
		}
	}
	return types
}
