package transport

import (
	"context"
	"net"
	"strings"
	"time"

	"github.com/go-zeromq/zmq4"
)

// Publisher is an XPUB socket. It sends each message to the subscribers of the message's topic,
// which is the first frame.
type Publisher struct{ s *socket }

// NewPublisher returns a publisher that listens on ln once Start is called. If keys, the server's
// own key pair, is not nil, only clients that use CurveZMQ can connect. Limits that are zero have
// their default values.
func NewPublisher(ln net.Listener, keys *Keys, limits Limits) *Publisher {
	return &Publisher{newSocket(ln, zmq4.XPub, keys, limits)}
}

// Start starts serving clients. When a client subscribes, it first receives the message that
// welcome returns; no other client receives that message. If welcome is nil, there is no such
// message.
func (p *Publisher) Start(welcome func(topic []byte) [][]byte) {
	p.s.start(p.s.subscriptions(welcome))
}

// subscriptions returns the function that handles the messages of subscribers.
func (s *socket) subscriptions(welcome func(topic []byte) [][]byte) func(*peer, [][]byte) {
	return func(c *peer, frames [][]byte) {
		if len(frames) != 1 || len(frames[0]) == 0 {
			return
		}
		topic := frames[0][1:]
		switch frames[0][0] {
		case 0:
			c.unsubscribe(string(topic))
		case 1:
			var first []item
			if m := welcome(topic); m != nil {
				first = append(first, s.item(m))
			}
			c.subscribe(string(topic), first)
		}
	}
}

// maxTopics is the maximum number of topics of one client; further subscriptions are ignored.
const maxTopics = 1024

// subscribe queues the messages in first before any message published on topic. Both happen under
// one lock, so that a client that has received the welcome misses nothing.
func (p *peer) subscribe(topic string, first []item) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.topics == nil {
		p.topics = map[string]int{}
	}
	if p.topics[topic] == 0 && len(p.topics) == maxTopics {
		return
	}
	for _, it := range first {
		p.sendLocked(it)
	}
	p.topics[topic]++
}

func (p *peer) unsubscribe(topic string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.topics[topic] == 0 {
		return // there was no such subscription
	}
	if p.topics[topic]--; p.topics[topic] == 0 {
		delete(p.topics, topic)
	}
}

func (p *peer) subscribed(topic string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for t := range p.topics {
		if strings.HasPrefix(topic, t) {
			return true
		}
	}
	return false
}

// Publish queues a message for its subscribers. It never waits: a subscriber that has stopped
// reading is disconnected. Discard can remove a droppable message before it is sent.
func (p *Publisher) Publish(frames [][]byte, droppable bool) {
	if len(frames) == 0 {
		return
	}
	topic := string(frames[0])
	var it item
	for _, c := range p.s.snapshot() {
		if !c.subscribed(topic) {
			continue
		}
		if it.size == 0 {
			it = p.s.item(frames)
			it.droppable = droppable
		}
		c.send(it)
	}
}

// Ready waits until no subscriber's queue is longer than the high-water mark, so that a fast writer
// does not fill memory. Subscribers that receive nothing for the stall time are disconnected.
// Anybody who can connect can subscribe, even without the key. Ready therefore limits the delay:
// all subscribers that are not known to have read anything delay the caller, in total, by at most
// one pause per stall time. If the context ends, Ready returns the context's error.
func (p *Publisher) Ready(ctx context.Context) error {
	for {
		p.s.mu.RLock()
		relief := p.s.relief
		p.s.mu.RUnlock()
		wait, unknown := false, false
		for _, c := range p.s.snapshot() {
			slow, reads := c.slow()
			wait = wait || slow && reads
			unknown = unknown || slow && !reads
		}
		if !wait && !(unknown && p.s.pauses()) {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-relief:
		case <-time.After(min(p.s.limits.Stall, p.s.limits.Pause) / 4):
		}
	}
}

// Discard removes the queued droppable messages and reports whether there were any.
func (p *Publisher) Discard() bool {
	n := 0
	for _, c := range p.s.snapshot() {
		n += c.discard()
	}
	p.s.relieve()
	return n > 0
}

// Close stops listening, sends queued messages until ctx is done, and disconnects the
// subscribers.
func (p *Publisher) Close(ctx context.Context) { p.s.close(ctx) }
