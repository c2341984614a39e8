package persist_test

import (
	"bytes"
	"fmt"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/eval"
	"github.com/gokernel/gokernel/mlstd/persist"
	"github.com/gokernel/gokernel/mlstd/tree"
)

func Example() {
	iris := data.Iris()
	fitted := &tree.DecisionTree{MaxDepth: 3}
	if err := fitted.Fit(iris.X, iris.Y); err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer
	if err := persist.Save(&file, fitted); err != nil {
		fmt.Println(err)
		return
	}
	damaged := bytes.Clone(file.Bytes())

	m, err := persist.Load(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	loaded := m.(*tree.DecisionTree)
	fmt.Println(eval.Accuracy(loaded.Predict(iris.X), fitted.Predict(iris.X)))

	_, err = persist.Load(bytes.NewReader(damaged[:10]))
	fmt.Println(err)
	// Output:
	// 1
	// persist.Load: the input is cut off in the first line
}
