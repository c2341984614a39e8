package guide

import (
	"slices"
	"testing"
)

func TestFeaturesAreNamedOneWay(t *testing.T) {
	for name, want := range map[string]string{"x1": "x₁", "x10": "x₁₀", "x01": "x01", "xs": "xs", "x-1": "x-1", "x": "x", "y1": "y1"} {
		if got := Column(name); got != want {
			t.Errorf("column %s is shown as %s, want %s", name, got, want)
		}
	}
	for text, want := range map[string]string{"x1 ≤ 2.5": "x₁ ≤ 2.5", "x2∧¬x15": "x₂∧¬x₁₅", "max1 or x1a": "max1 or x1a", "width ≤ 3": "width ≤ 3"} {
		if got := Columns(text); got != want {
			t.Errorf("%s is shown as %s, want %s", text, got, want)
		}
	}
	if got := Feature(9); got != "x₁₀" {
		t.Errorf("the tenth feature is %s", got)
	}
	if got := Class(-1); got != "−1" {
		t.Errorf("class -1 is %s", got)
	}
}

func TestLabelsLeaveOutWhatTheyShare(t *testing.T) {
	for _, c := range []struct {
		ticks  []float64
		labels []string
		unit   string
	}{
		{[]float64{0, 50, 100}, []string{"0", "50", "100"}, ""},
		{[]float64{-1, -0.5, 0}, []string{"−1.0", "−0.5", "0.0"}, ""},
		{[]float64{10000, 20000}, []string{"10,000", "20,000"}, ""},
		{[]float64{1e6, 2e6}, []string{"1", "2"}, "×10⁶"},
		{[]float64{1e9, 1e9 + 20, 1e9 + 40}, []string{"0", "20", "40"}, "+ 10⁹"},
		{[]float64{-1e9 - 40, -1e9 - 20, -1e9}, []string{"−40", "−20", "0"}, "− 10⁹"},
		{[]float64{2.5e7, 2.5e7 + 10}, []string{"0", "10"}, "+ 2.5×10⁷"},
		{[]float64{100000.001, 100000.0012}, []string{"0.0010", "0.0012"}, "+ 100,000"},
		{[]float64{3, 3 + 5e-7, 3 + 1e-6}, []string{"0.0", "0.5", "1.0"}, "×10⁻⁶ + 3"},
	} {
		largest := max(-c.ticks[0], c.ticks[len(c.ticks)-1])
		labels, unit := Labels(c.ticks, largest)
		if !slices.Equal(labels, c.labels) || unit != c.unit {
			t.Errorf("Labels(%v) = %q, %q; want %q, %q", c.ticks, labels, unit, c.labels, c.unit)
		}
	}
}

func TestAmountsAreWrittenAsOnAxes(t *testing.T) {
	for _, c := range []struct {
		of   []float64
		want []string
	}{
		{of: []float64{1284.0275, 1500.123456}, want: []string{"1284", "1500"}},
		{of: []float64{22345.678912, 1284.0275, 3.14159, 0.012345}, want: []string{"22,346", "1,284", "3.1", "0.012"}},
		{of: []float64{20.1, 31, -33.5}, want: []string{"20.1", "31.0", "−33.5"}},
		{of: []float64{1, 2, 2024}, want: []string{"1", "2", "2024"}},
		{of: []float64{1.0 / 3, 0.5, 0}, want: []string{"0.3333", "0.5000", "0.0000"}},
		{of: []float64{1234567.891, 0.1 + 0.2}, want: []string{"1,234,568", "0.3"}},
		{of: []float64{3e-7}, want: []string{"3e-07"}},
	} {
		write := Amounts(c.of)
		for i, x := range c.of {
			if got := write(x); got != c.want[i] {
				t.Errorf("of %v, %v is written %s, want %s", c.of, x, got, c.want[i])
			}
		}
	}
	if got := Amounts([]float64{0.1, 0.2})(0.1 + 0.2); got != "0.3" {
		t.Errorf("a sum is written %s", got)
	}
}

func TestSeparated(t *testing.T) {
	got := Separated([]string{"-109", "−109", "−1.58", "−12345.5", "1234"})
	want := []string{"-109", "−109", "−1.58", "−12,345.5", "1,234"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := Thousands("−1234"); got != "−1234" {
		t.Errorf("got %q: four digits need no separator", got)
	}
}
