// Package transport moves multipart ZeroMQ messages between a kernel and its
// clients, over TCP and Unix sockets. It is the only package that imports
// zmq4, whose sockets are not used: there, a client that does not read stops
// all others, a silent connection stops new ones, and a frame header that
// claims 2^62 bytes ends the process.
//
// zmq4 makes the ZMTP greeting and handshake. After it, the frames of RFC 23
// are read and written here: each client has its own queue and writer, what it
// announces is checked before memory is set aside, PING is answered, and Close
// delivers what is queued.
package transport
