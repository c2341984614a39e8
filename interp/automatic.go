package interp

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gokernel/gokernel/interp/checkpoint"
)

// A session writes a checkpoint after it has been idle for a moment. A cell that arrives while the
// checkpoint is written cancels it and runs at once.

const (
	// idleTime is how long the session must be idle before it writes a checkpoint.
	idleTime = 300 * time.Millisecond
	// mostTime is the maximum time to write a checkpoint.
	mostTime = 2 * time.Second
)

// checkpoints writes the checkpoints of a session.
type checkpoints struct {
	file   string // "" for none
	limit  int64
	wanted atomic.Int32 // cells that wait for their turn

	mu    sync.Mutex
	timer *time.Timer
	ended bool
}

// open renames the file that an earlier evaluator wrote and sets the file for new checkpoints.
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

// take waits for the turn to run code of cells, and takes the turn. It returns a function that
// gives the turn back.
func (s *Session) take() (back func()) {
	s.auto.wanted.Add(1)
	s.turn <- struct{}{}
	s.auto.wanted.Add(-1)
	return func() { <-s.turn }
}

// checkpointLater writes a checkpoint once nothing has run for a moment.
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

// checkpointNow writes a checkpoint unless code runs or is about to run. If writing fails, the last
// checkpoint stays as it was.
func (s *Session) checkpointNow(number int) {
	select {
	case s.turn <- struct{}{}:
	default:
		return // the running code will write one
	}
	defer func() { <-s.turn }()
	end := time.Now().Add(mostTime)
	late := func() bool { return s.auto.wanted.Load() > 0 || time.Now().After(end) }
	s.mu.Lock()
	saved, err := s.snapshot(number, 0, s.auto.limit, late)
	s.mu.Unlock()
	switch {
	case err == nil && !late():
		_ = saved.Write(s.auto.file) // without a checkpoint, the session continues
	case errors.Is(err, checkpoint.ErrCanceled) && s.auto.wanted.Load() > 0:
		s.checkpointLater(number)
	}
}
