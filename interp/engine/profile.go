package engine

import (
	"errors"
	"time"
)

// ProfilePeriod is how often running code is looked at for a profile, in time of the
// processor.
const ProfilePeriod = time.Millisecond

// ErrProfiled says that a profile is being taken: there can be one at a time.
var ErrProfiled = errors.New("cpu profiling already in use")

// Profiler is implemented by engines that tell in which functions and lines the code of
// cells spends its time.
type Profiler interface {
	// Profile begins to look at what runs, and gives what ends that. The error is
	// ErrProfiled.
	Profile() (end func() *Profile, err error)
}

// Profile tells where code has spent its time.
type Profile struct {
	Start   time.Time
	Elapsed time.Duration
	Samples []Sample // no two with the same calls
}

// Sample is the calls that code was seen in.
type Sample struct {
	Calls []Call // innermost first
	Count int    // how often it was seen in them
	Time  time.Duration
}

// Call is one call of a sample. The innermost may be of compiled code, whose place is not
// known.
type Call struct {
	Frame
	Symbol string // the function as the runtime names it: "main.(*T).M", "main.f.func1"
}

// CPU is the time of the processor that the samples stand for.
func (p *Profile) CPU() time.Duration {
	var sum time.Duration
	for _, s := range p.Samples {
		sum += s.Time
	}
	return sum
}
