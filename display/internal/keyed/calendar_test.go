package keyed

import (
	"reflect"
	"slices"
	"testing"
)

func TestCalendarOrder(t *testing.T) {
	for _, c := range []struct{ names, want []string }{
		{[]string{"Wed", "Mon", "Sun"}, []string{"Mon", "Wed", "Sun"}},
		{[]string{"Sun", "Mon", "Tue"}, []string{"Sun", "Mon", "Tue"}}, // a week that begins on Sunday
		{[]string{"november", "december", "january"}, []string{"november", "december", "january"}},
		{[]string{"Apr", "Jan", "Sept.", "Feb"}, []string{"Jan", "Feb", "Apr", "Sept."}},
		{[]string{"May", "April", "Mai"}, []string{"May", "April", "Mai"}},
		{[]string{"Jun", "June", "May"}, []string{"Jun", "June", "May"}}, // one month twice
		{[]string{"Sun", "May"}, []string{"Sun", "May"}},
		{[]string{"Mo", "Fr"}, []string{"Mo", "Fr"}},
		{[]string{"June"}, []string{"June"}},
		{nil, nil},
	} {
		got := slices.Clone(c.names)
		for i, k := range CalendarOrder(c.names) {
			got[i] = c.names[k]
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v are in the order %v, want %v", c.names, got, c.want)
		}
	}
}

func TestMapsOfMonths(t *testing.T) {
	var got []string
	for _, e := range Sorted(reflect.ValueOf(map[string]int{"Dec": 1, "Jan": 2, "Nov": 3})) {
		got = append(got, e.Name)
	}
	if want := []string{"Jan", "Nov", "Dec"}; !slices.Equal(got, want) {
		t.Errorf("the keys are in the order %v, want %v", got, want)
	}
}
