package model

import "gonum.org/v1/gonum/mat"

// Targets are what the rows of a matrix are labeled with: classes or numbers, never
// both.
type Targets struct {
	Labels []int     // classes
	Values []float64 // numbers
}

// Len is the number of targets.
func (y Targets) Len() int { return max(len(y.Labels), len(y.Values)) }

// TargetTransformer is a Transformer that learns from the targets, too, such as an
// encoder by the means of the target or a selection of features. Pipelines hand them
// over; its Fit without targets is an error that says so.
type TargetTransformer interface {
	Transformer
	// FitTransform learns from x and y, and returns what a model is to be fitted to
	// instead of x. That may differ from Transform(x), where each row must not be
	// made with the help of its own target.
	FitTransform(x mat.Matrix, y Targets) (*Table, error)
}

// FitTransform fits t to x, and to y if it learns from targets, and returns what
// the next step or a model is fitted to.
func FitTransform(t Transformer, x mat.Matrix, y Targets) (*Table, error) {
	if s, ok := t.(TargetTransformer); ok && y.Len() > 0 {
		return s.FitTransform(x, y)
	}
	if err := t.Fit(x); err != nil {
		return nil, err
	}
	return t.Transform(x), nil
}

// NeedsTargets is the error of a [TargetTransformer] that is fitted without targets.
func NeedsTargets(op string) error {
	return Errorf(op, "targets must be given").
		WithHint("put it into the Steps of a Pipeline, or call FitTransform with Targets")
}
