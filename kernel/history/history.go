// Package history keeps the cells that users have run, over sessions, in a
// SQLite database that several kernels may share.
//
// Nothing is opened before it is needed, and cells are written in batches
// behind the user's back: neither starting a kernel nor running a cell waits
// for the disk.
package history

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	_ "modernc.org/sqlite" // the "sqlite" driver
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

// busyTimeout is how long one kernel waits for another that writes.
const busyTimeout = 5 * time.Second

// schema makes the tables of a new database.
const schema = `
CREATE TABLE IF NOT EXISTS sessions (
	session INTEGER PRIMARY KEY AUTOINCREMENT,
	start   TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS history (
	id      INTEGER PRIMARY KEY AUTOINCREMENT,
	session INTEGER NOT NULL REFERENCES sessions(session),
	line    INTEGER NOT NULL,
	input   TEXT NOT NULL,
	output  TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS history_by_session ON history (session, line, id);
`

// maxPending bounds the cells that are kept while the database cannot be
// written.
const maxPending = 10_000

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

	dbMu    sync.Mutex // guards what follows; taken before mu
	db      *sql.DB
	session int64
	over    bool // Close has been called
}

// New returns a store over the database at path, which is made when the first
// cell is written. An empty path keeps history in memory. A database that
// cannot be used is reported to log, and memory takes its place. Whatever
// uses the database, which takes milliseconds, is given to beside to be run;
// nil stands for a plain call.
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
	s.dbMu.Lock()
	defer s.dbMu.Unlock()
	s.beside(func() {
		if err := s.flush(); err != nil {
			s.log.Error("history was not written; it is tried again after the next cell", "error", err)
		}
	})
}

// Close writes what is pending and closes the database.
func (s *Store) Close() error {
	s.dbMu.Lock()
	defer s.dbMu.Unlock()
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
	if s.db != nil {
		err = errors.Join(err, s.db.Close())
	}
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

// flush writes the pending cells. dbMu is held.
func (s *Store) flush() error {
	if s.over {
		return nil
	}
	batch := s.take()
	if len(batch) == 0 {
		return nil
	}
	err := s.open()
	if err == nil {
		err = s.insert(batch)
	}
	if err != nil {
		s.putBack(batch)
	}
	return err
}

func (s *Store) insert(batch []Entry) error {
	tx, err := s.db.Begin()
	if err != nil {
		return fmt.Errorf("history: %w", err)
	}
	defer tx.Rollback()
	insert, err := tx.Prepare(`INSERT INTO history (session, line, input, output) VALUES (?, ?, ?, ?)`)
	if err != nil {
		return fmt.Errorf("history: %w", err)
	}
	defer insert.Close()
	for _, e := range batch {
		if _, err := insert.Exec(s.session, e.Line, e.Input, e.Output); err != nil {
			return fmt.Errorf("history: %w", err)
		}
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("history: %w", err)
	}
	return nil
}

// open opens the database and begins a session, once.
func (s *Store) open() error {
	if s.db != nil {
		return nil
	}
	if s.path != "" {
		db, id, err := openFile(s.path)
		if err == nil {
			s.db, s.session = db, id
			return nil
		}
		s.log.Error("history is kept in memory only, since its database cannot be used: remove or repair it",
			"path", s.path, "error", err)
	}
	db, id, err := openDSN("file::memory:")
	if err != nil {
		return err
	}
	s.db, s.session = db, id
	return nil
}

func openFile(path string) (*sql.DB, int64, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, 0, fmt.Errorf("history: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(abs), 0o700); err != nil {
		return nil, 0, fmt.Errorf("history: %w", err)
	}
	// Made here, since SQLite would make it readable by all; its journals get
	// the mode of the database.
	f, err := os.OpenFile(abs, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, 0, fmt.Errorf("history: %w", err)
	}
	if err := errors.Join(f.Chmod(0o600), f.Close()); err != nil {
		return nil, 0, fmt.Errorf("history: %w", err)
	}
	slashed := filepath.ToSlash(abs)
	if slashed[0] != '/' { // a Windows drive
		slashed = "/" + slashed
	}
	return openDSN("file://" + (&url.URL{Path: slashed}).EscapedPath())
}

// openDSN opens a database, makes its tables and begins a session.
func openDSN(dsn string) (*sql.DB, int64, error) {
	q := url.Values{"_txlock": {"immediate"}, "_pragma": {
		fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds()), "journal_mode(WAL)", "synchronous(NORMAL)",
	}}
	db, err := sql.Open("sqlite", dsn+"?"+q.Encode())
	if err != nil {
		return nil, 0, fmt.Errorf("history: %w", err)
	}
	// One connection: a database in memory belongs to its connection.
	db.SetMaxOpenConns(1)
	id, err := begin(db)
	if err != nil {
		db.Close()
		return nil, 0, fmt.Errorf("history: %w", err)
	}
	return db, id, nil
}

func begin(db *sql.DB) (int64, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*busyTimeout)
	defer cancel()
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer tx.Rollback()
	if _, err := tx.Exec(schema); err != nil {
		return 0, err
	}
	res, err := tx.Exec(`INSERT INTO sessions (start) VALUES (?)`, time.Now().UTC().Format(time.RFC3339))
	if err != nil {
		return 0, err
	}
	id, err := res.LastInsertId()
	if err != nil {
		return 0, err
	}
	return id, tx.Commit()
}
