package standin

import (
	"io"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/gokernel/gokernel/interp/engine"
	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
	"golang.org/x/tools/go/ssa"
)

// The CPU profile of the runtime would show the engine. A profile that a cell takes shows the
// cell's functions.

// Profile takes a profile of interpreted code; see engine.Profiler.
func (s *Set) Profile() (end func() *engine.Profile, err error) { return s.profiling.begin() }

// profiling takes profiles.
type profiling struct {
	m       *machine.Machine
	callers *callers

	mu  sync.Mutex
	end func() *engine.Profile // ends the profile that a cell takes; nil if none does
	to  io.Writer
}

// overrides returns the replacements by the names of the replaced functions.
func (p *profiling) overrides() map[string]any {
	return map[string]any{
		"runtime/pprof.StartCPUProfile": p.start,
		"runtime/pprof.StopCPUProfile":  p.stop,
	}
}

func (p *profiling) start(w io.Writer) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	end, err := p.begin()
	if err == nil {
		p.end, p.to = end, w
	}
	return err
}

// stop writes the profile. Its writer may be interpreted, and there is no way to return an error.
func (p *profiling) stop() {
	p.mu.Lock()
	end, to := p.end, p.to
	p.end, p.to = nil, nil
	p.mu.Unlock()
	if end != nil {
		_ = end().Write(to)
	}
}

func (p *profiling) begin() (end func() *engine.Profile, err error) {
	s := p.m.Sample()
	if s == nil {
		return nil, engine.ErrProfiled
	}
	return sync.OnceValue(func() *engine.Profile {
		all := s.Stop()
		profile := &engine.Profile{Start: s.Start, Elapsed: time.Since(s.Start)}
		for _, sample := range all {
			if calls := p.calls(sample); len(calls) > 0 {
				profile.Samples = append(profile.Samples, engine.Sample{Calls: calls, Count: sample.Count, Time: sample.Time})
			}
		}
		return profile
	}), nil
}

// calls returns the calls of a sample with their names.
func (p *profiling) calls(sample *machine.Sample) []engine.Call {
	var list []engine.Call
	all := sample.Calls()
	if len(all) > 0 {
		if symbol := compiledAt(all[0], sample.Compiled); symbol != "" {
			list = append(list, engine.Call{Frame: engine.Frame{Func: path.Base(symbol)}, Symbol: symbol})
		}
	}
	for _, c := range all {
		call := engine.Call{Frame: engine.Frame{Func: machine.FuncName(c.Fn)}, Symbol: runtimeName(c.Fn)}
		call.Pos.Filename, call.Pos.Line = p.callers.position(c.Fn, c.Pos)
		list = append(list, call)
	}
	return list
}

// compiledAt returns the name of the compiled function that is called at a position, or "" if no
// compiled function is called there. The callee of a call through an interface is known only if the
// sample was inside the callee.
func compiledAt(c machine.Call, inside bool) string {
	for _, b := range c.Fn.Blocks {
		for _, in := range b.Instrs {
			call, ok := in.(ssa.CallInstruction)
			if !ok || !c.Pos.IsValid() || machine.PlaceOf(in) != c.Pos {
				continue
			}
			common := call.Common()
			if fn := common.StaticCallee(); fn != nil && fn.Blocks == nil {
				return runtimeName(fn)
			} else if common.IsInvoke() && inside {
				return strings.NewReplacer("(", "", ")", "").Replace(common.Method.FullName())
			}
		}
	}
	return ""
}
