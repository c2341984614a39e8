package kernel_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/kernel"
	"github.com/gokernel/gokernel/kernel/kerneltest"
	"github.com/gokernel/gokernel/kernel/transport"
	"github.com/gokernel/gokernel/kernel/wire"
)

func TestManyLines(t *testing.T) {
	for _, tt := range []struct {
		name, code string
		stdout     int // bytes
		bytes      int // of both streams
	}{
		{"100,000 lines", "lines 100000", 1088890, 1088890},
		{"1,000,000 lines", "lines 1000000", 11888890, 11888890},
		{"50 MB", "bytes 50000000", 50000000, 50000000},
		{"alternating streams", "switch 2000", 4000, 8000},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, conn := start(t)
			e := kerneltest.Connect(t, conn).Execute(tt.code)
			if n := len(e.Text("stdout")); n != tt.stdout {
				t.Errorf("%d bytes arrived on stdout, want %d", n, tt.stdout)
			}
			// The text is flushed at the start and the end of the cell, and after 64 KB or 200 ms.
			// A flush has at most 8 switches between the streams.
			flushes := 2 + tt.bytes/(64<<10) + int(e.Elapsed/(200*time.Millisecond))
			if tt.stdout != tt.bytes {
				flushes *= 8
			}
			if got := len(e.Of("stream")); got > flushes {
				t.Errorf("%d stream messages in %v, want at most %d", got, e.Elapsed, flushes)
			}
			t.Logf("%d messages in %v", len(e.Of("stream")), e.Elapsed)
		})
	}
}

func TestFirstOutputIsPrompt(t *testing.T) {
	f, conn := start(t)
	c := kerneltest.Connect(t, conn)
	c.Send("shell", "execute_request", map[string]any{"code": "print now\nwait"})
	f.running(t)
	for {
		// The cell does not end on its own.
		if m := c.Recv("iopub"); m.Type() == "stream" {
			break
		}
	}
	c.Request("control", "interrupt_request", map[string]any{})
	c.Recv("shell")
}

func TestSteadyOutputIsCoalesced(t *testing.T) {
	_, conn := start(t)
	code := strings.Repeat("print x\nsleep 10ms\n", 50)
	e := kerneltest.Connect(t, conn).Execute(code)
	if got, most := len(e.Of("stream")), 3+int(e.Elapsed/(200*time.Millisecond)); got < 2 || got > most {
		t.Errorf("%v of steady output came in %d messages, want 2 to %d", e.Elapsed, got, most)
	}
	if got := e.Text("stdout"); got != strings.Repeat("x\n", 50) {
		t.Errorf("stdout %q", got)
	}
}

// TestSplitCharacter prints the bytes of one character with a pause in between.
func TestSplitCharacter(t *testing.T) {
	_, conn := start(t)
	e := kerneltest.Connect(t, conn).Execute("raw \"a\\xf0\\x9f\"\nsleep 50ms\nraw \"\\x98\\x80b\"")
	if got := e.Text("stdout"); got != "a😀b" {
		t.Errorf("stdout %q, want %q", got, "a😀b")
	}
}

func TestLateOutput(t *testing.T) {
	f, conn := start(t)
	c := kerneltest.Connect(t, conn)
	first := c.Execute("late")
	c.Execute("value 2")
	f.late <- "late\n"
	close(f.late)
	m := c.Recv("iopub")
	if m.Type() != "stream" || m.ParentID != first.ID || m.Str("text") != "late\n" {
		t.Errorf("got %v, want late output of %s", m, first.ID)
	}
	if m, ok := c.RecvWithin("iopub", 300*time.Millisecond); ok {
		t.Errorf("got %v: payloads and input belong to running cells", m)
	}
}

// TestLateFlood lets a goroutine print more than a subscriber's queue can hold, after the
// goroutine's cell has ended. The goroutine must wait for the subscriber.
func TestLateFlood(t *testing.T) {
	_, conn := start(t, func(c *kernel.Config) {
		c.Limits = transport.Limits{HighWater: 1 << 20, Queue: 8 << 20}
	})
	c := kerneltest.Connect(t, conn)
	const size = 40_000_000
	e := c.Execute("lateflood " + strconv.Itoa(size))
	for got := 0; got < size; {
		m := c.IOPub()
		if m.Type() != "stream" || m.ParentID != e.ID {
			t.Fatalf("got %v, want output of the cell", m)
		}
		got += len(m.Str("text"))
	}
}

// subscribe returns a subscriber that has received its welcome. The test reads the subscriber's
// other messages itself.
func subscribe(t *testing.T, conn kernel.Connection) *transport.Conn {
	t.Helper()
	sub, err := conn.Dial(t.Context(), conn.IOPubPort, transport.Sub, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { sub.Close() })
	if err := sub.Subscribe(""); err != nil {
		t.Fatal(err)
	}
	if _, err := sub.Recv(); err != nil {
		t.Fatal(err)
	}
	return sub
}

// TestSlowSubscriber shows more than the queue of a slow subscriber can hold. The cell must wait
// for the subscriber, which must receive everything.
func TestSlowSubscriber(t *testing.T) {
	_, conn := start(t, func(c *kernel.Config) {
		c.Limits = transport.Limits{HighWater: 1 << 20, Queue: 8 << 20, Pause: time.Minute}
	})
	c := kerneltest.Connect(t, conn)
	slow := subscribe(t, conn)
	const displays = 40
	id := c.Send("shell", "execute_request", map[string]any{"code": "displays " + strconv.Itoa(displays)})
	for got := 0; got < displays; {
		frames, err := slow.Recv()
		if err != nil {
			t.Fatalf("the slow subscriber was disconnected after %d of %d displays: %v", got, displays, err)
		}
		if !strings.HasSuffix(string(frames[0]), ".display_data") {
			continue
		}
		if got++; got == 1 {
			time.Sleep(1500 * time.Millisecond)
		}
	}
	if e := c.Await("shell", id, time.Now()); len(e.Of("display_data")) != displays {
		t.Errorf("the other subscriber got %d displays, want %d", len(e.Of("display_data")), displays)
	}
}

// TestInterruptFlood interrupts a cell that prints endlessly. The client does not read iopub
// while the cell runs, so that output queues up.
func TestInterruptFlood(t *testing.T) {
	f, conn := start(t)
	c, control := kerneltest.Connect(t, conn), kerneltest.Connect(t, conn)
	id := c.Send("shell", "execute_request", map[string]any{"code": "flood"})
	f.running(t)
	time.Sleep(300 * time.Millisecond)
	began := time.Now()
	control.Send("control", "interrupt_request", map[string]any{})
	if m := c.Recv("shell"); m.ParentID != id || m.Str("ename") != "interrupted" {
		t.Errorf("got %v, want interrupted", m)
	}
	t.Logf("interrupted after %v", time.Since(began))
	e := c.Execute("value 1")
	if e.Status() != "ok" {
		t.Errorf("the next cell: %v, want ok", e.Reply)
	}
}

// TestInterruptDropsTheBacklog interrupts a cell whose output waits for a subscriber that does
// not read. The kernel must drop the output and notify the subscriber.
func TestInterruptDropsTheBacklog(t *testing.T) {
	const sockets = 40 << 20 // the size of the buffers of a connection
	f, conn := start(t, func(c *kernel.Config) {
		c.Limits = transport.Limits{HighWater: 2 * sockets, Queue: 4 * sockets, Stall: time.Hour, Pause: time.Hour}
	})
	c := kerneltest.Connect(t, conn)
	behind := subscribe(t, conn)
	id := c.Send("shell", "execute_request", map[string]any{"code": "flood"})
	f.running(t)
	for got := 0; got < sockets+10<<20; {
		got += len(c.Recv("iopub").Str("text"))
	}
	c.Send("control", "interrupt_request", map[string]any{})
	if m := c.Recv("shell"); m.ParentID != id || m.Str("ename") != "interrupted" {
		t.Errorf("got %v, want interrupted", m)
	}
	signer, err := wire.NewSigner("", conn.Key)
	if err != nil {
		t.Fatal(err)
	}
	told := false
	for {
		frames, err := behind.Recv()
		if err != nil {
			t.Fatal(err)
		}
		m, err := signer.Decode(frames)
		if err != nil {
			t.Fatal(err)
		}
		told = told || strings.Contains(string(m.Content), "the interrupt dropped output")
		if strings.HasSuffix(string(frames[0]), ".error") {
			break // it is the last message
		}
	}
	if !told {
		t.Error("the subscriber was not notified that output was dropped")
	}
}

func TestTwoClients(t *testing.T) {
	_, conn := start(t)
	a, b := kerneltest.Connect(t, conn), kerneltest.Connect(t, conn)
	for range 20 {
		ea := a.Send("shell", "execute_request", map[string]any{"code": "print a"})
		eb := b.Send("shell", "execute_request", map[string]any{"code": "print b"})
		if got := a.Await("shell", ea, time.Now()).Text("stdout"); got != "a\n" {
			t.Errorf("a got %q", got)
		}
		if got := b.Await("shell", eb, time.Now()).Text("stdout"); got != "b\n" {
			t.Errorf("b got %q", got)
		}
	}
	// Each client sees the outputs of the other client's cells, but not the replies to the other
	// client.
	if m, ok := a.RecvWithin("shell", 50*time.Millisecond); ok {
		t.Errorf("a got %v", m)
	}
}

// TestStuckSubscriber has one subscriber that reads nothing and another one that reads 50 MB.
func TestStuckSubscriber(t *testing.T) {
	_, conn := start(t, quickStall)
	good := kerneltest.Connect(t, conn)
	kerneltest.Stuck(t, conn)
	e := good.Execute("bytes 50000000")
	if got := len(e.Text("stdout")); got != 50000000 {
		t.Errorf("the good subscriber got %d bytes, want all", got)
	}
}
