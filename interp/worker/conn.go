package worker

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/gokernel/gokernel/kernel/evaluator"
)

// errClosed is the error of calls after the other process has gone.
var errClosed = errors.New("worker: the other process is gone")

// conn carries calls in both directions over a pair of pipes.
type conn struct {
	token token
	r     *bufio.Reader

	wmu sync.Mutex
	w   io.Writer
	out []byte

	mu      sync.Mutex
	last    uint32
	waiting map[uint32]chan frame
	running map[uint32]context.CancelFunc // calls of the other side
	closed  bool
	done    chan struct{}
}

// handler handles one call of the other side.
type handler func(ctx context.Context, f frame) (any, error)

func newConn(r io.Reader, w io.Writer, t token) *conn {
	return &conn{
		token:   t,
		r:       bufio.NewReaderSize(r, 32<<10),
		w:       w,
		waiting: make(map[uint32]chan frame),
		running: make(map[uint32]context.CancelFunc),
		done:    make(chan struct{}),
	}
}

func (c *conn) send(f frame) error {
	c.wmu.Lock()
	defer c.wmu.Unlock()
	b, err := appendFrame(c.out[:0], c.token, f)
	if err != nil {
		return err
	}
	_, err = c.w.Write(b)
	if c.out = b; cap(b) > 1<<20 {
		c.out = nil
	}
	return err
}

// call sends body as JSON, waits for the reply and decodes it into reply, which may be nil. If ctx
// ends first, call cancels the call and stops waiting for the reply.
func (c *conn) call(ctx context.Context, k kind, body, reply any) error {
	id, answer, err := c.start(k, body)
	if err != nil {
		return err
	}
	select {
	case f := <-answer:
		return decodeAnswer(f, reply)
	case <-c.done:
		return errClosed
	case <-ctx.Done():
		c.forget(id)
		// If the pipe is broken, nobody is left to notify.
		_ = c.send(frame{kind: kindCancel, id: id})
		return ctx.Err()
	}
}

// start sends a call and returns the channel that receives the reply.
func (c *conn) start(k kind, body any) (uint32, <-chan frame, error) {
	b, err := json.Marshal(body)
	if err != nil {
		return 0, nil, fmt.Errorf("worker: cannot encode %T: %w", body, err)
	}
	answer := make(chan frame, 1)
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return 0, nil, errClosed
	}
	c.last++
	id := c.last
	c.waiting[id] = answer
	c.mu.Unlock()
	if err := c.send(frame{kind: k, id: id, body: b}); err != nil {
		c.forget(id)
		if len(b) <= maxBody {
			err = errClosed
		}
		return 0, nil, err
	}
	return id, answer, nil
}

func (c *conn) forget(id uint32) {
	c.mu.Lock()
	delete(c.waiting, id)
	c.mu.Unlock()
}

// serve reads frames until the pipe ends, and handles each call in a separate goroutine. It returns
// nil at a clean end.
func (c *conn) serve(handle handler) error {
	defer c.close()
	for {
		f, err := readFrame(c.r, c.token)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch f.kind {
		case kindReply, kindFail:
			c.mu.Lock()
			answer := c.waiting[f.id]
			delete(c.waiting, f.id)
			c.mu.Unlock()
			if answer != nil {
				answer <- f
			}
		case kindCancel:
			c.mu.Lock()
			cancel := c.running[f.id]
			c.mu.Unlock()
			if cancel != nil {
				cancel()
			}
		default:
			ctx, cancel := context.WithCancel(context.Background())
			c.mu.Lock()
			c.running[f.id] = cancel
			c.mu.Unlock()
			go c.answer(ctx, f, handle)
		}
	}
}

func (c *conn) answer(ctx context.Context, f frame, handle handler) {
	value, err := handle(ctx, f)
	c.mu.Lock()
	if cancel := c.running[f.id]; cancel != nil {
		cancel()
		delete(c.running, f.id)
	}
	c.mu.Unlock()
	a := frame{kind: kindReply, id: f.id}
	if err == nil {
		a.body, err = json.Marshal(value)
	}
	if err != nil {
		a.kind = kindFail
		a.body = encodeError(err)
	}
	if err := c.send(a); err != nil && len(a.body) > maxBody {
		a.kind, a.body = kindFail, encodeError(err)
		// A second failure means that the pipe is broken, which the reader notices.
		_ = c.send(a)
	}
}

func (c *conn) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return
	}
	c.closed = true
	for _, cancel := range c.running {
		cancel()
	}
	close(c.done)
}

func decodeAnswer(f frame, reply any) error {
	if f.kind == kindFail {
		return decodeError(f.body)
	}
	if reply == nil {
		return nil
	}
	if err := json.Unmarshal(f.body, reply); err != nil {
		return fmt.Errorf("worker: cannot decode %T: %w", reply, err)
	}
	return nil
}

// failure is an error in the form that the pipe carries.
type failure struct {
	Cell *evaluator.Error `json:",omitempty"`
	EOF  bool             `json:",omitempty"`
	Stop bool             `json:",omitempty"` // whether a context ended
	Text string
}

func encodeError(err error) []byte {
	f := failure{Text: err.Error()}
	if ce := (*evaluator.Error)(nil); errors.As(err, &ce) {
		f.Cell = ce.Bounded()
		f.Text = f.Cell.Name
	}
	f.EOF = errors.Is(err, io.EOF)
	f.Stop = errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
	b, err := json.Marshal(f)
	if err != nil { // strings and booleans can always be encoded
		panic(err)
	}
	return b
}

func decodeError(body []byte) error {
	var f failure
	if err := json.Unmarshal(body, &f); err != nil {
		return fmt.Errorf("worker: cannot decode an error: %w", err)
	}
	switch {
	case f.Cell != nil:
		return f.Cell
	case f.EOF:
		return io.EOF
	case f.Stop:
		return context.Canceled
	}
	return errors.New(f.Text)
}
