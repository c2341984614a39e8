package interp

import (
	"go/types"
	"reflect"
	"strings"

	"github.com/gokernel/gokernel/display/homework"
	"github.com/gokernel/gokernel/internal/far"
	"github.com/gokernel/gokernel/interp/pipeline"
	"github.com/gokernel/gokernel/interp/symbols"
)

// judging stores the variables of a session that runs checks, so that the changes of one check
// don't affect the next.
type judging struct {
	on    bool
	saved map[*types.Var]reflect.Value
}

// reset restores the values that variables had when the cells that declare them ended. It runs
// before an autograder cell. The caller holds the lock mu.
func (s *Session) reset(p *pipeline.Program) {
	if !s.judging.on || !p.Checks() {
		return
	}
	for v, was := range s.judging.saved {
		if d := s.compiler.Scope.Lookup(v.Name()); d == nil || d.Obj != types.Object(v) {
			delete(s.judging.saved, v)
			continue
		}
		if now, err := s.compiler.Engine.Var(v); err == nil {
			now.Set(homework.Copy(was))
		}
	}
}

// keep saves the values of variables that were declared since the last cell.
func (s *Session) keep() {
	if !s.judging.on {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.judging.saved == nil {
		s.judging.saved = map[*types.Var]reflect.Value{}
	}
	for _, name := range s.compiler.Scope.Names() {
		v, ok := s.compiler.Scope.Lookup(name).Obj.(*types.Var)
		if !ok || name == "_" || strings.HasPrefix(name, "ǃ") || s.judging.saved[v].IsValid() {
			continue
		}
		if now, err := s.compiler.Engine.Var(v); err == nil {
			s.judging.saved[v] = homework.Copy(now)
		}
	}
}

func init() {
	far.Named = func(path, name string) reflect.Type {
		for _, at := range []string{path, library} {
			if pkg, ok := symbols.Lookup(at); ok {
				if t := pkg.TypeOf(name); t != nil && t.Name() == name && t.PkgPath() == path {
					return t
				}
			}
		}
		return nil
	}
}

// library exports the types of its subpackages under their names.
const library = "github.com/gokernel/gokernel/mlstd"
