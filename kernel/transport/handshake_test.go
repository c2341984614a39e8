package transport

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"strings"
	"testing"
)

func TestHandshake(t *testing.T) {
	for _, id := range []string{"", "client-1", strings.Repeat("i", 255)} {
		a, b := net.Pipe()
		got := make(chan string, 1)
		go func() {
			id, err := pipeHandshake(a, router, "")
			if err != nil {
				id = err.Error()
			}
			got <- id
		}()
		server, err := pipeHandshake(b, Dealer, id)
		if err != nil || server != "" {
			t.Errorf("the server's identity is %q, %v", server, err)
		}
		if seen := <-got; seen != id {
			t.Errorf("the client's identity is %q, want %q", seen, id)
		}
		a.Close()
		b.Close()
	}
}

// pipeHandshake writes beside reading, for a pipe holds nothing.
func pipeHandshake(nc net.Conn, kind Kind, id string) (string, error) {
	out, in := io.Pipe()
	defer in.Close()
	go io.Copy(nc, out)
	return handshake(in, bufio.NewReader(nc), kind, id, kind == router)
}

// FuzzHandshake checks that no READY command makes the handshake panic, and that
// what passes has a socket type that fits.
func FuzzHandshake(f *testing.F) {
	f.Add(property(property(nil, "Socket-Type", "DEALER"), "Identity", "x"))
	f.Add(property(property(nil, "identity", ""), "socket-type", "REQ"))
	f.Add([]byte("\x0bSocket-Type\xff\xff\xff\xffDEALER"))
	f.Add([]byte("\xff"))
	f.Add([]byte("\x00\x00"))
	f.Fuzz(func(t *testing.T, properties []byte) {
		kind, identity, err := metadata(properties)
		if err == nil && len(kind)+len(identity) > len(properties) {
			t.Fatalf("%q and %q from %d bytes", kind, identity, len(properties))
		}
		sent := append(greetingOf(false), encodeCommand("READY", properties)...)
		id, err := handshake(io.Discard, bufio.NewReader(bytes.NewReader(sent)), router, "", true)
		if err == nil && (id != identity || !strings.Contains("REQ DEALER ROUTER", string(kind))) {
			t.Fatalf("a %q named %q passes as %q", kind, identity, id)
		}
	})
}
