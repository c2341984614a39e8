package course

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/display"
	"github.com/gokernel/gokernel/display/chart"
	"github.com/gokernel/gokernel/display/internal/figuretest"
	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/nn"
	"github.com/gokernel/gokernel/mlstd/optim"
	"github.com/gokernel/gokernel/mlstd/rules"
)

// moonFrames draws the boundary of a small network after 1, 5, 20 and 100 epochs.
func moonFrames() []*chart.Chart {
	return RegionSteps(data.TwoMoons(120, 0.15, 2), []int{1, 5, 20, 100}, func(epochs int) model.Classifier {
		return &nn.MLPClassifier{Hidden: []int{12}, Epochs: epochs, Rate: optim.ConstantRate(0.02), Seed: 1}
	})
}

// digitNetwork returns a small network that was trained on some digits.
func digitNetwork(layer func() []nn.Layer) *nn.Network {
	d := data.Digits()
	m := &nn.NetworkClassifier{Shape: []int{8, 8, 1}, New: layer, Epochs: 3, Lambda: 1e-3}
	if err := m.Fit(d.X.Slice(0, 500, 0, 64), d.Y[:500]); err != nil {
		panic(err)
	}
	return m.Network
}

// eight returns the 8-3-8 autoencoder and its rows.
func eight() (*nn.Autoencoder, mat.Matrix) {
	x := mat.NewDense(8, 8, nil)
	for i := range 8 {
		x.Set(i, i, 1)
	}
	a := &nn.Autoencoder{Components: 3, Output: nn.SigmoidUnits, Batch: 8, Epochs: 3000, Rate: optim.ConstantRate(0.05)}
	if err := a.Fit(x); err != nil {
		panic(err)
	}
	return a, x
}

// trained returns a network that started to overfit and was stopped.
func trained() *nn.MLPClassifier {
	d := data.TwoMoons(150, 0.4, 3)
	m := &nn.MLPClassifier{Hidden: []int{40}, Epochs: 300, Patience: 25, Held: 0.3, Rate: optim.ConstantRate(0.02), Seed: 2}
	if err := m.Fit(d.X, d.Y); err != nil {
		panic(err)
	}
	return m
}

// The network of Quinlan 1990, section 3.
func nodes() (linked, reached rules.Relation) {
	linked = rules.Pairs("linked_to", "0 1, 0 3, 1 2, 3 2, 3 4, 4 5, 4 6, 6 8, 7 6, 7 8")
	return linked, rules.Pairs("can_reach", "0 1, 0 2, 0 3, 0 4, 0 5, 0 6, 0 8, 1 2, 3 2, 3 4, 3 5, 3 6, 3 8, 4 5, 4 6, 4 8, 6 8, 7 6, 7 8")
}

func TestTrainingFigures(t *testing.T) {
	for name, v := range map[string]func() display.Displayer{
		"region-steps":    func() display.Displayer { return chart.Grid(moonFrames()...) },
		"training-curves": func() display.Displayer { return TrainingCurves(trained()) },
		"filters-conv": func() display.Displayer {
			return Filters(digitNetwork(func() []nn.Layer { return []nn.Layer{&nn.Conv2D{Filters: 8, Activation: nn.ReLU}, &nn.MaxPool{}} }))
		},
		"filters-dense": func() display.Displayer {
			return Filters(digitNetwork(func() []nn.Layer { return []nn.Layer{&nn.Dense{Units: 12, Activation: nn.ReLU}} }))
		},
		"can-reach": func() display.Displayer { return RelationGraph(nodes()) },
	} {
		t.Run(name, func(t *testing.T) { figuretest.Check(t, name, v()) })
	}
	b, err := HiddenCodes(eight()).Display()
	if err != nil {
		t.Fatal(err)
	}
	text := b.Data[display.MIMEText].(string)
	for _, want := range []string{"Codes of 8-3-8", "input    h1    h2    h3  bits  output"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing:\n%s", want, text)
		}
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for _, line := range lines[len(lines)-8:] {
		if f := strings.Fields(line); len(f) != 6 || f[0] != f[5] || len(f[4]) != 3 {
			t.Errorf("the row %q is not reconstructed", line)
		}
	}
	if _, err := Animate(moonFrames()).Display(); err != nil {
		t.Error(err)
	}
}

func TestTrainingFiguresRefuse(t *testing.T) {
	a, _ := eight()
	linked, _ := nodes()
	d := data.TwoMoons(20, 0.1, 1)
	for name, v := range map[string]display.Displayer{
		"no run":         TrainingCurves(&nn.TrainingRun{}),
		"no training":    TrainingCurves(3),
		"no network":     Filters(nil),
		"no pictures":    Filters(&nn.Network{Shape: []int{5, 2}, Layers: []nn.Layer{&nn.LSTM{Units: 2}}}),
		"not fitted":     HiddenCodes(&nn.Autoencoder{}, mat.NewDense(1, 1, nil)),
		"other columns":  HiddenCodes(a, mat.NewDense(2, 3, nil)),
		"no tuples":      RelationGraph(rules.Relation{Name: "none"}),
		"three":          RelationGraph(linked, rules.Relation{Name: "of three", Tuples: [][]string{{"a", "b", "c"}}}),
		"no steps":       RegionSteps(d, nil, nil)[0],
		"no classifier":  RegionSteps(d, []int{1}, func(int) model.Classifier { return nil })[0],
		"failed fitting": RegionSteps(d, []int{1}, func(int) model.Classifier { return &nn.MLPClassifier{Epochs: -1} })[0],
	} {
		if _, err := v.Display(); err == nil {
			t.Errorf("%s: it was drawn", name)
		}
	}
}
