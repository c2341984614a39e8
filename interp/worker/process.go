package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// pipesFlag is the argument that names the evaluator's pipes.
const pipesFlag = "--pipes"

// process is one evaluator process from the view of the kernel process.
type process struct {
	mark string // mark in the environment of the processes that the evaluator starts
	cmd  *exec.Cmd
	conn *conn

	stdout, stderr *pump
	crash          *crashFilter
	event          func(json.RawMessage) // receives events of its debugger
	peer           Peer                  // handles its requests to another evaluator; may be nil
	drop           atomic.Bool           // whether to discard text that is older than an interrupt

	mu      sync.Mutex
	outs    map[uint32]evaluator.Output // outputs of cells by their number here
	order   []uint32
	current evaluator.Output // receives text
	reaped  bool
	code    []evaluator.MachineCode // JIT-compiled code

	ready  chan struct{} // closed when the session is open
	dead   chan struct{} // closed when the process has ended, after err and advice are set
	err    error         // why it ended
	advice []string      // lines that help to avoid that
	used   bool          // it has received a cell or an expression; guarded by the client
	told   bool          // a cell has failed with err; guarded by the client
	cells  []int         // the numbers of the cells that it ran; guarded by the client
	stop   atomic.Pointer[evaluator.Error]
}

// keepOutputs is the number of cells remembered for late output.
const keepOutputs = 1024

// startProcess starts an evaluator. It can be used once ready is closed.
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
		feed.Close() // reads of standard input return EOF
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
		if _, err := requestsHere.Write(t[:]); err != nil { // the token fits in the pipe
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

// markVar is the environment variable that identifies the programs started by an evaluator.
const markVar = "GOKERNEL_SESSION"

// run serves the process until it ends.
func (p *process) run(cleanup func()) {
	var texts sync.WaitGroup
	texts.Go(p.stdout.run)
	texts.Go(p.stderr.run)
	err := p.conn.serve(p.handle)
	// serve returns when the evaluator has ended, has closed its end of the pipe or has sent
	// something that is not a message. Kill the evaluator's group before waiting for the evaluator,
	// while its process ID can't be reused.
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
	case <-time.After(time.Second): // a process that left the group keeps them open
	}
	p.stdout.drain()
	p.stderr.drain()
	cleanup()
	last := p.crash.last()
	reason := cause(last, p.cmd.ProcessState)
	p.advice = advice(reason, p.codeAt(crashPC(last)))
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

// codeAt returns the JIT-compiled code at an address, or nil.
func (p *process) codeAt(pc uint64) *evaluator.MachineCode {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.code {
		if c := &p.code[i]; c.Start <= pc && pc < c.End {
			return c
		}
	}
	return nil
}

// text handles text that the evaluator printed.
func (p *process) text(isErr bool, text string) {
	if p.drop.Load() {
		return
	}
	p.mu.Lock()
	out := p.current
	p.mu.Unlock()
	if out == nil {
		return // printed before the first cell, for example by the runtime's debug settings
	}
	if isErr {
		out.Stderr(text)
	} else {
		out.Stdout(text)
	}
}

// drain forwards all text written so far.
func (p *process) drain() {
	p.stdout.drain()
	p.stderr.drain()
	p.crash.release()
}

// adopt sets the output for text, and remembers it as the output of cell id.
func (p *process) adopt(id uint32, out evaluator.Output) {
	p.drain() // existing text belongs to the previous cell
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
	return nil, fmt.Errorf("worker: the cell that displayed this output ended more than %d cells ago", keepOutputs)
}

// handle handles the evaluator's calls.
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
			return nil, errors.New("worker: this frontend has no comms")
		}
		return nil, c.Comm(m.Message)
	case kindDebugEvent:
		p.event(f.body)
		return nil, nil
	case kindCode:
		var c evaluator.MachineCode
		if err := decodeAnswer(f, &c); err != nil {
			return nil, err
		}
		p.mu.Lock()
		old := func(c2 evaluator.MachineCode) bool { return c2.Start < c.End && c.Start < c2.End }
		p.code = append(slices.DeleteFunc(p.code, old), c) // code at these addresses was freed
		p.mu.Unlock()
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
		p.end(newError(nameLost, fmt.Sprintf("the evaluator uses version %d of the pipe's protocol, but the kernel uses version %d: restart the kernel", h.Protocol, protocolVersion)))
	default:
		close(p.ready)
	}
	return nil
}

// end kills the process. The running cell fails with the error why.
func (p *process) end(why *evaluator.Error) {
	p.stop.CompareAndSwap(nil, why)
	p.kill()
}

// kill ends the process and the processes it has started, unless it has already done so: its ID may
// then belong to another process.
func (p *process) kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.reaped {
		killGroup(p.cmd.Process)
	}
}
