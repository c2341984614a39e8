//go:build (linux || darwin) && (amd64 || arm64)

package ssa

import (
	"go/types"
	"reflect"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
)

// makeChan is make(chan T, n).
func (c *compiler) makeChan(in *ssa.MakeChan) {
	d := c.slot(in)
	n := c.index(in.Size).fn()
	t := d.typ
	if rt := t.Reflect(); rt.ChanDir() != reflect.BothDir {
		t = rtype.TypeOf(reflect.ChanOf(reflect.BothDir, rt.Elem()))
	}
	c.emit(func(fp frame) {
		ch := rtype.MakeChan(t, int(n(fp)))
		rtype.MarkChan(ch)
		*ref[unsafe.Pointer](fp, d.off) = ch
	}, in.Pos())
}

// send is ch <- x. It blocks only in a select with the stop of the run.
func (c *compiler) send(in *ssa.Send) {
	ch, x := c.slot(in.Chan), c.slot(in.X)
	t := bothWays(ch.typ)
	c.emit(func(fp frame) {
		p := *ref[unsafe.Pointer](fp, ch.off)
		if p != nil && rtype.Send(p, unsafe.Add(fp, x.off), false) {
			return
		}
		th := head(fp).thread
		th.block([]reflect.SelectCase{{
			Dir:  reflect.SelectSend,
			Chan: chanValue(t, p),
			Send: reflect.NewAt(x.typ.Reflect(), unsafe.Add(fp, x.off)).Elem(),
		}})
	}, in.Pos())
}

// receive is v = <-ch, and v, ok = <-ch.
func (c *compiler) receive(in *ssa.UnOp) {
	ch := c.slot(in.X)
	var d, ok slot
	if in.CommaOk {
		ts := c.tuple(in)
		d, ok = ts[0], ts[1]
	} else {
		d = c.slot(in)
	}
	t := bothWays(ch.typ)
	elem := d.typ.Reflect()
	commaOk := in.CommaOk
	c.emit(func(fp frame) {
		p := *ref[unsafe.Pointer](fp, ch.off)
		selected, received := false, false
		if p != nil {
			selected, received = rtype.Recv(p, unsafe.Add(fp, d.off), false)
		}
		if !selected {
			var v reflect.Value
			_, v, received = head(fp).thread.block([]reflect.SelectCase{{Dir: reflect.SelectRecv, Chan: chanValue(t, p)}})
			to := reflect.NewAt(elem, unsafe.Add(fp, d.off)).Elem()
			if received {
				to.Set(v)
			} else {
				to.SetZero()
			}
		}
		if commaOk {
			*ref[bool](fp, ok.off) = received
		}
	}, in.Pos())
}

// bothWays gives the type of a channel as package reflect can use it in either
// direction.
func bothWays(t *rtype.Type) reflect.Type {
	rt := t.Reflect()
	if rt.ChanDir() != reflect.BothDir || rt.Name() != "" {
		return reflect.ChanOf(reflect.BothDir, rt.Elem())
	}
	return rt
}

func chanValue(t reflect.Type, p unsafe.Pointer) reflect.Value {
	return reflect.NewAt(t, unsafe.Pointer(&p)).Elem()
}

// block waits for one of the cases or for the stop of the run.
func (th *thread) block(cases []reflect.SelectCase) (int, reflect.Value, bool) {
	how := isWaiting
	if onlyCells(cases) {
		how = isAsleep
	}
	if th.run.done.IsValid() {
		cases = append(cases, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: th.run.done})
	}
	i, v, ok := th.selectOf(cases, how)
	if th.run.done.IsValid() && i == len(cases)-1 {
		panic(stopSignal{})
	}
	return i, v, ok
}

func (th *thread) selectOf(cases []reflect.SelectCase, how uint32) (int, reflect.Value, bool) {
	th.await(how)
	defer th.goOn()
	return reflect.Select(cases)
}

// selectInstr is a select statement: the index of the case that was taken, -1
// for the default, whether a value was received, and the values.
func (c *compiler) selectInstr(in *ssa.Select) {
	ts := c.tuple(in)
	type state struct {
		dir   reflect.SelectDir
		ch, x slot
		typ   reflect.Type
		to    slot // of a received value
	}
	var states []state
	next := 2
	for _, s := range in.States {
		st := state{dir: reflect.SelectRecv, ch: c.slot(s.Chan)}
		st.typ = bothWays(st.ch.typ)
		if s.Dir == types.SendOnly {
			st.dir, st.x = reflect.SelectSend, c.slot(s.Send)
		} else {
			st.to = ts[next]
			next++
		}
		states = append(states, st)
	}
	blocking := in.Blocking
	c.emit(func(fp frame) {
		cases := make([]reflect.SelectCase, len(states), len(states)+2)
		for i, s := range states {
			cases[i].Dir = s.dir
			cases[i].Chan = chanValue(s.typ, *ref[unsafe.Pointer](fp, s.ch.off))
			if s.dir == reflect.SelectSend {
				cases[i].Send = reflect.NewAt(s.x.typ.Reflect(), unsafe.Add(fp, s.x.off)).Elem()
			}
		}
		var taken int
		var v reflect.Value
		var received bool
		if blocking {
			taken, v, received = head(fp).thread.block(cases)
		} else {
			cases = append(cases, reflect.SelectCase{Dir: reflect.SelectDefault})
			taken, v, received = reflect.Select(cases)
			if taken == len(states) {
				taken = -1
			}
		}
		*ref[int](fp, ts[0].off) = taken
		*ref[bool](fp, ts[1].off) = received
		for i, s := range states {
			if s.dir != reflect.SelectRecv {
				continue
			}
			to := reflect.NewAt(s.to.typ.Reflect(), unsafe.Add(fp, s.to.off)).Elem()
			if i == taken && received {
				to.Set(v)
			} else {
				to.SetZero()
			}
		}
	}, in.Pos())
}
