package machine

import (
	"github.com/gokernel/gokernel/interp/engine/ssa/layout"
	"github.com/gokernel/gokernel/interp/engine/ssa/native"
)

// runCallback is like Run, for a call by compiled Go such as sort.Slice. The callee is often small
// and has no loop, so JIT-compiled code runs it from the beginning.
func (c *Code) runCallback(th *Thread, fp layout.Frame) {
	n := c.native.Load()
	if n == nil {
		if c.calls.Load() < warmCalls && c.Fn.M.Native() != NativeOff {
			c.Warm()
		}
		c.Run(th, fp)
		return
	}
	if n.err != nil || n.First < 0 || th.Depth > th.Bound.Load() || th.nearFull() || th.interrupted(n) {
		c.Run(th, fp)
		return
	}
	n.runs.Add(1)
	var run nativeRun
	if n.Code.Calls() || th.context == nil {
		run = th.runCode(n, n.First, fp)
	} else {
		run.how, run.exit, run.work = n.Code.Run(th.context, n.First, fp)
		if run.at = th.context.Frame(); run.how == native.Returned && run.at == fp {
			return
		}
		run.in = nativeOf(th.context.Code())
	}
	if b, op := th.continueNative(fp, nil, run); b != nil {
		th.interpret(fp, b, op)
	}
}
