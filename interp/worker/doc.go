// Package worker runs a notebook session in a process of its own and joins it
// to the process that talks to the frontend.
//
// The kernel process holds a Client. The evaluator process, which is the same
// program started with other arguments, calls Serve with its Session. Between
// them are four pipes. Two carry frames: the requests one way, the answers and
// everything a cell shows the other way. The other two are the evaluator's
// standard output and standard error, so that whatever is printed there, by Go
// code of any kind or by a child process, reaches the cell that is running.
//
// # Frames
//
// A frame is a header of 17 bytes, the token (8 bytes), the length of the body (4, big endian), its
// kind (1) and the number of the call (4), and the body, which is JSON. The token is drawn by the
// kernel process, which writes it before its first frame: what begins otherwise is no frame, and
// ends the evaluator. Each side makes calls and numbers its own; a call is answered by one frame of
// kind reply or fail with the same number, and may be canceled. The first frame is the evaluator's
// hello, which carries the protocol version.
//
// # Order
//
// What a cell prints and what it displays arrive in the order in which they
// happened, although they travel on different pipes: a display is a call, and
// before it is answered the kernel process empties the two text pipes. The
// same happens at the end of a cell.
//
// # Faults
//
// When the evaluator dies, the running cell gets an error that names the cause,
// as the Go runtime wrote it last, and a fresh evaluator starts at once. No
// spare one is kept warm: a start takes tens of milliseconds, a spare would
// cost its resident memory all the time.
//
// The evaluator and the processes it starts form one process group, which
// ends with it, and it ends with the kernel process.
package worker
