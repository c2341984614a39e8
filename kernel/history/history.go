// Package history keeps the cells that users have run, over sessions, in a file
// that several kernels may share: a journal of JSON texts, one on a line.
//
// Nothing is opened before it is needed, and cells are written in batches
// behind the user's back: neither starting a kernel nor running a cell waits
// for the disk.
package history

import (
	"log/slog"
	"sync"
	"time"
)

// Entry is one cell.
type Entry struct {
	Session int64 // 0 in Add: the present one
	Line    int   // execution count
	Input   string
	Output  string // text of the result; empty when there was none
}

// Cells are written together when none has come for batchDelay and none runs,
// so that a notebook that is run as a whole is not held up, but the first of
// them no later than maxDelay after it came.
const (
	batchDelay = 500 * time.Millisecond
	maxDelay   = 5 * time.Second
)

// maxPending bounds the cells that are kept while the journal cannot be written.
const maxPending = 10_000

// medium is where cells are kept.
type medium interface {
	// begin begins a session and returns its number.
	begin() (int64, error)
	// latest returns the number of the session that was begun last.
	latest() (int64, error)
	// add writes cells, whose sessions are set.
	add(cells []Entry) error
	// newest calls yield with the cells, newest first, until it returns false.
	newest(yield func(Entry) bool) error
}

// Store is the history of one session and of those before it. It is safe for
// concurrent use.
type Store struct {
	path   string
	log    *slog.Logger
	beside func(work func())

	// mu guards what Add uses; it is never held while the disk is waited for.
	mu      sync.Mutex
	pending []Entry
	timer   *time.Timer
	due     time.Time // when the first of pending must be written; zero when no write is planned
	closed  bool

	diskMu  sync.Mutex // guards what follows; taken before mu
	medium  medium
	session int64 // the present one; 0 before its first cell is written
	over    bool  // Close has been called
}

// New returns a store over the journal at path, which is made when the first
// cell is written. An empty path keeps history in memory. A file that cannot be
// used, or is no journal, is reported to log and left alone, and memory takes its
// place. Whatever uses the file, which may take milliseconds, is given to beside
// to be run; nil stands for a plain call.
func New(path string, log *slog.Logger, beside func(work func())) *Store {
	if beside == nil {
		beside = func(work func()) { work() }
	}
	return &Store{path: path, log: log, beside: beside}
}

// Add records a cell of the present session. It does not wait for the disk.
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
		return // the timer has gone off, and the write waits for the disk
	}
	if s.timer == nil {
		s.timer = time.AfterFunc(delay, s.writeBatch)
	} else {
		s.timer.Reset(delay)
	}
}

// Hold puts off what is to be written for as long as maxDelay allows: a cell
// has begun to run.
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
			s.log.Error("history was not written; it is tried again after the next cell", "error", err)
		}
	})
}

// Close writes what is pending.
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

// take removes the pending cells.
func (s *Store) take() []Entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	batch := s.pending
	s.pending, s.due = nil, time.Time{}
	return batch
}

// putBack keeps cells that could not be written.
func (s *Store) putBack(batch []Entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pending = append(batch, s.pending...)
	if n := len(s.pending); n > maxPending {
		s.pending = s.pending[n-maxPending:]
	}
}

// flush writes the pending cells. diskMu is held.
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

// write writes cells of the present session, which begins with the first of them.
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

// open chooses the medium, once.
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
		s.log.Error("history is kept in memory only, since its file cannot be used: remove or repair it",
			"path", s.path, "error", err)
		return
	}
	s.medium = j
}

// memory keeps the newest cells for as long as the process lives.
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
