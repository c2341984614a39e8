//go:build unix

package transport

import (
	"errors"
	"net"
	"sync"
	"syscall"
)

// umaskMu keeps two listeners from restoring each other's mask.
var umaskMu sync.Mutex

// listenPrivate makes a Unix socket that only the user can connect to. The
// mask is set beforehand: a chmod afterwards would leave a moment between.
func listenPrivate(path string) (net.Listener, error) {
	umaskMu.Lock()
	defer umaskMu.Unlock()
	old := syscall.Umask(0o177)
	defer syscall.Umask(old)
	return net.Listen("unix", path)
}

func refused(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }
