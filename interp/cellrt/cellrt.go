// Package cellrt contains the compiled functions that rewritten cells call. They implement the
// arithmetic and the comparisons of vectors and matrices, the checks of errors that a cell ignores,
// and the calls of magics between statements. Nobody writes these calls by hand.
package cellrt

import (
	"fmt"
	"sync"
)

// The predeclared types that rewritten cells mention, because a cell may have redeclared their
// names.
type (
	Any    = any
	Error  = error
	Float  = float64
	Int    = int
	String = string
)

// Failure is the panic that ends a cell after a call at its top level returned an error.
type Failure struct {
	Err error
	// Chain is the error and the errors that it wraps, outermost first. They are collected while
	// the cell runs, because methods that unwrap may belong to the cell.
	Chain []error
}

// maxChain is the maximum number of errors to unwrap: a chain may be cyclic.
const maxChain = 100

func (f *Failure) Error() string { return f.Err.Error() }

// Unwrap returns the error of the call.
func (f *Failure) Unwrap() error { return f.Err }

// add appends an error and the errors that it wraps.
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

// Register registers f for cells under the returned number until Forget.
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

// Forget removes a registered function.
func Forget(id int) {
	calls.Lock()
	defer calls.Unlock()
	delete(calls.fns, id)
}

// Do runs the function that is registered under a number, without a body.
func Do(id int) { Call(id, nil) }

// Call runs the function that is registered under a number. It passes body, which may be nil, to
// the function.
func Call(id int, body func()) {
	calls.Lock()
	f := calls.fns[id]
	calls.Unlock()
	if f == nil {
		panic(fmt.Sprintf("cellrt: no function is registered with the number %d", id))
	}
	f(body)
}
