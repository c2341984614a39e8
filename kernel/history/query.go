package history

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// errClosed is returned by queries after Close.
var errClosed = errors.New("history: the store is closed")

// Tail returns the last n cells of all sessions, oldest first.
func (s *Store) Tail(n int) ([]Entry, error) {
	return s.newest(n, `SELECT session, line, input, output FROM history ORDER BY id DESC LIMIT ?`, n)
}

// Search returns the last n cells whose whole input matches a glob, in which *
// stands for any text, ? for one character and [a-z] for one of a set. With
// unique, of equal inputs only the last. A negative n means all. The oldest
// come first.
func (s *Store) Search(glob string, n int, unique bool) ([]Entry, error) {
	q := `SELECT session, line, input, output FROM history WHERE input GLOB ? ORDER BY id DESC LIMIT ?`
	if unique {
		q = `SELECT session, line, input, output FROM history
			WHERE id IN (SELECT MAX(id) FROM history WHERE input GLOB ? GROUP BY input) ORDER BY id DESC LIMIT ?`
	}
	return s.newest(n, q, glob, n)
}

// Range returns the cells of a session with lines from start up to, not
// including, stop; a stop below 0 means to the end. Session 0 is the present
// one, -1 the one before it, and so on.
func (s *Store) Range(session, start, stop int) ([]Entry, error) {
	if stop < 0 {
		stop = math.MaxInt
	}
	return s.query(`SELECT session, line, input, output FROM history
		WHERE session = CASE WHEN ?1 > 0 THEN ?1 ELSE ?2 + ?1 END AND line >= ?3 AND line < ?4 ORDER BY line, id`,
		func() []any { return []any{session, s.session, start, stop} })
}

// newest runs a query that gives the newest cells first.
func (s *Store) newest(n int, query string, args ...any) ([]Entry, error) {
	if n == 0 {
		return nil, nil
	}
	out, err := s.query(query, func() []any { return args })
	slices.Reverse(out)
	return out, err
}

// query writes what is pending and asks. The arguments are taken once the
// session is known.
func (s *Store) query(query string, args func() []any) (found []Entry, err error) {
	s.dbMu.Lock()
	defer s.dbMu.Unlock()
	if s.over {
		return nil, errClosed
	}
	s.beside(func() { found, err = s.ask(query, args) })
	return found, err
}

func (s *Store) ask(query string, args func() []any) ([]Entry, error) {
	if err := s.open(); err != nil {
		return nil, err
	}
	if err := s.flush(); err != nil {
		return nil, err
	}
	rows, err := s.db.Query(query, args()...)
	if err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	defer rows.Close()
	var out []Entry
	for rows.Next() {
		var e Entry
		if err := rows.Scan(&e.Session, &e.Line, &e.Input, &e.Output); err != nil {
			return nil, fmt.Errorf("history: %w", err)
		}
		out = append(out, e)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	return out, nil
}
