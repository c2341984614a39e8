// Package cellrt holds the compiled functions that rewritten cells call: the
// arithmetic and the comparisons of vectors and matrices, the check of errors that a cell did not
// look at, and the way back into the session for magics between statements.
// Nobody writes these calls by hand.
package cellrt

import (
	"fmt"
	"sync"
)

// The predeclared types that rewritten cells mention: a cell may have given their
// names to something else.
type (
	Any    = any
	Error  = error
	Float  = float64
	Int    = int
	String = string
)

// Failure is the panic with which a cell ends when a call at its top level
// returned an error.
type Failure struct {
	Err error
	// Chain is the error and those that it wraps, the outermost first. They are found
	// while the cell runs: methods that unwrap may be its own.
	Chain []error
}

// maxChain is how many errors of a chain are looked at: it may lead back to itself.
const maxChain = 100

func (f *Failure) Error() string { return f.Err.Error() }

// Unwrap returns the error of the call.
func (f *Failure) Unwrap() error { return f.Err }

// add appends an error and those that it wraps.
func (f *Failure) add(err error) {
	if err == nil || len(f.Chain) >= maxChain {
		return
	}
	f.Chain = append(f.Chain, err)
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		f.add(e.Unwrap())
	case interface{ Unwrap() []error }:
		for _, err := range e.Unwrap() {
			f.add(err)
		}
	}
}

// Check fails the cell with err unless it is nil.
func Check(err error) {
	if err != nil {
		f := &Failure{Err: err}
		f.add(err)
		panic(f)
	}
}

var calls struct {
	sync.Mutex
	next int
	fns  map[int]func(body func())
}

// Register makes f known to cells as the returned number until Forget.
func Register(f func(body func())) int {
	calls.Lock()
	defer calls.Unlock()
	if calls.fns == nil {
		calls.fns = map[int]func(func()){}
	}
	calls.next++
	calls.fns[calls.next] = f
	return calls.next
}

// Forget removes what Register made known.
func Forget(id int) {
	calls.Lock()
	defer calls.Unlock()
	delete(calls.fns, id)
}

// Do runs what was registered as id without a body.
func Do(id int) { Call(id, nil) }

// Call runs what was registered as id, and gives it body, which may be nil.
func Call(id int, body func()) {
	calls.Lock()
	f := calls.fns[id]
	calls.Unlock()
	if f == nil {
		panic(fmt.Sprintf("cellrt: nothing is registered as %d", id))
	}
	f(body)
}
