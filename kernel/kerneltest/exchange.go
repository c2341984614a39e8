package kerneltest

import (
	"strings"
	"time"
)

// Exchange is a request's reply and outputs.
type Exchange struct {
	ID      string
	Reply   Message
	Outputs []Message     // iopub messages between busy and idle
	Elapsed time.Duration // time from the request to idle
}

// Types returns the types of the outputs, in order.
func (e Exchange) Types() []string {
	var out []string
	for _, m := range e.Outputs {
		out = append(out, m.Type())
	}
	return out
}

// Of returns the outputs of a type.
func (e Exchange) Of(kind string) []Message {
	var out []Message
	for _, m := range e.Outputs {
		if m.Type() == kind {
			out = append(out, m)
		}
	}
	return out
}

// Text returns all text of a stream.
func (e Exchange) Text(stream string) string {
	var out strings.Builder
	for _, m := range e.Of("stream") {
		if m.Str("name") == stream {
			out.WriteString(m.Str("text"))
		}
	}
	return out.String()
}

// Status returns the status of the reply.
func (e Exchange) Status() string { return e.Reply.Str("status") }

// Request sends a request and waits for its reply and its idle.
func (c *Client) Request(channel, kind string, content any) Exchange {
	c.t.Helper()
	start := time.Now()
	return c.Await(channel, c.Send(channel, kind, content), start)
}

// Await waits for the idle of a request and, if its type has one, for its reply. It skips
// messages of other requests.
func (c *Client) Await(channel, id string, start time.Time) Exchange {
	c.t.Helper()
	e := Exchange{ID: id}
	for idle := false; !idle; {
		m := c.IOPub()
		state := m.Str("execution_state")
		if state == "busy" {
			c.begun[m.ParentID] = true
		}
		if m.ParentID != id {
			continue
		}
		switch {
		case m.Type() != "status":
			if !c.begun[id] {
				c.t.Errorf("%v comes before busy", m)
			}
			if m.Type() == "execute_input" && len(e.Outputs) > 0 {
				c.t.Errorf("execute_input comes after %v", e.Outputs[0])
			}
			e.Outputs = append(e.Outputs, m)
		case state == "idle":
			idle = true
		}
	}
	e.Elapsed = time.Since(start)
	if replyType(c.types[id]) == "" {
		return e
	}
	for e.Reply.ParentID != id {
		e.Reply = c.Recv(channel)
	}
	return e
}

// Execute runs code with the defaults of a notebook frontend.
func (c *Client) Execute(code string) Exchange {
	c.t.Helper()
	return c.Request("shell", "execute_request", map[string]any{"code": code})
}
