package eval_test

import (
	"testing"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/neighbors"
)

func TestCopies(t *testing.T) {
	m := &neighbors.KNN{K: 3}
	fresh := eval.Copies(m)
	a := fresh().(*neighbors.KNN)
	a.K = 4
	if b := fresh().(*neighbors.KNN); a == b || b == m || b.K != 3 || m.K != 3 {
		t.Errorf("%+v is not a copy of %+v", b, m)
	}
	iris := data.Iris()
	byCopies, err := eval.CrossPredict(fresh, iris.X, iris.Y, eval.LeaveOneOut{})
	if err != nil || eval.Accuracy(iris.Y, byCopies) != 0.96 { // scikit-learn's KNeighborsClassifier(3) by LeaveOneOut
		t.Errorf("accuracy %v, %v", eval.Accuracy(iris.Y, byCopies), err)
	}
	defer func() {
		if _, ok := recover().(*model.Error); !ok {
			t.Error("nil makes copies")
		}
	}()
	eval.Copies(nil)
}
