package interp

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/interp/export"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// keepCells is how many cells a session remembers for %save.
const keepCells = 2000

// remember keeps a cell that has run without an error.
func (s *Session) remember(cell evaluator.Cell) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ran = append(s.ran, export.Cell{Text: cell.Code, Number: cell.Number}); len(s.ran) > keepCells {
		s.ran = s.ran[1:]
	}
}

// Program implements magic.Session.
func (h host) Program(ctx context.Context, doc, pkg string, want func(number int) bool) (text []byte, notes []string, err error) {
	var cells []export.Cell
	h.s.mu.Lock()
	for _, c := range h.s.ran {
		if want(c.Number) {
			cells = append(cells, c)
		}
	}
	opt := export.Options{Package: pkg, Doc: doc, Env: h.s.compiler.Sources.Env, Kept: h.s.kept()}
	h.s.mu.Unlock()
	if opt.Dir, err = os.Getwd(); err != nil {
		return nil, nil, err
	}
	p, err := export.Notebook(ctx, cells, opt)
	if err != nil {
		return nil, nil, h.others(err)
	}
	for _, name := range slices.Sorted(maps.Keys(p.Files)) {
		if name != "main.go" {
			p.Notes = append(p.Notes, name+" is not saved: gokernel export writes it, too")
		}
	}
	return p.Files["main.go"], p.Notes, nil
}

// others returns an error that names the cell whose declaration the cells to save need, or err if
// there is no such cell.
func (h host) others(err error) error {
	var failed *evaluator.Error
	if !errors.As(err, &failed) {
		return err
	}
	name, ok := strings.CutPrefix(failed.Value, "undefined: ")
	if !ok {
		return err
	}
	name, _, _ = strings.Cut(name, " ") // there may be more errors
	h.s.mu.Lock()
	defer h.s.mu.Unlock()
	if d := h.s.compiler.Scope.Lookup(name); d != nil && d.Cell.Number > 0 {
		return fmt.Errorf("the cells need %s, which cell [%d] declares: give that number, too", name, d.Cell.Number)
	}
	return err
}
