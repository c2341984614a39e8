// Package transport moves multipart ZeroMQ messages between a kernel and its
// clients, over TCP and Unix sockets: the greeting, handshake and frames of ZMTP 3
// (RFC 23) with the mechanism NULL. Each client has its own queue and writer, so
// that one that does not read stops no other; a silent connection keeps nobody
// waiting; what a client announces is checked before memory is set aside; PING is
// answered, and Close delivers what is queued.
package transport
