package course

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/display/chart"
	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/latent"
)

func TestMixtureSteps(t *testing.T) {
	geyser := data.OldFaithful()
	m := &latent.GaussianMixture{InitMeans: mat.NewDense(2, 2, []float64{2, 90, 5, 50})}
	if err := m.Fit(geyser.X); err != nil {
		t.Fatal(err)
	}
	f, err := MixtureSteps(geyser.X, m).Figure()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"iteration 0: log L = ", "iteration 3: log L = ", "log likelihood"} {
		if !strings.Contains(f.Text, want) {
			t.Errorf("%q is not in the text %q", want, f.Text)
		}
	}
	for what, p := range map[string]*chart.Panels{
		"unfitted":     MixtureSteps(geyser.X, &latent.GaussianMixture{}),
		"no rows":      MixtureSteps(nil, m),
		"four columns": MixtureSteps(data.Iris().X, m),
	} {
		if _, err := p.Figure(); err == nil {
			t.Errorf("%s: it was drawn", what)
		}
	}
}

// A decoding is shown as a trellis with its path.
func TestDecodingIsATrellis(t *testing.T) {
	rain := &latent.HMM{States: []string{"rain", "sun"}, Symbols: []string{"umbrella", "none"},
		Trans: [][]float64{{0.7, 0.3}, {0.3, 0.7}}, Emit: [][]float64{{0.9, 0.1}, {0.2, 0.8}}}
	d, ok := render(rain.Viterbi("umbrella", "umbrella", "none"))
	if !ok {
		t.Fatal("a decoding has no looks")
	}
	f, err := d.(*Drawing).Figure()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(f.Text, "trellis of 2 states over 3 observations") {
		t.Errorf("the text is %q", f.Text)
	}
}
