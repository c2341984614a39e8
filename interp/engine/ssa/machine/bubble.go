package machine

import "time"

// In a bubble of package testing/synctest, time advances when all goroutines of the bubble wait for
// something inside it. The stop request of a run comes from outside the bubble, so a goroutine that
// also waited for the request would prevent time from advancing. Goroutines in bubbles therefore
// wait only for the events for which the program waits. An interrupted goroutine stops when its
// wait ends.

// begun is the time at which the process began, in seconds since 1970. A clock in a bubble begins
// in the year 2000.
var begun = time.Now().Unix()

// InBubble calls f; f runs goroutines in a bubble.
func (m *Machine) InBubble(f func()) {
	m.bubbles.Add(1)
	defer m.bubbles.Add(-1)
	f()
}

// bubbled reports whether the running goroutine is in a bubble. The runtime has no API for that,
// but the clock shows it.
func (m *Machine) bubbled() bool { return m.bubbles.Load() > 0 && time.Now().Unix() < begun }
