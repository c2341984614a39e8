//go:build (linux || darwin) && (amd64 || arm64)

package ssa

import (
	"maps"
	"reflect"
	"time"

	"github.com/gokernel/gokernel/interp/engine/ssa/rtype"
)

// current gives the run that the running goroutine belongs to.
func (e *Engine) current() *cellRun {
	if l := rtype.GetLocal(); l != nil {
		return threadOf(l).run
	}
	return e.background
}

// makeOverrides gives the functions of the compiled world that interpreted code
// gets others for: those that print, end the process, or wait.
func (e *Engine) makeOverrides() map[string]reflect.Value {
	all := map[string]any{
		"runtime.GC": e.collect,
		"time.Sleep": e.sleep,
	}
	maps.Copy(all, e.files())
	callers := newCallers(e)
	maps.Copy(all, callers.overrides())
	logs := newLogging(e, callers)
	maps.Copy(all, logs.overrides())
	maps.Copy(all, (&slogging{e, logs}).overrides())
	maps.Copy(all, e.signals.overrides())
	maps.Copy(all, e.later.overrides())
	maps.Copy(all, e.locks())
	maps.Copy(all, e.unlocks())
	maps.Copy(all, newProcess().overrides())
	maps.Copy(all, testingOverrides())
	maps.Copy(all, e.sorting())
	m := make(map[string]reflect.Value, len(all))
	for name, f := range all {
		m[name] = reflect.ValueOf(f)
	}
	maps.Copy(m, e.logMethods())
	return m
}

func (e *Engine) sleep(d time.Duration) {
	r := e.current()
	if r.cell == nil || d <= 0 {
		time.Sleep(d)
		return
	}
	if th := e.thread(); th != nil {
		th.await(isWaiting)
		defer th.goOn()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-r.closed:
		panic(stopSignal{})
	}
}
