package kernel_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/gokernel/gokernel/kernel"
	"github.com/gokernel/gokernel/kernel/kerneltest"
	"github.com/google/go-cmp/cmp"
)

// queries are the requests that the main shell answers while a cell runs.
var queries = []struct {
	kind    string
	content map[string]any
}{
	{"complete_request", map[string]any{"code": "foo"}},
	{"inspect_request", map[string]any{"code": "foo", "cursor_pos": 3}},
	{"is_complete_request", map[string]any{"code": "for {"}},
	{"history_request", map[string]any{"hist_access_type": "tail"}},
	{"comm_info_request", map[string]any{}},
	{"kernel_info_request", map[string]any{}},
}

// TestQueriesWhileRunning sends queries to the main shell while one cell runs in it and another
// cell waits.
func TestQueriesWhileRunning(t *testing.T) {
	f, conn := start(t)
	c := kerneltest.Connect(t, conn)
	running := c.Send("shell", "execute_request", map[string]any{"code": "gate\nvalue 1"})
	f.running(t)
	waiting := c.Send("shell", "execute_request", map[string]any{"code": "value 2"})
	for _, q := range queries {
		e := c.Request("shell", q.kind, q.content)
		if e.Reply.ParentID != e.ID || e.Status() == "error" || len(e.Outputs) != 0 {
			t.Errorf("%s: %v with outputs %v", q.kind, e.Reply, e.Types())
		}
	}
	if n := len(f.ran()); n != 1 {
		t.Fatalf("%d cells have started, want 1", n)
	}
	f.gate <- struct{}{}
	for i, id := range []string{running, waiting} {
		e := c.Await("shell", id, time.Now())
		results := e.Of("execute_result")
		if e.Status() != "ok" || e.Reply.Int("execution_count") != i+1 || len(results) != 1 || results[0].Int("execution_count") != i+1 {
			t.Errorf("cell %d: %v with %v", i+1, e.Reply, e.Types())
		}
	}
}

// TestQueriesKeepTheirOrder sends many queries at once after a cell. The replies must come in the
// order of the requests, each between its busy and idle.
func TestQueriesKeepTheirOrder(t *testing.T) {
	f, conn := start(t)
	c := kerneltest.Connect(t, conn)
	cell := c.Send("shell", "execute_request", map[string]any{"code": "gate"})
	f.running(t)
	var want, got []string
	for i := range 50 {
		for _, q := range queries[:3] {
			want = append(want, c.Send("shell", q.kind, map[string]any{"code": "x" + strconv.Itoa(i)}))
		}
	}
	for range want {
		got = append(got, c.Recv("shell").ParentID)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("order of the replies (-want +got):\n%s", d)
	}
	var states, wantStates [][2]string
	for len(states) < 2*len(want) {
		if m := c.IOPub(); m.Type() == "status" && m.ParentID != cell {
			states = append(states, [2]string{m.ParentID, m.Str("execution_state")})
		}
	}
	for _, id := range want {
		wantStates = append(wantStates, [2]string{id, "busy"}, [2]string{id, "idle"})
	}
	if d := cmp.Diff(wantStates, states); d != "" {
		t.Errorf("order of the states (-want +got):\n%s", d)
	}
	f.gate <- struct{}{}
	if e := c.Await("shell", cell, time.Now()); e.Status() != "ok" {
		t.Errorf("the cell: %v", e.Reply)
	}
}

// TestLastStatus checks that the last status is busy as long as a cell runs, even if other
// requests have become idle, and idle at the end.
func TestLastStatus(t *testing.T) {
	f, conn := start(t)
	c := kerneltest.Connect(t, conn)
	for range 20 {
		cell := c.Send("shell", "execute_request", map[string]any{"code": "gate"})
		f.running(t)
		if m := c.IOPub(); m.ParentID != cell {
			t.Fatalf("before the cell comes %v", m)
		}
		for _, channel := range []string{"shell", "control"} {
			c.Request(channel, "kernel_info_request", map[string]any{})
			m := c.IOPub()
			if m.Type() == "execute_input" { // the cell's status is published again while it runs
				m = c.IOPub()
			}
			if m.ParentID != cell || m.Str("execution_state") != "busy" {
				t.Fatalf("after a query on %s comes %v, want the cell's busy", channel, m)
			}
		}
		query := c.Send("shell", "kernel_info_request", map[string]any{}) // at the cell's end
		f.gate <- struct{}{}
		for open := map[string]bool{cell: true, query: true}; len(open) > 0; {
			if m := c.IOPub(); m.Str("execution_state") == "idle" {
				delete(open, m.ParentID)
			}
		}
	}
	if m, ok := c.RecvWithin("iopub", 50*time.Millisecond); ok {
		t.Errorf("%v comes after the last idle", m)
	}
}

// TestCommInfoKeepsItsPlace checks that comm_info_reply reflects the comm messages that came before
// it on the same shell, even if they wait for a cell.
func TestCommInfoKeepsItsPlace(t *testing.T) {
	f := newFake()
	srv, err := kernel.New(kernel.Config{Evaluator: f, Connection: kernel.Connection{Key: "k"}})
	if err != nil {
		t.Fatal(err)
	}
	srv.Comms().Register("echo", func(*kernel.Comm, kernel.CommMessage) error { return nil })
	serve(t, srv)
	c := kerneltest.Connect(t, srv.Connection())
	cell := c.Send("shell", "execute_request", map[string]any{"code": "gate"})
	f.running(t)
	c.Send("shell", "comm_open", map[string]any{"comm_id": "1", "target_name": "echo", "data": map[string]any{}})
	list := c.Send("shell", "comm_info_request", map[string]any{})
	if e := c.Request("shell", "kernel_info_request", map[string]any{}); e.Status() != "ok" {
		t.Errorf("kernel_info after a waiting comm message: %v", e.Reply)
	}
	f.gate <- struct{}{}
	c.Await("shell", cell, time.Now())
	want := map[string]any{"1": map[string]any{"target_name": "echo"}}
	if d := cmp.Diff(want, c.Await("shell", list, time.Now()).Reply.Content["comms"]); d != "" {
		t.Errorf("comms (-want +got):\n%s", d)
	}
	if d := cmp.Diff(want, commInfo(c, map[string]any{})); d != "" {
		t.Errorf("comms when no message waits (-want +got):\n%s", d)
	}
}
