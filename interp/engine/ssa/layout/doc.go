// Package layout places values in memory: in the frames of functions, and in
// the blocks of variables that closures have captured.
//
// A [Slot] is a place, with the run-time type of what is there and its [Rep],
// the Go type as which the compiler's trees hold it. A [Layout] hands out
// places and keeps the map of the words that point; its [Shape] is a run-time
// type with that map, so that the garbage collector reads a frame as it reads
// any object.
//
// It may import rtype. It must not know functions, goroutines or instructions.
// A Layout belongs to one compilation; the table of shapes is shared by all.
package layout
