package compile

import (
	"reflect"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/gokernel/gokernel/interp/engine"
)

// printOp returns print(args...) or println(args...), which write to standard error.
func (c *body) printOp(line bool, args []ssa.Value) op {
	var xs []slot
	for _, a := range args {
		xs = append(xs, c.slot(a))
	}
	return func(fp frame) {
		var b []byte
		for i, x := range xs {
			if i > 0 && line {
				b = append(b, ' ')
			}
			b = engine.AppendPrinted(b, reflect.NewAt(x.Type.Reflect(), unsafe.Add(fp, x.Off)).Elem())
		}
		if line {
			b = append(b, '\n')
		}
		head(fp).Thread.Run.Stderr(b)
	}
}
