package compile

import (
	"go/types"
	"reflect"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
	"golang.org/x/tools/go/ssa"
)

// makeChan compiles make(chan T, n).
func (c *body) makeChan(in *ssa.MakeChan) {
	d := c.slot(in)
	n := c.index(in.Size).fn()
	t := d.Type
	if rt := t.Reflect(); rt.ChanDir() != reflect.BothDir {
		t = rtype.TypeOf(reflect.ChanOf(reflect.BothDir, rt.Elem()))
	}
	c.emit(func(fp frame) {
		size := int(n(fp))
		machine.Room(size, t.Reflect().Elem().Size())
		ch := rtype.MakeChan(t, size)
		rtype.MarkChan(ch)
		*ref[unsafe.Pointer](fp, d.Off) = ch
	}, in.Pos())
}

// send compiles ch <- x. The op blocks only in a select that also waits for the stop of the run.
func (c *body) send(in *ssa.Send) {
	ch, x := c.slot(in.Chan).Off, c.slot(in.X).Off
	c.emit(func(fp frame) {
		p := *ref[unsafe.Pointer](fp, ch)
		if p == nil || !rtype.Send(p, unsafe.Add(fp, x), false) {
			head(fp).Thread.Transfer(true, p, unsafe.Add(fp, x))
		}
	}, in.Pos())
}

// receive compiles v = <-ch, and v, ok = <-ch.
func (c *body) receive(in *ssa.UnOp) {
	ch := c.slot(in.X).Off
	var d, ok slot
	if in.CommaOk {
		ts := c.tuple(in)
		d, ok = ts[0], ts[1]
	} else {
		d = c.slot(in)
	}
	commaOk := in.CommaOk
	c.emit(func(fp frame) {
		p := *ref[unsafe.Pointer](fp, ch)
		selected, received := false, false
		if p != nil {
			selected, received = rtype.Recv(p, unsafe.Add(fp, d.Off), false)
		}
		if !selected {
			received = head(fp).Thread.Receive(d.Type, p, unsafe.Add(fp, d.Off))
		}
		if commaOk {
			*ref[bool](fp, ok.Off) = received
		}
	}, in.Pos())
}

// bothWays returns the type of a channel with which package reflect can send and receive.
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

// selectInstr compiles a select statement. Its results are the index of the chosen case (-1 for the
// default), whether a value was received, and the values.
func (c *body) selectInstr(in *ssa.Select) {
	ts := c.tuple(in)
	type state struct {
		dir   reflect.SelectDir
		ch, x slot
		typ   reflect.Type
		to    slot // for a received value
	}
	var states []state
	next := 2
	for _, s := range in.States {
		st := state{dir: reflect.SelectRecv, ch: c.slot(s.Chan)}
		st.typ = bothWays(st.ch.Type)
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
			cases[i].Chan = chanValue(s.typ, *ref[unsafe.Pointer](fp, s.ch.Off))
			if s.dir == reflect.SelectSend {
				cases[i].Send = reflect.NewAt(s.x.Type.Reflect(), unsafe.Add(fp, s.x.Off)).Elem()
			}
		}
		var taken int
		var v reflect.Value
		var received bool
		if blocking {
			taken, v, received = head(fp).Thread.Select(cases)
		} else {
			cases = append(cases, reflect.SelectCase{Dir: reflect.SelectDefault})
			taken, v, received = reflect.Select(cases)
			if taken == len(states) {
				taken = -1
			}
		}
		*ref[int](fp, ts[0].Off) = taken
		*ref[bool](fp, ts[1].Off) = received
		for i, s := range states {
			if s.dir != reflect.SelectRecv {
				continue
			}
			to := reflect.NewAt(s.to.Type.Reflect(), unsafe.Add(fp, s.to.Off)).Elem()
			if i == taken && received {
				to.Set(v)
			} else {
				to.SetZero()
			}
		}
	}, in.Pos())
}
