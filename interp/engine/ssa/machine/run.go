package machine

import (
	"context"
	"os"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"
	"weak"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/ssa/goroutine"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
)

// Run is one run of a cell, with all goroutines that it has started.
type Run struct {
	M      *Machine
	Number int           // number of the cell; 0 if it is not known
	most   int           // limit on the nesting of calls
	Done   reflect.Value // a chan struct{}, closed when the run has to stop; invalid outside cells

	main     atomic.Pointer[Thread] // thread of the first goroutine, while it runs
	mu       sync.Mutex
	threads  map[*Thread]struct{}
	spare    []*Thread
	stopping atomic.Bool       // the threads of the run get their request to stop with the lock held
	hard     atomic.Bool       // set with the lock held
	quiet    bool              // no debugger stops it
	recovers string            // where its first function, which is compiled, recovers panics; "" if it recovers none
	exit     chan *engine.Exit // os.Exit was called by a goroutine other than the first
	answered chan struct{}
	answer   sync.Once
	closed   chan struct{}
}

func newRun(m *Machine, number int) *Run {
	r := &Run{M: m, Number: number, most: m.Hooks.MaxDepth, threads: map[*Thread]struct{}{}, exit: make(chan *engine.Exit, 1),
		answered: make(chan struct{}), closed: make(chan struct{})}
	r.Done = reflect.ValueOf(r.closed)
	return r
}

// outside reports whether the run executes code outside any cell. Such a run can't be interrupted.
func (r *Run) outside() bool { return !r.Done.IsValid() }

// NewThread returns a thread for a goroutine of the run.
func (r *Run) NewThread() *Thread {
	r.mu.Lock()
	defer r.mu.Unlock()
	var th *Thread
	if n := len(r.spare); n > 0 {
		th = r.spare[n-1]
		r.spare = r.spare[:n-1]
	} else {
		th = newThread(r)
	}
	th.id.Store(r.M.ids.Add(1)) // a list of threads may still contain one that is reused
	if d := r.M.debugging.Load(); d != nil {
		d.begun(th)
	}
	th.yields.Store(false)
	th.Bound.Store(th.firstBound())
	if r.stopping.Load() {
		th.Bound.Store(-1)
	}
	if len(r.threads) == 0 {
		r.M.Running.add(r)
	}
	r.threads[th] = struct{}{}
	r.M.joinCrowd(th)
	return th
}

// dropThread releases the thread of a goroutine that has ended.
func (r *Run) dropThread(th *Thread) {
	th.unwind(0)
	if d := r.M.debugging.Load(); d != nil {
		d.ended(th)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.threads, th)
	r.M.leaveCrowd(th)
	if len(r.threads) == 0 {
		r.M.Running.remove(r)
	}
	th.panics, th.next, th.failed, th.final, th.stoppedAt, th.grace, th.exits = nil, nil, nil, nil, nil, 0, false
	th.untidy.Store(false)
	th.deep.Store(false)
	th.due.Store(0)
	th.halt.Store(false)
	th.hot.Store(false)
	th.watched.Store(false)
	if !r.stopping.Load() && len(r.spare) < 16 {
		r.spare = append(r.spare, th)
	}
}

// stop tells all goroutines of the run to end.
func (r *Run) stop(hard bool) {
	first := !r.stopping.Swap(true) // before the lock: goroutines that start others need it, too
	r.mu.Lock()
	defer r.mu.Unlock()
	if first {
		close(r.closed)
	}
	if hard {
		r.hard.Store(true)
	}
	for th := range r.threads {
		th.Bound.Store(-1)
	}
}

// check is called when the depth of a thread exceeds the thread's bound. next is the block that the
// innermost call is about to enter, or nil if the call is not between two blocks.
func (th *Thread) check(next *Block) {
	r := th.Run
	if th.Bound.Load() <= sampledBound && int(th.Depth) <= r.most && th.Depth%deepStep != 0 {
		th.sample(false)
		return
	}
	th.yieldIfAsked()
	th.answerTidy()
	if th.final != nil && th.grace == 0 {
		panic(th.final)
	}
	if r.stopping.Load() && (th.grace == 0 || r.hard.Load()) {
		r.yield()
		r.answer.Do(func() { close(r.answered) })
		th.next = next
		th.stopNow()
	}
	tooDeep := int(th.Depth) > r.most || th.failed == nil && th.isDeep()
	if tooDeep {
		th.failed = &overflow{function: th.innermost(), depth: int(th.Depth), trace: th.Trace()}
		th.Bound.Store(-1)
	}
	if tooDeep || th.failed != nil && th.grace == 0 {
		if r.outside() {
			panic(th.failed) // the goroutine is the session's
		}
		// Compiled code recovers panics. If each of a hundred thousand calls raised this one again,
		// the runtime would walk all of them each time.
		runtime.Goexit()
	}
	th.keepRunning()
}

// keepRunning resets the bound of a thread that has checked for interrupts and found none. It takes
// no lock: see crowd.go. Another goroutine that makes a request to the thread first records the
// request, then sets the bound. If it does so while keepRunning runs, keepRunning sees the request.
func (th *Thread) keepRunning() {
	for !th.isAsked() {
		bound := th.nextBound()
		th.Bound.Store(bound)
		if th.isAsked() {
			th.Bound.Store(-1)
		} else if th.nextBound() == bound {
			return
		}
	}
}

// isAsked reports whether the thread has something to do at its next poll.
func (th *Thread) isAsked() bool {
	return th.Run.stopping.Load() || th.untidy.Load() || th.deep.Load() || th.yields.Load() || th.failed != nil || th.final != nil
}

// resetBound lets a thread that has not been told to stop continue.
func (th *Thread) resetBound() {
	th.Run.mu.Lock()
	defer th.Run.mu.Unlock()
	if !th.Run.stopping.Load() && th.final == nil {
		th.Bound.Store(th.nextBound())
	}
}

// overflow is the panic value when a recursion is too deep, which ends a Go program.
type overflow struct {
	function string
	depth    int
	trace    []Traced
}

func (o *overflow) Error() string { return "stack overflow" }
func (*overflow) RuntimeError()   {}

// Run runs a cell: functions without parameters and results, one after the other.
func (m *Machine) Run(ctx context.Context, number int, functions ...*Function) error {
	return newRun(m, number).run(ctx, calls(functions))
}

// Evaluate is like Run, for code that no debugger stops.
func (m *Machine) Evaluate(ctx context.Context, number int, functions ...*Function) error {
	r := newRun(m, number)
	r.quiet = true
	return r.run(ctx, calls(functions))
}

// Call runs a compiled function as Run runs a cell: interpreted code that it calls can be stopped
// and may exit or panic. No debugger stops that code. If compiled code in f recovers a panic, the
// hook for recovered panics gets the panic and where, unless where is "".
func (m *Machine) Call(ctx context.Context, number int, where string, f func()) error {
	r := newRun(m, number)
	r.quiet, r.recovers = true, where
	if where != "" {
		r.most = min(r.most, methodDepth) // a String method that formats its receiver calls itself
	}
	return r.run(ctx, func(*Thread) { f() })
}

// calls returns a function that calls functions one after the other.
func calls(functions []*Function) func(*Thread) {
	return func(th *Thread) {
		for _, f := range functions {
			th.call(f)
		}
	}
}

// run runs the body of a cell on goroutines of the run.
func (r *Run) run(ctx context.Context, body func(*Thread)) error {
	finished := make(chan error, 1)
	go func() {
		var err error
		// A cell that calls runtime.Goexit has ended, but the goroutines that it started continue.
		defer func() { finished <- err }()
		growStack()
		r.first(body, &err)
	}()
	w := newWatch(r)
	defer w.Stop()
	for {
		select {
		case err := <-finished:
			select {
			case exit := <-r.exit:
				r.stop(true)
				return exit
			default:
			}
			return err
		case exit := <-r.exit:
			r.stop(true)
			return exit
		case <-w.C:
			r.M.Stir()
			if p := w.look(); p != nil {
				r.end(finished)
				return p
			}
		case <-ctx.Done():
			return &engine.Stopped{Cause: context.Cause(ctx), Stack: r.end(finished)}
		}
	}
}

// growStack grows the goroutine's stack to the size that compiling and running a cell needs.
// Otherwise the runtime would double it, and move all frames, several times.
//
//go:noinline
func growStack() byte {
	var room [14 << 10]byte
	return room[len(os.Args)]
}

// first runs the body of the cell: its initialization and its entry. It sets the error even if the
// body does not return.
func (r *Run) first(body func(*Thread), err *error) {
	th := r.NewThread()
	th.enterGoroutine()
	r.main.Store(th)
	r.M.firsts.Add(1)
	done := false
	defer func() {
		defer r.M.firsts.Add(-1)
		if !done {
			if v := th.ending(recover()); v != nil { // otherwise runtime.Goexit was called
				*err = r.result(th, v)
			}
		}
		th.leaveGoroutine()
		r.dropThread(th)
	}()
	body(th)
	if th.Bound.Load() < 0 {
		th.check(nil) // compiled code may have recovered the panic that ends the cell
	}
	done = true
}

// ending returns the value with which a goroutine has ended: the panic that the goroutine's root
// has recovered, or the overflow that has ended the goroutine by runtime.Goexit. Compiled code may
// have converted a panic that ends the program to another one.
func (th *Thread) ending(r any) any {
	switch {
	case th.failed != nil:
		return th.failed
	case th.final != nil:
		return th.final
	}
	return r
}

// call calls a function without parameters and results.
func (th *Thread) call(f *Function) {
	code := f.Code.Load()
	fp := th.enter(code)
	code.Run(th, fp)
	th.leave(fp)
}

// result returns the error of a cell that a panic or an overflow ended.
func (r *Run) result(th *Thread, v any) error {
	switch v := v.(type) {
	case StopSignal:
		trace := th.current(v).stop().trace
		if th.stoppedAt != nil { // compiled code may have recovered that panic
			trace = th.stoppedAt
		}
		return &engine.Stopped{Cause: context.Canceled, Stack: Frames(trace)}
	case ExitSignal:
		return v.Exit
	case *engine.Refusal:
		return v
	}
	return th.PanicError(v)
}

// GoroutineEnded handles the end of a goroutine, other than the first one, that did not return.
func (r *Run) GoroutineEnded(th *Thread, v any) {
	switch v := v.(type) {
	case nil, StopSignal:
		return
	case ExitSignal:
		select {
		case r.exit <- v.Exit:
		default:
		}
		return
	}
	if hook := r.M.Hooks.GoPanic; hook != nil {
		hook(r.Number, th.PanicError(v))
	}
}

// Replace sets the code of an earlier function to the code of f. It does the same for the functions
// that the earlier function has replaced.
func (f *Function) Replace(old *Function) {
	f.M.mu.Lock()
	defer f.M.mu.Unlock()
	f.replaced = append(append(f.replaced, weak.Make(old)), old.replaced...)
	old.replaced = nil
	f.replaced = slices.DeleteFunc(f.replaced, func(w weak.Pointer[Function]) bool {
		g := w.Value()
		if g != nil {
			g.Code.Store(f.Code.Load())
		}
		return g == nil
	})
	f.M.forgetNatives()
}

// enterGoroutine registers the thread with its goroutine, where calls from compiled code find it.
func (th *Thread) enterGoroutine() {
	th.g.Store(goroutine.ID())
	goroutine.SetLocal(&th.local)
}

func (th *Thread) leaveGoroutine() {
	th.g.Store(0)
	goroutine.SetLocal(nil)
}

// Thread returns the thread of the running goroutine, or nil if it does not run interpreted code.
func (m *Machine) Thread() *Thread {
	if l := goroutine.GetLocal(); l != nil {
		if th := threadOf(l); th.g.Load() == goroutine.ID() {
			return th
		}
	}
	return nil
}

// threadOf returns the thread whose first field is l.
func threadOf(l *goroutine.Local) *Thread { return (*Thread)(unsafe.Pointer(l)) }

// Enter runs an interpreted function that compiled code calls.
func (m *Machine) Enter(call *rtype.Call) {
	th := m.Thread()
	switch {
	case th == nil:
		m.enterNew(call)
	case th.wait.Load() != Running:
		th.acceptWaiting(call)
	case th.Depth == 0 && th.Run.recovers != "":
		th.acceptShown(call)
	default:
		th.accept(call)
	}
}

// acceptWaiting is like accept, for a thread whose compiled callee waits.
func (th *Thread) acceptWaiting(call *rtype.Call) {
	defer th.Await(th.GoOn())
	th.accept(call)
}

// acceptShown is like accept, for a call in which compiled code of the session shows a value. The
// compiled code recovers panics, so acceptShown reports the panics to the user.
func (th *Thread) acceptShown(call *rtype.Call) {
	done := false
	defer func() {
		if done {
			return
		}
		v := recover()
		if v == nil {
			return // runtime.Goexit continues
		}
		switch v.(type) {
		case StopSignal, ExitSignal, FatalError, engine.NoRoom:
		default:
			if hook := th.Run.M.Hooks.Recovered; hook != nil {
				hook(th.Run.Number, th.Run.recovers, th.PanicError(v))
			}
		}
		th.unwind(0)
		panic(v)
	}()
	th.accept(call)
	done = true
}

// enterNew is like Enter, for a goroutine that compiled code has started.
func (m *Machine) enterNew(call *rtype.Call) {
	var parent *Thread
	if l := goroutine.GetLocal(); l != nil {
		parent = threadOf(l)
	}
	// The goroutine belongs to the cell that called that code.
	r := m.background
	if parent != nil {
		r = parent.Run
	}
	ended := m.world.Outside(call.OnStack())
	th := r.NewThread()
	if m.crowd.looking.Load() {
		// The thread was not known until now, so nothing has made it yield. Without a yield, it
		// would compute for a whole time slice before other threads get their first turn.
		th.yields.Store(true)
		th.Bound.Store(-1)
	}
	th.enterGoroutine()
	done := false
	defer func() {
		var leave func()
		if !done {
			leave = ended(call.OnStack(), r, th, th.ending(recover()))
		}
		th.g.Store(0)
		if parent != nil {
			goroutine.SetLocal(&parent.local)
		} else {
			goroutine.SetLocal(nil)
		}
		r.dropThread(th)
		if leave != nil {
			leave()
		}
	}()
	th.accept(call)
	done = true
}

// accept runs a call on the thread of its goroutine.
func (th *Thread) accept(call *rtype.Call) {
	if th.Bound.Load() < 0 {
		th.check(nil)
	}
	f := (*Function)(call.Func())
	code := f.Code.Load()
	s := th.StackOf(code)
	fp := s.Push(th)
	for i := range f.Sig.Params {
		call.Arg(i, unsafe.Add(fp, f.Sig.Params[i].Off))
	}
	if len(code.Captured) > 0 {
		code.SetCaptured(fp, call.Env())
	}
	Head(fp).Rec, th.passing = th.passing, nil
	code.runCallback(th, fp)
	Head(fp).Rec = nil
	for i := range f.Sig.Results {
		call.SetResult(i, unsafe.Add(fp, f.Sig.Results[i].Off))
	}
	s.Pop(th, fp)
}

// Stdout writes the output of the cell. Package fmt may have recovered the panic that ends the
// goroutine, and may print that panic. Code that has to end must not print any more.
func (r *Run) Stdout(b []byte) {
	r.M.checkHere()
	if hook := r.M.Hooks.Stdout; hook != nil {
		hook(r.Number, b)
		return
	}
	os.Stdout.Write(b)
}

// Stderr is like Stdout, for standard error.
func (r *Run) Stderr(b []byte) {
	r.M.checkHere()
	if hook := r.M.Hooks.Stderr; hook != nil {
		hook(r.Number, b)
		return
	}
	os.Stderr.Write(b)
}

// checkHere ends the running goroutine if it runs interpreted code that has been told to stop.
func (m *Machine) checkHere() {
	if th := m.Thread(); th != nil && th.Bound.Load() < 0 {
		th.check(nil)
	}
}

// AfterCompiled must follow a call of a compiled function from the frame of h. It has only one
// comparison so that it can be inlined: the bound is negative for code that has to stop.
func AfterCompiled(h *Header) {
	if h.Thread.Depth > min(h.depth, h.Thread.Bound.Load()) {
		comeBack(h)
	}
}

// comeBack restores the depth of the thread after a compiled function has recovered a panic of
// interpreted code that it called. comeBack ends code that got a stop request during the call.
func comeBack(h *Header) {
	th := h.Thread
	if th.Depth > h.depth && h.stack != nil {
		th.unwind(h.depth)
	}
	switch bound := th.Bound.Load(); {
	case bound <= sampledBound:
		th.sample(true)
	case bound < 0:
		th.check(nil)
	}
}
