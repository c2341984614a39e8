// Package eventloop lets a browser do what waits while Go works: a program of
// WebAssembly has one thread, and messages reach it only when all its goroutines
// wait.
package eventloop

import (
	"sync/atomic"
	"time"
)

// Needed says that code which works for long must call Yield.
const Needed = true

// interval is how long messages may wait for working code that yields.
const interval = 50 * time.Millisecond

var last atomic.Int64

// Yield lets other goroutines run and messages of the browser come in, if that was
// long ago.
func Yield() {
	if time.Now().UnixMilli()-last.Load() < interval.Milliseconds() {
		return
	}
	time.Sleep(time.Millisecond)
	last.Store(time.Now().UnixMilli())
}
