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

// A standardChange converts an interface value to another interface type. It returns the dynamic
// type and the data of the result.
type standardChange func(*rtype.Type, unsafe.Pointer) (*rtype.Type, unsafe.Pointer)

// standardChange replaces a standard file with the cell's file in interfaces of readers or writers,
// and with the file itself in all other interfaces. It returns nil if no change is needed.
func (c *body) standardChange(from, to types.Type) standardChange {
	files := c.all.StandIns
	was, is := readsOrWrites(from), readsOrWrites(to)
	if was == is || !files.HasFiles() {
		return nil
	}
	if is {
		return func(t *rtype.Type, data unsafe.Pointer) (*rtype.Type, unsafe.Pointer) {
			if t == fileType {
				if s := files.FileOf((*os.File)(data)); s != nil {
					return standardType, unsafe.Pointer(s)
				}
			}
			return t, data
		}
	}
	return func(t *rtype.Type, data unsafe.Pointer) (*rtype.Type, unsafe.Pointer) {
		if t == standardType {
			return fileType, unsafe.Pointer((*standin.File)(data).File)
		}
		return t, data
	}
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

// forCommand reports whether the only use of a value is as a field of an exec.Cmd. A child process
// must get the file itself.
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
