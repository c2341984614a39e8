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

// Set holds the replacements of compiled functions that interpreted code gets.
type Set struct {
	m       *machine.Machine
	files   []*File // files that the session handles
	signals signals
	later   later

	profiling *profiling
}

// New returns the stand-ins for the functions that run on a machine.
func New(m *machine.Machine) *Set {
	s := &Set{m: m}
	s.files = s.makeStandard()
	return s
}

// Pending reports whether something will, or may, call interpreted code later.
func (s *Set) Pending() bool { return s.later.any() || s.signals.any() }

// Overrides holds functions by the names of the functions that they replace.
type Overrides struct {
	made map[string]reflect.Value
	// The functions of these packages are made by reflection on first use, because making them
	// takes longer than everything else that an engine does before its first cell.
	reflected map[string]func() map[string]reflect.Value
}

// Of returns the replacement of the function with the given full name, in the form of go/types. The
// value is invalid if there is no replacement.
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

// Overrides returns the replacements of functions that print, end the process, wait, or ask for
// their caller.
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
