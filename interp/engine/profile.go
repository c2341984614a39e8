package engine

import (
	"errors"
	"time"
)

// ProfilePeriod is the interval between samples of a profile, in CPU time.
const ProfilePeriod = time.Millisecond

// ErrProfiled means that a profile is being taken already: there can be only one at a time.
var ErrProfiled = errors.New("cpu profiling already in use")

// Profiler is implemented by engines that can measure the time that code of cells spends in each
// function and line.
type Profiler interface {
	// Profile starts taking samples and returns a function that ends the profile. The only possible
	// error is ErrProfiled.
	Profile() (end func() *Profile, err error)
}

// Profile has the time that code has spent in each function and line.
type Profile struct {
	Start   time.Time
	Elapsed time.Duration
	Samples []Sample // no two with the same calls
}

// Sample is a call stack that was sampled.
type Sample struct {
	Calls []Call // innermost first
	Count int    // number of times that this stack was sampled
	Time  time.Duration
}

// Call is one call of a sample. The innermost call may be a call of compiled code, whose position
// is not known.
type Call struct {
	Frame
	Symbol string // the function as the runtime names it: "main.(*T).M", "main.f.func1"
}

// CPU returns the CPU time that the samples represent.
func (p *Profile) CPU() time.Duration {
	var sum time.Duration
	for _, s := range p.Samples {
		sum += s.Time
	}
	return sum
}
