package machine

import "time"

// In a bubble of package testing/synctest, time advances when all goroutines of the bubble wait for
// something inside it. The stop request of a run comes from outside the bubble, so a goroutine that
// also waited for it would keep time from advancing. Goroutines in bubbles therefore wait only for
// what the program waits for: an interrupted goroutine stops when it continues.

// begun is when the process began. A clock in a bubble begins in the year 2000.
var begun = time.Now().Unix()

// InBubble calls f, which runs goroutines in a bubble.
func (m *Machine) InBubble(f func()) {
	m.bubbles.Add(1)
	defer m.bubbles.Add(-1)
	f()
}

// bubbled reports whether the running goroutine is in a bubble. The runtime has no API for that,
// but the clock shows it.
func (m *Machine) bubbled() bool { return m.bubbles.Load() > 0 && time.Now().Unix() < begun }
