// Package layout assigns memory to values: in the frames of functions, and in the blocks of
// variables that closures have captured.
//
// A [Slot] is an offset in a frame, with the runtime type of its value and its [Rep], the Go type
// in which the compiler's trees hold the value. A [Layout] assigns slots and keeps the pointer
// bitmap. Its [Shape] is a runtime type with that bitmap, so the garbage collector scans a frame
// like any other object.
//
// Package layout may import rtype. It must not know functions, goroutines or instructions. A Layout
// belongs to one compilation; the table of shapes is shared by all.
package layout
