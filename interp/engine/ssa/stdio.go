//go:build (linux || darwin) && (amd64 || arm64)

package ssa

import (
	"fmt"
	"go/types"
	"io"
	"os"
	"reflect"
	"slices"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
)

// The standard files of a cell are its user's: what it reads from os.Stdin is
// asked for, what it writes to os.Stdout and os.Stderr is the cell's, also when
// a goroutine writes it after the cell has ended. A variable of type *os.File
// that holds one of them is what it is in Go. Where it becomes a reader or a
// writer, compiled code is given a standardFile in its place, and an assertion
// gives the file back.

// standardFile is a standard file as compiled code is given it.
type standardFile struct {
	*os.File
	in  io.Reader    // what is read instead; nil for the file itself
	out func([]byte) // what writes instead; nil for the file itself
}

var (
	fileType     = rtype.TypeOf(reflect.TypeFor[*os.File]())
	standardType = rtype.TypeOf(reflect.TypeFor[*standardFile]())
)

// Read implements [io.Reader].
func (f *standardFile) Read(b []byte) (int, error) {
	if f.in != nil {
		return f.in.Read(b)
	}
	return f.File.Read(b)
}

// WriteTo implements [io.WriterTo].
func (f *standardFile) WriteTo(w io.Writer) (int64, error) {
	if f.in != nil {
		return io.Copy(w, f.in)
	}
	return f.File.WriteTo(w)
}

// Write implements [io.Writer].
func (f *standardFile) Write(b []byte) (int, error) {
	if f.out != nil {
		f.out(b)
		return len(b), nil
	}
	return f.File.Write(b)
}

// WriteString implements [io.StringWriter].
func (f *standardFile) WriteString(s string) (int, error) { return f.Write([]byte(s)) }

// ReadFrom implements [io.ReaderFrom].
func (f *standardFile) ReadFrom(r io.Reader) (int64, error) {
	return io.Copy(struct{ io.Writer }{f}, r)
}

// Close does nothing: the session needs its files.
func (f *standardFile) Close() error { return nil }

// makeStandard takes the standard files from the process, as far as the session
// wants to deal with them.
func (e *Engine) makeStandard() []*standardFile {
	var list []*standardFile
	h := e.cfg.Hooks
	if h.Stdin != nil {
		list = append(list, &standardFile{File: os.Stdin, in: h.Stdin})
	}
	if h.Stdout != nil {
		list = append(list, &standardFile{File: os.Stdout, out: func(b []byte) { e.current().stdout(b) }})
	}
	if h.Stderr != nil {
		list = append(list, &standardFile{File: os.Stderr, out: func(b []byte) { e.current().stderr(b) }})
	}
	return list
}

// standardOf gives what stands for a file, if it is one of the standard ones.
func (e *Engine) standardOf(f *os.File) *standardFile {
	for _, s := range e.standard {
		if s.File == f {
			return s
		}
	}
	return nil
}

// files gives the functions and methods that read and write the standard files.
func (e *Engine) files() map[string]any {
	return map[string]any{
		"fmt.Print":   func(a ...any) (int, error) { return e.print(fmt.Append(nil, a...)) },
		"fmt.Println": func(a ...any) (int, error) { return e.print(fmt.Appendln(nil, a...)) },
		"fmt.Printf":  func(f string, a ...any) (int, error) { return e.print(fmt.Appendf(nil, f, a...)) },
		"(*os.File).Read": func(f *os.File, b []byte) (int, error) {
			if s := e.standardOf(f); s != nil {
				return s.Read(b)
			}
			return f.Read(b)
		},
		"(*os.File).Write": func(f *os.File, b []byte) (int, error) {
			if s := e.standardOf(f); s != nil {
				return s.Write(b)
			}
			return f.Write(b)
		},
		"(*os.File).WriteString": func(f *os.File, text string) (int, error) {
			if s := e.standardOf(f); s != nil {
				return s.WriteString(text)
			}
			return f.WriteString(text)
		},
		"(*os.File).Close": func(f *os.File) error {
			if s := e.standardOf(f); s != nil {
				return s.Close()
			}
			return f.Close()
		},
	}
}

// print writes to os.Stdout, which the cell may have set to a file of its own.
func (e *Engine) print(b []byte) (int, error) {
	if s := e.standardOf(os.Stdout); s != nil {
		return s.Write(b)
	}
	return os.Stdout.Write(b)
}

// standardBox lets a standard file that is put into an interface of readers or
// writers be the one of the cell; nil when the instruction does no such thing.
func (c *compiler) standardBox(in *ssa.MakeInterface) func(p unsafe.Pointer) *standardFile {
	if c.typ(in.X.Type()) != fileType || !readsOrWrites(in.Type()) || len(c.e.standard) == 0 || forCommand(in) {
		return nil
	}
	return func(p unsafe.Pointer) *standardFile { return c.e.standardOf((*os.File)(p)) }
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
