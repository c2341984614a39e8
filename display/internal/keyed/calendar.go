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

// Calendar returns the positions of English month names in the year, or of day names in the week,
// which starts on Monday. It returns false if a name is not the name of a month or a day, if both
// kinds of names occur, or if there is only one name. Names can be abbreviated to three or more
// letters, and can end in a period.
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

// CalendarOrder returns the order in which to show names of months or weekdays, as positions in
// names, or nil to keep their order. Names that follow each other without a gap, such as November
// to February, are already in order.
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
