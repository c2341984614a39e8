// Package history keeps the cells that users have run in all sessions. It keeps them in a file that
// several kernels can share: a journal of JSON objects, one per line.
//
// The package opens the file only when it is needed, and writes cells in batches in the background.
// Neither the start of a kernel nor the run of a cell waits for the disk.
package history

import (
	"log/slog"
	"sync"
	"time"
)

// Entry is one cell.
type Entry struct {
	Session int64 // 0 in Add means the current session
	Line    int   // execution count
	Input   string
	Output  string // text of the result, empty if there is none
}

// Cells are written in batches. A batch is written when no cell has arrived for batchDelay and no
// cell runs, so that running a whole notebook is not delayed. The first cell of a batch waits at
// most maxDelay.
const (
	batchDelay = 500 * time.Millisecond
	maxDelay   = 5 * time.Second
)

// maxPending is the maximum number of cells that are kept while the journal cannot be written.
const maxPending = 10_000

// medium is the place where cells are stored: a journal or memory.
type medium interface {
	// begin starts a session and returns its number.
	begin() (int64, error)
	// latest returns the number of the newest session.
	latest() (int64, error)
	// add stores cells, whose Session is set.
	add(cells []Entry) error
	// newest calls yield with the cells, newest first, until yield returns false.
	newest(yield func(Entry) bool) error
}

// Store is the history of the current session and of earlier sessions. It is safe for concurrent
// use.
type Store struct {
	path   string
	log    *slog.Logger
	beside func(work func())

	// mu guards the fields that Add uses. It is never held during disk operations.
	mu      sync.Mutex
	pending []Entry
	timer   *time.Timer
	due     time.Time // when the first of pending must be written; zero if no write is planned
	closed  bool

	diskMu  sync.Mutex // guards the fields below; locked before mu
	medium  medium
	session int64 // number of the current session; 0 before its first cell is written
	over    bool  // Close has been called
}

// New returns a store that uses the journal at path. The file is created when the first cell is
// written. With an empty path, history is kept in memory. If the file cannot be used or is not a
// journal, the store reports this to log, leaves the file alone and uses memory. The function
// beside runs all file operations, which can take milliseconds. If beside is nil, they are called
// directly.
func New(path string, log *slog.Logger, beside func(work func())) *Store {
	if beside == nil {
		beside = func(work func()) { work() }
	}
	return &Store{path: path, log: log, beside: beside}
}

// Add records a cell of the current session. It does not wait for the disk.
func (s *Store) Add(e Entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.pending = append(s.pending, e)
	if s.due.IsZero() {
		s.due = time.Now().Add(maxDelay)
	}
	delay := min(batchDelay, time.Until(s.due))
	if delay <= 0 {
		return // the timer has fired, and the write waits for the disk
	}
	if s.timer == nil {
		s.timer = time.AfterFunc(delay, s.writeBatch)
	} else {
		s.timer.Reset(delay)
	}
}

// Hold delays the next write for at most maxDelay, because a cell has started to run.
func (s *Store) Hold() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.due.IsZero() && s.timer.Stop() {
		s.timer.Reset(time.Until(s.due))
	}
}

func (s *Store) writeBatch() {
	s.diskMu.Lock()
	defer s.diskMu.Unlock()
	s.beside(func() {
		if err := s.flush(); err != nil {
			s.log.Error("history could not be written; the next attempt is after the next cell", "error", err)
		}
	})
}

// Close writes the pending cells.
func (s *Store) Close() error {
	s.diskMu.Lock()
	defer s.diskMu.Unlock()
	if s.over {
		return nil
	}
	s.mu.Lock()
	s.closed = true
	if s.timer != nil {
		s.timer.Stop()
	}
	s.mu.Unlock()
	err := s.flush()
	s.over = true
	return err
}

// take removes and returns the pending cells.
func (s *Store) take() []Entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	batch := s.pending
	s.pending, s.due = nil, time.Time{}
	return batch
}

// putBack makes cells pending again after an attempt to write them has failed.
func (s *Store) putBack(batch []Entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pending = append(batch, s.pending...)
	if n := len(s.pending); n > maxPending {
		s.pending = s.pending[n-maxPending:]
	}
}

// flush writes the pending cells. The caller must hold diskMu.
func (s *Store) flush() error {
	if s.over {
		return nil
	}
	batch := s.take()
	if len(batch) == 0 {
		return nil
	}
	err := s.write(batch)
	if err != nil {
		s.putBack(batch)
	}
	return err
}

// write writes cells of the current session. The session starts with the first of them.
func (s *Store) write(batch []Entry) error {
	s.open()
	if s.session == 0 {
		id, err := s.medium.begin()
		if err != nil {
			return err
		}
		s.session = id
	}
	for i := range batch {
		batch[i].Session = s.session
	}
	return s.medium.add(batch)
}

// open chooses the medium on the first call.
func (s *Store) open() {
	if s.medium != nil {
		return
	}
	s.medium = &memory{}
	if s.path == "" {
		return
	}
	j := &journal{path: s.path, limit: maxSize}
	if err := j.check(); err != nil {
		s.log.Error("history is kept in memory only, because its file cannot be used: remove or repair the file",
			"path", s.path, "error", err)
		return
	}
	s.medium = j
}

// memory keeps the newest cells until the process ends.
type memory struct{ cells []Entry }

func (*memory) begin() (int64, error)  { return 1, nil }
func (*memory) latest() (int64, error) { return 0, nil }

func (m *memory) add(cells []Entry) error {
	m.cells = append(m.cells, cells...)
	if n := len(m.cells); n > 2*maxPending {
		m.cells = append([]Entry(nil), m.cells[n-maxPending:]...)
	}
	return nil
}

func (m *memory) newest(yield func(Entry) bool) error {
	for i := len(m.cells) - 1; i >= 0 && yield(m.cells[i]); i-- {
	}
	return nil
}
