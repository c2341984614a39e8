package transport

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
)

// ErrTransport is wrapped by the errors of unknown transports.
var ErrTransport = errors.New("transport: unknown transport")

// Listen binds one socket of a connection file. With "tcp", port 0 picks a free
// port. With "ipc" the address is the Unix socket ip-port, readable by the user
// alone, and port 0 picks the first free one of start, start+1, ...; a socket
// file that nobody listens on any more is replaced. It returns the port bound.
func Listen(transport, ip string, port, start int) (net.Listener, int, error) {
	switch transport {
	case "tcp", "":
		return listenTCP(ip, port)
	case "ipc":
		return listenIPC(ip, port, start)
	}
	return nil, 0, fmt.Errorf("%w %q: use tcp or ipc", ErrTransport, transport)
}

func listenTCP(ip string, port int) (net.Listener, int, error) {
	if ip == "*" {
		ip = ""
	}
	// The net package sets SO_REUSEADDR: a restarted kernel gets its ports back.
	ln, err := net.Listen("tcp", net.JoinHostPort(ip, strconv.Itoa(port)))
	if err != nil {
		return nil, 0, fmt.Errorf("transport: %w", err)
	}
	return ln, ln.Addr().(*net.TCPAddr).Port, nil
}

// ipcPorts bounds the search for a free socket path.
const ipcPorts = 1000

func listenIPC(ip string, port, start int) (net.Listener, int, error) {
	if port != 0 {
		ln, err := listenUnix(fmt.Sprintf("%s-%d", ip, port))
		return ln, port, err
	}
	for port = max(1, start); ; port++ {
		path := fmt.Sprintf("%s-%d", ip, port)
		if _, err := os.Lstat(path); err == nil && port < start+ipcPorts {
			continue
		}
		ln, err := listenUnix(path)
		return ln, port, err
	}
}

// maxUnixPath is what every system takes as the path of a Unix socket: 107 bytes
// on Linux, 103 on the BSDs and macOS.
const maxUnixPath = 103

func listenUnix(path string) (net.Listener, error) {
	removeStale(path)
	ln, err := listenPrivate(path)
	if err != nil && len(path) > maxUnixPath {
		return nil, fmt.Errorf("transport: the path of a Unix socket may have %d bytes, %s has %d: choose a shorter ip in the connection file: %w",
			maxUnixPath, path, len(path), err)
	}
	if err != nil {
		return nil, fmt.Errorf("transport: %w", err)
	}
	return ln, nil
}

// removeStale removes the socket file of a kernel that was killed.
func removeStale(path string) {
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&os.ModeSocket == 0 {
		return
	}
	nc, err := net.Dial("unix", path)
	if err == nil {
		nc.Close()
		return
	}
	// Only a refusal tells that nobody listens.
	if refused(err) {
		os.Remove(path)
	}
}
