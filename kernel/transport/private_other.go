//go:build !unix

package transport

import "net"

// listenPrivate creates a Unix socket. It has the access rights of its directory.
func listenPrivate(path string) (net.Listener, error) { return net.Listen("unix", path) }

// refused always returns false: this platform cannot distinguish the error. A stale socket file
// stays, and binding reports it.
func refused(error) bool { return false }
