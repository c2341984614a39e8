package series

import (
	"slices"

	"gonum.org/v1/gonum/mathext"

	"github.com/gokernel/gokernel/mlstd/frame"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Forecast is a model's forecast of the next values of a series, with prediction bands. As the last
// value of a cell, it is drawn as a fan chart after the series.
type Forecast struct {
	Model    string
	Observed []float64
	Mean     []float64
	StdErr   []float64
	Levels   []float64   // of the bands, ascending
	Low      [][]float64 // of each level
	High     [][]float64
}

func newForecast(op, name string, x, mean, se, levels []float64) (*Forecast, error) {
	if len(levels) == 0 {
		levels = []float64{0.8, 0.95}
	}
	levels = slices.Clone(levels)
	slices.Sort(levels)
	f := &Forecast{Model: name, Observed: slices.Clone(x), Mean: mean, StdErr: se, Levels: levels}
	for _, l := range levels {
		if !(l > 0 && l < 1) {
			return nil, model.Errorf(op, "the levels must be between 0 and 1, got %v", l).WithHint("choose levels such as 0.8 and 0.95")
		}
		z := -mathext.NormalQuantile((1 - l) / 2)
		low, high := make([]float64, len(mean)), make([]float64, len(mean))
		for i, m := range mean {
			low[i], high[i] = m-z*se[i], m+z*se[i]
		}
		f.Low, f.High = append(f.Low, low), append(f.High, high)
	}
	return f, nil
}

// Frame returns the forecast as a frame with one row per step: the mean and the ends of the widest
// band.
func (f *Forecast) Frame() *frame.Frame {
	steps := make([]int64, len(f.Mean))
	for i := range steps {
		steps[i] = int64(i + 1)
	}
	k := len(f.Levels) - 1
	out, err := frame.New(frame.IntColumn("step", steps), frame.FloatColumn("forecast", f.Mean), frame.FloatColumn("standard error", f.StdErr),
		frame.FloatColumn("low", f.Low[k]), frame.FloatColumn("high", f.High[k]))
	if err != nil {
		panic(err)
	}
	return out
}
