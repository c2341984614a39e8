// Package kernel implements the Jupyter messaging protocol. It declares the Evaluator that it
// needs and never imports the package that runs Go.
//
// A Server owns the five sockets of a connection file. It handles shell requests one after another.
// Control requests have a queue of their own, so interrupt, shutdown and kernel_info are answered
// while a cell runs. Each subshell is one more queue for shell requests: it handles comms and
// completion while a cell runs, and its cells wait for their turn. Each message type has a file of
// its own. To add a message type, declare the type of its content in package msg, write a handler,
// add the handler to Server.table, and describe the message in kerneltest's specs.
//
// A client can rely on the following:
//   - Every request is framed by busy and idle on iopub, whether it succeeds or not.
//   - All output of a cell comes before the cell's reply, and the cell's idle comes last.
//   - When a cell fails, the kernel aborts the cells that the same client has sent with it or after
//     it. It does not abort the cells of other clients.
//   - A cell that shows more than its slowest subscriber can receive is delayed. A subscriber that
//     stops reading is disconnected.
//   - A malformed message is answered with an error or dropped.
//   - No unsigned message reaches a handler.
package kernel
