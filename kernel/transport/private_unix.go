//go:build unix

package transport

import (
	"errors"
	"net"
	"sync"
	"syscall"
)

// umaskMu prevents two listeners from restoring each other's mask.
var umaskMu sync.Mutex

// listenPrivate creates a Unix socket to which only the user can connect. It sets the umask first.
// If it called chmod afterwards, other users could connect in between.
func listenPrivate(path string) (net.Listener, error) {
	umaskMu.Lock()
	defer umaskMu.Unlock()
	old := syscall.Umask(0o177)
	defer syscall.Umask(old)
	return net.Listen("unix", path)
}

func refused(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }
