package kernel

import (
	"runtime/debug"
	"sync"
	"time"
)

const (
	// largeOutput is how much is published before memory is given back: the heap
	// has grown to several times that, and would stay so large for minutes.
	largeOutput = 16 << 20
	// giveBackDelay is how long nothing large must have been published by then.
	giveBackDelay = time.Second
)

// memory gives the system back what large outputs took.
type memory struct {
	giveBack func()

	mu    sync.Mutex
	size  int // published since memory was given back
	timer *time.Timer
}

func newMemory(beside func(work func())) *memory {
	if beside == nil {
		beside = func(work func()) { work() }
	}
	return &memory{giveBack: func() { beside(debug.FreeOSMemory) }}
}

// used notes a message of so many bytes.
func (m *memory) used(size int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.size += size; m.size < largeOutput {
		return
	}
	if m.timer == nil {
		m.timer = time.AfterFunc(giveBackDelay, m.expire)
	} else {
		m.timer.Reset(giveBackDelay)
	}
}

func (m *memory) expire() {
	m.mu.Lock()
	m.size = 0
	m.mu.Unlock()
	m.giveBack()
}
