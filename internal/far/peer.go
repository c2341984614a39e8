package far

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"time"
	"unsafe"
)

// The kinds of messages.
const (
	KindCall     = "call"     // a function, by name or by handle
	KindValue    = "value"    // the value of a variable, by name
	KindDescribe = "describe" // a name; the grader replies
	KindHello    = "hello"    // a service has started; sent to the grader
	KindEnd      = "end"      // end the service; sent by the grader
)

// Message is a request from one process to the other. The grader between them forwards it.
type Message struct {
	Kind   string
	ID     uint64        `json:",omitempty"` // number of the sender's call
	To     uint64        `json:",omitempty"` // the receiver's call within which this one is made; 0 for none
	Name   string        `json:",omitempty"`
	Handle uint64        `json:",omitempty"` // instead of a name
	Args   [][]byte      `json:",omitempty"`
	Limit  time.Duration `json:",omitempty"`
	Names  []Answer      `json:",omitempty"` // names in a hello
}

// Answer describes a name of a service.
type Answer struct {
	Name    string
	Missing bool     `json:",omitempty"`
	Type    string   `json:",omitempty"` // type in the form of Describe
	Text    string   `json:",omitempty"` // text for people
	Func    bool     `json:",omitempty"`
	Out     int      `json:",omitempty"` // number of results of a function
	Err     bool     `json:",omitempty"` // whether the last result is an error
	Uses    []string `json:",omitempty"` // names and keywords in the text
	NoText  bool     `json:",omitempty"` // whether the text is not known
}

// Reply is the reply to a message.
type Reply struct {
	Results [][]byte `json:",omitempty"`
	// After contains the arguments that the call has changed, after the call.
	After   map[int][]byte `json:",omitempty"`
	Failed  string         `json:",omitempty"` // the error, as a sentence without its subject
	Misfit  string         `json:",omitempty"` // the arguments do not fit the parameters; a whole sentence
	Nowhere bool           `json:",omitempty"` // whether no code in the process answers calls
	Answer  *Answer        `json:",omitempty"` // the answer to a describe
}

// Send sends a message to the grader and waits for the reply. The evaluator process sets it. If it
// is nil, there is no other process.
var Send func(ctx context.Context, message []byte) ([]byte, error)

// errAlone is the error of calls if there is no other process.
var errAlone = errors.New("far: there is no other process")

// DefaultLimit is the time limit of a call without an explicit limit.
const DefaultLimit = 10 * time.Second

// incoming is a message that waits to be executed.
type incoming struct {
	Message
	reply chan Reply
}

// waiter is a call of this process that has no reply yet. The waiting goroutine executes the
// requests that the other process makes within the call.
type waiter struct {
	requests chan *incoming
	gone     chan struct{} // closed when the call no longer waits
}

var state struct {
	mu       sync.Mutex
	last     uint64
	waiters  map[uint64]*waiter
	within   []uint64 // the other side's calls in execution
	service  *Service
	offered  map[string]reflect.Value // functions added by Register
	handles  map[uint64]reflect.Value // functions that the other process may call
	known    map[unsafe.Pointer]uint64
	standIns map[unsafe.Pointer]standIn
	deadline time.Time // deadline of the current call
}

// standIn is a local function that calls a function of the other process.
type standIn struct {
	fn     reflect.Value // keeps the pointer's memory alive
	handle uint64
	name   string
}

// identity returns a pointer that identifies a function value: two function values have the same
// pointer if and only if they are the same.
func identity(v reflect.Value) unsafe.Pointer {
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return *(*unsafe.Pointer)(p.UnsafePointer())
}

func standInFor(id unsafe.Pointer) (handle uint64, ok bool) {
	state.mu.Lock()
	defer state.mu.Unlock()
	s, ok := state.standIns[id]
	return s.handle, ok && s.name == ""
}

// StandIn reports whether a function is the stand-in with that name.
func StandIn(name string, v any) bool {
	r := reflect.ValueOf(v)
	if r.Kind() != reflect.Func || r.IsNil() {
		return false
	}
	id := identity(r)
	state.mu.Lock()
	defer state.mu.Unlock()
	s, ok := state.standIns[id]
	return ok && s.name == name
}

// handle returns a handle with which the other process can call the function.
func handle(v reflect.Value, id unsafe.Pointer) uint64 {
	state.mu.Lock()
	defer state.mu.Unlock()
	if h, ok := state.known[id]; ok {
		return h
	}
	if state.handles == nil {
		state.handles, state.known = map[uint64]reflect.Value{}, map[unsafe.Pointer]uint64{}
	}
	h := uint64(len(state.handles) + 1)
	state.handles[h], state.known[id] = v, h
	return h
}

// setFunction sets v to the function of a handle: a function of this process, or a stand-in.
func setFunction(v reflect.Value, tag byte, h uint64) error {
	if tag == tagBack {
		state.mu.Lock()
		own, ok := state.handles[h]
		state.mu.Unlock()
		if !ok {
			return errMalformed
		}
		if !own.Type().ConvertibleTo(v.Type()) {
			return &mismatch{typeText(own.Type()), typeText(v.Type())}
		}
		v.Set(own.Convert(v.Type()))
		return nil
	}
	v.Set(newStandIn(v.Type(), Message{Kind: KindCall, Handle: h}, "a function of the other process"))
	return nil
}

// Func returns a stand-in for a function of the other process, by name.
func Func(name string, t reflect.Type) reflect.Value {
	return newStandIn(t, Message{Kind: KindCall, Name: name}, name)
}

func newStandIn(t reflect.Type, m Message, subject string) reflect.Value {
	fn := reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		return callThrough(t, m, subject, args)
	})
	id := identity(fn)
	state.mu.Lock()
	defer state.mu.Unlock()
	if state.standIns == nil {
		state.standIns = map[unsafe.Pointer]standIn{}
	}
	state.standIns[id] = standIn{fn, m.Handle, m.Name}
	return fn
}

// Failure is the value with which a stand-in panics if the function in the other process fails.
type Failure struct{ Text string }

func (f *Failure) Error() string { return f.Text }

// callThrough makes the call of a stand-in.
func callThrough(t reflect.Type, m Message, subject string, args []reflect.Value) []reflect.Value {
	fail := func(format string, a ...any) { panic(&Failure{fmt.Sprintf(format, a...)}) }
	if t.IsVariadic() {
		last := args[len(args)-1]
		args = args[: len(args)-1 : len(args)-1]
		for i := range last.Len() {
			args = append(args, last.Index(i))
		}
	}
	for i, a := range args {
		b, err := Encode(a, fmt.Sprintf("argument %d of %s", i+1, subject))
		if err != nil {
			fail("%v", err)
		}
		m.Args = append(m.Args, b)
	}
	m.Limit = remaining()
	r, err := Call(m, nil) // the engine abandons it when it is stopped
	switch {
	case err != nil:
		fail("%s cannot be called: %v", subject, err)
	case r.Misfit != "":
		fail("%s", r.Misfit)
	case r.Failed != "":
		fail("%s %s", subject, r.Failed)
	case len(r.Results) != t.NumOut():
		fail("%s returns %d values, and the call wants %d", subject, len(r.Results), t.NumOut())
	}
	out := make([]reflect.Value, t.NumOut())
	for i, b := range r.Results {
		if out[i], err = Fit(b, t.Out(i)); err != nil {
			fail("%s: result %d: %v", subject, i+1, err)
		}
	}
	for i, b := range r.After {
		if i >= 0 && i < len(args) {
			if after, err := Decode(b, args[i].Type()); err == nil {
				writeBack(args[i], after)
			}
		}
	}
	return out
}

// writeBack copies the changed value of an argument to the caller's memory.
func writeBack(to, from reflect.Value) {
	switch to.Kind() {
	case reflect.Slice:
		if to.Len() == from.Len() {
			reflect.Copy(to, from)
		}
	case reflect.Map:
		if !to.IsNil() && !from.IsNil() {
			to.Clear()
			for it := from.MapRange(); it.Next(); {
				to.SetMapIndex(it.Key(), it.Value())
			}
		}
	case reflect.Pointer:
		if !to.IsNil() && !from.IsNil() {
			to.Elem().Set(from.Elem())
		}
	}
}

// Within sets the deadline for calls of stand-ins, and returns a function that restores the earlier
// deadline.
func Within(limit time.Duration) (done func()) {
	state.mu.Lock()
	defer state.mu.Unlock()
	before := state.deadline
	state.deadline = time.Now().Add(limit)
	return func() {
		state.mu.Lock()
		defer state.mu.Unlock()
		state.deadline = before
	}
}

// remaining returns the time limit of a call. It is slightly shorter than the time limit of the
// caller, so that the caller can still report why the call failed.
func remaining() time.Duration {
	state.mu.Lock()
	defer state.mu.Unlock()
	if state.deadline.IsZero() {
		return DefaultLimit
	}
	return max(time.Until(state.deadline)*9/10, 10*time.Millisecond)
}

// Call makes a call to the other process, and executes the requests of that process while it waits.
// It returns early when stopped is closed; stopped may be nil.
func Call(m Message, stopped <-chan struct{}) (Reply, error) {
	if Send == nil {
		return Reply{}, errAlone
	}
	w := &waiter{requests: make(chan *incoming), gone: make(chan struct{})}
	state.mu.Lock()
	state.last++
	m.ID = state.last
	if n := len(state.within); n > 0 {
		m.To = state.within[n-1]
	}
	if state.waiters == nil {
		state.waiters = map[uint64]*waiter{}
	}
	state.waiters[m.ID] = w
	state.mu.Unlock()
	defer func() {
		state.mu.Lock()
		delete(state.waiters, m.ID)
		state.mu.Unlock()
		close(w.gone)
	}()
	body, err := json.Marshal(m)
	if err != nil {
		return Reply{}, err
	}
	type answered struct {
		r   Reply
		err error
	}
	end := make(chan answered, 1)
	go func() {
		var a answered
		b, err := Send(context.Background(), body)
		if a.err = err; err == nil {
			a.err = json.Unmarshal(b, &a.r)
		}
		end <- a
	}()
	for {
		select {
		case in := <-w.requests:
			in.reply <- execute(in.Message, nil)
		case a := <-end:
			return a.r, a.err
		case <-stopped:
			return Reply{}, context.Canceled
		}
	}
}

// Receive answers a message from the other process or from the grader.
func Receive(ctx context.Context, body []byte) ([]byte, error) {
	var m Message
	if err := json.Unmarshal(body, &m); err != nil {
		return nil, errMalformed
	}
	state.mu.Lock()
	w, service := state.waiters[m.To], state.service
	state.mu.Unlock()
	in := &incoming{m, make(chan Reply, 1)}
	var r Reply
	switch {
	case m.Kind == KindEnd:
		if service != nil {
			service.stop()
		}
	case w != nil:
		select {
		case w.requests <- in:
			r = in.wait(ctx, nil)
		case <-w.gone:
			r.Nowhere = true
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	case service != nil && m.To == 0:
		select {
		case service.requests <- in:
			r = in.wait(ctx, service.ended)
		case <-service.ended:
			r.Nowhere = true
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	default:
		r.Nowhere = true
	}
	return json.Marshal(r)
}

func (in *incoming) wait(ctx context.Context, ended <-chan struct{}) Reply {
	select {
	case r := <-in.reply:
		return r
	case <-ctx.Done():
		return Reply{Failed: "is stopped"}
	case <-ended:
		select {
		case r := <-in.reply:
			return r
		default:
			return Reply{Failed: "is stopped"}
		}
	}
}
