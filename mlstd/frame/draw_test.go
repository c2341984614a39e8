package frame

import (
	"math"
	"reflect"
	"testing"
	"time"
)

func TestData(t *testing.T) {
	noon := time.Date(2024, 1, 31, 12, 0, 0, 0, time.UTC)
	names := StringColumn("s", []string{"b", "a", "b", "c"})
	for name, tt := range map[string]struct {
		c    *Column
		want any
	}{
		"floats":           {FloatColumn("x", []float64{1, 2.5}), []float64{1, 2.5}},
		"ints":             {IntColumn("x", []int64{1, 2}), []int64{1, 2}},
		"bools":            {BoolColumn("x", []bool{true, false}), []bool{true, false}},
		"bools with gaps":  {BoolColumn("x", []bool{true, false}).MarkMissing([]uint64{2}), coded{[]int32{1, -1}, []string{"false", "true"}}},
		"strings":          {names, coded{[]int32{0, 1, 0, 2}, []string{"b", "a", "c"}}},
		"some of them":     {names.slice(1, 3), coded{[]int32{0, 1}, []string{"a", "b"}}},
		"strings with gap": {StringColumn("s", []string{"b", "a", "b", "c"}).MarkMissing([]uint64{1}), coded{[]int32{-1, 0, 1, 2}, []string{"a", "b", "c"}}},
		"categories":       {CategoryColumn("x", []int32{2, -1, 0}, []string{"low", "mid", "high"}), coded{[]int32{2, -1, 0}, []string{"low", "mid", "high"}}},
		"times":            {TimeColumn("x", []time.Time{noon, {}}).MarkMissing([]uint64{2}), []time.Time{noon, {}}},
	} {
		if got := tt.c.Data(); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
	gap := IntColumn("x", []int64{1, 2}).MarkMissing([]uint64{1}).Data().([]float64)
	if !math.IsNaN(gap[0]) || gap[1] != 2 {
		t.Errorf("a missing integer: %v", gap)
	}
	f, err := New(names)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := f.ColumnValues("nowhere"); ok {
		t.Error("there is a column that is not there")
	}
	if v, ok := f.ColumnValues("s"); !ok || v == nil {
		t.Error("the column is not there")
	}
}
