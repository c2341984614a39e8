package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/gokernel/gokernel/interp"
	"github.com/gokernel/gokernel/interp/engines"
	"github.com/gokernel/gokernel/kernel/evaluator"
)

// openSession opens a session on the engine, in the evaluator process.
func openSession(engine string, rules sessionRules, mods moduleRules) (evaluator.Session, error) {
	if err := checkEngine(engine); err != nil {
		return nil, err
	}
	opt := options(engine)
	var err error
	if opt.Modules, err = mods.options(); err != nil {
		return nil, err
	}
	opt.Warn, opt.Judge, opt.Allowed = rules.warn, rules.judge, rules.allow
	if list := os.Getenv(allowVar); list != "" {
		opt.Allowed = append(opt.Allowed, strings.Split(list, ",")...)
	}
	opt.Graded, opt.MemoryLimit = rules.graded || os.Getenv(gradedVar) != "", rules.memory
	opt.Checkpoint, opt.CheckpointLimit = rules.checkpoint, rules.checkpointLimit
	return interp.New(opt)
}

// options returns the options for a session on the engine. If the default engine can't run, the
// fallback engine replaces it, and the first cell reports that.
func options(engine string) interp.Options {
	opt := interp.Options{Engine: engines.ByName[engine]}
	if engine == defaultEngine {
		opt.Fallback = engines.Yaegi
	}
	return opt
}

func checkEngine(name string) error {
	if engines.ByName[name] == nil {
		return fmt.Errorf("there is no engine %q: give one of %s", name, engineNames())
	}
	return nil
}

func engineNames() string {
	return strings.Join(slices.Sorted(maps.Keys(engines.ByName)), ", ")
}
