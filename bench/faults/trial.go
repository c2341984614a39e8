//go:build linux

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"time"
)

// fate is the effect that a fault can have on the variables of the session.
type fate int

const (
	kept   fate = iota // they are kept
	lost               // they are lost, because Go ends a program this way
	either             // either, depending on the moment of the fault
	none               // there is no session
)

// fault is one way to misbehave.
type fault struct {
	group, name string
	state       fate
	// code is a cell that misbehaves and ends by itself. ename is the error that it must have:
	// "ok" for none, "" for any. If code is empty, do misbehaves.
	code, ename string
	do          func(t *trial) error
	// alone marks faults whose trials don't use the shared kernel: the function do starts its own.
	alone bool
	// lingers marks faults whose goroutines may print after idle.
	lingers bool
	// long faults take seconds each and are omitted from a short run; slow ones run once in a
	// short run.
	long, slow bool
	// many is the number of times that one trial has the fault. A long run needs fewer trials of
	// such a fault.
	many int
	// possible reports whether this machine can have the fault. Nil means that all machines can.
	possible func() bool
	// known explains a violation that is expected for now. It is counted, but is not a failure.
	known string
}

// trial is one attempt of a fault.
type trial struct {
	program string
	dir     string // an empty folder for this trial
	k       *process
	c       *client
	rand    *rand.Rand
	short   bool
	took    time.Duration // to the answer that the fault is about
}

// count returns n, or less in a short run.
func (t *trial) count(n int) int {
	if t.short {
		return max(10, n/50)
	}
	return n
}

// outcome is the result of all trials of a fault.
type outcome struct {
	fault             *fault
	times, deaths     int
	spent             time.Duration
	account           account
	kept, lost        int // trials after which the variables existed or did not
	unexpected        int // losses where the variables should have been kept
	took              []time.Duration
	kernel, evaluator float64 // memory afterwards in MiB
	problems          []string
}

func (o *outcome) clean() bool {
	return o.deaths == 0 && o.account.clean() && o.unexpected == 0 && len(o.problems) == 0
}

func (o *outcome) problem(format string, args ...any) {
	o.problems = append(o.problems, fmt.Sprintf(format, args...))
}

// quantile returns a quantile of the times to answer.
func quantile(took []time.Duration, q float64) time.Duration {
	if len(took) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(took))
	return s[min(len(s)-1, int(q*float64(len(s))))]
}

// bench tries faults on kernels of one program.
type bench struct {
	program string
	times   int
	short   bool
	rand    *rand.Rand
}

// try tries a fault several times and returns the outcome.
func (b *bench) try(f *fault) (o *outcome) {
	o = &outcome{fault: f}
	var k *process
	var c *client
	end := func() {
		if k != nil {
			c.close()
			k.stop()
			os.RemoveAll(k.dir)
			k, c = nil, nil
		}
	}
	defer end()
	times := b.times
	if f.many > 0 {
		times = (times + f.many - 1) / f.many
	}
	if f.slow && b.short {
		times = 1
	}
	for n := range times {
		if k == nil && !f.alone {
			var err error
			if k, c, err = b.open(); err != nil {
				o.problem("%v", err)
				return o
			}
		}
		b.once(o, k, c, n)
		if k != nil && !k.alive() {
			end()
		}
		if len(o.problems) > 20 {
			break
		}
	}
	if k != nil {
		for range 30 { // memory is returned a second after large outputs
			if o.kernel = resident(k.cmd.Process.Pid); o.kernel < 100 {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
		o.evaluator = resident(k.evaluator())
	}
	return o
}

// open starts a kernel and a frontend.
func (b *bench) open() (*process, *client, error) {
	dir, err := os.MkdirTemp("", "faults-")
	if err != nil {
		return nil, nil, err
	}
	k, err := launch(b.program, dir)
	if err != nil {
		return nil, nil, err
	}
	c, err := dial(k.conn)
	if err != nil {
		k.stop()
		return nil, nil, err
	}
	if x := c.cell("1 + 1"); x.value != "2" {
		return k, c, fmt.Errorf("a fresh kernel answers %s %q", x.status, x.value)
	}
	return k, c, nil
}

// once tries a fault once.
func (b *bench) once(o *outcome, k *process, c *client, n int) {
	f := o.fault
	dir, err := os.MkdirTemp("", "fault-")
	if err != nil {
		o.problem("%v", err)
		return
	}
	defer os.RemoveAll(dir)
	t := &trial{program: b.program, dir: dir, k: k, c: c, rand: b.rand, short: b.short}
	o.times++
	if c != nil {
		if x := c.cell(fmt.Sprintf("kept := %d", n)); x.status != "ok" {
			o.problem("time %d: the cell before it fails: %s: %s", n+1, x.name, x.value)
		}
	}
	if f.code != "" {
		err = t.runCode(f)
	} else {
		err = f.do(t)
	}
	if err != nil {
		o.problem("time %d: %v", n+1, err)
	}
	if t.took > 0 {
		o.took = append(o.took, t.took)
	}
	if c == nil {
		if t.c != nil {
			o.account.add(t.c.closeAll(false))
		}
		return
	}
	o.look(k, c, n)
	o.account.add(c.closeAll(f.lingers))
}

// runCode runs the cell of a fault.
func (t *trial) runCode(f *fault) error {
	x := t.c.cell(f.code)
	t.took = x.took
	got := x.name
	if x.status == "ok" {
		got = "ok"
	}
	if f.ename != "" && got != f.ename {
		return fmt.Errorf("the cell ends with %q (%s), want %q", got, x.value, f.ename)
	}
	return nil
}

// look checks the session after a fault.
func (o *outcome) look(k *process, c *client, n int) {
	x := c.cell("kept")
	told := x.name == "session lost" // reported once, by the first cell after the fault
	switch {
	case x.status == "ok" && x.value == fmt.Sprint(n):
		o.kept++
	case x.status == "ok":
		o.problem("time %d: the variable has become %s", n+1, x.value)
	default:
		o.lost++
		if o.fault.state == kept {
			o.unexpected++
			o.problem("time %d: the variables are lost: %s: %s", n+1, x.name, x.value)
		}
	}
	if o.fault.state == lost && x.status == "ok" {
		o.problem("time %d: the variables are still there", n+1)
	}
	x = c.cell("6 * 7")
	if x.value != "42" && !told {
		x = c.cell("6 * 7") // the second cell reports it
	}
	if !k.alive() {
		o.deaths++
		o.problem("time %d: the kernel has ended: %.300s", n+1, k.said)
	} else if x.value != "42" {
		o.problem("time %d: 6 * 7 is %s %q afterwards", n+1, x.status, x.value)
	}
}
