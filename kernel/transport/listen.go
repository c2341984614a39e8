package transport

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
)

// ErrTransport is wrapped by errors about unknown transports.
var ErrTransport = errors.New("transport: unknown transport")

// Listen binds one socket of a connection file and returns its port. With "tcp", port 0 chooses a
// free port. With "ipc", the address is the Unix socket ip-port, which is accessible to the user
// only. Port 0 then chooses the first free number of start, start+1, .... A socket file on which no
// process listens is replaced.
func Listen(transport, ip string, port, start int) (net.Listener, int, error) {
	switch transport {
	case "tcp", "":
		return listenTCP(ip, port)
	case "ipc":
		return listenIPC(ip, port, start)
	}
	return nil, 0, fmt.Errorf("%w: transport must be tcp or ipc, got %q", ErrTransport, transport)
}

func listenTCP(ip string, port int) (net.Listener, int, error) {
	if ip == "*" {
		ip = ""
	}
	// The net package sets SO_REUSEADDR, so a restarted kernel can bind its ports again.
	ln, err := net.Listen("tcp", net.JoinHostPort(ip, strconv.Itoa(port)))
	if err != nil {
		return nil, 0, fmt.Errorf("transport: %w", err)
	}
	return ln, ln.Addr().(*net.TCPAddr).Port, nil
}

// ipcPorts is the maximum number of socket paths that are tried.
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

// maxUnixPath is the maximum length of the path of a Unix socket on all systems: Linux allows 107
// bytes, the BSDs and macOS 103.
const maxUnixPath = 103

func listenUnix(path string) (net.Listener, error) {
	removeStale(path)
	ln, err := listenPrivate(path)
	if err != nil && len(path) > maxUnixPath {
		return nil, fmt.Errorf("transport: the path of a Unix socket must have at most %d bytes, %s has %d: set a shorter ip in the connection file: %w",
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
	// Only a refused connection means that no process listens.
	if refused(err) {
		os.Remove(path)
	}
}
