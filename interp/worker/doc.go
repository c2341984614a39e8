// Package worker runs a notebook session in a separate process and connects it to the process that
// talks to the frontend.
//
// The kernel process has a Client. The evaluator process, which is the same program with other
// arguments, calls Serve with its Session. Four pipes connect them. Two carry frames: one the
// requests, the other the replies and everything a cell shows. The other two are the evaluator's
// standard output and standard error. Everything that Go code or a child process prints there
// reaches the running cell.
//
// # Frames
//
// A frame consists of a header of 17 bytes and a body in JSON. The header has the token (8 bytes),
// the length of the body (4, big endian), the kind (1) and the number of the call (4). The kernel
// process generates the token at random and writes it before its first frame. Data that does not
// begin with the token is not a frame, and ends the evaluator. Each side makes calls and numbers
// them. The reply to a call is one frame of kind reply or fail with the same number; a call may be
// canceled. The first frame is the evaluator's hello with the protocol version.
//
// # Order
//
// Printed text and displays of a cell arrive in the order in which they happened, although they use
// different pipes. A display is a call, and the kernel process drains the two text pipes before it
// replies. The same happens at the end of a cell.
//
// # Faults
//
// If the evaluator dies, the running cell gets an error with the cause, from the last output of the
// Go runtime, and a new evaluator starts at once. There is no spare evaluator: a start takes dozens
// of milliseconds, and a spare would always cost its resident memory.
//
// The evaluator and the processes it starts form one process group. The group ends with the
// evaluator, and the evaluator ends with the kernel process.
package worker
