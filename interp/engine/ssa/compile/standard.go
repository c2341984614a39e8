//go:build (linux || darwin || windows) && (amd64 || arm64)

package compile

import (
	"go/types"
	"os"
	"reflect"
	"slices"
	"unsafe"

	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
	"github.com/gokernel/gokernel/interp/engine/ssa/standin"
	"golang.org/x/tools/go/ssa"
)

var (
	fileType     = rtype.TypeOf(reflect.TypeFor[*os.File]())
	standardType = rtype.TypeOf(reflect.TypeFor[*standin.File]())
)

// standardBox lets a standard file that is put into an interface of readers or
// writers be the one of the cell; nil when the instruction does no such thing.
func (c *body) standardBox(in *ssa.MakeInterface) func(p unsafe.Pointer) *standin.File {
	if c.typ(in.X.Type()) != fileType || !readsOrWrites(in.Type()) || !c.all.StandIns.HasFiles() || forCommand(in) {
		return nil
	}
	return func(p unsafe.Pointer) *standin.File { return c.all.StandIns.FileOf((*os.File)(p)) }
}

func readsOrWrites(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	for m := range i.Methods() {
		if slices.Contains([]string{"Read", "Write", "WriteString", "WriteTo", "ReadFrom", "Close"}, m.Name()) {
			return true
		}
	}
	return false
}

// forCommand reports whether a value becomes a field of an exec.Cmd only: a child
// process is given the file itself.
func forCommand(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			f, ok := r.Addr.(*ssa.FieldAddr)
			if !ok || types.TypeString(f.X.Type(), nil) != "*os/exec.Cmd" {
				return false
			}
		default:
			return false
		}
	}
	return true
}
