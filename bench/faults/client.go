//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gokernel/gokernel/kernel"
	"github.com/gokernel/gokernel/kernel/msg"
	"github.com/gokernel/gokernel/kernel/transport"
	"github.com/gokernel/gokernel/kernel/wire"
)

// patience is the time after which an answer counts as lost.
const patience = 90 * time.Second

// account counts missing and duplicate answers.
type account struct {
	requests                       int
	lost, doubled, noIdle, notLast int
}

func (a *account) add(b account) {
	a.requests += b.requests
	a.lost += b.lost
	a.doubled += b.doubled
	a.noIdle += b.noIdle
	a.notLast += b.notLast
}

func (a account) clean() bool { return a.lost+a.doubled+a.noIdle+a.notLast == 0 }

// exchange is a request and its answers.
type exchange struct {
	id   string
	sent time.Time
	took time.Duration // from the request to idle and reply

	answered             bool // whether the type of request has a reply
	replies, idles, late int
	status, name, value  string // of the reply; the value of a cell as text
	reply                json.RawMessage
	text                 strings.Builder
	shown                int

	begun, done         chan struct{}
	beginning, finished sync.Once
}

// client is a frontend that checks the answers to its requests.
type client struct {
	conn    kernel.Connection
	signer  *wire.Signer
	session string
	sockets map[string]*transport.Conn
	readers sync.WaitGroup // goroutines that read the sockets

	mu        sync.Mutex
	next      int
	exchanges map[string]*exchange
	strays    int // messages for requests that were already closed
}

var sessions atomic.Int64

// dial connects a frontend. When it returns, the frontend has subscribed.
func dial(conn kernel.Connection) (*client, error) {
	signer, err := wire.NewSigner(conn.SignatureScheme, conn.Key)
	if err != nil {
		return nil, err
	}
	c := &client{
		conn: conn, signer: signer, session: "front-" + strconv.FormatInt(sessions.Add(1), 10),
		sockets: map[string]*transport.Conn{}, exchanges: map[string]*exchange{},
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for _, s := range []struct {
		channel string
		port    int
		kind    transport.Kind
	}{{"shell", conn.ShellPort, transport.Dealer}, {"control", conn.ControlPort, transport.Dealer}, {"iopub", conn.IOPubPort, transport.Sub}} {
		sock, err := conn.Dial(ctx, s.port, s.kind, c.session)
		if err != nil {
			c.close()
			return nil, fmt.Errorf("%s: %w", s.channel, err)
		}
		c.sockets[s.channel] = sock
	}
	if err = c.sockets["iopub"].Subscribe(""); err == nil {
		_, err = c.sockets["iopub"].Recv() // the welcome
	}
	if err != nil {
		c.close()
		return nil, err
	}
	for channel, sock := range c.sockets {
		c.readers.Go(func() { c.read(channel, sock) })
	}
	return c, nil
}

func (c *client) close() {
	for _, s := range c.sockets {
		s.Close()
	}
}

func (c *client) read(channel string, sock *transport.Conn) {
	for {
		frames, err := sock.Recv()
		if err != nil {
			return
		}
		if m, err := c.signer.Decode(frames); err == nil {
			c.take(channel, m)
		}
	}
}

// maxRead is the maximum size of contents that are parsed.
const maxRead = 2 << 20

func (c *client) take(channel string, m wire.Message) {
	h, err := msg.DecodeHeader(m.Header)
	if err != nil {
		return
	}
	var parent struct {
		ID      string `json:"msg_id"`
		Session string `json:"session"`
	}
	if json.Unmarshal(m.Parent, &parent) != nil || parent.Session != c.session {
		return // from another frontend
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	x := c.exchanges[parent.ID]
	if x == nil {
		c.strays++
		return
	}
	var content struct {
		Status, EName, EValue, Text string
		State                       string `json:"execution_state"`
		Data                        map[string]json.RawMessage
	}
	if len(m.Content) <= maxRead {
		_ = json.Unmarshal(m.Content, &content) // fields that do not fit are ignored
	}
	switch {
	case channel != "iopub":
		x.replies++
		x.status, x.name, x.reply = content.Status, content.EName, m.Content
		if content.Status == "error" {
			x.value = content.EValue
		}
	case x.idles > 0:
		x.late++
	case h.Type == "status" && content.State == "idle":
		x.idles++
	case h.Type == "stream":
		if x.text.Len() < maxRead {
			x.text.WriteString(content.Text)
		}
		x.beginning.Do(func() { close(x.begun) })
	case h.Type == "execute_result":
		_ = json.Unmarshal(content.Data["text/plain"], &x.value)
	case h.Type == "display_data":
		x.shown++
	}
	if x.idles > 0 && (x.replies > 0 || !x.answered) {
		x.finished.Do(func() { x.took = time.Since(x.sent); close(x.done) })
	}
}

// header returns a header for a new message.
func (c *client) header(kind string) msg.Header {
	c.next++
	return msg.Header{ID: c.session + "-" + strconv.Itoa(c.next), Session: c.session, Username: "front", Date: msg.Date(time.Now()), Type: kind, Version: msg.Version}
}

// send sends a request, in a subshell if c has one. The content can be JSON.
func (c *client) send(channel, kind string, content any) *exchange {
	x, frames := c.prepare(kind, content)
	_ = c.sockets[channel].Send(frames) // a failure appears as a lost reply
	return x
}

// prepare registers a request and returns its frames.
func (c *client) prepare(kind string, content any) (*exchange, [][]byte) {
	raw, ok := content.(json.RawMessage)
	if !ok {
		raw, _ = json.Marshal(content) // maps of texts and numbers
	}
	c.mu.Lock()
	h := c.header(kind)
	x := &exchange{id: h.ID, sent: time.Now(), answered: strings.HasSuffix(kind, "_request"), begun: make(chan struct{}), done: make(chan struct{})}
	c.exchanges[h.ID] = x
	c.mu.Unlock()
	header, _ := json.Marshal(h)
	return x, c.signer.Encode(wire.Message{Header: header, Parent: []byte("{}"), Metadata: []byte("{}"), Content: raw})
}

// start sends a cell.
func (c *client) start(code string) *exchange {
	return c.send("shell", "execute_request", map[string]any{"code": code, "allow_stdin": false})
}

// cell runs a cell and waits for its end.
func (c *client) cell(code string) *exchange {
	x := c.start(code)
	x.wait()
	return x
}

// wait waits for reply and idle, and reports whether both have come.
func (x *exchange) wait() bool {
	select {
	case <-x.done:
		return true
	case <-time.After(patience):
		return false
	}
}

var errSilent = errors.New("the cell has printed nothing in time")

// started waits until the cell has printed something.
func (x *exchange) started() error {
	select {
	case <-x.begun:
		return nil
	case <-x.done:
		return nil
	case <-time.After(patience):
		return errSilent
	}
}

// closeAll returns the account of all requests and forgets them. With quiet, output after idle is
// not counted, because goroutines of the cell may still print.
func (c *client) closeAll(quiet bool) (a account) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, x := range c.exchanges {
		a.requests++
		if x.answered && x.replies == 0 {
			a.lost++
		}
		if x.replies > 1 {
			a.doubled++
		}
		if x.idles == 0 {
			a.noIdle++
		}
		if x.late > 0 && !quiet {
			a.notLast++
		}
		delete(c.exchanges, id)
	}
	if !quiet {
		a.notLast += c.strays
	}
	c.strays = 0
	return a
}
