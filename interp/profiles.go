package interp

import (
	"sync"

	"github.com/gokernel/gokernel/interp/cellrt"
	"github.com/gokernel/gokernel/interp/check"
	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/pipeline"
	"github.com/gokernel/gokernel/interp/profile"
	"github.com/gokernel/gokernel/interp/split"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// profiling is the profile that a cell takes.
type profiling struct {
	mu  sync.Mutex
	end func() *engine.Profile // nil if none is taken
}

// set stores the function that ends the profile and returns the previous one.
func (p *profiling) set(end func() *engine.Profile) (before func() *engine.Profile) {
	p.mu.Lock()
	defer p.mu.Unlock()
	before, p.end = p.end, end
	return before
}

// prepareProfile profiles a statement, or the whole cell. As with %time, the statement remains a
// statement of the cell.
func (s *Session) prepareProfile(p *pipeline.Program, calls *callbacks, m *split.Magic, out evaluator.Output, whole bool) *evaluator.Error {
	refuse := func(msg, hint string) *evaluator.Error {
		return s.compiler.Advice.Present(p.Src, []check.Error{{Pos: m.Pos, End: m.Pos + 5, Msg: msg, Hint: hint}}, nil)
	}
	if m.Stmt == nil && !whole || !m.Code {
		return refuse("%prun: give a statement to run", "%%prun on the first line is for the whole cell")
	}
	e, ok := s.compiler.Engine.(engine.Profiler)
	if !ok {
		return refuse("%prun: the engine "+s.compiler.Engine.Name()+" cannot take profiles; the default engine can", "")
	}
	around(p, calls, m, whole, func() {
		end, err := e.Profile()
		cellrt.Check(err)
		s.profile.set(end)
	}, func() {
		cellrt.Check(s.endProfile(out))
	})
	return nil
}

// endProfile shows the profile that the cell started, if there is one, even if the cell failed or
// was stopped.
func (s *Session) endProfile(out evaluator.Output) error {
	end := s.profile.set(nil)
	if end == nil {
		return nil
	}
	p := end()
	if p.CPU() == 0 {
		out.Stdout("prun: " + profile.Head(p) + ": too little for a profile; run the code many times in a loop\n")
		return nil
	}
	if err := out.Display(profile.Table(p, s.text)); err != nil {
		return err
	}
	graph, err := profile.Flame(p)
	if err != nil {
		return err
	}
	return out.Display(graph)
}
