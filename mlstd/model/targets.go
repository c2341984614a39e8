package model

import "gonum.org/v1/gonum/mat"

// Targets are the labels of the rows of a matrix: either classes or numbers.
type Targets struct {
	Labels []int     // classes
	Values []float64 // numbers
}

// Len returns the number of targets.
func (y Targets) Len() int { return max(len(y.Labels), len(y.Values)) }

// TargetTransformer is a Transformer that also learns from the targets, such as a target encoder or
// a feature selection. Pipelines pass the targets to its FitTransform method; its Fit method, which
// has no targets, returns [NeedsTargets].
type TargetTransformer interface {
	Transformer
	// FitTransform learns from x and y, and returns the matrix to which a model is fitted instead
	// of x. The result can differ from Transform(x), so that no row depends on its own target.
	FitTransform(x mat.Matrix, y Targets) (*Table, error)
}

// FitTransform fits t to x, and to y if t learns from targets. It returns the matrix to which the
// next step or a model is fitted.
func FitTransform(t Transformer, x mat.Matrix, y Targets) (*Table, error) {
	if s, ok := t.(TargetTransformer); ok && y.Len() > 0 {
		return s.FitTransform(x, y)
	}
	if err := t.Fit(x); err != nil {
		return nil, err
	}
	return t.Transform(x), nil
}

// NeedsTargets returns the error of a [TargetTransformer] that is fitted without targets.
func NeedsTargets(op string) error {
	return Errorf(op, "targets must be given").
		WithHint("put the transformer into the Steps of a Pipeline, or call FitTransform with Targets")
}
