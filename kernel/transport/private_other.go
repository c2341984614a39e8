//go:build !unix

package transport

import "net"

// listenPrivate makes a Unix socket. Its access rights are those of the
// directory that holds it.
func listenPrivate(path string) (net.Listener, error) { return net.Listen("unix", path) }

// refused cannot be told here; the socket file stays, and binding reports it.
func refused(error) bool { return false }
