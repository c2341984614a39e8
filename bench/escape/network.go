//go:build linux && (amd64 || arm64)

package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
)

// network are attempts to reach other programs by sockets.
func network() []*attempt {
	const tcp = seccomp + ", Landlock, a network namespace"
	const ns = seccomp + ", a network namespace"
	socket := func(name, args string, root bool) *attempt {
		return &attempt{name: name, root: root, code: "try(`socket`, $socket, " + args + ")", check: said("socket: ok"), stops: seccomp}
	}
	return []*attempt{
		{name: "a TCP connection", setup: withListener("tcp"), check: heard, code: "c, err := net.Dial(`tcp`, `$ADDRESS`)\nif note(`dial`, err) {\n\tc.Write([]byte(`x`))\n\tc.Close()\n}", stops: tcp},
		{name: "a web page by net/http", setup: withListener("tcp"), check: heard, code: "import \"net/http\"\nc := http.Client{Timeout: time.Second}\n_, err := c.Get(`http://$ADDRESS/`)\nnote(`get`, err)", stops: tcp},
		{name: "a TCP connection by number", setup: withListener("tcp"), check: heard, code: "fd := try(`socket`, $socket, 2, 1, 0)\ntry(`connect`, $connect, fd, words(2|$PORTSWAPPED<<16|0x0100007f<<32, 0), 16)", stops: tcp},
		{name: "data in the first packet of TCP (MSG_FASTOPEN)", setup: withListener("tcp"), check: heard, code: "fd := try(`socket`, $socket, 2, 1, 0)\ntry(`send`, $sendto, fd, str(`x`), 1, 0x20000000, words(2|$PORTSWAPPED<<16|0x0100007f<<32, 0), 16)", stops: ns},
		{name: "a UDP packet", setup: withListener("udp"), check: heard, code: "c, err := net.Dial(`udp`, `$ADDRESS`)\nif note(`dial`, err) {\n\tc.Write([]byte(`x`))\n}", stops: ns},
		{name: "a UDP packet by number", setup: withListener("udp"), check: heard, code: "fd := try(`socket`, $socket, 2, 2, 0)\ntry(`send`, $sendto, fd, str(`x`), 1, 0, words(2|$PORTSWAPPED<<16|0x0100007f<<32, 0), 16)", stops: ns},
		{name: "a DNS query", setup: withListener("udp"), check: heard, code: "r := &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) { return (&net.Dialer{}).DialContext(ctx, `udp`, `$ADDRESS`) }}\nctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)\ndefer cancel()\n_, err := r.LookupHost(ctx, `example.com`)\nnote(`look up`, err)", stops: ns},
		{name: "a connection to a UNIX socket of a path", setup: withListener("unix"), check: heard, code: "c, err := net.Dial(`unix`, `$ADDRESS`)\nif note(`dial`, err) {\n\tc.Write([]byte(`x`))\n}", stops: seccomp},
		{name: "a packet to a UNIX socket of a path", setup: withListener("unixgram"), check: heard, code: "c, err := net.Dial(`unixgram`, `$ADDRESS`)\nif note(`dial`, err) {\n\tc.Write([]byte(`x`))\n}", stops: seccomp},
		{name: "a packet by a pair of sockets (socketpair, sendto)", setup: withListener("unixgram"), check: heard, code: "fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_DGRAM, 0)\nif note(`pair`, err) {\n\tnote(`send`, syscall.Sendto(fds[0], []byte(`x`), 0, &syscall.SockaddrUnix{Name: `$ADDRESS`}))\n}", stops: seccomp},
		{name: "a connection to an abstract UNIX socket", setup: withListener("abstract"), check: heard, code: "c, err := net.Dial(`unix`, `$ADDRESS`)\nif note(`dial`, err) {\n\tc.Write([]byte(`x`))\n}", stops: seccomp + ", Landlock's scope for sockets, a network namespace"},
		{name: "a UNIX socket in the notebook's folder through a link", setup: withListener("unix"), check: heard, code: "_ = os.Symlink(`$ADDRESS`, `link`)\nc, err := net.Dial(`unix`, `link`)\nif note(`dial`, err) {\n\tc.Write([]byte(`x`))\n}", stops: seccomp},
		{name: "a server for others (TCP)", code: "l, err := net.Listen(`tcp`, `127.0.0.1:0`)\n_ = l\nnote(`listen`, err)", check: said("listen: ok"), stops: tcp},
		{name: "a server for others (UDP)", code: "l, err := net.ListenPacket(`udp`, `127.0.0.1:0`)\n_ = l\nnote(`listen`, err)", check: said("listen: ok"), stops: ns},
		{name: "a server for others (UNIX)", code: "l, err := net.Listen(`unix`, `own.socket`)\n_ = l\nnote(`listen`, err)", check: said("listen: ok"), stops: seccomp},
		{name: "a web server by net/http/httptest", code: "import \"net/http/httptest\"\ndefer func() { fmt.Println(recover()) }()\ns := httptest.NewServer(nil)\nfmt.Println(s.URL)\nfmt.Println(`listen: ok`)", check: said("listen: ok"), stops: tcp},
		socket("a netlink socket", "16, 3, 0", false),
		socket("a socket for the events of devices (netlink)", "16, 3, 15", false),
		socket("a raw socket", "2, 3, 1", true),
		socket("a packet socket", "17, 3, 0x0300", true),
		socket("a socket for ping", "10, 3, 58", true),
		socket("a UNIX socket", "1, 1, 0", false),
		{name: "the port of a Jupyter server: read its runtime files", setup: withRuntime, code: "b, err := os.ReadFile(`$OUT/runtime/kernel-1.json`)\nnote(string(b), err)", stops: landlock},
		{name: "a module from a proxy on this machine", setup: withListener("tcp"), check: heard, code: "os.Setenv(`GOPROXY`, `http://$ADDRESS`)\nc, err := net.Dial(`tcp`, `$ADDRESS`)\n_ = c\nnote(`fetch`, err)", stops: tcp},
	}
}

func withRuntime(w *world) error {
	if err := os.Mkdir(filepath.Join(w.out, "runtime"), 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(w.out, "runtime", "kernel-1.json"), []byte(w.token), 0o600)
}

// listener is a program that others can reach.
type listener struct {
	mu    sync.Mutex
	heard int
}

func (l *listener) hear() {
	l.mu.Lock()
	l.heard++
	l.mu.Unlock()
}

// withListener returns a setup that makes a program listen.
func withListener(kind string) func(*world) error {
	return func(w *world) error {
		l := &listener{}
		w.listener = l
		switch kind {
		case "udp", "unixgram":
			address := "127.0.0.1:0"
			if kind == "unixgram" {
				address = filepath.Join(w.out, "socket")
			}
			c, err := net.ListenPacket(kind, address)
			if err != nil {
				return err
			}
			w.closers = append(w.closers, func() { c.Close() })
			w.vars["ADDRESS"] = c.LocalAddr().String()
			w.port(c.LocalAddr())
			go func() {
				b := make([]byte, 100)
				for {
					if _, _, err := c.ReadFrom(b); err != nil {
						return
					}
					l.hear()
				}
			}()
			return nil
		}
		network, address := kind, "127.0.0.1:0"
		switch kind {
		case "unix":
			address = filepath.Join(w.out, "socket")
		case "abstract":
			network, address = "unix", "@"+filepath.Base(filepath.Dir(w.out))
		}
		s, err := net.Listen(network, address)
		if err != nil {
			return err
		}
		w.closers = append(w.closers, func() { s.Close() })
		w.vars["ADDRESS"] = s.Addr().String()
		w.port(s.Addr())
		go func() {
			for {
				c, err := s.Accept()
				if err != nil {
					return
				}
				l.hear()
				c.Close()
			}
		}()
		return nil
	}
}

// port stores a port in network byte order.
func (w *world) port(a net.Addr) {
	n := 0
	switch a := a.(type) {
	case *net.TCPAddr:
		n = a.Port
	case *net.UDPAddr:
		n = a.Port
	}
	w.vars["PORTSWAPPED"] = fmt.Sprint(n>>8 | n&0xff<<8)
}

func heard(w *world) string {
	w.listener.mu.Lock()
	defer w.listener.mu.Unlock()
	if w.listener.heard > 0 {
		return "the program that listens was reached"
	}
	return ""
}
