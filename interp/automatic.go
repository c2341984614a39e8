package interp

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gokernel/gokernel/interp/checkpoint"
)

// Checkpoints are written when the session has been idle for a moment: a cell that comes
// meanwhile cancels them, and runs at once.

const (
	// idleTime is how long nothing has run before a checkpoint is written.
	idleTime = 300 * time.Millisecond
	// mostTime is how long writing one may take.
	mostTime = 2 * time.Second
)

// checkpoints writes the checkpoints of a session.
type checkpoints struct {
	file   string // "" for none
	limit  int64
	wanted atomic.Int32 // what waits for the turn

	mu    sync.Mutex
	timer *time.Timer
	ended bool
}

// open sets aside what an earlier evaluator has written.
func (c *checkpoints) open(file string, limit int64) error {
	c.file, c.limit = file, limit
	if file == "" {
		return nil
	}
	return checkpoint.SetAside(file)
}

func (c *checkpoints) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
	if c.timer != nil {
		c.timer.Stop()
	}
}

// take takes the turn of a cell.
func (s *Session) take() (back func()) {
	s.auto.wanted.Add(1)
	s.turn <- struct{}{}
	s.auto.wanted.Add(-1)
	return func() { <-s.turn }
}

// checkpointLater writes a checkpoint when nothing has run for a moment.
func (s *Session) checkpointLater(number int) {
	c := &s.auto
	if c.file == "" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.timer != nil {
		c.timer.Stop()
	}
	if !c.ended {
		c.timer = time.AfterFunc(idleTime, func() { s.checkpointNow(number) })
	}
}

// checkpointNow writes a checkpoint unless something runs, or is about to. What cannot be
// written leaves the last one as it was.
func (s *Session) checkpointNow(number int) {
	select {
	case s.turn <- struct{}{}:
	default:
		return // what runs will write one
	}
	defer func() { <-s.turn }()
	end := time.Now().Add(mostTime)
	late := func() bool { return s.auto.wanted.Load() > 0 || time.Now().After(end) }
	s.mu.Lock()
	saved, err := s.snapshot(number, 0, s.auto.limit, late)
	s.mu.Unlock()
	switch {
	case err == nil && !late():
		_ = saved.Write(s.auto.file) // without it the session continues
	case errors.Is(err, checkpoint.ErrCanceled) && s.auto.wanted.Load() > 0:
		s.checkpointLater(number)
	}
}
