//go:build (linux || darwin) && (amd64 || arm64)

package ssa

import (
	"golang.org/x/tools/go/ssa"
)

// goInstr is a go statement.
func (c *compiler) goInstr(in *ssa.Go) {
	prepare := c.prepare(&in.Call, in)
	c.emit(func(fp frame) {
		r := head(fp).thread.run
		th := r.newThread()
		d := prepare(fp, th)
		go th.start(d)
	}, in.Pos())
}

// start runs a goroutine.
func (th *thread) start(d *deferred) {
	r := th.run
	th.enterGoroutine()
	done := false
	defer func() {
		if !done {
			r.goroutineEnded(th, th.ending(recover()))
		}
		th.leaveGoroutine()
		r.dropThread(th)
	}()
	th.runDeferred(d, nil)
	done = true
}
