package kernel_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/gokernel/gokernel/kernel/kerneltest"
)

// ask starts a cell that asks for input and returns the cell's id and the input_request.
func ask(c *kerneltest.Client, code string) (id string, q kerneltest.Message) {
	id = c.Send("shell", "execute_request", map[string]any{"code": code, "allow_stdin": true})
	return id, c.Recv("stdin")
}

func TestInput(t *testing.T) {
	_, conn := start(t)
	c, other := kerneltest.Connect(t, conn), kerneltest.Connect(t, conn)
	for name, withParent := range map[string]bool{"reply with parent": true, "reply without parent": false} {
		t.Run(name, func(t *testing.T) {
			id, q := ask(c, "print before\ninput name?")
			if q.Type() != "input_request" || q.ParentID != id || q.Str("prompt") != "name?" {
				t.Fatalf("got %v, want an input_request of %s", q, id)
			}
			// Another client must not be able to answer.
			other.Send("stdin", "input_reply", map[string]any{"value": "mallory"})
			time.Sleep(20 * time.Millisecond)
			var parent json.RawMessage
			if withParent {
				parent = q.RawHeader
			}
			c.SendFull("stdin", c.Header("input_reply"), parent, map[string]any{"value": "Ada"}, nil)
			e := c.Await("shell", id, time.Now())
			if got := e.Text("stdout"); got != "before\ngot Ada\n" {
				t.Errorf("stdout %q", got)
			}
		})
	}
	if m, ok := other.RecvWithin("stdin", 50*time.Millisecond); ok {
		t.Errorf("the other client was asked: %v", m)
	}
}

// TestInputOrder checks that printed text comes before the input request.
func TestInputOrder(t *testing.T) {
	_, conn := start(t)
	c := kerneltest.Connect(t, conn)
	id, q := ask(c, "print before\ninput ?")
	for {
		m := c.Recv("iopub")
		if m.Type() == "stream" {
			break
		}
	}
	c.SendFull("stdin", c.Header("input_reply"), q.RawHeader, map[string]any{"value": ""}, nil)
	for m := c.Recv("shell"); m.ParentID != id; m = c.Recv("shell") {
	}
}

func TestStaleInput(t *testing.T) {
	_, conn := start(t)
	c := kerneltest.Connect(t, conn)
	id, first := ask(c, "input one")
	c.SendFull("stdin", c.Header("input_reply"), first.RawHeader, map[string]any{"value": "1"}, nil)
	c.Await("shell", id, time.Now())
	// Send two extra replies: one before the next input request, and one after it. The second has
	// the old request as its parent.
	c.Send("stdin", "input_reply", map[string]any{"value": "stale"})
	time.Sleep(50 * time.Millisecond)
	id, second := ask(c, "input two")
	c.SendFull("stdin", c.Header("input_reply"), first.RawHeader, map[string]any{"value": "stale too"}, nil)
	c.SendFull("stdin", c.Header("input_reply"), second.RawHeader, map[string]any{"value": "2"}, nil)
	if got := c.Await("shell", id, time.Now()).Text("stdout"); got != "got 2\n" {
		t.Errorf("stdout %q, want the reply to the second input_request", got)
	}
}

func TestEndOfInput(t *testing.T) {
	_, conn := start(t)
	c := kerneltest.Connect(t, conn)
	id, q := ask(c, "input ?")
	c.SendFull("stdin", c.Header("input_reply"), q.RawHeader, map[string]any{"value": "\x04"}, nil)
	if e := c.Await("shell", id, time.Now()); e.Reply.Str("evalue") != "input: EOF" {
		t.Errorf("reply %v, want EOF", e.Reply)
	}
}

func TestInterruptedInput(t *testing.T) {
	_, conn := start(t)
	c := kerneltest.Connect(t, conn)
	id, _ := ask(c, "input ?")
	c.Send("control", "interrupt_request", map[string]any{})
	if e := c.Await("shell", id, time.Now()); e.Status() != "error" {
		t.Errorf("reply %v, want an error", e.Reply)
	}
	// The next input request works.
	id, q := ask(c, "input ?")
	c.SendFull("stdin", c.Header("input_reply"), q.RawHeader, map[string]any{"value": "x"}, nil)
	if got := c.Await("shell", id, time.Now()).Text("stdout"); got != "got x\n" {
		t.Errorf("stdout %q", got)
	}
}

func TestInputNotAllowed(t *testing.T) {
	f, conn := start(t)
	c := kerneltest.Connect(t, conn)
	if e := c.Execute("input ?"); e.Status() != "error" || len(e.Of("error")) != 1 {
		t.Errorf("reply %v with outputs %v, want an error", e.Reply, e.Types())
	}
	if m, ok := c.RecvWithin("stdin", 50*time.Millisecond); ok {
		t.Errorf("the client was asked: %v", m)
	}
	if f.ran()[0].AllowStdin {
		t.Error("AllowStdin is true for the evaluator")
	}
}
