//go:build unix

package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// Comm replies with what it received, and makes callbacks wait.
func (s *fake) Comm(_ context.Context, m display.CommMessage) (evaluator.CommReply, error) {
	if m.Kind == display.CommClose {
		return evaluator.CommReply{}, errors.New("not now")
	}
	return evaluator.CommReply{Messages: []display.CommMessage{m}, Waiting: true}, nil
}

// Callbacks prints, opens a comm, and runs until it is stopped.
func (s *fake) Callbacks(ctx context.Context, out evaluator.Output) error {
	out.Stdout("called\n")
	m := display.CommMessage{Kind: display.CommOpen, ID: "2", Target: "t", Data: json.RawMessage(`{"a":1}`), Buffers: [][]byte{{0, 255}}}
	if err := out.(display.Channel).Comm(m); err != nil {
		return err
	}
	<-ctx.Done()
	return ctx.Err()
}

// channel is a record that receives comm messages.
type channel struct {
	record
	mu  sync.Mutex
	got []display.CommMessage
}

func (c *channel) Comm(m display.CommMessage) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.got = append(c.got, m)
	return nil
}

// Messages reach the session while a cell runs. Callbacks are stopped like cells.
func TestWidgets(t *testing.T) {
	c := start(t)
	cell := make(chan error, 1)
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		_, err := c.Eval(ctx, evaluator.Cell{Code: "soft"}, &channel{})
		cell <- err
	}()
	m := display.CommMessage{Kind: display.CommData, ID: "1", Data: json.RawMessage(`{"x":"é"}`), Buffers: [][]byte{{1}, {}}, Metadata: map[string]any{"v": "2"}}
	reply, err := c.Comm(t.Context(), m)
	if err != nil || !reply.Waiting || len(reply.Messages) != 1 || fmt.Sprint(reply.Messages[0]) != fmt.Sprint(m) {
		t.Errorf("the answer is %v, %v", reply, err)
	}
	if _, err := c.Comm(t.Context(), display.CommMessage{Kind: display.CommClose}); err == nil || err.Error() != "not now" {
		t.Errorf("the error is %v", err)
	}
	stop()
	<-cell
	out := &channel{}
	ctx, stop = context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer stop()
	var failed *evaluator.Error
	if err := c.Callbacks(ctx, out); !errors.As(err, &failed) || failed.Name != nameInterrupted {
		t.Errorf("callbacks ended with %v", err)
	}
	if len(out.got) != 1 || string(out.got[0].Data) != `{"a":1}` || len(out.got[0].Buffers[0]) != 2 || out.all()[0] != "out:called\n" {
		t.Errorf("sent %v, printed %q", out.got, out.all())
	}
}
