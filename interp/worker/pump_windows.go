package worker

import "time"

// settle is how long drain waits for text that is under way: an anonymous pipe
// cannot be read without blocking here, so the order between prints and
// displays is kept in practice, not by construction.
const settle = 2 * time.Millisecond

func (p *pump) run() {
	defer p.finish()
	b := make([]byte, pumpSize)
	for {
		n, err := p.f.Read(b[:len(b)-p.rest])
		if n > 0 {
			p.mu.Lock()
			copy(p.buf[p.rest:], b[:n])
			p.take(n)
			p.mu.Unlock()
		}
		if err != nil {
			return
		}
	}
}

func (p *pump) drain() {
	time.Sleep(settle)
	p.mu.Lock() // text that has been read is emitted when the lock is free
	defer p.mu.Unlock()
}
