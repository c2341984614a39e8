package worker

import "time"

// settle is how long drain waits for text that is still in the pipe. An anonymous pipe can't be
// read without blocking here, so the order of prints and displays is likely but not guaranteed.
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
	p.mu.Lock() // text that has been read is emitted before the lock is free
	defer p.mu.Unlock()
}
