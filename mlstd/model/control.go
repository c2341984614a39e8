package model

import (
	"context"
	"math"
	"sync/atomic"
)

// Step is the progress that an iterative fit reports after each iteration.
type Step struct {
	Algorithm string  // the name of the type that is fitting
	Iter      int     // iterations done, from 1
	Max       int     // the maximum number; 0 when unknown
	Loss      float64 // the objective after the iteration; NaN when not computed
	// Validation is the loss on held-out examples; NaN if there are none.
	Validation float64
}

// Control is embedded in every iterative algorithm and lets you stop and watch its fit. The zero
// value does neither, except in a notebook cell, where it uses the cell's own context and progress
// bar.
type Control struct {
	// Fit stops when Context is done, returns the context's error and leaves the model unfitted. If
	// Context is nil, Fit uses the ambient context of the cell, if there is one.
	Context context.Context `json:"-"`
	// OnStep is called after each iteration, in the goroutine of Fit.
	OnStep func(Step) `json:"-"`
	// OnEnd is called when a fit that can report steps has ended, even if it was stopped.
	OnEnd func() `json:"-"`
}

// Ambient holds the callbacks of fits that do not set a Control of their own: a
// notebook installs one for its cells.
type Ambient struct {
	Context func() context.Context
	OnStep  func(Step)
	// Done is called when a fit that reported steps has ended.
	Done func(algorithm string)
	// Password asks the user for a line of text, and does not show the text. Asked is false if
	// there is nobody to ask.
	Password func(prompt string) (typed string, asked bool, err error)
}

var ambient atomic.Pointer[Ambient]

// SetAmbient installs a; nil removes it. Only the notebook session calls it.
func SetAmbient(a *Ambient) { ambient.Store(a) }

// Run watches one fit. [Control.Begin] returns it, and one goroutine uses it.
type Run struct {
	ctx       context.Context
	algorithm string
	max       int
	onStep    func(Step)
	onEnd     func()
	amb       *Ambient
}

// Iterations returns the number of iterations that a parameter specifies: the usual number for 0,
// and an error for a negative number.
func Iterations(op, parameter string, n, usual int) (int, error) {
	if n < 0 {
		return 0, Errorf(op, "%s must be positive (0 means %d), got %d", parameter, usual, n)
	}
	if n == 0 {
		return usual, nil
	}
	return n, nil
}

// Begin starts a run of at most max iterations (0: unknown) of the algorithm.
func (c *Control) Begin(algorithm string, max int) *Run {
	r := &Run{ctx: c.Context, algorithm: algorithm, max: max, onStep: c.OnStep, onEnd: c.OnEnd, amb: ambient.Load()}
	if r.ctx == nil && r.amb != nil && r.amb.Context != nil {
		r.ctx = r.amb.Context()
	}
	if r.ctx == nil {
		r.ctx = context.Background()
	}
	return r
}

// Context returns the context that the run polls. The goroutines of the fit use it.
func (r *Run) Context() context.Context { return r.ctx }

// Err returns the error of the context; loops check it between calls of Step.
func (r *Run) Err() error { return r.ctx.Err() }

// Step reports the iteration iter, counted from 1, and returns the context's error when the fit
// must stop.
func (r *Run) Step(iter int, loss float64) error { return r.StepValidated(iter, loss, math.NaN()) }

// StepValidated is Step for a fit with held-out examples, and reports the loss on them.
func (r *Run) StepValidated(iter int, loss, validation float64) error {
	if r.onStep != nil || (r.amb != nil && r.amb.OnStep != nil) {
		s := Step{Algorithm: r.algorithm, Iter: iter, Max: r.max, Loss: loss, Validation: validation}
		if r.onStep != nil {
			r.onStep(s)
		}
		if r.amb != nil && r.amb.OnStep != nil {
			r.amb.OnStep(s)
		}
	}
	return r.ctx.Err()
}

// End must be deferred after Begin.
func (r *Run) End() {
	if r.onEnd != nil {
		r.onEnd()
	}
	if r.amb != nil && r.amb.Done != nil {
		r.amb.Done(r.algorithm)
	}
}

// Trace records an iterative fit. Slices that an algorithm does not use stay nil; the others have
// one entry per iteration.
type Trace struct {
	Loss []float64 // the objective after each iteration
	Step []float64 // the length of the step taken, or the change of the objective
	// Weights are the parameters after each iteration, recorded if there are at most 64.
	Weights [][]float64
	// Converged reports whether the stopping rule was met before the iterations
	// ran out. Not converging is a status, not an error.
	Converged bool
}

// AskPassword asks the user of the notebook for a password. The notebook does not show the
// password. Asked is false if there is no user to ask, as outside of a notebook.
func AskPassword(prompt string) (typed string, asked bool, err error) {
	if a := ambient.Load(); a != nil && a.Password != nil {
		return a.Password(prompt)
	}
	return "", false, nil
}
