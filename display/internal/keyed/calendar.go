package keyed

import (
	"cmp"
	"slices"
	"strings"
)

var (
	months   = []string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}
	weekdays = []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}
)

// Calendar returns the places of English names of months in the year, or of days in the
// week, which begins on Monday; ok is false when a name is neither, when they are of both
// kinds, or when there is only one. Names may be cut after three letters or more, and
// end in a point.
func Calendar(names []string) (places []int, ok bool) {
	for _, cycle := range [][]string{months, weekdays} {
		if places, ok = placesIn(cycle, names); ok {
			return places, true
		}
	}
	return nil, false
}

func placesIn(cycle, names []string) ([]int, bool) {
	places := make([]int, len(names))
	seen := map[int]bool{}
	for i, name := range names {
		name = strings.ToLower(strings.TrimSuffix(name, "."))
		k := slices.IndexFunc(cycle, func(full string) bool { return len(name) >= 3 && strings.HasPrefix(full, name) })
		if k < 0 {
			return nil, false
		}
		places[i], seen[k] = k, true
	}
	return places, len(names) > 1 && len(seen) == len(names)
}

// CalendarOrder returns the order in which names of months or weekdays are shown, as
// positions in names, nil to leave them as they are: names that follow each other without
// a gap, such as those of a winter from November to February, are in order already.
func CalendarOrder(names []string) []int {
	places, ok := Calendar(names)
	if !ok {
		return nil
	}
	length := len(months)
	if _, days := placesIn(weekdays, names); days {
		length = len(weekdays)
	}
	inOrder := true
	order := make([]int, len(names))
	for i := range order {
		order[i] = i
		inOrder = inOrder && (i == 0 || places[i] == (places[i-1]+1)%length)
	}
	if inOrder {
		return nil
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(places[a], places[b]) })
	return order
}
