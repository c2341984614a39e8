// Package checkpoint writes the values of a session's variables to a file and restores them, also
// in another process.
//
// Shared memory stays shared in the copy: pointers into variables, fields and elements, slices of
// one array with their capacities, shared and cyclic maps. Floats keep every bit, nil and empty
// values stay distinct, and unexported fields are kept. A value that can't be saved is rejected
// with its path and never changed: channels, functions, locked mutexes, files, and other values
// without meaning in another process. A time loses its monotonic clock reading, as in every
// encoding of package time.
//
// # How
//
// The memory that values refer to is a set of regions: n elements of a type at an address.
// [Collect] finds the regions that variables refer to and merges overlapping ones, so that a
// pointer is the number of a region and an offset. Regions are written according to their types,
// and memory without pointers is written unchanged. The offsets depend on the layout of the types,
// so the file contains a checksum of the layout.
package checkpoint

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"
	"unsafe"
)

// ErrTooLarge reports that the values exceed the limit.
var ErrTooLarge = errors.New("the values exceed the size limit")

// ErrCanceled reports that the caller canceled the checkpoint.
var ErrCanceled = errors.New("the checkpoint was canceled")

// Variable is a variable of a session.
type Variable struct {
	Name  string
	Value reflect.Value // addressable
}

// Types converts types to text, because the types of a session differ between processes.
type Types interface {
	// Express returns an expression for the type. The expression has the same meaning in a restored
	// session. The error explains why there is none.
	Express(t reflect.Type) (string, error)
	// Global returns the name of the package variable that contains the pointer, such as io.EOF,
	// whose identity must be kept. ok is false if there is no such variable.
	Global(p unsafe.Pointer, t reflect.Type) (name string, ok bool)
}

// The keys of foreign are types whose values have no meaning in another process. Its values are the
// reasons.
var foreign = map[string]string{
	"os.File":                  "it is an open file",
	"os.Root":                  "it is an open directory",
	"os.Process":               "it is a process",
	"net/http.Server":          "it is a server",
	"database/sql.DB":          "it is a database handle",
	"database/sql.Conn":        "it is a database handle",
	"database/sql.Tx":          "it is a database handle",
	"database/sql.Stmt":        "it is a database handle",
	"database/sql.Rows":        "it is a database handle",
	"internal/poll.FD":         "it is an open file or connection",
	"internal/abi.Type":        "it refers to types of this process",
	"hash/maphash.Seed":        "its seed belongs to this process",
	"hash/maphash.Hash":        "its seed belongs to this process",
	"sync.Pool":                "a pool cannot be saved",
	"sync.Cond":                "goroutines wait for it",
	"runtime.Cleanup":          "it belongs to this process",
	"unsafe.Pointer":           "an unsafe.Pointer cannot be saved",
	"time.Timer":               "it is a running timer",
	"time.Ticker":              "it is a running ticker",
	"crypto/rand.devReader":    "it belongs to this process",
	"log.Logger":               "it writes to files of this process",
	"testing.T":                "it belongs to a running test",
	"testing.B":                "it belongs to a running test",
	"text/template.Template":   "it holds functions",
	"html/template.Template":   "it holds functions",
	"os/exec.Cmd":              "it is a program",
	"os/signal.signal":         "it belongs to this process",
	"internal/weak.Pointer":    "a weak pointer cannot be saved",
	"internal/unique.indirect": "it belongs to this process",

	"github.com/gokernel/gokernel/mlstd/frame/database.DB": "it is a connection to a database",
}

// refusal returns why values of a named type can't be saved, or "" if they can.
func refusal(t reflect.Type) string {
	name, _, generic := strings.Cut(t.Name(), "[")
	switch {
	case t.PkgPath() == "":
		return ""
	case generic && (t.PkgPath() == "unique" || t.PkgPath() == "weak"):
		return "it belongs to this process"
	}
	return foreign[t.PkgPath()+"."+name]
}

// locks lists the types whose values can be saved only if they are zero, because otherwise
// something in this process uses them. It maps each type to the reason.
var locks = map[reflect.Type]string{
	reflect.TypeFor[sync.Mutex]():     "the mutex is locked",
	reflect.TypeFor[sync.RWMutex]():   "the mutex is locked",
	reflect.TypeFor[sync.WaitGroup](): "goroutines use the wait group",
}

var (
	timeType     = reflect.TypeFor[time.Time]()
	locationType = reflect.TypeFor[*time.Location]()
)

// form describes how to save values of a type.
type form struct {
	plain  bool   // has no pointers, and every value can be saved
	refuse string // why no value can be saved
}

var forms sync.Map // reflect.Type -> form

// formOf returns the form of a type.
func formOf(t reflect.Type) form {
	if f, ok := forms.Load(t); ok {
		return f.(form)
	}
	f := form{refuse: refusal(t)}
	f.plain = f.refuse == "" && locks[t] == ""
	switch t.Kind() {
	case reflect.String, reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		f.plain = false
	case reflect.Array:
		f.plain = f.plain && (t.Len() == 0 || formOf(t.Elem()).plain)
	case reflect.Struct:
		for i := range t.NumField() {
			f.plain = f.plain && formOf(t.Field(i).Type).plain
		}
	}
	forms.Store(t, f)
	return f
}

// Refused explains why a value can't be saved, and where it is.
type Refused struct{ Path, Why string }

func (r *Refused) Error() string {
	if r.Path == "" {
		return r.Why
	}
	return fmt.Sprintf("%s (at %s)", r.Why, r.Path)
}

// slice is the header of a slice.
type slice struct {
	data     unsafe.Pointer
	len, cap int
}

// at returns the variable of a type at an address.
func at(t reflect.Type, p unsafe.Pointer) reflect.Value { return reflect.NewAt(t, p).Elem() }

// boxed returns the address of a copy of a value that is not addressable.
func boxed(v reflect.Value) unsafe.Pointer {
	c := reflect.New(v.Type())
	c.Elem().Set(v)
	return c.UnsafePointer()
}
