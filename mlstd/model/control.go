package model

import (
	"context"
	"math"
	"sync/atomic"
)

// Step is what an iterative fit reports after each iteration.
type Step struct {
	Algorithm string  // the name of the type that is fitting
	Iter      int     // iterations done, from 1
	Max       int     // the most there can be; 0 when unknown
	Loss      float64 // the objective after the iteration; NaN when not computed
	// Validation is the loss of examples held out; NaN when there are none.
	Validation float64
}

// Control is embedded in every iterative algorithm: it can be stopped and
// watched. The zero value neither stops nor watches; in a notebook cell the
// cell's own context and progress bar are used then.
type Control struct {
	// Context stops the fit when it is done; Fit then returns its error and
	// leaves the model unfitted. nil means the ambient context of the cell, if
	// there is one.
	Context context.Context `json:"-"`
	// OnStep is called after each iteration, in the goroutine of Fit.
	OnStep func(Step) `json:"-"`
	// OnEnd is called when a fit has ended that reported steps or might have, also
	// when it was stopped.
	OnEnd func() `json:"-"`
}

// Ambient holds the callbacks of fits that do not set a Control of their own: a
// notebook installs one for its cells.
type Ambient struct {
	Context func() context.Context
	OnStep  func(Step)
	// Done is called when a fit that reported steps has ended.
	Done func(algorithm string)
}

var ambient atomic.Pointer[Ambient]

// SetAmbient installs a; nil removes it. Only the notebook session calls it.
func SetAmbient(a *Ambient) { ambient.Store(a) }

// Run watches one fit. It is obtained by [Control.Begin] and used by one
// goroutine.
type Run struct {
	ctx       context.Context
	algorithm string
	max       int
	onStep    func(Step)
	onEnd     func()
	amb       *Ambient
}

// Iterations returns the number of iterations that a parameter asks for: the usual
// one for 0, and an error for a negative one.
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

// Context is the context that the run looks at, for the goroutines of the fit.
func (r *Run) Context() context.Context { return r.ctx }

// Err is the error of the context; loops look at it where no Step is due.
func (r *Run) Err() error { return r.ctx.Err() }

// Step reports the iteration iter (from 1) and returns the context's error when
// the fit must stop.
func (r *Run) Step(iter int, loss float64) error { return r.StepValidated(iter, loss, math.NaN()) }

// StepValidated is Step of a fit that holds examples out, with their loss.
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

// Trace records an iterative fit. Slices that an algorithm has no use for stay
// nil; those it fills have one entry an iteration.
type Trace struct {
	Loss []float64 // the objective after each iteration
	Step []float64 // the length of the step taken, or the change of the objective
	// Weights are the parameters after each iteration where they are few enough
	// to keep (at most 64 numbers).
	Weights [][]float64
	// Converged reports whether the stopping rule was met before the iterations
	// ran out. Not converging is a status, not an error.
	Converged bool
}
