// Package rtype makes real Go types at run time from types that go/types has checked, and real Go
// func values from interpreted functions. Compiled code (fmt, encoding/json, reflect, errors, sort)
// handles values of these types like those of compiled types.
//
// It is the only package of the engine that uses the runtime's internals: the layout of type
// descriptors and itabs, the internal calling convention, and the entry points for maps, channels,
// slices and conversions. Check verifies these assumptions at start-up.
// docs/explanation/engine-porting.md describes how to port the package to a new version of Go.
package rtype
