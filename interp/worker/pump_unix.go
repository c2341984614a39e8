//go:build unix

package worker

import "syscall"

// run emits text until the stream ends. It reads without blocking and waits without the lock, so
// that drain can read instead.
func (p *pump) run() {
	defer p.finish()
	rc, err := p.f.SyscallConn()
	if err != nil {
		return
	}
	_ = rc.Read(func(fd uintptr) bool {
		for {
			n, err := p.read(fd)
			if err == syscall.EAGAIN {
				return false // wait until there is more
			}
			if n <= 0 {
				return true
			}
		}
	})
}

// drain emits what has been written to the stream up to now.
func (p *pump) drain() {
	rc, err := p.f.SyscallConn()
	if err != nil {
		return
	}
	_ = rc.Control(func(fd uintptr) {
		for total := 0; total < drainLimit; {
			n, err := p.read(fd)
			if n <= 0 || err != nil {
				return
			}
			total += n
		}
	})
}

func (p *pump) read(fd uintptr) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		n, err := syscall.Read(int(fd), p.buf[p.rest:])
		if err == syscall.EINTR {
			continue
		}
		if n > 0 {
			p.take(n)
		}
		return n, err
	}
}
