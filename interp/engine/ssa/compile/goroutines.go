package compile

import (
	"golang.org/x/tools/go/ssa"
)

// goInstr compiles a go statement.
func (c *body) goInstr(in *ssa.Go) {
	prepare := c.prepare(&in.Call, in)
	c.emit(func(fp frame) {
		r := head(fp).Thread.Run
		th := r.NewThread()
		d := prepare(fp, th)
		go th.Start(d)
	}, in.Pos())
}
