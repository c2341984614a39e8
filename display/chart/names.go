package chart

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// XNames names the positions 0, 1, 2 ... of the x axis. If the axis shows names from the data,
// XNames sets their order: values stay with their names, and each name must occur in the data. If
// the names in the data are whole numbers, the axis shows the numbers in ascending order, and
// XNames replaces each number with the name in the same position.
func (c *Chart) XNames(names ...string) *Chart { c.x.asked, c.x.askedBy = names, "XNames"; return c }

// YNames names the positions 0, 1, 2 ... of the y axis, or orders its names, as XNames does.
func (c *Chart) YNames(names ...string) *Chart { c.y.asked, c.y.askedBy = names, "YNames"; return c }

// Names sets the names of the boxes, or of the classes, in the mark added last. For boxes, Names
// works like XNames. If the labels are numbers, the classes are in ascending order and the i-th
// name belongs to the i-th class; if there are more names than classes, name k belongs to label k.
// For classes that already have names, Names sets the order of the classes and their colors, and
// each given name must occur in the data.
func (c *Chart) Names(names ...string) *Chart {
	if m := c.last("Names"); c.err == nil {
		c.setErr(m.kind.rename(c, m, names))
	}
	return c
}

// rename changes the names of the classes of a mark, or their order.
func (m *mark) rename(names []string) error {
	if !m.given && len(names) > len(m.names) {
		if place, ok := numbered(m.names, len(names)); ok {
			m.class, m.names = moved(m.class, place), slices.Clone(names)
			return nil
		}
	}
	levels, place, err := renamed("Names", "the labels", m.names, names, m.given)
	if err == nil {
		m.class, m.names = moved(m.class, place), levels
	}
	return err
}

// numbered returns the numbers of the names, if every name is a whole number below n.
func numbered(names []string, n int) (place []int, ok bool) {
	for _, s := range names {
		k, err := strconv.Atoi(s)
		if err != nil || k < 0 || k >= n {
			return nil, false
		}
		place = append(place, k)
	}
	return place, true
}

// moved returns the new numbers of classes; missing classes stay missing.
func moved(class, place []int) []int {
	if place == nil {
		return class
	}
	out := make([]int, len(class))
	for i, k := range class {
		out[i] = k
		if k >= 0 {
			out[i] = place[k]
		}
	}
	return out
}

// renamed returns the levels in the order of names, or the names themselves if the levels only
// stand for numbers. place holds the new position of each level, or is nil if no level moves.
func renamed(option, what string, levels, names []string, given bool) (out []string, place []int, err error) {
	known := map[string]int{}
	for i, s := range names {
		if _, twice := known[s]; twice && given {
			return nil, nil, fmt.Errorf("chart.%s: %q is given twice", option, s)
		}
		known[s] = i
	}
	var missing []string
	for _, s := range levels {
		k, ok := known[s]
		if !ok {
			missing = append(missing, s)
		}
		place = append(place, k)
	}
	var strange []string
	for _, s := range names {
		if !slices.Contains(levels, s) {
			strange = append(strange, s)
		}
	}
	switch {
	case len(missing)+len(strange) == 0 && len(known) == len(names):
		return slices.Clone(names), place, nil
	case !given && len(strange) == len(names) && len(names) == len(levels):
		return slices.Clone(names), nil, nil
	case !given && len(names) != len(levels):
		return nil, nil, fmt.Errorf("chart.%s: there are %d names for %d values: %s", option, len(names), len(levels), firstNames(levels))
	case len(strange) > 0:
		return nil, nil, fmt.Errorf("chart.%s: %s must be %s, got %s; this option sets the order: to rename values, change them in the data", option, what, firstNames(levels), quotedList(strange))
	}
	return nil, nil, fmt.Errorf("chart.%s: %s is missing; name all of %s", option, quotedList(missing), firstNames(levels))
}

// quotedList returns the first names, in quotes.
func quotedList(names []string) string {
	const most = 4
	var out []string
	for i, s := range names {
		if i == most {
			out = append(out, fmt.Sprintf("%d more", len(names)-most))
			break
		}
		out = append(out, strconv.Quote(s))
	}
	return strings.Join(out, ", ")
}

// order puts the names of both axes into the order that XNames and YNames ask for.
func (c *Chart) order() error {
	for _, d := range []struct {
		a *axis
		x bool
	}{{&c.x, true}, {&c.y, false}} {
		a := d.a
		if a.asked == nil {
			continue
		}
		if a.times {
			return fmt.Errorf("chart.%s: the axis shows times, which have no names", a.askedBy)
		}
		if a.levels == nil {
			if err := c.nameless(a, d.x); err != nil {
				return err
			}
			a.levels = a.asked
			continue
		}
		levels := a.levels
		if a.given {
			levels = c.used(a, d.x)
		}
		names, place, err := renamed(a.askedBy, "the names of the axis", levels, a.asked, a.given)
		if err != nil {
			return err
		}
		if place != nil {
			of := map[string]int{}
			for i, s := range levels {
				of[s] = place[i]
			}
			to := make([]int, len(a.levels))
			for i, s := range a.levels {
				k, ok := of[s]
				if !ok {
					k = -1 // a level without rows
				}
				to[i] = k
			}
			for i := range c.marks {
				c.marks[i].kind.move(&c.marks[i], to, d.x)
			}
		}
		a.levels = names
	}
	return nil
}

// used returns the levels of an axis for which a mark has a row, and the levels that the user asked
// for.
func (c *Chart) used(a *axis, x bool) []string {
	has := make([]bool, len(a.levels))
	for i := range c.marks {
		m := &c.marks[i]
		if m.kind.ownLevels(m) {
			return a.levels
		}
		for _, v := range m.along(x) {
			if k := int(v); v >= 0 && v == math.Trunc(v) && k < len(has) {
				has[k] = true
			}
		}
	}
	var out []string
	for k, s := range a.levels {
		if has[k] || slices.Contains(a.asked, s) {
			out = append(out, s)
		}
	}
	return out
}

// along returns the values of a mark in one direction.
func (m *mark) along(x bool) []float64 {
	if x {
		return m.x
	}
	return m.y
}

// nameless returns an error if a position on an axis of numbers has no name among the requested
// ones.
func (c *Chart) nameless(a *axis, x bool) error {
	if a.fixed {
		return nil // the user also chose what it shows
	}
	for i := range c.marks {
		if err := c.marks[i].kind.named(&c.marks[i], a, x); err != nil {
			return err
		}
	}
	return nil
}
