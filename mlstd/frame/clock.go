package frame

import (
	"sync"
	"time"
)

// clock describes how the times of a column are written: all with the same parts, those that at
// least one of them needs.
type clock struct {
	once   sync.Once
	layout string
}

// These are the layouts of times for precisions from days to nanoseconds.
const (
	days        = time.DateOnly
	minutes     = "2006-01-02 15:04"
	seconds     = time.DateTime
	nanoseconds = "2006-01-02 15:04:05.999999999"
)

// writeTime returns the time of row i as text.
func (c *Column) writeTime(i int) string {
	if c.clock == nil {
		return c.moment(i).Format(c.layout())
	}
	c.clock.once.Do(func() { c.clock.layout = c.layout() })
	return c.moment(i).Format(c.clock.layout)
}

// layout returns the coarsest layout that keeps all times exact.
func (c *Column) layout() string {
	const second, minute = int64(time.Second), int64(time.Minute)
	finest := days
	for i, x := range c.ints {
		switch {
		case x%second != 0:
			return nanoseconds
		case finest == seconds:
		case x%minute != 0:
			finest = seconds
		case finest == days && !c.missing.has(i):
			if h, m, s := c.moment(i).Clock(); h != 0 || m != 0 || s != 0 {
				finest = minutes
			}
		}
	}
	return finest
}
