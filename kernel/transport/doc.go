// Package transport moves multipart ZeroMQ messages between a kernel and its clients, over TCP and
// Unix sockets. It is the only package that imports zmq4, and it does not use zmq4's sockets. With
// zmq4's sockets, a client that does not read blocks all other clients, a silent connection blocks
// new connections, and a frame header that announces 2^62 bytes ends the process.
//
// zmq4 performs the ZMTP greeting and handshake. After the handshake, this package reads and writes
// the frames (ZeroMQ RFC 23). Each client has its own queue and writer. The package checks an
// announced size before it allocates memory, and answers PING. Close sends the queued messages.
package transport
