package kernel

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gokernel/gokernel/kernel/msg"
	"github.com/gokernel/gokernel/kernel/transport"
	"github.com/gokernel/gokernel/kernel/wire"
)

// request is a message from a client. Its signature has been checked and its header decoded.
type request struct {
	wire.Message
	header  msg.Header
	router  *transport.Router // the socket on which it came and its reply is sent
	queue   *requestQueue
	urgent  bool      // handled while a cell runs
	seq     uint64    // sequence number in its queue
	at      time.Time // when it arrived
	refuse  error     // if not nil, the error with which to answer
	handled func()    // if not nil, called when the handler has returned
	after   func()    // if not nil, called when idle has been published
	busy    sync.Once
}

// receive decodes a message. It returns nil, and counts the message as dropped, if the message
// cannot be decoded or has been received before.
func (s *Server) receive(frames [][]byte, from *transport.Router) *request {
	m, err := s.signer.Decode(frames)
	if err != nil {
		s.dropped.Add(1)
		return nil
	}
	if !s.first(m.Signature) {
		s.dropped.Add(1)
		return nil
	}
	h, err := msg.DecodeHeader(m.Header)
	if err != nil && h.Type == "" {
		s.dropped.Add(1)
		return nil
	}
	return &request{Message: m, header: h, router: from, refuse: err}
}

// first reports whether no message with this signature has been received before, on any socket.
func (s *Server) first(signature []byte) bool {
	s.seenLock.Lock()
	defer s.seenLock.Unlock()
	return s.seen.First(signature)
}

func (s *Server) receiveControl(frames [][]byte) {
	if r := s.receive(frames, s.control); r != nil {
		s.queues.control.enqueue(r)
	}
}

// receiveShell adds a request to the queue of the main shell, or of the subshell that its header
// names. If the subshell does not exist, the control queue answers, because this queue is never
// busy for long.
func (s *Server) receiveShell(frames [][]byte) {
	r := s.receive(frames, s.shell)
	if r == nil {
		return
	}
	if r.refuse != nil {
		s.queues.control.enqueue(r)
		return
	}
	if r.header.SubshellID == nil {
		s.enqueue(s.queues.main, r)
		return
	}
	id := *r.header.SubshellID
	if l := s.queues.subshell(id); l != nil && s.enqueue(l, r) {
		return
	}
	r.refuse = unknownSubshell(id)
	s.queues.control.enqueue(r)
}

// handle publishes busy, answers a request and publishes idle. For a cell, execute publishes
// busy.
func (s *Server) handle(ctx context.Context, r *request) {
	if r.header.Type != "execute_request" {
		s.busy(r)
	}
	defer func() {
		s.busy(r)
		s.idle(r)
		if r.after != nil {
			r.after()
		}
	}()
	err := s.dispatch(ctx, r)
	if r.handled != nil {
		r.handled()
	}
	if err != nil {
		s.busy(r)
		s.fail(r, err)
	}
}

func (s *Server) dispatch(ctx context.Context, r *request) (err error) {
	defer func() {
		if v := recover(); v != nil {
			s.log.Error("handler panicked", "type", r.header.Type, "panic", v, "stack", string(debug.Stack()))
			err = fmt.Errorf("kernel: internal error in %s: %v", r.header.Type, v)
		}
	}()
	if r.refuse != nil {
		return r.refuse
	}
	h := s.handlers[r.header.Type]
	if h == nil {
		return fmt.Errorf("kernel: message type %q is not supported", r.header.Type)
	}
	return h(ctx, r)
}

// fail answers a request with an error, if its type has a reply.
func (s *Server) fail(r *request, err error) {
	kind, isRequest := strings.CutSuffix(r.header.Type, "_request")
	if !isRequest {
		s.log.Warn("message could not be handled", "type", r.header.Type, "error", err)
		return
	}
	text := err.Error()
	s.reply(r, kind+"_reply", msg.ErrorReply{Status: msg.Failed, Error: msg.Error{
		Name: "RequestError", Value: text, Traceback: msg.List[string]{text},
	}})
}

// reply answers r.
func (s *Server) reply(r *request, kind string, content any) {
	s.replyWith(r, kind, content, nil)
}

func (s *Server) replyWith(r *request, kind string, content any, metadata msg.Dict) {
	frames, err := s.encode(r.Identities, r.Header, kind, content, metadata, nil)
	if err != nil {
		s.log.Error("reply cannot be encoded", "type", kind, "error", err)
		frames, err = s.encode(r.Identities, r.Header, kind, msg.ErrorReply{Status: msg.Failed, Error: msg.Error{
			Name: "ReplyError", Value: err.Error(), Traceback: msg.List[string]{err.Error()},
		}}, nil, nil)
		if err != nil {
			return
		}
	}
	r.router.Send(frames)
}

// publish sends an iopub message with the parent r, or with no parent if r is nil.
func (s *Server) publish(r *request, kind string, content any) {
	var parent []byte
	if r != nil {
		parent = r.Header
	}
	if err := s.publishWith(parent, kind, content, nil, nil, false); err != nil {
		s.log.Error("message cannot be encoded", "type", kind, "error", err)
	}
}

func (s *Server) publishWith(parent []byte, kind string, content any, metadata msg.Dict, buffers [][]byte, droppable bool) error {
	frames, err := s.encode([][]byte{[]byte("kernel." + s.session + "." + kind)}, parent, kind, content, metadata, buffers)
	if err != nil {
		return err
	}
	s.iopub.Publish(frames, droppable)
	size := 0
	for _, f := range frames {
		size += len(f)
	}
	s.memory.used(size)
	return nil
}

var emptyDict = []byte("{}")

// newHeader returns a header with a new message id.
func (s *Server) newHeader(kind string) msg.Header {
	return msg.Header{
		ID:       s.session + "_" + strconv.FormatUint(s.nextID.Add(1), 10),
		Session:  s.session,
		Username: "kernel",
		Date:     msg.Date(time.Now()),
		Type:     kind,
		Version:  msg.Version,
	}
}

// encode returns the frames of a message. The parent is a header, exactly as its bytes were
// received.
func (s *Server) encode(identities [][]byte, parent []byte, kind string, content any, metadata msg.Dict, buffers [][]byte) ([][]byte, error) {
	return s.encodeAs(s.newHeader(kind), identities, parent, content, metadata, buffers)
}

func (s *Server) encodeAs(header msg.Header, identities [][]byte, parent []byte, content any, metadata msg.Dict, buffers [][]byte) ([][]byte, error) {
	h, err := json.Marshal(header)
	if err != nil {
		return nil, fmt.Errorf("kernel: %s: %w", header.Type, err)
	}
	c, err := msg.Marshal(content)
	if err != nil {
		return nil, fmt.Errorf("kernel: %s: %w", header.Type, err)
	}
	m := wire.Message{Identities: identities, Header: h, Parent: parent, Metadata: emptyDict, Content: c, Buffers: buffers}
	if parent == nil {
		m.Parent = emptyDict
	}
	if len(metadata) > 0 {
		if m.Metadata, err = msg.Marshal(metadata); err != nil {
			return nil, fmt.Errorf("kernel: %s: %w", header.Type, err)
		}
	}
	return s.signer.Encode(m), nil
}
