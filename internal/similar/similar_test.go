package similar

import "testing"

func TestNearest(t *testing.T) {
	names := []string{"weather.csv", "iris.csv", "Iris.csv"}
	for want, near := range map[string]string{
		"wether.csv": "weather.csv", "weather.csv": "weather.csv", "IRIS.CSV": "iris.csv", "wine.parquet": "", "": "",
	} {
		if got := Nearest(want, names); got != near {
			t.Errorf("Nearest(%q) = %q, want %q", want, got, near)
		}
	}
}
