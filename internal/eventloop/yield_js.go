// Package eventloop lets a browser handle events while Go code runs. A WebAssembly program has
// one thread, and messages reach it only when all its goroutines wait.
package eventloop

import (
	"sync/atomic"
	"time"
)

// Needed reports whether long-running code must call Yield.
const Needed = true

// interval is the maximum time that messages wait for code that calls Yield.
const interval = 50 * time.Millisecond

var last atomic.Int64

// Yield lets other goroutines run, and lets the browser deliver messages. It does so only if the
// time since the last yield exceeds interval.
func Yield() {
	if time.Now().UnixMilli()-last.Load() < interval.Milliseconds() {
		return
	}
	time.Sleep(time.Millisecond)
	last.Store(time.Now().UnixMilli())
}
