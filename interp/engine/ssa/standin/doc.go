// Package standin has the functions that cells get instead of compiled functions. They replace
// functions that read or write the standard files, end or limit the process, wait, ask for their
// caller, log, run tests, or schedule a later call. They also replace generic functions without
// source. The package also handles a panic on a goroutine that compiled code has started
// (handlers.go).
//
// Package standin may import machine, for the run and the calls of the running goroutine. It may
// also import engine, goroutine, rtype, testdeps and go/ssa, and any package of the standard
// library whose functions it replaces. It must not import the compiler, and must not access frames,
// slots or code. Only handlers.go, places.go and testing.go know the names of standard library
// functions on stacks.
package standin
