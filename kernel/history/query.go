package history

import (
	"errors"
	"fmt"
	"slices"
)

// errClosed is returned by queries after Close.
var errClosed = errors.New("history: the store is closed")

// Tail returns the last n cells of all sessions, oldest first.
func (s *Store) Tail(n int) ([]Entry, error) {
	return s.query(n, func() (filter, error) { return func(Entry) bool { return true }, nil })
}

// Search returns the last n cells whose whole input matches a glob, oldest first. In a glob, *
// matches any text, ? matches one character, and [a-z] matches one character of a set. If unique is
// true, Search returns only the last of several equal inputs. A negative n means all cells.
func (s *Store) Search(glob string, n int, unique bool) ([]Entry, error) {
	return s.query(n, func() (filter, error) {
		expr, err := compileGlob(glob)
		if err != nil {
			return nil, fmt.Errorf("history: the pattern %q: %w", glob, err)
		}
		seen := map[string]bool{}
		return func(e Entry) bool {
			if !expr.MatchString(e.Input) || seen[e.Input] {
				return false
			}
			seen[e.Input] = unique
			return true
		}, nil
	})
}

// Range returns the cells of a session whose line numbers are in [start, stop). A negative stop
// means all cells from start on. Session 0 is the current session, -1 the session before it, and so
// on.
func (s *Store) Range(session, start, stop int) ([]Entry, error) {
	found, err := s.query(-1, func() (filter, error) {
		want := int64(session)
		if want <= 0 {
			present, err := s.present()
			if err != nil {
				return nil, err
			}
			want += present
		}
		return func(e Entry) bool {
			return e.Session == want && e.Line >= start && (stop < 0 || e.Line < stop)
		}, nil
	})
	slices.SortStableFunc(found, func(a, b Entry) int { return a.Line - b.Line })
	return found, err
}

// present returns the number of the current session, or the number that it will have.
func (s *Store) present() (int64, error) {
	if s.session != 0 {
		return s.session, nil
	}
	latest, err := s.medium.latest()
	return latest + 1, err
}

// filter reports whether to include a cell.
type filter func(Entry) bool

// query writes the pending cells and returns the last n cells for which the filter returns true. A
// negative n means all cells.
func (s *Store) query(n int, newFilter func() (filter, error)) (found []Entry, err error) {
	s.diskMu.Lock()
	defer s.diskMu.Unlock()
	if s.over {
		return nil, errClosed
	}
	if n == 0 {
		return nil, nil
	}
	s.beside(func() {
		s.open()
		if err = s.flush(); err != nil {
			return
		}
		var wanted filter
		if wanted, err = newFilter(); err != nil {
			return
		}
		err = s.medium.newest(func(e Entry) bool {
			if wanted(e) {
				found = append(found, e)
			}
			return len(found) != n
		})
	})
	slices.Reverse(found)
	return found, err
}
