//go:build !js

// Package eventloop lets a browser handle events while Go code runs. On other platforms it does
// nothing.
package eventloop

// Needed reports whether long-running code must call Yield.
const Needed = false

// Yield does nothing here.
func Yield() {}
