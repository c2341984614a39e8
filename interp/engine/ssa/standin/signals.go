package standin

import (
	"maps"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
)

// The process that cells run in waits for signals itself. Cells can also listen. signal.Reset and
// signal.Ignore, which would affect the whole process, affect only the channels of the cells.

// signals records the channels on which cells listen.
type signals struct {
	mu       sync.Mutex
	channels map[chan<- os.Signal]map[os.Signal]bool
}

// any reports whether any cell listens.
func (s *signals) any() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.channels) > 0
}

// overrides returns the replacements by the names of the replaced functions.
func (s *signals) overrides() map[string]any {
	return map[string]any{
		"os/signal.Notify": s.notify,
		"os/signal.Stop":   s.stop,
		"os/signal.Reset":  s.reset,
		"os/signal.Ignore": s.ignore,
	}
}

// evaluators reports whether the process that cells run in needs the signal.
func evaluators(sig os.Signal) bool {
	return sig == os.Interrupt || sig == syscall.SIGTERM || sig == syscall.SIGHUP
}

// orAll returns sigs, or all signals if sigs is empty.
func orAll(sigs []os.Signal) []os.Signal {
	if len(sigs) > 0 {
		return sigs
	}
	const most = 65
	for n := syscall.Signal(1); n < most; n++ {
		sigs = append(sigs, n)
	}
	return sigs
}

func (s *signals) notify(c chan<- os.Signal, sigs ...os.Signal) {
	signal.Notify(c, sigs...)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.channels == nil {
		s.channels = map[chan<- os.Signal]map[os.Signal]bool{}
	}
	if s.channels[c] == nil {
		s.channels[c] = map[os.Signal]bool{}
	}
	for _, sig := range orAll(sigs) {
		s.channels[c][sig] = true
	}
}

func (s *signals) stop(c chan<- os.Signal) {
	signal.Stop(c)
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.channels, c)
}

func (s *signals) reset(sigs ...os.Signal) {
	sigs = orAll(sigs)
	s.drop(sigs)
	if others := slices.DeleteFunc(slices.Clone(sigs), evaluators); len(others) > 0 {
		signal.Reset(others...)
	}
}

func (s *signals) ignore(sigs ...os.Signal) {
	sigs = orAll(sigs)
	s.drop(sigs)
	if others := slices.DeleteFunc(slices.Clone(sigs), evaluators); len(others) > 0 {
		signal.Ignore(others...)
	}
}

// drop stops the signals for all channels of cells.
func (s *signals) drop(sigs []os.Signal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c, wanted := range s.channels {
		signal.Stop(c)
		for _, sig := range sigs {
			delete(wanted, sig)
		}
		if len(wanted) == 0 {
			delete(s.channels, c)
			continue
		}
		signal.Notify(c, slices.Collect(maps.Keys(wanted))...)
	}
}
