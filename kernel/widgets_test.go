package kernel_test

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/kernel"
	"github.com/gokernel/gokernel/kernel/evaluator"
	"github.com/gokernel/gokernel/kernel/kerneltest"
	"github.com/google/go-cmp/cmp"
)

// session is a fake that records the messages it receives. Its cell "widget" opens a comm.
type session struct {
	*fake
	mu      sync.Mutex
	got     []string
	dialogs []bool // Dialogs of the cells
	waiting bool
	ran     []string // by what the callbacks ran
	begun   chan struct{}
	hold    chan struct{} // if not nil, callbacks wait for it
}

func (s *session) Eval(ctx context.Context, cell evaluator.Cell, out evaluator.Output) (evaluator.Result, error) {
	if cell.Code == "dialogs" {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.dialogs = append(s.dialogs, cell.Dialogs)
		return evaluator.Result{}, nil
	}
	if cell.Code == "question" {
		if err := opens(out, "q"); err != nil {
			return evaluator.Result{}, err
		}
		cell.Code = "gate"
	}
	if cell.Code != "widget" {
		return s.fake.Eval(ctx, cell, out)
	}
	return evaluator.Result{}, opens(out, "w")
}

// opens opens a comm from a cell, as a widget does.
func opens(out evaluator.Output, id string) error {
	return out.(display.Channel).Comm(display.CommMessage{
		Kind: display.CommOpen, ID: id, Target: "jupyter.widget", Data: json.RawMessage(`{"state":{"value":null}}`),
		Metadata: map[string]any{"version": "2.1.0"}, Buffers: [][]byte{{1, 2}},
	})
}

func (s *session) Comm(_ context.Context, m display.CommMessage) (evaluator.CommReply, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.got = append(s.got, m.Kind+" "+m.ID+" "+m.Target+string(m.Data)+string(append([]byte(nil), joined(m.Buffers)...)))
	reply := evaluator.CommReply{Waiting: s.waiting && m.ID == "w"}
	if m.Kind == display.CommData {
		reply.Messages = []display.CommMessage{{Kind: display.CommData, ID: m.ID, Data: json.RawMessage(`{"method":"echo"}`), Buffers: m.Buffers}}
	}
	return reply, nil
}

func joined(b [][]byte) (all []byte) {
	for _, x := range b {
		all = append(all, x...)
	}
	return all
}

func (s *session) Callbacks(ctx context.Context, out evaluator.Output) error {
	s.mu.Lock()
	s.ran = append(s.ran, "run")
	hold := s.hold
	s.mu.Unlock()
	s.begun <- struct{}{}
	out.Stdout("called back\n")
	if hold == nil {
		return nil
	}
	select {
	case <-hold:
		return nil
	case <-ctx.Done():
		return &evaluator.Error{Name: "interrupted", Value: "the callback was interrupted"}
	}
}

// set changes fields while the kernel is running.
func (s *session) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

func (s *session) told() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.got)
}

func (s *session) calls() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.ran)
}

func startSession(t *testing.T) (*session, *kerneltest.Client) {
	t.Helper()
	s := &session{fake: newFake(), waiting: true, begun: make(chan struct{}, 100)}
	srv, err := kernel.New(kernel.Config{Evaluator: s, Connection: kernel.Connection{Key: "k"}})
	if err != nil {
		t.Fatal(err)
	}
	serve(t, srv)
	return s, kerneltest.Connect(t, srv.Connection())
}

// until reads iopub until it finds a message of the given type and parent.
func until(c *kerneltest.Client, kind, parent string) kerneltest.Message {
	for {
		if m := c.IOPub(); m.Type() == kind && (parent == "" || m.ParentID == parent) {
			return m
		}
	}
}

func move(x int) map[string]any {
	return map[string]any{"comm_id": "w", "data": map[string]any{"x": x}}
}

func TestWidgetMessages(t *testing.T) {
	s, c := startSession(t)
	e := c.Execute("widget")
	if d := cmp.Diff([]string{"execute_input", "comm_open"}, e.Types()); d != "" {
		t.Fatalf("outputs of the cell (-want +got):\n%s", d)
	}
	if m := e.Outputs[1]; m.Str("target_name") != "jupyter.widget" || m.Metadata["version"] != "2.1.0" || len(m.Buffers) != 1 {
		t.Errorf("opened by %v with %v and %d buffers", m, m.Metadata, len(m.Buffers))
	}
	if got := commInfo(c, map[string]any{"target_name": "jupyter.widget"}); len(got) != 1 {
		t.Errorf("comm_info is %v", got)
	}
	// The reply, the callback's output and the final idle must all have the message as their
	// parent.
	id := c.SendFull("shell", c.Header("comm_msg"), nil, move(1), [][]byte{[]byte("buf")})
	if m := until(c, "comm_msg", id); len(m.Buffers) != 1 {
		t.Errorf("the answer is %v", m)
	}
	if m := until(c, "stream", id); m.Str("text") != "called back\n" {
		t.Errorf("printed %v", m)
	}
	for m := until(c, "status", id); m.Str("execution_state") != "idle"; m = until(c, "status", id) {
	}
	// The page is reloaded.
	s.set(func() { s.waiting = false })
	c.Request("shell", "comm_open", map[string]any{"comm_id": "c", "target_name": "jupyter.widget.control"})
	id = c.Send("shell", "comm_msg", map[string]any{"comm_id": "c", "data": map[string]any{"method": "request_states"}})
	until(c, "comm_msg", id)
	c.Request("shell", "comm_close", map[string]any{"comm_id": "w"})
	want := []string{`data w {"x":1}buf`, `open c jupyter.widget.control{}`, `data c {"method":"request_states"}`, `close w {}`}
	if d := cmp.Diff(want, s.told()); d != "" {
		t.Errorf("messages to the session (-want +got):\n%s", d)
	}
}

// While a cell runs, messages on a subshell reach the session without delay. The callbacks that
// they trigger run once, after the cell.
func TestWidgetWhileRunning(t *testing.T) {
	s, c := startSession(t)
	c.Execute("widget")
	sub := createSubshell(c)
	cell := c.Send("shell", "execute_request", map[string]any{"code": "gate"})
	s.running(t)
	var last string
	for x := range 5 {
		last = sendTo(c, sub, "comm_msg", move(x))
		c.Await("shell", last, time.Now())
	}
	if n := s.calls(); n != 0 || len(s.told()) != 5 {
		t.Errorf("while the cell runs: %d messages, %d runs of callbacks; want 5 and none", len(s.told()), n)
	}
	s.gate <- struct{}{}
	c.Await("shell", cell, time.Now())
	<-s.begun
	if e := c.Execute("value 1"); e.Status() != "ok" || s.calls() != 1 {
		t.Errorf("%v, and callbacks ran %d times, want once", e.Reply, s.calls())
	}
}

// A callback that does not end can be interrupted, and a cell waits for the callback to end.
func TestWidgetCallbackInterrupted(t *testing.T) {
	s, c := startSession(t)
	s.set(func() { s.hold = make(chan struct{}) })
	c.Execute("widget")
	id := c.Send("shell", "comm_msg", move(1))
	<-s.begun
	interrupt := c.Send("control", "interrupt_request", map[string]any{})
	if m := until(c, "error", id); m.Str("ename") != "interrupted" {
		t.Errorf("got %v", m)
	}
	if m := c.Recv("control"); m.ParentID != interrupt {
		t.Errorf("the answer to the interrupt is %v", m)
	}
	if e := c.Execute("value 1"); e.Status() != "ok" {
		t.Errorf("afterwards: %v", e.Reply)
	}
}

// Cells can show dialogs if their own frontend has opened the comm of widgets and allows input.
func TestDialogs(t *testing.T) {
	s, c := startSession(t)
	ask := func(stdin bool, session string) {
		h := c.Header("execute_request")
		if session != "" {
			h.Session = session
		}
		id := c.SendFull("shell", h, nil, map[string]any{"code": "dialogs", "allow_stdin": stdin}, nil)
		for m := until(c, "status", id); m.Str("execution_state") != "idle"; m = until(c, "status", id) {
		}
	}
	ask(true, "")
	c.Request("shell", "comm_open", map[string]any{"comm_id": "a", "target_name": "jupyter.widget.control"})
	ask(true, "")
	ask(false, "")
	ask(true, "another page")
	s.mu.Lock()
	defer s.mu.Unlock()
	if d := cmp.Diff([]bool{false, true, false, false}, s.dialogs); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// A cell that waits for a reply to a comm message gets it on the main shell too. A page that is
// loaded while the cell runs gets all widgets. Messages on other comms wait for the cell.
func TestAnswersWhileAsked(t *testing.T) {
	s, c := startSession(t)
	s.set(func() { s.waiting = false })
	c.Execute("widget")
	cell := c.Send("shell", "execute_request", map[string]any{"code": "question"})
	if m := until(c, "comm_open", cell); m.Str("comm_id") != "q" {
		t.Fatalf("opened %v", m)
	}
	other := c.Send("shell", "comm_msg", move(1))
	sent := []string{
		c.Send("shell", "comm_open", map[string]any{"comm_id": "c", "target_name": "jupyter.widget.control"}),
		c.Send("shell", "comm_msg", map[string]any{"comm_id": "c", "data": map[string]any{"method": "request_states"}}),
		c.Send("shell", "comm_msg", map[string]any{"comm_id": "q", "data": map[string]any{"x": 1}}),
		c.Send("shell", "comm_msg", map[string]any{"comm_id": "q", "data": map[string]any{"x": 2}}),
	}
	for _, id := range sent {
		for m := until(c, "status", id); m.Str("execution_state") != "idle"; m = until(c, "status", id) {
		}
	}
	want := []string{`open c jupyter.widget.control{}`, `data c {"method":"request_states"}`, `data q {"x":1}`, `data q {"x":2}`}
	if d := cmp.Diff(want, s.told()); d != "" {
		t.Errorf("while the cell waits (-want +got):\n%s", d)
	}
	s.gate <- struct{}{}
	for m := until(c, "status", other); m.Str("execution_state") != "idle"; m = until(c, "status", other) {
	}
	// The cell has ended, so messages now wait for their turn.
	c.Request("shell", "comm_close", map[string]any{"comm_id": "q"})
	if d := cmp.Diff(append(want, `data w {"x":1}`, `close q {}`), s.told()); d != "" {
		t.Errorf("all messages (-want +got):\n%s", d)
	}
}
