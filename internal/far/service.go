package far

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"
)

// Offer is a name of this process with its value.
type Offer struct {
	Name    string
	Value   reflect.Value // invalid for nil
	Missing bool
	Uses    map[string]bool // nil if the text is not known
}

// Service answers calls of functions of this process by name until it is ended.
type Service struct {
	offers   map[string]Offer
	list     []Offer
	requests chan *incoming
	once     sync.Once
	ended    chan struct{}
}

// NewService returns a service for the names in offers.
func NewService(offers []Offer) *Service {
	s := &Service{offers: map[string]Offer{}, list: offers, requests: make(chan *incoming), ended: make(chan struct{})}
	for _, o := range offers {
		s.offers[o.Name] = o
	}
	return s
}

// Register offers a function by name, even if no service runs: the other process can call it during
// calls of this process.
func Register(name string, fn reflect.Value) {
	state.mu.Lock()
	defer state.mu.Unlock()
	if state.offered == nil {
		state.offered = map[string]reflect.Value{}
	}
	state.offered[name] = fn
}

func (s *Service) stop() { s.once.Do(func() { close(s.ended) }) }

// Run answers calls. It passes each call to care, which limits the time of the call and, if the
// call fails, returns the reason as a sentence without its subject. Run returns when care returns
// an error or stopped is closed.
func (s *Service) Run(stopped <-chan struct{}, care func(limit time.Duration, f func()) (failed string, err error)) error {
	state.mu.Lock()
	if state.service != nil {
		state.mu.Unlock()
		return fmt.Errorf("far: a service runs already")
	}
	state.service = s
	state.mu.Unlock()
	defer func() {
		s.stop()
		state.mu.Lock()
		state.service = nil
		state.mu.Unlock()
	}()
	if Send == nil {
		return errAlone
	}
	hello := Message{Kind: KindHello}
	for _, o := range s.list {
		hello.Names = append(hello.Names, o.describe())
	}
	body, err := json.Marshal(hello)
	if err != nil {
		return err
	}
	if _, err := Send(context.Background(), body); err != nil {
		return err
	}
	for {
		select {
		case in := <-s.requests:
			if err := s.answer(in, care); err != nil {
				return err
			}
		case <-s.ended:
			return nil
		case <-stopped:
			return context.Canceled
		}
	}
}

func (s *Service) answer(in *incoming, care func(limit time.Duration, f func()) (string, error)) error {
	limit := in.Limit
	if limit <= 0 || limit > time.Hour {
		limit = DefaultLimit
	}
	end := make(chan Reply, 1)
	failed, err := care(limit, func() { end <- execute(in.Message, s) })
	r := Reply{Failed: failed}
	if failed == "" && err == nil {
		select {
		case r = <-end:
		default:
			r.Failed = "does not return" // runtime.Goexit
		}
	}
	if err != nil {
		r.Failed = "is stopped"
	}
	in.reply <- r
	return err
}

// describe returns the description of a name for the other process.
func (o Offer) describe() Answer {
	a := Answer{Name: o.Name, Missing: o.Missing}
	if o.Missing || !o.Value.IsValid() {
		return a
	}
	v, t := o.Value, o.Value.Type()
	a.Text, a.Func = typeText(t), t.Kind() == reflect.Func && !v.IsNil()
	if convert[t] == nil {
		a.Type = Describe(t) // types of other values are known when they arrive
	}
	if a.Func {
		a.Out = t.NumOut()
		a.Err = a.Out > 0 && t.Out(a.Out-1) == errorType
	}
	a.NoText = o.Uses == nil
	for name := range o.Uses {
		a.Uses = append(a.Uses, name)
	}
	return a
}

// execute executes the request of a message. If the service has a care function, this function
// handles panics of the called code. Otherwise they become part of the reply.
func execute(m Message, s *Service) (r Reply) {
	var fn reflect.Value
	name := m.Name
	switch {
	case m.Kind == KindValue && s != nil:
		o := s.offers[name]
		b, err := Encode(o.Value, name)
		if err != nil {
			return Reply{Failed: err.Error()}
		}
		return Reply{Results: [][]byte{b}}
	case m.Kind != KindCall:
		return Reply{Failed: "is not answered"}
	case m.Handle != 0:
		state.mu.Lock()
		fn = state.handles[m.Handle]
		state.mu.Unlock()
		name = "the function"
	default:
		if s == nil {
			state.mu.Lock()
			s = state.service
			state.mu.Unlock()
		}
		if s != nil {
			fn = s.offers[name].Value
		}
		if !fn.IsValid() {
			state.mu.Lock()
			fn = state.offered[name]
			state.mu.Unlock()
		}
	}
	if fn.Kind() != reflect.Func || fn.IsNil() {
		return Reply{Failed: "is not defined: the cell that should define it is missing, was not run, or has an error"}
	}
	args, misfit := m.fit(name, fn.Type())
	if misfit != "" {
		return Reply{Misfit: misfit}
	}
	before := make([][]byte, len(args))
	for i, a := range args {
		if changeable(a.Kind()) {
			before[i], _ = Encode(a, "")
		}
	}
	state.mu.Lock()
	state.within = append(state.within, m.ID)
	state.mu.Unlock()
	defer func() {
		state.mu.Lock()
		for i := len(state.within) - 1; i >= 0; i-- { // not always the last one: calls may be abandoned
			if state.within[i] == m.ID {
				state.within = slices.Delete(state.within, i, i+1)
				break
			}
		}
		state.mu.Unlock()
		if m.To != 0 { // the call is within another call, which must not panic too
			if p := recover(); p != nil {
				r = Reply{Failed: clip(fmt.Sprintf("panics: %v", p))}
			}
		}
	}()
	for i, v := range fn.Call(args) {
		b, err := Encode(v, fmt.Sprintf("result %d of %s", i+1, name))
		if err != nil {
			return Reply{Failed: "returns what " + err.Error()}
		}
		r.Results = append(r.Results, b)
	}
	for i, b := range before {
		if b == nil {
			continue
		}
		if after, err := Encode(args[i], ""); err == nil && string(after) != string(b) {
			if r.After == nil {
				r.After = map[int][]byte{}
			}
			r.After[i] = after
		}
	}
	return r
}

// changeable reports whether a function can change what an argument refers to.
func changeable(k reflect.Kind) bool {
	switch k {
	case reflect.Slice, reflect.Map, reflect.Pointer, reflect.Struct, reflect.Array, reflect.Interface:
		return true
	}
	return false
}

// fit decodes the arguments of a call for the parameters of a function, or explains why they do not
// fit.
func (m Message) fit(name string, t reflect.Type) (args []reflect.Value, misfit string) {
	n := t.NumIn()
	fits := len(m.Args) == n || t.IsVariadic() && len(m.Args) >= n-1
	var cause error
	for i := 0; fits && i < len(m.Args); i++ {
		param := t.In(min(i, n-1))
		if t.IsVariadic() && i >= n-1 {
			param = param.Elem()
		}
		v, err := Fit(m.Args[i], param)
		if fits, cause = err == nil, err; fits {
			args = append(args, v)
		}
	}
	if fits {
		return args, ""
	}
	if cause == errType {
		return nil, fmt.Sprintf("argument %d of %s cannot be passed between the processes: %v", len(args)+1, name, cause)
	}
	have, want := make([]string, n), make([]string, len(m.Args))
	for i := range have {
		have[i] = typeText(t.In(i))
	}
	for i, b := range m.Args {
		want[i] = "nil"
		if d := DescribedType(b); d != "" {
			if known, err := Parse(d); err == nil && !strings.HasPrefix(d, `"`) {
				want[i] = typeText(known)
			} else {
				want[i] = readable(d)
			}
		}
	}
	return nil, fmt.Sprintf("%s takes (%s), but the task calls it with (%s)", name, strings.Join(have, ", "), strings.Join(want, ", "))
}

// readable shortens the description of a type that can't be written in Go here.
func readable(description string) string {
	description, _, _ = strings.Cut(description, "=")
	return strings.TrimPrefix(strings.ReplaceAll(description[strings.LastIndex(description, "/")+1:], `"`, ""), "main.")
}
