// Package outcall calls compiled functions from interpreted code, with arguments and results in
// places of a frame.
//
// Most calls set the registers themselves: a Go function type with as many
// words, integers and floats counted apart, passes them in the same registers
// whatever their types (call.go, words_gen.go). The others go through package
// reflect.
//
// It may import layout. It must not know what a frame belongs to. All calls
// from interpreted to compiled code are made here, and nothing else is: a
// goroutine that has a function of this package as the innermost one of the
// engine on its stack is in compiled code (machine/stopping.go).
package outcall
