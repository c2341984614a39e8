// Package checkpoint writes the values of a session's variables to a file and makes equal
// values of it, also in another process.
//
// What points to the same memory does so in the copy: pointers into variables, fields and
// elements, slices of one array with their capacities, shared and cyclic maps. Floats keep
// every bit, nil and empty stay apart, unexported fields are kept. What cannot be kept is
// refused with its place, never changed: channels, functions, locked mutexes, files, and
// what else means nothing in another process. A time loses its monotonic clock reading, as
// in every encoding of package time.
//
// # How
//
// Memory that values refer to is a set of regions: n elements of a type at an address.
// [Collect] finds those that variables lead to; overlapping ones become one, so that a
// pointer is the number of a region and an offset. Regions are written by their types, and
// memory without pointers as it is. The offsets depend on the layout of the types, which a
// sum in the file guards.
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

// ErrTooLarge says that the values exceed the limit.
var ErrTooLarge = errors.New("the values exceed the size limit")

// ErrCanceled says that the caller does not want the values any more.
var ErrCanceled = errors.New("the checkpoint was canceled")

// Variable is a variable of a session.
type Variable struct {
	Name  string
	Value reflect.Value // addressable
}

// Types are how the session writes types, which differ from one process to the next.
type Types interface {
	// Express returns an expression for the type that means the same in a restored
	// session. The error says why there is none.
	Express(t reflect.Type) (string, error)
	// Global returns the name of the package variable that holds the pointer, whose
	// identity has to stay: io.EOF. There may be none.
	Global(p unsafe.Pointer, t reflect.Type) (name string, ok bool)
}

// foreign are the types whose values mean nothing in another process, and why.
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
	"sync.Pool":                "a pool cannot be kept",
	"sync.Cond":                "goroutines wait for it",
	"runtime.Cleanup":          "it belongs to this process",
	"unsafe.Pointer":           "an unsafe.Pointer cannot be kept",
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
	"internal/weak.Pointer":    "a weak pointer cannot be kept",
	"internal/unique.indirect": "it belongs to this process",
}

// refusal returns why values of a named type are not kept; "" if they may be.
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

// locks are the types whose values have to be zero: something of this process holds them.
var locks = map[reflect.Type]string{
	reflect.TypeFor[sync.Mutex]():     "the mutex is locked",
	reflect.TypeFor[sync.RWMutex]():   "the mutex is locked",
	reflect.TypeFor[sync.WaitGroup](): "goroutines use the wait group",
}

var (
	timeType     = reflect.TypeFor[time.Time]()
	locationType = reflect.TypeFor[*time.Location]()
)

// form is what is known of a type.
type form struct {
	plain  bool   // without pointers, and any value may be kept
	refuse string // why no value may be kept
}

var forms sync.Map // of form by reflect.Type

// formOf finds out about a type.
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

// Refused is why a value cannot be kept, and where it is.
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

// boxed returns the address of a copy of a value that has none.
func boxed(v reflect.Value) unsafe.Pointer {
	c := reflect.New(v.Type())
	c.Elem().Set(v)
	return c.UnsafePointer()
}
