package main

import (
	library "github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/nn"
)

// side is the side length of the images in pixels.
const side = 28

// pictures enlarges the library's 8 by 8 digits, in their order.
func (d *dataset) pictures() {
	digits := library.Digits()
	for i := range d.target {
		from, row := digits.X.RawRowView(i%len(digits.Y)), d.x.RawRowView(i)
		for at := range row {
			row[at] = from[at/side*8/side*8+at%side*8/side] / 16
		}
		d.target[i] = float64(digits.Y[i%len(digits.Y)])
	}
}

// Images of 784 numbers; the large size has 60,000 of them.
var (
	pictureSizes  = [2]size{{n: 6000, test: 1797, cols: side * side}, {n: 60000, test: 1797, cols: side * side}}
	sequenceSizes = [2]size{{n: 1000, test: 500, cols: side * side}, {n: 6000, test: 1797, cols: side * side}}
)

// products explains why networks can be slower.
const products = "training and predicting are matrix products, for which OpenBLAS has kernels for each processor. Passing blocks of rows through all layers, splitting batches evenly and avoiding transposed copies reduced training by a third and predicting by up to half."

// networkCases train for one pass over images of digits, in batches of 128 with Adam. The other
// side of the first case is scikit-learn, in double precision as here. In the others it is
// PyTorch in single precision. If Single is set, only products are in single precision here.
var networkCases = []bench{
	{family: "nn", name: "MLPClassifier, 784-256-128-10", kind: digitKind, sizes: pictureSizes, quality: accuracy,
		slower: products,
		run: classifier(func() *nn.MLPClassifier {
			return &nn.MLPClassifier{Hidden: []int{256, 128}, Batch: 128, Epochs: 1}
		})},
	{family: "nn", name: "MLPClassifier, Single, PyTorch", kind: digitKind, sizes: pictureSizes, quality: accuracy,
		slower: "rows and layer outputs are stored in double precision and rounded for each product, while PyTorch stores everything in single precision, in half the memory.",
		run: classifier(func() *nn.MLPClassifier {
			return &nn.MLPClassifier{Hidden: []int{256, 128}, Batch: 128, Epochs: 1, Single: true}
		})},
	{family: "nn", name: "Conv2D, Single, PyTorch", kind: digitKind, sizes: sequenceSizes, quality: accuracy,
		slower: "patches, gradients and maxima are in double precision and are materialized, while PyTorch convolves in place. The products themselves take a seventh of the time.",
		run: classifier(func() *nn.NetworkClassifier {
			return &nn.NetworkClassifier{Shape: []int{side, side, 1}, Batch: 128, Epochs: 1, Single: true, New: func() []nn.Layer {
				return []nn.Layer{&nn.Conv2D{Filters: 16, Activation: nn.ReLU}, &nn.MaxPool{}, &nn.Conv2D{Filters: 32, Activation: nn.ReLU}, &nn.MaxPool{}}
			}}
		})},
	{family: "nn", name: "LSTM, PyTorch", kind: digitKind, sizes: sequenceSizes, quality: accuracy,
		slower: "everything is in double precision, and hyperbolic tangents are computed one by one.",
		run: classifier(func() *nn.NetworkClassifier {
			return &nn.NetworkClassifier{Shape: []int{side, side}, Batch: 128, Epochs: 1, New: func() []nn.Layer {
				return []nn.Layer{&nn.LSTM{Units: 64}}
			}}
		})},
}

func init() { cases = append(cases, networkCases...) }
