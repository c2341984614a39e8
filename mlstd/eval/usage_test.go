package eval_test

import (
	"fmt"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/model"
	"github.com/gokernel/gokernel/mlstd/neighbors"
	"github.com/gokernel/gokernel/mlstd/prep"
	"github.com/gokernel/gokernel/mlstd/prob"
	"github.com/gokernel/gokernel/mlstd/tree"
)

func ExampleAccuracy() {
	y := []int{0, 1, 1, 2}
	predicted := []int{0, 1, 2, 2}
	fmt.Println(eval.Accuracy(y, predicted), eval.ErrorRate(y, predicted))
	// Output:
	// 0.75 0.25
}

func ExampleErrorRate() {
	fmt.Println(eval.ErrorRate([]int{0, 0, 1, 1}, []int{0, 1, 1, 1}))
	// Output:
	// 0.25
}

func ExampleMSE() {
	fmt.Println(eval.MSE([]float64{1, 2, 3}, []float64{1, 2, 6}))
	// Output:
	// 3
}

func ExampleAdjustedRandIndex() {
	y := []int{0, 0, 0, 1, 1, 1}
	// The names of the groups do not matter.
	fmt.Println(eval.AdjustedRandIndex(y, []int{1, 1, 1, 0, 0, 0}))
	fmt.Printf("%.2f\n", eval.AdjustedRandIndex(y, []int{0, 0, 1, 1, 1, 1}))
	// Output:
	// 1
	// 0.32
}

func ExamplePipe() {
	d := data.Wine()
	train, test := d.Split(0.3, 1)
	for _, m := range []model.Classifier{
		&neighbors.KNN{},
		eval.Pipe(&prep.StandardScaler{}, &neighbors.KNN{}),
	} {
		if err := m.Fit(train.X, train.Y); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%.2f\n", eval.Accuracy(test.Y, m.Predict(test.X)))
	}
	// Output:
	// 0.74
	// 0.92
}

func ExampleProbPipeline() {
	d := data.Wine()
	m := &eval.ProbPipeline{Steps: []model.Transformer{&prep.StandardScaler{}}, Model: &prob.GaussianNB{}}
	if err := m.Fit(d.X, d.Y); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f\n", m.PredictProba(d.X).At(0, 0))
	// Output:
	// 1.000
}

func ExampleCopies() {
	d := data.Iris()
	fresh := eval.Copies(&tree.DecisionTree{MaxDepth: 2})
	a, b := fresh(), fresh()
	if err := a.Fit(d.X, d.Y); err != nil {
		fmt.Println(err)
		return
	}
	// b has the parameters of a, but not its fitted tree.
	fmt.Println(a.(*tree.DecisionTree).Depth(), b.(*tree.DecisionTree).Root == nil)
	// Output:
	// 2 true
}

func ExampleCrossValidate() {
	scores, err := eval.CrossValidate(&neighbors.KNN{K: 5}, data.Iris(), 5)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s %.3f, standard error %.3f\n", scores.Metric, scores.Mean(), scores.StdErr())
	// Output:
	// accuracy 0.973, standard error 0.012
}

func ExampleNewSweep() {
	d := data.Iris()
	s := eval.NewSweep("depth", []float64{1, 2, 3}, 5, func(depth float64, seed uint64) eval.Scores {
		train, test := d.Split(0.3, seed)
		m := &tree.DecisionTree{MaxDepth: int(depth)}
		if err := m.Fit(train.X, train.Y); err != nil {
			panic(err)
		}
		return eval.Scores{
			"training": eval.Accuracy(train.Y, m.Predict(train.X)),
			"test":     eval.Accuracy(test.Y, m.Predict(test.X)),
		}
	})
	for i, depth := range s.X {
		fmt.Printf("depth %v: training %.2f, test %.2f\n", depth, s.Mean("training")[i], s.Mean("test")[i])
	}
	// Output:
	// depth 1: training 0.67, test 0.67
	// depth 2: training 0.97, test 0.94
	// depth 3: training 0.98, test 0.93
}

func ExampleSweeping_StdErr() {
	s := eval.NewSweep("n", []float64{1}, 2, func(n float64, seed uint64) eval.Scores {
		return eval.Scores{"seed": float64(seed)}
	})
	fmt.Println(s.Mean("seed"), s.StdErr("seed"))
	// Output:
	// [1.5] [0.5]
}

func ExampleScore() {
	train, test := data.Iris().Split(0.3, 1)
	knn := data.Fit(&neighbors.KNN{K: 5}, train)
	fmt.Printf("%.3f\n", eval.Score(knn, test))
	// Output:
	// 0.978
}

func ExampleScores() {
	sweep := eval.NewSweep("K", []float64{1, 25}, 3, func(k float64, seed uint64) eval.Scores {
		train, test := data.TwoMoons(100, 0.3, seed).Split(0.5, seed)
		knn := data.Fit(&neighbors.KNN{K: int(k)}, train)
		return eval.Scores{"training": eval.Score(knn, train), "test": eval.Score(knn, test)}
	})
	fmt.Println(sweep.Series)
	fmt.Printf("%.2f %.2f\n", sweep.Mean("training"), sweep.Mean("test"))
	// Output:
	// [test training]
	// [1.00 0.92] [0.86 0.87]
}
