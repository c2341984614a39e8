package kernel_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/gokernel/gokernel/kernel"
	"github.com/gokernel/gokernel/kernel/kerneltest"
	"github.com/google/go-cmp/cmp"
)

// startComms serves a kernel with a target "echo", which answers each message with the same data
// and buffers, and a target "refuse".
func startComms(t *testing.T) (*kernel.Server, *kerneltest.Client, <-chan string) {
	t.Helper()
	srv, err := kernel.New(kernel.Config{Evaluator: newFake(), Connection: kernel.Connection{Key: "k"}})
	if err != nil {
		t.Fatal(err)
	}
	events := make(chan string, 10)
	srv.Comms().Register("echo", func(c *kernel.Comm, opened kernel.CommMessage) error {
		events <- "open " + string(opened.Data)
		c.OnMessage(func(m kernel.CommMessage) {
			if err := c.Send(m); err != nil {
				t.Error(err)
			}
		})
		c.OnClose(func(m kernel.CommMessage) { events <- "close " + string(m.Data) })
		return nil
	})
	srv.Comms().Register("refuse", func(*kernel.Comm, kernel.CommMessage) error { return errors.New("no") })
	srv.Comms().Register("panic", func(*kernel.Comm, kernel.CommMessage) error { panic("target") })
	srv.Comms().Register("panic later", func(c *kernel.Comm, _ kernel.CommMessage) error {
		c.OnMessage(func(kernel.CommMessage) { panic("message") })
		return nil
	})
	serve(t, srv)
	return srv, kerneltest.Connect(t, srv.Connection()), events
}

func commInfo(c *kerneltest.Client, request map[string]any) map[string]any {
	return c.Request("shell", "comm_info_request", request).Reply.Content["comms"].(map[string]any)
}

func TestComm(t *testing.T) {
	_, c, events := startComms(t)
	if e := c.Request("shell", "comm_open", map[string]any{"comm_id": "1", "target_name": "echo", "data": map[string]any{"a": 1}}); len(e.Outputs) != 0 {
		t.Errorf("comm_open led to %v", e.Types())
	}
	want := map[string]any{"1": map[string]any{"target_name": "echo"}}
	if d := cmp.Diff(want, commInfo(c, map[string]any{})); d != "" {
		t.Errorf("comm_info (-want +got):\n%s", d)
	}
	if got := commInfo(c, map[string]any{"target_name": "other"}); len(got) != 0 {
		t.Errorf("comm_info of another target is %v", got)
	}

	id := c.SendFull("shell", c.Header("comm_msg"), nil, map[string]any{"comm_id": "1", "data": map[string]any{"x": "<&>"}}, [][]byte{[]byte("buf"), {}})
	var got kerneltest.Message
	for got = c.IOPub(); got.Type() != "comm_msg"; got = c.IOPub() {
	}
	if d := cmp.Diff(map[string]any{"comm_id": "1", "data": map[string]any{"x": "<&>"}}, got.Content); d != "" || got.ParentID != id {
		t.Errorf("echo with parent %s, want %s (-want +got):\n%s", got.ParentID, id, d)
	}
	if len(got.Buffers) != 2 || string(got.Buffers[0]) != "buf" || len(got.Buffers[1]) != 0 {
		t.Errorf("buffers %q, want those that were sent", got.Buffers)
	}

	c.Request("shell", "comm_close", map[string]any{"comm_id": "1"})
	c.Request("shell", "comm_msg", map[string]any{"comm_id": "1"}) // the comm is closed: nothing happens
	for _, want := range []string{`open {"a":1}`, `close {}`} {
		if got := <-events; got != want {
			t.Errorf("event %q, want %q", got, want)
		}
	}
	if got := commInfo(c, map[string]any{}); len(got) != 0 {
		t.Errorf("comm_info after the close is %v", got)
	}
}

func TestCommRefused(t *testing.T) {
	_, c, _ := startComms(t)
	for _, target := range []string{"unknown", "refuse", "panic"} {
		e := c.Request("shell", "comm_open", map[string]any{"comm_id": "9", "target_name": target, "data": map[string]any{}})
		if d := cmp.Diff([]string{"comm_close"}, e.Types()); d != "" || e.Outputs[0].Str("comm_id") != "9" {
			t.Errorf("%s (-want +got):\n%s", target, d)
		}
		if got := commInfo(c, map[string]any{}); len(got) != 0 {
			t.Errorf("%s: comm_info is %v", target, got)
		}
	}
}

func TestCommHandlerPanics(t *testing.T) {
	_, c, _ := startComms(t)
	c.Request("shell", "comm_open", map[string]any{"comm_id": "1", "target_name": "panic later"})
	c.Request("shell", "comm_msg", map[string]any{"comm_id": "1"})
	if e := c.Execute("value 1"); e.Status() != "ok" {
		t.Errorf("afterwards: %v, want ok", e.Reply)
	}
}

func TestKernelOpensComm(t *testing.T) {
	srv, c, _ := startComms(t)
	comm, err := srv.Comms().Open("widget", kernel.CommMessage{Data: json.RawMessage(`{"v":1}`), Metadata: map[string]any{"version": "2"}})
	if err != nil {
		t.Fatal(err)
	}
	m := c.IOPub()
	if m.Type() != "comm_open" || m.Str("target_name") != "widget" || m.Metadata["version"] != "2" {
		t.Errorf("got %v with metadata %v", m, m.Metadata)
	}
	if err := comm.Close(kernel.CommMessage{}); err != nil {
		t.Fatal(err)
	}
	if m := c.IOPub(); m.Type() != "comm_close" || m.Str("comm_id") != comm.ID {
		t.Errorf("got %v, want comm_close", m)
	}
	if err := comm.Send(kernel.CommMessage{}); err == nil {
		t.Error("a closed comm could send")
	}
}
