// Package debug handles requests of frontends that inspect a session: requests of the Debug Adapter
// Protocol (https://microsoft.github.io/debug-adapter-protocol) and those that Jupyter adds to it
// (https://jupyter-client.readthedocs.io/en/stable/messaging.html). A frontend can request the
// variables of the session at any time, whether or not it debugs code.
package debug

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"sync"

	"github.com/google/go-dap"

	"github.com/gokernel/gokernel/display"
)

// Host is the session that frontends inspect.
type Host interface {
	// Look calls f as a separate cell, so that no other cell runs at the same time, and user code
	// that f calls can be stopped. The error is ErrBusy while a cell runs.
	Look(ctx context.Context, f func()) error
	// Variables lists the variables of the session in the order of their names. Call it within
	// Look.
	Variables() []Variable
	// Show returns what Out[n] would show for a variable. Don't call it within Look.
	Show(ctx context.Context, name string) (display.Bundle, error)
	// Copy declares a variable named to, and gives it the value of the variable named from. Don't
	// call it within Look.
	Copy(ctx context.Context, from, to string) error
}

// ErrBusy reports that the variables can't be inspected now.
var ErrBusy = errors.New("a cell is running: its variables can be seen when it has ended")

// Variable is a variable of the session.
type Variable struct {
	Name  string
	Type  string
	Cell  int // number of the cell that last declared it
	Value reflect.Value
}

// Debugger handles the requests of one session's frontend. Its methods may be called at any time.
type Debugger struct {
	host  Host
	codec *dap.Codec

	mu       sync.Mutex
	take     func(event json.RawMessage)
	seq      int    // number of messages to the frontend
	client   string // name of the frontend
	attached bool   // between attach and disconnect
	tree     tree
	last     []dap.Variable // the last list of variables

	stops stopping
}

// New returns the debugger of a session.
func New(host Host) *Debugger { return &Debugger{host: host, codec: newCodec()} }

// Events sets the function that receives the events.
func (d *Debugger) Events(take func(event json.RawMessage)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.take = take
}

// response is the response to a request. The type of its body depends on the command.
type response struct {
	dap.Response
	Body any `json:"body,omitempty"`
}

// Answer handles one request. If the request fails, the response explains why.
func (d *Debugger) Answer(ctx context.Context, request json.RawMessage) (json.RawMessage, error) {
	var head dap.Request
	if err := json.Unmarshal(request, &head); err != nil {
		return nil, fmt.Errorf("debug: the request cannot be read: %w", err)
	}
	m, err := d.codec.DecodeMessage(request)
	var body any
	if err == nil {
		body, err = d.answer(ctx, m)
	}
	r := response{Body: body}
	r.Type, r.RequestSeq, r.Command, r.Success = "response", head.Seq, head.Command, err == nil
	if err != nil {
		r.Message = plain(err, head.Command)
	}
	d.mu.Lock()
	d.seq++
	r.Seq = d.seq
	d.mu.Unlock()
	out, err := json.Marshal(r)
	if err == nil && head.Command == "attach" && r.Success {
		d.tell("initialized")
	}
	return out, err
}

// plain describes the error of a request.
func plain(err error, command string) string {
	var unknown *dap.DecodeProtocolMessageFieldError
	if errors.As(err, &unknown) {
		return fmt.Sprintf("the command %q is not supported", command)
	}
	return err.Error()
}

// event is an event with a body, whose type depends on the event.
type event struct {
	dap.Event
	Body any `json:"body,omitempty"`
}

// tell sends an event without a body.
func (d *Debugger) tell(name string) { d.tellBody(name, nil) }

// tellBody sends an event.
func (d *Debugger) tellBody(name string, body any) {
	d.mu.Lock()
	d.seq++
	e := event{dap.Event{ProtocolMessage: dap.ProtocolMessage{Seq: d.seq, Type: "event"}, Event: name}, body}
	take := d.take
	d.mu.Unlock()
	if take == nil {
		return
	}
	if b, err := json.Marshal(e); err == nil {
		take(b)
	}
}

// answer handles a request and returns the body of the response.
func (d *Debugger) answer(ctx context.Context, m dap.Message) (any, error) {
	if body, ok, err := d.answerStopped(ctx, m); ok {
		return body, err
	}
	switch m := m.(type) {
	case *debugInfoRequest:
		return d.info(), nil
	case *dap.InitializeRequest:
		d.mu.Lock()
		d.client = m.Arguments.ClientID
		d.mu.Unlock()
		return capabilities, nil
	case *dap.AttachRequest:
		if err := d.attachStops(); err != nil {
			d.tellBody("output", dap.OutputEventBody{Category: "stderr", Output: err.Error() + "\n"})
		}
		d.attach(true)
		return nil, nil
	case *dap.DisconnectRequest, *dap.TerminateRequest:
		d.detachStops()
		d.attach(false)
		return nil, nil
	case *dap.ConfigurationDoneRequest:
		return nil, nil
	case *dap.ModulesRequest:
		return dap.ModulesResponseBody{Modules: []dap.Module{}}, nil
	case *inspectVariablesRequest:
		return d.inspectVariables(ctx)
	case *dap.VariablesRequest:
		return d.variables(ctx, m.Arguments)
	case *richInspectVariablesRequest:
		return d.richInspectVariables(ctx, m.Arguments)
	case *copyToGlobalsRequest:
		return nil, d.copyToGlobals(ctx, m.Arguments)
	}
	return nil, fmt.Errorf("the command %q is not supported", m.(dap.RequestMessage).GetRequest().Command)
}

func (d *Debugger) attach(on bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.attached = on
}

// inJupyterLab reports whether the frontend is JupyterLab.
func (d *Debugger) inJupyterLab() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.client == "jupyterlab"
}

// info returns the state of the debugger, which Jupyter requests when a page is loaded.
func (d *Debugger) info() debugInfoBody {
	points, stopped := d.stops.info()
	d.mu.Lock()
	defer d.mu.Unlock()
	return debugInfoBody{
		IsStarted: d.attached, HashMethod: "Murmur2", HashSeed: hashSeed,
		TmpFilePrefix: tmpFilePrefix, TmpFileSuffix: tmpFileSuffix,
		Breakpoints: points, StoppedThreads: stopped, RichRendering: true, ExceptionPaths: []string{}, CopyToGlobals: true,
	}
}

// capabilities lists the features that frontends can use.
var capabilities = dap.Capabilities{
	SupportsConfigurationDoneRequest: true, SupportsConditionalBreakpoints: true, SupportsHitConditionalBreakpoints: true,
	SupportsLogPoints: true, SupportsSetVariable: true, SupportsExceptionInfoRequest: true,
	ExceptionBreakpointFilters: panicFilters,
}

// look calls f, which inspects variables of the session: at once if a cell has stopped, otherwise
// within [Host.Look].
func (d *Debugger) look(ctx context.Context, f func()) error {
	if d.isStopped() {
		return d.within(f)
	}
	return d.host.Look(ctx, f)
}

// inspectVariables lists the variables of the session. While a cell runs, it returns the previous
// list; frontends ask again when the cell has ended.
func (d *Debugger) inspectVariables(ctx context.Context) (any, error) {
	var list []dap.Variable
	t := tree{values: d.inJupyterLab()}
	err := d.look(ctx, func() {
		list = []dap.Variable{}
		for _, v := range d.host.Variables() {
			dv := t.variable(v.Name, v.Name, v.Value)
			if v.Type != "" {
				t.setType(&dv, v.Type)
			}
			list = append(list, dv)
		}
	})
	d.mu.Lock()
	defer d.mu.Unlock()
	if errors.Is(err, ErrBusy) && d.last != nil {
		return dap.VariablesResponseBody{Variables: d.last}, nil
	}
	if err != nil {
		return noVariables, err
	}
	d.last, d.tree = list, t
	return dap.VariablesResponseBody{Variables: list}, nil
}

// noVariables is the body of a list that failed, because JupyterLab reads the body anyway.
var noVariables = dap.VariablesResponseBody{Variables: []dap.Variable{}}

// variables lists the components of a variable.
func (d *Debugger) variables(ctx context.Context, args dap.VariablesArguments) (any, error) {
	var list []dap.Variable
	var found error
	if args.VariablesReference > stopReferences {
		return d.variablesStopped(args)
	}
	err := d.look(ctx, func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		list, found = d.tree.parts(args)
	})
	if err := cmp.Or(err, found); err != nil {
		return noVariables, err
	}
	return dap.VariablesResponseBody{Variables: list}, nil
}

// richInspectVariables returns a variable as Out[n] shows it: frames and matrices as tables.
func (d *Debugger) richInspectVariables(ctx context.Context, args richInspectVariablesArguments) (any, error) {
	b, err := d.show(ctx, args)
	if err != nil {
		return nil, err
	}
	data, metadata := b.Data, b.Metadata
	if data == nil {
		data = map[string]any{}
	}
	if metadata == nil {
		metadata = map[string]any{}
	}
	return richInspectVariablesBody{Data: data, Metadata: metadata}, nil
}
