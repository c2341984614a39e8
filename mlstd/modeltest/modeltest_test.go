package modeltest

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gokernel/gokernel/mlstd/model"
)

// means is a nearest-mean classifier that satisfies the contract, or violates one clause of it on
// demand.
type means struct {
	model.Control
	Labels []int
	Means  [][]float64
	fault  string
	cache  *mat.Dense
	Rounds int
}

func (m *means) Fit(x mat.Matrix, y []int) error {
	return m.FitWeighted(x, y, nil)
}

func (m *means) FitWeighted(x mat.Matrix, y []int, w []float64) error {
	old := m.Means
	if m.fault != "survives" {
		m.Labels, m.Means = nil, nil
	}
	var d *mat.Dense
	var err error
	if m.fault == "accepts NaN" && x != nil {
		if r, _ := x.Dims(); r > 0 {
			d = model.Dense(x)
		}
	}
	if d == nil {
		if d, err = model.CheckXY("means.Fit", x, y); err != nil {
			return err
		}
	}
	if w != nil {
		if err := model.CheckWeights("means.Fit", w, len(y)); err != nil {
			return err
		}
	}
	if m.Rounds < 0 && m.fault != "any count" {
		return model.Errorf("means.Fit", "Rounds is %d", m.Rounds)
	}
	run := m.Begin("means", 1)
	defer run.End()
	m.Labels, m.Means = nil, nil
	if err := run.Step(1, math.NaN()); err != nil && m.fault != "deaf" {
		return err
	}
	m.Labels, _ = model.Classes(y)
	_, k := d.Dims()
	for _, c := range m.Labels {
		mean, n := make([]float64, k), 0.0
		for i := range y {
			if y[i] != c {
				continue
			}
			wi := 1.0
			if w != nil && m.fault != "ignores weights" {
				wi = w[i]
			}
			n += wi
			for j, v := range d.RawRowView(i) {
				mean[j] += wi * v
			}
		}
		for j := range mean {
			mean[j] /= n
		}
		m.Means = append(m.Means, mean)
	}
	switch m.fault {
	case "keeps":
		m.Means = append(m.Means, old...)
	case "spoils":
		d.Set(0, 0, 99)
	case "order":
		m.Means[0] = d.RawRowView(0)
	case "shares":
		m.cache = d
	}
	return nil
}

func (m *means) Predict(x mat.Matrix) []int {
	if m.Means == nil && m.fault != "nil map" {
		panic(model.NotFitted("means.Predict"))
	}
	d := model.Dense(x)
	switch m.fault {
	case "any width":
	case "any value":
		d = model.MustWidth("means.Predict", x, len(m.Means[0]))
	default:
		d = model.MustRows("means.Predict", x, len(m.Means[0]))
	}
	n, _ := d.Dims()
	y := make([]int, n)
	for i := range y {
		row := d.RawRowView(i)
		if m.cache != nil {
			row = m.cache.RawRowView(min(i, m.cache.RawMatrix().Rows-1))
		}
		best := math.Inf(1)
		for c := range m.Labels {
			dist := 0.0
			for j, v := range row[:min(len(row), len(m.Means[c]))] {
				dist += (v - m.Means[c][j]) * (v - m.Means[c][j])
			}
			if dist < best {
				best, y[i] = dist, m.Labels[c]
			}
		}
		if m.fault == "batch" && n < 5 {
			y[i] = m.Labels[0]
		}
	}
	return y
}

func TestClassifierPasses(t *testing.T) {
	Classifier(t, func() model.Classifier { return &means{} }, Options{})
}

// Every violation must be found by the corresponding check.
func TestClassifierFindsFaults(t *testing.T) {
	for fault, check := range map[string]string{
		"accepts NaN":     "nan",
		"deaf":            "cancel",
		"ignores weights": "weights",
		"keeps":           "refit resets",
		"survives":        "failed refit",
		"spoils":          "inputs untouched",
		"order":           "row permutation",
		"shares":          "data not kept",
		"nil map":         "unfitted",
		"any width":       "wrong width",
		"any value":       "nan in predict",
		"batch":           "subset predict",
		"any count":       "negative counts",
	} {
		var failed []string
		for _, c := range classifierChecks(func() model.Classifier { return &means{fault: fault} }, Options{}) {
			if err := guarded(c.run); err != nil {
				failed = append(failed, c.name)
			}
		}
		if !slices.Contains(failed, check) {
			t.Errorf("a classifier that %q: %q passes; only %q fail", fault, check, failed)
		}
	}
}

// centered subtracts the column means.
type centered struct{ Mean []float64 }

func (c *centered) Fit(x mat.Matrix) error {
	c.Mean = nil
	d, err := model.CheckX("centered.Fit", x)
	if err != nil {
		return err
	}
	n, k := d.Dims()
	c.Mean = make([]float64, k)
	for i := range n {
		for j, v := range d.RawRowView(i) {
			c.Mean[j] += v / float64(n)
		}
	}
	return nil
}

func (c *centered) Transform(x mat.Matrix) *model.Table {
	if c.Mean == nil {
		panic(model.NotFitted("centered.Transform"))
	}
	d := mat.DenseCopyOf(model.MustRows("centered.Transform", x, len(c.Mean)))
	d.Apply(func(_, j int, v float64) float64 { return v - c.Mean[j] }, d)
	return model.LikeNumbers(x, d)
}

// sharing is a transformer that returns its argument instead of a copy.
type sharing struct{ centered }

func (c *sharing) Transform(x mat.Matrix) *model.Table { return model.Like(x, model.Dense(x)) }

func TestTransformer(t *testing.T) {
	Transformer(t, func() model.Transformer { return &centered{} }, Options{})
	var failed []string
	for _, c := range transformerChecks(func() model.Transformer { return &sharing{} }, Options{}) {
		if guarded(c.run) != nil {
			failed = append(failed, c.name)
		}
	}
	if want := []string{"inputs untouched", "failed refit", "wrong width", "nan in transform", "unfitted"}; !slices.Equal(failed, want) {
		t.Errorf("failed checks of a transformer that gives back x: got %q, want %q", failed, want)
	}
}

// average predicts a linear trend in the first column plus nothing else.
type average struct{ Mean float64 }

func (a *average) Fit(x mat.Matrix, y []float64) error {
	d, err := model.CheckXYReal("average.Fit", x, y)
	if err != nil {
		return err
	}
	a.Mean = 0
	for i := range y {
		a.Mean += y[i] / float64(len(y))
	}
	_ = d
	return nil
}

func (a *average) Predict(x mat.Matrix) []float64 {
	n, _ := x.Dims()
	y := make([]float64, n)
	for i := range y {
		y[i] = a.Mean
	}
	return y
}

func TestRegressorFindsFaults(t *testing.T) {
	var failed []string
	for _, c := range regressorChecks(func() model.Regressor { return &average{} }, Options{}) {
		if guarded(c.run) != nil {
			failed = append(failed, c.name)
		}
	}
	if want := []string{"failed refit", "wrong width", "nan in predict", "unfitted", "learns"}; !slices.Equal(failed, want) {
		t.Errorf("failed checks of a constant: got %q, want %q", failed, want)
	}
}

// signs groups rows by the column with the largest value.
type signs struct{ rows int }

func (s *signs) FitPredict(x mat.Matrix) ([]int, error) {
	d, err := model.CheckX("signs.FitPredict", x)
	if err != nil {
		return nil, err
	}
	n, _ := d.Dims()
	labels := make([]int, n)
	for i := range labels {
		row := d.RawRowView(i)
		for j, v := range row[:min(3, len(row))] {
			if v > row[labels[i]] {
				labels[i] = j
			}
		}
	}
	if s.rows++; s.rows > 1 {
		labels[0]++
	}
	return labels, nil
}

func TestClustererFindsFaults(t *testing.T) {
	var failed []string
	for _, c := range clustererChecks(func() model.Clusterer { return &signs{} }, Options{MinScore: 0.8}) {
		if guarded(c.run) != nil {
			failed = append(failed, c.name)
		}
	}
	if want := []string{"refit resets"}; !slices.Equal(failed, want) {
		t.Errorf("failed checks of a clusterer with a memory: got %q, want %q", failed, want)
	}
}
