package kernel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/kernel/msg"
)

// CommMessage is the payload of a message on a comm.
type CommMessage struct {
	Data     json.RawMessage // a JSON object
	Metadata msg.Dict
	Buffers  [][]byte
}

// CommTarget is called when a frontend opens a comm to a registered target. It may send on c
// immediately. If it returns an error, the comm is closed.
type CommTarget func(c *Comm, opened CommMessage) error

// call calls f and converts a panic to an error, so that the comm is closed.
func (f CommTarget) call(c *Comm, m CommMessage) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("kernel: comm target %q panicked: %v", c.Target, v)
		}
	}()
	return f(c, m)
}

// Comms holds the comm targets of the kernel and the comms that are open. It is
// safe for concurrent use.
type Comms struct {
	s *Server

	mu      sync.Mutex
	targets map[string]CommTarget
	open    map[string]*Comm
}

func newComms(s *Server) *Comms {
	return &Comms{s: s, targets: map[string]CommTarget{}, open: map[string]*Comm{}}
}

// Register makes target available to frontends; a nil function removes it.
func (cs *Comms) Register(target string, f CommTarget) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if f == nil {
		delete(cs.targets, target)
		return
	}
	cs.targets[target] = f
}

// Open opens a comm from the kernel's side. The comm belongs to the running cell, if there is
// one.
func (cs *Comms) Open(target string, m CommMessage) (*Comm, error) {
	c := &Comm{ID: newSession(), Target: target, comms: cs}
	cs.add(c)
	if err := c.publish("comm_open", target, m); err != nil {
		cs.remove(c)
		return nil, err
	}
	return c, nil
}

func (cs *Comms) add(c *Comm) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	cs.open[c.ID] = c
}

// remove removes c from the open comms and reports whether it was open.
func (cs *Comms) remove(c *Comm) bool {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	was := cs.open[c.ID] == c
	if was {
		delete(cs.open, c.ID)
	}
	return was
}

func (cs *Comms) lookup(id string) *Comm {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	return cs.open[id]
}

func (cs *Comms) target(name string) CommTarget {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	return cs.targets[name]
}

// info lists the open comms of one target, or of all targets if target is nil or empty.
func (cs *Comms) info(target *string) map[string]msg.CommInfo {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	out := map[string]msg.CommInfo{}
	for id, c := range cs.open {
		if target == nil || *target == "" || c.Target == *target {
			out[id] = msg.CommInfo{Target: c.Target}
		}
	}
	return out
}

// Comm is one open channel between an object in the kernel and one in the
// frontend. It is safe for concurrent use.
type Comm struct {
	ID     string
	Target string
	comms  *Comms
	// session marks a comm whose other end is a widget of the session.
	session bool
	cell    string // msg_id of the cell that opened the comm

	mu      sync.Mutex
	message func(CommMessage)
	closed  func(CommMessage)
	parent  *request // the request that is being handled for this comm
}

// OnMessage sets the function that is called for each message from the frontend.
func (c *Comm) OnMessage(f func(CommMessage)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.message = f
}

// OnClose sets the function that is called when the frontend closes the comm.
func (c *Comm) OnClose(f func(CommMessage)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = f
}

// Send sends a message to the frontend.
func (c *Comm) Send(m CommMessage) error {
	if c.comms.lookup(c.ID) != c {
		return fmt.Errorf("kernel: comm %s is closed", c.ID)
	}
	return c.publish("comm_msg", "", m)
}

// Close closes the comm from the kernel's side. It does not call the function set with OnClose.
func (c *Comm) Close(m CommMessage) error {
	if !c.comms.remove(c) {
		return nil
	}
	return c.publish("comm_close", "", m)
}

func (c *Comm) publish(kind, target string, m CommMessage) error {
	var r *request
	if o := c.comms.s.running.Load(); o != nil {
		r = o.parent
	}
	return c.publishWithParent(r, kind, target, m)
}

// publishWithParent publishes a message. Its parent is the request that is being handled for c,
// if there is one, otherwise r. If r is nil, the message has no parent.
func (c *Comm) publishWithParent(r *request, kind, target string, m CommMessage) error {
	if len(m.Data) == 0 {
		m.Data = emptyDict
	}
	var parent []byte
	if r != nil {
		parent = r.Header
	}
	c.mu.Lock()
	if c.parent != nil {
		parent = c.parent.Header
	}
	c.mu.Unlock()
	return c.comms.s.publishWith(parent, kind, msg.Comm{ID: c.ID, Target: target, Data: m.Data}, m.Metadata, m.Buffers, false)
}

// during calls f; messages that c sends until f returns have r as their parent.
func (c *Comm) during(r *request, f func()) {
	c.mu.Lock()
	c.parent = r
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		c.parent = nil
		c.mu.Unlock()
	}()
	f()
}

// received decodes a comm message and its metadata.
func received(r *request) (msg.Comm, CommMessage, error) {
	content, err := msg.Decode[msg.Comm](r.Content)
	if err != nil {
		return content, CommMessage{}, err
	}
	metadata, err := msg.Decode[msg.Dict](r.Metadata)
	return content, CommMessage{Data: content.Data, Metadata: metadata, Buffers: r.Buffers}, err
}

// commOpen opens a comm that a frontend asks for. If the target is unknown, it answers with
// comm_close.
func (s *Server) commOpen(_ context.Context, r *request) error {
	content, m, err := received(r)
	if err != nil {
		return err
	}
	c := &Comm{ID: content.ID, Target: content.Target, comms: s.comms}
	target := s.comms.target(content.Target)
	if target == nil {
		err = fmt.Errorf("kernel: comm target %q is not registered", content.Target)
	} else if s.comms.lookup(content.ID) != nil {
		return fmt.Errorf("kernel: comm %s is open already", content.ID)
	} else {
		s.comms.add(c)
		c.during(r, func() { err = target.call(c, m) })
	}
	if err == nil {
		return nil
	}
	s.comms.remove(c)
	var cerr error
	c.during(r, func() { cerr = c.publish("comm_close", "", CommMessage{}) })
	return errors.Join(err, cerr)
}

// commMsg delivers a message to its comm. It ignores messages to a comm that is not open: the
// kernel may have closed it while the message was on its way.
func (s *Server) commMsg(ctx context.Context, r *request) error {
	content, m, err := received(r)
	if err != nil {
		return err
	}
	c := s.comms.lookup(content.ID)
	switch {
	case c != nil && c.session:
		return s.widgetMessage(ctx, r, c, display.CommData, m)
	case c != nil:
		c.deliver(r, m, false)
	}
	return nil
}

// commClose closes a comm.
func (s *Server) commClose(ctx context.Context, r *request) error {
	content, m, err := received(r)
	if err != nil {
		return err
	}
	c := s.comms.lookup(content.ID)
	if c == nil || !s.comms.remove(c) {
		return nil
	}
	if c.session {
		return s.widgetMessage(ctx, r, c, display.CommClose, m)
	}
	c.deliver(r, m, true)
	return nil
}

func (c *Comm) deliver(r *request, m CommMessage, closing bool) {
	c.mu.Lock()
	f := c.message
	if closing {
		f = c.closed
	}
	c.mu.Unlock()
	if f != nil {
		c.during(r, func() { f(m) })
	}
}

// commInfo lists the open comms.
func (s *Server) commInfo(_ context.Context, r *request) error {
	req, err := msg.Decode[msg.CommInfoRequest](r.Content)
	if err != nil {
		return err
	}
	s.reply(r, "comm_info_reply", msg.CommInfoReply{Status: msg.OK, Comms: s.comms.info(req.Target)})
	return nil
}
