package chart

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestMaps draws maps in the order of their keys.
func TestMaps(t *testing.T) {
	months := []string{"January", "April", "August"}
	type counts map[time.Month]float64
	for _, tt := range []struct {
		name  string
		c     *Chart
		names []string
		x, y  [][]float64 // of the marks
	}{
		{"names", Bar(map[string]int{"b": 2, "a": 1}), []string{"a", "b"}, [][]float64{{0, 1}}, [][]float64{{1, 2}}},
		{"numbers", Bar(map[int]int{2020: 5, 1999: 3}), nil, [][]float64{{1999, 2020}}, [][]float64{{3, 5}}},
		{"months", Bar(counts{time.April: 2, time.January: 1, time.August: 3}), months, [][]float64{{0, 1, 2}}, [][]float64{{1, 2, 3}}},
		{"any", Bar(map[string]any{"a": 1, "b": 2.5}), []string{"a", "b"}, [][]float64{{0, 1}}, [][]float64{{1, 2.5}}},
		{"maps", Bar(map[string]map[string]int{"n": {"x": 1, "y": 2}, "s": {"y": 3}}), []string{"n", "s"}, [][]float64{{0, 1}, {0, 1}}, [][]float64{{1, 0}, {2, 3}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var x, y [][]float64
			for _, m := range tt.c.marks {
				x, y = append(x, m.x), append(y, m.y)
			}
			if d := cmp.Diff([]any{tt.names, tt.x, tt.y}, []any{tt.c.x.levels, x, y}); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			if _, err := tt.c.Display(); err != nil {
				t.Error(err)
			}
		})
	}
	box := BoxPlot(map[time.Month][]float64{time.August: {3, 4}, time.January: {1, 2}, time.April: {2}})
	if d := cmp.Diff(months, box.x.levels); d != "" {
		t.Errorf("boxes (-want +got):\n%s", d)
	}
	if d := cmp.Diff([][]float64{{1, 2}, {2}, {3, 4}}, box.marks[0].asBox().groups); d != "" {
		t.Errorf("groups (-want +got):\n%s", d)
	}
	if b := BoxPlot(map[string][]int{"a": {1, 2}}); b.err != nil {
		t.Errorf("groups of whole numbers: %v", b.err)
	}
	heat := Heatmap(map[string]map[time.Month]int{"b": {time.August: 1}, "a": {time.January: 2, time.April: 3}})
	if d := cmp.Diff([]any{months, []string{"a", "b"}}, []any{heat.x.levels, heat.y.levels}); d != "" {
		t.Errorf("heat map (-want +got):\n%s", d)
	}
	if _, err := heat.Display(); err != nil {
		t.Error(err)
	}
	for name, tt := range map[string]struct {
		c    *Chart
		want string
	}{
		"texts":     {Bar(map[string]string{"a": "x"}), "the value of a is of type string"},
		"inner":     {Heatmap(map[string]map[string]string{"a": {"k": "x"}}), "the value of k is of type string"},
		"flat heat": {Heatmap(map[string]int{"a": 1}), "give a matrix"},
		"boxes":     {BoxPlot(map[string]int{"a": 1}), "the group a"},
	} {
		if _, err := tt.c.Display(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, tt.want)
		}
	}
}
