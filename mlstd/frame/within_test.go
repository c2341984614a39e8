package frame

import (
	"strings"
	"testing"
)

func TestVerbsWithinGroups(t *testing.T) {
	f := must(t, StringColumn("k", []string{"a", "b", "a", "b", "a"}), IntColumn("x", []int64{4, 2, 2, 8, 3}))
	g := f.By("k")
	same(t, g.Rank("x"), 3.0, 1.0, 1.0, 2.0, 2.0)
	same(t, g.CumSum("x"), int64(4), int64(2), int64(6), int64(10), int64(9))
	same(t, g.Diff("x"), nil, nil, int64(-2), int64(6), int64(1))
	same(t, g.Shift("x", 1), nil, nil, int64(4), int64(2), int64(2))
	same(t, g.Shift("x", -2), int64(3), nil, nil, nil, nil)
	same(t, g.Growth("x", 1), nil, nil, -0.5, 3.0, 0.5)
	if got := refused(t, func() { g.Rank("y") }); !strings.Contains(got, "Groups.Rank") || !strings.Contains(got, `no column "y"`) {
		t.Error(got)
	}
}

func TestGrowth(t *testing.T) {
	c := FloatColumn("price", []float64{2, 2.5, 5, 0}).MarkMissing([]uint64{4}).WithUnit("€")
	same(t, c.Growth(1), nil, 0.25, nil, nil)
	same(t, FloatColumn("price", []float64{2, 2.5, 5, 1}).Growth(2), nil, nil, 1.5, -0.6)
	if unit := c.Growth(1).Unit(); unit != "" {
		t.Errorf("a share has the unit %q", unit)
	}
	if got := refused(t, func() { StringColumn("s", []string{"x"}).Growth(1) }); !strings.Contains(got, "Column.Growth") {
		t.Error(got)
	}
}
