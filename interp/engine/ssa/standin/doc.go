// Package standin has what cells get instead of compiled functions: of those
// that print or read the standard files, end the process or limit it, wait, ask
// for their caller, log, test, or leave a call for later; and of generic
// functions that have no source. It also says what becomes of a panic on a
// goroutine that compiled code has started (handlers.go).
//
// It may import machine, for the run and the calls of the running goroutine,
// and any package of the standard library that it stands for. It must not
// import the compiler, nor touch frames, slots or code. What it knows of the
// names that functions of the standard library have on stacks is in
// handlers.go and testing.go alone.
package standin
