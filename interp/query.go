package interp

import (
	"context"
	"fmt"
	"go/types"
	"reflect"
	"slices"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/interp/complete"
	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/query"
	"github.com/gokernel/gokernel/interp/rewrite"
	"github.com/gokernel/gokernel/interp/split"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// IsComplete reports whether code can run as it is.
func (s *Session) IsComplete(code string) evaluator.Completeness { return split.IsComplete(code) }

// Complete returns the completions at the cursor, a byte offset.
func (s *Session) Complete(ctx context.Context, code string, cursor int) (evaluator.Completion, error) {
	if err := inside(code, cursor); err != nil {
		return evaluator.Completion{}, err
	}
	s.peek(ctx, code)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.source().Complete(code, cursor), ctx.Err()
}

// source returns the data on which answers about code are based. The caller holds the lock.
func (s *Session) source() *query.Source {
	return &query.Source{Compiler: s.compiler, Keys: s.keys, SQL: s.tables}
}

// maxKeys is the maximum number of keys of a map to offer.
const maxKeys = 500

// keys returns the possible indexes of a variable's value: the columns of a frame or the keys of a
// map. While code of cells runs, keys returns none, because that code may be changing the map.
// Reading a map during a write is a fatal error in Go.
func (s *Session) keys(name string) (k complete.Keys) {
	s.running.mu.Lock()
	defer s.running.mu.Unlock()
	d := s.compiler.Scope.Lookup(name)
	if s.running.busy || d == nil {
		return k
	}
	v, ok := d.Obj.(*types.Var)
	if !ok {
		return k
	}
	_, isMap := v.Type().Underlying().(*types.Map)
	if !isMap && !rewrite.IsFrame(v.Type()) {
		return k
	}
	value, err := s.compiler.Engine.Var(v)
	if err != nil {
		return k
	}
	if !isMap {
		if f, ok := value.Interface().(interface{ Names() []string }); ok && !value.IsNil() {
			return complete.Keys{List: f.Names(), Strings: true}
		}
		return k
	}
	e, ok := s.compiler.Engine.(engine.Idler)
	if !ok || !e.Idle() {
		return k
	}
	k.OfMap = true
	key := value.Type().Key().Kind()
	k.Strings = key == reflect.String
	if !k.Strings && (key < reflect.Bool || key > reflect.Float64 || key == reflect.Uintptr) {
		return k
	}
	for keys := value.MapRange(); keys.Next() && len(k.List) < maxKeys; {
		k.List = append(k.List, fmt.Sprint(keys.Key()))
	}
	slices.Sort(k.List)
	return k
}

// tables returns the tables and columns of a database, or the frames and their columns. While code
// of cells runs, tables returns nil for a database.
func (s *Session) tables(database string) complete.SQL {
	if database == "" {
		names := complete.SQL{}
		for _, name := range s.compiler.Scope.Frames() {
			names[name] = s.keys(name).List
		}
		return names
	}
	s.running.mu.Lock()
	defer s.running.mu.Unlock()
	d := s.compiler.Scope.Lookup(database)
	if s.running.busy || d == nil {
		return nil
	}
	v, ok := d.Obj.(*types.Var)
	if !ok {
		return nil
	}
	value, err := s.compiler.Engine.Var(v)
	if err != nil || value.IsNil() {
		return nil
	}
	db, ok := value.Interface().(interface{ Names() map[string][]string })
	if !ok {
		return nil
	}
	return db.Names()
}

// Inspect returns the documentation of the name at the cursor, a byte offset, or false if there is
// none. Detail 1 adds the source of declarations in cells.
func (s *Session) Inspect(ctx context.Context, code string, cursor, detail int) (display.Bundle, bool, error) {
	if err := inside(code, cursor); err != nil {
		return display.Bundle{}, false, err
	}
	s.peek(ctx, code)
	s.mu.Lock()
	defer s.mu.Unlock()
	b, ok := s.source().Inspect(code, cursor, detail)
	return b, ok, ctx.Err()
}

func inside(code string, cursor int) error {
	if cursor < 0 || cursor > len(code) {
		return fmt.Errorf("interp: the cursor %d lies outside of the code, which has %d bytes", cursor, len(code))
	}
	return nil
}
