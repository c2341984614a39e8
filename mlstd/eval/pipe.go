package eval

import (
	"github.com/gokernel/gokernel/mlstd/model"
)

// Pipe makes a [Pipeline] of transformers and a classifier as the last step:
//
//	ml.Pipe(&ml.StandardScaler{}, &ml.KNN{K: 5})
//
// It panics with a [*model.Error] if the steps are in another order.
func Pipe(steps ...any) *Pipeline {
	last, before := piped[model.Classifier]("Pipe", "classifier", "PipeRegressor", steps)
	return &Pipeline{Steps: before, Model: last}
}

// PipeRegressor is [Pipe] with a regressor as the last step.
func PipeRegressor(steps ...any) *RegressorPipeline {
	last, before := piped[model.Regressor]("PipeRegressor", "regressor", "Pipe", steps)
	return &RegressorPipeline{Steps: before, Model: last}
}

// piped separates the model, which is last, from the transformers before it.
func piped[M any](op, kind, other string, steps []any) (last M, before []model.Transformer) {
	if len(steps) == 0 {
		panic(model.Errorf(op, "there must be at least one step").WithHint("pass transformers and a %s, such as ml.%s(&ml.StandardScaler{}, m)", kind, op))
	}
	n := len(steps) - 1
	last, ok := steps[n].(M)
	if !ok {
		panic(model.Errorf(op, "the last step must be a %s, got %T", kind, steps[n]).WithHint("end with a pointer to a %s, or use ml.%s", kind, other))
	}
	for i, s := range steps[:n] {
		t, ok := s.(model.Transformer)
		if !ok {
			panic(model.Errorf(op, "step %d must be a transformer, got %T", i, s).WithHint("pass pointers to transformers, such as &ml.StandardScaler{}, and the %s last", kind))
		}
		before = append(before, t)
	}
	return last, before
}
