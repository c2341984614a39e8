package compile

import (
	"golang.org/x/tools/go/ssa"

	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
)

// goInstr compiles a go statement.
func (c *body) goInstr(in *ssa.Go) {
	prepare := c.prepare(&in.Call, in)
	c.emit(func(fp frame) {
		machine.BeforeGo(head(fp))
		th := head(fp).Thread.Run.NewThread()
		th.Go(prepare(fp, th))
	}, in.Pos())
}
