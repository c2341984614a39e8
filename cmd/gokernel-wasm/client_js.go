package main

import (
	"context"
	"fmt"
	"os"
	"syscall/js"
	"time"

	"github.com/gokernel/gokernel/kernel"
	"github.com/gokernel/gokernel/kernel/transport"
	"github.com/gokernel/gokernel/kernel/wire"
)

// key signs messages that never leave this program.
const key = "wasm"

const (
	// dialTimeout bounds the wait for each socket of the kernel.
	dialTimeout = 10 * time.Second
	// queued is how many messages of the page may wait for the kernel.
	queued = 1 << 12
)

// client talks to the kernel as a Jupyter client does, over the in-memory network of Go's
// WebAssembly port.
type client struct {
	signer  *wire.Signer
	sockets map[string]*transport.Conn
	outbox  chan letter
	receive js.Value // takes messages of the kernel
}

// letter is a message to the kernel.
type letter struct {
	channel string
	message wire.Message
}

func connect(conn kernel.Connection, receive js.Value) (*client, error) {
	signer, err := wire.NewSigner(conn.SignatureScheme, conn.Key)
	if err != nil {
		return nil, err
	}
	c := &client{signer: signer, sockets: map[string]*transport.Conn{}, outbox: make(chan letter, queued), receive: receive}
	for _, s := range []struct {
		channel string
		port    int
		kind    transport.Kind
	}{
		{"iopub", conn.IOPubPort, transport.Sub},
		{"shell", conn.ShellPort, transport.Dealer},
		{"control", conn.ControlPort, transport.Dealer},
		{"stdin", conn.StdinPort, transport.Dealer},
	} {
		ctx, cancel := context.WithTimeout(context.Background(), dialTimeout)
		// All sockets have the same identity, because the kernel uses the client's identity to find
		// its stdin socket.
		sock, err := conn.Dial(ctx, s.port, s.kind, "page")
		cancel()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.channel, err)
		}
		c.sockets[s.channel] = sock
	}
	if err := c.sockets["iopub"].Subscribe(""); err != nil {
		return nil, err
	}
	for channel, sock := range c.sockets {
		go c.take(channel, sock)
	}
	go c.send()
	return c, nil
}

// take passes the messages of a channel to the page.
func (c *client) take(channel string, sock *transport.Conn) {
	for {
		frames, err := sock.Recv()
		if err != nil {
			return // the kernel has ended
		}
		m, err := c.signer.Decode(frames)
		if err != nil {
			fmt.Fprintln(os.Stderr, "gokernel:", err)
			continue
		}
		buffers := js.Global().Get("Array").New()
		for _, b := range m.Buffers {
			to := js.Global().Get("Uint8Array").New(len(b))
			js.CopyBytesToJS(to, b)
			buffers.Call("push", to)
		}
		c.receive.Invoke(channel, string(m.Header), string(m.Parent), string(m.Metadata), string(m.Content), buffers)
	}
}

// send sends the queued messages.
func (c *client) send() {
	for l := range c.outbox {
		if err := c.sockets[l.channel].Send(c.signer.Encode(l.message)); err != nil {
			return // the kernel has ended
		}
	}
}

// sender returns the JavaScript function with which the page sends messages. The function reports
// whether it has accepted the message. It must not wait, because nothing else runs before it
// returns.
func (c *client) sender() js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) any {
		if len(args) != 6 || c.sockets[args[0].String()] == nil || args[0].String() == "iopub" {
			return false
		}
		l := letter{channel: args[0].String(), message: wire.Message{
			Header:   []byte(args[1].String()),
			Parent:   []byte(args[2].String()),
			Metadata: []byte(args[3].String()),
			Content:  []byte(args[4].String()),
		}}
		for i := range args[5].Length() {
			b := make([]byte, args[5].Index(i).Length())
			js.CopyBytesToGo(b, args[5].Index(i))
			l.message.Buffers = append(l.message.Buffers, b)
		}
		select {
		case c.outbox <- l:
			return true
		default:
			return false
		}
	})
}
