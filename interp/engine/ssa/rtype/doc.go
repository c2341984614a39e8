// Package rtype makes real Go types at run time out of types that go/types has
// checked, and real Go func values out of interpreted functions, so that
// compiled code (fmt, encoding/json, reflect, errors, sort) meets values that
// are like its own.
//
// It is the one package of the engine that touches the runtime's internals:
// the layout of type descriptors and itabs, the internal calling convention, and
// the entry points behind maps, channels, slices and conversions. Check verifies
// at start-up what it relies on; docs/explanation/engine-porting.md says what to do for a
// new version of Go.
package rtype
