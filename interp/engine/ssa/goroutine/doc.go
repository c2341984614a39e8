// Package goroutine has what the engine asks the runtime about goroutines: their identity,
// stacks and states, data that belongs to one, and the profile of all.
//
// Like package rtype it depends on internals of the runtime. Where these are not as
// expected, Waits and Stacks report nothing; CheckStack is part of the self-test of rtype.
// docs/explanation/engine-porting.md says what to do for a new version of Go. It imports the standard
// library only.
package goroutine
