package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// pipesFlag is the argument that names the evaluator's pipes.
const pipesFlag = "--pipes"

// process is one evaluator process as the kernel process sees it.
type process struct {
	mark string // in the environment of what the evaluator starts
	cmd  *exec.Cmd
	conn *conn

	stdout, stderr *pump
	crash          *crashFilter
	event          func(json.RawMessage) // takes what its debugger tells
	peer           Peer                  // takes what it asks of another evaluator; may be nil
	drop           atomic.Bool           // text is thrown away: it is older than an interrupt

	mu      sync.Mutex
	outs    map[uint32]evaluator.Output // of cells, by their number here
	order   []uint32
	current evaluator.Output // where text goes
	reaped  bool

	ready chan struct{} // closed when the session is there
	dead  chan struct{} // closed when the process has ended, after err is set
	err   error         // why it ended
	used  bool          // a cell or an expression was given to it; guarded by the client
	told  bool          // a cell has failed with err; guarded by the client
	cells []int         // the numbers of the cells that it has run; guarded by the client
	stop  atomic.Pointer[evaluator.Error]
}

// keepOutputs is how many cells are remembered for output that comes late.
const keepOutputs = 1024

// startProcess starts an evaluator; it is usable when ready is closed.
func startProcess(command func() *exec.Cmd, start func(*exec.Cmd) error, event func(json.RawMessage), peer Peer) (*process, error) {
	p := &process{
		event: event,
		peer:  peer,
		outs:  make(map[uint32]evaluator.Output),
		ready: make(chan struct{}),
		dead:  make(chan struct{}),
	}
	var theirs, ours []*os.File
	closeAll := func(fs []*os.File) {
		for _, f := range fs {
			f.Close()
		}
	}
	pipe := func(childReads bool) (child, here *os.File, err error) {
		r, w, err := os.Pipe()
		if err != nil {
			return nil, nil, err
		}
		child, here = w, r
		if childReads {
			child, here = r, w
		}
		theirs, ours = append(theirs, child), append(ours, here)
		return child, here, nil
	}
	p.cmd = command()
	p.mark = fmt.Sprintf("%016x", rand.Uint64())
	p.cmd.Env = append(p.cmd.Environ(), markVar+"="+p.mark)
	err := func() error {
		stdin, feed, err := pipe(true)
		if err != nil {
			return err
		}
		feed.Close() // reading standard input finds its end
		stdout, stdoutHere, err := pipe(false)
		if err != nil {
			return err
		}
		stderr, stderrHere, err := pipe(false)
		if err != nil {
			return err
		}
		requests, requestsHere, err := pipe(true)
		if err != nil {
			return err
		}
		answers, answersHere, err := pipe(false)
		if err != nil {
			return err
		}
		p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = stdin, stdout, stderr
		if err := pass(p.cmd, requests, answers); err != nil {
			return err
		}
		t := newToken()
		if _, err := requestsHere.Write(t[:]); err != nil { // the pipe has room for it
			return err
		}
		p.conn = newConn(answersHere, requestsHere, t)
		p.crash = &crashFilter{emit: func(text string) { p.text(true, text) }}
		p.stdout = newPump(stdoutHere, func(text string) { p.text(false, text) })
		p.stderr = newPump(stderrHere, p.crash.write)
		return start(p.cmd)
	}()
	closeAll(theirs)
	if err != nil {
		closeAll(ours)
		return nil, fmt.Errorf("worker: cannot start the evaluator: %w", err)
	}
	go p.run(func() { closeAll(ours) })
	return p, nil
}

// markVar is the variable of the environment by which the programs that an evaluator
// has started are known.
const markVar = "GOKERNEL_SESSION"

// run serves the process until it ends.
func (p *process) run(cleanup func()) {
	var texts sync.WaitGroup
	texts.Go(p.stdout.run)
	texts.Go(p.stderr.run)
	err := p.conn.serve(p.handle)
	// The request pipe belongs to the evaluator alone: when it is closed, the
	// evaluator is gone or out of its mind. Its group is ended before it is
	// waited for, while its number cannot be another's.
	p.kill()
	p.mu.Lock()
	p.reaped = true
	p.mu.Unlock()
	waitErr := p.cmd.Wait()
	endStarted(p.mark)
	ended := make(chan struct{})
	go func() { texts.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(time.Second): // a process that left the group holds them open
	}
	p.stdout.drain()
	p.stderr.drain()
	cleanup()
	reason := cause(p.crash.last(), p.cmd.ProcessState)
	switch {
	case errors.Is(err, errForeign):
		p.err = err
	case err != nil:
		p.err = fmt.Errorf("%s (%w)", reason, err)
	case p.cmd.ProcessState == nil:
		p.err = waitErr
	default:
		p.err = errors.New(reason)
	}
	close(p.dead)
}

// text takes what the evaluator printed.
func (p *process) text(isErr bool, text string) {
	if p.drop.Load() {
		return
	}
	p.mu.Lock()
	out := p.current
	p.mu.Unlock()
	if out == nil {
		return // printed before the first cell: by the runtime's debug settings, say
	}
	if isErr {
		out.Stderr(text)
	} else {
		out.Stdout(text)
	}
}

// drain passes on all text written so far.
func (p *process) drain() {
	p.stdout.drain()
	p.stderr.drain()
	p.crash.release()
}

// adopt makes out the place for text, and remembers it as that of cell id.
func (p *process) adopt(id uint32, out evaluator.Output) {
	p.drain() // what is there belongs to the cell before
	p.mu.Lock()
	defer p.mu.Unlock()
	p.current = out
	p.outs[id] = out
	p.order = append(p.order, id)
	if len(p.order) > keepOutputs {
		delete(p.outs, p.order[0])
		p.order = p.order[1:]
	}
}

func (p *process) output(id uint32) (evaluator.Output, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if out := p.outs[id]; out != nil {
		return out, nil
	}
	return nil, fmt.Errorf("worker: the cell that shows this ended more than %d cells ago", keepOutputs)
}

// handle answers the evaluator's calls.
func (p *process) handle(ctx context.Context, f frame) (any, error) {
	switch f.kind {
	case kindHello:
		return nil, p.hello(f)
	case kindFlush:
		p.drain()
		return nil, nil
	case kindStale:
		p.drain()
		p.drop.Store(false)
		return nil, nil
	case kindText:
		var m textCall
		out, err := p.decode(f, &m, &m.Cell)
		if err != nil {
			return nil, err
		}
		if m.Err {
			out.Stderr(m.Text)
		} else {
			out.Stdout(m.Text)
		}
		return nil, nil
	case kindDisplay, kindUpdate, kindPage:
		var m bundleCall
		out, err := p.decode(f, &m, &m.Cell)
		if err != nil {
			return nil, err
		}
		p.drain()
		switch f.kind {
		case kindDisplay:
			return nil, out.Display(m.Bundle.bundle())
		case kindUpdate:
			return nil, out.Update(m.Bundle.bundle())
		}
		return nil, out.Page(m.Bundle.bundle())
	case kindClear:
		var m clearCall
		out, err := p.decode(f, &m, &m.Cell)
		if err != nil {
			return nil, err
		}
		p.drain()
		return nil, out.Clear(m.Wait)
	case kindNextInput:
		var m nextInputCall
		out, err := p.decode(f, &m, &m.Cell)
		if err != nil {
			return nil, err
		}
		return nil, out.SetNextInput(m.Text, m.Replace)
	case kindComm:
		var m commCall
		out, err := p.decode(f, &m, &m.Cell)
		if err != nil {
			return nil, err
		}
		c, ok := out.(display.Channel)
		if !ok {
			return nil, errors.New("worker: this front end has no comms")
		}
		return nil, c.Comm(m.Message)
	case kindDebugEvent:
		p.event(f.body)
		return nil, nil
	case kindPeer:
		if p.peer == nil {
			return nil, errors.New("worker: there is no other evaluator")
		}
		reply, err := p.peer(ctx, f.body)
		return json.RawMessage(reply), err
	case kindInput:
		var m inputCall
		out, err := p.decode(f, &m, &m.Cell)
		if err != nil {
			return nil, err
		}
		p.drain()
		return out.Input(ctx, m.Prompt, m.Password)
	}
	return nil, fmt.Errorf("worker: unknown call %d", f.kind)
}

func (p *process) decode(f frame, m any, cell *uint32) (evaluator.Output, error) {
	if err := decodeAnswer(f, m); err != nil {
		return nil, err
	}
	return p.output(*cell)
}

func (p *process) hello(f frame) error {
	var h hello
	if err := decodeAnswer(f, &h); err != nil {
		return err
	}
	switch {
	case h.Error != "":
		p.end(newError(nameLost, "the session cannot start: "+h.Error))
	case h.Protocol != protocolVersion:
		p.end(newError(nameLost, fmt.Sprintf("the evaluator speaks version %d of the pipe's protocol and the kernel version %d: restart the kernel", h.Protocol, protocolVersion)))
	default:
		close(p.ready)
	}
	return nil
}

// end kills the process; the running cell fails with why.
func (p *process) end(why *evaluator.Error) {
	p.stop.CompareAndSwap(nil, why)
	p.kill()
}

// kill ends the process and what it has started, unless that has happened: its
// number may be another's then.
func (p *process) kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.reaped {
		killGroup(p.cmd.Process)
	}
}
