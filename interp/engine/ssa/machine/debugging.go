package machine

import (
	"go/token"
	"sync"
	"sync/atomic"

	"github.com/gokernel/gokernel/interp/engine"
)

// While a debugger is attached, functions of cells are compiled in a form that records the
// beginnings of its statements, which are its sites (sites.go). A thread that reaches a site checks
// for a breakpoint. It also checks whether it has to halt because it makes a step or because all
// threads halt (stepping.go). A stopped thread waits there like any other waiting thread: its
// frames may be inspected and changed, and the thread ends when its run is stopped. Code compiled
// before the debugger attached has no sites.

// Debugging is an attached debugger.
type Debugging struct {
	m      *Machine
	events engine.DebugEvents
	panics atomic.Int32 // engine.PanicStops

	mu      sync.Mutex
	halting atomic.Bool // all threads have to stop at their next statements
	pausing bool        // the first stop has to be reported
	stopped *Thread     // the thread that was reported to the caller; nil while all threads run
	step    *step
	resume  chan struct{} // closed when all continue
}

// step is a step in progress.
type step struct {
	th    *Thread
	kind  engine.StepKind
	depth int32
	line  int
	scope token.Pos
}

// Debug attaches a debugger. It returns nil if a debugger is attached already.
func (m *Machine) Debug(events engine.DebugEvents) *Debugging {
	d := &Debugging{m: m, events: events, resume: make(chan struct{})}
	if !m.debugging.CompareAndSwap(nil, d) {
		return nil
	}
	return d
}

// Detach ends debugging.
func (d *Debugging) Detach() {
	d.m.debugging.Store(nil)
	d.m.Recompile()
	d.BreakOnPanics(engine.NoPanics)
	d.goOn(nil)
}

// BreakOnPanics sets the panics at which threads stop.
func (d *Debugging) BreakOnPanics(which engine.PanicStops) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.panics.Store(int32(which))
	d.noteStepping()
}

// Pause stops all threads at their next statements.
func (d *Debugging) Pause() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.stopped == nil {
		d.pausing = true
		d.halt(true)
	}
}

// Continue lets all threads continue.
func (d *Debugging) Continue() { d.goOn(nil) }

// Step lets all threads continue until the given one has made a step.
func (d *Debugging) Step(id int, kind engine.StepKind) {
	th := d.m.thread(id)
	if th == nil {
		return
	}
	s := &step{th: th, kind: kind}
	if !th.inspect(func() { s.depth, s.line, s.scope = th.statement() }) {
		return
	}
	d.goOn(s)
}

// goOn lets all threads continue. If s is not nil, one of them makes the step s.
func (d *Debugging) goOn(s *step) {
	d.mu.Lock()
	was := d.stopped
	d.mu.Unlock()
	if was != nil && d.events.Continued != nil {
		d.events.Continued() // before anything can stop again
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.step, d.stopped, d.pausing = s, nil, false
	d.halt(false)
	if s != nil {
		s.th.halt.Store(true)
		s.th.lookAnew()
	}
	close(d.resume)
	d.resume = make(chan struct{})
}

// halt(true) makes all threads, including new ones, halt at their next statements, except threads
// of quiet runs. halt(false) cancels this.
func (d *Debugging) halt(on bool) {
	d.halting.Store(on)
	d.noteStepping()
	for _, th := range d.m.threads() {
		th.halt.Store(on && !th.Run.quiet)
		th.lookAnew()
	}
}

// begun handles a new thread, which has no bound yet. The caller must hold the lock of its run.
func (d *Debugging) begun(th *Thread) {
	th.halt.Store(d.halting.Load() && !th.Run.quiet)
}

// ended handles a thread that has ended.
func (d *Debugging) ended(th *Thread) {
	d.mu.Lock()
	if d.step != nil && d.step.th == th {
		d.step = nil
		d.noteStepping()
	}
	last := d.stopped == th
	d.mu.Unlock()
	if last {
		d.goOn(nil)
	}
}

// arrive is called before the statement of a site that has a breakpoint, or when the thread has to
// halt.
func (th *Thread) arrive(s *Site) {
	d := th.Run.M.debugging.Load()
	if d == nil || th.Run.quiet || th.Run.outside() || th.grace > 0 {
		return
	}
	select {
	case <-th.Run.closed:
		return // it has to end
	default:
	}
	stop := engine.Stop{Goroutine: int(th.id.Load()), Breakpoints: d.hit(th, s)}
	for {
		d.mu.Lock()
		switch {
		case d.stopped != nil:
			resume := d.resume
			d.mu.Unlock()
			th.park(d, resume)
			continue
		case len(stop.Breakpoints) > 0:
			stop.Reason = engine.AtBreakpoint
		case d.pausing:
			stop.Reason = engine.AtPause
		case d.step.reached(th, s):
			stop.Reason = engine.AtStep
		default:
			d.mu.Unlock()
			return
		}
		d.stop(th, stop)
		return
	}
}

// stop reports that a thread has stopped, and makes it wait. The caller must hold the lock mu.
func (d *Debugging) stop(th *Thread, stop engine.Stop) {
	d.stopped, d.step, d.pausing = th, nil, false
	d.halt(true)
	resume := d.resume
	th.Await(Waiting)
	d.mu.Unlock()
	if d.events.Stopped != nil {
		d.events.Stopped(stop)
	}
	d.await(th, resume)
}

// park makes a thread wait until all threads continue.
func (th *Thread) park(d *Debugging, resume chan struct{}) {
	th.Await(Waiting)
	d.await(th, resume)
}

// await waits until all threads continue or the run of the thread is stopped.
func (d *Debugging) await(th *Thread, resume chan struct{}) {
	th.parked.Store(true)
	defer th.parked.Store(false)
	select {
	case <-resume:
		th.GoOn()
		return
	case <-th.Run.closed:
	}
	th.GoOn()
	d.ended(th)
	if th.unwinding == 0 {
		panic(StopSignal{})
	}
}

// hit returns the breakpoints of a site at which a thread has to stop.
func (d *Debugging) hit(th *Thread, s *Site) []engine.Breakpoint {
	points := s.point.Load()
	if points == nil {
		return nil
	}
	var hit []engine.Breakpoint
	for _, p := range points.List {
		if p.When != nil {
			frames := th.stack(1)
			if len(frames) == 0 {
				continue
			}
			th.Await(Waiting)
			stop := p.When(frames[0])
			th.GoOn()
			if !stop {
				continue
			}
		}
		hit = append(hit, p)
	}
	return hit
}

// reached reports whether a step ends at a site.
func (s *step) reached(th *Thread, at *Site) bool {
	if s == nil || s.th != th {
		return false
	}
	depth, line, _ := th.statement()
	if depth == s.depth && line == s.line && at.Scope > s.scope {
		return false // a later statement on the same line
	}
	switch s.kind {
	case engine.StepOver:
		return depth <= s.depth
	case engine.StepOut:
		return depth < s.depth
	}
	return true
}

// panicked handles a panic that has begun, while the frames are still as they were when it began.
func (th *Thread) panicked(p *Panicking) {
	d := th.Run.M.debugging.Load()
	if d == nil || th.Run.quiet || th.Run.outside() || p.Goexit || p.stops() || th.grace > 0 {
		return
	}
	if _, exit := p.Value.(ExitSignal); exit {
		return
	}
	switch engine.PanicStops(d.panics.Load()) {
	case engine.NoPanics:
		return
	case engine.UncaughtPanics:
		if th.recovers() {
			return
		}
	}
	th.unwinding++
	defer func() { th.unwinding-- }()
	text, _ := th.describe(p) // before the lock: code of the cell may format it
	for {
		d.mu.Lock()
		if d.stopped == nil {
			break
		}
		resume := d.resume
		d.mu.Unlock()
		th.park(d, resume)
		if th.Bound.Load() < 0 {
			return
		}
	}
	d.stop(th, engine.Stop{Goroutine: int(th.id.Load()), Reason: engine.AtPanic, Panic: p.Argument(), Text: text})
}
