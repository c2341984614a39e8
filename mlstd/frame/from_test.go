package frame

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gokernel/gokernel/mlstd/data"
)

type Base struct{ ID int }

type trip struct {
	Base
	Zone   string `json:"zone,omitempty"`
	Fare   *float64
	At     time.Time
	Seats  uint8
	Secret string `frame:"-"`
}

func TestFromRows(t *testing.T) {
	fare, day := 2.5, time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	f := FromRows([]*trip{{Base{1}, "x", &fare, day, 4, ""}, {Base{2}, "y", nil, time.Time{}, 5, ""}})
	if got := f.Names(); !slices.Equal(got, []string{"ID", "zone", "Fare", "At", "Seats"}) {
		t.Error(got)
	}
	same(t, f.Col("ID"), int64(1), int64(2))
	same(t, f.Col("Fare"), 2.5, nil)
	same(t, f.Col("At"), day, nil)
	same(t, f.Col("Seats"), int64(4), int64(5))

	f = FromRows([]map[string]any{{"a": 1, "b": "x"}, {"a": 2.5}, {"c": true}})
	same(t, f.Col("a"), 1.0, 2.5, nil)
	same(t, f.Col("b"), "x", nil, nil)
	same(t, f.Col("c"), nil, nil, true)

	f = FromRows(map[string][]float64{"y": {1, 2}, "x": {3, 4}})
	if got := f.Names(); !slices.Equal(got, []string{"x", "y"}) {
		t.Error(got)
	}
	for _, bad := range []any{nil, 3, []int{1}, map[string]int{"a": 1}, []map[string]any{{"a": 1}, {"a": "x"}}} {
		if got := refused(t, func() { FromRows(bad) }); !strings.HasPrefix(got, "FromRows: ") {
			t.Error(got)
		}
	}
}

func TestFromDataset(t *testing.T) {
	d := data.PlayTennis()
	f := FromRows(d)
	if f.Len() != 14 || f.Width() != 5 || f.Col("Outlook").Kind() != CategoryKind {
		t.Error(f)
	}
	if got := f.Columns()[4].Strings(); got[0] != d.Label(0) || got[13] != d.Label(13) {
		t.Error(got)
	}
}
