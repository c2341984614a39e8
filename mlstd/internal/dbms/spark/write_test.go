//go:build !js

package spark

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/internal/arrow"
)

// TestEncodeTimes checks that times travel as microseconds, and that the frame keeps its times: a
// part that turns out to be too large is encoded again.
func TestEncodeTimes(t *testing.T) {
	at := []time.Time{
		time.Date(2024, 2, 29, 12, 34, 56, 789_000, time.UTC),
		time.Date(1969, 12, 31, 23, 59, 59, 999_999_000, time.UTC),
		{}, // missing
		time.Date(2024, 7, 1, 0, 0, 0, 0, time.UTC),
	}
	f, err := frame.New(frame.TimeColumn("at", at))
	if err != nil {
		t.Fatal(err)
	}
	want := []int64{at[1].UnixMicro(), 0, at[3].UnixMicro()}
	for range 2 {
		data, err := encode(f, 1, 4)
		if err != nil {
			t.Fatal(err)
		}
		table, err := arrow.Read(bytes.NewReader(data), int64(len(data)), func(string) bool { return true })
		if err != nil {
			t.Fatal(err)
		}
		c := table.Columns[0]
		if !slices.Equal(c.Ints, want) || c.IsGap(0) || !c.IsGap(1) || c.IsGap(2) {
			t.Errorf("got %v, want %v with the second one missing", c.Ints, want)
		}
	}
	for i, x := range at {
		if got, ok := f.Col("at").At(i).(time.Time); i != 2 && (!ok || !got.Equal(x)) {
			t.Errorf("the frame has %v in row %d, want %v", f.Col("at").At(i), i, x)
		}
	}
}
