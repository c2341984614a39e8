package eval

import (
	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/model"
)

// Score measures a fitted model on d: the accuracy of a classifier, or the R² of a regressor. It
// matches columns, levels and classes of d by name, as [data.Dataset.Like] does. It panics with a
// [*model.Error] if m and d are incompatible. See [Accuracy], [R2].
func Score(m any, d *data.Dataset) float64 {
	const op = "Score"
	if d == nil {
		panic(model.Errorf(op, "the data set must not be nil").WithHint("load it first; a variable that is only declared is nil"))
	}
	name := model.NameOf(m)
	if s, ok := m.(data.Described); ok && (d.Y != nil || d.Target != nil) {
		d = d.LikeIn(op, s)
	}
	switch m := m.(type) {
	case model.Classifier:
		if d.Y == nil {
			panic(model.Errorf(op, "%s predicts classes, and %s has a real-valued target", name, d.Name).WithHint("score a regressor on it"))
		}
		return Accuracy(d.Y, m.Predict(d.X))
	case model.Regressor:
		if d.Target == nil {
			panic(model.Errorf(op, "%s predicts numbers, and %s has classes", name, d.Name).WithHint("score a classifier on it"))
		}
		return R2(d.Target, m.Predict(d.X))
	}
	panic(model.Errorf(op, "the model must be a classifier or a regressor, got %s", name).WithHint("pass a pointer to one, such as &ml.KNN{K: 5}"))
}
