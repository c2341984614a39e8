package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os/exec"
	"slices"
	"sync"
	"time"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// Options configures how a Client starts and supervises its evaluator.
type Options struct {
	// Args contains the arguments with which this program calls Serve, such as {"evaluator"}. The
	// client appends the pipes.
	Args []string
	// Program is the program to start. If it is empty, the client starts the running program.
	Program string
	// Dir and Env apply to the evaluator; if empty or nil, it inherits the values of this process.
	Dir string
	Env []string
	// Start starts the evaluator's process. If it is nil, the client calls (*exec.Cmd).Start.
	Start func(*exec.Cmd) error
	// Grace is the maximum time that a cell may take to stop after the evaluator has acknowledged
	// the interrupt. After that, the evaluator is replaced, unless it computes and has had less CPU
	// time than this, because the machine is busy: then it gets up to four times as long. 0 means
	// 3 s.
	Grace time.Duration
	// Checkpoint is the file to which the evaluator writes the values of variables; it may
	// be "".
	Checkpoint string
	// Peer handles the evaluator's requests to another evaluator; it may be nil.
	Peer Peer
	// Log receives messages for operators; if it is nil, nothing is logged.
	Log *slog.Logger
}

// Peer handles a message of package far and returns the reply.
type Peer func(ctx context.Context, message []byte) ([]byte, error)

const (
	defaultGrace = 3 * time.Second
	// unheard is the factor by which the grace period is longer for an evaluator that has not even
	// acknowledged the interrupt.
	unheard = 4
	// doubleClick is the interval within which two interrupts count as one.
	doubleClick = 100 * time.Millisecond
	// maxStarts is the maximum number of restarts, without a new cell, of an evaluator that dies
	// before it has run anything.
	maxStarts = 3
	// closeGrace is the maximum time for the session to close.
	closeGrace = 500 * time.Millisecond
)

// Client is the kernel's side of a session in another process. The session survives the end of that
// process, but its variables do not. The methods are safe for concurrent use; cells run one at a
// time.
type Client struct {
	opts    Options
	command func() *exec.Cmd

	eval sync.Mutex // held while a cell or an expression runs

	mu       sync.Mutex
	proc     *process
	startErr error
	failed   int      // consecutive starts that did not open a session
	lost     *process // the last evaluator, if it has ended and no cell has reported it
	running  *run
	lastCell uint32
	closed   bool
	replaced chan struct{} // closed and renewed when proc changes
	events   func(json.RawMessage)
}

// run is a running cell.
type run struct {
	id      uint32
	abort   context.CancelFunc // ends the wait for an evaluator
	proc    *process           // nil while it waits for a process
	grace   *time.Timer
	first   time.Time // time of the first interrupt
	pending sync.WaitGroup
}

// Start starts the evaluator and returns at once. Requests wait until the evaluator is ready.
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

// startLocked starts an evaluator that replaces the last one.
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

// watch replaces p after it ends.
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
			c.failed++ // nothing is lost, but the process may die repeatedly
			break
		}
		c.failed = 0
		if !p.told && (c.running == nil || c.running.proc != p) {
			c.lost = p
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
	return newError(nameLost, "the evaluator cannot run cells, because it ended at its start: "+p.err.Error())
}

// ready waits for an evaluator with an open session.
func (c *Client) ready(ctx context.Context) (*process, error) {
	for {
		c.mu.Lock()
		if c.closed {
			c.mu.Unlock()
			return nil, errors.New("worker: the session is closed")
		}
		if c.proc == nil { // given up before; there is a new request, so try again
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

// Eval runs one cell. If the cell fails, the error is a *evaluator.Error, even if the evaluator
// died. When ctx ends, the cell is interrupted.
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

// Expression evaluates one expression, which frontends request after a cell, and returns its value.
func (c *Client) Expression(ctx context.Context, code string) (display.Bundle, error) {
	var reply wireBundle
	err := c.run(ctx, nil, 0, func(ctx context.Context, p *process, id uint32) error {
		return p.conn.call(ctx, kindExpression, evalCall{ID: id, Cell: evaluator.Cell{Code: code}}, &reply)
	})
	return reply.bundle(), err
}

// Comm forwards a message of the frontend, even while a cell runs.
func (c *Client) Comm(ctx context.Context, m display.CommMessage) (evaluator.CommReply, error) {
	var reply evaluator.CommReply
	err := c.ask(ctx, kindMessage, m, &reply)
	return reply, err
}

// Callbacks runs the functions that messages have queued, as Eval runs a cell.
func (c *Client) Callbacks(ctx context.Context, out evaluator.Output) error {
	return c.run(ctx, out, 0, func(ctx context.Context, p *process, id uint32) error {
		return p.conn.call(ctx, kindCallbacks, evalCall{ID: id}, nil)
	})
}

// Debug forwards a request of a debugging frontend, even while a cell runs.
func (c *Client) Debug(ctx context.Context, request json.RawMessage) (json.RawMessage, error) {
	var response json.RawMessage
	err := c.ask(ctx, kindDebug, request, &response)
	return response, err
}

// Far forwards a message of another evaluator, in the form of package far, even while a cell runs.
func (c *Client) Far(ctx context.Context, message []byte) ([]byte, error) {
	var reply json.RawMessage
	err := c.ask(ctx, kindFar, json.RawMessage(message), &reply)
	return reply, err
}

// DebugEvents sets the function that receives the events of the debugger.
func (c *Client) DebugEvents(take func(event json.RawMessage)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.events = take
}

// event forwards an event of the evaluator's debugger.
func (c *Client) event(e json.RawMessage) {
	c.mu.Lock()
	take := c.events
	c.mu.Unlock()
	if take != nil {
		take(e)
	}
}

// run makes one call that runs the user's code. If out is nil, output belongs to the previous cell.
// The number is the number of the cell, or 0 if there is none.
func (c *Client) run(ctx context.Context, out evaluator.Output, number int, call func(context.Context, *process, uint32) error) error {
	c.eval.Lock()
	defer c.eval.Unlock()
	waitCtx, cancel := context.WithCancel(ctx)
	defer cancel()
	c.mu.Lock()
	lost := c.lost
	c.lost = nil
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
	if lost != nil {
		lines := slices.Concat(lost.advice, c.whatIsLost(lost.cells), []string{"This cell was not run."})
		return newError(nameLost, "the evaluator ended after the last cell: "+lost.err.Error(), lines...)
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
	// An interrupt is a separate call; this call still waits for its reply, the error with its
	// position.
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

// begin assigns r to the evaluator that is about to run it.
func (c *Client) begin(ctx context.Context, r *run, p *process) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	r.proc = p
	p.used = true
	p.drop.Store(false)
	return ctx.Err()
}

// lostError explains why the cell that ran in p failed, and records that the user knows.
func (c *Client) lostError(p *process) error {
	c.mu.Lock()
	p.told = true
	cells := p.cells
	c.mu.Unlock()
	if why := p.stop.Load(); why != nil {
		return why
	}
	lines := append([]string{"The evaluator process ended while this cell ran."}, p.advice...)
	return newError(nameLost, p.err.Error(), append(lines, c.whatIsLost(cells)...)...)
}

// Interrupt stops the running cell. It first asks the evaluator to stop it. If the cell has not
// stopped after the grace period, or if Interrupt is called again, the evaluator is replaced.
func (c *Client) Interrupt() {
	c.mu.Lock()
	r := c.running
	c.mu.Unlock()
	if r != nil {
		c.interrupt(r, true)
	}
}

// interrupt stops r: gently the first time, and by force if it is called again and force is true.
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
		pid := r.proc.cmd.Process.Pid
		used := cpuTime(pid)
		force := func(after time.Duration) *time.Timer {
			latest := r.first.Add(max(after, unheard*c.opts.Grace))
			before, window := used, after
			var timer *time.Timer
			timer = time.AfterFunc(after, func() {
				c.mu.Lock()
				defer c.mu.Unlock()
				if c.running != r {
					return
				}
				if now := cpuTime(pid); waitsForCPU(now-before, window, now-used, after) && time.Now().Before(latest) {
					before, window = now, after/4
					timer.Reset(window)
					return
				}
				waited := time.Since(r.first).Round(time.Second / 10)
				r.proc.end(newError(nameInterrupted, fmt.Sprintf("the cell did not stop within %v and was ended by force", max(after, waited)), gone...))
			})
			return timer
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

// waitsForCPU reports whether a process is likely to stop if it gets more CPU time. recent is the
// CPU time that it has used in the window, total the CPU time since the interrupt. Such a process
// computes, but the machine is busy.
func waitsForCPU(recent, window, total, grace time.Duration) bool {
	return total < grace && recent > window/50
}

// interrupt asks the session to stop its cell. The client discards what the cell printed before it
// received the interrupt, up to the evaluator's call of kind stale. It keeps what the cell prints
// after that.
func (p *process) interrupt(id uint32) {
	// An error means that the process has ended, which the cell's own call reports.
	_ = p.conn.call(context.Background(), kindInterrupt, interruptCall{ID: id}, nil)
}

// Complete returns the completions at the cursor, a byte offset.
func (c *Client) Complete(ctx context.Context, code string, cursor int) (evaluator.Completion, error) {
	var reply evaluator.Completion
	err := c.ask(ctx, kindComplete, codeQuery{Code: code, Cursor: cursor}, &reply)
	return reply, err
}

// Inspect returns the documentation of the name at the cursor, a byte offset, or false if there is
// none.
func (c *Client) Inspect(ctx context.Context, code string, cursor, detail int) (display.Bundle, bool, error) {
	var reply inspectReply
	err := c.ask(ctx, kindInspect, codeQuery{Code: code, Cursor: cursor, Detail: detail}, &reply)
	if err != nil || !reply.Found {
		return display.Bundle{}, false, err
	}
	return reply.Bundle.bundle(), true, nil
}

// IsComplete reports whether code is a whole cell. If the evaluator can't answer, the status is
// unknown.
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

// Pid returns the process ID of the evaluator, or 0 if there is none.
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
