package transport_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/kernel/transport"
)

// The example key pairs of RFC 26's implementations, encoded in Z85 as in connection files.
const (
	publicKey = "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7"
	secretKey = "JTKVSB%%)wK0E.X)V>+}o?pNmC{O&4W4b!Ni{Lh6"
)

func keys(t *testing.T, public, secret string) *transport.Keys {
	t.Helper()
	var k transport.Keys
	var err error
	if k.Public, err = transport.ParseKey(public); err != nil {
		t.Fatal(err)
	}
	if k.Secret, err = transport.ParseKey(secret); err != nil {
		t.Fatal(err)
	}
	return &k
}

// TestParseKey compares a key with its bytes in libzmq's manual.
func TestParseKey(t *testing.T) {
	k := keys(t, publicKey, secretKey)
	const want = "54fcba24e93249969316fb617c872bb0c1d1ff14800427c594cbfacf1bc2d652"
	if got := hex.EncodeToString(k.Public[:]); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, bad := range []string{"", publicKey[1:], publicKey[:39] + "é", publicKey[:39] + " ", "%%%%%" + publicKey[5:]} {
		if _, err := transport.ParseKey(bad); err == nil {
			t.Errorf("%q was accepted as a key", bad)
		}
	}
}

// TestCurve exchanges messages over encrypted sockets, and checks that a client without the key
// cannot connect.
func TestCurve(t *testing.T) {
	own := keys(t, publicKey, secretKey)
	ln, port, err := transport.Listen("tcp", "127.0.0.1", 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	r := transport.NewRouter(ln, own, transport.Limits{Handshake: time.Second})
	r.StartEcho()
	pln, pport, err := transport.Listen("tcp", "127.0.0.1", 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	p := transport.NewPublisher(pln, own, transport.Limits{})
	subscribed := make(chan bool, 1)
	p.Start(func([]byte) [][]byte { subscribed <- true; return [][]byte{[]byte("welcome")} })
	defer func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		r.Close(ctx)
		p.Close(ctx)
	}()

	c, err := transport.Dial(t.Context(), "tcp", "127.0.0.1", port, transport.Dealer, "ada", own)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, frames := range [][][]byte{
		{[]byte("one")}, {nil, []byte("two")}, {bytes.Repeat([]byte("x"), 1<<20), []byte("y")}, {make([]byte, 255), make([]byte, 256), nil},
	} {
		if err := c.Send(frames); err != nil {
			t.Fatal(err)
		}
		got, err := c.Recv()
		if err != nil || !slices.EqualFunc(got, frames, bytes.Equal) {
			t.Fatalf("%d frames come back as %d, %v", len(frames), len(got), err)
		}
	}

	s, err := transport.Dial(t.Context(), "tcp", "127.0.0.1", pport, transport.Sub, "", own)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Subscribe(""); err != nil {
		t.Fatal(err)
	}
	<-subscribed
	if got, err := s.Recv(); err != nil || string(got[0]) != "welcome" {
		t.Fatalf("the first message is %q, %v", got, err)
	}
	p.Publish([][]byte{[]byte("topic"), []byte("text")}, false)
	if got, err := s.Recv(); err != nil || len(got) != 2 || string(got[1]) != "text" {
		t.Fatalf("the second message is %q, %v", got, err)
	}

	if _, err := transport.Dial(t.Context(), "tcp", "127.0.0.1", port, transport.Dealer, "", nil); err == nil {
		t.Error("a client without encryption could connect")
	}
	other := keys(t, secretKey, publicKey)
	if _, err := transport.Dial(t.Context(), "tcp", "127.0.0.1", port, transport.Dealer, "", other); err == nil {
		t.Error("a client with another key could connect")
	}
}

// TestCurveReadsNoPlainText records the bytes that go over the wire, and replays them.
func TestCurveReadsNoPlainText(t *testing.T) {
	own := keys(t, publicKey, secretKey)
	ln, _, err := transport.Listen("tcp", "127.0.0.1", 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	received := make(chan string, 8)
	r := transport.NewRouter(ln, own, transport.Limits{})
	r.Start(func(frames [][]byte) { received <- string(frames[1]) })
	between, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer between.Close()
	record := make(chan []byte, 1)
	go func() {
		client, err := between.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", ln.Addr().String())
		if err != nil {
			return
		}
		go func() { _, _ = bytes.NewBuffer(nil).ReadFrom(copying{server, client}) }()
		var all bytes.Buffer
		_, _ = all.ReadFrom(copying{client, server})
		// The last frame is sent again: its nonce has been used.
		b := all.Bytes()
		_, _ = server.Write(b[len(b)-100:])
		record <- b
	}()
	c, err := transport.Dial(t.Context(), "tcp", "127.0.0.1", between.Addr().(*net.TCPAddr).Port, transport.Dealer, "ada", own)
	if err != nil {
		t.Fatal(err)
	}
	secret := strings.Repeat("a secret ", 10)[:65] // its frame has 100 bytes
	if err := c.Send([][]byte{[]byte(secret)}); err != nil {
		t.Fatal(err)
	}
	if got := <-received; got != secret {
		t.Errorf("got %q", got)
	}
	c.Close()
	if b := <-record; bytes.Contains(b, []byte("secret")) || bytes.Contains(b, []byte("ada")) {
		t.Error("the wire carries plain text")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	r.Close(ctx)
	select {
	case again := <-received:
		t.Errorf("the replayed message %q was accepted", again)
	default:
	}
}

// copying reads from one connection, and writes a copy of the bytes to another connection.
type copying struct{ from, to net.Conn }

func (c copying) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	if n > 0 {
		if _, werr := c.to.Write(p[:n]); werr != nil {
			return n, werr
		}
	}
	return n, err
}
