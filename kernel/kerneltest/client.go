// Package kerneltest talks to a kernel as a Jupyter client does, over its real sockets. It
// validates every message that it receives against the messaging specification.
package kerneltest

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gokernel/gokernel/kernel"
	"github.com/gokernel/gokernel/kernel/msg"
	"github.com/gokernel/gokernel/kernel/transport"
	"github.com/gokernel/gokernel/kernel/wire"
)

// Timeout is the time that a Client waits for a message before the test fails.
const Timeout = time.Minute

// Message is a received message.
type Message struct {
	Channel   string // shell, control, stdin, iopub
	Topic     string // iopub only
	Header    msg.Header
	RawHeader json.RawMessage
	Parent    json.RawMessage // as received
	ParentID  string
	Metadata  map[string]any
	Content   map[string]any
	Buffers   [][]byte
}

// Type returns the message type.
func (m Message) Type() string { return m.Header.Type }

// String returns the message as tests print it.
func (m Message) String() string {
	return fmt.Sprintf("%s %s (parent %s) %v", m.Channel, m.Header.Type, m.ParentID, m.Content)
}

// Str returns a string field of the content, or "" if the field is missing.
func (m Message) Str(field string) string {
	s, _ := m.Content[field].(string)
	return s
}

// Int returns an integer field of the content, or -1 if the field is missing.
func (m Message) Int(field string) int {
	f, ok := m.Content[field].(float64)
	if !ok {
		return -1
	}
	return int(f)
}

// Client is connected to all sockets of one kernel. Its methods fail the test on errors, and must
// be called from the goroutine of the test.
type Client struct {
	t       testing.TB
	conn    kernel.Connection
	signer  *wire.Signer
	session string
	nextID  int
	sockets map[string]*transport.Conn
	queues  map[string]chan received
	seen    map[string]bool // msg_ids; a duplicate is an error
	types   map[string]string
	begun   map[string]bool   // requests whose busy has been received
	allowed map[string]string // channels of message types outside the specification
}

type received struct {
	frames [][]byte
	err    error
}

var clients atomic.Int64

// Connect returns a client that has received its iopub_welcome. The client is closed when the
// test ends.
func Connect(t testing.TB, conn kernel.Connection) *Client {
	t.Helper()
	c := Dial(t, conn)
	if m := c.IOPub(); m.Type() != "iopub_welcome" || m.Topic != "" || m.Str("subscription") != "" {
		t.Fatalf("first iopub message is %v with topic %q, want iopub_welcome with the subscription as its topic", m, m.Topic)
	}
	return c
}

// Dial returns a client that has subscribed to all topics but has not received a message.
func Dial(t testing.TB, conn kernel.Connection) *Client {
	t.Helper()
	signer, err := wire.NewSigner(conn.SignatureScheme, conn.Key)
	if err != nil {
		t.Fatal(err)
	}
	c := &Client{
		t: t, conn: conn, signer: signer,
		session: "client-" + strconv.FormatInt(clients.Add(1), 10),
		sockets: map[string]*transport.Conn{}, queues: map[string]chan received{},
		seen: map[string]bool{}, types: map[string]string{}, begun: map[string]bool{}, allowed: map[string]string{},
	}
	for _, s := range []struct {
		channel string
		port    int
		kind    transport.Kind
	}{
		{"shell", conn.ShellPort, transport.Dealer},
		{"control", conn.ControlPort, transport.Dealer},
		{"stdin", conn.StdinPort, transport.Dealer},
		{"iopub", conn.IOPubPort, transport.Sub},
		{"hb", conn.HBPort, transport.Req},
	} {
		c.dial(s.channel, s.port, s.kind)
	}
	if err := c.sockets["iopub"].Subscribe(""); err != nil {
		t.Fatal(err)
	}
	return c
}

func (c *Client) dial(channel string, port int, kind transport.Kind) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), Timeout)
	defer cancel()
	sock, err := c.conn.Dial(ctx, port, kind, c.session)
	if err != nil {
		c.t.Fatalf("%s: %v", channel, err)
	}
	c.t.Cleanup(func() { sock.Close() })
	q := make(chan received, 1<<16)
	c.sockets[channel], c.queues[channel] = sock, q
	go func() {
		for {
			frames, err := sock.Recv()
			q <- received{frames, err}
			if err != nil {
				return
			}
		}
	}()
}

// Header returns a header for a new message.
func (c *Client) Header(kind string) msg.Header {
	c.nextID++
	return msg.Header{
		ID: c.session + "-" + strconv.Itoa(c.nextID), Session: c.session, Username: "test",
		Date: msg.Date(time.Now()), Type: kind, Version: msg.Version,
	}
}

// Send sends a message and returns its id. If the content is a json.RawMessage, it is sent
// unchanged.
func (c *Client) Send(channel, kind string, content any) string {
	c.t.Helper()
	return c.SendFull(channel, c.Header(kind), nil, content, nil)
}

// SendFull sends a message with a parent and buffers.
func (c *Client) SendFull(channel string, h msg.Header, parent json.RawMessage, content any, buffers [][]byte) string {
	c.t.Helper()
	raw, isRaw := content.(json.RawMessage)
	if !isRaw {
		var err error
		if raw, err = json.Marshal(content); err != nil {
			c.t.Fatal(err)
		}
	}
	header, err := json.Marshal(h)
	if err != nil {
		c.t.Fatal(err)
	}
	if parent == nil {
		parent = json.RawMessage("{}")
	}
	c.types[h.ID] = h.Type
	c.SendFrames(channel, c.signer.Encode(wire.Message{
		Header: header, Parent: parent, Metadata: []byte("{}"), Content: raw, Buffers: buffers,
	}))
	return h.ID
}

// SendRaw signs and sends the four dictionaries unchanged. They need not be valid JSON.
func (c *Client) SendRaw(channel, header, parent, metadata, content string) {
	c.t.Helper()
	c.SendFrames(channel, c.signer.Encode(wire.Message{
		Header: []byte(header), Parent: []byte(parent), Metadata: []byte(metadata), Content: []byte(content),
	}))
}

// SendFrames sends frames unchanged.
func (c *Client) SendFrames(channel string, frames [][]byte) {
	c.t.Helper()
	if err := c.sockets[channel].Send(frames); err != nil {
		c.t.Fatalf("%s: %v", channel, err)
	}
}

// Recv waits for the next message of a channel and validates it.
func (c *Client) Recv(channel string) Message {
	c.t.Helper()
	m, ok := c.RecvWithin(channel, Timeout)
	if !ok {
		c.t.Fatalf("no message on %s within %v", channel, Timeout)
	}
	return m
}

// RecvWithin is like Recv, but with a different timeout. It returns false if no message came.
func (c *Client) RecvWithin(channel string, d time.Duration) (Message, bool) {
	c.t.Helper()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case r := <-c.queues[channel]:
		if r.err != nil {
			c.t.Fatalf("%s: %v", channel, r.err)
		}
		return c.decode(channel, r.frames), true
	case <-timer.C:
		return Message{}, false
	}
}

// IOPub waits for the next iopub message.
func (c *Client) IOPub() Message {
	c.t.Helper()
	return c.Recv("iopub")
}

func (c *Client) decode(channel string, frames [][]byte) Message {
	c.t.Helper()
	w, err := c.signer.Decode(frames)
	if err != nil {
		c.t.Fatalf("%s: %v", channel, err)
	}
	m := Message{Channel: channel, RawHeader: w.Header, Parent: w.Parent, Buffers: w.Buffers}
	if channel == "iopub" {
		if len(w.Identities) != 1 {
			c.t.Fatalf("iopub message has %d topic frames, want 1", len(w.Identities))
		}
		m.Topic = string(w.Identities[0])
	}
	if m.Header, err = msg.DecodeHeader(w.Header); err != nil {
		c.t.Fatalf("%s: %v", channel, err)
	}
	var parent msg.Header
	for _, part := range []struct {
		name string
		raw  []byte
		into any
	}{{"parent_header", w.Parent, &parent}, {"metadata", w.Metadata, &m.Metadata}, {"content", w.Content, &m.Content}} {
		if len(part.raw) == 0 || part.raw[0] != '{' {
			c.t.Fatalf("%s of %s is %q, want an object", part.name, m.Header.Type, part.raw)
		}
		// The parent is the header of the request as received, even if it is invalid.
		if err := json.Unmarshal(part.raw, part.into); err != nil && part.into != any(&parent) {
			c.t.Fatalf("%s of %s: %v", part.name, m.Header.Type, err)
		}
	}
	m.ParentID = parent.ID
	if c.seen[m.Header.ID] {
		c.t.Errorf("msg_id %s was used twice", m.Header.ID)
	}
	c.seen[m.Header.ID] = true
	if c.allowed[m.Type()] == channel {
		return m
	}
	if err := Validate(m); err != nil {
		c.t.Errorf("%v: %v", m, err)
	}
	// The type of a reply follows from the type of its request.
	if kind, ok := c.types[m.ParentID]; ok && (channel == "shell" || channel == "control") {
		if want := replyType(kind); m.Type() != want {
			c.t.Errorf("%s answers %s, want %s", m.Type(), kind, want)
		}
	}
	return m
}

// Allow accepts messages of a type on a channel without validating them.
func (c *Client) Allow(kind, channel string) { c.allowed[kind] = channel }

// Ping sends a heartbeat and returns the time until its echo.
func (c *Client) Ping(payload string) time.Duration {
	c.t.Helper()
	start := time.Now()
	c.SendFrames("hb", [][]byte{{}, []byte(payload)})
	select {
	case r := <-c.queues["hb"]:
		if r.err != nil || len(r.frames) != 2 || string(r.frames[1]) != payload {
			c.t.Fatalf("heartbeat echo is %q, %v, want %q", r.frames, r.err, payload)
		}
	case <-time.After(Timeout):
		c.t.Fatalf("no heartbeat within %v", Timeout)
	}
	return time.Since(start)
}

// Stuck connects a subscriber that never reads.
func Stuck(t testing.TB, conn kernel.Connection) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), Timeout)
	defer cancel()
	sock, err := conn.Dial(ctx, conn.IOPubPort, transport.Sub, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { sock.Close() })
	if err := sock.Subscribe(""); err != nil {
		t.Fatal(err)
	}
}
