// Package goroutine queries the runtime about goroutines: their identity, stacks and states,
// goroutine-local data, and the profile of all goroutines.
//
// Like package rtype it depends on internals of the runtime. If these are not as expected, Waits
// and Stacks report nothing; CheckStack is part of the self-test of rtype.
// docs/explanation/engine-porting.md describes how to port it to a new version of Go. It imports
// only the standard library.
package goroutine
