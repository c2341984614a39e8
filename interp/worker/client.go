package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os/exec"
	"sync"
	"time"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// Options tell how a Client starts and supervises its evaluator.
type Options struct {
	// Args are the arguments with which this program calls Serve, such as
	// {"evaluator"}. The pipes are appended.
	Args []string
	// Program is the program to start; empty means the running one.
	Program string
	// Dir and Env are the evaluator's; empty and nil mean those of this process.
	Dir string
	Env []string
	// Start starts the evaluator's process; nil means (*exec.Cmd).Start.
	Start func(*exec.Cmd) error
	// Grace is how long a cell may take to stop, after the evaluator has answered the
	// interrupt, before the evaluator is replaced; 0 means 3 s.
	Grace time.Duration
	// Checkpoint is the file to which the evaluator writes the values of variables; it may
	// be "".
	Checkpoint string
	// Peer takes what the evaluator asks of another evaluator; it may be nil.
	Peer Peer
	// Log takes what an operator wants to know; nil means nothing is logged.
	Log *slog.Logger
}

// Peer takes a message of package far and returns the reply.
type Peer func(ctx context.Context, message []byte) ([]byte, error)

const (
	defaultGrace = 3 * time.Second
	// unheard is how many times the grace an evaluator has that has not even answered the
	// interrupt.
	unheard = 4
	// doubleClick is how close two interrupts must be to count as one.
	doubleClick = 100 * time.Millisecond
	// maxStarts is how often an evaluator that dies before it has run anything
	// is started again without a cell asking for it.
	maxStarts = 3
	// closeGrace is how long the session may take to close.
	closeGrace = 500 * time.Millisecond
)

// Client is the kernel's side: a session that is evaluated in another process,
// and survives that process, although its variables do not. Its methods are
// safe for concurrent use; cells run one at a time.
type Client struct {
	opts    Options
	command func() *exec.Cmd

	eval sync.Mutex // held while a cell or an expression runs

	mu        sync.Mutex
	proc      *process
	startErr  error
	failed    int    // starts in a row that did not come to a session
	lost      string // why the last evaluator ended, when no cell has been told
	lostCells []int  // the cells that it had run
	running   *run
	lastCell  uint32
	closed    bool
	replaced  chan struct{} // closed and renewed when proc changes
	events    func(json.RawMessage)
}

// run is a cell that is running.
type run struct {
	id      uint32
	abort   context.CancelFunc // ends the wait for an evaluator
	proc    *process           // nil while waiting for one
	grace   *time.Timer
	first   time.Time // of the first interrupt
	pending sync.WaitGroup
}

// Start starts the evaluator and returns at once; what is asked of it waits
// until it is ready.
func Start(opts Options) (*Client, error) {
	if opts.Grace == 0 {
		opts.Grace = defaultGrace
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	if opts.Start == nil {
		opts.Start = (*exec.Cmd).Start
	}
	program := opts.Program
	if program == "" {
		var err error
		if program, err = executable(); err != nil {
			return nil, fmt.Errorf("worker: cannot find this program's file: %w", err)
		}
	}
	c := &Client{opts: opts, replaced: make(chan struct{})}
	c.command = func() *exec.Cmd {
		cmd := exec.Command(program, opts.Args...)
		cmd.Dir, cmd.Env = opts.Dir, opts.Env
		return cmd
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.startLocked(); c.startErr != nil {
		return nil, c.startErr
	}
	return c, nil
}

// startLocked starts an evaluator instead of the last one.
func (c *Client) startLocked() {
	p, err := startProcess(c.command, c.opts.Start, c.event, c.opts.Peer)
	c.proc, c.startErr = p, err
	close(c.replaced)
	c.replaced = make(chan struct{})
	if err != nil {
		c.opts.Log.Error("evaluator did not start", "err", err)
		return
	}
	c.opts.Log.Debug("evaluator started", "pid", p.cmd.Process.Pid)
	go c.watch(p)
}

// watch replaces p when it has ended.
func (c *Client) watch(p *process) {
	<-p.dead
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return
	}
	select {
	case <-p.ready:
		if !p.used {
			c.failed++ // nothing is lost, but it may die again and again
			break
		}
		c.failed = 0
		if !p.told && (c.running == nil || c.running.proc != p) {
			c.lost, c.lostCells = p.err.Error(), p.cells
		}
	default:
		c.failed++
	}
	c.opts.Log.Info("evaluator ended", "pid", p.cmd.Process.Pid, "cause", p.err)
	if c.failed >= maxStarts {
		c.proc, c.startErr = nil, startFailure(p)
		close(c.replaced)
		c.replaced = make(chan struct{})
		return
	}
	c.startLocked()
}

func startFailure(p *process) error {
	if why := p.stop.Load(); why != nil {
		return why
	}
	return newError(nameLost, "the evaluator ends before it has run a cell: "+p.err.Error())
}

// ready waits for an evaluator with a session.
func (c *Client) ready(ctx context.Context) (*process, error) {
	for {
		c.mu.Lock()
		if c.closed {
			c.mu.Unlock()
			return nil, errors.New("worker: the session is closed")
		}
		if c.proc == nil { // given up; somebody asks again, so try again
			err := c.startErr
			c.failed = maxStarts - 1
			c.startLocked()
			if c.proc == nil {
				err = c.startErr
			}
			c.mu.Unlock()
			return nil, err
		}
		p, replaced := c.proc, c.replaced
		c.mu.Unlock()
		select {
		case <-p.ready:
			select {
			case <-p.dead: // being replaced
			default:
				return p, nil
			}
		case <-replaced:
			continue
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		select {
		case <-replaced:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Eval runs one cell. Its error is a *evaluator.Error when the cell failed, also when
// that took the evaluator along. When ctx ends, the cell is interrupted.
func (c *Client) Eval(ctx context.Context, cell evaluator.Cell, out evaluator.Output) (evaluator.Result, error) {
	var reply resultReply
	err := c.run(ctx, out, cell.Number, func(ctx context.Context, p *process, id uint32) error {
		return p.conn.call(ctx, kindEval, evalCall{ID: id, Cell: cell}, &reply)
	})
	if err != nil {
		return evaluator.Result{}, err
	}
	if reply.Value == nil {
		return evaluator.Result{}, nil
	}
	b := reply.Value.bundle()
	return evaluator.Result{Value: &b}, nil
}

// Expression evaluates one expression for its value, as frontends ask for
// after a cell.
func (c *Client) Expression(ctx context.Context, code string) (display.Bundle, error) {
	var reply wireBundle
	err := c.run(ctx, nil, 0, func(ctx context.Context, p *process, id uint32) error {
		return p.conn.call(ctx, kindExpression, evalCall{ID: id, Cell: evaluator.Cell{Code: code}}, &reply)
	})
	return reply.bundle(), err
}

// Comm hands over a message of the frontend, also while a cell runs.
func (c *Client) Comm(ctx context.Context, m display.CommMessage) (evaluator.CommReply, error) {
	var reply evaluator.CommReply
	err := c.ask(ctx, kindMessage, m, &reply)
	return reply, err
}

// Callbacks runs what messages have made wait, as Eval runs a cell.
func (c *Client) Callbacks(ctx context.Context, out evaluator.Output) error {
	return c.run(ctx, out, 0, func(ctx context.Context, p *process, id uint32) error {
		return p.conn.call(ctx, kindCallbacks, evalCall{ID: id}, nil)
	})
}

// Debug hands over a request of a debugging frontend, also while a cell runs.
func (c *Client) Debug(ctx context.Context, request json.RawMessage) (json.RawMessage, error) {
	var response json.RawMessage
	err := c.ask(ctx, kindDebug, request, &response)
	return response, err
}

// Far hands a message of another evaluator, in the form of package far, to the evaluator,
// also while a cell runs.
func (c *Client) Far(ctx context.Context, message []byte) ([]byte, error) {
	var reply json.RawMessage
	err := c.ask(ctx, kindFar, json.RawMessage(message), &reply)
	return reply, err
}

// DebugEvents sets what takes the events of the debugger.
func (c *Client) DebugEvents(take func(event json.RawMessage)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.events = take
}

// event passes on an event of the evaluator's debugger.
func (c *Client) event(e json.RawMessage) {
	c.mu.Lock()
	take := c.events
	c.mu.Unlock()
	if take != nil {
		take(e)
	}
}

// run makes one call that runs the user's code. A nil out leaves text to the
// cell before; number is the cell's, 0 if it is none.
func (c *Client) run(ctx context.Context, out evaluator.Output, number int, call func(context.Context, *process, uint32) error) error {
	c.eval.Lock()
	defer c.eval.Unlock()
	waitCtx, cancel := context.WithCancel(ctx)
	defer cancel()
	c.mu.Lock()
	lost, cells := c.lost, c.lostCells
	c.lost, c.lostCells = "", nil
	c.lastCell++
	r := &run{id: c.lastCell, abort: cancel}
	c.running = r
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.running = nil
		if r.grace != nil {
			r.grace.Stop()
		}
	}()
	if lost != "" {
		return newError(nameLost, "the evaluator ended after the last cell: "+lost, append(advice(lost), append(c.whatIsLost(cells), "This cell was not run.")...)...)
	}
	p, err := c.ready(waitCtx)
	if err == nil {
		err = c.begin(waitCtx, r, p)
	}
	if waitCtx.Err() != nil {
		return newError(nameInterrupted, "the cell was not run")
	}
	if err != nil {
		return err
	}
	if out != nil {
		p.adopt(r.id, out)
	}
	stop := context.AfterFunc(ctx, func() { c.interrupt(r, false) })
	defer stop()
	// An interrupt is a call of its own; the answer of this one, the error with
	// its position, is still waited for.
	err = call(context.WithoutCancel(ctx), p, r.id)
	if errors.Is(err, errClosed) {
		<-p.dead
		return c.lostError(p)
	}
	r.pending.Wait()
	p.drain()
	if number > 0 {
		c.mu.Lock()
		p.cells = append(p.cells, number)
		c.mu.Unlock()
	}
	switch ce := (*evaluator.Error)(nil); {
	case err == nil:
		return nil
	case errors.As(err, &ce):
		return ce
	case errors.Is(err, context.Canceled):
		return newError(nameInterrupted, "the cell was stopped")
	}
	return newError("error", err.Error())
}

// begin ties r to the evaluator that is about to run it.
func (c *Client) begin(ctx context.Context, r *run, p *process) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	r.proc = p
	p.used = true
	p.drop.Store(false)
	return ctx.Err()
}

// lostError says why the cell that ran in p failed, and takes note that the
// user has been told.
func (c *Client) lostError(p *process) error {
	c.mu.Lock()
	p.told = true
	cells := p.cells
	c.mu.Unlock()
	if why := p.stop.Load(); why != nil {
		return why
	}
	lines := append([]string{"The evaluator process ended while this cell ran."}, advice(p.err.Error())...)
	return newError(nameLost, p.err.Error(), append(lines, c.whatIsLost(cells)...)...)
}

// Interrupt stops the running cell. At first it asks; when the cell has not
// stopped after the grace period, or when Interrupt is called again, the
// evaluator is replaced.
func (c *Client) Interrupt() {
	c.mu.Lock()
	r := c.running
	c.mu.Unlock()
	if r != nil {
		c.interrupt(r, true)
	}
}

// interrupt stops r: softly the first time, and by force when it is called
// again and may be so.
func (c *Client) interrupt(r *run, force bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.running != r:
	case r.proc == nil:
		r.abort()
	case r.first.IsZero():
		r.first = time.Now()
		r.proc.drop.Store(true)
		gone := c.whatIsLost(r.proc.cells)
		force := func(after time.Duration) *time.Timer {
			return time.AfterFunc(after, func() {
				r.proc.end(newError(nameInterrupted, fmt.Sprintf("the cell did not stop within %v and was ended by force", after), gone...))
			})
		}
		r.grace = force(unheard * c.opts.Grace)
		r.pending.Go(func() {
			r.proc.interrupt(r.id)
			c.mu.Lock()
			defer c.mu.Unlock()
			if c.running == r && r.grace.Stop() {
				r.grace = force(c.opts.Grace)
			}
		})
	case force && time.Since(r.first) >= doubleClick:
		r.proc.end(newError(nameInterrupted, "a second interrupt ended the cell by force", c.whatIsLost(r.proc.cells)...))
	}
}

// interrupt asks the session to stop its cell. What the cell printed before it
// was told is thrown away, up to the evaluator's call of kind stale; what it
// prints on its way out is kept.
func (p *process) interrupt(id uint32) {
	// An error means that it has ended, of which the cell's own call learns.
	_ = p.conn.call(context.Background(), kindInterrupt, interruptCall{ID: id}, nil)
}

// Complete lists what may stand at the cursor, a byte offset.
func (c *Client) Complete(ctx context.Context, code string, cursor int) (evaluator.Completion, error) {
	var reply evaluator.Completion
	err := c.ask(ctx, kindComplete, codeQuery{Code: code, Cursor: cursor}, &reply)
	return reply, err
}

// Inspect documents the name at the cursor, a byte offset; false means that
// there is none.
func (c *Client) Inspect(ctx context.Context, code string, cursor, detail int) (display.Bundle, bool, error) {
	var reply inspectReply
	err := c.ask(ctx, kindInspect, codeQuery{Code: code, Cursor: cursor, Detail: detail}, &reply)
	if err != nil || !reply.Found {
		return display.Bundle{}, false, err
	}
	return reply.Bundle.bundle(), true, nil
}

// IsComplete reports whether code is a whole cell. When the evaluator cannot
// tell, the status is unknown.
func (c *Client) IsComplete(code string) evaluator.Completeness {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	var reply evaluator.Completeness
	if err := c.ask(ctx, kindIsComplete, codeQuery{Code: code}, &reply); err != nil {
		return evaluator.Completeness{Status: "unknown"}
	}
	return reply
}

func (c *Client) ask(ctx context.Context, k kind, body, reply any) error {
	p, err := c.ready(ctx)
	if err != nil {
		return err
	}
	return p.conn.call(ctx, k, body, reply)
}

// Pid is the number of the evaluator process, 0 when there is none.
func (c *Client) Pid() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.proc == nil {
		return 0
	}
	return c.proc.cmd.Process.Pid
}

// Close ends the session and its process.
func (c *Client) Close() error {
	c.mu.Lock()
	p := c.proc
	c.closed, c.proc = true, nil
	close(c.replaced)
	c.replaced = make(chan struct{})
	c.mu.Unlock()
	if p == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeGrace)
	defer cancel()
	err := p.conn.call(ctx, kindClose, nil, nil)
	p.end(newError(nameLost, "the kernel is shutting down"))
	<-p.dead
	if errors.Is(err, errClosed) || errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}
