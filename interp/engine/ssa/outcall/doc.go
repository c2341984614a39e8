// Package outcall calls compiled functions from interpreted code, with arguments and results in
// frame slots.
//
// Most calls set the registers directly: a Go function type with the same number of integer and of
// float words passes them in the same registers, whatever their types (call.go, words_gen.go). The
// other calls use package reflect.
//
// Package outcall may import layout. It must not know the owner of a frame. It makes all calls from
// interpreted to compiled code, and nothing else. A goroutine is therefore in compiled code if the
// innermost engine function on its stack is in this package (machine/stopping.go).
package outcall
