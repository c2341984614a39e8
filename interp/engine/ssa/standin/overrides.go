package standin

import (
	"maps"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/gokernel/gokernel/interp/engine/ssa/machine"
	"github.com/gokernel/gokernel/interp/engine/testdeps"
)

// Set stands for the compiled functions that interpreted code gets others
// for.
type Set struct {
	m       *machine.Machine
	files   []*File // what the session deals with
	signals signals
	later   later

	profiling *profiling
}

// New makes the stand-ins for the functions that run on a machine.
func New(m *machine.Machine) *Set {
	s := &Set{m: m}
	s.files = s.makeStandard()
	return s
}

// Pending reports whether something calls interpreted code later, or may.
func (s *Set) Pending() bool { return s.later.any() || s.signals.any() }

// Overrides are functions by the names of those that they stand for.
type Overrides struct {
	made map[string]reflect.Value
	// Functions of these packages are made by reflection, which takes longer than all else
	// that an engine does before its first cell: when one of them is asked for.
	reflected map[string]func() map[string]reflect.Value
}

// Of returns the function that stands for the one with a full name, as go/types gives it;
// invalid if none does.
func (o *Overrides) Of(name string) reflect.Value {
	if f, ok := o.made[name]; ok {
		return f
	}
	pkg, _, _ := strings.Cut(strings.TrimLeft(name, "(*"), ".")
	if all, ok := o.reflected[pkg]; ok {
		return all()[name]
	}
	return reflect.Value{}
}

// Overrides returns the functions: of what prints, ends the process, waits, or asks for
// its caller.
func (s *Set) Overrides() *Overrides {
	all := map[string]any{
		"runtime.GC": s.m.Collect,
		"time.Sleep": s.m.Sleep,
		"testing/synctest.Test": func(t *testing.T, f func(*testing.T)) {
			s.m.InBubble(func() { synctest.Test(t, f) })
		},
	}
	maps.Copy(all, s.fileFuncs())
	callers := newCallers(s.m)
	maps.Copy(all, callers.overrides())
	s.profiling = &profiling{m: s.m, callers: callers}
	maps.Copy(all, s.profiling.overrides())
	logs := newLogging(s, callers)
	maps.Copy(all, logs.overrides())
	maps.Copy(all, (&slogging{s.m, logs}).overrides())
	maps.Copy(all, s.signals.overrides())
	maps.Copy(all, s.later.overrides())
	maps.Copy(all, s.locks())
	maps.Copy(all, s.unlocks())
	maps.Copy(all, newProcess().overrides())
	maps.Copy(all, testingOverrides())
	maps.Copy(all, s.sorting())
	maps.Copy(all, roomy())
	m := make(map[string]reflect.Value, len(all))
	for name, f := range all {
		m[name] = reflect.ValueOf(f)
	}
	m["testing.MainStart"] = testdeps.MainStart()
	return &Overrides{made: m, reflected: map[string]func() map[string]reflect.Value{
		"flag":    sync.OnceValue((&flags{m: s.m}).overrides),
		"testing": sync.OnceValue(s.logMethods),
	}}
}
