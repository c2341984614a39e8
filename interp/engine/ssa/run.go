//go:build (linux || darwin) && (amd64 || arm64)

package ssa

import (
	"context"
	"go/types"
	"os"
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
)

// cellRun is one run of a cell with all goroutines that it has started.
type cellRun struct {
	engine *Engine
	cell   *cell
	most   int           // how deep calls may nest
	done   reflect.Value // of chan struct{}: closed when the run is to stop

	main     atomic.Pointer[thread] // of the first goroutine, while it runs
	mu       sync.Mutex
	threads  map[*thread]struct{}
	spare    []*thread
	stopping bool
	hard     bool
	exit     chan *engine.Exit // os.Exit was called by a goroutine other than the first
	answered chan struct{}
	answer   sync.Once
	closed   chan struct{}
}

func newRun(e *Engine, c *cell) *cellRun {
	r := &cellRun{engine: e, cell: c, most: e.maxDepth, threads: map[*thread]struct{}{}, exit: make(chan *engine.Exit, 1),
		answered: make(chan struct{}), closed: make(chan struct{})}
	if c != nil {
		r.done = reflect.ValueOf(r.closed)
	}
	return r
}

// number gives the number of the cell, 0 when it is not known.
func (r *cellRun) number() int {
	if r.cell == nil {
		return 0
	}
	return r.cell.number
}

func (r *cellRun) newThread() *thread {
	r.mu.Lock()
	defer r.mu.Unlock()
	var th *thread
	if n := len(r.spare); n > 0 {
		th = r.spare[n-1]
		r.spare = r.spare[:n-1]
	} else {
		th = newThread(r)
	}
	if r.stopping {
		th.bound.Store(-1)
	}
	if len(r.threads) == 0 {
		r.engine.running.add(r)
	}
	r.threads[th] = struct{}{}
	return th
}

// dropThread takes back the thread of a goroutine that has ended.
func (r *cellRun) dropThread(th *thread) {
	th.unwind(0)
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.threads, th)
	if len(r.threads) == 0 {
		r.engine.running.remove(r)
	}
	th.panics, th.next, th.failed, th.grace = nil, nil, nil, 0
	th.untidy.Store(false)
	th.deep.Store(false)
	if !r.stopping && len(r.spare) < 16 {
		th.bound.Store(int32(r.most))
		r.spare = append(r.spare, th)
	}
}

// stop tells all goroutines of the run to end.
func (r *cellRun) stop(hard bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.stopping {
		r.stopping = true
		close(r.closed)
	}
	r.hard = r.hard || hard
	for th := range r.threads {
		th.bound.Store(-1)
	}
}

// check is called when the depth of a thread is past its bound: between two
// blocks of the innermost call before the block next, else with nil.
func (th *thread) check(next *block) {
	th.answerTidy()
	r := th.run
	r.mu.Lock()
	stopping, hard := r.stopping, r.hard
	r.mu.Unlock()
	if stopping && (th.grace == 0 || hard) {
		r.answer.Do(func() { close(r.answered) })
		th.next = next
		panic(stopSignal{})
	}
	tooDeep := int(th.depth) > r.most || th.failed == nil && th.isDeep()
	if tooDeep {
		th.failed = &overflow{function: th.innermost(), depth: int(th.depth), trace: th.trace()}
		th.bound.Store(-1)
	}
	if tooDeep || th.failed != nil && th.grace == 0 {
		if r.cell == nil {
			panic(th.failed) // the goroutine is the session's
		}
		// Compiled code recovers panics, and where each of a hundred thousand calls
		// raises it again, the runtime walks over all of them each time.
		runtime.Goexit()
	}
	if th.failed == nil {
		th.settle()
	}
}

// settle lets a thread run on that has looked up and found nothing left to do.
func (th *thread) settle() {
	th.run.mu.Lock()
	defer th.run.mu.Unlock()
	if !th.run.stopping && !th.untidy.Load() && !th.deep.Load() {
		th.bound.Store(int32(th.run.most))
	}
}

// resetBound lets a thread run on that has not been told to stop.
func (th *thread) resetBound() {
	th.run.mu.Lock()
	defer th.run.mu.Unlock()
	if !th.run.stopping {
		th.bound.Store(int32(th.run.most))
	}
}

// overflow is the panic value of too deep a recursion, which a Go program does not
// survive.
type overflow struct {
	function string
	depth    int
	trace    []traced
}

func (o *overflow) Error() string { return "stack overflow" }
func (*overflow) RuntimeError()   {}

// Run implements engine.Code.
func (c *cell) Run(ctx context.Context) error {
	r := newRun(c.e, c)
	c.replace()
	finished := make(chan error, 1)
	go func() {
		var err error
		// A cell that calls runtime.Goexit has ended, and its goroutines go on.
		defer func() { finished <- err }()
		growStack()
		r.first(&err)
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
			if p := w.look(); p != nil {
				r.end(finished)
				return p
			}
		case <-ctx.Done():
			return &engine.Stopped{Cause: context.Cause(ctx), Stack: r.end(finished)}
		}
	}
}

// growStack gives the goroutine at once the stack that compiling and running a
// cell takes: the runtime would double it, and move all frames, several times.
//
//go:noinline
func growStack() byte {
	var room [14 << 10]byte
	return room[len(os.Args)]
}

// first runs the cell's initialization and its entry. It sets the error also where
// it does not return.
func (r *cellRun) first(err *error) {
	th := r.newThread()
	th.enterGoroutine()
	r.main.Store(th)
	r.engine.firsts.Add(1)
	done := false
	defer func() {
		defer r.engine.firsts.Add(-1)
		if !done {
			if v := th.ending(recover()); v != nil { // else runtime.Goexit was called
				*err = r.result(th, v)
			}
		}
		th.leaveGoroutine()
		r.dropThread(th)
	}()
	th.call(r.engine.function(r.cell.pkg.Func("init")))
	if r.cell.entry != nil {
		th.call(r.engine.function(r.cell.entry))
	}
	done = true
}

// ending gives what a goroutine has ended with: the panic that its root has
// recovered, or the overflow that has ended it by runtime.Goexit.
func (th *thread) ending(r any) any {
	if r == nil && th.failed != nil {
		return th.failed
	}
	return r
}

// call calls a function without parameters and results.
func (th *thread) call(f *function) {
	code := f.code.Load()
	fp := th.enter(code)
	code.run(th, fp)
	th.leave(fp)
}

// result gives the error of a cell that ended with a panic, or with an overflow.
func (r *cellRun) result(th *thread, v any) error {
	switch v := v.(type) {
	case stopSignal:
		return &engine.Stopped{Cause: context.Canceled, Stack: frames(th.current(v).stop().trace)}
	case exitSignal:
		return v.exit
	case *engine.Refusal:
		return v
	}
	return th.panicError(v)
}

// goroutineEnded is told how another goroutine than the first ended when it did
// not return.
func (r *cellRun) goroutineEnded(th *thread, v any) {
	switch v := v.(type) {
	case nil, stopSignal:
		return
	case exitSignal:
		select {
		case r.exit <- v.exit:
		default:
		}
		return
	}
	if hook := r.engine.cfg.Hooks.GoPanic; hook != nil {
		hook(r.number(), th.panicError(v))
	}
}

// replace lets code of earlier cells use what this cell declares again.
func (c *cell) replace() {
	for old, new := range c.replaces {
		// Variables share their place since Compile.
		fn, ok := new.(*types.Func)
		if !ok || fn.Signature().TypeParams().Len() > 0 {
			continue
		}
		from, to := c.e.prog.FuncValue(old.(*types.Func)), c.e.prog.FuncValue(fn)
		if from == nil || to == nil {
			continue
		}
		c.e.function(to).replace(c.e.function(from))
	}
}

// replace gives the code of f to an earlier function, and to those that it has
// replaced.
func (f *function) replace(old *function) {
	f.e.mu.Lock()
	defer f.e.mu.Unlock()
	f.replaced = append(append(f.replaced, old), old.replaced...)
	old.replaced = nil
	for _, g := range f.replaced {
		g.code.Store(f.code.Load())
	}
}

// enterGoroutine lets calls from compiled code find the thread.
func (th *thread) enterGoroutine() {
	th.g.Store(rtype.Goroutine())
	rtype.SetLocal(&th.local)
}

func (th *thread) leaveGoroutine() {
	th.g.Store(0)
	rtype.SetLocal(nil)
}

// thread gives the thread of the running goroutine; nil when it is not one of
// interpreted code.
func (e *Engine) thread() *thread {
	if l := rtype.GetLocal(); l != nil {
		if th := threadOf(l); th.g.Load() == rtype.Goroutine() {
			return th
		}
	}
	return nil
}

// threadOf gives the thread whose first field is l.
func threadOf(l *rtype.Local) *thread { return (*thread)(unsafe.Pointer(l)) }

// enter runs an interpreted function that compiled code calls.
func (e *Engine) enter(call *rtype.Call) {
	th := e.thread()
	switch {
	case th == nil:
		e.enterNew(call)
	case th.wait.Load() != isRunning:
		th.acceptWaiting(call)
	default:
		th.accept(call)
	}
}

// acceptWaiting is accept while compiled code that the thread has called waits.
func (th *thread) acceptWaiting(call *rtype.Call) {
	defer th.await(th.goOn())
	th.accept(call)
}

// enterNew is enter on a goroutine that compiled code has started.
func (e *Engine) enterNew(call *rtype.Call) {
	var parent *thread
	if l := rtype.GetLocal(); l != nil {
		parent = threadOf(l)
	}
	// It belongs to the cell that called that code.
	r := e.background
	if parent != nil {
		r = parent.run
	}
	test := testOf(call)
	th := r.newThread()
	th.enterGoroutine()
	done := false
	defer func() {
		var v any
		if !done {
			v = th.ending(recover())
		}
		// A panic would end the process, unless compiled code recovers it.
		by := nobody
		switch {
		case !done && test != nil:
			by = tester
			r.testEnded(th, test, v)
		case v != nil:
			by = recoveredBy(v)
		}
		switch {
		case by == server:
			v = r.handlerPanicked(th, call, v)
		case by == display && e.cfg.Hooks.Recovered != nil:
			e.cfg.Hooks.Recovered(r.number(), engine.WhileShown, th.panicError(v))
		case (by == nobody || by == cleaner) && v != nil:
			r.goroutineEnded(th, v)
		}
		th.g.Store(0)
		if parent != nil {
			rtype.SetLocal(&parent.local)
		} else {
			rtype.SetLocal(nil)
		}
		r.dropThread(th)
		switch {
		case by == tester && !test.Skipped():
			test.FailNow()
		case by == tester, by == cleaner:
		case by != nobody:
			panic(v)
		case v != nil:
			runtime.Goexit()
		}
	}()
	th.accept(call)
	done = true
}

// accept runs a call on the thread of its goroutine.
func (th *thread) accept(call *rtype.Call) {
	if th.bound.Load() < 0 {
		th.check(nil)
	}
	f := (*function)(call.Func())
	code := f.code.Load()
	s := th.stackOf(code)
	fp := s.push(th)
	for i := range f.sig.params {
		call.Arg(i, unsafe.Add(fp, f.sig.params[i].off))
	}
	if len(code.captured) > 0 {
		code.setCaptured(fp, call.Env())
	}
	head(fp).rec, th.passing = th.passing, nil
	code.run(th, fp)
	head(fp).rec = nil
	for i := range f.sig.results {
		call.SetResult(i, unsafe.Add(fp, f.sig.results[i].off))
	}
	s.pop(th, fp)
}

// stdout and stderr write what the cell prints. Package fmt may have recovered the
// panic that ends the goroutine, and prints it: code that is to end prints no more.
func (r *cellRun) stdout(b []byte) {
	r.engine.checkHere()
	if hook := r.engine.cfg.Hooks.Stdout; hook != nil {
		hook(r.number(), b)
		return
	}
	os.Stdout.Write(b)
}

func (r *cellRun) stderr(b []byte) {
	r.engine.checkHere()
	if hook := r.engine.cfg.Hooks.Stderr; hook != nil {
		hook(r.number(), b)
		return
	}
	os.Stderr.Write(b)
}

// checkHere ends the running goroutine if it is one of interpreted code that has
// been told to stop.
func (e *Engine) checkHere() {
	if th := e.thread(); th != nil && th.bound.Load() < 0 {
		th.check(nil)
	}
}
