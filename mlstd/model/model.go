// Package model contains the code that all algorithms of the library share: the small interfaces,
// the checks of arguments, the errors, and the control and trace of an iterative fit. It is the
// only package that all family packages import.
package model

import "gonum.org/v1/gonum/mat"

// Classifier learns to predict the class of an example. Classes are ints of any value; row i of x
// belongs to class y[i].
//
// Fit discards the results of earlier fits, leaves x and y unchanged, and returns an [*Error] for
// data or parameters that cannot be used. Predict returns one class per row. It panics with an
// [*Error] if the model is not fitted, or if x has the wrong width or contains NaN or Inf. It
// matches the columns and levels of a [Table] by name, and panics if they don't match the columns
// and levels of Fit: see [Fitted].
//
// To write your own classifier, declare a type with these two methods. It then works in pipelines,
// cross-validation, searches and ensembles:
//
//	type Majority struct{ Class int }
//
//	func (m *Majority) Fit(x mat.Matrix, y []int) error {
//		count := map[int]int{}
//		for _, c := range y {
//			if count[c]++; count[c] > count[m.Class] {
//				m.Class = c
//			}
//		}
//		return nil
//	}
//
//	func (m *Majority) Predict(x mat.Matrix) []int {
//		n, _ := x.Dims()
//		return slices.Repeat([]int{m.Class}, n)
//	}
//
// Pass &Majority{} to ml.Register to save it.
type Classifier interface {
	Fit(x mat.Matrix, y []int) error
	Predict(x mat.Matrix) []int
}

// ProbClassifier is a Classifier that also estimates class probabilities.
//
// Classes lists the classes in ascending order; PredictProba returns an n x k matrix
// whose column j belongs to Classes()[j] and whose rows sum to one.
type ProbClassifier interface {
	Classifier
	Classes() []int
	PredictProba(x mat.Matrix) *mat.Dense
}

// Scorer is a Classifier with real-valued scores. For two classes there is one column, and a larger
// score means that the second of Classes() is more likely. Otherwise there is one column per class.
type Scorer interface {
	Decision(x mat.Matrix) *mat.Dense
}

// Staged is a Classifier that passes transformed rows to another Classifier, as a pipeline does.
// Callers pass the rows that Transform returns to the classifier that Last returns, to get its
// scores or probabilities.
type Staged interface {
	Classifier
	Transform(x mat.Matrix) mat.Matrix
	Last() Classifier
}

// Regressor learns a real-valued target. Fit and Predict keep the rules of [Classifier], which also
// shows how to write your own type.
type Regressor interface {
	Fit(x mat.Matrix, y []float64) error
	Predict(x mat.Matrix) []float64
}

// Transformer learns from x, without a target, how to transform rows. If the columns of x have
// names and kinds, the columns of the result have them too: see [Like] and [Named].
//
// To write your own transformer, declare a type with these two methods:
//
//	type Centered struct{ Mean []float64 }
//
//	func (c *Centered) Fit(x mat.Matrix) error {
//		_, cols := x.Dims()
//		c.Mean = make([]float64, cols)
//		for j := range c.Mean {
//			c.Mean[j] = stat.Mean(mat.Col(nil, j, x), nil)
//		}
//		return nil
//	}
//
//	func (c *Centered) Transform(x mat.Matrix) *ml.Table {
//		z := mat.DenseCopyOf(x)
//		z.Apply(func(_, j int, v float64) float64 { return v - c.Mean[j] }, z)
//		return &ml.Table{Dense: z}
//	}
type Transformer interface {
	Fit(x mat.Matrix) error
	Transform(x mat.Matrix) *Table
}

// Embedder computes coordinates for the rows to which it is fitted; it cannot transform other rows.
// Fit sets the field Embedding, with one point per row; FitTransform returns the same points as a
// table.
type Embedder interface {
	Fit(x mat.Matrix) error
	FitTransform(x mat.Matrix) (*Table, error)
}

// Clusterer groups rows. Labels count from 0; -1 is noise.
type Clusterer interface {
	FitPredict(x mat.Matrix) ([]int, error)
}

// Detector finds rows that are unlike the rows to which it was fitted. More unusual rows have a
// larger Score. Predict reports whether each row is an anomaly, that is, whether its score is above
// the threshold set by Fit.
type Detector interface {
	Fit(x mat.Matrix) error
	Score(x mat.Matrix) []float64
	Predict(x mat.Matrix) []bool
}

// PartialFitter is a Classifier that learns from one batch of examples after another, so that the
// examples need not be in memory all at once. PartialFit continues from earlier calls of PartialFit
// or Fit, while Fit starts over. After an error the model is unchanged.
type PartialFitter interface {
	Classifier
	PartialFit(x mat.Matrix, y []int) error
}

// PartialRegressor is a Regressor that learns from one batch of examples after another,
// as [PartialFitter] does.
type PartialRegressor interface {
	Regressor
	PartialFit(x mat.Matrix, y []float64) error
}

// PartialLearner is implemented by models that learn from batches of rows without targets, such as
// clusters and principal components.
type PartialLearner interface {
	PartialFit(x mat.Matrix) error
}

// WeightedClassifier is a Classifier that accepts a nonnegative weight for each example, as
// boosting requires.
type WeightedClassifier interface {
	Classifier
	FitWeighted(x mat.Matrix, y []int, weights []float64) error
}

// WeightedRegressor is a Regressor that accepts a nonnegative weight for each example.
type WeightedRegressor interface {
	Regressor
	FitWeighted(x mat.Matrix, y []float64, weights []float64) error
}

// TakesWeights reports whether m can be fitted with weights: m must have a FitWeighted method. If m
// forwards the weights to another model, as a pipeline does, that model must have the method too. A
// model that forwards weights has a TakesWeights method, which checks this.
func TakesWeights(m any) bool {
	if t, ok := m.(interface{ TakesWeights() bool }); ok {
		return t.TakesWeights()
	}
	switch m.(type) {
	case WeightedClassifier, WeightedRegressor:
		return true
	}
	return false
}
