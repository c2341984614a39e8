// Package goroutine queries the runtime about goroutines: their identity, stacks and states,
// goroutine-local data, and the profile of all goroutines.
//
// Like package rtype it depends on internals of the runtime. If these internals are not as
// expected, Waits and Stacks return false; CheckStack is part of the self-test of rtype.
// docs/explanation/engine-porting.md describes how to port the package to a new version of Go. The
// package imports only the standard library.
package goroutine
