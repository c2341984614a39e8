package kernel

import (
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/gokernel/gokernel/kernel/msg"
)

// endOfInput is the value that a frontend sends when the user ends the input.
const endOfInput = "\x04"

// errInputInterrupted is the error that Input returns when the cell is interrupted.
var errInputInterrupted = fmt.Errorf("kernel: the input was interrupted: %w", context.Canceled)

// inputGate makes sure that only one input request waits for its reply at a time.
type inputGate struct {
	mu      sync.Mutex
	busy    chan struct{} // closed when the open input request is done; nil if there is none
	id      string        // msg_id of the input request
	client  string        // identity of the client that was asked
	answers chan string
}

// ask sends an input_request to the client whose cell runs, and waits for the reply.
func (s *Server) ask(ctx context.Context, o *output, prompt string, password bool) (string, error) {
	h := s.newHeader("input_request")
	frames, err := s.encodeAs(h, o.parent.Identities, o.parent.Header, msg.InputRequest{Prompt: prompt, Password: password}, nil, nil)
	if err != nil {
		return "", err
	}
	var client string
	if len(o.parent.Identities) > 0 {
		client = string(o.parent.Identities[0])
	}
	answers, release, err := s.stdinGate.enter(ctx, o.ctx, h.ID, client)
	if err != nil {
		return "", err
	}
	defer release()
	if o.ctx.Err() != nil {
		return "", errInputInterrupted // the frontend would show the prompt of a cell that has stopped
	}
	s.stdin.Send(frames)
	select {
	case v := <-answers:
		if v == endOfInput {
			return "", io.EOF
		}
		return v, nil
	case <-ctx.Done():
		return "", ctx.Err()
	case <-o.ctx.Done():
		return "", errInputInterrupted
	}
}

// enter waits until no other input request is open and opens one. Replies that arrived earlier
// belong to no request and have been dropped.
func (g *inputGate) enter(ctx, cell context.Context, id, client string) (answers <-chan string, release func(), err error) {
	for {
		g.mu.Lock()
		busy := g.busy
		if busy == nil {
			done := make(chan struct{})
			ch := make(chan string, 1)
			g.busy, g.id, g.client, g.answers = done, id, client, ch
			g.mu.Unlock()
			return ch, func() {
				g.mu.Lock()
				g.busy, g.answers = nil, nil
				g.mu.Unlock()
				close(done)
			}, nil
		}
		g.mu.Unlock()
		select {
		case <-busy:
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		case <-cell.Done():
			return nil, nil, errInputInterrupted
		}
	}
}

// answer delivers a reply to the open input request. It accepts replies without a parent, because
// some clients send them. It drops a reply whose parent is a different request.
func (g *inputGate) answer(client, parentID, value string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.answers == nil || client != g.client || parentID != "" && parentID != g.id {
		return
	}
	select {
	case g.answers <- value:
	default: // already answered
	}
}

// receiveInput receives an input_reply on the stdin channel.
func (s *Server) receiveInput(frames [][]byte) {
	m, err := s.signer.Decode(frames)
	if err != nil || !s.first(m.Signature) {
		s.dropped.Add(1)
		return
	}
	h, err := msg.DecodeHeader(m.Header)
	if err != nil || h.Type != "input_reply" || len(m.Identities) == 0 {
		s.dropped.Add(1)
		return
	}
	reply, err := msg.Decode[msg.InputReply](m.Content)
	if err != nil {
		s.dropped.Add(1)
		return
	}
	parent, err := msg.DecodeHeader(m.Parent)
	if err != nil {
		parent.ID = ""
	}
	s.stdinGate.answer(string(m.Identities[0]), parent.ID, *reply.Value)
}
