//go:build !js

// Package eventloop lets a browser do what waits while Go works. Everywhere else
// there is nothing to do.
package eventloop

// Needed says that code which works for long must call Yield.
const Needed = false

// Yield does nothing here.
func Yield() {}
