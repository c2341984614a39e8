package compile

import "golang.org/x/tools/go/ssa"

// recoverOp returns d = recover().
func (c *body) recoverOp(res []slot) op {
	return func(fp frame) {
		p := head(fp).Rec
		var v any
		if p != nil && !p.Recovered && !p.Goexit && !p.Final() {
			p.Recovered = true
			v = p.Argument()
		}
		if len(res) > 0 {
			*ref[any](fp, res[0].Off) = v
		}
	}
}

// deferInstr compiles a defer statement.
func (c *body) deferInstr(in *ssa.Defer) {
	prepare := c.prepare(&in.Call, in)
	if in.DeferStack != nil {
		// In the body of a range-over-func loop, the stack of deferred calls belongs to an
		// enclosing function.
		s := c.slot(in.DeferStack).Off
		c.emit(func(fp frame) {
			h := head(*ref[frame](fp, s))
			d := prepare(fp, h.Thread)
			d.Next, h.Defers = h.Defers, d
		}, in.Pos())
		return
	}
	c.emit(func(fp frame) {
		h := head(fp)
		d := prepare(fp, h.Thread)
		d.Next, h.Defers = h.Defers, d
	}, in.Pos())
}
