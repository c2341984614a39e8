package table

import (
	"math"
	"slices"
	"time"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/internal/guide"
	"github.com/gokernel/gokernel/display/internal/keyed"
)

// write formats the cells of a column in a common format. right reports whether they are numbers,
// which are aligned right; zone is the time zone of times if it is not UTC.
func (c *column) write(cells []cell) (right bool, zone string) {
	var numbers, times []int // positions of cells
	others, whole, lengthy := false, true, true
	for i, x := range cells {
		switch {
		case x.missing:
		case x.numeric:
			numbers = append(numbers, i)
			whole, lengthy = whole && x.whole, lengthy && x.length
		case !x.moment.IsZero():
			times = append(times, i)
		default:
			others = true
		}
	}
	mixed := others || len(numbers) > 0 && len(times) > 0
	if len(times) > 0 && !mixed {
		all := make([]time.Time, len(times))
		for k, i := range times {
			all[k] = cells[i].moment
		}
		texts, zone := moments(all)
		for k, i := range times {
			cells[i].text = texts[k]
		}
		return false, zone
	}
	if len(numbers) == 0 {
		return false, ""
	}
	v := make([]float64, len(numbers))
	for k, i := range numbers {
		v[k] = cells[i].number
	}
	var texts []string
	switch {
	case c.exact || c.format != nil || mixed:
	case lengthy:
		texts = lengths(v)
	case !whole:
		texts = written(v)
	default:
		for _, i := range numbers {
			texts = append(texts, cells[i].text)
		}
		texts = guide.Separated(texts)
	}
	for k, i := range numbers {
		x := &cells[i]
		switch {
		case c.exact && !x.length && math.Abs(x.number) < 1<<53:
			x.text = display.Exact(x.number)
		case c.exact:
		case c.format != nil:
			x.text = c.format(x.number)
		case texts != nil:
			x.text = texts[k]
		}
	}
	return !mixed, ""
}

// byCalendar sets the positions in the calendar of the cells of a column that contains names of
// months or weekdays.
func byCalendar(cells []cell) {
	var names []string
	for _, x := range cells {
		if !x.missing && !slices.Contains(names, x.text) {
			if x.numeric || x.ranked || len(names) == 12 {
				return
			}
			names = append(names, x.text)
		}
	}
	places, ok := keyed.Calendar(names)
	if !ok {
		return
	}
	for i, x := range cells {
		if k := slices.Index(names, x.text); k >= 0 {
			cells[i].number, cells[i].ranked = float64(places[k]), true
		}
	}
}
