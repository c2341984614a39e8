package machine

import "time"

// In a bubble of package testing/synctest, time continues when all goroutines of it wait for something in it. What
// ends a run is outside of the bubble, so that a goroutine which waits for that as well would hold the time
// up for ever. Goroutines in bubbles wait for what the program waits for alone: one that has been
// interrupted stops when it continues.

// begun is when the process began. A clock in a bubble begins in the year 2000.
var begun = time.Now().Unix()

// InBubble calls f, which has goroutines in a bubble.
func (m *Machine) InBubble(f func()) {
	m.bubbles.Add(1)
	defer m.bubbles.Add(-1)
	f()
}

// bubbled reports whether the running goroutine is in a bubble. The runtime tells nobody, but its
// clock does.
func (m *Machine) bubbled() bool { return m.bubbles.Load() > 0 && time.Now().Unix() < begun }
