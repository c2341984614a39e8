// Package kernel speaks the Jupyter messaging protocol. It declares the
// Evaluator that it needs and never imports the one that runs Go.
//
// A Server owns the five sockets of a connection file. Shell requests are
// handled one after another, control requests beside them, so that interrupt,
// shutdown and kernel_info are answered while a cell runs. Subshells are more
// queues of the shell kind: comms and completion continue there meanwhile, cells
// take turns. There is one file for each message; to add one, give its content
// a type in package msg, write its handler, name it in Server.table, and
// describe it in kerneltest's specs.
//
// What a client can rely on: every request is framed by busy and idle on
// iopub, whatever becomes of it; output of a cell comes before its reply, and
// its idle comes last; when a cell fails, those that its client has sent with it
// or behind it are aborted, and those of other clients are not; a cell that shows
// more than its slowest subscriber takes is held up, and a subscriber that takes
// nothing is cut off; a message that is malformed is answered with an error or
// dropped; nothing unsigned reaches a handler.
package kernel
