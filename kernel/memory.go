package kernel

import (
	"runtime/debug"
	"sync"
	"time"
)

const (
	// largeOutput is the number of published bytes after which memory is returned to the system.
	// The heap has then grown to several times that size, and would stay that large for minutes.
	largeOutput = 16 << 20
	// giveBackDelay is the time without large output after which memory is returned.
	giveBackDelay = time.Second
)

// memory returns memory that large outputs have used to the system.
type memory struct {
	giveBack func()

	mu    sync.Mutex
	size  int // bytes published since memory was returned
	timer *time.Timer
}

func newMemory(beside func(work func())) *memory {
	if beside == nil {
		beside = func(work func()) { work() }
	}
	return &memory{giveBack: func() { beside(debug.FreeOSMemory) }}
}

// used records a message of the given size in bytes.
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
