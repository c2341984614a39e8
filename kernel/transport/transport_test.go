package transport_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/kernel/transport"
)

// patience is the timeout of every wait in these tests.
const patience = time.Minute

var limits = transport.Limits{
	Handshake: 200 * time.Millisecond, Frames: 16, Bytes: 1 << 20,
	HighWater: 256 << 10, Queue: 8 << 20, Stall: 200 * time.Millisecond,
}

func listen(t testing.TB) (net.Listener, int) {
	t.Helper()
	ln, port, err := transport.Listen("tcp", "127.0.0.1", 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	return ln, port
}

// echo starts a router that sends back each message.
func echo(t testing.TB, limits transport.Limits) int {
	t.Helper()
	ln, port := listen(t)
	r := transport.NewRouter(ln, nil, limits)
	r.StartEcho()
	t.Cleanup(func() { closeSoon(r) })
	return port
}

func closeSoon(c interface{ Close(context.Context) }) {
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	c.Close(ctx)
}

func dial(t testing.TB, port int, kind transport.Kind, id string) *transport.Conn {
	t.Helper()
	c, err := transport.Dial(context.Background(), "tcp", "127.0.0.1", port, kind, id, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if err := c.SetReadDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	return c
}

func raw(t testing.TB, port int) net.Conn {
	t.Helper()
	nc, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { nc.Close() })
	if err := nc.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	return nc
}

// greeting is a ZMTP 3.0 greeting with the NULL mechanism.
func greeting() []byte {
	b := make([]byte, 64)
	b[0], b[9], b[10] = 0xff, 0x7f, 3
	copy(b[12:], "NULL")
	return b
}

// ready is the READY command of a socket of the given type.
func ready(kind string) []byte {
	body := "\x05READY\x0bSocket-Type" + "\x00\x00\x00" + string(rune(len(kind))) + kind
	return append([]byte{4, byte(len(body))}, body...)
}

// shake performs the handshake with the server's greeting and returns the connection.
func shake(t testing.TB, port int, kind string) net.Conn {
	t.Helper()
	nc := raw(t, port)
	if _, err := nc.Write(append(greeting(), ready(kind)...)); err != nil {
		t.Fatal(err)
	}
	head := make([]byte, 66)
	if _, err := io.ReadFull(nc, head); err != nil {
		t.Fatal(err)
	}
	if _, err := io.CopyN(io.Discard, nc, int64(head[65])); err != nil {
		t.Fatal(err)
	}
	return nc
}

// longCommand returns a ZMTP command of size bytes whose name has the given length.
func longCommand(name byte, size int) []byte {
	body := append([]byte{name}, make([]byte, size-1)...)
	return append(binary.BigEndian.AppendUint64([]byte{6}, uint64(size)), body...)
}

func exchange(t testing.TB, c *transport.Conn, frames ...string) {
	t.Helper()
	var in [][]byte
	for _, f := range frames {
		in = append(in, []byte(f))
	}
	if err := c.Send(in); err != nil {
		t.Fatal(err)
	}
	got, err := c.Recv()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(bytes.Join(got, []byte("|")), bytes.Join(in, []byte("|"))) || len(got) != len(in) {
		t.Errorf("echo of %d frames is %d frames, or differs", len(in), len(got))
	}
}

func TestEcho(t *testing.T) {
	c := dial(t, echo(t, transport.Limits{}), transport.Dealer, "me")
	for _, n := range []int{0, 1, 255, 256, 16 << 10, 16<<10 + 1, 1 << 20, 5 << 20} {
		exchange(t, c, "", strings.Repeat("x", n), "tail")
	}
}

func TestReconnectUnderTheSameIdentity(t *testing.T) {
	port := echo(t, limits)
	old := dial(t, port, transport.Dealer, "me")
	exchange(t, old, "a")
	exchange(t, dial(t, port, transport.Dealer, "me"), "b")
	old.Close()
	exchange(t, dial(t, port, transport.Dealer, "me"), "c")
}

// TestSharedIdentity connects two clients with the same identity. The newer client receives the
// replies until it leaves; then the older client receives them.
func TestSharedIdentity(t *testing.T) {
	port := echo(t, limits)
	older := dial(t, port, transport.Dealer, "me")
	exchange(t, older, "a")
	newer := dial(t, port, transport.Dealer, "me")
	exchange(t, newer, "b")
	newer.Close()
	// Until the router has noticed that the newer client has left, its replies are lost.
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		for older.Send([][]byte{[]byte("c")}) == nil {
			select {
			case <-stop:
				return
			case <-time.After(10 * time.Millisecond):
			}
		}
	}()
	if got, err := older.Recv(); err != nil || string(got[0]) != "c" {
		t.Errorf("the older client gets %q, %v, want what it sent", got, err)
	}
}

// TestCloseWithASharedIdentity checks that a client whose identity has been taken over does not
// keep the socket open.
func TestCloseWithASharedIdentity(t *testing.T) {
	ln, port := listen(t)
	r := transport.NewRouter(ln, nil, limits)
	r.StartEcho()
	for range 3 {
		exchange(t, dial(t, port, transport.Dealer, "me"), "x")
	}
	done := make(chan struct{})
	go func() { closeSoon(r); close(done) }()
	select {
	case <-done:
	case <-time.After(patience):
		t.Error("the socket did not close")
	}
}

// closed checks that the other side closes the connection.
func closed(t *testing.T, nc net.Conn) {
	t.Helper()
	if _, err := io.Copy(io.Discard, nc); errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("the connection stayed open")
	}
}

// TestHostilePeers checks that each hostile peer is disconnected, costs little memory, and does
// not affect the next client.
func TestHostilePeers(t *testing.T) {
	huge := binary.BigEndian.AppendUint64(nil, 1<<62)
	many := bytes.Repeat([]byte{1, 0}, 17)
	metadata := append([]byte{4, 9}, "\x05READY\xff\xff\xff"...)
	tests := []struct {
		name      string
		handshake bool // completed before the bytes are sent
		bytes     []byte
	}{
		{"silent", false, nil},
		{"not ZMTP", false, []byte(strings.Repeat("GET / HTTP/1.1\r\n", 10))},
		{"old ZMTP", false, append([]byte{0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 1}, make([]byte, 53)...)},
		{"half a greeting", false, greeting()[:30]},
		{"other mechanism", false, bytes.Replace(greeting(), []byte("NULL"), []byte("CURV"), 1)},
		{"2^62 bytes as READY", false, append(append(greeting(), 6), huge...)},
		{"2^40 bytes as READY", false, append(append(greeting(), 6), 0, 0, 1, 0, 0, 0, 0, 0)},
		{"message as READY", false, append(greeting(), 0, 1, 'x')},
		{"malformed metadata", false, append(greeting(), metadata...)},
		{"unknown socket type", false, append(greeting(), ready("NONSENSE")...)},
		{"socket type that does not fit", false, append(greeting(), ready("SUB")...)},
		{"2^62 bytes in a frame", true, append([]byte{2}, huge...)},
		{"more than the limit in two frames", true, append([]byte{3, 0, 0, 0, 0, 0, 8, 0, 0}, append(make([]byte, 8<<16), 2, 0, 0, 0, 0, 0, 8, 0, 1)...)},
		{"too many frames", true, many},
		{"commands without sense, then 2^62 bytes", true, slices.Concat(
			[]byte{4, 0}, []byte{4, 1, 9}, []byte{4, 2, 200, 'P'}, longCommand(255, 300), longCommand(254, 255), longCommand(255, 255),
			append([]byte{4, 5}, "\x04PING"...), append([]byte{4, 11}, "\x09SUBSCRIBEa"...), append([]byte{2}, huge...))},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			port := echo(t, limits)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			var nc net.Conn
			if tt.handshake {
				nc = shake(t, port, "DEALER")
			} else {
				nc = raw(t, port)
			}
			if _, err := nc.Write(tt.bytes); err != nil {
				t.Fatal(err)
			}
			// Other clients are served while the hostile peer is connected.
			exchange(t, dial(t, port, transport.Dealer, ""), "still", "here")
			closed(t, nc)
			runtime.ReadMemStats(&after)
			if got := after.TotalAlloc - before.TotalAlloc; got > 8<<20 {
				t.Errorf("%d bytes were allocated, want a few at most", got)
			}
		})
	}
}

// TestAnnouncedFrameIsNotAllocated announces the largest allowed frame and sends none of its
// bytes.
func TestAnnouncedFrameIsNotAllocated(t *testing.T) {
	port := echo(t, transport.Limits{})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 5 {
		nc := shake(t, port, "DEALER")
		if _, err := nc.Write(append([]byte{2}, binary.BigEndian.AppendUint64(nil, 500<<20)...)); err != nil {
			t.Fatal(err)
		}
	}
	exchange(t, dial(t, port, transport.Dealer, ""), "x")
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 20<<20 {
		t.Errorf("%d bytes were allocated for frames that never came", got)
	}
}

func TestPing(t *testing.T) {
	nc := shake(t, echo(t, limits), "DEALER")
	if _, err := nc.Write(append([]byte{4, 10}, "\x04PING\x00\x64ctx"...)); err != nil {
		t.Fatal(err)
	}
	want := append([]byte{4, 8}, "\x04PONGctx"...)
	got := make([]byte, len(want))
	if _, err := io.ReadFull(nc, got); err != nil || !bytes.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

// TestDealerThatDoesNotRead fills the queue of one client with replies; another client is served.
func TestDealerThatDoesNotRead(t *testing.T) {
	port := echo(t, limits)
	stuck := dial(t, port, transport.Dealer, "stuck")
	block := bytes.Repeat([]byte("x"), 512<<10)
	go func() {
		for stuck.Send([][]byte{block}) == nil {
		}
	}()
	c := dial(t, port, transport.Dealer, "good")
	for range 100 {
		exchange(t, c, "x")
	}
}

func publisher(t testing.TB, limits transport.Limits) (*transport.Publisher, int) {
	t.Helper()
	ln, port := listen(t)
	p := transport.NewPublisher(ln, nil, limits)
	p.Start(func(topic []byte) [][]byte { return [][]byte{[]byte("welcome"), topic} })
	t.Cleanup(func() { closeSoon(p) })
	return p, port
}

// subscribe returns a subscriber that has received its welcome.
func subscribe(t testing.TB, port int, topic string) *transport.Conn {
	t.Helper()
	c := dial(t, port, transport.Sub, "")
	if err := c.Subscribe(topic); err != nil {
		t.Fatal(err)
	}
	got, err := c.Recv()
	if err != nil || len(got) != 2 || string(got[0]) != "welcome" || string(got[1]) != topic {
		t.Fatalf("welcome is %q, %v", got, err)
	}
	return c
}

func TestTopics(t *testing.T) {
	p, port := publisher(t, limits)
	all, some := subscribe(t, port, ""), subscribe(t, port, "b.")
	for _, topic := range []string{"a.1", "b.1", "a.2", "b.2"} {
		p.Publish([][]byte{[]byte(topic)}, false)
	}
	for c, want := range map[*transport.Conn][]string{all: {"a.1", "b.1", "a.2", "b.2"}, some: {"b.1", "b.2"}} {
		for _, topic := range want {
			if got, err := c.Recv(); err != nil || string(got[0]) != topic {
				t.Errorf("got %q, %v, want %s", got, err, topic)
			}
		}
	}
}

// TestSubscribeCommands uses the SUBSCRIBE and UNSUBSCRIBE commands of ZMTP 3.1.
func TestSubscribeCommands(t *testing.T) {
	p, port := publisher(t, limits)
	nc := shake(t, port, "SUB")
	if _, err := nc.Write(append([]byte{4, 11}, "\x09SUBSCRIBEa"...)); err != nil {
		t.Fatal(err)
	}
	head := make([]byte, 2+len("welcome")+2+1)
	if _, err := io.ReadFull(nc, head); err != nil || string(head) != "\x01\x07welcome\x00\x01a" {
		t.Fatalf("welcome is %q, %v", head, err)
	}
	// The reply to a PING shows that the command before it has been processed.
	ping := append([]byte{4, 7}, "\x04PING\x00\x00"...)
	if _, err := nc.Write(append(append([]byte{4, 13}, "\x0bUNSUBSCRIBEa"...), ping...)); err != nil {
		t.Fatal(err)
	}
	const pong = "\x04\x05\x04PONG"
	if _, err := io.ReadFull(nc, head[:len(pong)]); err != nil || string(head[:len(pong)]) != pong {
		t.Fatalf("got %q, %v, want a PONG", head[:len(pong)], err)
	}
	p.Publish([][]byte{[]byte("a")}, false)
	if _, err := nc.Write(ping); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(nc, head[:len(pong)]); err != nil || string(head[:len(pong)]) != pong {
		t.Errorf("got %q, %v after unsubscribing, want a PONG only", head[:len(pong)], err)
	}
}

// TestOddSubscriptions sends messages that no subscriber should send. The publisher must serve
// this subscriber and others as before.
func TestOddSubscriptions(t *testing.T) {
	p, port := publisher(t, limits)
	odd := shake(t, port, "SUB")
	for _, m := range [][]byte{
		{0, 2, 0, 'a'},                     // unsubscribe without a subscription
		{0, 0}, {0, 1, 7}, {1, 1, 1, 0, 0}, // an empty message, an unknown verb, two frames
		append([]byte{4, 13}, "\x0bUNSUBSCRIBEa"...),
		{0, 2, 1, 'b'}, {0, 2, 0, 'c'}, {0, 2, 0, 'b'}, {0, 2, 0, 'b'}, // unsubscribed, twice
		{0, 2, 1, 'd'},
	} {
		if _, err := odd.Write(m); err != nil {
			t.Fatal(err)
		}
	}
	want := "\x01\x07welcome\x00\x01b" + "\x01\x07welcome\x00\x01d"
	got := make([]byte, len(want))
	if _, err := io.ReadFull(odd, got); err != nil || string(got) != want {
		t.Fatalf("got %q, %v, want the welcomes %q", got, err, want)
	}
	other := subscribe(t, port, "")
	for _, topic := range []string{"b", "d"} {
		p.Publish([][]byte{[]byte(topic)}, false)
		if got, err := other.Recv(); err != nil || string(got[0]) != topic {
			t.Errorf("another subscriber gets %q, %v, want %s", got, err, topic)
		}
	}
	if _, err := io.ReadFull(odd, got[:3]); err != nil || string(got[:3]) != "\x00\x01d" {
		t.Errorf("got %q, %v, want the message of d only", got[:3], err)
	}
}

// TestTopicsAreBounded subscribes to more topics than a client can have.
func TestTopicsAreBounded(t *testing.T) {
	p, port := publisher(t, limits)
	c := dial(t, port, transport.Sub, "")
	const most = 1024
	for i := range most + 1 {
		if err := c.Subscribe(fmt.Sprintf("t%d.", i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Subscribe("t0."); err != nil { // a second time: the topic is known
		t.Fatal(err)
	}
	for i := range most + 1 {
		want := fmt.Sprintf("t%d.", i%most)
		if got, err := c.Recv(); err != nil || len(got) != 2 || string(got[1]) != want {
			t.Fatalf("welcome %d is %q, %v, want one for %s", i, got, err, want)
		}
	}
	for _, i := range []int{most, 0} {
		p.Publish([][]byte{fmt.Appendf(nil, "t%d.x", i)}, false)
	}
	if got, err := c.Recv(); err != nil || string(got[0]) != "t0.x" {
		t.Errorf("got %q, %v, want only the topics with a welcome", got, err)
	}
}

// TestStuckSubscriber publishes much more than the limits allow to two subscribers, only one of
// which reads.
func TestStuckSubscriber(t *testing.T) {
	p, port := publisher(t, limits)
	good := subscribe(t, port, "")
	stuck := shake(t, port, "SUB")
	if _, err := stuck.Write([]byte{0, 1, 1}); err != nil {
		t.Fatal(err)
	}
	if _, err := io.CopyN(io.Discard, stuck, int64(len("\x01\x07welcome\x00\x00"))); err != nil {
		t.Fatal(err)
	}
	const n = 40000
	body := bytes.Repeat([]byte("x"), 1000)
	go func() {
		for i := range n {
			if i%100 == 0 {
				_ = p.Ready(context.Background()) // the context never ends
			}
			p.Publish([][]byte{[]byte("t"), binary.BigEndian.AppendUint32(nil, uint32(i)), body}, false)
		}
	}()
	for i := range n {
		got, err := good.Recv()
		if err != nil {
			t.Fatalf("after %d messages: %v", i, err)
		}
		if have := int(binary.BigEndian.Uint32(got[1])); have != i {
			t.Fatalf("got message %d, want %d", have, i)
		}
	}
	closed(t, stuck)
}

// TestSubscribersThatNeverRead publishes to a subscriber that reads, while others subscribe one
// after another and read nothing. A single subscriber that reads nothing delays the publisher by
// one pause. All of them together must not delay it longer.
func TestSubscribersThatNeverRead(t *testing.T) {
	l := limits
	l.Stall, l.Pause, l.Queue = time.Hour, 50*time.Millisecond, 1<<30
	p, port := publisher(t, l)
	good := subscribe(t, port, "")
	const rounds = 40
	body := make([]byte, 64<<10)
	go func() {
		for {
			if _, err := good.Recv(); err != nil {
				return
			}
		}
	}()
	for range rounds {
		stuck := shake(t, port, "SUB")
		if _, err := stuck.Write([]byte{0, 1, 1}); err != nil {
			t.Fatal(err)
		}
		if _, err := io.CopyN(io.Discard, stuck, int64(len("\x01\x07welcome\x00\x00"))); err != nil {
			t.Fatal(err)
		}
		for range 256 { // more than the buffers of a connection hold
			p.Publish([][]byte{[]byte("t"), body}, false)
		}
		// If subscribers that read nothing counted, Ready would wait for an hour, which is the
		// stall time.
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		err := p.Ready(ctx)
		cancel()
		if err != nil {
			t.Fatal("the publisher waits for a subscriber that never reads")
		}
	}
}

func TestReadyStopsWithItsContext(t *testing.T) {
	l := limits
	l.Stall = time.Hour
	p, port := publisher(t, l)
	subscribe(t, port, "") // and stops reading
	big := make([]byte, 7<<20)
	p.Publish([][]byte{[]byte("t"), big}, true)
	p.Publish([][]byte{[]byte("t"), big[:1<<19]}, true)
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if err := p.Ready(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Ready returned %v before the subscriber has read", err)
	}
	if !p.Discard() {
		t.Error("Discard removed nothing")
	}
}

// TestCloseDelivers queues messages and closes the socket immediately.
func TestCloseDelivers(t *testing.T) {
	ln, port := listen(t)
	p := transport.NewPublisher(ln, nil, transport.Limits{})
	p.Start(func([]byte) [][]byte { return [][]byte{[]byte("welcome"), {}} })
	c := subscribe(t, port, "")
	body := make([]byte, 20_000)
	for range 500 {
		p.Publish([][]byte{[]byte("t"), body}, false)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		p.Close(ctx)
	}()
	for i := range 500 {
		if _, err := c.Recv(); err != nil {
			t.Fatalf("message %d of 500: %v", i+1, err)
		}
	}
	<-done
}

// TestRebind binds the same port repeatedly while clients are connected.
func TestRebind(t *testing.T) {
	ln, port := listen(t)
	for i := range 20 {
		r := transport.NewRouter(ln, nil, limits)
		r.StartEcho()
		exchange(t, dial(t, port, transport.Dealer, "me"), "x")
		closeSoon(r)
		var err error
		if ln, _, err = transport.Listen("tcp", "127.0.0.1", port, 1); err != nil {
			t.Fatalf("bind %d: %v", i+2, err)
		}
	}
	ln.Close()
}

func TestStaleUnixSocket(t *testing.T) {
	dir, err := os.MkdirTemp("", "k")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "s")
	ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: path + "-1", Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := transport.Listen("ipc", path, 1, 1); err == nil {
		t.Error("a socket in use was replaced")
	}
	ln.SetUnlinkOnClose(false) // as after kill -9
	ln.Close()
	again, _, err := transport.Listen("ipc", path, 1, 1)
	if err != nil {
		t.Fatalf("a stale socket was not replaced: %v", err)
	}
	again.Close()
	if err := os.WriteFile(path+"-1", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := transport.Listen("ipc", path, 1, 1); err == nil {
		t.Error("an ordinary file was replaced by a socket")
	}
}

func TestLongUnixPath(t *testing.T) {
	_, _, err := transport.Listen("ipc", filepath.Join(t.TempDir(), strings.Repeat("x", 120)), 1, 1)
	if err == nil || !strings.Contains(err.Error(), "shorter") {
		t.Errorf("error %v, want one that says what to do", err)
	}
}

func TestUnknownTransport(t *testing.T) {
	if _, _, err := transport.Listen("udp", "127.0.0.1", 0, 1); !errors.Is(err, transport.ErrTransport) {
		t.Errorf("error %v, want ErrTransport", err)
	}
}

func BenchmarkRoundTrip(b *testing.B) {
	c := dial(b, echo(b, transport.Limits{}), transport.Dealer, "me")
	if err := c.SetReadDeadline(time.Time{}); err != nil {
		b.Fatal(err)
	}
	frames := make([][]byte, 7)
	for i := range frames {
		frames[i] = make([]byte, 300)
	}
	for b.Loop() {
		if err := c.Send(frames); err != nil {
			b.Fatal(err)
		}
		if _, err := c.Recv(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPublish(b *testing.B) {
	p, port := publisher(b, transport.Limits{})
	c := subscribe(b, port, "")
	if err := c.SetReadDeadline(time.Time{}); err != nil {
		b.Fatal(err)
	}
	frames := make([][]byte, 7)
	for i := range frames {
		frames[i] = make([]byte, 200)
	}
	done := make(chan error)
	go func() {
		for range b.N {
			if _, err := c.Recv(); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	for range b.N {
		p.Publish(frames, false)
	}
	if err := <-done; err != nil {
		b.Fatal(err)
	}
}
