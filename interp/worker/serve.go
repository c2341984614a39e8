package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/internal/far"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// ownMark is the mark of this evaluator. It is read at the start because cells may change the
// environment.
var ownMark = os.Getenv(markVar)

// Serve runs the evaluator process: it opens the session, answers the kernel process, and ends when
// the kernel process ends. The pipes are the value of the argument --pipes from the kernel process.
func Serve(pipes string, open func() (evaluator.Session, error)) error {
	r, w, err := inherited(pipes)
	if err != nil {
		return err
	}
	var t token
	if _, err := io.ReadFull(r, t[:]); err != nil {
		return fmt.Errorf("worker: the kernel process sent no token: %w", err)
	}
	s := &server{conn: newConn(r, w, t)}
	if s.stdout, err = duplicate(os.Stdout); err != nil {
		return fmt.Errorf("worker: cannot keep standard output: %w", err)
	}
	if s.stderr, err = duplicate(os.Stderr); err != nil {
		return fmt.Errorf("worker: cannot keep standard error: %w", err)
	}
	far.Send = func(ctx context.Context, message []byte) ([]byte, error) {
		var reply json.RawMessage
		err := s.conn.call(ctx, kindPeer, json.RawMessage(message), &reply)
		return reply, err
	}
	watchSignals()
	go s.open(open)
	if err := s.conn.serve(s.handle); err != nil {
		fmt.Fprintln(os.Stderr, err) // the kernel process reports it as the cause
	}
	endSelf()
	return nil
}

type server struct {
	conn    *conn
	session evaluator.Session

	stdout, stderr *os.File

	mu      sync.Mutex
	running uint32 // the running eval or expression call
	stopped uint32 // the last interrupted call
	cancel  context.CancelFunc

	print   sync.Mutex // orders the writes to stdout and stderr; may be held for long
	current uint32     // the cell that the text belongs to, 0 between cells
	onErr   bool       // whether the last write was to stderr
}

// open opens the session and reports that to the kernel process.
func (s *server) open(open func() (evaluator.Session, error)) {
	h := hello{Protocol: protocolVersion}
	var err error
	if s.session, err = open(); err != nil {
		h.Error = err.Error()
	}
	if d, ok := s.session.(evaluator.Debugger); ok {
		// Without a kernel process nobody needs the event.
		d.DebugEvents(func(event json.RawMessage) { _ = s.conn.call(context.Background(), kindDebugEvent, event, nil) })
	}
	if j, ok := s.session.(evaluator.JIT); ok {
		j.CompiledCode(func(c evaluator.MachineCode) { _ = s.conn.call(context.Background(), kindCode, c, nil) })
	}
	// Without a kernel process to answer, serve ends this one.
	_ = s.conn.call(context.Background(), kindHello, h, nil)
}

func (s *server) handle(ctx context.Context, f frame) (any, error) {
	switch f.kind {
	case kindInterrupt:
		var m interruptCall
		if err := decodeAnswer(f, &m); err != nil {
			return nil, err
		}
		s.interrupt(m.ID)
		return nil, nil
	case kindClose:
		return nil, s.session.Close()
	case kindEval, kindExpression, kindCallbacks:
		var m evalCall
		if err := decodeAnswer(f, &m); err != nil {
			return nil, err
		}
		switch f.kind {
		case kindEval:
			return s.eval(ctx, m)
		case kindCallbacks:
			return nil, s.callbacks(ctx, m)
		}
		return s.expression(ctx, m)
	case kindMessage:
		var m display.CommMessage
		if err := decodeAnswer(f, &m); err != nil {
			return nil, err
		}
		w, ok := s.session.(evaluator.Widgets)
		if !ok {
			return evaluator.CommReply{}, nil
		}
		return w.Comm(ctx, m)
	case kindDebug:
		d, ok := s.session.(evaluator.Debugger)
		if !ok {
			return nil, errors.New("worker: this session has no debugger")
		}
		return d.Debug(ctx, f.body)
	case kindFar:
		reply, err := far.Receive(ctx, f.body)
		return json.RawMessage(reply), err
	}
	var q codeQuery
	if err := decodeAnswer(f, &q); err != nil {
		return nil, err
	}
	switch f.kind {
	case kindComplete:
		return s.session.Complete(ctx, q.Code, q.Cursor)
	case kindInspect:
		b, found, err := s.session.Inspect(ctx, q.Code, q.Cursor, q.Detail)
		if err != nil || !found {
			return inspectReply{}, err
		}
		w, err := toWire(b)
		return inspectReply{Bundle: w, Found: true}, err
	case kindIsComplete:
		return s.session.IsComplete(q.Code), nil
	}
	return nil, fmt.Errorf("worker: unknown call %d", f.kind)
}

// begin records that the call id runs, until done is called. If the call was interrupted before it
// began, its context is already canceled.
func (s *server) begin(ctx context.Context, id uint32) (_ context.Context, done func()) {
	ctx, cancel := context.WithCancel(ctx)
	s.mu.Lock()
	s.running, s.cancel = id, cancel
	if s.stopped == id {
		cancel()
	}
	s.mu.Unlock()
	return ctx, func() {
		s.mu.Lock()
		s.running, s.cancel = 0, nil
		s.mu.Unlock()
		cancel()
	}
}

// staleTimeout is the maximum time to wait until the kernel process has discarded printed text. If
// a slow frontend blocks the kernel process, stopping takes priority.
const staleTimeout = 20 * time.Millisecond

func (s *server) interrupt(id uint32) {
	ctx, cancel := context.WithTimeout(context.Background(), staleTimeout)
	defer cancel()
	// A timeout is one of the two expected outcomes.
	_ = s.conn.call(ctx, kindStale, nil, nil)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped = id
	if s.running == id {
		s.cancel()
	}
}

// direct sets the cell whose text goes to the pipes.
func (s *server) direct(cell uint32) {
	s.print.Lock()
	defer s.print.Unlock()
	s.current, s.onErr = cell, false
}

func (s *server) expression(ctx context.Context, m evalCall) (any, error) {
	ctx, done := s.begin(ctx, m.ID)
	defer done()
	b, err := s.session.Expression(ctx, m.Cell.Code)
	if err != nil {
		return nil, err
	}
	return toWire(b)
}

func (s *server) eval(ctx context.Context, m evalCall) (any, error) {
	growStack()
	ctx, done := s.begin(ctx, m.ID)
	defer done()
	s.direct(m.ID)
	defer s.direct(0)
	res, err := s.session.Eval(ctx, m.Cell, &output{server: s, cell: m.ID})
	if err != nil {
		return nil, err
	}
	if res.Value == nil {
		return resultReply{}, nil
	}
	w, err := toWire(*res.Value)
	if err != nil {
		return nil, err
	}
	return resultReply{Value: &w}, nil
}

// callbacks is like eval, for the functions that messages have queued.
func (s *server) callbacks(ctx context.Context, m evalCall) error {
	w, ok := s.session.(evaluator.Widgets)
	if !ok {
		return nil
	}
	growStack()
	ctx, done := s.begin(ctx, m.ID)
	defer done()
	s.direct(m.ID)
	defer s.direct(0)
	return w.Callbacks(ctx, &output{server: s, cell: m.ID})
}

// textTimeout is the maximum time to wait until the kernel process has accepted output of a cell
// that has ended. It is long because a slow frontend may block the kernel process.
const textTimeout = time.Minute

// text writes text of a cell. Text of the running cell goes to the pipe of all other printed text,
// so that the order is kept. Text of an earlier cell includes the ID of its cell.
func (s *server) text(cell uint32, toErr bool, text string) {
	if text == "" {
		return
	}
	s.print.Lock()
	if cell != s.current {
		s.print.Unlock()
		ctx, cancel := context.WithTimeout(context.Background(), textTimeout)
		defer cancel()
		// Output can't report a failure; it fails only if nobody listens.
		_ = s.conn.call(ctx, kindText, textCall{Cell: cell, Err: toErr, Text: text}, nil)
		return
	}
	defer s.print.Unlock()
	f := s.stdout
	if toErr {
		f = s.stderr
	}
	if toErr != s.onErr {
		// The two streams are two pipes: drain one before using the other.
		s.onErr = toErr
		_ = s.conn.call(context.Background(), kindFlush, nil, nil)
	}
	_, _ = f.WriteString(text)
}

// growStack grows the goroutine's stack at once to the size that compiling a cell needs. Otherwise
// the runtime would double the stack, and move all frames, several times.
//
//go:noinline
func growStack() byte {
	var room [14 << 10]byte
	return room[len(os.Args)]
}
