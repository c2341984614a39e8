package machine

import (
	"reflect"
	"runtime"
	"sync"
	"time"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
)

// A goroutine marks itself while it waits in an operation that the engine knows. Another goroutine
// may then read the waiting goroutine's frames, and clear values that the waiting goroutine does
// not need any more. The waiting goroutine does not continue before this access has ended.

// The values of the field wait of a thread.
const (
	Running   uint32 = iota
	Waiting          // it waits for anything
	Asleep           // it waits for something that only interpreted code can do
	Inspected        // it waits, and another goroutine uses its frames
)

// Await marks the goroutine as waiting, and records the kind of wait.
func (th *Thread) Await(how uint32) {
	th.waits.Add(1)
	th.wait.Store(how)
}

// GoOn marks the goroutine as not waiting any more. It returns the kind of wait.
func (th *Thread) GoOn() (how uint32) {
	for {
		how = th.wait.Load()
		if how != Inspected && th.wait.CompareAndSwap(how, Running) {
			th.Run.M.stirIfDue()
			return how
		}
		runtime.Gosched()
	}
}

// inspect calls f while the goroutine waits. It returns false if the goroutine does not wait.
func (th *Thread) inspect(f func()) bool {
	how := th.wait.Load()
	if how == Running || how == Inspected || !th.wait.CompareAndSwap(how, Inspected) {
		return false
	}
	defer th.wait.Store(how)
	f()
	return true
}

// runs is a set of runs.
type runs struct {
	mu      sync.Mutex
	all     map[*Run]struct{}
	look    *time.Timer // see deep.go
	looking bool        // the timer is running
}

func (rs *runs) add(r *Run) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.all == nil {
		rs.all = map[*Run]struct{}{}
	}
	rs.all[r] = struct{}{}
	switch {
	case rs.looking:
	case rs.look == nil:
		rs.look = time.AfterFunc(r.M.lookEvery(), r.M.lookDeep)
	default:
		rs.look.Reset(r.M.lookEvery())
	}
	rs.looking = true
}

// lookAgain resets the timer as long as there are runs.
func (rs *runs) lookAgain(after time.Duration) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.looking = len(rs.all) > 0
	if rs.looking {
		rs.look.Reset(after)
	}
}

func (rs *runs) remove(r *Run) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	delete(rs.all, r)
}

func (rs *runs) list() []*Run {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	var list []*Run
	for r := range rs.all {
		list = append(list, r)
	}
	return list
}

// threads returns all goroutines of interpreted code.
func (m *Machine) threads() []*Thread {
	var list []*Thread
	for _, r := range m.Running.list() {
		r.mu.Lock()
		for th := range r.threads {
			list = append(list, th)
		}
		r.mu.Unlock()
	}
	return list
}

// Goroutines returns the number of goroutines of interpreted code.
func (m *Machine) Goroutines() int {
	n := 0
	for _, r := range m.Running.list() {
		r.mu.Lock()
		n += len(r.threads)
		r.mu.Unlock()
	}
	return n
}

// Any reports whether there are runs that have goroutines.
func (rs *runs) Any() bool {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	return len(rs.all) > 0
}

// Sleeping calls f; f waits for other goroutines.
func (m *Machine) Sleeping(f func()) {
	if th := m.Thread(); th != nil {
		th.Await(Asleep)
		defer th.GoOn()
	}
	f()
}

// Sleep is time.Sleep.
func (m *Machine) Sleep(d time.Duration) {
	r := m.Current()
	if r.outside() || d <= 0 {
		time.Sleep(d)
		return
	}
	th := m.Thread()
	if th != nil {
		th.Await(Waiting)
		defer th.GoOn()
	}
	if m.bubbled() {
		time.Sleep(d)
		return
	}
	defer m.Stir()
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-r.closed:
		if th != nil {
			th.stopNow()
		}
		panic(StopSignal{})
	}
}

// Select waits for one of the cases or for the stop of the run.
func (th *Thread) Select(cases []reflect.SelectCase) (int, reflect.Value, bool) {
	how := Waiting
	if onlyCells(cases) {
		how = Asleep
	}
	stops := th.Run.Done.IsValid() && !th.Run.M.bubbled()
	if stops {
		cases = append(cases, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: th.Run.Done})
	}
	i, v, ok := th.selectOf(cases, how)
	if stops && i == len(cases)-1 {
		th.stopNow()
	}
	return i, v, ok
}

func (th *Thread) selectOf(cases []reflect.SelectCase, how uint32) (int, reflect.Value, bool) {
	th.Await(how)
	defer th.GoOn()
	return reflect.Select(cases)
}

// Transfer sends the value at elem to a channel, or receives a value and stores it at elem. It
// waits until that is done or the run is stopped. It reports whether a value was received.
func (th *Thread) Transfer(send bool, ch, elem unsafe.Pointer) (received bool) {
	how := Waiting
	if ch == nil || rtype.ChanMarked(ch) {
		how = Asleep
	}
	var stop unsafe.Pointer
	if th.Run.Done.IsValid() && !th.Run.M.bubbled() {
		stop = th.Run.Done.UnsafePointer()
	}
	stopped, received := th.transfer(send, ch, elem, stop, how)
	if stopped {
		th.stopNow()
	}
	return received
}

func (th *Thread) transfer(send bool, ch, elem, stop unsafe.Pointer, how uint32) (stopped, received bool) {
	th.Await(how)
	defer th.GoOn()
	return rtype.Transfer(send, ch, elem, stop)
}

// Receive receives a value of type t. While the goroutine waits, others may clear its frame, so the
// value is not received there.
func (th *Thread) Receive(t *rtype.Type, ch, to unsafe.Pointer) (received bool) {
	elem := unsafe.Pointer(&th.received)
	if t.PtrBytes() != 0 || t.Size() > unsafe.Sizeof(th.received) {
		elem = rtype.Alloc(t)
	}
	if received = th.Transfer(false, ch, elem); received {
		rtype.Move(t, to, elem)
	} else {
		rtype.Clear(t, to)
	}
	return received
}
