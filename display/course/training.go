package course

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/display/chart"
	"github.com/gokernel/gokernel/display/figure"
	"github.com/gokernel/gokernel/display/table"
	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/nn"
)

// RegionSteps shows how a decision boundary develops. It returns a chart per step. at(step) returns
// the classifier for a step, such as a network trained for step epochs or an ensemble with step
// rounds, always with the same seed. Each classifier is fitted to the data set, which must have two
// features, and drawn by [Regions]. Use [Animate] to play the frames.
func RegionSteps(d *data.Dataset, steps []int, at func(step int) model.Classifier) []*chart.Chart {
	const op = "RegionSteps"
	switch {
	case d == nil || d.X == nil || d.Y == nil:
		return []*chart.Chart{failed(op, "the data set has no examples with classes")}
	case len(steps) == 0 || at == nil:
		return []*chart.Chart{failed(op, "there are no steps: pass the steps, and a function that returns the classifier of a step")}
	}
	var frames []*chart.Chart
	for _, s := range steps {
		m := at(s)
		if m == nil {
			return []*chart.Chart{failed(op, "step %d has no classifier", s)}
		}
		if err := m.Fit(d.X, d.Y); err != nil {
			return []*chart.Chart{failed(op, "step %d: %w", s, err)}
		}
		wrong := 0
		for i, k := range m.Predict(d.X) {
			if k != d.Y[i] {
				wrong++
			}
		}
		frames = append(frames, Regions(m, d).Title(fmt.Sprintf("after %d: %d of %d wrong", s, wrong, len(d.Y))))
	}
	return frames
}

// TrainingCurves draws the training loss of each epoch. With early stopping, it adds the
// validation loss and marks the epoch whose weights were kept. v is the result of a Trainer, or a
// fitted network model.
func TrainingCurves(v any) *chart.Chart {
	const op = "TrainingCurves"
	var loss, validation []float64
	switch v := v.(type) {
	case *nn.TrainingRun:
		if v != nil {
			loss, validation = v.Loss, v.Validation
		}
	case *nn.MLPClassifier:
		loss, validation = v.Trace.Loss, v.Validation
	case *nn.MLPRegressor:
		loss, validation = v.Trace.Loss, v.Validation
	case *nn.NetworkClassifier:
		loss, validation = v.Trace.Loss, v.Validation
	case *nn.NetworkRegressor:
		loss, validation = v.Trace.Loss, v.Validation
	default:
		return failed(op, "the argument must be the result of training a network, got a %T: pass the result of Train, or a fitted neural network", v)
	}
	if len(loss) == 0 {
		return failed(op, "the network is not trained")
	}
	epochs := make([]float64, len(loss))
	for i := range epochs {
		epochs[i] = float64(i + 1)
	}
	c := chart.New().Line(epochs, loss).Name("training").Title("Loss by epochs").X("epoch").Y("mean loss")
	if len(validation) == len(loss) {
		best := floats.MinIdx(validation)
		c.Line(epochs, validation).Name("validation")
		c.Points(epochs[best:best+1], validation[best:best+1]).Color("gray").Name(fmt.Sprintf("kept: epoch %d", best+1))
	}
	return c
}

// Filters draws the weights of the first layer of a network as images: the filters of a Conv2D
// layer, one per channel, or, for square images, the weights of each unit of a Dense layer.
// Negative weights are red, and positive weights are blue.
func Filters(net *nn.Network) *Drawing {
	return &Drawing{draw: func() (*figure.Figure, error) {
		if net == nil || len(net.Layers) == 0 {
			return nil, errors.New("Filters: the network has no layers")
		}
		if err := net.Build(); err != nil {
			return nil, fmt.Errorf("Filters: %w", err)
		}
		switch l := net.Layers[0].(type) {
		case *nn.Dense:
			return images(l.Coef.T(), nil)
		case *nn.Conv2D:
			side := l.Picture(0, 0).RawMatrix().Cols
			rows, _ := l.Coef.Dims()
			channels := rows / (side * side)
			var pictures [][]float64
			for f := range l.Filters {
				for c := range channels {
					pictures = append(pictures, slices.Clone(l.Picture(f, c).RawMatrix().Data))
				}
			}
			return images(pictures, nil)
		}
		return nil, fmt.Errorf("Filters: the first layer must be a Conv2D or a Dense layer, got a %T", net.Layers[0])
	}}
}

// mostCodes is the maximum number of rows in a table of codes.
const mostCodes = 100

// HiddenCodes lists how an autoencoder encodes rows: the index of the largest input, the code, the
// code rounded to bits, and the index of the largest output. The 8-3-8 network, which is trained on
// the unit vectors, finds eight different codes. Often, but not always, they are the three-bit
// numbers.
func HiddenCodes(a *nn.Autoencoder, x mat.Matrix) *table.Table {
	switch {
	case a == nil || a.Coef == nil:
		return table.Fail(errors.New("HiddenCodes: the autoencoder is not fitted"))
	case x == nil:
		return table.Fail(errors.New("HiddenCodes: there are no rows"))
	}
	n, d := x.Dims()
	if want, _ := a.Coef.Dims(); d != want {
		return table.Fail(fmt.Errorf("HiddenCodes: x has %d columns, the autoencoder %d", d, want))
	}
	x, err := model.Read("HiddenCodes", &a.Fitted, x)
	if err != nil {
		return table.Fail(err)
	}
	in := mat.DenseCopyOf(x)
	codes, out := a.Transform(in), a.Reconstruct(in)
	_, k := codes.Dims()
	g := grid{head: []string{"input"}}
	for j := range k {
		g.head = append(g.head, "h"+strconv.Itoa(j+1))
	}
	g.head = append(g.head, "bits", "output")
	for i := range min(n, mostCodes) {
		row, bits := []any{floats.MaxIdx(in.RawRowView(i)) + 1}, ""
		for j := range k {
			h := codes.At(i, j)
			row, bits = append(row, math.Round(100*h)/100), bits+map[bool]string{false: "0", true: "1"}[h > 0.5]
		}
		g.rows = append(g.rows, append(row, bits, floats.MaxIdx(out.RawRowView(i))+1))
	}
	return table.New(g).Caption(fmt.Sprintf("Codes of %d-%d-%d", d, k, d)).Rows(0)
}
