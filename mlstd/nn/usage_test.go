package nn_test

import (
	"fmt"

	"github.com/gokernel/gokernel/mlstd/data"
	"github.com/gokernel/gokernel/mlstd/nn"
	"github.com/gokernel/gokernel/mlstd/prep"
)

// A network is a list of hidden layers; the classifier adds the output layer.
func ExampleLayer() {
	d := data.Iris()
	m := &nn.NetworkClassifier{
		New:    func() []nn.Layer { return []nn.Layer{&nn.Dense{Units: 8, Activation: nn.ReLU}} },
		Epochs: 200,
		Seed:   1,
	}
	scaler := &prep.StandardScaler{}
	if err := scaler.Fit(d.X); err != nil {
		fmt.Println(err)
		return
	}
	x := scaler.Transform(d.X)
	if err := m.Fit(x, d.Y); err != nil {
		fmt.Println(err)
		return
	}
	right := 0
	for i, c := range m.Predict(x) {
		if c == d.Y[i] {
			right++
		}
	}
	fmt.Println(right >= 135)
	// Output:
	// true
}

func ExampleAutoencoder() {
	d := data.Iris()
	scaler := &prep.StandardScaler{}
	if err := scaler.Fit(d.X); err != nil {
		fmt.Println(err)
		return
	}
	scaled := scaler.Transform(d.X)
	a := &nn.Autoencoder{Components: 2, Epochs: 50, Seed: 1}
	if err := a.Fit(scaled); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(a.Transform(scaled).Dims())
	// Output:
	// 150 2
}

func ExampleVAE() {
	d := data.Iris()
	scaler := &prep.StandardScaler{}
	if err := scaler.Fit(d.X); err != nil {
		fmt.Println(err)
		return
	}
	v := &nn.VAE{Components: 2, Epochs: 50, Seed: 1}
	if err := v.Fit(scaler.Transform(d.X)); err != nil {
		fmt.Println(err)
		return
	}
	flowers := scaler.Inverse(v.Sample(3, 1))
	fmt.Println(flowers.Dims())
	// Output:
	// 3 4
}

func ExampleDiffusion() {
	m := &nn.Diffusion{Steps: 1000, Seed: 1}
	if err := m.Fit(data.TwoMoons(200, 0.1, 1).X); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Sample(100, 1).Dims())
	// Output:
	// 100 2
}
